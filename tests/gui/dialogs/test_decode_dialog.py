"""The decode dialog shows the text of ids, and the mistakes in them, while they are typed."""

import threading

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, train
from bpe_gui.gui.dialogs import decode_dialog
from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.still import run_out
from tests.gui.support.widgets import button, child, label

SAME_IDS = "Encoding this text gives the same ids."
NOT_DECODED = "not decoded yet"


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", num_merges=6)


@pytest.fixture
def dialog(tokenizer: Tokenizer, qtbot: QtBot) -> DecodeDialog:
    dialog = DecodeDialog(tokenizer, Theme("light"), None)
    qtbot.addWidget(dialog, before_close_func=lambda widget: widget.reject())
    dialog.show()
    return dialog


def editor(dialog: DecodeDialog, name: str) -> PlainTextEdit:
    return child(dialog, PlainTextEdit, name)


def report(dialog: DecodeDialog) -> list[str]:
    """Return the lines of the report about the ids."""
    return label(dialog, "decodeReport").text().splitlines()


def decode(dialog: DecodeDialog, ids: object, qtbot: QtBot) -> str:
    """Enter ids, wait for the report about them, and return the text shown."""
    label(dialog, "decodeReport").setText(NOT_DECODED)
    editor(dialog, "decodeInput").setPlainText(str(ids))
    qtbot.waitUntil(lambda: report(dialog) not in ([NOT_DECODED], []))
    return editor(dialog, "decodeResult").text()


def test_ids_are_decoded(dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot) -> None:
    ids = tokenizer.encode("low lowest\n你")
    assert decode(dialog, ids, qtbot) == "low lowest\n你"
    assert report(dialog) == [SAME_IDS]
    assert label(dialog, "decodeSummary").text() == f"{len(ids)} ids · 12 characters · 14 bytes"


def test_without_ids_there_is_no_report(dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot) -> None:
    decode(dialog, tokenizer.encode("low"), qtbot)
    editor(dialog, "decodeInput").clear()
    qtbot.waitUntil(lambda: report(dialog) == [])
    assert label(dialog, "decodeSummary").text() == editor(dialog, "decodeResult").text() == ""
    assert not button(dialog, "decodeUseButton").isEnabled()


def test_all_parts_of_the_input_that_are_not_ids_are_named(dialog: DecodeDialog, qtbot: QtBot) -> None:
    assert decode(dialog, "1, 12a, -2, 3", qtbot) == ""
    assert report(dialog) == ["These are not ids: “12a” at position 2, “-2” at position 3."]
    decode(dialog, "a b c d \x00 f", qtbot)
    assert report(dialog) == ["These are not ids: “a” at position 1, “b” at position 2, “c” at position 3 and 3 more."]
    decode(dialog, "1 \x00", qtbot)
    assert report(dialog) == ["“\\x00” at position 2 is not an id."]


def test_controls_are_shown_as_escapes_and_copied_as_they_are(dialog: DecodeDialog, qtbot: QtBot) -> None:
    assert decode(dialog, [0, 108, 27, 10, 9, 127], qtbot) == "\\x00l\\x1b\n\t\\x7f"
    button(dialog, "decodeCopyButton").click()
    assert QGuiApplication.clipboard().text() == "\x00l\x1b\n\t\x7f"


def test_mistakes_are_reported_briefly(dialog: DecodeDialog, qtbot: QtBot) -> None:
    assert decode(dialog, [108, 9999, 240, 159, 33], qtbot) == "l⟨9999⟩�!"
    assert report(dialog) == [
        "This id does not exist: 9999 at position 2. Ids range from 0 to 261.",
        "The ids at positions 3 to 4 do not form a whole character: bytes f0 9f",
    ]
    decode(dialog, [1000, 33, 2000, 33, 3000, 33, 4000, 5000], qtbot)
    assert report(dialog) == [
        "These ids do not exist: 1000 at position 1, 2000 at position 3, 3000 at position 5 and 2 more. "
        "Ids range from 0 to 261."
    ]
    decode(dialog, [128, 33] * 6, qtbot)
    assert report(dialog)[0] == "The id at position 1 does not form a whole character: bytes 80"
    assert report(dialog)[3:] == ["There are 3 more incomplete characters."]
    assert not button(dialog, "decodeUseButton").isEnabled()
    assert not button(dialog, "decodeCopyButton").isEnabled()


def test_ids_other_than_those_that_encoding_gives_are_reported(
    dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    [low] = tokenizer.encode("low")
    assert decode(dialog, [33, 108, 111, 119], qtbot) == "!low"
    assert report(dialog) == [
        f"Encoding this text gives different ids: position 2 has [108, 111, 119], but encoding gives [{low}]."
    ]
    assert button(dialog, "decodeUseButton").isEnabled()


def test_ids_whose_text_cannot_be_encoded_are_reported(qtbot: QtBot) -> None:
    tokenizer = Tokenizer({0: b"a", 1: b"bc"}, [], recipe="cs336-toy")
    dialog = DecodeDialog(tokenizer, Theme("light"), None)
    qtbot.addWidget(dialog, before_close_func=lambda widget: widget.reject())
    decode(dialog, [1, 0], qtbot)
    [error] = report(dialog)
    assert "'b'" in error


def test_the_text_can_be_used_and_copied_exactly(dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot) -> None:
    text = "a\u00a0b\u2028c\r\nd\x00\ufeff"
    decode(dialog, tokenizer.encode(text), qtbot)
    button(dialog, "decodeCopyButton").click()
    assert QGuiApplication.clipboard().text() == text
    chosen_texts: list[str] = []
    dialog.text_chosen.connect(chosen_texts.append)
    with qtbot.waitSignal(dialog.accepted):
        button(dialog, "decodeUseButton").click()
    assert chosen_texts == [text]


def test_text_cannot_be_used_once_the_ids_have_changed(
    dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot
) -> None:
    decode(dialog, tokenizer.encode("low"), qtbot)
    assert button(dialog, "decodeUseButton").isEnabled()
    editor(dialog, "decodeInput").insertPlainText("x")
    assert not button(dialog, "decodeUseButton").isEnabled()


def test_the_text_of_other_ids_is_dimmed(
    dialog: DecodeDialog, tokenizer: Tokenizer, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    decode(dialog, tokenizer.encode("low"), qtbot)
    dimmer, may_go_on = child(dialog, Dimmer, "dimmer"), threading.Event()
    assert dimmer.isHidden()
    monkeypatch.setattr(decode_dialog, "parse_ids", lambda text: [ord(text)] if may_go_on.wait(60) else [])
    editor(dialog, "decodeInput").setPlainText("a")
    qtbot.waitUntil(lambda: not dimmer.isHidden())
    may_go_on.set()
    qtbot.waitUntil(dimmer.isHidden)
    assert editor(dialog, "decodeResult").text() == "a"


@pytest.mark.parametrize("separator", [", ", ",", "\n"])
def test_a_long_pasted_list_is_broken_into_lines(
    dialog: DecodeDialog, tokenizer: Tokenizer, separator: str, qtbot: QtBot
) -> None:
    text = "low lower widest " * 3000
    ids = tokenizer.encode(text)
    pasted = QMimeData()
    pasted.setText(f"[{separator.join(map(str, ids))}]")
    ids_editor = editor(dialog, "decodeInput")
    ids_editor.insertFromMimeData(pasted)
    lines = ids_editor.text().splitlines()
    assert max(map(len, lines)) <= 2001
    assert len(lines) <= len(pasted.text()) // 1000 + 1
    qtbot.waitUntil(lambda: report(dialog) == [SAME_IDS])
    assert text.startswith(editor(dialog, "decodeResult").text())
    assert "first" in label(dialog, "decodeSummary").text()
    button(dialog, "decodeCopyButton").click()
    assert QGuiApplication.clipboard().text() == text


def test_closing_cancels_the_work(dialog: DecodeDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr(decode_dialog, "parse_ids", lambda text: [ord(text)] if may_go_on.wait(60) else [])
    editor(dialog, "decodeInput").setPlainText("a")
    qtbot.waitUntil(lambda: dialog._runner.busy)
    dialog.reject()
    assert not dialog._runner.busy
    may_go_on.set()
    run_out(dialog)
    assert editor(dialog, "decodeResult").text() == ""
