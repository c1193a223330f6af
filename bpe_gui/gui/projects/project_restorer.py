"""Restore a project into the session: everything at once except the run, which the session makes again."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from bpe_gui.engine import Tokenizer, TokenizerSource
from bpe_gui.engine.projects import OpenedFile
from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.panels.notice_bar import Notice, NoticeBar, Offer
from bpe_gui.gui.session.branches import Branch, SavedMerges
from bpe_gui.gui.session.opened_tokenizers import TokenizerToOpen
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.phrases import joined_sentences, listed, number

from .project_contents import LoadedProject, SavedRun

_MAX_NAMES: Final = 6  # names of files in a sentence
_logger: Final = logging.getLogger(__name__)


class ProjectRestorer(QObject):
    """Restores one project at a time.

    If the corpus has not changed since the project was saved, the session makes its run again, and the notice bar says
    where the merges differ from the saved ones. Otherwise the saved merges are shown as an opened tokenizer.
    `saved_run` keeps them until there is another run, and the notice bar offers a way back to them.
    """

    _find = WeakAttribute[Callable[[LoadedProject], object]]()

    ended = Signal(bool)
    """Restoring has ended; False if the user chose to train the run again, so it is not the saved one."""

    def __init__(
        self, session: Session, notice: NoticeBar, find: Callable[[LoadedProject], object], parent: QObject
    ) -> None:
        """Restore into `session`; `find` is called when the user wants to look for a project's missing files."""
        super().__init__(parent)
        self._session = session
        self._notice = notice
        self._find = find
        self._shown_notice: Notice | None = None
        self._loaded: LoadedProject | None = None
        self._saved_run: SavedRun | None = None
        self._merges_in_file = 0  # the number of merges in the project's own file
        # The tokenizer files to open after the run is restored: the one to show, and the others.
        self._opened_file: OpenedFile | None = None
        self._also_opened: tuple[OpenedFile, ...] = ()
        self._shown_branch: Branch | None = None  # to show after the run is restored
        self._is_remaking = self._is_opening = False
        self._is_same_run = True
        # Queued, because the session is not done yet.
        for signal in (session.counts.changed, session.work.changed):
            signal.connect(self._proceed, Qt.ConnectionType.QueuedConnection)
        session.opened.changed.connect(self._update_notice)

    @property
    def is_restoring(self) -> bool:
        """Whether a project's run is still being trained, or a tokenizer opened."""
        return self._is_remaking or self._is_opening

    @property
    def saved_run(self) -> SavedRun | None:
        """The merges to save in place of the session's run; None to save that run."""
        return self._saved_run if self.is_restoring or self._is_saved_run_shown or not self._has_steps else None

    def lost_merges(self, run: Tokenizer | None) -> tuple[int, int] | None:
        """Return how many merges the project has and how many `run` has; None unless `run` has fewer."""
        held = max(self._merges_in_file, len(self._saved_run.tokenizer.merges) if self._saved_run else 0)
        in_run = len(run.merges) if run else 0
        return (held, in_run) if in_run < held else None

    def restore(self, loaded: LoadedProject) -> None:
        """Replace the contents of the session with those of a project."""
        project = loaded.project
        branches = [
            Branch(each.name, each.recipe, each.plan, saved=SavedMerges(each.run, each.step) if each.run else None)
            for each in project.branches
        ]
        self.forget()
        self._session.load(
            loaded.documents,
            project.recipe,
            project.special_tokens,
            project.vocab_size,
            loaded.text,
            project.plan,
            branches,
        )
        self._session.opened.close_all()
        self._shown_branch = branches[project.shown_branch - 1] if project.shown_branch else None
        self._saved_run, self._merges_in_file = loaded.saved_run, loaded.merges_in_own_file
        self._opened_file, self._also_opened = project.opened, project.also_opened
        self._restore_run(loaded)

    def restore_found(self, loaded: LoadedProject) -> None:
        """Put the files that were found into the corpus, and restore the run again; `loaded` is the same project."""
        if self._loaded is None:
            return  # the session now holds something else
        pairs = zip(self._loaded.documents, loaded.documents, strict=True)
        found = {old.path: new for old, new in pairs if old.path != new.path}
        corpus = self._session.corpus
        corpus.set_documents(
            replace(found.get(document.path, document), weight=document.weight) for document in corpus.documents
        )
        self._restore_run(loaded)

    def forget(self) -> None:
        """Stop restoring, because the session is about to hold something else."""
        self._notice.dismiss(self._shown_notice)
        self._is_remaking = self._is_opening = False
        self._opened_file = self._loaded = self._shown_branch = None
        self._also_opened = ()
        self._merges_in_file = 0
        self._drop_saved_run()

    def _drop_saved_run(self) -> None:
        saved_run, self._saved_run = self._saved_run, None
        self._close_merges_of(saved_run)

    def _close_merges_of(self, saved_run: SavedRun | None) -> None:
        for tokenizer in self._session.opened.tokenizers:
            if tokenizer.source is saved_run:
                self._session.opened.close_one(tokenizer)

    def run_saved(self, run: Tokenizer | None) -> None:
        """Forget the project's saved merges, because its file now has those of `run` instead."""
        self._merges_in_file = 0
        if self._saved_run is not None and run is not self._saved_run.tokenizer and not self.is_restoring:
            self._drop_saved_run()
            self._notice.dismiss(self._shown_notice)

    def missing(self, loaded: LoadedProject) -> list[Path]:
        """Return the missing files of a project that the user has not removed from the corpus."""
        present = {document.path for document in self._session.corpus.documents}
        return [path for path in loaded.missing if path in present]

    @property
    def _has_steps(self) -> bool:
        """Whether the session has a main run with steps; a run in training counts as one."""
        branches, run = self._session.branches, self._session.run
        if branches.current is branches.main and run.exists and run.trainer is None:
            return True
        main = branches.run_of(branches.main)
        return main is not None and main.trainer.run_length > 0

    @property
    def _is_saved_run_shown(self) -> bool:
        """Whether the saved merges are on screen as an opened tokenizer."""
        opened = self._session.opened.tokenizer
        return opened is not None and opened.source is self._saved_run

    # -- the notice -------------------------------------------------------------------------------------------------

    def show_notice_again(self) -> None:
        """Show the notice about opening the project again."""
        if self._loaded is not None:
            self._show_notice(self._loaded, is_run_shown=self._is_saved_run_shown)

    def _update_notice(self) -> None:
        """Update the notice when the user switches between the saved merges and the run."""
        is_run_or_saved_run = self._session.opened.tokenizer is None or self._is_saved_run_shown
        if self._saved_run is not None and not self.is_restoring and is_run_or_saved_run:
            self.show_notice_again()

    def _differences(self, loaded: LoadedProject) -> list[str]:
        """Return sentences that say why training would not give the saved merges; empty if it should."""
        sentences = []
        if loaded.changed:
            sentences.append(
                self.tr("Changed since the project was saved: {files}.").format(files=self._names(loaded.changed))
            )
        if missing := self.missing(loaded):
            sentences.append(self.tr("Missing: {files}.").format(files=self._names(missing)))
        if not sentences and loaded.project.stale and self._saved_run is not None:
            sentences.append(self.tr("The merges were trained before the corpus or recipe changed."))
        return sentences

    def _show_notice(self, loaded: LoadedProject, *, is_run_shown: bool) -> None:
        sentences, saved_run = self._differences(loaded), self._saved_run
        offers = self._offers(loaded)
        if saved_run is not None and not is_run_shown:
            sentences.append(self.tr("The project still contains the saved merges."))
            offers.insert(0, self._offer_to_show(saved_run))
        elif saved_run is not None and not (sentences and self._is_only_stale(loaded)):
            sentences.append(self.tr("The saved merges are shown."))
        self._notice.dismiss(self._shown_notice)
        self._shown_notice = self._notice.show_message(joined_sentences(sentences), offers)

    def _is_only_stale(self, loaded: LoadedProject) -> bool:
        """Return whether the run was out of date when saved, but all files are unchanged."""
        return loaded.project.stale and not loaded.changed and not self.missing(loaded)

    def _offers(self, loaded: LoadedProject) -> list[Offer]:
        """Return the user's options: find or leave out missing files, or train again."""
        missing, saved_run = self.missing(loaded), self._saved_run
        if missing:
            find = self.tr("Locate…"), lambda: self._find(loaded)
            label = self.tr("Leave out and retrain") if saved_run else self.tr("Leave out")
            is_all = len(missing) == len(self._session.corpus.documents)
            return [find] if is_all else [find, (label, lambda: self._leave_out(missing))]
        if saved_run is None:
            return []
        label = self.tr("Retrain") if self._is_only_stale(loaded) else self.tr("Train on the current files")
        return [(label, self._train_again)]

    def _offer_to_show(self, saved_run: SavedRun) -> Offer:
        return self.tr("Show saved merges"), lambda: self._session.opened.open(saved_run, saved_run.step)

    def _names(self, paths: Sequence[Path]) -> str:
        """Return the names of files as a list in words, truncated if it is long."""
        names = listed(path.name for path in paths[:_MAX_NAMES])
        more = len(paths) - _MAX_NAMES
        return self.tr("{files} and {count} more").format(files=names, count=number(more)) if more > 0 else names

    # -- the run ----------------------------------------------------------------------------------------------------

    def _restore_run(self, loaded: LoadedProject) -> None:
        """Train the run again if that should give the saved merges; otherwise show the saved ones and say why."""
        self._loaded, self._is_same_run = loaded, True
        differs = bool(self._differences(loaded))
        if differs:
            self._show_notice(loaded, is_run_shown=self._opened_file is None)
        if differs and self._saved_run is not None:
            self._open_or_finish(self._saved_run)
        else:
            self._start_run()

    def _leave_out(self, missing: Sequence[Path]) -> None:
        corpus = self._session.corpus
        corpus.set_documents([document for document in corpus.documents if document.path not in missing])
        self._train_again()

    def _train_again(self) -> None:
        self._is_same_run = False
        self._start_run()

    def _start_run(self) -> None:
        """Have the session make the run again, if there is a saved one."""
        saved_run = self._saved_run
        self._is_remaking = saved_run is not None
        self._session.opened.show_run()
        self._close_merges_of(saved_run)
        if saved_run is not None:
            self._session.remake(saved_run.merges)
        else:
            self._open_or_finish()

    def _proceed(self) -> None:
        """Go on once the run is made, or all tokenizers are opened."""
        if self._is_opening and not self._session.opened.reading.busy:
            self._finish()
        elif self._is_remaking and not self._session.is_remaking:
            self._is_remaking = False
            self._take_run()

    def _take_run(self) -> None:
        """Report where the run differs from the saved one, whose place it takes if all of its merges were made.

        If the words cannot be counted, show the saved one.
        """
        session, saved_run = self._session, self._saved_run
        if saved_run is not None and session.counts.error is not None:
            self._open_or_finish(saved_run)
            return
        is_shown = session.branches.current is session.branches.main and session.opened.tokenizer is None
        trainer = session.run.trainer if is_shown and not session.run.is_stale else None
        if saved_run is None or trainer is None:
            self._finish()  # the user has started something else
            return
        if trainer.run_length < len(saved_run.tokenizer.merges) and not trainer.is_complete:
            self._finish()  # the user has stopped the training
            return
        if self._is_same_run:
            rank = saved_run.merges.first_difference(trainer.tokenizer(trainer.run_length))
            if rank is not None:
                _logger.warning("the run differs from the saved one from merge %d on", rank + 1)
                template = self.tr("From merge {number} on, the merges differ from the saved ones.")
                self._notice.dismiss(self._shown_notice)
                self._shown_notice = self._notice.show_message(
                    template.format(number=number(rank + 1)), [self._offer_to_show(saved_run)]
                )
            self._saved_run = None  # the run takes its place
        self._open_or_finish()

    def _open_or_finish(self, saved_run: SavedRun | None = None) -> None:
        """Open the tokenizers that were open when the project was saved, or finish if there were none.

        Show the one that was shown then, or else `saved_run` if given.
        """
        shown, others = self._opened_file, self._also_opened
        self._opened_file, self._also_opened = None, ()
        wanted: list[TokenizerToOpen] = []
        for file in filter(None, (*others, shown)):
            name = file.published_name
            source = TokenizerSource(file.path, file.pattern, file.special_tokens, published_name=name)
            wanted.append(TokenizerToOpen(source, file.step))
        if shown is None and saved_run is not None:
            wanted.append(TokenizerToOpen(saved_run, saved_run.step))
        if not wanted:
            self._finish()
            return
        self._is_opening = True
        self._session.opened.open_all(wanted, show_last=shown is not None or saved_run is not None)

    def _finish(self) -> None:
        self._is_opening, self._opened_file, self._also_opened = False, None, ()
        branch, self._shown_branch = self._shown_branch, None
        if branch in self._session.branches.all and self._session.opened.tokenizer is None:
            self._session.show_branch(branch)
        self.ended.emit(self._is_same_run)
