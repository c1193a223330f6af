"""Long texts in the window: the visible part is right at once, and the rest follows without blocking."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Block, LiveText, Recipe, Tokenizer
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import CONTROL, editor, open_page, press

MEGABYTE = 1_000_000
"""The bytes of a text that is encoded in the background."""

LINE = "lowest newest\n"
SLOW_PATTERN = "a+b|."


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    window.restart()
    window.session.cursor.seek(12)
    return window


def tokenizer(window: MainWindow) -> Tokenizer:
    found = window.session.cursor.tokenizer
    assert found is not None
    return found


def finish(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until all is encoded and the summary says so."""
    qtbot.waitUntil(lambda: "tokens · " in label_text(window, "encodeSummary"))
    assert window.session.text.live.is_encoded


def shown_ids(window: MainWindow) -> tuple[int, list[int]]:
    """Return the byte offset of the visible text, and the ids of its tokens."""
    start, stop = child(window, TokenEdit, "encodeInput").rows.visible_span()
    _first, tokens = window.session.text.live.tokens_in(start, stop)
    return start, tokens.ids.tolist()


def paste(window: MainWindow, text: str) -> None:
    data = QMimeData()
    data.setData("text/plain", text.encode())
    QGuiApplication.clipboard().setMimeData(data)
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Delay encoding in the background until the event is set."""
    gate = threading.Event()
    encode = LiveText.encode

    def encode_later(text: LiveText, block: Block) -> None:
        if threading.current_thread() is not threading.main_thread():
            gate.wait(30)
        encode(text, block)

    monkeypatch.setattr(LiveText, "encode", encode_later)
    yield gate
    gate.set()


# -- one long line --------------------------------------------------------------------------------------------------


def test_a_line_of_a_megabyte_can_be_pasted_and_edited(qtbot: QtBot, window: MainWindow) -> None:
    window.session.text.set_content("")
    line = (LINE.replace("\n", " ") * (MEGABYTE // len(LINE) + 1))[:MEGABYTE]
    paste(window, line)
    finish(qtbot, window)
    editor(window).set_caret(MEGABYTE // 2)
    for key in (Qt.Key.Key_X, Qt.Key.Key_Backspace, Qt.Key.Key_Y):
        press(window, "encodeInput", key)
    expected = line[: MEGABYTE // 2] + "y" + line[MEGABYTE // 2 :]
    assert window.session.text.content == expected
    finish(qtbot, window)
    assert window.session.text.live.encoding is not None
    assert window.session.text.live.encoding.ids == tokenizer(window).encode(expected)
    assert "1,000,001 characters" in label_text(window, "encodeSummary")


def test_a_word_of_a_megabyte_can_be_edited_while_it_is_encoded(
    qtbot: QtBot, window: MainWindow, gate: threading.Event
) -> None:
    window.session.text.set_content("x" * MEGABYTE)
    assert label_text(window, "encodeSummary") == "encoding…"
    press(window, "encodeInput", Qt.Key.Key_L)
    press(window, "encodeInput", Qt.Key.Key_O)
    assert window.session.text.content == "lo" + "x" * MEGABYTE
    assert label_text(window, "encodeSummary") == "encoding…"
    gate.set()
    finish(qtbot, window)
    assert "1,000,002 characters" in label_text(window, "encodeSummary")


# -- a long text while the cursor moves -----------------------------------------------------------------------------


def test_the_visible_text_follows_the_cursor_before_the_rest_does(
    qtbot: QtBot, window: MainWindow, gate: threading.Event
) -> None:
    text = LINE * (MEGABYTE // len(LINE))
    window.session.text.set_content(text)
    editor(window).set_caret(MEGABYTE // 2)
    for step in (0, 5, 12, 3):
        window.session.cursor.seek(step)
        window.grab()
        start, shown = shown_ids(window)
        line = text.encode()[start : start + 13].decode()
        expected = tokenizer(window).encode(line)
        assert shown[: len(expected)] == expected, step
        assert label_text(window, "encodeSummary") == "encoding…"
    gate.set()
    finish(qtbot, window)
    assert window.session.text.live.encoding is not None
    assert window.session.text.live.encoding.ids == tokenizer(window).encode(text)
    assert label_text(window, "encodeSummary").startswith(f"{len(window.session.text.live.encoding.ids):,} tokens")


def test_an_edit_while_the_rest_is_encoded_is_not_lost(qtbot: QtBot, window: MainWindow, gate: threading.Event) -> None:
    window.session.text.set_content(LINE * (MEGABYTE // len(LINE)))
    window.session.cursor.seek(4)
    press(window, "encodeInput", Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(editor(window), "low")
    gate.set()
    finish(qtbot, window)
    assert window.session.text.content.endswith("newest\nlow")
    assert window.session.text.live.encoding is not None
    assert window.session.text.live.encoding.ids == tokenizer(window).encode(window.session.text.content)


def test_the_numbers_wait_for_the_tokens(qtbot: QtBot, window: MainWindow, gate: threading.Event) -> None:
    open_page(window, "Numbers")
    window.session.text.set_content(LINE * (MEGABYTE // len(LINE)))
    gate.set()
    finish(qtbot, window)
    tokens = f"{window.session.text.live.known_tokens:,}"
    qtbot.waitUntil(lambda: label_text(window, "tokensNow") == tokens)


@pytest.mark.parametrize("page", ["Token", "Encoding", "Lineage", "Numbers"])
def test_the_window_can_be_closed_while_a_text_is_encoded(window: MainWindow, page: str) -> None:
    open_page(window, page)
    window.session.text.set_content(LINE * (MEGABYTE // len(LINE)))
    window.session.cursor.step_back()
    assert not window.session.text.live.is_encoded
    window.close()
    assert not window.isVisible()


# -- patterns that take long ----------------------------------------------------------------------------------------


def test_the_window_stays_usable_with_a_slow_pattern(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(Recipe(splitter=SLOW_PATTERN))
    window.session.corpus.edit_document(0, "low lower")
    window.restart()
    qtbot.waitUntil(lambda: window.session.cursor.trainer is not None)
    for page in ("Token", "Encoding", "Lineage", "Numbers"):
        open_page(window, page)
        window.session.text.set_content("a" * 40_000)
        qtbot.waitUntil(lambda: "takes too long" in label_text(window, "encodeSummary"))
        for key in (Qt.Key.Key_B, Qt.Key.Key_Right, Qt.Key.Key_Left):
            press(window, "encodeInput", key)
        assert window.session.text.content == "b" + "a" * 40_000, page
        press(window, "encodeInput", Qt.Key.Key_A, CONTROL)
        press(window, "encodeInput", Qt.Key.Key_L)
        qtbot.waitUntil(lambda: label_text(window, "encodeSummary").startswith("1 token "))
