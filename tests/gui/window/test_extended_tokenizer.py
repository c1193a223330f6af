"""Adding the tokens of another tokenizer, and special tokens: the files and the map are those of the command."""

from pathlib import Path
from threading import Event

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QProgressBar, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from bpe_gui.cli.main import main
from bpe_gui.engine import FileDocument, Plan, Recipe, Tokenizer, TokenizerSource, save, train
from bpe_gui.engine.surgery import embedding_map
from bpe_gui.gui.dialogs import export_dialog, tokenizer_dialogs
from bpe_gui.gui.dialogs.export_dialog import ExportDialog, FormatList
from bpe_gui.gui.dialogs.tokenizer_dialogs import MergeDialog
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.widgets import child, label_text

CHANGES = "<|user|>\n<|tool|> 400\n\n<|reserved|> → <|call|>"


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> MergeDialog:
    """Return the dialog about a tokenizer that is open, beside the file of another one."""
    base = train("low low lower", num_merges=3, special_tokens=["<|reserved|>"], recipe="huggingface")
    save(base, tmp_path / "base.json", "huggingface")
    save(train("lowest newest newest widest", num_merges=20), tmp_path / "other.json", "huggingface")
    window.session.opened.open(TokenizerSource(tmp_path / "base.json"))
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    window.actions_by_name["merge_tokenizer"].trigger()
    return child(window, MergeDialog, "mergeDialog")


def export(dialog: MergeDialog, qtbot: QtBot) -> ExportDialog:
    """Press the button, and return the dialog of exports that it opens."""
    child(dialog, QPushButton, "mergeButton").click()
    qtbot.waitUntil(lambda: dialog.findChild(ExportDialog) is not None)
    return child(dialog, ExportDialog, "exportDialog")


def save_map(exports: ExportDialog, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_dialog, "ask_where_to_save", lambda *_args: path)
    child(exports, QPushButton, "exportMapButton").click()
    qtbot.waitUntil(lambda: f"Saved {path}" in label_text(exports, "exportResult"))


def test_the_file_and_the_map_are_those_of_the_command(
    window: MainWindow, dialog: MergeDialog, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(tmp_path / "other.json"), ""))
    child(dialog, QPushButton, "mergeBrowseButton").click()
    child(dialog, QSpinBox, "mergeMost").setValue(2)
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText(CHANGES)
    exports = export(dialog, qtbot)
    assert child(dialog, QProgressBar, "mergeProgress").isHidden()
    assert label_text(exports, "exportStep").endswith("The embedding map leads from base.json to this tokenizer.")
    said = label_text(dialog, "mergeMessage")
    assert said.startswith("Added: 2 (")
    assert "Special tokens added or renamed: 3 (<|call|> → 0, <|user|> → 262, <|tool|> → 400)." in said
    child(exports, QPushButton, "exportButton").click()
    made = tmp_path / "base-extended.json"
    qtbot.waitUntil(lambda: (opened := window.session.opened.tokenizer) is not None and opened.source.path == made)
    save_map(exports, tmp_path / "map.npz", qtbot, monkeypatch)
    exports.reject()
    dialog.reject()
    surgery = ["--merge-with", "other.json", "--at-most", "2", "--rename-special", "<|reserved|>", "<|call|>"]
    special = ["--add-special", "<|user|>", "--add-special", "<|tool|>=400", "--map", "expected.npz"]
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "base.json", "expected.json", "--format", "huggingface", *surgery, *special]) == 0
    assert made.read_text("utf-8") == (tmp_path / "expected.json").read_text("utf-8")
    with np.load(tmp_path / "map.npz") as ours, np.load(tmp_path / "expected.npz") as expected:
        assert all(np.array_equal(ours[name], expected[name]) for name in expected.files)


def test_ordinary_tokens_are_added_and_what_they_save_is_said(
    window: MainWindow, dialog: MergeDialog, qtbot: QtBot
) -> None:
    (document,) = window.session.corpus.documents
    text = "".join(document.content.chunks())
    assert " newest" in text
    child(dialog, PlainTextEdit, "mergeOrdinary").setPlainText(" newest\nlow. low\n\nlow\n zzz\n")
    made: list[Tokenizer] = []
    dialog.made.connect(lambda tokenizer, *_others: made.append(tokenizer))
    exports = export(dialog, qtbot)
    old = window.session.opened.tokenizer
    assert old is not None
    fewer = len(old.tokenizer().encode(text)) - len(made[0].encode(text))
    assert made[0].tokenize(" newest") == [b" newest"] and fewer > 0
    said = label_text(dialog, "mergeMessage")
    newest, zzz = made[0].token_id(b" newest"), made[0].token_id(b" zzz")
    assert said.startswith(f"Added: 9 (·newest → {newest}, ·zzz → {zzz}, ")
    assert "Already tokens: 1 (low). Left out: 1 (low.·low), because this tokenizer always " in said
    saved = (
        f"Tokens that the ordinary ones save in the run’s corpus “CS336: low, lower, widest, newest”: {fewer} (·newest "
    )
    assert saved in said and "·zzz 0)." in said
    exports.reject()
    dialog.reject()


def test_a_corpus_without_the_tokens_is_named(dialog: MergeDialog, qtbot: QtBot) -> None:
    child(dialog, PlainTextEdit, "mergeOrdinary").setPlainText(" zz")
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText("<|user|> 300")
    exports = export(dialog, qtbot)
    assert label_text(dialog, "mergeMessage") == (
        "Added: 2 (·zz → 261, ·z → 260). Special tokens added or renamed: 1 (<|user|> → 300). A model needs 301 "
        "rows of embeddings for it: its ids go from 0 to 300. The run’s corpus “CS336: low, lower, widest, newest” has "
        "none of these ordinary tokens, so they save nothing in it."
    )
    exports.reject()
    dialog.reject()


def test_tokens_are_added_even_if_what_they_save_cannot_be_counted(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("lol", encoding="utf-8")
    documents = [FileDocument(tmp_path / "gone.txt")]
    (tmp_path / "gone.txt").unlink()
    letters = Tokenizer({0: b"l", 1: b"o"}, [], recipe="cs336-toy")
    dialog = MergeDialog(letters, "letters", lambda _window: None, documents=documents)
    qtbot.addWidget(dialog)
    words = child(dialog, PlainTextEdit, "mergeOrdinary")
    words.setPlainText("\n\n")
    assert not child(dialog, QPushButton, "mergeButton").isEnabled()
    words.setPlainText("lo\nhi")
    with qtbot.waitSignal(dialog.made) as made:
        child(dialog, QPushButton, "mergeButton").click()
    assert made.args is not None and made.args[0].vocab == {0: b"l", 1: b"o", 2: b"lo"}
    said = label_text(dialog, "mergeMessage")
    assert said.startswith("Added: 1 (lo → 2). Left out: 1 (hi), because this tokenizer lacks their characters. ")
    assert "gone.txt" in said


def test_tokens_that_no_text_has_are_named(dialog: MergeDialog, qtbot: QtBot, tmp_path: Path) -> None:
    other = train("low. low. low.", recipe=Recipe(splitter=r"\S+"), num_merges=3)  # "low." is two words of the base
    save(other, tmp_path / "other", "gpt2")
    child(dialog, QLineEdit, "mergeOther").setText(str(tmp_path / "other"))
    exports = export(dialog, qtbot)
    assert label_text(dialog, "mergeMessage") == (
        "Added: 0. Left out: 3 (w., ow., low.), because no merge of two tokens makes them or no text has them."
    )
    exports.reject()
    dialog.reject()


def test_progress_is_shown_until_the_tokens_are_added(
    dialog: MergeDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = Event()
    monkeypatch.setattr(tokenizer_dialogs, "with_special_tokens", lambda old, *_changes: may_end.wait() and old)
    assert label_text(dialog, "mergeMessage").endswith("The embedding map will start from base.json.")
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText("<|call|>")
    child(dialog, QPushButton, "mergeButton").click()
    assert child(dialog, QProgressBar, "mergeProgress").isVisible()
    assert label_text(dialog, "mergeMessage").startswith("Adding the tokens")
    may_end.set()
    qtbot.waitUntil(lambda: dialog.findChild(ExportDialog) is not None)
    assert child(dialog, QProgressBar, "mergeProgress").isHidden()
    child(dialog, ExportDialog, "exportDialog").reject()
    dialog.reject()


def test_a_mistake_is_told_and_can_be_mended(dialog: MergeDialog, qtbot: QtBot, tmp_path: Path) -> None:
    make = child(dialog, QPushButton, "mergeButton")
    assert not make.isEnabled()
    child(dialog, QLineEdit, "mergeOther").setText(str(tmp_path / "gone.json"))
    make.click()
    qtbot.waitUntil(lambda: "gone.json" in label_text(dialog, "mergeMessage"))
    child(dialog, QLineEdit, "mergeOther").setText("")
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText("<|gone|> -> <|call|>")
    make.click()
    qtbot.waitUntil(lambda: "does not exist" in label_text(dialog, "mergeMessage"))
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText("<|reserved|> -> <|call|>")
    exports = export(dialog, qtbot)
    assert label_text(exports, "exportStep").startswith("base.json, extended: ")
    exports.reject()
    dialog.reject()


def test_a_run_that_continues_a_tokenizer_has_a_map_too(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, old = window.session, train("low low lower", num_merges=2)
    session.branch_off("longer", old.recipe, Plan.extending(old), 2, 6)
    qtbot.waitUntil(lambda: session.branches.current.name == "longer" and session.work.activity is Activity.IDLE)
    session.cursor.last()
    window.actions_by_name["export"].trigger()
    exports = child(window, ExportDialog, "exportDialog")
    save_map(exports, tmp_path / "map.npz", qtbot, monkeypatch)
    assert "have the same id in the tokenizer that this run continues, " in label_text(exports, "exportResult")
    exports.reject()
    extended = session.cursor.tokenizer
    assert extended is not None and len(extended.merges) > 2
    with np.load(tmp_path / "map.npz") as ours:
        assert np.array_equal(ours["sources"], embedding_map(old, extended).sources)


def test_a_file_of_ranks_is_extended_to_a_format_that_keeps_special_tokens(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    save(train("low low lower", num_merges=3, recipe="tiktoken"), tmp_path / "base.tiktoken", "tiktoken")
    window.session.opened.open(TokenizerSource(tmp_path / "base.tiktoken", pattern="r50k_base"))
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)
    window.actions_by_name["merge_tokenizer"].trigger()
    dialog = child(window, MergeDialog, "mergeDialog")
    child(dialog, PlainTextEdit, "mergeSpecial").setPlainText("<|user|>")
    exports = export(dialog, qtbot)
    assert child(exports, QLineEdit, "exportFolderEdit").text() == str(tmp_path / "base-extended.json")
    child(exports, FormatList, "exportFormats").choose("tiktoken")
    assert "which the file leaves out" in label_text(exports, "exportReason")
    assert "'<|user|>'" in label_text(exports, "exportReason")
    child(exports, FormatList, "exportFormats").choose("huggingface")
    child(exports, QPushButton, "exportButton").click()
    made = tmp_path / "base-extended.json"
    qtbot.waitUntil(lambda: (opened := window.session.opened.tokenizer) is not None and opened.source.path == made)
    assert window.session.cursor.tokenizer is not None
    assert "<|user|>" in window.session.cursor.tokenizer.special_tokens
    exports.reject()
    dialog.reject()
