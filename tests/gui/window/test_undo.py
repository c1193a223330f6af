"""Ctrl+Z undoes typing where there is some in the editor with the focus, else the last change of the session."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QPlainTextEdit, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, ReadTokenizer, TextDocument, TokenizerSource, train
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session import history
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from tests.gui.support.project_windows import offers
from tests.gui.support.still import run_out
from tests.gui.support.widgets import child
from tests.gui.support.windows import CONTROL, SHIFT, editor, notice_text, notices


def texts(window: MainWindow) -> tuple[str, str]:
    """Return the texts of the actions as they are when the Edit menu is open."""
    menu = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == "&Edit")
    menu.aboutToShow.emit()
    return window.actions_by_name["undo"].text(), window.actions_by_name["redo"].text()


def undo(widget: QWidget) -> None:
    QTest.keyClick(widget, Qt.Key.Key_Z, CONTROL)


def redo(widget: QWidget) -> None:
    QTest.keyClick(widget, Qt.Key.Key_Z, CONTROL | SHIFT)


def choose_recipe(window: MainWindow, preset: str) -> None:
    combo = child(window, QComboBox, "recipeCombo")
    combo.setCurrentIndex(combo.findData(preset))


def test_starting_over_says_so_and_can_be_undone(window: MainWindow, qtbot: QtBot) -> None:
    window.restart()
    assert notices(window) == [], "there was no merge"
    window.session.cursor.seek(5)
    window.restart()
    assert (window.session.cursor.run_length, notices(window)) == (0, ["Started over. The run had 5 merges."])
    offers(window)["Undo"].click()
    assert (window.session.cursor.run_length, notices(window)) == (5, [])
    window.session.train()
    assert window.session.run.is_training
    window.restart()
    assert notices(window) == [], "training goes on"
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)


def test_the_menus_are_in_the_usual_order(window: MainWindow) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles == ["&File", "&Edit", "&Training", "&View", "&Help"]


def test_a_recipe_change_is_undone_where_no_editor_has_the_focus(window: MainWindow) -> None:
    corpus, table = window.session.corpus, child(window, QWidget, "pairTable")
    before = corpus.recipe
    assert texts(window) == ("&Undo", "&Redo")
    assert not window.actions_by_name["undo"].isEnabled()
    choose_recipe(window, "minbpe")
    table.setFocus()
    assert texts(window) == ("&Undo recipe change", "&Redo")
    undo(table)
    assert corpus.recipe == before
    assert child(window, QComboBox, "recipeCombo").currentData() == before.preset
    assert texts(window) == ("&Undo", "&Redo recipe change")
    redo(table)
    assert corpus.recipe == PRESETS["minbpe"]
    undo(table)
    QTest.keyClick(table, Qt.Key.Key_Y, CONTROL)
    assert corpus.recipe == PRESETS["minbpe"]


def type_into(window: MainWindow, name: str) -> QWidget:
    widget: QWidget = child(window, QPlainTextEdit, name) if name == "corpusEditor" else editor(window)
    widget.setFocus()
    QTest.keyClicks(widget, "x")
    return widget


def content(window: MainWindow, name: str) -> str:
    document = window.session.corpus.documents[0].content
    assert isinstance(document, TextDocument)
    return document.text if name == "corpusEditor" else window.session.text.content


@pytest.mark.parametrize("name", ["corpusEditor", "encodeInput"])
def test_an_editor_undoes_its_typing_first(window: MainWindow, name: str) -> None:
    before, recipe = content(window, name), window.session.corpus.recipe
    choose_recipe(window, "minbpe")
    widget = type_into(window, name)
    assert content(window, name) != before
    place = "the corpus" if name == "corpusEditor" else "the text"
    assert texts(window)[0] == f"&Undo typing in {place}"
    undo(widget)
    assert (content(window, name), window.session.corpus.recipe) == (before, PRESETS["minbpe"])
    assert texts(window) == ("&Undo recipe change", f"&Redo typing in {place}")
    undo(widget)
    assert window.session.corpus.recipe == recipe
    QTest.keyClick(widget, Qt.Key.Key_Y, CONTROL)
    assert content(window, name) != before, "typing is made again first"
    QTest.keyClick(widget, Qt.Key.Key_Y, CONTROL)
    assert window.session.corpus.recipe == PRESETS["minbpe"]
    window.actions_by_name["undo"].trigger()
    assert content(window, name) == before, "the menu does as the keys do"


def test_the_size_is_undone_in_its_field(window: MainWindow) -> None:
    field, before = child(window, QSpinBox, "vocabSizeSpin"), window.session.corpus.vocab_size
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert window.session.corpus.vocab_size == before + 1
    undo(field)
    assert window.session.corpus.vocab_size == before
    assert field.value() == before


def test_a_removed_document_comes_back_and_its_notice_goes(window: MainWindow) -> None:
    corpus = window.session.corpus
    corpus.add_documents([CorpusDocument("mine", TextDocument("mine"))])
    child(window, QToolButton, "removeDocumentButton").click()
    assert notices(window) == ["Removed mine."]
    assert texts(window)[0] == "&Undo removing from the corpus"
    window.actions_by_name["undo"].trigger()
    assert [each.title for each in corpus.documents][1:] == ["mine"]
    assert notices(window) == [], "there is nothing left to undo by it"


def test_offers_to_undo_go_when_training_goes_on(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower")
    window.session.restart()
    window._opener.open_paths([tmp_path / "a.txt"])
    assert notices(window)[0].startswith("Opened a.txt as the new corpus.")
    window.session.cursor.seek(0)
    assert len(notices(window)) == 1
    window.session.cursor.seek(2)
    assert notices(window) == []
    assert texts(window)[0].startswith("&Undo ")


def test_only_the_last_change_is_offered_to_be_undone(window: MainWindow, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("low lower")
    corpus = window.session.corpus
    window._opener.add_paths([tmp_path / "a.txt"])
    window._opener.add_paths([tmp_path / "b.txt"])
    assert notices(window) == ["Added b.txt to the corpus."]
    window.actions_by_name["copy_diagnostics"].trigger()
    assert notices(window)[-1].startswith("Diagnostics")
    window.actions_by_name["larger"].trigger()
    assert notices(window) == ["Added b.txt to the corpus."], "the message is old, the offer still holds"
    offers(window)["Undo"].click()
    assert notices(window) == []
    assert [each.title for each in corpus.documents][1:] == ["a.txt"]
    window._opener.add_paths([tmp_path / "b.txt"])
    corpus.set_special_tokens(["<a>"])
    assert notices(window) == [], "undoing that would undo the special token first"


def test_an_offer_goes_when_typing_makes_it_pointless(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower")
    window._opener.add_paths([tmp_path / "a.txt"])
    assert notices(window) == ["Added a.txt to the corpus."]
    type_into(window, "corpusEditor")
    assert notices(window) == [], "an edited document stays"


def test_an_offer_to_bring_back_a_text_goes_when_one_types_in_the_new_one(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("low lower")
    window._opener.open_to_encode([tmp_path / "b.txt"])
    assert notices(window) == ["b.txt replaced the text to encode."]
    type_into(window, "encodeInput")
    assert notices(window) == [], "undoing it would lose what was typed"


@pytest.mark.parametrize("way", ["step back", "step", "workspace", "open"])
def test_an_offer_to_bring_back_a_text_goes_when_one_goes_on(window: MainWindow, tmp_path: Path, way: str) -> None:
    (tmp_path / "b.txt").write_text("low lower")
    other = ReadTokenizer(train("low lower", num_merges=2), TokenizerSource(Path("other")), "tiktoken")
    window.session.cursor.seek(5)
    window._opener.open_to_encode([tmp_path / "b.txt"])
    assert notices(window) == ["b.txt replaced the text to encode."]
    go_on: dict[str, Callable[[], object]] = {
        "step back": window.session.cursor.step_back,
        "step": window.session.cursor.step,
        "workspace": partial(window.choose_workspace, "learn"),
        "open": partial(window.session.opened.show, OpenedTokenizer(other)),
    }
    go_on[way]()
    assert notices(window) == []


def test_an_undone_opening_is_back_at_its_step(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("low lower lowest")
    window.session.cursor.seek(5)
    window.open_paths([tmp_path / "a.txt"])
    assert window.session.cursor.position == 0
    table = child(window, QWidget, "pairTable")
    table.setFocus()
    undo(table)
    assert window.session.cursor.position == 5
    assert not window.session.run.is_stale


def test_a_run_that_was_not_kept_is_missed_and_can_be_trained_again(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(history, "_MAX_RUNS", 1)
    window.session.cursor.seek(5)
    for name in "ab":
        window.session.replace_documents([CorpusDocument(name, TextDocument(f"low lower lowest {name}"))])
        window.session.cursor.seek(3)
    lost = "Its training did not come back: only the last three runs are kept."
    window.session.undo()
    assert window.session.cursor.position == 3 and lost not in notices(window)
    window.session.undo()
    assert window.session.cursor.position == 0 and lost in notices(window)
    offers(window)["Train again"].click()
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE and window.session.cursor.run_length > 5)
    assert lost not in notices(window)


def test_undoing_loses_nothing_that_was_typed_a_moment_ago(window: MainWindow) -> None:
    corpus_editor = child(window, QPlainTextEdit, "corpusEditor")
    window.session.corpus.add_documents([CorpusDocument("mine", TextDocument("low lower " * 3_000))])
    corpus_editor.setFocus()
    QTest.keyClicks(corpus_editor, "x")  # in a text so long that it is only passed on after a pause
    window.session.undo()
    documents = window.session.corpus.documents
    assert [document.title for document in documents][1:] == ["mine"], "an edited document stays"
    assert "".join(documents[1].content.chunks()).startswith("x")


def test_starting_over_is_undone(window: MainWindow) -> None:
    window.session.cursor.seek(5)
    window.restart()
    assert window.session.cursor.position == 0
    assert texts(window)[0] == "&Undo starting over"
    window.actions_by_name["undo"].trigger()
    assert window.session.cursor.position == 5


@pytest.mark.parametrize("name", ["corpusEditor", "encodeInput"])
def test_a_sample_is_undone(window: MainWindow, name: str) -> None:
    editor = child(window, QWidget, name)
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "mine")
    menu = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == "Open sa&mple")
    menu.actions()[0].trigger()
    assert texts(window)[0] == "&Undo opening the sample"
    assert notice_text(window) == "The sample replaced the corpus and the text."
    offers(window)["Undo"].click()
    typed = content(window, name) if name == "corpusEditor" else window.session.text.content
    assert typed == "mine"
    assert texts(window) == ("&Undo", "&Redo opening the sample")


def test_undoing_works_after_a_change_of_language(window: MainWindow) -> None:
    before = window.session.corpus.recipe
    choose_recipe(window, "minbpe")
    window.choose_language("zh_CN")
    table = child(window, QWidget, "pairTable")
    table.setFocus()
    undo(table)
    assert window.session.corpus.recipe == before


def test_notices_follow_the_language(window: MainWindow) -> None:
    window.copy_diagnostics()
    before = notice_text(window)
    window.choose_language("zh_CN")
    assert notice_text(window) != before
    window.choose_language("en")
    assert notice_text(window) == before


def test_the_table_of_keys_says_what_undo_is(window: MainWindow) -> None:
    choose_recipe(window, "minbpe")
    window.show_keys()
    table = "".join(label.text() for label in window.findChildren(QLabel) if "Ctrl+Z" in label.text())
    assert "Undo" in table
    assert "Undo recipe change" not in table


# -- opening ----------------------------------------------------------------------------------------------------------


def test_an_empty_file_is_named(window: MainWindow, tmp_path: Path) -> None:
    for name in ("empty.txt", "none.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "full.txt").write_text("low")
    window.open_paths([tmp_path / "empty.txt", tmp_path / "full.txt"])
    assert notices(window)[0] == "empty.txt is empty."
    assert notices(window)[1].startswith("Opened 2 files")
    window.open_paths([tmp_path / "empty.txt", tmp_path / "none.txt"])
    assert "2 files are empty: empty.txt, none.txt." in notices(window)
    window._opener.open_to_encode([tmp_path / "empty.txt"])
    assert "empty.txt is empty." in notices(window)


def test_the_open_button_of_the_corpus_also_adds_files(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("low")
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_arguments: ([str(tmp_path / "a.txt")], "")
    )
    button = child(window, QToolButton, "openCorpusButton")
    before = [each.title for each in window.session.corpus.documents]
    add = next(action for action in button.menu().actions() if action.text() == "A&dd files…")
    add.trigger()
    assert [each.title for each in window.session.corpus.documents] == [*before, "a.txt"]


@pytest.mark.parametrize("name", ["corpusEditor", "encodeInput"])
def test_what_was_typed_last_is_undone_before_an_earlier_change_also_from_elsewhere(
    window: MainWindow, name: str
) -> None:
    before, table = content(window, name), child(window, QWidget, "vocabularyTable")
    choose_recipe(window, "minbpe")
    type_into(window, name)
    typed = content(window, name)
    table.setFocus()
    assert "typing" in texts(window)[0]
    undo(table)
    assert (content(window, name), window.session.corpus.recipe) == (before, PRESETS["minbpe"])
    redo(table)
    assert content(window, name) == typed
    undo(table)
    undo(table)
    assert window.session.corpus.recipe != PRESETS["minbpe"]


def test_what_was_typed_before_a_change_stays_when_that_is_undone(window: MainWindow) -> None:
    type_into(window, "encodeInput")
    typed, table = content(window, "encodeInput"), child(window, QWidget, "vocabularyTable")
    choose_recipe(window, "minbpe")
    table.setFocus()
    undo(table)
    assert (content(window, "encodeInput"), window.session.corpus.recipe != PRESETS["minbpe"]) == (typed, True)


def test_typing_in_two_editors_is_undone_from_where_it_was_last(window: MainWindow) -> None:
    before = content(window, "corpusEditor"), content(window, "encodeInput")
    type_into(window, "encodeInput")
    type_into(window, "corpusEditor")
    table = child(window, QWidget, "vocabularyTable")
    table.setFocus()
    undo(table)
    assert (content(window, "corpusEditor"), content(window, "encodeInput") == before[1]) == (before[0], False)
    redo(table)
    undo(table)
    undo(table)
    assert (content(window, "corpusEditor"), content(window, "encodeInput")) == before


def test_an_editor_that_is_gone_is_not_asked_for_its_typing(window: MainWindow, qtbot: QtBot) -> None:
    recipe = window.session.corpus.recipe
    choose_recipe(window, "minbpe")
    type_into(window, "corpusEditor")
    with qtbot.captureExceptions() as exceptions:
        window.choose_language("zh_CN")
        run_out(window)
        table = child(window, QWidget, "vocabularyTable")
        table.setFocus()
        undo(table)
    assert (exceptions, window.session.corpus.recipe) == ([], recipe)
