"""All dialogs, as a user meets them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QDialog, QWidget

from bpe_gui.engine import Corpus, LiveText, Plan, Recipe, TextDocument, Tokenizer, no_progress, train
from bpe_gui.gui.dialogs.boxes import ProofTextsDialog
from bpe_gui.gui.dialogs.changes_dialog import Changes, ChangesDialog
from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog
from bpe_gui.gui.dialogs.documentation import DocumentationBox
from bpe_gui.gui.dialogs.encode_files_dialog import EncodeFilesDialog
from bpe_gui.gui.dialogs.export_dialog import ExportDialog
from bpe_gui.gui.dialogs.open_pattern_dialog import OpenPatternDialog
from bpe_gui.gui.dialogs.picture_dialogs import LineagePictureDialog, PictureDialog
from bpe_gui.gui.dialogs.plan_dialog import PlanDialog, ReplaySource
from bpe_gui.gui.dialogs.recipe_dialog import RecipeDialog
from bpe_gui.gui.dialogs.splitter_trial import SplitterCorpus
from bpe_gui.gui.dialogs.tokenizer_dialogs import MergeDialog, RanksDialog, TokenizerNameDialog
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.document_list import WeightDialog
from bpe_gui.gui.projects.recovery_offers import RecoveryDialog
from bpe_gui.gui.session.earlier_run import RunMerges
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens

Make = Callable[[QWidget, Path], QDialog]


def tokenizer() -> Tokenizer:
    return train("low low lower", num_merges=3)


def changes_dialog(parent: QWidget, _folder: Path) -> ChangesDialog:
    runs = [RunMerges(train(text, num_merges=3), None) for text in ("low low lower", "wider wider low")]
    words = Corpus.from_text("wider wider low").count(runs[1].tokenizer.recipe)
    changes = Changes.of(runs[0], runs[1], (b"low lower", True), words, np.arange(len(words)), no_progress)
    return ChangesDialog(changes, Theme("light"), parent)


def picture_dialog(parent: QWidget, _folder: Path) -> PictureDialog:
    text, made = LiveText(""), tokenizer()
    text.encode_with(made)
    source = LiveTokens.of(text, made, UNKNOWN_ID, "unknown symbol")
    return PictureDialog(Theme("light"), source, (0, 0), None, ColorMode.BY_TOKEN, False, parent)


def export_dialog(parent: QWidget, folder: Path) -> ExportDialog:
    settings, exporter = Settings(), TokenizerExporter(parent)
    settings.recent_folder = folder
    return ExportDialog(tokenizer(), ProofTexts(), exporter, settings, parent, name="Main run")


def documentation_box(parent: QWidget, _folder: Path) -> DocumentationBox:
    box = DocumentationBox(parent)
    for page in ("index", "start"):
        box.show_page(page)
    return box


def encode_files_dialog(parent: QWidget, folder: Path) -> EncodeFilesDialog:
    settings = Settings()
    settings.recent_folder = folder
    return EncodeFilesDialog(tokenizer(), "Main run, step 3", [TextDocument("low")], settings, parent)


def recipe_dialog(parent: QWidget, _folder: Path) -> RecipeDialog:
    corpus = SplitterCorpus(Recipe(), (TextDocument("low"),))
    return RecipeDialog(Recipe(), parent, corpus=corpus, theme=Theme("light"))


DIALOGS: dict[str, Make] = {
    "changes": changes_dialog,
    "decode": lambda parent, _folder: DecodeDialog(tokenizer(), Theme("light"), parent),
    "documentation": documentation_box,
    "encode files": encode_files_dialog,
    "export": export_dialog,
    "lineage": lambda parent, _folder: LineagePictureDialog(Theme("light"), tokenizer(), 0, parent),
    "merge": lambda parent, _folder: MergeDialog(tokenizer(), "file", lambda _window: None, parent),
    "pattern": lambda parent, folder: OpenPatternDialog(folder, parent=parent, asks_how=True),
    "picture": picture_dialog,
    "plan": lambda parent, _folder: PlanDialog(Plan(), [ReplaySource("this run", [])], parent),
    "proof texts": lambda parent, _folder: ProofTextsDialog(["low", "low " * 200], parent),
    "ranks": lambda parent, _folder: RanksDialog("file", "gpt2", {}, {0: b"a"}, parent),
    "recipe": recipe_dialog,
    "recovery": lambda parent, _folder: RecoveryDialog([], parent),
    "tokenizer name": lambda parent, _folder: TokenizerNameDialog(parent),
    "weight": lambda parent, _folder: WeightDialog("this", set(), parent),
}
