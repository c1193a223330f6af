"""The tokenizers opened from files, each with its own step, and reading them in a thread."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from bpe_gui.engine import (
    EngineError,
    Entries,
    Int64Array,
    Merge,
    Progress,
    ReadTokenizer,
    Tokenizer,
    TokenizerSource,
    no_progress,
)
from bpe_gui.gui.jobs import Activity, JobRunner

NO_ID: Final = -1
"""Stands for the id of a token that is not in the vocabulary."""

PROJECT: Final = "project"
"""The `format` of merges read from a project rather than from a tokenizer's file."""

_PER_CENT: Final = 100
_LOADED, _LISTED, _INDEXED = 45, 70, 85
"""How far along reading a large file is at the end of each stage, in per cent."""


class OpenedTokenizer:
    """A tokenizer’s merges as steps of the cursor; initially at the last position."""

    def __init__(self, read: ReadTokenizer, progress: Progress = no_progress) -> None:
        """Build all tables the window needs. The format is a name in `FORMATS`, or `PROJECT`.

        `lacks` and `is_guessed` are those of the `ReadTokenizer`.
        """
        self.source: Final = read.source
        self.format: Final = read.format
        self._final = tokenizer = read.tokenizer
        self.lacks: Final = read.lacks
        self.is_guessed: Final = read.is_guessed
        self.takes_splitter: Final = read.lacks == "splitter" and tokenizer.recipe.units == "bytes"
        """Whether the file does not say how text is split, so the user may choose a splitter."""
        self._merges = tokenizer.merges
        self.position = len(self._merges)
        """The number of merges done."""
        counts = tokenizer.merge_counts
        self.counts: Final[Int64Array | None] = None if counts is None else np.array(counts, np.int64)
        entries = tokenizer.entries()
        progress(_LISTED, _PER_CENT)
        self.entry_count: Final = len(entries.ids)
        self._ids = {
            token: token_id
            for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
            if step != Entries.SPECIAL
        }
        is_of_bytes = tokenizer.recipe.units == "bytes"
        alphabet = np.flatnonzero(entries.steps == 0).tolist()
        self.unmerged_count: Final = sum(len(entries.tokens[entry]) > 1 for entry in alphabet) if is_of_bytes else 0
        """The number of tokens of several bytes that no merge produces."""
        progress(_INDEXED, _PER_CENT)
        tokenizer.at(0).token_arrays(b"")  # encodes nothing, but builds the encoding tables

    @property
    def name(self) -> str:
        """The name of its file or folder, empty for an internal file."""
        return self.source.name

    @property
    def run_length(self) -> int:
        return len(self._merges)

    def merge_at(self, index: int) -> Merge:
        """Return the merge of rank `index`; its ties are 0, as is an unknown count. Raise IndexError."""
        left, right = self._merges[index]
        token = left + right[self._final.store.prefix_size :]
        count = 0 if self.counts is None else int(self.counts[index])
        return Merge(index, left, right, token, self._ids.get(token, NO_ID), count, 0)

    def peek(self) -> Merge | None:
        """Return the next merge, or None at the end."""
        return self.merge_at(self.position) if self.position < self.run_length else None

    def approach(self, position: int) -> bool:
        """Move to `position`, or the last one if that is nearer; return True, because the move is always complete."""
        self.position = min(max(0, position), self.run_length)
        return True

    def tokenizer(self, position: int | None = None) -> Tokenizer:
        """Return the tokenizer at a position, by default the current one. Raise TokenizerError beyond the last."""
        position = self.position if position is None else position
        return self._final if position == self.run_length else self._final.at(position)

    def pruned(self, _position: int | None = None) -> dict[bytes, int]:
        """Return nothing: no token leaves the vocabulary of a tokenizer."""
        return {}


def read_tokenizer(source: TokenizerSource, progress: Progress = no_progress) -> OpenedTokenizer:
    """Read a tokenizer, which may take seconds. Raise EngineError, and Cancelled from `progress`."""
    progress(0, _PER_CENT)
    read = source.read(progress)
    progress(_LOADED, _PER_CENT)
    return OpenedTokenizer(read, progress)


class TokenizerToOpen(NamedTuple):
    """A tokenizer to read, and the step to show it at; None means the last step, or the one it was at before."""

    source: TokenizerSource
    position: int | None = None


_Outcome = tuple[TokenizerToOpen, OpenedTokenizer | EngineError]


class OpenedTokenizers(QObject):
    """The opened tokenizers, each with its own step. The window can show one of them in place of the run.

    They stay open until they are closed. Opening the same file again rereads it and keeps the step.

    - `list_changed`: `tokenizers` changed.
    - `changed`: `tokenizer` changed.
    - `tokenizer_read(tokenizer)`: a tokenizer was read from its file.
    - `failed(error)`: a file could not be read; the opened tokenizers stay.
    """

    list_changed = Signal()
    changed = Signal()
    tokenizer_read = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.tokenizers: tuple[OpenedTokenizer, ...] = ()
        """All opened tokenizers, in the order they were opened."""
        self._shown: list[OpenedTokenizer | None] = [None]  # each once, most recently shown last; None is the run
        self._being_read: Sequence[TokenizerToOpen] = ()
        self.shows_last = True
        """Whether the last of the tokenizers being read, or read last, is shown."""
        self.name_being_read = ""
        """The name of the file or folder being read, or read last."""
        self.reading = JobRunner(self)
        """Reads tokenizers in a thread. Abandoning it does not close any opened tokenizer."""
        self.reading.progressed.connect(self._note_name)
        self.splitter_of: Callable[[Path], str] = lambda _path: ""
        """Returns the splitter that the user once chose for a file; empty if none."""

    @property
    def tokenizer(self) -> OpenedTokenizer | None:
        """The opened tokenizer on screen; None if the run is."""
        return self._shown[-1]

    # -- opening ----------------------------------------------------------------------------------------------------

    def open(self, source: TokenizerSource, position: int | None = None) -> None:
        """Read a tokenizer in a thread and show it at a step, by default the last one."""
        self.open_all([TokenizerToOpen(source, position)])

    def open_all(self, wanted: Sequence[TokenizerToOpen], *, show_last: bool = True) -> None:
        """Read tokenizers in a thread, one after another, then show the last one unless `show_last` is False.

        Abandons whatever is being read.
        """
        wanted = [each._replace(source=self._as_chosen(each.source)) for each in wanted]
        self.reading.abandon()
        self.shows_last = show_last
        self._being_read, self.name_being_read = wanted, wanted[0].source.name
        self.reading.start(
            name="read tokenizers",
            work=lambda progress: _read_all(wanted, progress),
            on_success=lambda outcomes: self._take(outcomes, show_last=show_last),
            activity=Activity.OPENING,
        )

    def open_beside(self, *sources: TokenizerSource) -> None:
        """Read tokenizers in a thread without showing them, together with what is being read."""
        waiting, beside = self._being_read if self.reading.busy else (), map(TokenizerToOpen, sources)
        shows_last = bool(waiting) and self.shows_last  # so it stays the last one
        self.open_all([*beside, *waiting] if shows_last else [*waiting, *beside], show_last=shows_last)

    def _as_chosen(self, source: TokenizerSource) -> TokenizerSource:
        """Return a source with the splitter that the user once chose for its file."""
        chosen = "" if source.splitter else self.splitter_of(source.path)
        return replace(source, splitter=chosen) if chosen else source

    def _note_name(self, done: int, total: int) -> None:
        """Note which of several tokenizers is being read."""
        count = len(self._being_read)
        self.name_being_read = self._being_read[min(done * count // total, count - 1)].source.name

    def _take(self, outcomes: Sequence[_Outcome], *, show_last: bool) -> None:
        for wanted, outcome in outcomes:
            if isinstance(outcome, EngineError):
                continue
            replaced = next((each for each in self.tokenizers if each.source.path == outcome.source.path), None)
            position = wanted.position
            if position is None and replaced is not None and replaced.peek() is not None:
                position = replaced.position
            if position is not None:
                outcome.approach(position)
            if replaced is not None:
                self._replace(replaced, outcome)
            else:
                self._add(outcome)
            if show_last and outcome is outcomes[-1][1]:
                self.show(outcome)
            self.tokenizer_read.emit(outcome)
        for _wanted, outcome in outcomes:  # last, because reading one withdraws what was said of earlier failures
            if isinstance(outcome, EngineError):
                self.failed.emit(outcome)

    def _replace(self, replaced: OpenedTokenizer, tokenizer: OpenedTokenizer) -> None:
        is_shown = self.tokenizer is replaced
        self.tokenizers = tuple(tokenizer if each is replaced else each for each in self.tokenizers)
        self._shown = [tokenizer if each is replaced else each for each in self._shown]
        self.list_changed.emit()
        if is_shown:
            self.changed.emit()

    def _add(self, tokenizer: OpenedTokenizer) -> None:
        if tokenizer not in self.tokenizers:
            self.tokenizers = (*self.tokenizers, tokenizer)
            self._shown.insert(0, tokenizer)
            self.list_changed.emit()

    # -- showing and closing ----------------------------------------------------------------------------------------

    def show(self, tokenizer: OpenedTokenizer | None, position: int | None = None) -> None:
        """Show a tokenizer, at a step if given; None means the run."""
        if tokenizer is not None:
            self._add(tokenizer)
            if position is not None:
                tokenizer.approach(position)
        if tokenizer is not self.tokenizer or position is not None:
            self._shown.remove(tokenizer)
            self._shown.append(tokenizer)
            self.changed.emit()

    def show_run(self) -> None:
        """Show the run, and stop reading a tokenizer, which would otherwise take its place."""
        self.reading.abandon()
        self.show(None)

    def close(self) -> None:
        """Close the tokenizer on screen, if any, and go back to what was shown before."""
        if self.tokenizer is not None:
            self.close_one(self.tokenizer)

    def close_one(self, tokenizer: OpenedTokenizer) -> None:
        """Close a tokenizer; if it is on screen, go back to what was shown before."""
        is_shown = tokenizer is self.tokenizer
        self.tokenizers = tuple(each for each in self.tokenizers if each is not tokenizer)
        self._shown.remove(tokenizer)
        self.list_changed.emit()
        if is_shown:
            self.changed.emit()

    def close_all(self) -> None:
        """Close all tokenizers and stop reading, because the contents of the session are about to be replaced."""
        self.reading.abandon()
        self.show(None)
        for tokenizer in self.tokenizers:
            self.close_one(tokenizer)


def _read_all(wanted: Sequence[TokenizerToOpen], progress: Progress) -> list[_Outcome]:
    """Read each tokenizer; return it, or the error. Raise Cancelled."""
    total = len(wanted)
    outcomes: list[_Outcome] = []
    for done, each in enumerate(wanted):

        def report_one(of_one: int, total_of_one: int, done: int = done) -> None:
            progress(done * total_of_one + of_one, total * total_of_one)

        try:
            outcomes.append((each, read_tokenizer(each.source, report_one)))
        except EngineError as error:
            outcomes.append((each, error))
    return outcomes
