"""Having a session hold what a project holds: at once but for the run, which is made again and compared."""

from collections.abc import Sequence
from enum import Enum, auto
from itertools import zip_longest
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import Tokenizer, Trainer
from bpe_gui.engine.project import OpenedFile

from ..long_work import Activity
from ..numbers import number
from ..opened_tokenizer import TokenizerSource
from ..panels.notice_bar import NoticeBar, Offer
from ..session import Session
from .reading import ReadProject
from .snapshot import KeptRun, whole_tokenizer

_MOST_NAMED: Final = 6  # files in a sentence


class _Stage(Enum):
    """What is waited for."""

    COUNTING = auto()
    TURN = auto()
    TRAINING = auto()
    GOING_BACK = auto()
    OPENING = auto()
    NOTHING = auto()


class Restoring(QObject):
    """Restores projects, one after another. `ended` says that nothing of the last one is still to come, and whether
    it is a run of the corpus that was saved.

    The merges of a project are those of a run on its corpus. If the corpus is still the same, the run is made again,
    and it is said if its merges are not those that were saved. Otherwise these are shown as an opened tokenizer, and
    `kept` has them until there is another run.
    """

    ended = Signal(bool)

    def __init__(self, session: Session, notice: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._notice = notice
        self._kept: KeptRun | None = None
        self._stage = _Stage.NOTHING
        self._is_compared = True  # the run that is made is that of the project
        self._opened: OpenedFile | None = None  # to be opened in the end
        for signal in (session.run_changed, session.counts_changed, session.cursor_moved, session.activity_changed):
            signal.connect(self._look)

    @property
    def is_at_it(self) -> bool:
        """Whether the run of a project is being made."""
        return self._stage is not _Stage.NOTHING

    @property
    def kept(self) -> KeptRun | None:
        """The merges to be saved in the place of the session's own."""
        return self._kept if self.is_at_it or not self._has_own_run else None

    @property
    def _has_own_run(self) -> bool:
        """Whether the session has a run with steps; one that is being trained has some."""
        run = self._session.run
        return self._session.has_run and (run is None or run.run_length > 0)

    def restore(self, read: ReadProject) -> None:
        """Have the session hold what the project holds."""
        project = read.project
        self.forget()
        self._session.load(read.documents, project.recipe, project.special_tokens, project.vocab_size, read.text)
        self._kept, self._opened, self._is_compared = read.kept_run, project.opened, True
        if read.changed or read.missing:
            self._say_what_changed(read)
        elif self._kept is not None and project.stale:
            words = self.tr("The merges were trained before the corpus or the recipe changed.")
            self._notice.say(words, [(self.tr("Train again"), self._make_another_run)])
        if self._kept is None or not (read.changed or read.missing or project.stale):
            self._make_run()
        else:
            self._end(self._kept)

    def forget(self) -> None:
        """What is restored or kept is so no more, because the session holds something else."""
        self._stage, self._kept, self._opened = _Stage.NOTHING, None, None

    # -- what is said -----------------------------------------------------------------------------------------------

    def _say_what_changed(self, read: ReadProject) -> None:
        words = []
        if read.changed:
            words.append(
                self.tr("Changed since the project was saved: {files}.").format(files=self._names(read.changed))
            )
        if read.missing:
            words.append(self.tr("Missing: {files}.").format(files=self._names(read.missing)))
        if self._kept is not None and self._opened is None:
            words.append(self.tr("The merges are shown as they were saved."))
        self._notice.say(" ".join(words), self._offers(read))

    def _offers(self, read: ReadProject) -> list[Offer]:
        left = [document for document in self._session.documents if document.path not in read.missing]
        if read.missing and left:
            return [(self.tr("Go on without"), lambda: self._go_on_without(read.missing))]
        if self._kept is not None and not read.missing:
            return [(self.tr("Train on the files as they are"), self._make_another_run)]
        return []

    def _names(self, paths: Sequence[Path]) -> str:
        names = ", ".join(path.name for path in paths[:_MOST_NAMED])
        more = len(paths) - _MOST_NAMED
        return self.tr("{files} and {count} more").format(files=names, count=number(more)) if more > 0 else names

    def _say_difference(self, kept: KeptRun, run: Trainer) -> None:
        """Say where the merges of a run are not those that were saved, if so."""
        rank = _first_difference(kept.tokenizer, whole_tokenizer(self._session, run))
        if rank is not None:
            words = self.tr("From merge {number} on, the merges are not those that were saved.")
            offer = self.tr("Show the saved ones"), lambda: self._session.open_tokenizer(kept, kept.step)
            self._notice.say(words.format(number=number(rank + 1)), [offer])

    # -- the run ----------------------------------------------------------------------------------------------------

    def _go_on_without(self, missing: Sequence[Path]) -> None:
        session = self._session
        session.add_documents([each for each in session.documents if each.path not in missing], instead=True)
        self._make_another_run()

    def _make_another_run(self) -> None:
        self._is_compared = False
        self._make_run()

    def _make_run(self) -> None:
        """Have a run of as many merges, at the same step."""
        self._session.close_tokenizer()
        if self._kept is None:
            self._end()
        else:
            self._stage = _Stage.COUNTING
            self._look()

    def _look(self) -> None:
        """See whether what is waited for has come."""
        session, kept, run = self._session, self._kept, self._session.run
        is_idle = session.activity is Activity.IDLE
        if self._stage is _Stage.NOTHING and self._has_own_run:
            self._kept = None
        if self._stage is _Stage.OPENING and session.activity is not Activity.OPENING:
            self._finish()
        if kept is None or self._stage in (_Stage.NOTHING, _Stage.TURN, _Stage.OPENING):
            return
        if session.opened is not None or session.stale:
            self._finish()  # somebody wanted something else meanwhile
        elif session.count_error is not None:
            self._end(kept)
        elif self._stage is _Stage.COUNTING and run is not None:
            self._go(_Stage.TRAINING, len(kept.tokenizer.merges))
        elif self._stage is _Stage.TRAINING and run is not None and is_idle:
            self._compare(kept, run)
        elif self._stage is _Stage.GOING_BACK and is_idle:
            self._end()

    def _go(self, stage: _Stage, step: int) -> None:
        """Send the cursor to a step, though not amid what the session is saying."""
        kept = self._kept
        self._stage = _Stage.TURN

        def go() -> None:
            if self._stage is _Stage.TURN and self._kept is kept:
                self._stage = stage
                self._session.seek(step)
                self._look()

        QTimer.singleShot(0, self, go)

    def _compare(self, kept: KeptRun, run: Trainer) -> None:
        wanted = len(kept.tokenizer.merges)
        if run.run_length < wanted and run.peek() is not None:
            self._finish()  # it was stopped
            return
        if self._is_compared:
            self._say_difference(kept, run)
        self._go(_Stage.GOING_BACK, kept.step)

    def _end(self, shown: KeptRun | None = None) -> None:
        """The run is done with; what is still to come is the tokenizer that was opened, or else the saved merges."""
        opened, self._opened = self._opened, None
        source: TokenizerSource | None = shown
        if opened is not None:
            source = TokenizerSource(opened.path, opened.pattern, opened.special_tokens)
        if source is None:
            self._finish()
            return
        self._stage = _Stage.OPENING
        step = opened.step if opened else shown.step if shown else None
        self._session.open_tokenizer(source, step)

    def _finish(self) -> None:
        self._stage = _Stage.NOTHING
        self._opened = None
        self.ended.emit(self._is_compared)


def _first_difference(saved: Tokenizer, made: Tokenizer) -> int | None:
    """The first merge that was saved and is another now, or occurs another number of times."""
    before, now = (list(zip_longest(each.merges, each.merge_counts or ())) for each in (saved, made))
    if before == now[: len(before)]:
        return None
    return next((rank for rank, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), len(now))
