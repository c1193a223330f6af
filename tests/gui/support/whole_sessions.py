"""A session without a window: as one value, as what it has announced, and as what it is made from."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, SignalInstance
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import (
    Corpus,
    EngineError,
    Plan,
    Recipe,
    TextDocument,
    Tokenizer,
    TokenPair,
    Trainer,
    WordCounts,
    load,
    train_to,
)
from bpe_gui.engine.projects import save_project
from bpe_gui.gui.edit_history import EditKind
from bpe_gui.gui.jobs import Activity, JobRunner, end_jobs
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.projects.project_contents import FileDigests, ProjectSnapshot, SavedRun, read_project
from bpe_gui.gui.projects.project_restorer import ProjectRestorer
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.history import ChangeKind
from bpe_gui.gui.session.object_names import ShownObject, distinct_name
from bpe_gui.gui.session.opened_tokenizers import PROJECT
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.edited_text import EditedText


class Inputs(NamedTuple):
    """Everything that the merges of a run depend on, as plain values."""

    texts: tuple[str, ...]
    weights: tuple[Fraction, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    plan: Plan

    def step_reached(self, step: int) -> int:
        """Return where a move to `step` ends: there, or where nothing is left to merge or the plan cannot be kept."""
        trainer = trainer_of(self)
        with suppress(EngineError):
            trainer.seek(max(0, step))
        return trainer.position

    def step_trained(self, vocab_size: int) -> int:
        """Return the step where training to a vocabulary size ends."""
        trainer = trainer_of(self)
        trainer.seek(0)
        with suppress(EngineError):
            deque(train_to(trainer, vocab_size=vocab_size), maxlen=0)
        return trainer.position


@lru_cache(maxsize=200)
def words_of(inputs: Inputs) -> WordCounts:
    """Return words that no session has counted."""
    corpus = Corpus(tuple(map(TextDocument, inputs.texts)), inputs.weights)
    return corpus.count(inputs.recipe, inputs.special_tokens)


@lru_cache(maxsize=200)
def trainer_of(inputs: Inputs) -> Trainer:
    """Return a trainer that no session has touched. Raise EngineError if the plan cannot be kept."""
    return Trainer(words_of(inputs), inputs.recipe, plan=inputs.plan)


class RunState(NamedTuple):
    """The main run or a branch. One without a merge is the same as one that was never made."""

    name: str
    recipe: Recipe
    plan: Plan
    is_stale: bool = False
    position: int = 0
    merges: tuple[TokenPair, ...] = ()
    counts: tuple[int, ...] = ()

    def with_merges(self, tokenizer: Tokenizer, position: int, *, is_stale: bool) -> "RunState":
        merges, counts = tuple(tokenizer.merges), tuple(tokenizer.merge_counts or ())
        if not merges:
            return self
        return self._replace(is_stale=is_stale, position=position, merges=merges, counts=counts)


class State(NamedTuple):
    """Everything that can be undone or saved, besides opened tokenizers. `current` is the number of the run shown."""

    documents: tuple[tuple[str, str, Fraction], ...]
    special_tokens: tuple[str, ...]
    vocab_size: int
    runs: tuple[RunState, ...]
    current: int
    text: str

    @property
    def settings(self) -> tuple[object, ...]:
        """All but the merges and the steps, which the user changes without making a change."""
        return self[:3], [run[:3] for run in self.runs], self.text


class Desk:
    """A session with what a window adds to it: the editor of the text, and saving and opening projects."""

    def __init__(self) -> None:
        self.widget = QWidget()
        self.session = session = Session(self.widget)
        self.notice = NoticeBar(Theme("light", self.widget), self.widget)
        self.restorer = ProjectRestorer(session, self.notice, lambda _loaded: None, self.widget)
        self.editor = EditedText(session.text.live, self.widget)
        self.editor.edited.connect(session.text.encode_edit)
        self.failures: list[object] = []
        """The errors that the session reported with `failed`."""
        self.announced: dict[Callable[[], object], object] = {}
        """The last value that each function returned when a signal said that it had changed."""
        self.untyped = ""
        """The text to encode without what can be undone in its editor."""
        session.failed.connect(self.failures.append)
        session.text.replaced.connect(self._follow_text)
        self._follow_text()
        self._announce_all()

    def _announce_all(self) -> None:
        session, corpus, cursor, branches = (
            self.session,
            self.session.corpus,
            self.session.cursor,
            self.session.branches,
        )
        self._announce(lambda: (cursor.position, cursor.run_length), cursor.moved, cursor.steps_changed)
        self._announce(lambda: session.text.live.encoding, session.text.tokens_changed)
        self._announce(lambda: session.run.is_stale, session.run.stale_changed)
        self._announce(lambda: corpus.inputs, corpus.inputs_changed)
        self._announce(lambda: (corpus.recipe, corpus.plan, corpus.vocab_size), corpus.recipe_changed)
        self._announce(lambda: [each.name for each in branches.all], branches.list_changed)
        self._announce(lambda: branches.current, branches.changed)
        self._announce(lambda: session.opened.tokenizer, session.opened.changed)
        self._announce(lambda: (session.counts.words, session.counts.error), session.counts.changed)
        self._announce(lambda: session.history.last and session.history.last.kind, session.history.changed)

    def _announce(self, look: Callable[[], object], *signals: SignalInstance) -> None:
        def note(*_values: object) -> None:
            self.announced[look] = look()

        note()
        for signal in signals:
            signal.connect(note)

    def _follow_text(self) -> None:
        self.editor.set_text(self.session.text.live, self.session.text.history)
        self.untyped = self.session.text.content

    def settle(self) -> None:
        """Wait until no work is in progress, and none begins by itself."""
        rounds = 0
        while rounds < 3:  # the end of one work may begin another, from the event loop
            for runner in self.widget.findChildren(JobRunner):
                runner.wait()
            QCoreApplication.processEvents()
            is_busy = self.session.work.activity is not Activity.IDLE or self.restorer.is_restoring
            rounds = 0 if is_busy else rounds + 1

    def press(self, key: str) -> None:
        """Press a key in the text to encode: "<" for backspace, ">" for delete, or a character."""
        caret, text = self.editor.caret, bytes(self.session.text.live.read(0, len(self.session.text.live)))
        if key == "<":
            before = text[:caret].decode()
            self.editor.remove(caret - len(before[-1:].encode()), caret, EditKind.BACKSPACE)
        elif key == ">":
            self.editor.remove(caret, caret + len(text[caret:].decode()[:1].encode()), EditKind.DELETE)
        else:
            self.editor.insert(key.encode(), EditKind.TYPING)

    def undo_and_redo_typing(self, interrupted_at: str | None) -> None:
        """Undo all typing in the text to encode, and redo it; each must lead back over the same texts.

        One is `interrupted_at`, if given: there, the caret went elsewhere, which begins another step.
        """
        contents = [self.session.text.content]
        while self.editor.history.can_undo:
            self.editor.undo()
            contents.append(self.session.text.content)
        assert interrupted_at is None or interrupted_at in contents
        assert contents.pop() == self.untyped
        for expected in reversed(contents):
            self.editor.redo()
            assert self.session.text.content == expected

    def close(self) -> None:
        end_jobs(self.widget)
        self.widget.deleteLater()

    # -- actions that are checked --------------------------------------------------------------------------------------

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Wait until the effects of a change are over. It can be undone and redone, and leaves nothing else to redo."""
        past, before = self.session.history, self.state
        kind = past.last and past.last.kind
        yield
        self.settle()
        after = self.state
        if after.settings == before.settings or past.last is None:
            return
        assert past.last_undone is None
        if kind in (ChangeKind.VOCAB_SIZE, ChangeKind.SPECIAL_TOKENS):
            return  # these are typed, so that another one joins the last, or cancels it out
        self.go(self.session.undo, before)
        self.go(self.session.redo, after)

    def go(self, move: Callable[[], None], expected: State | None = None) -> State:
        """Undo or redo something; return where that leads, which must be `expected` if given."""
        move()
        self.settle()
        state = self.state
        assert expected is None or state == expected
        return state

    def show(self, number: int, *, is_as_saved: bool = False) -> None:
        """Show a branch. It must be as it was left, or with `is_as_saved`, be made as it was when it was saved."""
        before, branch = self.state, self.session.branches.all[number]
        has_waited = self.session.branches.run_of(branch) is not None
        self.session.show_branch(branch)
        self.settle()
        if has_waited or is_as_saved:
            assert self.state == before._replace(current=number)

    def move(self, move: Callable[[], None], wanted: int) -> None:
        """Move the cursor. It must come where a new trainer does, and the overlay, which follows, must move nothing."""
        opened, inputs = self.session.opened.tokenizer, self.made_from(self.session.branches.current)
        move()
        self.settle()
        if opened is not None:
            assert self.session.cursor.position == min(max(0, wanted), opened.run_length)
        elif inputs is not None:
            assert self.session.cursor.position == inputs.step_reached(wanted)
        steps = [run.position for run in self.state.runs]
        self.session.overlay._train()  # which it does when the window has been at rest for a while
        assert [run.position for run in self.state.runs] == steps

    # -- values -----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        corpus, branches, text = self.session.corpus, self.session.branches, self.session.text.content
        documents = tuple((each.title, "".join(each.content.chunks()), each.weight) for each in corpus.documents)
        runs, current = tuple(map(self._run_state, branches.all)), branches.all.index(branches.current)
        return State(documents, corpus.special_tokens, corpus.vocab_size, runs, current, text)

    def _run_state(self, branch: Branch) -> RunState:
        known, is_stale = self.session.branches.merges_of(branch), self.session.branches.is_stale(branch)
        state = RunState(branch.name, branch.recipe, branch.plan)
        return state.with_merges(*known, is_stale=is_stale) if known else state

    def saved_state(self, forgotten: Sequence[int] = ()) -> State:
        """Return the state as a project keeps it: a main run that could not be made again is still the saved one.

        Leave out the merges of the `forgotten` runs.
        """
        state, saved, opened = self.state, self.restorer.saved_run, self.session.opened.tokenizer
        runs = [RunState(*run[:3]) if number in forgotten else run for number, run in enumerate(state.runs)]
        if saved is not None:
            step = opened.position if opened is not None and opened.source is saved else saved.step
            runs[0] = runs[0].with_merges(saved.tokenizer, step, is_stale=saved.stale)
        shows_run = opened is None and not runs[0].is_stale
        return state._replace(runs=tuple(runs), current=state.current if shows_run else 0)

    @property
    def opened(self) -> list[tuple[Path, int]]:
        """The files of the opened tokenizers, with their steps."""
        tokenizers = self.session.opened.tokenizers
        return sorted((each.source.path, each.position) for each in tokenizers if each.format != PROJECT)

    def _tokenizer_shown(self) -> Tokenizer | None:
        """Return the tokenizer that should be on screen, made or read anew; None if there is no run."""
        opened, step = self.session.opened.tokenizer, self.session.cursor.position
        if opened is not None:
            source = opened.source
            return (source.tokenizer if isinstance(source, SavedRun) else load(source.path)).at(step)
        inputs = self.made_from(self.session.branches.current)
        return trainer_of(inputs).tokenizer(step) if inputs else None

    def inputs_of(self, branch: Branch) -> Inputs:
        """Return what a branch's run should be made from."""
        documents, specials = self.session.corpus.documents, self.session.corpus.special_tokens
        texts = tuple("".join(each.content.chunks()) for each in documents)
        return Inputs(texts, tuple(each.weight for each in documents), branch.recipe, specials, branch.plan)

    def made_from(self, branch: Branch) -> Inputs | None:
        """Return what a branch's run says that it was made from; None if there is no run."""
        run = self.session.branches.run_of(branch)
        if run is None or run.inputs is None:
            return None
        texts = tuple("".join(content.chunks()) for content, _state in run.inputs.contents)
        weights = run.inputs.weights or (Fraction(1),) * len(texts)
        return Inputs(texts, weights, run.inputs.recipe, run.inputs.special_tokens, run.inputs.plan)

    # -- what always holds --------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Remember the present as the state to which undoing everything leads."""
        self._first, self._first_text = self.state, self.session.text.live
        self._first_documents = [each.identity for each in self.session.corpus.documents]
        self._typed: dict[object, str] = {}

    def type_in_document(self, number: int, text: str) -> None:
        """Make this the text of a document, as its editor does, which is not a change that the session undoes."""
        self._typed[self.session.corpus.documents[number].identity] = text
        self.session.corpus.edit_document(number, text)

    def check(self) -> None:
        """Check everything that holds whenever no work is in progress."""
        for branch in self.session.branches.all:
            self._is_function_of_its_inputs(branch)
        self._is_up_to_date()
        for look, announced in self.announced.items():
            assert look() == announced
        for error in self.failures:
            assert isinstance(error, EngineError) and str(error).endswith(".")
        shown: list[ShownObject] = [*self.session.branches.all, *self.session.opened.tokenizers]
        assert len({distinct_name(self.session, each) for each in shown}) == len(shown)
        if self.session.history.last is None:
            self._is_as_at_first()

    def _is_function_of_its_inputs(self, branch: Branch) -> None:
        """Check the merges of a branch, and that it is stale if it was made from other inputs than the present ones."""
        run, inputs = self.session.branches.run_of(branch), self.made_from(branch)
        if run is None or inputs is None:
            return
        assert self.session.branches.is_stale(branch) == (inputs != self.inputs_of(branch))
        position, last = run.trainer.position, run.trainer.run_length
        assert 0 <= position <= last == inputs.step_reached(last)
        made, again = run.trainer.tokenizer(last), trainer_of(inputs).tokenizer(last)
        assert (made.merges, made.merge_counts) == (again.merges, again.merge_counts)

    def _is_up_to_date(self) -> None:
        """Check the words, the run and the ids. A run without steps is never stale."""
        corpus, counts, run, text = self.session.corpus, self.session.counts, self.session.run, self.session.text
        shown = self.session.branches.current
        assert (corpus.recipe, corpus.plan) == (shown.recipe, shown.plan)
        if counts.error is None:
            assert counts.words is not None and dict(counts.words) == dict(words_of(self.inputs_of(shown)))
            assert run.exists and not (run.is_stale and run.is_replaceable)
            assert run.is_stale == self.session.branches.is_stale(shown)
        tokenizer = self._tokenizer_shown()
        if tokenizer is not None and text.error is None:
            ids = tokenizer.with_unknown_id(UNKNOWN_ID).encode(text.content, allowed_special="all")
            assert text.live.encoding is not None and text.live.encoding.ids == ids

    def _is_as_at_first(self) -> None:
        """Check that only what was typed is left, and documents that were added and then typed in."""
        state, now = self.state, [each.identity for each in self.session.corpus.documents]
        assert [each for each in now if each in self._first_documents] == self._first_documents
        assert {*now} - {*self._first_documents} <= self._typed.keys()
        for identity, (title, text, weight) in zip(self._first_documents, self._first.documents, strict=True):
            assert state.documents[now.index(identity)] == (title, self._typed.get(identity, text), weight)
        first = self._first._replace(documents=state.documents, text=str(self._first_text))
        assert state.settings == first.settings

    # -- projects ---------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Save everything as a project."""
        snapshot = ProjectSnapshot.of(self.session, self.restorer.saved_run)
        assert snapshot is not None
        save_project(snapshot.project(FileDigests(), None, lambda _done, _total: None), path)

    def open(self, path: Path) -> None:
        """Open a project, and wait until it is restored."""
        self.restorer.restore(read_project(path, FileDigests(), lambda _done, _total: None))
        self.settle()
