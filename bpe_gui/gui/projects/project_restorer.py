"""Having a session hold what a project holds: at once but for the run, which is made again and compared."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from itertools import zip_longest
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.engine import Tokenizer, Trainer
from bpe_gui.engine.projects.project import OpenedFile

from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.session.opened_tokenizer import TokenizerSource
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar, Offer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.projects.loaded_project import ReadProject
from bpe_gui.gui.projects.project_snapshot import KeptRun, whole_tokenizer

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
    and it is said if its merges are not those that were saved. Otherwise these are shown as an opened tokenizer; there
    is a way back to them, and `kept` has them until there is another run. `find` is asked for files that are missing.
    """

    ended = Signal(bool)

    def __init__(
        self, session: Session, notice: NoticeBar, find: Callable[[ReadProject], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._notice = notice
        self._find = find
        self._read: ReadProject | None = None
        self._kept: KeptRun | None = None
        self._held = 0  # merges that the project's file holds, where that is not what is restored
        self._stage = _Stage.NOTHING
        self._is_compared = True  # the run that is made is that of the project
        self._opened: OpenedFile | None = None  # to be opened in the end
        for signal in (session.run_changed, session.counts_changed, session.cursor_moved, session.activity_changed):
            signal.connect(self._look)
        session.tokenizer_opened.connect(self._say_where_they_are)

    @property
    def is_at_it(self) -> bool:
        """Whether the run of a project is being made."""
        return self._stage is not _Stage.NOTHING

    @property
    def kept(self) -> KeptRun | None:
        """The merges to be saved in the place of the session's own."""
        return self._kept if self.is_at_it or self._is_kept_shown or not self._has_own_run else None

    def shortened_to(self, run: Tokenizer | None) -> tuple[int, int] | None:
        """How many merges the project holds, and how many if that run is saved in their place; None if not fewer."""
        saved = max(self._held, len(self._kept.tokenizer.merges) if self._kept else 0)
        now = len(run.merges) if run else 0
        return (saved, now) if now < saved else None

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
        self._kept, self._held, self._opened = read.kept_run, read.held, project.opened
        self._show(read)

    def go_on_with(self, read: ReadProject) -> None:
        """The same project, with files that were found."""
        if self._read is None:
            return  # something else was begun meanwhile
        both = zip(self._read.documents, read.documents, strict=True)
        found = {old.path: new for old, new in both if old.path != new.path}
        documents = [found.get(document.path, document) for document in self._session.documents]
        self._session.add_documents(documents, instead=True)
        self._show(read)

    def _show(self, read: ReadProject) -> None:
        """Make the run, or show the merges that were saved, and say why."""
        self._read, self._is_compared = read, True
        is_as_saved = not self._reasons(read)
        if not is_as_saved:
            self._say(read, is_shown=self._opened is None)
        if self._kept is None or is_as_saved:
            self._make_run()
        else:
            self._end(self._kept)

    def forget(self) -> None:
        """What is restored or kept is so no more, because the session holds something else."""
        self._stage, self._kept, self._held, self._opened, self._read = _Stage.NOTHING, None, 0, None, None

    def take_saved(self, run: Tokenizer | None) -> None:
        """The project's file holds that run now; what it held before is kept no more."""
        self._held = 0
        if self._kept is not None and run is not self._kept.tokenizer and not self.is_at_it:
            self._kept = None
            self._notice.hide()

    # -- what is said -----------------------------------------------------------------------------------------------

    def say_again(self) -> None:
        """What was said when the project was opened is as it was."""
        if self._read is not None:
            self._say(self._read, is_shown=self._is_kept_shown)

    def _say_where_they_are(self) -> None:
        """Say whether the merges that were saved are shown, as the person goes to and fro."""
        is_either = self._session.opened is None or self._is_kept_shown
        if self._kept is not None and not self.is_at_it and is_either:
            self.say_again()

    @property
    def _is_kept_shown(self) -> bool:
        opened = self._session.opened
        return opened is not None and opened.source is self._kept

    def _reasons(self, read: ReadProject) -> list[str]:
        """Why the merges that were saved are not those of the corpus and the recipe."""
        words = []
        if read.changed:
            words.append(
                self.tr("Changed since the project was saved: {files}.").format(files=self._names(read.changed))
            )
        if missing := self.missing(read):
            words.append(self.tr("Missing: {files}.").format(files=self._names(missing)))
        if not words and read.project.stale and self._kept is not None:
            words.append(self.tr("The merges were trained before the corpus or the recipe changed."))
        return words

    def missing(self, read: ReadProject) -> list[Path]:
        """The files that are missing, but for those that were left out."""
        there = {document.path for document in self._session.documents}
        return [path for path in read.missing if path in there]

    def _say(self, read: ReadProject, *, is_shown: bool) -> None:
        words, kept = self._reasons(read), self._kept
        offers = self._offers(read)
        if kept is not None and not is_shown:
            words.append(self.tr("The project still holds the merges that were saved."))
            offers.insert(0, self._offer_to_show(kept))
        elif kept is not None and not (words and self._is_only_stale(read)):
            words.append(self.tr("The merges are shown as they were saved."))
        self._notice.say(" ".join(words), offers)

    def _is_only_stale(self, read: ReadProject) -> bool:
        return read.project.stale and not read.changed and not self.missing(read)

    def _offers(self, read: ReadProject) -> list[Offer]:
        missing, kept = self.missing(read), self._kept
        if missing:
            find = self.tr("Find…"), lambda: self._find(read)
            words = self.tr("Leave out and train again") if kept else self.tr("Leave out")
            is_all = len(missing) == len(self._session.documents)
            return [find] if is_all else [find, (words, lambda: self._leave_out(missing))]
        if kept is None:
            return []
        words = self.tr("Train again") if self._is_only_stale(read) else self.tr("Train on the files as they are")
        return [(words, self._make_another_run)]

    def _offer_to_show(self, kept: KeptRun) -> Offer:
        return self.tr("Show the saved ones"), lambda: self._session.open_tokenizer(kept, kept.step)

    def _names(self, paths: Sequence[Path]) -> str:
        names = ", ".join(path.name for path in paths[:_MOST_NAMED])
        more = len(paths) - _MOST_NAMED
        return self.tr("{files} and {count} more").format(files=names, count=number(more)) if more > 0 else names

    def _say_difference(self, kept: KeptRun, run: Trainer) -> None:
        """Say where the merges of a run are not those that were saved, if so."""
        rank = _first_difference(kept.tokenizer, whole_tokenizer(self._session, run))
        if rank is not None:
            words = self.tr("From merge {number} on, the merges are not those that were saved.")
            self._notice.say(words.format(number=number(rank + 1)), [self._offer_to_show(kept)])

    # -- the run ----------------------------------------------------------------------------------------------------

    def _leave_out(self, missing: Sequence[Path]) -> None:
        session = self._session
        session.add_documents([each for each in session.documents if each.path not in missing], instead=True)
        self._make_another_run()

    def _make_another_run(self) -> None:
        self._is_compared = False
        self._make_run()

    def _make_run(self) -> None:
        """Have a run of as many merges, at the same step."""
        is_wanted = self._kept is not None
        self._stage = _Stage.COUNTING if is_wanted else _Stage.NOTHING
        self._session.close_tokenizer()
        if is_wanted:
            self._look()
        else:
            self._end()

    def _look(self) -> None:
        """See whether what is waited for has come."""
        session, kept, run = self._session, self._kept, self._session.run
        is_idle = session.activity is Activity.IDLE
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
            self._kept = None if self._is_compared else kept  # the run has its place
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
