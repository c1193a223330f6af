"""A tour drives the real window: each stop points at something visible, and the user may leave at any time."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument, save, train
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.window import tour_guide as guide
from bpe_gui.gui.window.tour_guide import Spotlight
from bpe_gui.tours import Tour, read_tour, tours
from tests.gui.support.widgets import child, label_text


def card(window: MainWindow) -> QWidget:
    return child(window, QWidget, "tourCard")


def light(window: MainWindow) -> QRect:
    return child(window, Spotlight, "tourSpotlight").light


def press(window: MainWindow, name: str) -> None:
    child(window, QPushButton, name).click()


@pytest.mark.parametrize("tour", [tour for tour in tours() if tour.sample], ids=lambda tour: tour.title("en"))
def test_every_stop_shows_what_it_speaks_of(window: MainWindow, tour: Tour) -> None:
    window.resize(960, 720)
    window.take_tour(tour)
    for number, stop in enumerate(tour.stops, 1):
        assert child(window, QWidget, stop.show).isVisible()
        assert not light(window).isEmpty()
        assert label_text(window, "tourSentence") == stop.sentence("en")
        assert label_text(window, "tourPlace") == f"{number} of {len(tour.stops)}"
        assert window.rect().contains(card(window).geometry())
        if stop.step is not None:
            assert window.session.cursor.position == stop.step
        if stop.text is not None:
            assert window.session.text.content == stop.text
        if stop.select is not None:
            assert window.session.selection.token == (stop.select.encode() or None)
        press(window, "tourNextButton")
    assert not card(window).isVisible()
    assert not child(window, Spotlight, "tourSpotlight").isVisible()


def test_a_tour_is_chosen_in_the_help_menu_and_goes_back(window: MainWindow) -> None:
    window.session.text.set_content("mine")
    menu = child(window, QMenu, "toursMenu")
    parent = menu.parent()
    assert isinstance(parent, QMenu)
    parent.aboutToShow.emit()
    menu.actions()[0].trigger()
    tour = tours()[0]
    assert not child(window, QPushButton, "tourBackButton").isEnabled()
    press(window, "tourNextButton")
    press(window, "tourBackButton")
    assert label_text(window, "tourSentence") == tour.stops[0].sentence("en")
    assert window.focusWidget() is child(window, QPushButton, "tourNextButton")


def test_it_asks_before_its_sample_replaces_a_corpus(window: MainWindow) -> None:
    own = CorpusDocument("mine", TextDocument("my own words"))
    window.session.corpus.add_documents([own], instead=True)
    window.take_tour(tours()[0])
    question = child(window, QMessageBox, "tourQuestion")
    assert not card(window).isVisible()
    assert window.session.corpus.documents == (own,)
    next(button for button in question.buttons() if button.text() == "Take the tour").click()
    assert card(window).isVisible()
    assert window.session.corpus.documents != (own,)
    window.actions_by_name["undo"].trigger()
    assert window.session.corpus.documents == (own,)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_focus_returns_to_where_it_was(window: MainWindow, language: str) -> None:
    """Else the arrow keys would change the recipe instead of the step."""
    child(window, QWidget, "pairTable").setFocus()
    window.take_tour(tours()[0])
    if language != "en":
        window.choose_language(language)
    press(window, "tourLeaveButton")
    assert window.focusWidget() is child(window, QWidget, "pairTable")


def test_the_window_can_be_used_meanwhile_and_escape_leaves(window: MainWindow) -> None:
    window.take_tour(tours()[0])
    window.step()
    assert window.session.cursor.position == 1
    QTest.keyClick(card(window), Qt.Key.Key_Escape)
    assert not card(window).isVisible()
    assert window.session.cursor.position == 1


def test_a_hidden_panel_is_shown_again(window: MainWindow) -> None:
    window._menus.hide_panels(["timeline"])
    window.take_tour(tours()[0])
    for _ in tours()[0].stops[1:]:
        press(window, "tourNextButton")
    assert child(window, QWidget, "timeline").isVisible()


def test_the_card_does_not_cover_what_it_speaks_of(window: MainWindow) -> None:
    window.take_tour(tours()[0])
    for _ in tours()[0].stops:
        assert not card(window).geometry().intersects(light(window))
        press(window, "tourNextButton")


def test_a_tour_goes_on_in_another_language_and_another_size(window: MainWindow) -> None:
    tour = tours()[0]
    window.take_tour(tour)
    press(window, "tourNextButton")
    window.choose_language("zh_CN")
    assert label_text(window, "tourSentence") == tour.stops[1].sentence("zh_CN")
    assert child(window, QWidget, tour.stops[1].show).isVisible()
    before = light(window)
    window.resize(1500, 900)
    window.layout()
    assert child(window, Spotlight, "tourSpotlight").size() == window.size()
    assert light(window) != before
    window.choose_language("en")


def test_the_tour_of_a_real_tokenizer_waits_for_one(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    tour = tours()[-1]
    window.take_tour(tour)
    forward = child(window, QPushButton, "tourNextButton")
    assert not forward.isEnabled()
    save(train("low lower lowest " * 3, recipe="cs336", num_merges=12), tmp_path, "gpt2")
    window.open_paths([tmp_path / "vocab.json"])
    qtbot.waitUntil(forward.isEnabled)
    for stop in tour.stops[1:]:
        press(window, "tourNextButton")
        assert label_text(window, "tourSentence") == stop.sentence("en")
        assert child(window, QWidget, stop.show).isVisible()
    assert window.session.cursor.position == window.session.cursor.run_length


def test_a_teachers_tour_is_opened_and_a_mistake_in_it_is_told(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []

    def read(path: Path) -> Tour:
        readers.append(threading.current_thread())
        return read_tour(path)

    monkeypatch.setattr(guide, "read_tour", read)
    path = tmp_path / "mine.toml"
    path.write_text('title.en = "T"\n[[stop]]\nsay.en = "Look here."\nshow = "nowhere"\n', encoding="utf-8")
    window.open_tour(path)
    qtbot.waitUntil(lambda: label_text(window, "tourSentence") == "Look here.")
    assert light(window).isEmpty()
    path.write_text("title = 3", encoding="utf-8")
    window.open_tour(path)
    told = "mine.toml is not a tour: title = 3 in the tour is not valid."
    qtbot.waitUntil(lambda: any(told in label.text() for label in window.findChildren(QLabel)))
    assert len(readers) == 2 and threading.main_thread() not in readers
