"""Long texts in the real window: what is in view is right at once, the rest follows, and nobody has to wait for it."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Recipe, Tokenizer
from bpe_gui.engine.runtime import compiled
from bpe_gui.engine.text import splitters as splitters_module
from bpe_gui.engine.runtime import jit as compiling
from bpe_gui.engine.live_text import Block, LiveText
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.editor.token_view import TokenView

from tests.gui.support.windows import CONTROL, child, editor, open_page, open_window, press, said

MEGABYTE = 1_000_000
LONG = {"plain": 300_000, "compiled": 10_000_000}
"""Bytes, far more than are encoded at once."""

LINE = "lowest newest\n"
SLOW_PATTERN = r"(?:a|aa|a?a)*(?:a|aa|a?a)*$|[b-z]+"


class Never(threading.Event):
    """Is not set, whoever sets it."""

    def is_set(self) -> bool:
        return False


@pytest.fixture(params=LONG, autouse=True)
def code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs each test in plain Python, and with compiled code."""
    if request.param == "compiled":
        compiled.load()
    else:
        given_up = threading.Event()
        given_up.set()
        monkeypatch.setattr(compiled, "_failed", given_up)
        monkeypatch.setattr(compiling, "_ready", Never())
    return str(request.param)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = open_window(qtbot)
    window.session.set_recipe(PRESETS["cs336"])
    window.restart()
    window.session.seek(12)
    yield window
    window.close()


def tokenizer(window: MainWindow) -> Tokenizer:
    found = window.session.tokenizer
    assert found is not None
    return found


def finish(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until all is encoded, and said."""
    qtbot.waitUntil(lambda: "tokens · " in said(window, "encodeSummary"))
    assert window.session.live_text.is_encoded


def shown_ids(window: MainWindow) -> tuple[int, list[int]]:
    """Where the line in view starts, and the ids of the tokens that are shown of what is in view."""
    start, stop = child(window, TokenView, "tokenView").visible_span()
    _first, tokens = window.session.live_text.tokens_in(start, stop)
    return start, tokens.ids.tolist()


def paste(window: MainWindow, text: str) -> None:
    data = QMimeData()
    data.setData("text/plain", text.encode())
    QGuiApplication.clipboard().setMimeData(data)
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds what is encoded in the background until the event is set."""
    go_on = threading.Event()
    encode = LiveText.encode

    def encode_later(text: LiveText, block: Block) -> None:
        if threading.current_thread() is not threading.main_thread():
            go_on.wait(30)
        encode(text, block)

    monkeypatch.setattr(LiveText, "encode", encode_later)
    yield go_on
    go_on.set()


# -- one long line --------------------------------------------------------------------------------------------------


def test_a_line_of_a_megabyte_is_pasted_and_typed_into(qtbot: QtBot, window: MainWindow) -> None:
    window.session.set_text("")
    line = (LINE.replace("\n", " ") * (MEGABYTE // len(LINE) + 1))[:MEGABYTE]
    paste(window, line)
    finish(qtbot, window)
    editor(window).set_caret(MEGABYTE // 2)
    for key in (Qt.Key.Key_X, Qt.Key.Key_Backspace, Qt.Key.Key_Y):
        press(window, "encodeInput", key)
    expected = line[: MEGABYTE // 2] + "y" + line[MEGABYTE // 2 :]
    assert window.session.text == expected
    finish(qtbot, window)
    assert window.session.encoding is not None
    assert window.session.encoding.ids == tokenizer(window).encode(expected)
    assert "1,000,001 characters" in said(window, "encodeSummary")


def test_a_word_of_a_megabyte_can_be_typed_into_while_it_is_encoded(
    qtbot: QtBot, window: MainWindow, held: threading.Event
) -> None:
    window.session.set_text("x" * MEGABYTE)
    assert said(window, "encodeSummary") == "encoding…"
    press(window, "encodeInput", Qt.Key.Key_L)
    press(window, "encodeInput", Qt.Key.Key_O)
    assert window.session.text == "lo" + "x" * MEGABYTE
    assert said(window, "encodeSummary") == "encoding…"
    held.set()
    finish(qtbot, window)
    assert "1,000,002 characters" in said(window, "encodeSummary")


# -- a long text while the run goes on ------------------------------------------------------------------------------


def test_what_is_in_view_follows_the_run_before_the_rest_does(
    qtbot: QtBot, window: MainWindow, held: threading.Event, code: str
) -> None:
    text = LINE * (LONG[code] // len(LINE))
    window.session.set_text(text)
    editor(window).set_caret(LONG[code] // 2)
    for step in (0, 5, 12, 3):
        window.session.seek(step)
        window.grab()
        start, shown = shown_ids(window)
        line = text.encode()[start : start + 13].decode()
        expected = tokenizer(window).encode(line)
        assert shown[: len(expected)] == expected, step
        assert said(window, "encodeSummary") == "encoding…"
    held.set()
    finish(qtbot, window)
    assert window.session.encoding is not None
    assert window.session.encoding.ids == tokenizer(window).encode(text)
    assert said(window, "encodeSummary").startswith(f"{len(window.session.encoding.ids):,} tokens")


def test_an_edit_while_the_rest_is_encoded_is_not_lost(
    qtbot: QtBot, window: MainWindow, held: threading.Event, code: str
) -> None:
    window.session.set_text(LINE * (LONG[code] // len(LINE)))
    window.session.seek(4)
    press(window, "encodeInput", Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(editor(window), "low")
    held.set()
    finish(qtbot, window)
    assert window.session.text.endswith("newest\nlow")
    assert window.session.encoding is not None
    assert window.session.encoding.ids == tokenizer(window).encode(window.session.text)


def test_the_numbers_wait_for_the_tokens(qtbot: QtBot, window: MainWindow, held: threading.Event, code: str) -> None:
    open_page(window, "Numbers")
    window.session.set_text(LINE * (LONG[code] // len(LINE)))
    held.set()
    finish(qtbot, window)
    tokens = f"{window.session.live_text.known():,}"
    qtbot.waitUntil(lambda: said(window, "tokensNow") == tokens)


@pytest.mark.parametrize("page", ["Token", "Replay", "Lineage", "Numbers"])
def test_the_window_closes_in_the_middle(window: MainWindow, page: str, code: str) -> None:
    open_page(window, page)
    window.session.set_text(LINE * (LONG[code] // len(LINE)))
    window.session.step_back()
    assert not window.session.live_text.is_encoded
    window.close()
    assert not window.isVisible()


# -- patterns that take long ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["Token", "Replay", "Lineage", "Numbers"])
def test_a_pattern_that_takes_forever_leaves_the_window_usable(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    open_page(window, page)
    window.session.set_recipe(Recipe(splitter=SLOW_PATTERN))
    window.session.edit_document(0, "low lower")
    window.restart()
    qtbot.waitUntil(lambda: window.session.trainer is not None)
    with monkeypatch.context() as patch:
        patch.setattr(splitters_module, "TIME_LIMIT", 0.2)
        window.session.set_text("a" * 40 + "!")
        qtbot.waitUntil(lambda: "took more than" in said(window, "encodeSummary"))
        for key in (Qt.Key.Key_B, Qt.Key.Key_Right, Qt.Key.Key_Left):
            press(window, "encodeInput", key)
        assert window.session.text == "b" + "a" * 40 + "!"
    press(window, "encodeInput", Qt.Key.Key_A, CONTROL)
    press(window, "encodeInput", Qt.Key.Key_L)
    qtbot.waitUntil(lambda: said(window, "encodeSummary").startswith("1 token "))
