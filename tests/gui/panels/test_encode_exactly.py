"""What is pasted is what is encoded, character by character, and what is copied is what is there."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS
from bpe_gui.gui.main_window import MainWindow

from tests.gui.support.windows import CONTROL, editor, open_window, press

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
    "accents on their own": "e\u0301 \u0301é ﬁ",
    "both directions": "שלום abc \u200f\u202bעולם\u202c",
    "joiners": "\u200b\u200c\u200d\u2060",
    "special token": "low<|endoftext|>lower",
    "object replacement": "\ufffc\ufffd",
}


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    window = open_window(qtbot)
    window.session.set_recipe(PRESETS["cs336"])
    window.restart()
    window.session.seek(5)
    window.session.set_text("")
    yield window
    window.close()


def put_on_clipboard(text: str, form: str) -> None:
    data = QMimeData()
    data.setData(form, text.encode())
    QGuiApplication.clipboard().setMimeData(data)


@pytest.mark.parametrize("form", ["text/plain", "text/plain;charset=utf-8"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_what_is_pasted_is_encoded(window: MainWindow, text: str, form: str) -> None:
    put_on_clipboard(text, form)
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
    session = window.session
    assert session.text == editor(window).toPlainText() == text
    assert session.tokenizer is not None
    assert session.encoding is not None
    assert session.encoding.ids == session.tokenizer.encode(text)
    assert session.tokenizer.decode(session.encoding.ids) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_pasted_amid_a_text_it_is_encoded_with_its_surroundings(window: MainWindow, text: str) -> None:
    window.session.set_text("lower lowest")
    editor(window).set_caret(4)
    put_on_clipboard(text, "text/plain")
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
    session = window.session
    assert session.text == f"lowe{text}r lowest"
    assert session.tokenizer is not None
    assert session.encoding is not None
    assert session.encoding.ids == session.tokenizer.encode(session.text)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_what_is_copied_and_pasted_is_the_same(window: MainWindow, text: str) -> None:
    window.session.set_text(text)
    press(window, "encodeInput", Qt.Key.Key_A, CONTROL)
    press(window, "encodeInput", Qt.Key.Key_C, CONTROL)
    press(window, "encodeInput", Qt.Key.Key_Delete)
    assert window.session.text == ""
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
    press(window, "encodeInput", Qt.Key.Key_V, CONTROL)
    assert window.session.text == 2 * text
