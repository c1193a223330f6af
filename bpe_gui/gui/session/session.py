"""The window's one document. Panels call methods of its parts, and listen to their signals."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from bpe_gui.engine import EngineError, LiveText, Plan, Recipe, RunUntil, TextDocument, TrainingError
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.jobs import Activity, JobRunner
from bpe_gui.samples import Sample

from .branches import Branch, Branches, SavedMerges, make_run, memory_of
from .chat import Chat
from .corpus import CorpusDocument, RunInputs, SessionCorpus
from .corpus_counter import CorpusCounter
from .cursor import Cursor
from .earlier_run import EarlierRuns
from .encoded_text import EncodedText
from .history import Change, ChangeKind, History, ReturnPoint
from .opened_tokenizers import OpenedTokenizer, OpenedTokenizers
from .overlay import Overlay
from .run import KeptRun, Run, TrainingGoal
from .selection import Selected, Selection


class SessionWork(QObject):
    """Long work in progress: opening a tokenizer, making a run, counting or training, or a long cursor move. Of
    several, the first in this order is reported.

    - `changed`: `activity` may have changed.
    - `progressed(done, total)`: the progress of the work.
    """

    changed = Signal()
    progressed = Signal(int, int)

    def __init__(
        self, opened: OpenedTokenizers, making: JobRunner, jobs: JobRunner, cursor: Cursor, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._making = making
        self._jobs = jobs
        self._cursor = cursor
        self.branch_name = ""
        """The name of the branch being made, or made last."""
        self.trains_branch = False
        """Whether that branch is trained as soon as it is shown."""
        for changed in (opened.reading.changed, making.changed, jobs.changed, cursor.long_move_changed):
            changed.connect(self.changed)
        opened.reading.progressed.connect(self.progressed)
        making.progressed.connect(self._pass_on_making)
        for progressed in (jobs.progressed, cursor.progressed):
            progressed.connect(self._pass_on)

    @property
    def _runner(self) -> JobRunner:
        return next((runner for runner in (self._opened.reading, self._making) if runner.busy), self._jobs)

    @property
    def activity(self) -> Activity:
        """The kind of work in progress."""
        activity = self._runner.activity
        return Activity.MOVING if activity is Activity.IDLE and self._cursor.is_on_long_move else activity

    @property
    def name(self) -> str:
        """The name of the tokenizer being opened or the branch being made; otherwise empty."""
        names = {Activity.OPENING: self._opened.name_being_read, Activity.BRANCHING: self.branch_name}
        return names.get(self.activity, "")

    def _pass_on_making(self, done: int, total: int) -> None:
        if self._runner is self._making:
            self.progressed.emit(done, total)

    def _pass_on(self, done: int, total: int) -> None:
        if self._runner is self._jobs:
            self.progressed.emit(done, total)

    def cancel(self) -> None:
        """Cancel the work; steps already trained are kept, unless they are those of a branch being made."""
        if self._runner is self._jobs:
            self._cursor.halt()
            self._jobs.cancel()
        elif self._runner.activity is Activity.MOVING:
            self._making.cancel()
        else:
            self._runner.abandon()


_KEPT_MEMORY: Final = 50_000_000  # bytes; the history does not keep a dropped run that takes more
_ENCODE_AFTER: Final = 50  # milliseconds after a look at the training


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """The state of a session at a moment: the run or the opened tokenizer, its step, the selection and the text."""

    point: ReturnPoint
    opened: OpenedTokenizer | None
    position: int
    selected: Selected | None
    text: str | None
    goal: TrainingGoal | None
    """The goal of the training in progress, or None."""


class Session(QObject):
    """The state that everything on screen is a function of: corpus, recipe, step and text.

    Its parts form a chain; each knows only those before it:

    - `corpus`: the documents, the recipe, the special tokens and the vocabulary size.
    - `run`: the trainer and its training, made from the corpus.
    - `branches`: the main run and its branches. The current one is in `run`; the others wait.
    - `earlier_runs`: what the current run was before the last change of the corpus or the recipe.
    - `opened`: the tokenizers opened from files, which the window can show in place of the run.
    - `cursor`: the step on screen, of the opened tokenizer or else of the run, and the tokenizer at that step.
    - `selection`: the token or pair that every panel highlights.
    - `counts`: the word counts of the corpus, and making runs from them.
    - `text`: the text to encode, with its tokens at the cursor.
    - `chat`: the messages that are encoded instead of it, for a model with a chat template.
    - `overlay`: the other run, which is drawn over the one on screen while there is a branch.
    - `history`: the changes that can be undone.
    - `work`: the long work in progress in any of them.

    The session itself does only what involves several parts.

    - `failed(error)`: an EngineError that the user should see; nothing was changed.
    - `training_lost`: what was undone or redone is back without its run, which was no longer kept.
    """

    failed = Signal(object)
    training_lost = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)
        self.corpus = SessionCorpus(self)
        self.run = Run(self.corpus, self._jobs, self)
        self.branches = Branches(self.corpus, self.run, self)
        self.earlier_runs = EarlierRuns(self.run, self.branches, self)
        self.opened = OpenedTokenizers(self)
        self.cursor = Cursor(self.run, self.opened, self)
        self.selection = Selection(self.cursor, self)
        self.counts = CorpusCounter(self.corpus, self.run, self.cursor, self._jobs, self)
        self.text = EncodedText(self)
        self.chat = Chat(self)
        self.overlay = Overlay(self.branches, self.opened, self.cursor, self.text, self)
        self._making = JobRunner(self)
        self._made: Branch | None = None  # the new branch being made, or made last
        self.history = History(self.corpus, self.branches, self.text, self)
        self.work = SessionWork(self.opened, self._making, self._jobs, self.cursor, self)
        for part in (self.run, self.cursor, self.opened, self.counts, self.text):
            part.failed.connect(self.failed)
        self.cursor.tokenizer_changed.connect(self._encode_soon)
        self.counts.changed.connect(self._make_saved_run)
        self.branches.changed.connect(self._take_back)
        # Queued, because whoever shows another branch may not be done yet.
        self.branches.changed.connect(self._go_on_training, Qt.ConnectionType.QueuedConnection)
        # Queued, so that a look does not add to the time that updating the progress bar takes.
        self._jobs.progressed.connect(self._watch_training, Qt.ConnectionType.QueuedConnection)

    def load(
        self,
        documents: Iterable[CorpusDocument],
        recipe: Recipe,
        special_tokens: Iterable[str],
        vocab_size: int,
        text: LiveText,
        plan: Plan | None = None,
        branches: Iterable[Branch] = (),
    ) -> None:
        """Replace corpus, recipe, plan, special tokens, size and text, and start a new run.

        The runs of `branches` are made when they are first shown. The history starts over as well, unless this is part
        of a change.
        """
        with self.history.start_over():
            self._drop_runs()
            self.text.set_live(text)
            self.opened.show_run()
            self.corpus.load(documents, recipe, special_tokens, vocab_size, plan)
            for branch in branches:
                self.branches.add(branch)

    def _drop_runs(self) -> None:
        self.earlier_runs.forget()
        self.branches.clear()  # first, because a thread keeps running for a moment and nobody may see its trainer
        self._jobs.abandon()
        self._making.abandon()
        self.selection.clear()

    def load_sample(self, sample: Sample, title: str) -> None:
        """Replace corpus, recipe, special tokens, size and text with a sample's, and start a new run."""
        document = CorpusDocument(title, TextDocument(sample.read()))
        recipe = Recipe.of(sample.recipe)
        with self.history.group(ChangeKind.SAMPLE):
            self.load([document], recipe, sample.special_tokens, self.corpus.vocab_size, LiveText(sample.text))
            if (trainer := self.run.trainer) is not None:
                self.corpus.set_vocab_size(sample.vocab_size or trainer.initial_size + (sample.num_merges or 0))
            self.corpus.remember_sample_settings()

    def replace_documents(self, documents: Iterable[CorpusDocument]) -> None:
        """Replace the documents, and start and show a new run; the text to encode and opened tokenizers stay."""
        with self.history.group(ChangeKind.OPENING):
            self._drop_runs()
            self.opened.show_run()
            self.corpus.add_documents(documents, instead=True)

    def replace_text(self, text: LiveText) -> None:
        with self.history.group(ChangeKind.TEXT):
            self.text.set_live(text)

    # -- undoing ----------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last change, if any."""
        self.history.reverting.emit()  # now, because pending typing may be what is undone
        if (change := self.history.last) is not None:
            self._go_back_before(change)

    def redo(self) -> None:
        """Redo the change that was undone last, if any."""
        self.history.reverting.emit()
        if (change := self.history.last_undone) is not None:
            self._go_back_before(change)

    def _go_back_before(self, change: Change) -> None:
        """Show the state before a change, and make the current run if it has none there."""
        corpus, branches, counts = self.corpus, self.branches, self.counts
        with self.history.swapping(change) as state:
            shown = branches.current
            is_dropped = shown not in [each.branch for each in state.branches]
            if is_dropped or state.runs.get(shown) is not branches.run_of(shown):
                self._stop_work()  # otherwise the training of a run that stays would only pause
            branches.take(state.branches, state.runs)
            corpus.take(state.documents, state.special_tokens, state.vocab_size, state.sample)
            if state.text is not self.text.live:
                self.text.set_live(state.text)
            if change.concerns_branches:
                self.show_branch(state.current)
            if self.run.exists:
                counts.catch_up()
            elif not counts.is_pending:
                counts.restart()
        if branches.current in state.trained and branches.current not in state.runs:
            self.training_lost.emit()

    # -- coming back ------------------------------------------------------------------------------------------------

    def moment(self, *, with_text: bool) -> Moment:
        """Return what the session shows now, so that it can be shown again; the text itself only on request."""
        return Moment(
            self.history.return_point(),
            self.opened.tokenizer,
            self.cursor.destination,
            self.selection.selected,
            self.text.content if with_text else None,
            self.run.unreached if self.run.is_training else None,
        )

    def differences(self, moment: Moment) -> set[str]:
        """Return which of "run", "step" and "text" are no longer as they were at a moment."""
        state, step = moment.point.state, self.cursor.destination
        is_same_run = (state.current, moment.opened) == (self.branches.current, self.opened.tokenizer)
        same = {
            "run": is_same_run and state.inputs_of(state.current) == self.corpus.inputs,
            "step": moment.position == step,
            "text": moment.text in (None, self.text.content),
        }
        return {part for part, is_same in same.items() if not is_same}

    def return_to(self, moment: Moment) -> None:
        """Show everything as it was at a moment, as one change that can be undone; resume training that ran then."""
        self.cursor.halt()
        if self.run.is_training or self._making.busy:
            self._stop_work()
        if self.history.reaches(moment.point):
            self.history.reverting.emit()
            self._go_back_before(self.history.joined_since(moment.point))
            self.show_branch(moment.point.state.current)
        self.opened.show(moment.opened if moment.opened in self.opened.tokenizers else None)
        self.cursor.seek(moment.position)
        if moment.text is not None and moment.text != self.text.content:
            self.text.set_content(moment.text)
        self.selection.select(moment.selected)
        if moment.goal is not None:
            if self.run.exists and not self.run.is_stale:
                self.run.resume(moment.goal)
            elif moment.goal.until is None:
                self.train()  # which makes the run first

    # -- branches ---------------------------------------------------------------------------------------------------

    def branch_off(
        self,
        name: str,
        recipe: Recipe,
        plan: Plan,
        step: int,
        merges: int = 0,
        *,
        vocab_size: int | None = None,
        then: Callable[[], object] = lambda: None,
    ) -> None:
        """Make a new branch in a thread, by a recipe and a plan, and show it at a step.

        It is trained to `merges` merges, or at least to the step; then the target vocabulary size becomes `vocab_size`,
        and `then` is called. If it cannot be made (see `failed`) or the user cancels, nothing changes.
        """
        branch = Branch(self.branches.free_name(name), recipe, plan)

        def finish() -> None:
            if vocab_size not in (None, self.corpus.vocab_size):
                branch.size_before = self.corpus.vocab_size
                self.corpus.set_vocab_size(vocab_size)
            then()

        self._make_run_of(branch, max(merges, step), step, is_new=True, finish=finish)

    @property
    def unmade(self) -> Branch | None:
        """The new branch whose run is being made, which is not yet among the branches; None if there is none."""
        return self._made if self._making.busy else None

    def _make_run_of(
        self,
        branch: Branch,
        merges: int,
        position: int,
        *,
        is_new: bool,
        finish: Callable[[], object] = lambda: None,
    ) -> None:
        corpus = self.corpus
        inputs = RunInputs.of(corpus.documents, branch.recipe, corpus.special_tokens, branch.plan)
        is_current = branch is self.branches.current

        if not is_current and (error := self._memory_error()) is not None:
            self.failed.emit(error)
            return

        def take(run: KeptRun) -> None:
            trains = self.work.trains_branch
            if is_current:
                self._take_remade(run)
            elif is_new:
                with self.history.group(ChangeKind.BRANCH):
                    branch.kept, branch.name = run, self.branches.free_name(branch.name)  # the name may be taken
                    self.branches.add(branch)
                    if not self.run.is_training:
                        self.show_branch(branch)
                    finish()
            elif branch in self.branches.all and branch is not self.branches.current:
                self._report_difference(branch, run)
                branch.kept, branch.saved = run, None
                self.show_branch(branch)
            if trains and branch is self.branches.current:
                self.train()

        self._making.abandon()
        self.work.trains_branch = False
        self.work.branch_name, self._made = branch.name, branch if is_new else None
        words = self.counts.known_words(inputs)
        self._making.start(
            name="make branch",
            work=lambda report: make_run(inputs, words, merges, position, report, keeps_steps=is_current),
            on_success=take,
            on_error=self.failed.emit,
            activity=Activity.MOVING if is_current else Activity.BRANCHING,
        )

    def _memory_error(self) -> EngineError | None:
        """Return an error if there is not enough memory for another run like the current one."""
        trainer, available = self.run.trainer, memory.available()
        if trainer is None or (needed := memory_of(trainer)) <= available:
            return None
        return TrainingError(
            "A branch would take {needed:,} MB of memory, but only {available:,} MB are free. Delete a branch or close "
            "other programs first.",
            needed=round(needed / 1e6),
            available=round(available / 1e6),
        )

    def _report_difference(self, branch: Branch, run: KeptRun) -> None:
        """If a run that was made again differs from the saved one, report the first merge that does."""
        made = run.trainer.tokenizer(run.trainer.run_length)
        if branch.saved is not None and (rank := branch.saved.first_difference(made)) is not None:
            self.failed.emit(
                TrainingError(
                    "From merge {number:,} on, the branch {name!r} differs from the saved one.",
                    number=rank + 1,
                    name=branch.name,
                )
            )

    def remake(self, saved: SavedMerges) -> None:
        """Make the main run again as it was saved, in a thread, once the words are counted."""
        self.branches.main.saved = saved
        self._make_saved_run()

    @property
    def is_remaking(self) -> bool:
        """Whether the main run is being made as it was saved."""
        is_waiting = self.branches.main.saved is not None and self.counts.is_pending
        return is_waiting or self._making.activity is Activity.MOVING

    def _make_saved_run(self) -> None:
        main, counts = self.branches.main, self.counts
        if (saved := main.saved) is None or main is not self.branches.current or counts.is_pending:
            return
        main.saved = None
        if counts.words is not None:
            self._make_run_of(main, len(saved.tokenizer.merges), saved.position, is_new=False)

    def _take_remade(self, run: KeptRun) -> None:
        """Show the main run that was made again, unless the present one has more merges, or the corpus has changed."""
        present, before, is_stale = self.run.trainer, self.run.keep(), self.run.is_stale
        is_longer = present is None or (present.run_length > run.trainer.run_length and not is_stale)
        if run.inputs == self.corpus.inputs and not is_longer:
            self.run.bring_back(run)
            self.counts.catch_up()
            if is_stale and before is not None:
                self.history.record_dropped_run(before)

    def show_branch(self, branch: Branch) -> None:
        """Show a branch in place of the current one, whose training pauses until it is shown again.

        If the run has to be made first, make it in a thread, then show it.
        """
        self.opened.show_run()
        if branch is self.branches.current:
            return
        if branch.kept is None and (saved := branch.saved) is not None:
            self._make_run_of(branch, len(saved.tokenizer.merges), saved.position, is_new=False)
            return
        if branch.kept is None and branch is not self.branches.main:  # the program ended while it was being made
            step = len(branch.plan.replay)
            self._make_run_of(branch, max(self.cursor.run_length, step), step, is_new=False)
            return
        left, was_training = self.branches.current, self.run.is_training
        self._stop_work()
        if was_training:  # otherwise it may still be paused from before, having been shown only briefly
            left.paused = self.run.unreached
        self.branches.show(branch)
        if self.run.exists:
            self.counts.catch_up()
        else:
            self.counts.restart()

    def _take_back(self) -> None:
        """Move the run of the current branch to its step, if the overlay has left it elsewhere."""
        trainer = self.run.trainer
        if trainer is not None and self.branches.is_lent(trainer):
            self.cursor.seek(self.branches.give_back(trainer))

    def _go_on_training(self) -> None:
        """Resume the paused training of the current branch, unless its run is out of date."""
        branch = self.branches.current
        goal, branch.paused = branch.paused, None
        if goal is not None and not self.run.is_training and self.run.exists and not self.run.is_stale:
            self.counts.stop()
            self.cursor.halt()
            self.run.resume(goal)

    def drop_branch(self, branch: Branch) -> None:
        """Drop a branch and its run, but never the main run. Undo has to make a large run again."""
        if branch is self.branches.main:
            return
        run = self.branches.run_of(branch)
        with self.history.group(
            ChangeKind.DROP_BRANCH, keeps_runs=run is None or memory_of(run.trainer) < _KEPT_MEMORY
        ):
            if branch is self.branches.current:
                self.show_branch(self.branches.main)
            self.branches.remove(branch)

    def apply_plan(self, plan: Plan) -> None:
        """Restart the current run from step 0 with another plan."""
        if not self.run.is_training:
            self.opened.show_run()
            with self.history.group(ChangeKind.PLAN), self.counts.replacing_run():
                self.corpus.set_training(self.corpus.recipe, plan)

    def _stop_work(self) -> None:
        """End the threads that make or train runs; steps already trained are kept."""
        self.opened.show_run()
        self._making.abandon()
        self.cursor.halt()
        if self.run.is_training:
            self._jobs.cancel()
        else:
            self._jobs.abandon()
        self._jobs.wait()

    def restart(self) -> None:
        """Drop the run and start another from the current corpus and recipe, at step 0."""
        if not self.run.is_training:
            self.opened.show_run()
            with self.history.group(ChangeKind.RESTART):
                self.counts.restart()

    def begin_step(self) -> None:
        """Stop playing, and if the run on screen is stale, replace it by one made from the corpus as it is now."""
        self.cursor.pause()
        if self.cursor.trainer is not None and self.run.is_stale:
            self.restart()

    def train(self) -> None:
        """Train in a thread to the target vocabulary size, in a new run if the current one is stale.

        If the run is larger already, go to the step that has the size.
        While a branch is being made, train that one as soon as it is shown.
        """
        if self._making.busy:
            self.work.trains_branch = True
            self.work.changed.emit()
            return
        self.opened.show_run()
        if self.run.is_training:
            return
        self.counts.stop()
        self.cursor.halt()
        if self.run.exists and not self.run.is_stale:
            if (error := self.run.size_error) is None:
                self.run.train()
            else:
                self.cursor.seek(self.run.target_position)
                self.failed.emit(error)
        else:
            self.counts.make_run(then=partial(self._train_new_run, self.run.keep()))

    def run_until(self, condition: RunUntil) -> None:
        """Train in a thread to the first step, starting with the current one, where a condition holds."""
        self.begin_step()
        if self.run.trainer is not None:
            self.counts.stop()
            self.cursor.halt()
            self.run.train(until=condition)

    def _train_new_run(self, dropped: KeptRun | None) -> None:
        if dropped is not None:
            self.history.record_dropped_run(dropped)
        self.run.train()

    def _watch_training(self) -> None:
        if self.cursor.is_following_training and self.run.training.is_look_due:
            with self.run.training.look():
                self.cursor.catch_up()

    def _encode_soon(self) -> None:
        if self.run.training.is_in_look:
            self.cursor.tokenizer  # noqa: B018  # built during the look, so that it is available afterwards
            # Later, so that the window neither blocks for long nor repaints everything at once.
            QTimer.singleShot(_ENCODE_AFTER, self, self._encode)
        else:
            self._encode()

    def _encode(self) -> None:
        self.text.encode_with(self.cursor.tokenizer)
