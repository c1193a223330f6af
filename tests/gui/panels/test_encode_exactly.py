"""Pasting, encoding and copying keep every character."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication

from bpe_gui.engine import PRESETS
from bpe_gui.gui.main_window import MainWindow
from tests.gui.support.windows import CONTROL, editor, press

TEXTS = {
    "no-break space": "low\u00a0lower\u00a0",
    "line separator": "low\u2028lower\u2029\u2028",
    "CR": "low\rlower\r\r",
    "CR LF": "low\r\nlower\r\n\r\n",
    "mixed line ends": "a\r\n\rb\n\r\nc\r",
    "byte order mark": "\ufefflow\ufeff",
    "NUL": "\0low\0\0lower\0",
    "controls": "\x01\x0b\x0c\x1c\x1f\x7f\x85",
    "non-characters": "\ufdd0\ufffe\uffff",
    "beyond the BMP": "👩‍👩‍👧‍👦 𝔘𝔫𝔦 🇨🇳",
    "combining accents": "e\u0301 \u0301é ﬁ",
    "both directions": "שלום abc \u200f\u202bעולם\u202c",
    "joiners": "\u200b\u200c\u200d\u2060",
    "special token": "low<|endoftext|>lower",
    "object replacement": "\ufffc\ufffd",
}


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.corpus.set_recipe(PRESETS["cs336"])
    window.restart()
    window.session.cursor.seek(5)
    window.session.text.set_content("")
    return window


def put_on_clipboard(text: str, form: str) -> None:
    data = QMimeData()
    data.setData(form, text.encode())
    QGuiApplication.clipboard().setMimeData(data)


@pytest.mark.parametrize("form", ["text/plain", "text/plain;charset=utf-8"])
def test_pasted_text_is_encoded_exactly(window: MainWindow, form: str) -> None:
    session = window.session
    for name, text in TEXTS.items():
        session.text.set_content("")
        put_on_clipboard(text, form)
        press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
        assert session.text.content == editor(window).toPlainText() == text, name
        assert session.cursor.tokenizer is not None
        assert session.text.live.encoding is not None
        assert session.text.live.encoding.ids == session.cursor.tokenizer.encode(text), name
        assert session.cursor.tokenizer.decode(session.text.live.encoding.ids) == text, name


def test_text_pasted_into_a_word_is_encoded_with_it(window: MainWindow) -> None:
    session = window.session
    for name, text in TEXTS.items():
        session.text.set_content("lower lowest")
        editor(window).set_caret(4)
        put_on_clipboard(text, "text/plain")
        press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
        assert session.text.content == f"lowe{text}r lowest", name
        assert session.cursor.tokenizer is not None
        assert session.text.live.encoding is not None
        assert session.text.live.encoding.ids == session.cursor.tokenizer.encode(session.text.content), name


def test_copied_text_is_pasted_exactly(window: MainWindow) -> None:
    for name, text in TEXTS.items():
        window.session.text.set_content(text)
        press(window, "encodeInput", Qt.Key.Key_A, CONTROL)
        press(window, "encodeInput", Qt.Key.Key_C, CONTROL)
        press(window, "encodeInput", Qt.Key.Key_Delete)
        assert window.session.text.content == "", name
        press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
        press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
        assert window.session.text.content == 2 * text, name
