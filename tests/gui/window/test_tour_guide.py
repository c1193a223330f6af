"""A tour drives the real window: each stop points at something visible, and the user may leave at any time."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument, save, train
from bpe_gui.gui.look.theme import ThemeChoice
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.pair_model import PairColumn, PairModel
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.window import tour_guide as guide
from bpe_gui.gui.window.tour_card import Spotlight, TourCard
from bpe_gui.samples import default_sample
from bpe_gui.tours import Expected, Tour, in_language, lesson_after, read_tour, tours
from tests.gui.look.test_theme import contrast
from tests.gui.support.widgets import child, label_text


def card(window: MainWindow) -> QWidget:
    return child(window, QWidget, "tourCard")


def light(window: MainWindow) -> QRect:
    return child(window, Spotlight, "tourSpotlight").light


def press(window: MainWindow, name: str) -> None:
    child(window, QPushButton, name).click()


LESSONS = [tour for tour in tours() if tour.is_lesson]
READ_ONLY = [tour for tour in tours() if not tour.is_lesson]
PAST = "The window shows something else now."


def act(window: MainWindow, expected: Expected, *, rightly: bool = True) -> bool:
    """Do what is expected, or another thing of its kind, as the reader would; return whether that was possible."""
    session = window.session
    if expected.pair or (expected.banned and not rightly):
        table = child(window, Table, "pairTable")
        model = table.model()
        assert isinstance(model, PairModel)
        rows = [row for row in range(model.rowCount()) if (model.pair_at(row) == expected.pair) is rightly]
        table.selectRow(rows[-1])
        if expected.banned:
            window.actions_by_name["merge_instead"].trigger()
    elif expected.banned:
        session.selection.select_pair(*expected.banned)
        window.actions_by_name["ban_pair"].trigger()
    elif expected.select:
        session.selection.select_token(expected.select if rightly else b"f")
    elif expected.step and rightly:
        while session.cursor.position < expected.step:
            window.step()
    elif expected.text:
        editor = child(window, QWidget, "encodeInput")
        QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(editor, expected.text if rightly else "slow")
    else:
        return False
    return True


@pytest.mark.parametrize("tour", LESSONS, ids=lambda tour: tour.name)
def test_a_lesson_is_taken_to_its_end(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, tour: Tour
) -> None:
    """In English, everything is done rightly at once; in Chinese, wrongly at first, then rightly or by the window."""
    window.resize(960, 720)
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path(window._settings.store.fileName()).parent))
    take_to_its_end(qtbot, window, tour, "en", is_wrong_first=False)
    window.choose_language("zh_CN")
    take_to_its_end(qtbot, window, tour, "zh_CN", is_wrong_first=True)


def take_to_its_end(qtbot: QtBot, window: MainWindow, tour: Tour, language: str, *, is_wrong_first: bool) -> None:
    window.take_tour(tour)
    forward = child(window, QPushButton, "tourNextButton")
    for number, stop in enumerate(tour.stops):
        assert label_text(window, "tourSentence") == stop.sentence(language)
        if stop.show:
            assert not light(window).isEmpty()
        if (expected := stop.expected) is not None:
            assert not forward.isEnabled()
            assert not child(window, QLabel, "tourAnswer").isVisible()
            if is_wrong_first and act(window, expected, rightly=False):
                assert stop.wrong
                qtbot.waitUntil(partial(has_answered, window, in_language(stop.wrong, language)))
                assert not forward.isEnabled()
                if expected.banned:
                    window.actions_by_name["undo"].trigger()
            if (is_wrong_first and number % 2) or expected.tokenizer:
                press(window, "tourSkipButton")
            else:
                act(window, expected)
            qtbot.waitUntil(forward.isEnabled)
            assert label_text(window, "tourAnswer") == f"✓ {in_language(stop.right, language)}"
            assert window.rect().contains(card(window).geometry())
            if expected.text and not is_wrong_first:
                QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
            assert window.focusWidget() is forward or is_wrong_first
        assert not any(map(is_cut, card(window).findChildren(QPushButton)))
        assert not card(window).geometry().intersects(area_of(child(window, QWidget, "stepButton")))
        press(window, "tourNextButton")
    assert not card(window).isVisible()
    assert progress_in_menu(window, tour, language) == "✓"


def is_cut(button: QPushButton) -> bool:
    """Return whether a visible button is too narrow for its text."""
    return button.isVisible() and button.width() < button.minimumSizeHint().width()


def area_of(widget: QWidget) -> QRect:
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size())


def has_answered(window: MainWindow, answer: str) -> bool:
    return label_text(window, "tourAnswer") == answer


def progress_in_menu(window: MainWindow, tour: Tour, language: str = "en") -> str:
    menu = child(window, QMenu, "toursMenu")
    parent = menu.parent()
    assert isinstance(parent, QMenu)
    parent.aboutToShow.emit()
    texts = [action.text().split("\t") for action in menu.actions() if "\t" in action.text()]
    return dict(texts)[tour.title(language)]


def test_a_question_is_about_its_step(window: MainWindow) -> None:
    window.take_tour(LESSONS[1])
    press(window, "tourNextButton")
    window.step()
    assert label_text(window, "tourAnswer") == PAST
    window.step_back()
    assert not child(window, QLabel, "tourAnswer").isVisible()
    window.step()
    press(window, "tourSkipButton")
    assert window.session.cursor.position == 2
    assert child(window, QPushButton, "tourNextButton").isEnabled()


def test_what_is_asked_is_neither_cut_nor_among_the_merges(window: MainWindow) -> None:
    pairs, merges = child(window, Table, "pairTable"), child(window, Table, "mergeTable")
    model = pairs.model()
    assert isinstance(model, PairModel)
    window.resize(1280, 800)
    window.choose_workspace("learn")
    window.take_tour(LESSONS[1])
    press(window, "tourNextButton")
    for _ in range(2):
        window.step()
    assert merges.model().rowCount() == 4
    press(window, "tourAgainButton")
    assert merges.model().rowCount() == 2
    row = pairs.visualRect(model.index(model.row_of((b"w", b"i")), PairColumn.LEFT))
    assert not row.isEmpty() and pairs.viewport().rect().contains(row.center() + QPoint(0, row.height() // 2))
    press(window, "tourSkipButton")
    assert merges.model().rowCount() == 4


def test_a_step_back_where_a_lesson_waits_for_a_step_is_answered(window: MainWindow) -> None:
    window.take_tour(LESSONS[0])
    for number in range(4):
        if number == 3:
            press(window, "tourSkipButton")
        press(window, "tourNextButton")
    wrong, answer = "← goes back. Press → to go forward.", child(window, QLabel, "tourAnswer")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Left)
    assert has_answered(window, wrong)
    window.step()
    for number in range(3):
        press(window, "tourNextButton")
        if number == 1:
            press(window, "tourSkipButton")
    assert not answer.isVisible()
    window.step_back()
    assert has_answered(window, wrong)
    window.step()
    assert not answer.isVisible()


def test_nothing_gives_the_answer_away_while_a_lesson_asks_for_the_next_pair(window: MainWindow) -> None:
    table = child(window, Table, "pairTable")
    model = table.model()
    assert isinstance(model, PairModel)
    window.take_tour(LESSONS[0])
    assert label_text(window, "reasonLabel") == "Which pair is next?"  # a stop before the question
    for _ in range(2):
        press(window, "tourNextButton")
    for language in ("zh_CN", "en"):
        window.choose_language(language)
        table = child(window, Table, "pairTable")
        model = table.model()
        assert isinstance(model, PairModel)
        assert table.isColumnHidden(PairColumn.RANK)
        assert [model.pair_at(row)[0] for row in range(3)] == [b"d", b"e", b"e"]
        assert not any(model.rows[row].is_next or model.rows[row].winner for row in range(model.rowCount()))
        assert not child(window, QLabel, "statusLine").text()
    assert label_text(window, "reasonLabel") == "Which pair is next?"
    assert not child(window, QLabel, "reasonLabel").toolTip()
    session = window.session
    session.selection.select_pair(b"e", b"s")
    assert label_text(window, "reasonLabel") == "Which pair is next?"
    session.selection.select_pair(b"s", b"t")
    assert not table.isColumnHidden(PairColumn.RANK)
    assert model.pair_at(0) == (b"s", b"t")
    assert "Which pair is next?" not in label_text(window, "reasonLabel")
    press(window, "tourNextButton")
    window.step()
    assert label_text(window, "reasonLabel") == "Which pair is next?"  # a later stop asks


def test_what_the_reader_should_do_can_be_shown_whatever_they_did(qtbot: QtBot, window: MainWindow) -> None:
    tour, session = LESSONS[1], window.session
    window.take_tour(tour)
    for number in range(4):
        if number:
            press(window, "tourSkipButton")
        press(window, "tourNextButton")
    ban = tour.stops[3].expected
    assert ban is not None
    act(window, ban, rightly=False)
    qtbot.waitUntil(lambda: len(session.branches.all) == 2)
    session.show_branch(session.branches.main)
    session.cursor.seek(4)
    press(window, "tourSkipButton")
    qtbot.waitUntil(child(window, QPushButton, "tourNextButton").isEnabled)
    assert session.corpus.plan.banned == {(b"w", b"i")}
    assert len(session.corpus.plan.replay) == 2
    assert len(session.branches.all) == 2


def test_it_says_when_the_window_shows_something_else_and_shows_it_again(window: MainWindow) -> None:
    session, again = window.session, child(window, QPushButton, "tourAgainButton")
    window.take_tour(READ_ONLY[0])
    press(window, "tourNextButton")
    text = session.text.content
    assert not again.isVisible()
    for change in (window.step_back, partial(session.text.set_content, "other")):
        change()
        assert label_text(window, "tourAnswer") == PAST
        again.click()
        assert not again.isVisible() and not child(window, QLabel, "tourAnswer").isVisible()
        assert (session.cursor.position, session.text.content) == (14, text)
    window.step_back()
    press(window, "tourNextButton")
    assert session.cursor.position == 14  # the next card takes it for granted
    for _ in range(2):
        press(window, "tourNextButton")
    window.step_back()
    assert again.isVisible()
    assert label_text(window, "tourAnswer") == ""  # the reader is welcome to look around at the end


def test_going_back_shows_what_was_there(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    window.take_tour(LESSONS[1])
    for number in range(5):
        if number:
            press(window, "tourSkipButton")
            qtbot.waitUntil(child(window, QPushButton, "tourNextButton").isEnabled)
        press(window, "tourNextButton")
    assert len(session.branches.all) == 2
    for _ in range(3):
        press(window, "tourBackButton")
    assert (session.cursor.position, len(session.branches.all)) == (5, 1)
    press(window, "tourNextButton")
    assert session.corpus.plan.banned


def test_a_lesson_goes_on_where_it_was_left(qtbot: QtBot, window: MainWindow) -> None:
    tour = LESSONS[1]
    window.take_tour(tour)
    assert progress_in_menu(window, tour) == ""
    for number in range(4):
        if number:
            press(window, "tourSkipButton")
            qtbot.waitUntil(child(window, QPushButton, "tourNextButton").isEnabled)
        press(window, "tourNextButton")
    press(window, "tourLeaveButton")
    assert progress_in_menu(window, tour) == "5 of 6"
    window.take_tour(tour)
    qtbot.waitUntil(lambda: label_text(window, "tourSentence") == tour.stops[4].sentence("en"))
    assert window.session.corpus.plan.banned
    assert not child(window, QPushButton, "tourNextButton").isEnabled()
    press(window, "tourBackButton")
    assert child(window, QPushButton, "tourNextButton").isEnabled()


def test_a_lesson_offers_the_tokenizers_that_are_on_this_computer(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = train("low lower lowest " * 3, recipe="cs336", num_merges=12)
    folder = tmp_path / "hub" / "models--some--model" / "snapshots" / "1"
    folder.mkdir(parents=True)
    save(made, folder, "huggingface")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    window.take_tour(LESSONS[-1])
    menu = child(window, QMenu, "tourTokenizersMenu")
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == "hf:some/model").trigger()
    qtbot.waitUntil(child(window, QPushButton, "tourNextButton").isEnabled)
    assert window.session.opened.tokenizer is not None


@pytest.mark.parametrize("tour", READ_ONLY, ids=lambda tour: tour.name)
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


def test_a_tour_that_is_left_at_its_last_card_is_done(window: MainWindow) -> None:
    tour = READ_ONLY[0]
    window.take_tour(tour)
    for _ in tour.stops[1:]:
        press(window, "tourNextButton")
    escape(window)
    assert not card(window).isVisible()
    assert progress_in_menu(window, tour) == "✓"


def test_the_last_card_of_a_lesson_leads_to_the_next(window: MainWindow) -> None:
    following, lesson = child(window, QPushButton, "tourFollowingButton"), LESSONS[0]
    window.take_tour(lesson)
    for _ in lesson.stops[1:]:
        assert not following.isVisible()
        go_on(window)
    following.click()
    assert label_text(window, "tourTitle") == LESSONS[1].title("en")
    assert progress_in_menu(window, lesson) == "✓"
    assert [lesson_after(tour) for tour in (LESSONS[-1], READ_ONLY[0])] == [None, None]


def test_learn_lists_the_lessons(window: MainWindow) -> None:
    window.choose_workspace("learn")
    menu = child(window, QPushButton, "lessonsButton").menu()
    menu.aboutToShow.emit()
    assert [action.text().split("\t")[0] for action in menu.actions()[: len(LESSONS)]] == [
        lesson.title("en") for lesson in LESSONS
    ]


def test_enter_behind_a_typed_answer_goes_on_or_says_what_is_wrong(window: MainWindow) -> None:
    lesson, editor = LESSONS[0], child(window, QWidget, "encodeInput")
    index = next(index for index, stop in enumerate(lesson.stops) if stop.expected and stop.expected.text)
    window.take_tour(lesson)
    for _ in range(index):
        go_on(window)
    QTest.keyClicks(editor, "slow")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert label_text(window, "tourAnswer") == lesson.stops[index].wrong["en"]
    assert window.session.text.content == "slow"
    QTest.keyClicks(editor, " lowest")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert label_text(window, "tourSentence") == lesson.stops[index + 1].sentence("en")
    escape(window)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert "\n" in window.session.text.content


def go_on(window: MainWindow) -> None:
    if not child(window, QPushButton, "tourNextButton").isEnabled():
        press(window, "tourSkipButton")
    press(window, "tourNextButton")


def finish(window: MainWindow) -> None:
    while card(window).isVisible():
        go_on(window)


def leave(window: MainWindow) -> None:
    press(window, "tourLeaveButton")


def escape(window: MainWindow) -> None:
    QTest.keyClick(card(window), Qt.Key.Key_Escape)


def close(window: MainWindow) -> None:
    window.close()


@pytest.mark.parametrize("is_own", [True, False])
def test_its_end_brings_back_what_was_there(window: MainWindow, is_own: bool) -> None:
    """It asks nothing, and loses nothing."""
    session = window.session
    if is_own:
        session.corpus.add_documents([CorpusDocument("mine", TextDocument("my own words, my own words"))], instead=True)
        session.corpus.set_vocab_size(300)
    window.choose_workspace("learn")
    window._hidden["explore"] = ["timeline"]
    window._menus.show_panel("corpus")
    session.cursor.seek(3)
    QTest.keyClicks(child(window, QWidget, "encodeInput"), "mine ")
    session.selection.select_pair(b"m", b"y")
    for end in (finish, leave, escape, close):
        assert_end_brings_back_what_was_there(window, end)
    window.choose_workspace("explore")
    assert window._menus.hidden_panels() == ["timeline"]


def assert_end_brings_back_what_was_there(window: MainWindow, end: Callable[[MainWindow], object]) -> None:
    """Take a tour, and compare what the window shows before and after it."""
    session = window.session
    live, selected = session.text.live, session.selection.selected
    before = session.corpus.inputs, session.run.trainer, session.cursor.position, str(live), session.corpus.vocab_size
    last = session.history.last
    was_modified = window.projects.is_modified
    window.take_tour(tours()[0])
    assert session.run.trainer is not before[1]
    QTest.keyClicks(child(window, QWidget, "encodeInput"), "x")
    end(window)
    after = session.corpus.inputs, session.run.trainer, session.cursor.position, str(live), session.corpus.vocab_size
    assert after == before, end
    assert session.text.live is live and session.selection.selected == selected, end
    assert session.history.last is last, end
    assert window.projects.is_modified == was_modified, end
    assert window._settings.workspace == "learn", end
    assert window._menus.hidden_panels() == ["vocabulary", "timeline"], end


@pytest.mark.parametrize("tour", LESSONS[:3], ids=lambda tour: tour.name)
def test_a_file_gives_the_same_merges_after_a_tour_as_before_it(window: MainWindow, tmp_path: Path, tour: Tour) -> None:
    session, settings = window.session, []
    (tmp_path / "mine.txt").write_text("low lower lowest")
    for takes_tour in (False, True):
        window.open_sample(default_sample())
        if takes_tour:
            window.take_tour(tour)
            leave(window)
        window.open_paths([tmp_path / "mine.txt"])
        session.cursor.seek(3)
        trainer = session.run.trainer
        assert trainer is not None
        settings.append((session.corpus.inputs, session.corpus.vocab_size, trainer.tokenizer().vocab))
    assert settings[0] == settings[1]


def test_what_a_tour_made_can_be_brought_back_or_kept(window: MainWindow) -> None:
    own = CorpusDocument("mine", TextDocument("my own words"))
    window.session.corpus.add_documents([own], instead=True)
    tour = tours()[0]
    window.take_tour(tour)
    assert tour.sample is not None
    press(window, "tourLeaveButton")
    window.actions_by_name["redo"].trigger()
    assert window.session.corpus.documents[0].content == TextDocument(tour.sample.read())
    window.actions_by_name["undo"].trigger()
    assert window.session.corpus.documents == (own,)
    window.take_tour(tour)
    while not child(window, QPushButton, "tourStayButton").isVisible():
        if not child(window, QPushButton, "tourNextButton").isEnabled():
            press(window, "tourSkipButton")
        press(window, "tourNextButton")
    assert not child(window, QPushButton, "tourLeaveButton").isVisible()
    press(window, "tourStayButton")
    assert window.session.cursor.position == 12
    assert progress_in_menu(window, tour) == "✓"
    for _text in tour.stops:  # first, the texts that the tour set
        if window.session.corpus.documents != (own,):
            window.actions_by_name["undo"].trigger()
    assert window.session.corpus.documents == (own,)


def test_what_the_reader_opens_on_a_tour_stays(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("my own words", encoding="utf-8")
    window.take_tour(tours()[0])
    window.open_paths([path])
    qtbot.waitUntil(lambda: window.session.corpus.documents[0].title == "mine.txt")
    assert not card(window).isVisible()
    assert window.session.corpus.documents[0].title == "mine.txt"
    window.take_tour(tours()[0])
    window.projects.new()
    assert not card(window).isVisible()
    assert window.session.corpus.documents == ()


def test_it_runs_in_learn_if_everything_it_points_at_is_there(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title.en = "T"\n[[stop]]\nsay.en = "Look here."\nshow = "wordTable"\n', encoding="utf-8")
    window.choose_workspace("learn")
    window.take_tour(read_tour(path))
    assert not light(window).isEmpty()
    assert workspace(window) == "learn"
    path.write_text('title.en = "T"\n[[stop]]\nsay.en = "Look here."\nshow = "pairTable"\n', encoding="utf-8")
    window.take_tour(read_tour(path))
    assert workspace(window) == "explore"
    press(window, "tourNextButton")
    assert workspace(window) == "learn"


def workspace(window: MainWindow) -> str:
    return window._settings.workspace


def test_training_goes_on_after_a_tour(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    words = " ".join(f"w{number:x}" for number in range(40_000))
    session.corpus.add_documents([CorpusDocument("mine", TextDocument(words))], instead=True)
    session.corpus.set_vocab_size(6_000)
    qtbot.waitUntil(lambda: session.run.is_made_from(session.corpus.inputs))
    window.train()
    assert session.run.is_training
    window.take_tour(tours()[0])
    press(window, "tourLeaveButton")
    qtbot.waitUntil(lambda: not session.run.is_training and session.run.trainer is not None)
    assert session.cursor.tokenizer is not None
    assert len(session.cursor.tokenizer.entries().ids) == 6_000


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_focus_returns_to_where_it_was(window: MainWindow, language: str) -> None:
    """Otherwise the arrow keys would change the recipe instead of the step."""
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


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_the_lit_part_is_plain_and_the_rest_is_readable(window: MainWindow, choice: ThemeChoice) -> None:
    window.choose_theme(choice)
    window.take_tour(LESSONS[0])
    spotlight, colors = child(window, Spotlight, "tourSpotlight"), window.palette()

    def shown(color: QColor, point: QPoint) -> QColor:
        picture = QImage(window.size(), QImage.Format.Format_RGB32)
        picture.fill(color)
        with QPainter(picture) as painter:
            spotlight.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        return picture.pixelColor(point)

    inside, outside = light(window).center(), QPoint(1, window.height() - 2)
    for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
        background = colors.color(role)
        assert contrast(shown(background, inside), shown(background, outside)) > 1.25
        for place in (inside, outside):
            text = shown(colors.color(QPalette.ColorRole.Text), place)
            assert contrast(text, shown(background, place)) > 4.5


def test_the_step_button_is_lit_where_a_step_is_expected(window: MainWindow) -> None:
    tour = LESSONS[0]
    window.take_tour(tour)
    spotlight, button = child(window, Spotlight, "tourSpotlight"), child(window, QWidget, "stepButton")
    assert any(stop.expected and stop.expected.step and stop.show != "stepButton" for stop in tour.stops)
    for index, stop in enumerate(tour.stops):
        if index:
            press(window, "tourNextButton")
        place = QRect(button.mapTo(window, QPoint()), button.size())
        if stop.show == "stepButton":
            assert spotlight.light.contains(place) and spotlight.tool_light.isEmpty()
        elif stop.expected is not None and stop.expected.step is not None:
            assert spotlight.tool_light.contains(place) and button.isEnabled()
        else:
            assert spotlight.tool_light.isEmpty()
        if stop.expected is not None:
            press(window, "tourSkipButton")


def test_escape_in_a_table_clears_the_selection_and_then_leaves(window: MainWindow) -> None:
    window.take_tour(LESSONS[0])
    table = child(window, Table, "pairTable")
    table.setFocus()
    window.session.selection.select_token(b"o")
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert window.session.selection.token is None and card(window).isVisible()
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert not card(window).isVisible()


def test_its_end_brings_back_the_order_and_place_of_tables_and_the_page(window: MainWindow) -> None:
    vocabulary, pairs = child(window, Table, "vocabularyTable"), child(window, Table, "pairTable")
    window.session.cursor.seek(4)
    order = PairColumn.MERGED, Qt.SortOrder.DescendingOrder
    pairs.sortByColumn(*order)
    vocabulary.verticalScrollBar().setValue(3)
    facts = child(window, QTabWidget, "tokenFacts")
    facts.setCurrentIndex(1)
    window.take_tour(LESSONS[0])
    facts.setCurrentIndex(3)
    finish(window)
    assert facts.currentIndex() == 1
    header = pairs.horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == order
    assert vocabulary.verticalScrollBar().value() == 3


def test_a_panel_that_is_hidden_meanwhile_is_shown_again(window: MainWindow) -> None:
    window.take_tour(LESSONS[0])
    window.choose_workspace("learn")
    for _ in range(2):
        press(window, "tourNextButton")
    assert not light(window).isEmpty()
    press(window, "tourSkipButton")
    assert window.focusWidget() is child(window, QPushButton, "tourNextButton")


def test_a_hidden_panel_is_shown_again(window: MainWindow) -> None:
    window._menus.hide_panels(["encode"])
    window.take_tour(READ_ONLY[0])
    assert child(window, QWidget, "encodeInput").isVisible()


def test_the_card_does_not_cover_what_it_speaks_of(window: MainWindow) -> None:
    window.take_tour(READ_ONLY[0])
    for _ in READ_ONLY[0].stops:
        assert not card(window).geometry().intersects(light(window))
        press(window, "tourNextButton")


def test_the_card_stays_where_it_is_when_it_grows(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    shown, area = TourCard(parent), QRect(0, 0, 1000, 700)

    def place(light: QRect, answer: str = "") -> QPoint:
        shown.show_stop(READ_ONLY[0], 0, None, answer, is_opened=False, is_past=False)
        shown.place_next_to(light, area)
        return shown.pos()

    place(QRect())
    light = QRect(500, 0, 400, 555 - shown.height())  # and a little more space below than on the left
    before = place(light)
    assert before.y() > light.bottom()
    assert place(light, "An answer.") == before
    assert place(light.translated(0, 100)) != before


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


@pytest.mark.parametrize("key", ["tokenizer = true\n[[stop]]\n", "[[stop]]\nexpect.tokenizer = true\n"])
def test_a_teachers_tour_waits_for_a_tokenizer(qtbot: QtBot, window: MainWindow, tmp_path: Path, key: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'title.en = "T"\n{key}say.en = "Open one."\n', encoding="utf-8")
    window.open_tour(path)
    forward = child(window, QPushButton, "tourNextButton")
    qtbot.waitUntil(card(window).isVisible)
    assert not forward.isEnabled()
    save(train("low lower lowest " * 3, recipe="cs336", num_merges=12), tmp_path, "gpt2")
    window.open_paths([tmp_path / "vocab.json"])
    qtbot.waitUntil(forward.isEnabled)


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
