"""Messages in a dialog neither move its controls nor resize it."""

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Tokenizer, train
from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.dialogs.open_pattern_dialog import OpenPatternDialog
from bpe_gui.gui.dialogs.picture_dialogs import PictureDialog
from bpe_gui.gui.dialogs.tokenizer_dialogs import RanksDialog
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from bpe_gui.gui.views.tokens import ColorMode
from tests.gui.support.dialogs import DIALOGS
from tests.gui.support.token_sources import source_of
from tests.gui.support.widgets import child, label_text

KINDS = (QAbstractButton, QComboBox, QLineEdit, QListWidget, PlainTextEdit)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower widest newest", recipe="tiktoken", num_merges=6)


def shown(qtbot: QtBot, dialog: QDialog) -> QDialog:
    qtbot.addWidget(dialog, before_close_func=lambda widget: widget.reject())
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def geometry(dialog: QWidget) -> dict[str, Any]:
    """Return the size of a dialog and the rectangles of its named controls."""
    QApplication.processEvents()
    controls = [widget for kind in KINDS for widget in dialog.findChildren(kind) if widget.isVisibleTo(dialog)]
    found = {widget.objectName(): widget.rect().translated(widget.mapTo(dialog, QPoint())) for widget in controls}
    return {"": dialog.size(), **{name: rect for name, rect in found.items() if name and not name.startswith("qt_")}}


MESSAGES = re.compile(
    "(Message|Result|Proof|Difference|Reason|Replaced|Files|Complaint|Error|Report|patternSummary)$"
)  # that of decoding is a line of numbers
ONE_LINE, TWO_LINES, MANY_LINES = "Short.", "A message of two lines. " * 5, "A message of many lines. " * 16


@pytest.mark.parametrize("name", DIALOGS)
def test_a_message_moves_nothing(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    """Check that one of two lines moves nothing, and that a longer one leaves the fields to type in where they are."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = DIALOGS[name](parent, tmp_path)
    dialog.open()
    typed_in = {field.objectName() for field in dialog.findChildren(QLineEdit)} - {""}
    before = geometry(dialog)
    for message in dialog.findChildren(QLabel):
        if not MESSAGES.search(message.objectName()):
            continue
        was_shown = message.isVisibleTo(dialog)
        for text in ("", ONE_LINE, TWO_LINES):
            message.setText(text)
            message.setVisible(bool(text) or was_shown)
            assert geometry(dialog) == before, f"{message.objectName()}: {text}"
        for text in (MANY_LINES, ""):
            message.setText(text)
            after = geometry(dialog)
            assert all(after[field] == before[field] for field in typed_in & after.keys()), message.objectName()
        dialog.resize(before[""])
    dialog.reject()


def test_the_picture_dialog(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the whole path may be too long for the line
    source = source_of(["low", "er", " and"])
    dialog = PictureDialog(Theme("light"), source, (0, 5), None, ColorMode.BY_POSITION, False)
    shown(qtbot, dialog)
    before = geometry(dialog)
    dialog.save(Path("picture.png"))
    assert label_text(dialog, "pictureResult").startswith("Saved")
    assert geometry(dialog) == before


def test_the_decode_dialog(qtbot: QtBot, tokenizer: Tokenizer) -> None:
    dialog = shown(qtbot, DecodeDialog(tokenizer, Theme("light"), None))
    before = geometry(dialog)
    for text in ("108 111", "9999 1", "no ids"):
        child(dialog, PlainTextEdit, "decodeInput").setPlainText(text)
        qtbot.waitUntil(lambda: label_text(dialog, "decodeReport") != "")
        assert geometry(dialog) == before
        child(dialog, PlainTextEdit, "decodeInput").clear()
        qtbot.waitUntil(lambda: label_text(dialog, "decodeReport") == "")


def test_the_pattern_dialog(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = shown(qtbot, OpenPatternDialog(tmp_path))
    before = geometry(dialog)
    for folder in (f"{tmp_path}/{'no-such-folder/' * 3}", ""):
        child(dialog, QLineEdit, "patternFolder").setText(folder)
        qtbot.waitUntil(lambda: "Searching" not in label_text(dialog, "patternSummary"))
        assert geometry(dialog) == before


def test_the_ranks_dialog(qtbot: QtBot, tokenizer: Tokenizer) -> None:
    dialog = shown(qtbot, RanksDialog("a.tiktoken", "gpt2", {}, tokenizer.vocab))
    before = geometry(dialog)
    child(dialog, PlainTextEdit, "ranksSpecialTokens").setPlainText("<a> 1000\n<b> 1000")
    assert label_text(dialog, "ranksComplaint")
    assert geometry(dialog) == before


def test_the_export_dialog(qtbot: QtBot, tokenizer: Tokenizer, tmp_path: Path) -> None:
    settings, exporter = Settings(), TokenizerExporter()
    folder = tmp_path / "a folder of projects" / "tokenizers for English"
    folder.mkdir(parents=True)
    settings.recent_folder = folder  # whose path is long
    dialog = ExportDialog(tokenizer, ProofTexts(), exporter, settings, None, name="Main run")
    shown(qtbot, dialog)
    before = geometry(dialog)
    qtbot.waitUntil(lambda: not dialog._unchecked)
    assert geometry(dialog) == before
    for name in dialog._formats.names():
        dialog._formats.choose(name)
        assert geometry(dialog) == before
    for name in ("gpt2", "transformers", "tiktoken"):  # several files and readers, a folder, code to copy
        dialog._formats.choose(name)
        assert geometry(dialog) == before
        child(dialog, QAbstractButton, "exportButton").click()
        qtbot.waitUntil(lambda: bool(label_text(dialog, "exportProof")) and not dialog._is_exporting)
        after = geometry(dialog)
        for button in ("exportTextsButton", "exportCodeButton"):  # appear when there is something to show or copy
            after.pop(button, None)
        assert after == before
    dialog._formats.choose("huggingface")
    assert geometry(dialog) == before
    dialog._target.setText(
        str(folder / "a long name of a tokenizer that takes more than a line of the dialog" / ("x" * 60))
    )
    assert geometry(dialog) == before
