"""Ctrl+F opens the find bar of a text or the filter of a table; F3 goes from match to match."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, TextDocument
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.search import text_search
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.widgets import child
from tests.gui.support.windows import CONTROL, SHIFT, editor, summary

F3, ESCAPE, RETURN = Qt.Key.Key_F3, Qt.Key.Key_Escape, Qt.Key.Key_Return
ENCODE, CORPUS = "encodePanel", "corpusPanel"
INPUTS = {ENCODE: "encodeInput", CORPUS: "corpusEditor"}
TEXT = "low Low 🙂 slow\n" + "x" * 20_000 + " LOWER É é low"


@pytest.fixture(autouse=True)
def searches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches be complete before a key press returns, however busy the machine is."""
    monkeypatch.setattr(text_search, "_SLICE", 60.0)


@pytest.fixture
def window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    window.session.corpus.set_documents([CorpusDocument("text", TextDocument(TEXT))])
    window.session.text.set_content(TEXT)
    qtbot.waitUntil(lambda: window.session.text.live.is_encoded)
    return window


def part(window: MainWindow, panel: str) -> QWidget:
    return child(window, QWidget, panel)


def open_bar(window: MainWindow, panel: str) -> QLineEdit:
    """Focus the text of a panel, press Ctrl+F and return the field of the bar."""
    text = child(window, QWidget, INPUTS[panel])
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_F, CONTROL)
    field = child(part(window, panel), QLineEdit, "findField")
    assert field.hasFocus()
    return field


def count(window: MainWindow, panel: str) -> str:
    return child(part(window, panel), QLabel, "findCount").text()


def selected(window: MainWindow, panel: str) -> tuple[str, int]:
    """Return the selected text, and how many characters are before it."""
    if panel == CORPUS:
        cursor = child(window, PlainTextEdit, "corpusEditor").textCursor()
        before = TEXT.encode("utf-16-le")[: 2 * cursor.selectionStart()].decode("utf-16-le")
        return cursor.selectedText(), len(before)
    edit = editor(window)
    start, stop = edit.selection.span
    text = window.session.text.live
    return text.read(start, stop).decode(), len(text.read(0, start).decode())


def train_on(window: MainWindow, text: str, steps: int) -> None:
    """Show a run on another corpus, whose symbols are bytes."""
    window.session.corpus.set_documents([CorpusDocument("text", TextDocument(text))])
    window.session.corpus.set_recipe(PRESETS["cs336"])
    window.session.restart()
    window.session.cursor.seek(steps)


def choose_mode(window: MainWindow, title: str) -> None:
    modes = child(part(window, ENCODE), QComboBox, "findMode")
    modes.setCurrentIndex(modes.findText(title))


@pytest.mark.parametrize("panel", [ENCODE, CORPUS])
def test_matches_are_selected_in_turn(window: MainWindow, panel: str) -> None:
    field = open_bar(window, panel)
    QTest.keyClicks(field, "low")
    matches = [("low", 0), ("Low", 4), ("low", 11), ("LOW", 20_016), ("low", 20_026)]
    assert [TEXT[start : start + 3] for _text, start in matches] == [text for text, _start in matches]
    assert (selected(window, panel), count(window, panel)) == (matches[0], "1 of 5")
    for index in (1, 2, 3, 4, 0):
        QTest.keyClick(field, RETURN)
        assert (selected(window, panel), count(window, panel)) == (matches[index], f"{index + 1} of 5")
    QTest.keyClick(field, RETURN, SHIFT)
    assert selected(window, panel) == matches[4]
    child(part(window, panel), QToolButton, "findPrevious").click()
    assert selected(window, panel) == matches[3]
    child(part(window, panel), QToolButton, "findNext").click()
    assert selected(window, panel) == matches[4]
    assert selected(window, panel)[0] == "low"
    QTest.keyClick(field, RETURN, SHIFT)
    assert selected(window, panel)[0] == "LOW"
    assert open_bar(window, panel).text() == "low"  # a match is not taken for what to find
    assert count(window, panel) == "4 of 5"


@pytest.mark.parametrize("panel", [ENCODE, CORPUS])
def test_the_bar_closes_and_keeps_its_text(window: MainWindow, panel: str) -> None:
    bar = child(part(window, panel), QWidget, "findBar")
    assert not bar.isVisible()
    field = open_bar(window, panel)
    QTest.keyClicks(field, "É")
    assert count(window, panel) == "1 of 1"
    QTest.keyClick(field, ESCAPE)
    assert not bar.isVisible()
    focused = child(window, QWidget, INPUTS[panel])
    assert focused.hasFocus()
    QTest.keyClick(focused, F3)  # the only match: it stays selected
    assert selected(window, panel)[0] == "É"
    field.setText("é")
    assert selected(window, panel)[0] == "É"  # a hidden bar moves nothing
    QTest.keyClick(focused, F3)
    assert selected(window, panel)[0] == "é"
    QTest.keyClick(focused, F3, SHIFT)
    assert selected(window, panel)[0] == "É"


@pytest.mark.parametrize("panel", [ENCODE, CORPUS])
def test_the_selected_text_is_taken(window: MainWindow, panel: str) -> None:
    field = open_bar(window, panel)
    field.setText("slow")
    QTest.keyClick(field, ESCAPE)
    if panel == ENCODE:
        editor(window).set_selection(4, 7)
    else:
        cursor = child(window, PlainTextEdit, "corpusEditor").textCursor()
        cursor.setPosition(4)
        cursor.setPosition(7, cursor.MoveMode.KeepAnchor)
        child(window, PlainTextEdit, "corpusEditor").setTextCursor(cursor)
    assert open_bar(window, panel).text() == "Low"
    assert selected(window, panel) == ("Low", 4)
    assert count(window, panel) == "1 of 1"


@pytest.mark.parametrize("panel", [ENCODE, CORPUS])
def test_an_edit_is_searched_again(qtbot: QtBot, window: MainWindow, panel: str) -> None:
    field = open_bar(window, panel)
    QTest.keyClicks(field, "slow")
    assert count(window, panel) == "1 of 1"
    text = child(window, QWidget, INPUTS[panel])
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_Right)
    QTest.keyClicks(text, " slow")
    qtbot.waitUntil(lambda: count(window, panel) == "2 matches")
    field.setText("none")
    assert count(window, panel) == "no match"
    field.clear()
    assert count(window, panel) == ""


def test_tokens_and_ids_are_found(window: MainWindow) -> None:
    tokenizer, live = window.session.text.tokenizer, window.session.text.live
    assert tokenizer is not None
    field = open_bar(window, ENCODE)
    choose_mode(window, "Token")
    for typed, token in (("x", b"x"), ("78", b"x"), ("l", b"l")):
        token_id = tokenizer.store.ids[token]
        field.setText(typed)
        assert count(window, ENCODE) == f"1 of {live.count(token_id):,}"
        QTest.keyClick(field, RETURN)
        assert count(window, ENCODE).startswith("2 of" if live.count(token_id) > 1 else "1 of")
        editor(window).set_caret(0)
    field.setText("no token")
    assert count(window, ENCODE) == "no such token"
    choose_mode(window, "Id")
    assert count(window, ENCODE) == "no such token"
    field.setText(str(tokenizer.store.ids[b"x"]))
    assert count(window, ENCODE) == f"1 of {TEXT.count('x'):,}"


def test_the_selected_token_is_found_without_a_text(window: MainWindow) -> None:
    edit = editor(window)
    edit.setFocus()
    QTest.keyClick(edit, F3)
    assert edit.selection.is_empty
    window.session.selection.select_token(b"w")
    starts = [index for index, character in enumerate(TEXT) if character == "w"]
    found = []
    for _press in (*starts, None):
        QTest.keyClick(edit, F3)
        found.append(selected(window, ENCODE))
    assert found == [("w", start) for start in (*starts, starts[0])]
    QTest.keyClick(edit, F3, SHIFT)
    assert selected(window, ENCODE) == ("w", starts[-1])


def test_what_is_found_is_what_the_facts_and_the_summary_are_about(window: MainWindow) -> None:
    train_on(window, "low", steps=0)
    window.session.text.set_content("w 🙂🙂 x x w")
    field, inspector = open_bar(window, ENCODE), child(window, QWidget, "tokenInspector")
    choose_mode(window, "Token")
    window.session.selection.select_token(b"w")
    for typed, token_id in (("\\x9f", 0x9F), ("x", 0x78)):  # the second byte of an emoji, the first of which is shown
        field.setText(typed)
        for key in (F3, RETURN):
            QTest.keyClick(field, key)
            texts = [label.text() for label in inspector.findChildren(QLabel)]
            assert f"id {token_id}" in texts
            assert f" · “{typed}”: " in summary(window)
    QTest.keyClick(editor(window), Qt.Key.Key_Right)
    assert " · " not in summary(window)
    assert summary(window).startswith("“w”: "), "the selected token"


@pytest.mark.parametrize("mode", ["Token", "Id"])
def test_tokens_are_also_found_backwards(window: MainWindow, mode: str) -> None:
    tokenizer = window.session.text.tokenizer
    assert tokenizer is not None
    field = open_bar(window, ENCODE)
    choose_mode(window, mode)
    field.setText("w" if mode == "Token" else str(tokenizer.store.ids[b"w"]))
    starts = [index for index, character in enumerate(TEXT) if character == "w"]
    steps = (
        lambda: QTest.keyClick(field, F3, SHIFT),
        lambda: QTest.keyClick(field, RETURN, SHIFT),
        child(part(window, ENCODE), QToolButton, "findPrevious").click,
    )
    for start, step in zip((starts[0], *starts[::-1]), (lambda: None, *steps), strict=False):
        step()
        assert selected(window, ENCODE) == ("w", start)


def test_what_is_typed_letter_by_letter_is_found_from_where_the_caret_was(window: MainWindow) -> None:
    train_on(window, "lo lo lo", steps=1)
    window.session.text.set_content("l o lo lo")
    field = open_bar(window, ENCODE)
    choose_mode(window, "Token")
    QTest.keyClicks(field, "lo")
    assert (selected(window, ENCODE), count(window, ENCODE)) == (("lo", 4), "1 of 2")


def test_matches_in_view_are_marked(window: MainWindow) -> None:
    field = open_bar(window, ENCODE)
    QTest.keyClicks(field, "low")
    edit = editor(window)
    match = edit.rows.caret_rect(14).bottomLeft()  # the third one, which is not selected
    line = QPoint(round(match.x()) + 3, round(match.y()) - 1)
    marked = edit.viewport().grab().toImage().pixelColor(line)
    QTest.keyClick(field, ESCAPE)
    assert edit.viewport().grab().toImage().pixelColor(line) != marked


def test_a_long_search_goes_on_in_slices(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "_SLICE", 0)
    field = open_bar(window, ENCODE)
    field.setText("low")
    assert count(window, ENCODE) == "searching…"
    QTest.keyClick(field, RETURN)  # once the search is complete
    field.setText("lower")  # ends the search
    assert count(window, ENCODE) == "searching…"
    qtbot.waitUntil(lambda: count(window, ENCODE) == "1 of 1")
    assert selected(window, ENCODE)[0] == "LOWER"


FOUND_BY = {
    "pairTable": "pairFilter",
    "wordTable": "wordFilter",
    "mergeTable": "mergeFilter",
    "mergeFilter": "mergeFilter",
    "vocabularyTable": "vocabularyFilter",
    "tokenIdView": "findField",
    "goToSpin": "findField",
}


def test_the_find_key_goes_to_what_has_the_focus(window: MainWindow) -> None:
    for focused, expected in FOUND_BY.items():
        widget = child(window, QWidget, focused)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_F, CONTROL)
        now = QApplication.focusWidget()
        assert now is not None
        assert now.objectName() == expected, focused
        if expected == "findField":
            assert part(window, ENCODE).isAncestorOf(now), focused
            QTest.keyClick(now, ESCAPE)


def test_the_bars_stay_in_another_language(window: MainWindow) -> None:
    field = open_bar(window, ENCODE)
    QTest.keyClicks(field, "low")
    QTest.keyClick(field, RETURN)
    child(part(window, CORPUS), QLineEdit, "findField").setText("slow")
    window.choose_language("zh_CN")
    field = child(part(window, ENCODE), QLineEdit, "findField")
    assert field.isVisible()
    assert (field.text(), selected(window, ENCODE)) == ("low", ("Low", 4))
    other = child(part(window, CORPUS), QLineEdit, "findField")
    assert (other.text(), other.isVisible()) == ("slow", False)
    assert child(window, QTableView, "pairTable").isVisible()
