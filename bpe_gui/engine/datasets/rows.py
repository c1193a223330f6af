"""The ids of documents, in order, encoded by several threads."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.encoding.results import TextIds
from bpe_gui.engine.runtime.errors import EngineError, TokenizerError
from bpe_gui.engine.runtime.threads import threads_worth
from bpe_gui.engine.runtime.types import AnyArray, Int32Array, Int64Array
from bpe_gui.engine.text.special_tokens import TEXT_END
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .blocks import CorpusBlock, Place

_NAMED: Final = 8
"""The most special tokens that an error names."""


class RowsState(NamedTuple):
    """Where a row of ids comes from: its block, whether a document goes on at its begin, and documents before the row.

    Whoever begins there gets the same rows.
    """

    place: Place
    is_open: bool
    documents: int


class Rows(NamedTuple):
    """Ids, with the number of them up to the end of each document that ends here."""

    ids: AnyArray
    ends: Int64Array
    state: RowsState
    done: int
    """How many bytes of files were read up to here."""

    def split(self, documents: int) -> "tuple[Rows, Rows]":
        """Return the first `documents` documents, and the rest."""
        cut = int(self.ends[documents - 1]) if documents else 0
        state = self.state._replace(documents=self.state.documents + documents)
        first = self._replace(ids=self.ids[:cut], ends=self.ends[:documents])
        return first, self._replace(ids=self.ids[cut:], ends=self.ends[documents:] - cut, state=state)


def encoded_blocks(
    tokenizer: Tokenizer, blocks: Iterable[CorpusBlock], threads: int | None
) -> Iterator[tuple[CorpusBlock, TextIds]]:
    """Yield blocks with their ids, in order. Threads work ahead by a few blocks.

    Raise EngineError, for a text that cannot be read after all blocks before it.
    """
    threads = threads or threads_worth(1 << 62, 1)
    waiting: deque[tuple[CorpusBlock, Future[TextIds]]] = deque()
    errors: list[EngineError] = []
    with ThreadPoolExecutor(threads, "encode") as pool:
        try:
            for block in _until_error(blocks, errors):
                waiting.append((block, pool.submit(tokenizer.text_ids, block.text)))
                while len(waiting) > threads + 1 or (waiting and waiting[0][1].done()):
                    yield _result(*waiting.popleft())
            while waiting:
                yield _result(*waiting.popleft())
            for error in errors:
                raise error
        finally:
            for _block, future in waiting:
                future.cancel()


def _until_error(blocks: Iterable[CorpusBlock], errors: list[EngineError]) -> Iterator[CorpusBlock]:
    try:
        yield from blocks
    except EngineError as error:
        errors.append(error)


def _result(block: CorpusBlock, future: "Future[TextIds]") -> tuple[CorpusBlock, TextIds]:
    return block, future.result()


class DocumentMaker:
    """Makes documents of the ids of texts: cuts them after each `separator`, and puts ids before and after each.

    A text ends a document. Where there is a separator, texts without ids are none, and no equal `append` follows it.
    """

    def __init__(self, tokenizer: Tokenizer, *, separator: str | None, prepend: str | None, append: str | None) -> None:
        def token_id(name: str | None, option: str) -> list[int]:
            if name is None:
                return []
            if name not in tokenizer.special_tokens:
                raise TokenizerError(
                    "The {option} {token!r} is not a special token of this tokenizer, which has: {tokens}.",
                    option=option,
                    token=name,
                    tokens=", ".join(map(repr, islice(tokenizer.special_tokens, _NAMED))) or "none",
                )
            return [tokenizer.special_tokens[name]]

        around = tokenizer.pipeline
        ids_before, ids_after = (around.ids_before, around.ids_after) if around else ((), ())
        appended = token_id(append, "append")
        self._separator = next(iter(token_id(separator, "separator")), None)
        self._before = np.array([*token_id(prepend, "prepend"), *ids_before], np.int32)
        self._after = np.array([*ids_after, *appended], np.int32)
        is_there = appended == [self._separator]
        self._after_separator = np.array([*ids_after, *([] if is_there else appended)], np.int32)
        self.is_open = False
        """Whether a document goes on."""

    def rows(self, block: CorpusBlock, found: TextIds) -> Rows:
        """Return the documents of the next block."""
        ids, ends = found
        state = RowsState(block.place, self.is_open, 0)
        goes_on = not block.text.endswith(TEXT_END)
        if self._separator is not None:
            ends = np.union1d(ends, np.flatnonzero(ids == self._separator) + 1)
            if len(ends) and ends[0] == 0 and not self.is_open:
                ends = ends[1:]
            goes_on = len(ids) > int(ends[-1]) if len(ends) else self.is_open or len(ids) > 0
        starts = np.concatenate([[0], ends])[int(self.is_open) : len(ends) + goes_on]
        first, self.is_open = int(self.is_open), goes_on
        if (len(self._before) and len(starts)) or (len(self._after) and len(ends)):
            ids, ends = self._with_ids_around(ids, starts, ends, first)
        return Rows(ids, ends, state, block.done)

    def _with_ids_around(
        self, ids: Int32Array, starts: Int64Array, ends: Int64Array, first: int
    ) -> tuple[Int32Array, Int64Array]:
        """Put ids before documents, which begin at `starts` and have numbers from `first` on, and after their ends."""
        is_cut = np.zeros(len(ends), np.bool_)
        if self._separator is not None:
            is_cut = ids[np.maximum(ends - 1, 0)] == self._separator if len(ids) else is_cut
        groups: Sequence[tuple[Int64Array, Int64Array, Int32Array]] = (
            (starts, 2 * (np.arange(len(starts)) + first), self._before),
            (ends[~is_cut], 2 * np.flatnonzero(~is_cut) + 1, self._after),
            (ends[is_cut], 2 * np.flatnonzero(is_cut) + 1, self._after_separator),
        )
        # In the order of the documents, what is put after one comes before what is put before the next.
        order = np.argsort(np.concatenate([np.repeat(key, len(put)) for _at, key, put in groups]), kind="stable")
        at = np.concatenate([np.repeat(at, len(put)) for at, _key, put in groups])[order]
        put = np.concatenate([np.tile(put, len(at)) for at, _key, put in groups])[order]
        more = np.bincount(np.arange(first, first + len(starts)), minlength=len(ends) + 1)[: len(ends)] * len(
            self._before
        )
        more = more + np.where(is_cut, len(self._after_separator), len(self._after))
        return np.insert(ids, at, put), ends + np.cumsum(more)
