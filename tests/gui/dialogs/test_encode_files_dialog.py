"""The dialog that writes ids: what is asked, what is written, and what happens on the way."""

from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QLineEdit, QMessageBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Document, TextDocument, Tokenizer, open_encoded, train
from bpe_gui.gui.dialogs import encode_files_dialog
from bpe_gui.gui.dialogs.encode_files_dialog import EncodeFilesDialog
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from tests.gui.support.widgets import button, child, label

END = "<|endoftext|>"
MANIFEST = "The manifest train.bin.manifest.json beside it tells what it was made from."
TEXTS = (TextDocument("low lower"), TextDocument(f"newest{END}widest"))


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low lower newest widest", num_merges=6, special_tokens=[END])


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


def opened(
    tokenizer: Tokenizer, folder: Path, parent: QWidget, texts: tuple[Document, ...] = TEXTS
) -> EncodeFilesDialog:
    settings = Settings()
    settings.recent_folder = folder
    dialog = EncodeFilesDialog(tokenizer, "Main run", texts, settings, parent)
    dialog.show()
    return dialog


def choose(dialog: EncodeFilesDialog, name: str, value: object) -> None:
    """Choose an item of a list by its data."""
    box = child(dialog, QComboBox, name)
    box.setCurrentIndex(box.findData(value))


def encode(dialog: EncodeFilesDialog, qtbot: QtBot) -> str:
    """Press Encode, and return what the dialog says in the end."""
    button(dialog, "encodeFilesButton").click()
    qtbot.waitUntil(lambda: button(dialog, "encodeFilesButton").isEnabled())
    return label(dialog, "encodeFilesResult").text()


def test_the_corpus_becomes_an_array(tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot) -> None:
    dialog = opened(tokenizer, tmp_path, parent)
    assert label(dialog, "encodeFilesTokenizer").text() == "Main run: 263 entries"
    assert child(dialog, QComboBox, "encodeFilesSource").currentText() == "The corpus: 2 documents"
    assert not child(dialog, QLineEdit, "encodeFilesFiles").isEnabled()
    assert not button(dialog, "encodeFilesOpenButton").isEnabled()
    choose(dialog, "encodeFilesSeparator", END)
    choose(dialog, "encodeFilesAppend", END)
    child(dialog, QCheckBox, "encodeFilesIndex").setChecked(True)
    said = encode(dialog, qtbot)
    ids = tokenizer.encode(f"low lower{END}newest{END}widest{END}")
    assert np.fromfile(tmp_path / "train.bin", "<u2").tolist() == ids
    found = open_encoded(tmp_path / "train.bin")
    assert found.documents == 3
    size = (tmp_path / "train.bin").stat().st_size + (tmp_path / "train.offsets.npy").stat().st_size
    assert (
        said == f"Written: {tmp_path / 'train.bin'} ({size} bytes)\n{len(ids)} tokens, 3 documents, uint16\n{MANIFEST}"
    )
    assert (tmp_path / "train.bin.manifest.json").is_file()
    assert button(dialog, "encodeFilesOpenButton").isEnabled()
    child(dialog, QLineEdit, "encodeFilesTarget").setText(str(tmp_path / "train.bin"))
    choose(dialog, "encodeFilesSource", "files")
    assert label(dialog, "encodeFilesResult").text() == "train.bin already exists and will be replaced."


def test_files_are_chosen_or_typed(
    tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("low", encoding="utf-8")
    dialog = opened(tokenizer, tmp_path, parent, ())
    assert child(dialog, QComboBox, "encodeFilesSource").count() == 1
    assert not button(dialog, "encodeFilesButton").isEnabled()
    chosen = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    button(dialog, "encodeFilesChooseButton").click()
    assert child(dialog, QLineEdit, "encodeFilesFiles").text() == "; ".join(chosen)
    choose(dialog, "encodeFilesFormat", "npy")
    assert child(dialog, QLineEdit, "encodeFilesTarget").text() == str(tmp_path / "train.npy")
    assert "2 documents" in encode(dialog, qtbot)
    assert np.load(tmp_path / "train.npy").tolist() == tokenizer.encode("low") * 2
    child(dialog, QLineEdit, "encodeFilesFiles").setText(str(tmp_path / "none.txt"))
    child(dialog, QLineEdit, "encodeFilesTarget").setText(str(tmp_path / "other.npy"))
    assert "none.txt" in encode(dialog, qtbot)


@pytest.mark.parametrize(("format", "suffix"), [("megatron", ".bin"), ("parquet", ".parquet")])
def test_formats_that_know_documents_have_no_index(
    tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot, format: str, suffix: str
) -> None:
    dialog = opened(tokenizer, tmp_path, parent)
    choose(dialog, "encodeFilesFormat", format)
    assert not child(dialog, QCheckBox, "encodeFilesIndex").isEnabled()
    assert "2 documents" in encode(dialog, qtbot)
    assert open_encoded(tmp_path / f"train{suffix}").documents == 2


def test_what_is_stopped_writes_nothing(
    tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, may_go_on = Event(), Event()

    def slow(*_: object, progress: Any, **_options: object) -> None:
        began.set()
        may_go_on.wait()
        progress(1, 2, 3)

    monkeypatch.setattr(encode_files_dialog, "encode_files", slow)
    dialog = opened(tokenizer, tmp_path, parent)
    button(dialog, "encodeFilesButton").click()
    began.wait()
    assert not button(dialog, "encodeFilesButton").isEnabled()
    button(dialog, "encodeFilesStopButton").click()
    may_go_on.set()
    qtbot.waitUntil(lambda: label(dialog, "encodeFilesResult").text() == "Stopped. Nothing was written.")
    assert not button(dialog, "encodeFilesStopButton").isEnabled()
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_only_when_the_user_says_so(
    tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot
) -> None:
    old = tmp_path / "train.bin"
    old.write_bytes(b"precious")
    dialog = opened(tokenizer, tmp_path, parent)
    target = child(dialog, QLineEdit, "encodeFilesTarget")
    assert target.text() == str(tmp_path / "train-2.bin")
    target.setText(str(old))
    for answer in ("Cancel", "Replace"):
        button(dialog, "encodeFilesButton").click()
        box = child(dialog, QMessageBox, "replaceFileBox")
        assert box.text() == "Replace train.bin?"
        assert old.read_bytes() == b"precious"
        next(each for each in box.buttons() if each.text().replace("&", "") == answer).click()
        qtbot.waitUntil(lambda: dialog.findChild(QMessageBox, "replaceFileBox") is None)
    qtbot.waitUntil(lambda: label(dialog, "encodeFilesResult").text().startswith("Written"))
    assert open_encoded(old).tokens == sum(len(tokenizer.encode(text.text)) for text in TEXTS)


def test_the_token_after_each_document_is_remembered(
    tokenizer: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot
) -> None:
    dialog = opened(tokenizer, tmp_path, parent)
    choose(dialog, "encodeFilesAppend", END)
    encode(dialog, qtbot)
    assert child(opened(tokenizer, tmp_path, parent), QComboBox, "encodeFilesAppend").currentData() == END
    without = train("low", num_merges=1)
    assert child(opened(without, tmp_path, parent), QComboBox, "encodeFilesAppend").currentData() is None


def test_the_window_opens_it_for_what_is_shown(window: MainWindow) -> None:
    window.actions_by_name["encode_files"].trigger()
    dialog = window.findChild(EncodeFilesDialog)
    assert dialog is not None
    assert label(dialog, "encodeFilesTokenizer").text().startswith("Main run")


@pytest.fixture(scope="module")
def of_characters() -> Tokenizer:
    return train("low low lower", recipe="cs336-toy", num_merges=2, special_tokens=[END])


def test_unknown_symbols_stop_or_become_an_entry(
    of_characters: Tokenizer, tmp_path: Path, parent: QWidget, qtbot: QtBot
) -> None:
    dialog = opened(of_characters, tmp_path, parent, (TextDocument("low ✓"),))
    number = child(dialog, QSpinBox, "encodeFilesUnknownId")
    assert child(dialog, QComboBox, "encodeFilesUnknown").currentText() == "Stop with an error"
    assert not number.isEnabled()
    said = encode(dialog, qtbot)
    assert "'✓'" in said
    assert "give an id for unknown symbols (at “Unknown symbols” above)" in said
    assert "--" not in said
    choose(dialog, "encodeFilesUnknown", of_characters.special_tokens[END])
    assert not number.isEnabled()
    assert encode(dialog, qtbot).startswith("Written")
    low, end = of_characters.token_id("low"), of_characters.special_tokens[END]
    assert np.fromfile(tmp_path / "train.bin", "<u2").tolist() == [low, end]
    box = child(dialog, QComboBox, "encodeFilesUnknown")
    box.setCurrentIndex(box.count() - 1)
    assert number.isEnabled()
    number.setValue(of_characters.largest_id)
    child(dialog, QLineEdit, "encodeFilesTarget").setText(str(tmp_path / "other.bin"))
    assert encode(dialog, qtbot).startswith("Written")
    assert np.fromfile(tmp_path / "other.bin", "<u2").tolist() == [low, of_characters.largest_id]


def test_an_id_outside_the_vocabulary_cannot_stand_for_unknown_symbols(
    tmp_path: Path, parent: QWidget, qtbot: QtBot
) -> None:
    gaps = Tokenizer({0: b"l", 5: b"o"}, [], recipe="cs336-toy")
    dialog = opened(gaps, tmp_path, parent, (TextDocument("lol x"),))
    box = child(dialog, QComboBox, "encodeFilesUnknown")
    box.setCurrentIndex(box.count() - 1)
    child(dialog, QSpinBox, "encodeFilesUnknownId").setValue(3)
    said = encode(dialog, qtbot)
    assert "3" in said
    assert not list(tmp_path.iterdir())


def test_unknown_symbols_are_asked_about_only_where_they_can_occur(
    tokenizer: Tokenizer, of_characters: Tokenizer, tmp_path: Path, parent: QWidget
) -> None:
    def shown(tokenizer: Tokenizer) -> tuple[bool, str]:
        box = child(opened(tokenizer, tmp_path, parent), QComboBox, "encodeFilesUnknown")
        return box.isEnabled(), box.currentText()

    assert shown(tokenizer) == (False, "None can occur with this tokenizer")
    assert shown(of_characters) == (True, "Stop with an error")
    assert shown(of_characters.with_unknown_id(of_characters.special_tokens[END])) == (
        False,
        f"{END}, as its file says",
    )
    assert shown(Tokenizer({0: b"a"}, []))[0]
