"""The changes of a session other than typing, each of which can be undone and redone."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import chain, zip_longest
from typing import Final
from weakref import WeakSet

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import LiveText, TextDocument, Trainer
from bpe_gui.gui.look.lifetime import Borrowed

from .branches import Branch, Branches, BranchState, free_name
from .corpus import CorpusDocument, RunInputs, SessionCorpus
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


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Everything that a change can affect, except the runs. It shares all objects with the session.

    The recipe and the plan are those of the branches. The state remembers which branch is current, but switching
    branches is not a change.
    """

    documents: tuple[CorpusDocument, ...]
    branches: tuple[BranchState, ...]
    current: Branch
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: LiveText

    def is_same_as(self, other: "_State") -> bool:
        """Return whether another state has the very same documents and text, and equal settings."""
        return (
            not _differ(self.documents, other.documents)
            and self.text is other.text
            and (self.branches, self.special_tokens, self.vocab_size)
            == (other.branches, other.special_tokens, other.vocab_size)
        )

    def parts(self) -> dict[object, object]:
        """Return a value for each document, branch and setting; the keys are the same in every state."""
        return {
            **{each.identity: id(each.content) for each in self.documents},
            **{each.branch: each for each in self.branches},
            "special tokens": self.special_tokens,
            "size": self.vocab_size,
            "text": id(self.text),
        }


@dataclass(slots=True, eq=False)
class Change:
    """The state before and after a change. `runs` are those of the runs it dropped that are still kept.

    `lost` holds the branches whose run it dropped on purpose, with or without steps, and `stale` the runs that were
    already out of date before.
    """

    kind: ChangeKind
    before: _State
    after: _State
    runs: Mapping[Branch, KeptRun] = field(default_factory=dict)
    lost: Collection[Branch] = ()
    stale: Collection[Trainer] = ()

    @property
    def characters(self) -> int:
        """The approximate number of characters of text that the change replaced."""
        documents = _without(self.before.documents, self.after.documents)
        texts = (each.content.text for each in documents if isinstance(each.content, TextDocument))
        text = 0 if self.before.text is self.after.text else len(self.before.text)
        return sum(map(len, texts)) + text

    def joined_before(self, earlier: "Change") -> _State:
        """Return the state before `earlier`, a change of the same kind that is merged with this one."""
        name = _JOINED[self.kind]
        return replace(self.before, **{name: getattr(earlier.before, name)})

    def has_effect_on(self, state: _State) -> bool:
        """Return whether reverting the change would change anything besides the runs, or bring back a run.

        A run that was not kept can be started again only while everything is as it was.
        """
        if not self.reverted(state).is_same_as(state):
            return True
        comes_back = any(each.branch in self.runs for each in state.branches)
        return bool(self.lost) and (comes_back or self.after.is_same_as(state))

    def is_untouched_in(self, state: _State) -> bool:
        """Return whether nothing that the change affected has changed since, apart from typing in the text.

        A change that replaced the corpus affects all documents; undoing it takes the run away from a branch made since.
        """
        if self.kind in _REPLACING:
            new_branches = {each.branch for each in state.branches} - {each.branch for each in self.after.branches}
            if new_branches or _differ(self.after.documents, state.documents):
                return False
        before, after, now = (each.parts() for each in (self.before, self.after, state))
        changed = (part for part in {**before, **after} if before.get(part) != after.get(part))
        return all(now.get(part) == after.get(part) for part in changed)

    def reverted(self, state: _State) -> _State:
        """Return a later state with this change undone, keeping everything typed and changed since."""
        before, after = self.before, self.after
        branches = self._reverted_branches(state.branches)
        present = [each.branch for each in branches]
        wanted = before.current if self.concerns_branches and before.current in present else state.current
        return _State(
            self._reverted_documents(state.documents),
            branches,
            wanted if wanted in present else present[0],
            before.special_tokens if before.special_tokens != after.special_tokens else state.special_tokens,
            before.vocab_size if before.vocab_size != after.vocab_size else state.vocab_size,
            before.text if before.text is not after.text else state.text,
        )

    @property
    def concerns_text(self) -> bool:
        """Whether the change replaced the text to encode."""
        return self.before.text is not self.after.text

    @property
    def concerns_branches(self) -> bool:
        """Whether the change added, dropped or changed a branch, or dropped its run."""
        return bool(self.lost or self.runs) or self.before.branches != self.after.branches

    def _reverted_branches(self, branches: tuple[BranchState, ...]) -> tuple[BranchState, ...]:
        """Return `branches` without those that the change added, with those it dropped, and the others as before."""
        before, after = ({each.branch: each for each in state.branches} for state in (self.before, self.after))
        if self.before.branches == self.after.branches:
            return branches
        result = [
            _reverted_branch(each, before[each.branch], after[each.branch])
            if each.branch in before and each.branch in after
            else each
            for each in branches
            if each.branch in before or each.branch not in after
        ]
        present = {each.branch for each in result}
        for index, each in enumerate(self.before.branches):
            if each.branch not in after and each.branch not in present:
                result.insert(index, each)
        return _with_free_names(result, branches)

    def _reverted_documents(self, documents: tuple[CorpusDocument, ...]) -> tuple[CorpusDocument, ...]:
        """Return `documents` without those that the change added (unless edited since), plus those that it removed.

        If the change replaced the corpus, return the corpus before it.
        """
        before, after = self.before.documents, self.after.documents
        if before is after:
            return documents
        if self.kind in (*_REPLACING, ChangeKind.TYPING):
            return before  # the texts of two corpora are never mixed
        if self.kind is ChangeKind.WEIGHTS:
            return _reweighted(documents, before, after)
        result = _without(documents, _without(after, before))
        positions = {id(document): position for position, document in enumerate(before)}
        for document in _without(before, after):
            result.insert(positions[id(document)], document)
        return tuple(result)


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A point to return to: the state and the runs at that point, and the changes before it."""

    state: _State
    runs: Mapping[Branch, KeptRun]
    changes: tuple[Change, ...]
    project: object


def _reverted_branch(state: BranchState, before: BranchState, after: BranchState) -> BranchState:
    """Return a later state of a branch with the change undone."""
    return BranchState(
        state.branch,
        before.name if before.name != after.name else state.name,
        before.recipe if before.recipe != after.recipe else state.recipe,
        before.plan if before.plan != after.plan else state.plan,
    )


def _with_free_names(states: Sequence[BranchState], present: Collection[BranchState]) -> tuple[BranchState, ...]:
    """Return the states, in which a name that comes back gets a number if a branch made since has taken it."""
    names = {each.name for each in states if each in present}
    result = []
    for each in states:
        name = each.name if each in present else free_name(each.name, names)
        names.add(name)
        result.append(replace(each, name=name))
    return tuple(result)


class History(QObject):
    """The changes that can be undone or redone.

    Typing is not among them, because editors have their own histories; undoing a change keeps what was typed since.
    Only before a change that replaced the corpus is undone, what was typed in that corpus is undone as one change.
    Changes of the recipe, plan, special tokens, size, documents or branches are recorded automatically. Use `group` to
    make one change out of several, or to record that runs were dropped. Objects are shared with the session, not
    copied; the last few dropped runs are kept, and come back at their step.

    - `reverting`: a change is about to be undone or redone; editors must commit pending typing now.
    - `changed`: `last` or `last_undone` may have changed.
    """

    _make_run = Borrowed[Callable[[], None]]()
    _show_branch = Borrowed[Callable[[Branch], None]]()
    _stop_work = Borrowed[Callable[[], None]]()

    reverting = Signal()
    changed = Signal()

    def __init__(
        self,
        corpus: SessionCorpus,
        branches: Branches,
        text: EncodedText,
        stop_work: Callable[[], None],
        show_branch: Callable[[Branch], None],
        make_run: Callable[[], None],
        parent: QObject,
    ) -> None:
        """`stop_work` ends the threads that work on runs; `make_run` makes the current branch's run again."""
        super().__init__(parent)
        self._corpus = corpus
        self._branches = branches
        self._text = text
        self._stop_work = stop_work
        self._show_branch = show_branch
        self._make_run = make_run
        self._done: deque[Change] = deque()
        self._undone: deque[Change] = deque()
        self._project = object()  # another one whenever the history starts over
        self._known = self._state()
        self.is_changing = False
        """Whether a change is in progress that consists of several; `changed` follows."""
        corpus.documents_changed.connect(self._record_by_itself)
        corpus.recipe_changed.connect(self._record_by_itself)
        branches.list_changed.connect(self._record_by_itself)
        branches.changed.connect(self._follow)
        corpus.inputs_changed.connect(self._follow)
        text.replaced.connect(self._follow)

    @property
    def last(self) -> Change | None:
        """The change that `undo` would undo; None if there is none."""
        state = self._state()
        change = _last_with_effect(self._done, state)
        return None if change is None else _typing_since(change, state) or change

    @property
    def last_undone(self) -> Change | None:
        """The change that `redo` would redo; None if there is none."""
        return _last_with_effect(self._undone, self._state())

    def holds(self, change: Change) -> bool:
        """Return whether a change can be undone, and nothing but typing has changed the same things since."""
        return change in self._done and change.is_untouched_in(self._state())

    @property
    def corpus_replacements(self) -> frozenset[Change]:
        """The changes in effect that replaced the corpus with another one."""
        return frozenset(change for change in self._done if change.kind in _REPLACING)

    # -- recording --------------------------------------------------------------------------------------------------

    @contextmanager
    def group(self, kind: ChangeKind, *, drops_run: bool = False, keeps_runs: bool = True) -> Iterator[None]:
        """Record everything in the block as one change. `drops_run` says that the block drops the current run.

        Without `keeps_runs`, dropped runs have to be made again when the change is undone.
        """
        if self.is_changing:
            yield
            return
        before, runs, has_steps = self._state(), self._branches.runs(), self._branches.has_steps
        stale = self._stale_in(before)
        with self._pause():
            yield
        after, dropped = self._state(), self._dropped(runs) if keeps_runs else {}
        is_change = has_steps or not before.is_same_as(after)
        lost = {before.current, after.current} if drops_run and is_change else ()
        self._record(Change(kind, before, after, dropped, lost, stale))

    def _dropped(self, runs: Mapping[Branch, KeptRun]) -> dict[Branch, KeptRun]:
        """Return the runs in `runs` that have steps and no longer belong to a branch."""
        dropped = {branch: run for branch, run in runs.items() if self._is_gone(run)}
        return {branch: run for branch, run in dropped.items() if run.trainer.run_length}

    def _stale_in(self, state: _State) -> WeakSet[Trainer]:
        """Return the present runs that are out of date in another state; weakly, so that their memory can be freed."""
        runs, stale = self._branches.runs(), WeakSet[Trainer]()
        for each in state.branches:
            inputs = RunInputs.of(state.documents, each.recipe, state.special_tokens, each.plan)
            if each.branch in runs and runs[each.branch].inputs != inputs:
                stale.add(runs[each.branch].trainer)
        return stale

    def _is_gone(self, run: KeptRun) -> bool:
        """Return whether a run no longer belongs to a branch."""
        return all(run.trainer is not each.trainer for each in self._branches.runs().values())

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
        self._project = object()
        self.changed.emit()

    def record_dropped_run(self, run: KeptRun) -> None:
        """Record that the current branch's run was dropped because training started over."""
        state = self._state()
        self._record(Change(ChangeKind.RESTART, state, state, {state.current: run}, {state.current}))

    def _record_by_itself(self) -> None:
        if not self.is_changing:
            before, after = self._known, self._state()
            self._known = after
            if not before.is_same_as(after):
                self._record(Change(_kind(before, after), before, after, stale=self._stale_in(before)))

    def _follow(self) -> None:
        """Accept the typed text as the current state, without recording a change."""
        if not self.is_changing:
            self._known = self._state()
            self.changed.emit()  # typing may have undone a change

    def _record(self, change: Change) -> None:
        last = self._done[-1] if self._done and not self._undone else None
        if last is not None and not last.runs and last.kind is change.kind in _JOINED:
            self._done.pop()
            change.before, change.stale = change.joined_before(last), last.stale
        self._undone.clear()
        if change.has_effect_on(change.after):
            self._done.append(change)
        self._forget_the_oldest()
        self.changed.emit()

    def _forget_the_oldest(self) -> None:
        for changes in (self._done, self._undone):
            characters = sum(change.characters for change in changes)
            while len(changes) > _MAX_CHANGES or (characters > _MAX_CHARACTERS and len(changes) > 1):
                characters -= changes.popleft().characters
        nearest = chain.from_iterable(zip_longest(reversed(self._undone), reversed(self._done)))
        with_runs = [change for change in nearest if change is not None and change.runs]
        for change in with_runs[_MAX_RUNS:]:
            change.runs = {}
            if change.kind is ChangeKind.RESTART:  # has nothing else to bring back
                (self._done if change in self._done else self._undone).remove(change)

    def _state(self) -> _State:
        corpus = self._corpus
        branches = self._branches
        return _State(
            corpus.documents,
            branches.states,
            branches.current,
            corpus.special_tokens,
            corpus.vocab_size,
            self._text.live,
        )

    # -- undoing ----------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last change, if any."""
        self.reverting.emit()  # now, because pending typing may be what is undone
        if (change := self.last) is not None:
            if change not in self._done:
                self._done.append(change)
            self.revert(change)

    def redo(self) -> None:
        """Redo the change that was undone last, if any."""
        if (change := self.last_undone) is not None:
            self._move(change, self._undone, self._done)

    def revert(self, change: Change) -> None:
        """Undo a change, not necessarily the last one, if that is still possible."""
        if change in self._done:
            self._move(change, self._done, self._undone)

    def mark(self) -> Mark:
        """Return the present as a point to return to. It keeps the runs alive."""
        return Mark(self._state(), self._branches.runs(), tuple(self._done), self._project)

    def reaches(self, mark: Mark) -> bool:
        """Return whether the session still holds the project that it held at a mark."""
        return mark.project is self._project

    def return_to(self, mark: Mark) -> None:
        """Undo everything since a mark as one change, which can be redone; text typed in the same text stays.

        Do nothing if the session holds another project now.
        """
        if not self.reaches(mark):
            return
        self.reverting.emit()
        state, run = self._state(), mark.runs.get(mark.state.current)
        trainers = {id(each.trainer) for each in self._branches.runs().values()}
        is_dropped = run is not None and id(run.trainer) not in trainers
        lost = {mark.state.current} if is_dropped else ()
        change = Change(ChangeKind.RETURN, mark.state, state, self._dropped(mark.runs), lost)
        self._done = deque(mark.changes)
        self._record(change)
        self.revert(change)
        self._show_branch(mark.state.current)

    def _move(self, change: Change, origin: deque[Change], target: deque[Change]) -> None:
        self.reverting.emit()
        origin.remove(change)
        target.append(self._revert(change))
        self._forget_the_oldest()
        self.changed.emit()

    def _revert(self, change: Change) -> Change:
        """Undo a change, and return the change that redoes it.

        Runs made from what is undone would be out of date; they are kept in the returned change.
        """
        before, runs, valid_runs = self._state(), self._branches.runs(), self._branches.valid_runs()
        stale = self._stale_in(before)
        with self._pause():
            target = change.reverted(before)
            if change.concerns_branches:
                self._revert_branches(change, target)
            self._restore(target)
            lost = {*change.lost} - change.runs.keys()
            for branch in lost:
                branch.kept = branch.paused = None
            if self._put_away(valid_runs, change.stale) or self._branches.current in lost:
                self._make_run()
        dropped = self._dropped(runs)
        kept = {branch for branch, run in runs.items() if not self._is_gone(run)}
        lost = {each.branch for each in before.branches if each.branch in change.lost} - kept
        lost |= {before.current} & dropped.keys()
        return Change(change.kind, before, self._state(), dropped, lost, stale)

    def _revert_branches(self, change: Change, target: _State) -> None:
        current = self._branches.current
        if change.lost or current in change.runs or current not in [state.branch for state in target.branches]:
            self._stop_work()  # otherwise the training of a run that stays would only pause
        self._branches.take_states(target.branches, change.runs)
        self._show_branch(target.current)

    def _put_away(self, valid_runs: Mapping[Branch, KeptRun], stale: Collection[Trainer]) -> bool:
        """Drop the runs that are out of date because of a change, except those in `stale`.

        Return whether the current run has to be made again.
        """
        branches = self._branches
        outdated = [
            branch
            for branch, run in branches.runs().items()
            if run.trainer not in stale
            and branch in valid_runs
            and run.trainer is valid_runs[branch].trainer
            and branches.is_stale(branch)
        ]
        for branch in outdated:
            branch.kept = branch.saved = branch.paused = None
        if branches.current in outdated:
            self._stop_work()
            return True
        return not branches.has_steps and branches.is_stale(branches.current)

    def _restore(self, state: _State) -> None:
        corpus = self._corpus
        if _differ(state.documents, corpus.documents):
            corpus.set_documents(state.documents)
        corpus.set_special_tokens(state.special_tokens)
        corpus.set_vocab_size(state.vocab_size)
        if state.text is not self._text.live:
            self._text.set_live(state.text)


def _last_with_effect(changes: deque[Change], state: _State) -> Change | None:
    """Return the last change whose undoing would still have an effect; later edits may have cancelled it out."""
    return next((change for change in reversed(changes) if change.has_effect_on(state)), None)


def _typing_since(change: Change, state: _State) -> Change | None:
    """Return what was typed in a corpus since `change` brought it, as a change; None if it is as it was."""
    documents, now = change.after.documents, state.documents
    if change.kind not in _REPLACING or [id(each.identity) for each in documents] != [
        id(each.identity) for each in now
    ]:
        return None
    is_typed = any(old.content != new.content for old, new in zip(documents, now, strict=True))
    return Change(ChangeKind.TYPING, replace(state, documents=documents), state) if is_typed else None


def _kind(before: _State, after: _State) -> ChangeKind:
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


def _reweighted(
    documents: tuple[CorpusDocument, ...], before: tuple[CorpusDocument, ...], after: tuple[CorpusDocument, ...]
) -> tuple[CorpusDocument, ...]:
    """Return documents, which may have been edited since, with their weights from before the change."""
    changes = {id(new.identity): (old, new) for old, new in zip(before, after, strict=True) if old is not new}

    def reverted(document: CorpusDocument) -> CorpusDocument:
        old, new = changes.get(id(document.identity), (document, document))
        if document is new:
            return old  # the very object, so that earlier changes find it
        return replace(document, weight=old.weight) if document.weight == new.weight != old.weight else document

    return tuple(map(reverted, documents))


def _differ(one: tuple[CorpusDocument, ...], other: tuple[CorpusDocument, ...]) -> bool:
    return one is not other and list(map(id, one)) != list(map(id, other))
