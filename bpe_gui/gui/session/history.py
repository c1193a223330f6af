"""The changes of a session that are not typing, each of which can be undone and redone."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import Recipe, TextDocument
from bpe_gui.engine.live_text import LiveText

from .corpus import SessionCorpus
from .corpus_document import CorpusDocument
from .encoded_text import EncodedText
from .run import KeptRun, Run

_MAX_CHANGES: Final = 100
_MAX_CHARACTERS: Final = 300_000_000  # of texts that only the history keeps
_MAX_RUNS: Final = 3


class ChangeKind(Enum):
    """The kinds of changes, by what the user did."""

    RECIPE = auto()
    VOCAB_SIZE = auto()
    SPECIAL_TOKENS = auto()
    OPENING = auto()
    """Documents were replaced by opened ones."""
    ADDING = auto()
    """Documents were added."""
    REMOVAL = auto()
    """Documents were removed."""
    DOCUMENTS = auto()
    """Documents were replaced one by one, or rearranged."""
    WEIGHTS = auto()
    """Documents count more or less often."""
    SAMPLE = auto()
    TEXT = auto()
    """The text to encode was replaced."""
    RESTART = auto()
    """The run was dropped, and another one begun."""


_JOINED: Final = {ChangeKind.VOCAB_SIZE: "vocab_size", ChangeKind.SPECIAL_TOKENS: "special_tokens"}
"""The kinds that come key by key, of which successive ones become one change, with what they change."""


_REPLACING: Final = (ChangeKind.OPENING, ChangeKind.SAMPLE)
"""The kinds that put another corpus in place of the present one."""


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Everything that a change may change, apart from the run. It shares all objects with the session."""

    documents: tuple[CorpusDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: LiveText

    def is_same_as(self, other: "_State") -> bool:
        """Return whether another state has the same documents and text, not only equal ones, and equal settings."""
        return (
            not _differ(self.documents, other.documents)
            and self.text is other.text
            and (self.recipe, self.special_tokens, self.vocab_size)
            == (other.recipe, other.special_tokens, other.vocab_size)
        )


@dataclass(slots=True, eq=False)
class Change:
    """A change: the state before it and after it. `run` is the run that it dropped, unless it is kept no more."""

    kind: ChangeKind
    before: _State
    after: _State
    run: KeptRun | None = None
    drops_run: bool = False

    @property
    def characters(self) -> int:
        """The approximate number of characters of text that the change replaced."""
        documents = _without(self.before.documents, self.after.documents)
        texts = (each.content.text for each in documents if isinstance(each.content, TextDocument))
        text = 0 if self.before.text is self.after.text else len(self.before.text)
        return sum(map(len, texts)) + text

    def joined_before(self, earlier: "Change") -> _State:
        """Return the state before this change and an earlier one of the same kind, which become one."""
        name = _JOINED[self.kind]
        return replace(self.before, **{name: getattr(earlier.before, name)})

    def has_effect_on(self, state: _State) -> bool:
        """Return whether reverting the change would change anything but the run, or bring back a run.

        A run that was not kept can be begun again only while everything is as it was.
        """
        if not self.reverted(state).is_same_as(state):
            return True
        return self.drops_run and (self.run is not None or self.after.is_same_as(state))

    def reverted(self, state: _State) -> _State:
        """Return a later state without the change, but with all that was typed and changed since."""
        before, after = self.before, self.after
        return _State(
            self._reverted_documents(state.documents),
            before.recipe if before.recipe != after.recipe else state.recipe,
            before.special_tokens if before.special_tokens != after.special_tokens else state.special_tokens,
            before.vocab_size if before.vocab_size != after.vocab_size else state.vocab_size,
            before.text if before.text is not after.text else state.text,
        )

    def _reverted_documents(self, documents: tuple[CorpusDocument, ...]) -> tuple[CorpusDocument, ...]:
        """Return documents without those that the change added, unless edited since, and with those that it removed."""
        before, after = self.before.documents, self.after.documents
        if before is after:
            return documents
        if self.kind is ChangeKind.WEIGHTS:
            return _reweighted(documents, before, after)
        result = _without(documents, _without(after, before))
        for document in _without(before, after):
            result.insert(_index(before, document), document)
        return tuple(result)


class History(QObject):
    """The changes that can be undone, and those that were undone and can be redone.

    Typing is not among them, for editors have histories of their own; undoing a change keeps what was typed since.
    A change of the recipe, the special tokens, the size or the documents is recorded by itself. `group` makes one
    change of several, or of one that drops the run. Objects are shared with the session, nothing is copied; of the runs
    that were dropped, the last few are kept, and come back with their step.

    - `reverting`: a change is about to be undone or made again; what was typed a moment ago has to be passed on now.
    - `changed`: `last` or `last_undone` may have changed.
    """

    reverting = Signal()
    changed = Signal()

    def __init__(
        self,
        corpus: SessionCorpus,
        run: Run,
        text: EncodedText,
        bring_back_run: Callable[[KeptRun | None], None],
        parent: QObject,
    ) -> None:
        """`bring_back_run` replaces the run by one that was dropped; or by a new one, if that was not kept."""
        super().__init__(parent)
        self._corpus = corpus
        self._run = run
        self._text = text
        self._bring_back_run = bring_back_run
        self._done: deque[Change] = deque()
        self._undone: deque[Change] = deque()
        self._known = self._state()
        self._is_paused = False
        corpus.documents_changed.connect(self._record_by_itself)
        corpus.recipe_changed.connect(self._record_by_itself)
        corpus.inputs_changed.connect(self._follow)
        text.replaced.connect(self._follow)

    @property
    def last(self) -> Change | None:
        """The change that `undo` undoes; None if there is none."""
        return _last_with_effect(self._done, self._state())

    @property
    def last_undone(self) -> Change | None:
        """The change that `redo` makes again; None if there is none."""
        return _last_with_effect(self._undone, self._state())

    def holds(self, change: Change) -> bool:
        """Return whether a change can still be undone, and that would change anything."""
        return change in self._done and change.has_effect_on(self._state())

    @property
    def corpus_replacements(self) -> frozenset[Change]:
        """The changes, none of which was undone, that replaced the corpus by another one."""
        return frozenset(change for change in self._done if change.kind in _REPLACING)

    # -- recording --------------------------------------------------------------------------------------------------

    @contextmanager
    def group(self, kind: ChangeKind, *, drops_run: bool = False) -> Iterator[None]:
        """Record all that happens in the block as one change. With `drops_run`, the present run is dropped in it."""
        if self._is_paused:
            yield
            return
        before, run = self._state(), self._run.keep() if drops_run else None
        with self._pause():
            yield
        self._record(Change(kind, before, self._state(), run, drops_run=run is not None))

    @contextmanager
    def _pause(self) -> Iterator[None]:
        self._is_paused = True
        try:
            yield
        finally:
            self._is_paused = False
            self._known = self._state()

    @contextmanager
    def begin_anew(self) -> Iterator[None]:
        """Record nothing of what happens in the block, and forget all changes: the session gets another project."""
        with self._pause():
            yield
        self._done.clear()
        self._undone.clear()
        self.changed.emit()

    def record_dropped_run(self, run: KeptRun) -> None:
        """Record that a run was dropped a moment ago, because training began anew."""
        state = self._state()
        self._record(Change(ChangeKind.RESTART, state, state, run, drops_run=True))

    def _record_by_itself(self) -> None:
        if not self._is_paused:
            before, after = self._known, self._state()
            self._known = after
            if not before.is_same_as(after):
                self._record(Change(_kind(before, after), before, after))

    def _follow(self) -> None:
        """Accept the typed text as the present state, without recording a change."""
        if not self._is_paused:
            self._known = self._state()
            self.changed.emit()  # for what was typed may have undone a change

    def _record(self, change: Change) -> None:
        if self._done and not self._undone and self._done[-1].kind is change.kind in _JOINED:
            change.before = change.joined_before(self._done.pop())
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
        with_runs = [change for change in (*self._undone, *self._done) if change.run is not None]
        for change in with_runs[:-_MAX_RUNS]:
            change.run = None
            if change.kind is ChangeKind.RESTART:  # which has nothing else to bring back
                (self._done if change in self._done else self._undone).remove(change)

    def _state(self) -> _State:
        corpus = self._corpus
        return _State(corpus.documents, corpus.recipe, corpus.special_tokens, corpus.vocab_size, self._text.live)

    # -- undoing ----------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last change, if any."""
        if (change := self.last) is not None:
            self.revert(change)

    def redo(self) -> None:
        """Make the change again that was undone last, if any."""
        if (change := self.last_undone) is not None:
            self._move(change, self._undone, self._done)

    def revert(self, change: Change) -> None:
        """Undo a change, which need not be the last one, if it can still be undone."""
        if change in self._done:
            self._move(change, self._done, self._undone)

    def _move(self, change: Change, origin: deque[Change], target: deque[Change]) -> None:
        self.reverting.emit()
        origin.remove(change)
        target.append(self._revert(change))
        self._forget_the_oldest()
        self.changed.emit()

    def _revert(self, change: Change) -> Change:
        """Restore what a change has changed, and return the change that this is in turn."""
        before = self._state()
        run = self._run.keep() if change.drops_run else None
        with self._pause():
            if change.drops_run:
                self._bring_back_run(change.run)
            self._restore(change.reverted(before))
        return Change(change.kind, before, self._state(), run, drops_run=change.drops_run)

    def _restore(self, state: _State) -> None:
        corpus = self._corpus
        if _differ(state.documents, corpus.documents):
            corpus.set_documents(state.documents)
        corpus.set_recipe(state.recipe)
        corpus.set_special_tokens(state.special_tokens)
        corpus.set_vocab_size(state.vocab_size)
        if state.text is not self._text.live:
            self._text.set_live(state.text)


def _last_with_effect(changes: deque[Change], state: _State) -> Change | None:
    """Return the last change whose reverting would change anything: what it did may have been edited away since."""
    return next((change for change in reversed(changes) if change.has_effect_on(state)), None)


def _kind(before: _State, after: _State) -> ChangeKind:
    if before.recipe != after.recipe:
        return ChangeKind.RECIPE
    if before.special_tokens != after.special_tokens:
        return ChangeKind.SPECIAL_TOKENS
    if before.vocab_size != after.vocab_size:
        return ChangeKind.VOCAB_SIZE
    added = _without(after.documents, before.documents)
    removed = _without(before.documents, after.documents)
    if not added and not removed:
        return ChangeKind.WEIGHTS
    if added and removed:
        return ChangeKind.DOCUMENTS
    return ChangeKind.ADDING if added else ChangeKind.REMOVAL


def _without(documents: Iterable[CorpusDocument], others: Iterable[CorpusDocument]) -> list[CorpusDocument]:
    """Return the documents that are not among others. An edited one is another, one with another weight is not."""
    if documents is others:  # as in most changes, of thousands of documents perhaps
        return []
    identities = set(map(_identity, others))
    return [document for document in documents if _identity(document) not in identities]


def _identity(document: CorpusDocument) -> tuple[int, int]:
    return id(document.identity), id(document.content)


def _reweighted(
    documents: tuple[CorpusDocument, ...], before: tuple[CorpusDocument, ...], after: tuple[CorpusDocument, ...]
) -> tuple[CorpusDocument, ...]:
    """Return documents, which may have been edited since, with the weights before a change instead of those after."""
    changes = {id(new.identity): (old, new) for old, new in zip(before, after, strict=True) if old is not new}

    def reverted(document: CorpusDocument) -> CorpusDocument:
        old, new = changes.get(id(document.identity), (document, document))
        if document is new:
            return old  # as it was, so that earlier changes find it
        return replace(document, weight=old.weight) if document.weight == new.weight != old.weight else document

    return tuple(map(reverted, documents))


def _index(documents: tuple[CorpusDocument, ...], document: CorpusDocument) -> int:
    return next(index for index, each in enumerate(documents) if each is document)


def _differ(one: tuple[CorpusDocument, ...], other: tuple[CorpusDocument, ...]) -> bool:
    return one is not other and list(map(id, one)) != list(map(id, other))
