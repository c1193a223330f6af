"""Export tokenizers from any window of the program, one at a time, and the ids of files.

Why a format cannot have the tokenizer, `TokenizerExporter` asks `save_obstacle`, which asks the format's `contents`.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.dialogs.tokenizer_dialogs import MergeDialog
from bpe_gui.gui.session.object_names import shown_name
from bpe_gui.gui.session.tokenizer_exporter import ProofTexts, TokenizerExporter
from bpe_gui.gui.wording.phrases import listed, number

from .part import Handlers, Surroundings, WindowPart


class Exporting(WindowPart):
    """Opens the dialog, and owns the export thread, which may outlive it."""

    def __init__(self, around: Surroundings, choose: Callable[[QWidget], Path | None]) -> None:
        """`choose` asks for a tokenizer file, in a dialog over a window."""
        super().__init__(around)
        self._choose = choose
        self._exporter = TokenizerExporter(self)

    def handlers(self) -> Handlers:
        """Return what the actions of the window do that write tokenizers and ids."""
        return {"export": self.open, "encode_files": self.encode_files, "merge_tokenizer": self.extend}

    def open(self) -> None:
        """Ask where to export the tokenizer at the cursor."""
        tokenizer, trainer, old = self._session.cursor.tokenizer, self._session.cursor.trainer, None
        if trainer is not None and (plan := trainer.plan).ids:  # which continues the training of another tokenizer
            vocab = {token_id: token for token, token_id in plan.ids.items()}
            old = plan.base or Tokenizer(vocab, plan.replay, plan.special_ids, recipe=trainer.recipe)
        if tokenizer is not None:
            name, steps = shown_name(self._session), number(self._session.cursor.last_step)
            name = self.tr("{name} of {steps}").format(name=name, steps=steps) if trainer is not None else name
            self._ask(tokenizer, old, name, self._window)

    def encode_files(self) -> None:
        """Ask which files to encode with the tokenizer at the cursor, and where to write their ids."""
        from bpe_gui.gui.dialogs.encode_files_dialog import EncodeFilesDialog  # not yet needed when the window opens

        tokenizer, documents = self._session.cursor.tokenizer, self._session.corpus.documents
        if tokenizer is not None:
            texts = [document.content for document in documents if document.counts is None]
            name = shown_name(self._session)
            open_once(EncodeFilesDialog(tokenizer, name, texts, self._settings, self._window))

    def export_pruned(self, tokenizer: Tokenizer, old: Tokenizer, name: str, window: QWidget) -> None:
        """Ask, in a dialog on top of `window`, where to export what was pruned of `old`, which is called `name`."""
        self._ask(tokenizer, old, name, window, "pruned")

    def extend(self) -> None:
        """Ask for tokens to add to the tokenizer on screen, then where to export the result, which is opened."""
        tokenizer = self._session.cursor.tokenizer
        if tokenizer is not None:
            texts = [each for each in self._session.corpus.documents if each.counts is None]
            name, choose = shown_name(self._session), self._choose
            corpus = listed([*(each.shown_title for each in texts[:1]), *("…" for _each in texts[1:2])])
            documents = [each.content for each in texts]
            dialog = MergeDialog(tokenizer, name, choose, self._window, documents=documents, corpus=corpus)
            dialog.made.connect(partial(self._ask, change="extended"))
            open_once(dialog)

    def _ask(self, tokenizer: Tokenizer, old: Tokenizer | None, name: str, window: QWidget, change: str = "") -> None:
        """Open the dialog unless one is already open."""
        from bpe_gui.gui.dialogs.export_dialog import ExportDialog  # not yet needed when the main window opens

        if any(dialog.isVisible() for dialog in self._window.findChildren(ExportDialog)):
            return  # two would both listen to the exporter
        texts = ProofTexts.of(self._session.text.live, self._session.corpus.documents)
        opened = self._session.opened.tokenizer if change else None
        old_name = name if change else self.tr("the tokenizer that this run continues")
        changed = {"pruned": self.tr("{name}, pruned"), "extended": self.tr("{name}, extended")}
        name = changed.get(change, "{name}").format(name=name)
        make = partial(ExportDialog, tokenizer, texts, self._exporter, self._settings, window, name=name, old=old)
        is_run = self._session.cursor.trainer is not None and change != "pruned"
        dialog = make(
            change=change, changed_from=opened, old_name=old_name, is_stale=is_run and self._session.run.is_stale
        )
        if change == "extended":
            dialog.exported.connect(self._session.opened.open)
        open_once(dialog)
