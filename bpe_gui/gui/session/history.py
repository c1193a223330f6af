"""The changes of a session other than typing, each of which can be undone and redone."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final
from weakref import WeakValueDictionary

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import LiveText, TextDocument

from .branches import Branch, Branches, BranchState
from .corpus import CorpusDocument, RunInputs, SampleSettings, SessionCorpus
from .encoded_text import EncodedText
from .run import KeptRun

_MAX_CHANGES: Final = 100
_MAX_CHARACTERS: Final = 300_000_000  # in texts that only the history keeps
_MAX_RUNS: Final = 3


class ChangeKind(Enum):
    """The kinds of changes, by what the user did."""

    RECIPE = auto()
    PLAN = auto()
    VOCAB_SIZE = auto()
    SPECIAL_TOKENS = auto()
    OPENING = auto()
    """Opened documents replaced the corpus."""
    ADDING = auto()
    """Documents were added."""
    REMOVAL = auto()
    """Documents were removed."""
    DOCUMENTS = auto()
    """Documents were replaced individually, or rearranged."""
    WEIGHTS = auto()
    """The weights of documents changed."""
    SAMPLE = auto()
    TEXT = auto()
    """The text to encode was replaced."""
    RESTART = auto()
    """The run was dropped and a new one started."""
    BRANCH = auto()
    """A branch was made."""
    DROP_BRANCH = auto()
    RENAME_BRANCH = auto()
    RETURN = auto()
    """Everything since a mark was undone together."""
    TYPING = auto()
    """Text typed into a corpus that an earlier change had opened."""


_JOINED: Final = {ChangeKind.VOCAB_SIZE: "vocab_size", ChangeKind.SPECIAL_TOKENS: "special_tokens"}
"""The kinds that arrive keystroke by keystroke, so that successive ones are merged, and the attribute they change."""


_REPLACING: Final = (ChangeKind.OPENING, ChangeKind.SAMPLE)
"""The kinds that replace the whole corpus with another one."""

_WHOLE: Final = (*_REPLACING, ChangeKind.TYPING, ChangeKind.RETURN)
"""The kinds whose undoing keeps nothing that was typed since, because the texts of two corpora are never mixed."""


@dataclass(frozen=True, slots=True, eq=False)
class SessionState:
    """Everything that a change can affect. It shares all objects with the session.

    The recipe and the plan are those of the branches. The state remembers which branch is current, but switching
    branches is not a change. `runs` are those with steps, held weakly: one disappears once nothing else keeps it.
    `trained` are the branches that had such runs.
    """

    documents: tuple[CorpusDocument, ...]
    branches: tuple[BranchState, ...]
    current: Branch
    special_tokens: tuple[str, ...]
    vocab_size: int
    sample: SampleSettings | None
    text: LiveText
    runs: Mapping[Branch, KeptRun]
    trained: frozenset[Branch]

    def is_same_as(self, other: "SessionState") -> bool:
        """Return whether another state has the very same documents and text, and equal settings."""
        mine, others = self.documents, other.documents
        return (
            (mine is others or list(map(id, mine)) == list(map(id, others)))
            and self.text is other.text
            and (self.branches, self.special_tokens, self.vocab_size)
            == (other.branches, other.special_tokens, other.vocab_size)
        )

    def inputs_of(self, branch: Branch) -> RunInputs | None:
        """Return what the run of a branch is made from in this state; None if it does not have the branch."""
        for each in self.branches:
            if each.branch is branch:
                return RunInputs.of(self.documents, each.recipe, self.special_tokens, each.plan)
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """The whole state before and after a change. Only the last change can be undone."""

    kind: ChangeKind
    before: SessionState
    after: SessionState

    @property
    def characters(self) -> int:
        """The approximate number of characters of text that the change replaced."""
        documents = _without(self.before.documents, self.after.documents)
        texts = (each.content.text for each in documents if isinstance(each.content, TextDocument))
        text = 0 if self.before.text is self.after.text else len(self.before.text)
        return sum(map(len, texts)) + text

    @property
    def concerns_text(self) -> bool:
        """Whether the change replaced the text to encode."""
        return self.before.text is not self.after.text

    @property
    def concerns_branches(self) -> bool:
        """Whether the change added, dropped or changed a branch, or dropped its run."""
        branches = {each.branch for each in (*self.before.branches, *self.after.branches)}
        return self.before.branches != self.after.branches or any(map(self._replaced_run_of, branches))

    def _replaced_run_of(self, branch: Branch) -> bool:
        return self.before.runs.get(branch) is not self.after.runs.get(branch)

    def has_effect_on(self, now: SessionState, runs: Mapping[Branch, KeptRun]) -> bool:
        """Return whether undoing the change would change anything besides the runs, or bring back a run.

        A run that was dropped without steps can be started again only while everything is as it was.
        """
        if not self._undone_but_for_runs(now).is_same_as(now):
            return True
        replaced = {each.branch: self.before.runs.get(each.branch) for each in self.before.branches}
        replaced = {branch: run for branch, run in replaced.items() if self._replaced_run_of(branch)}
        comes_back = any(run not in (None, runs.get(branch)) for branch, run in replaced.items())
        is_dropped = any(run is None and branch in now.runs for branch, run in replaced.items())
        return comes_back or (is_dropped and self.after.is_same_as(now))

    def undone_in(self, now: SessionState, runs: Mapping[Branch, KeptRun]) -> SessionState:
        """Return the state before the change, with what was typed since, and with all runs that need not be made again.

        `runs` are the present ones. Those that the change replaced come back; those made from what is undone go.
        """
        state, kept = self._undone_but_for_runs(now), dict[Branch, KeptRun]()
        for branch in (each.branch for each in state.branches):
            known, run = self.before.runs.get(branch), runs.get(branch)
            if self._replaced_run_of(branch):
                run = known
            elif run not in (None, known) and now.inputs_of(branch) == run.inputs != state.inputs_of(branch):
                run = None
            if run is not None:
                kept[branch] = run
        return replace(state, runs=kept)

    def _undone_but_for_runs(self, now: SessionState) -> SessionState:
        before, after = self.before, self.after
        names = {each.branch: each.name for each in after.branches}
        return replace(
            before,
            documents=now.documents if before.documents is after.documents else self._documents_before(now),
            branches=tuple(  # a name that the change has left alone follows the language
                replace(each, name=each.branch.name) if names.get(each.branch) == each.name else each
                for each in before.branches
            ),
            current=before.current if self.concerns_branches else now.current,
            text=before.text if self.concerns_text else now.text,
        )

    def _documents_before(self, now: SessionState) -> tuple[CorpusDocument, ...]:
        """Return the documents before the change, with the text that was typed since in the same corpus."""
        documents = self.before.documents
        typed = {id(each.identity): each for each in _without(now.documents, self.after.documents)}
        if self.kind in _WHOLE or not typed:
            return documents
        before = tuple(_retyped(each, typed.pop(id(each.identity), each)) for each in documents)
        return (*before, *typed.values())


@dataclass(frozen=True, slots=True, eq=False)
class ReturnPoint:
    """A point to return to: the state at that point with all runs, and the changes before it."""

    state: SessionState
    changes: tuple[Change, ...]
    project: object


def _retyped(before: CorpusDocument, typed: CorpusDocument) -> CorpusDocument:
    """Return a document with the text that was typed since, and its weight from before."""
    return typed if typed.weight == before.weight else replace(typed, weight=before.weight)


class History(QObject):
    """The changes that can be undone or redone, each as the whole state before and after it.

    Typing is not among them, because editors have their own histories; undoing a change keeps what was typed since.
    The exception is what was typed in a corpus that a change brought: it is undone first, as one change.
    Changes of the recipe, plan, special tokens, size, documents or branches are recorded automatically. Use `group` to
    make one change out of several. Objects are shared with the session, not copied; the last few dropped runs are kept,
    and come back at their step. The session shows the states.

    - `reverting`: a change is about to be undone or redone; editors must commit pending typing now.
    - `changed`: `last` or `last_undone` may have changed.
    - `recorded`: a change was recorded, undone or redone, or all were forgotten.
    """

    reverting = Signal()
    changed = Signal()
    recorded = Signal()

    def __init__(self, corpus: SessionCorpus, branches: Branches, text: EncodedText, parent: QObject) -> None:
        super().__init__(parent)
        self._corpus = corpus
        self._branches = branches
        self._text = text
        self._done: deque[Change] = deque()
        self._undone: deque[Change] = deque()
        self._dropped: list[list[KeptRun]] = []  # the runs that the last few changes dropped
        self._project = object()  # another one whenever the history starts over
        self._known = self._state()
        self.is_changing = False
        """Whether a change made of several is in progress; `changed` follows."""
        corpus.documents_changed.connect(self._record_automatically)
        corpus.recipe_changed.connect(self._record_automatically)
        branches.list_changed.connect(self._record_automatically)
        branches.changed.connect(self._follow)
        corpus.inputs_changed.connect(self._follow)
        text.replaced.connect(self._follow)

    @property
    def last(self) -> Change | None:
        """The change that is undone next; None if there is none. Changes without effect by now are passed over."""
        state = self._state()
        change = self._last_with_effect(self._done, state)
        return None if change is None else _typing_since(change, state) or change

    @property
    def last_undone(self) -> Change | None:
        """The change that is redone next, as the one that undoing it made; None if there is none."""
        return self._last_with_effect(self._undone, self._state())

    def _last_with_effect(self, changes: Iterable[Change], state: SessionState) -> Change | None:
        runs = self._branches.runs()
        return next((change for change in reversed([*changes]) if change.has_effect_on(state, runs)), None)

    @property
    def corpus_replacements(self) -> frozenset[Change]:
        """The changes in effect that replaced the corpus with another one."""
        return frozenset(change for change in self._done if change.kind in _REPLACING)

    def _state(self) -> SessionState:
        corpus, branches = self._corpus, self._branches
        runs = branches.runs_with_steps()
        return SessionState(
            corpus.documents,
            branches.states,
            branches.current,
            corpus.special_tokens,
            corpus.vocab_size,
            corpus.sample,
            self._text.live,
            WeakValueDictionary(runs),
            frozenset(runs),
        )

    # -- recording --------------------------------------------------------------------------------------------------

    @contextmanager
    def group(self, kind: ChangeKind, *, keeps_runs: bool = True) -> Iterator[None]:
        """Record everything in the block as one change.

        Without `keeps_runs`, dropped runs have to be made again when the change is undone.
        """
        if self.is_changing:
            yield
            return
        before, runs = self._state(), self._branches.runs()
        with self._pause():
            yield
        if keeps_runs:
            self._keep(runs)
        self._record(Change(kind, before, self._state()))

    @contextmanager
    def _pause(self) -> Iterator[None]:
        self.is_changing = True
        try:
            yield
        finally:
            self.is_changing = False
            self._known = self._state()

    @contextmanager
    def start_over(self) -> Iterator[None]:
        """Record nothing in the block, and forget all changes, because another project is opened.

        Within another such block or a `group`, do nothing.
        """
        if self.is_changing:
            yield
            return
        with self._pause():
            yield
        self._done.clear()
        self._undone.clear()
        self._dropped.clear()
        self._project = object()
        self.recorded.emit()
        self.changed.emit()

    def record_dropped_run(self, run: KeptRun) -> None:
        """Record that the current branch's run was dropped because training started over."""
        state = self._state()
        runs = {**state.runs, state.current: run}
        self._keep(runs)
        before = replace(state, runs=WeakValueDictionary(runs), trained=frozenset(runs))
        self._record(Change(ChangeKind.RESTART, before, state))

    def _record_automatically(self) -> None:
        if not self.is_changing:
            after = self._state()
            before, self._known = replace(self._known, runs=after.runs, trained=after.trained), after
            if not before.is_same_as(after):
                self._record(Change(_kind(before, after), before, after))

    def _follow(self) -> None:
        """Accept the typed text as the current state, without recording a change."""
        if not self.is_changing:
            self._known = self._state()
            self.changed.emit()  # typing may have undone a change

    def _record(self, change: Change) -> None:
        last = self._done[-1] if self._done and not self._undone else None
        if last is not None and last.kind is change.kind and (name := _JOINED.get(change.kind)):
            self._done.pop()
            change = replace(change, before=replace(change.before, **{name: getattr(last.before, name)}))
        self._undone.clear()
        if change.has_effect_on(change.after, self._branches.runs()):
            self._done.append(change)
        self._forget_the_oldest()
        self.recorded.emit()
        self.changed.emit()

    def _keep(self, runs: Mapping[Branch, KeptRun]) -> None:
        """Keep those of `runs` that have steps and are no longer present, in place of the oldest."""
        present = list(self._branches.runs().values())
        gone = [run for run in runs.values() if run not in present and run.trainer.run_length]
        before = [[run for run in each if run not in (*present, *gone)] for each in self._dropped]
        self._dropped = [each for each in (*before, gone) if each][-_MAX_RUNS:]

    def _forget_the_oldest(self) -> None:
        for changes in (self._done, self._undone):
            characters = sum(change.characters for change in changes)
            while len(changes) > _MAX_CHANGES or (characters > _MAX_CHARACTERS and len(changes) > 1):
                characters -= changes.popleft().characters

    # -- undoing ----------------------------------------------------------------------------------------------------

    @contextmanager
    def swapping(self, change: Change) -> Iterator[SessionState]:
        """Yield the state before a change, to be shown in the block. Afterwards, it can be redone, or undone again."""
        is_redone = change in self._undone
        origin, target = (self._undone, self._done) if is_redone else (self._done, self._undone)
        now, runs = self._state(), self._branches.runs()
        with self._pause():
            yield change.undone_in(now, runs)
        while change in origin:
            origin.pop()  # and with it, those after it, which had no effect any more
        self._keep(runs)
        target.append(Change(change.kind, now, self._state()))
        self._forget_the_oldest()
        self.recorded.emit()
        self.changed.emit()

    def return_point(self) -> ReturnPoint:
        """Return the present as a point to return to. It keeps the runs alive."""
        return ReturnPoint(replace(self._state(), runs=self._branches.runs()), tuple(self._done), self._project)

    def reaches(self, point: ReturnPoint) -> bool:
        """Return whether the session still holds the project that it held at that point."""
        return point.project is self._project

    def joined_since(self, point: ReturnPoint) -> Change:
        """Forget the changes since a point, and return them as one change, to be undone."""
        self._done, self._undone = deque(point.changes), deque()
        return Change(ChangeKind.RETURN, point.state, self._state())


def _typing_since(change: Change, state: SessionState) -> Change | None:
    """Return what was typed in a corpus since `change` brought it, as a change; None if nothing was."""
    documents, now = change.after.documents, state.documents
    if documents is now:  # which is quicker to see than to compare, for 50,000 documents
        return None
    if change.kind not in _REPLACING or [id(each.identity) for each in documents] != [
        id(each.identity) for each in now
    ]:
        return None
    is_typed = any(old.content != new.content for old, new in zip(documents, now, strict=True))
    return Change(ChangeKind.TYPING, replace(state, documents=documents), state) if is_typed else None


def _kind(before: SessionState, after: SessionState) -> ChangeKind:
    added = _without(after.documents, before.documents)
    removed = _without(before.documents, after.documents)
    if added or removed:  # documents may bring a recipe with them
        both = ChangeKind.DOCUMENTS if removed else ChangeKind.ADDING
        return both if added else ChangeKind.REMOVAL
    if before.branches != after.branches:
        return _branch_kind(before.branches, after.branches)
    if before.special_tokens != after.special_tokens:
        return ChangeKind.SPECIAL_TOKENS
    return ChangeKind.VOCAB_SIZE if before.vocab_size != after.vocab_size else ChangeKind.WEIGHTS


def _branch_kind(before: tuple[BranchState, ...], after: tuple[BranchState, ...]) -> ChangeKind:
    if len(before) != len(after):
        return ChangeKind.BRANCH if len(before) < len(after) else ChangeKind.DROP_BRANCH
    for old, new in zip(before, after, strict=True):
        if old.recipe != new.recipe:
            return ChangeKind.RECIPE
        if old.plan != new.plan:
            return ChangeKind.PLAN
    return ChangeKind.RENAME_BRANCH


def _without(documents: Iterable[CorpusDocument], others: Iterable[CorpusDocument]) -> list[CorpusDocument]:
    """Return the documents that are not in `others`. An edited document is a different one; a reweighted one is not."""
    if documents is others:  # true for most changes, perhaps with thousands of documents
        return []
    identities = set(map(_identity, others))
    return [document for document in documents if _identity(document) not in identities]


def _identity(document: CorpusDocument) -> tuple[int, int]:
    return id(document.identity), id(document.content)
