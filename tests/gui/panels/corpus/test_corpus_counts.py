"""A file of word counts is a corpus: the panel says what it is, and the recipe keeps its splitter."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Corpus, EngineError, FileDocument, Recipe
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.panels.corpus_panel import CorpusPanel
from bpe_gui.gui.projects.project_contents import FileDigests, _file_document
from bpe_gui.gui.session.corpus import CorpusDocument, read_file
from bpe_gui.gui.session.history import ChangeKind
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit, SpecialTokensEdit
from bpe_gui.samples import default_sample
from tests.gui.support.widgets import child, label_text

SPECIAL = "<|e|>"


@pytest.fixture
def counts(tmp_path: Path) -> CorpusDocument:
    source = tmp_path / "a.txt"
    source.write_bytes(b"low low<|e|>lower newest\n" * 3)
    Corpus.from_files([source]).count(Recipe(splitter="cl100k"), [SPECIAL]).placed_at(100).save(tmp_path / "my.parquet")
    return read_file(FileDocument(tmp_path / "my.parquet"))


def test_it_is_shown_and_trained_on(
    qtbot: QtBot, session: Session, panel: CorpusPanel, counts: CorpusDocument, tmp_path: Path
) -> None:
    session.load_sample(default_sample(), "Sample")
    before = session.corpus.recipe
    with qtbot.waitSignal(session.run.replaced, check_params_cb=lambda: session.run.exists):
        session.replace_documents([counts])
        qtbot.waitUntil(lambda: session.counts.words is not None)
    assert session.corpus.recipe.splitter == "cl100k" and session.corpus.special_tokens == (SPECIAL,)
    assert session.counts.words is not None and dict(session.counts.words) == {
        "low": 3, " low": 3, "lower": 3, " newest": 3, "\n": 3,
    }  # fmt: skip
    page = panel.findChild(QLabel, "corpusNotice")
    assert page is not None and "my.parquet" in page.text() and "word counts" in page.text()
    text = child(panel, PlainTextEdit, "corpusEditor")
    assert text.isReadOnly()
    for part in ("Splitter: cl100k", SPECIAL, "a.txt · 75 bytes", "Part of a corpus, in bytes: 100 – 175"):
        assert part in text.text()
    field = child(panel, SpecialTokensEdit, "specialTokensEdit")
    assert field.isReadOnly() and "my.parquet contains word counts" in field.toolTip()
    session.corpus.set_recipe(Recipe.of("subword-nmt"))
    assert (session.corpus.recipe.splitter, session.corpus.recipe.units) == ("cl100k", "characters")
    assert label_text(panel, "recipeSummary").endswith("splitter fixed by my.parquet")
    session.undo()
    trainer = session.run.trainer
    assert trainer is not None
    session.cursor.step()
    assert trainer.merges[0].count == 9  # as in the text
    session.undo()
    assert session.corpus.recipe == before and not field.isReadOnly()


def test_adding_it_is_one_change_and_a_project_keeps_its_path(session: Session, counts: CorpusDocument) -> None:
    session.load_sample(default_sample(), "Sample")
    session.corpus.add_documents([counts])
    assert session.corpus.recipe.splitter == "cl100k"
    change = session.history.last
    assert change is not None and change.kind is ChangeKind.ADDING
    session.undo()
    assert session.corpus.recipe.splitter != "cl100k" and len(session.corpus.documents) == 1
    kept = FileDigests().project_document(counts, lambda _done, _total: None)
    assert kept.path == counts.path and kept.content == counts.content
    assert isinstance(counts.content, FileDocument)
    assert _file_document("again", counts.content, read_now=False).counts == counts.counts


def test_the_dialog_keeps_the_splitter(qtbot: QtBot, session: Session, counts: CorpusDocument) -> None:
    session.corpus.add_documents([counts])
    dialog = RecipeDialog(session.corpus.recipe, counts=session.corpus.counts)
    qtbot.addWidget(dialog)
    splitter = child(dialog, QComboBox, "recipe_splitter")
    assert not splitter.isEnabled() and not child(dialog, QPushButton, "splitterTrialButton").isEnabled()
    assert label_text(dialog, "recipe_splitter_explanation").startswith("Fixed: my.parquet contains word counts")
    preset = child(dialog, QComboBox, "recipe_preset")
    preset.setCurrentIndex(preset.findData("subword-nmt"))
    preset.activated.emit(preset.currentIndex())
    assert dialog.recipe.splitter == splitter.currentText() == "cl100k" and dialog.recipe.boundary == "suffix-attached"
    boundary = child(dialog, QComboBox, "recipe_boundary")
    boundary.setCurrentIndex(boundary.findData("prefix"))
    ok = child(dialog, QDialogButtonBox, "").button(QDialogButtonBox.StandardButton.Ok)
    assert not ok.isEnabled() and "was counted without the spaces before words" in label_text(dialog, "recipeMessage")


def test_a_damaged_file_is_refused(counts: CorpusDocument) -> None:
    assert counts.path is not None
    data = bytearray(counts.path.read_bytes())
    data[-100] ^= 0xFF
    counts.path.write_bytes(data)
    with pytest.raises(EngineError, match=r"my\.parquet"):
        read_file(FileDocument(counts.path))
