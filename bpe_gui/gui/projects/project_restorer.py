"""Restoring a project into the session: at once but for the run, which is trained again and compared."""

import logging
from collections.abc import Callable, Sequence
from enum import Enum, auto
from itertools import zip_longest
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import Tokenizer, Trainer
from bpe_gui.engine.projects import OpenedFile
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar, Offer
from bpe_gui.gui.session.opened_tokenizer import TokenizerSource
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import number

from .loaded_project import LoadedProject
from .project_snapshot import final_tokenizer
from .saved_run import SavedRun

_MAX_NAMES: Final = 6  # of files in a sentence
_logger: Final = logging.getLogger(__name__)


class _Stage(Enum):
    """An event that the restorer waits for."""

    COUNTING = auto()
    EVENT_LOOP = auto()
    TRAINING = auto()
    MOVING_BACK = auto()
    OPENING = auto()


class ProjectRestorer(QObject):
    """Restores one project after another.

    The merges of a project are those of a run on its corpus. If the corpus has not changed, the run is trained again,
    and the notice bar says if its merges differ from the saved ones. Otherwise the saved merges are shown as an opened
    tokenizer. `saved_run` keeps them until there is another run, and the notice bar offers a way back to them.

    `ended(is_same_run)`: the last project is restored; whether its run is the one that was saved.
    """

    ended = Signal(bool)

    def __init__(
        self, session: Session, notice: NoticeBar, find: Callable[[LoadedProject], object], parent: QObject
    ) -> None:
        """`find` is called when the user wants to look for missing files."""
        super().__init__(parent)
        self._session = session
        self._notice = notice
        self._find = find
        self._loaded: LoadedProject | None = None
        self._saved_run: SavedRun | None = None
        self._merges_in_file = 0
        self._to_open: OpenedFile | None = None  # in the end, in place of the run
        self._stage: _Stage | None = None
        self._is_same_run = True
        for signal in (
            session.cursor.steps_changed,
            session.counts.changed,
            session.cursor.moved,
            session.work.changed,
        ):
            signal.connect(self._proceed)
        session.opened.changed.connect(self._update_notice)

    @property
    def is_restoring(self) -> bool:
        """Whether the run of a project is still being made."""
        return self._stage is not None

    @property
    def saved_run(self) -> SavedRun | None:
        """The merges to be saved in place of the session's own."""
        return self._saved_run if self.is_restoring or self._is_saved_run_shown or not self._has_steps else None

    def lost_merges(self, run: Tokenizer | None) -> tuple[int, int] | None:
        """Return the number of merges that the project holds, and of those in `run`; None if `run` has as many."""
        held = max(self._merges_in_file, len(self._saved_run.tokenizer.merges) if self._saved_run else 0)
        present = len(run.merges) if run else 0
        return (held, present) if present < held else None

    def restore(self, loaded: LoadedProject) -> None:
        """Replace everything in the session by what the project holds."""
        project = loaded.project
        self.forget()
        self._session.load(loaded.documents, project.recipe, project.special_tokens, project.vocab_size, loaded.text)
        self._saved_run, self._merges_in_file = loaded.saved_run, loaded.merges_in_own_file
        self._to_open = project.opened
        self._restore_run(loaded)

    def restore_found(self, loaded: LoadedProject) -> None:
        """Continue with the same project after missing files were found."""
        if self._loaded is None:
            return  # the session holds something else by now
        pairs = zip(self._loaded.documents, loaded.documents, strict=True)
        found = {old.path: new for old, new in pairs if old.path != new.path}
        corpus = self._session.corpus
        corpus.set_documents([found.get(document.path, document) for document in corpus.documents])
        self._restore_run(loaded)

    def forget(self) -> None:
        """Stop restoring, because the session is about to hold something else."""
        self._stage = self._saved_run = self._to_open = self._loaded = None
        self._merges_in_file = 0

    def take_saved(self, run: Tokenizer | None) -> None:
        """Drop the saved merges once the project's file holds `run` in their place."""
        self._merges_in_file = 0
        if self._saved_run is not None and run is not self._saved_run.tokenizer and not self.is_restoring:
            self._saved_run = None
            self._notice.hide()

    def missing(self, loaded: LoadedProject) -> list[Path]:
        """Return the missing files of a project that are still in the corpus."""
        present = {document.path for document in self._session.corpus.documents}
        return [path for path in loaded.missing if path in present]

    @property
    def _has_steps(self) -> bool:
        """Whether the session has a run with steps; one that is being trained has some."""
        run = self._session.run
        return run.exists and (run.trainer is None or run.trainer.run_length > 0)

    @property
    def _is_saved_run_shown(self) -> bool:
        opened = self._session.opened.tokenizer
        return opened is not None and opened.source is self._saved_run

    # -- the notice -------------------------------------------------------------------------------------------------

    def show_notice_again(self) -> None:
        """Show what the notice bar said when the project was opened."""
        if self._loaded is not None:
            self._show_notice(self._loaded, is_run_shown=self._is_saved_run_shown)

    def _update_notice(self) -> None:
        """Say whether the saved merges are shown, as the user goes to and fro."""
        is_run_or_saved_run = self._session.opened.tokenizer is None or self._is_saved_run_shown
        if self._saved_run is not None and not self.is_restoring and is_run_or_saved_run:
            self.show_notice_again()

    def _differences(self, loaded: LoadedProject) -> list[str]:
        """Return sentences about why training would not give the saved merges; none if it should."""
        sentences = []
        if loaded.changed:
            sentences.append(
                self.tr("Changed since the project was saved: {files}.").format(files=self._names(loaded.changed))
            )
        if missing := self.missing(loaded):
            sentences.append(self.tr("Missing: {files}.").format(files=self._names(missing)))
        if not sentences and loaded.project.stale and self._saved_run is not None:
            sentences.append(self.tr("The merges were trained before the corpus or the recipe changed."))
        return sentences

    def _show_notice(self, loaded: LoadedProject, *, is_run_shown: bool) -> None:
        sentences, saved_run = self._differences(loaded), self._saved_run
        offers = self._offers(loaded)
        if saved_run is not None and not is_run_shown:
            sentences.append(self.tr("The project still holds the merges that were saved."))
            offers.insert(0, self._offer_to_show(saved_run))
        elif saved_run is not None and not (sentences and self._is_only_stale(loaded)):
            sentences.append(self.tr("The merges are shown as they were saved."))
        self._notice.show_message(" ".join(sentences), offers)

    def _is_only_stale(self, loaded: LoadedProject) -> bool:
        return loaded.project.stale and not loaded.changed and not self.missing(loaded)

    def _offers(self, loaded: LoadedProject) -> list[Offer]:
        missing, saved_run = self.missing(loaded), self._saved_run
        if missing:
            find = self.tr("Find…"), lambda: self._find(loaded)
            label = self.tr("Leave out and train again") if saved_run else self.tr("Leave out")
            is_all = len(missing) == len(self._session.corpus.documents)
            return [find] if is_all else [find, (label, lambda: self._leave_out(missing))]
        if saved_run is None:
            return []
        label = self.tr("Train again") if self._is_only_stale(loaded) else self.tr("Train on the files as they are")
        return [(label, self._train_anew)]

    def _offer_to_show(self, saved_run: SavedRun) -> Offer:
        return self.tr("Show the saved ones"), lambda: self._session.opened.open(saved_run, saved_run.step)

    def _names(self, paths: Sequence[Path]) -> str:
        names = ", ".join(path.name for path in paths[:_MAX_NAMES])
        more = len(paths) - _MAX_NAMES
        return self.tr("{files} and {count} more").format(files=names, count=number(more)) if more > 0 else names

    def _show_difference(self, saved_run: SavedRun, trainer: Trainer) -> None:
        """Say from which merge on the run differs from the saved one, if it does."""
        rank = _first_difference(saved_run.tokenizer, final_tokenizer(self._session, trainer))
        if rank is not None:
            _logger.warning("the run differs from the saved one from merge %d on", rank + 1)
            template = self.tr("From merge {number} on, the merges are not those that were saved.")
            self._notice.show_message(template.format(number=number(rank + 1)), [self._offer_to_show(saved_run)])

    # -- the run ----------------------------------------------------------------------------------------------------

    def _restore_run(self, loaded: LoadedProject) -> None:
        """Train the run again if that should give the saved merges; else show these, and say why."""
        self._loaded, self._is_same_run = loaded, True
        differs = bool(self._differences(loaded))
        if differs:
            self._show_notice(loaded, is_run_shown=self._to_open is None)
        if differs and self._saved_run is not None:
            self._open_last(self._saved_run)
        else:
            self._make_run()

    def _leave_out(self, missing: Sequence[Path]) -> None:
        corpus = self._session.corpus
        corpus.set_documents([each for each in corpus.documents if each.path not in missing])
        self._train_anew()

    def _train_anew(self) -> None:
        self._is_same_run = False
        self._make_run()

    def _make_run(self) -> None:
        """Train as many merges as were saved, and move back to the saved step."""
        self._stage = _Stage.COUNTING if self._saved_run is not None else None
        self._session.opened.close()
        if self._saved_run is not None:
            self._proceed()
        else:
            self._open_last()

    def _proceed(self) -> None:
        """Begin the next stage if the present one has ended."""
        session, saved_run, stage = self._session, self._saved_run, self._stage
        trainer, activity = session.run.trainer, session.work.activity
        if stage is _Stage.OPENING and activity is not Activity.OPENING:
            self._finish()
        if saved_run is None or stage in (None, _Stage.EVENT_LOOP, _Stage.OPENING):
            return
        if session.opened.tokenizer is not None or session.run.is_stale:
            self._finish()  # the user has begun something else since
        elif session.counts.error is not None:
            self._open_last(saved_run)
        elif stage is _Stage.COUNTING and trainer is not None:
            self._move_cursor(_Stage.TRAINING, len(saved_run.tokenizer.merges))
        elif stage is _Stage.TRAINING and trainer is not None and activity is Activity.IDLE:
            self._compare(saved_run, trainer)
        elif stage is _Stage.MOVING_BACK and activity is Activity.IDLE:
            if self._is_same_run:
                self._saved_run = None  # the run takes its place
            self._open_last()

    def _move_cursor(self, stage: _Stage, step: int) -> None:
        """Begin a stage by moving the cursor, from the event loop: now the session is emitting a signal."""
        saved_run = self._saved_run
        self._stage = _Stage.EVENT_LOOP

        def move() -> None:
            if self._stage is _Stage.EVENT_LOOP and self._saved_run is saved_run:
                self._stage = stage
                self._session.cursor.seek(step)
                self._proceed()

        QTimer.singleShot(0, self, move)

    def _compare(self, saved_run: SavedRun, trainer: Trainer) -> None:
        if trainer.run_length < len(saved_run.tokenizer.merges) and trainer.peek() is not None:
            self._finish()  # the user has stopped it
            return
        if self._is_same_run:
            self._show_difference(saved_run, trainer)
        self._move_cursor(_Stage.MOVING_BACK, saved_run.step)

    def _open_last(self, saved_run: SavedRun | None = None) -> None:
        """Open the tokenizer that was open when the project was saved, or else `saved_run`, if there is either."""
        opened, self._to_open = self._to_open, None
        source: TokenizerSource | None = saved_run
        step = saved_run.step if saved_run else None
        if opened is not None:
            source, step = TokenizerSource(opened.path, opened.pattern, opened.special_tokens), opened.step
        if source is None:
            self._finish()
            return
        self._stage = _Stage.OPENING
        self._session.opened.open(source, step)

    def _finish(self) -> None:
        self._stage = self._to_open = None
        self.ended.emit(self._is_same_run)


def _first_difference(saved: Tokenizer, trained: Tokenizer) -> int | None:
    """Return the rank of the first saved merge that differs from the trained one, or None; counts matter, too."""
    before, now = (list(zip_longest(each.merges, each.merge_counts or ())) for each in (saved, trained))
    if before == now[: len(before)]:
        return None
    return next((rank for rank, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(now))
