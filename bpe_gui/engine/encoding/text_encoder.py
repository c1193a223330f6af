"""The interface of encoders, one for recipes and one for pipelines, and how they encode many texts."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from bpe_gui.engine.compilation.kernel import array_at, has_builtins
from bpe_gui.engine.kernels.encoding.ids import fill_lists
from bpe_gui.engine.kernels.text.automaton import Splitter
from bpe_gui.engine.kernels.text.special_search import SpecialTokenTable
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int32Array, Int64Array
from bpe_gui.engine.text.compiled_splitters import Chunker
from bpe_gui.engine.text.special_tokens import TEXT_END
from bpe_gui.engine.text.utf8 import encode_chunks
from bpe_gui.engine.vocabulary.tracing import WordTrace

from .results import ModelWords, TextIds, TokenArrays

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.levels import Utf8Words
    from bpe_gui.engine.pipeline.pipeline import Pipeline


WordFinder: TypeAlias = Callable[[bytes, Int64Array], "Utf8Words"]
"""Finds the words of sections, given by where they begin and end."""


class EncodingOptions(NamedTuple):
    """The options of one call to an encoder."""

    position: int
    """The number of merges that apply, in the order of their ranks."""
    unknown_id: int | None
    """The id to write for symbols that have none; None makes such a symbol an error."""
    threads: int | None = None
    """The most threads to use; by default, this depends on the size of the text."""
    refuses_special: bool = False
    """Whether a special token in the text is an error."""


class ShortTextFunctions(NamedTuple):
    """Built-in functions that encode short texts with certain options. They return None for what they leave to others.

    That is all that is not a short text without errors. They run as a whole: no other thread has a turn.
    """

    listed: Callable[[Any], list[int] | None]
    """Returns the ids of a string as a list."""
    in_array: Callable[[Any], Int32Array | None]
    """Returns the ids of a string as an array."""
    of_utf8: Callable[[Any], Int32Array | None]
    """Returns the same for a text in UTF-8, which it does not check."""
    options: EncodingOptions | None = None
    is_made: Callable[[], bool] = lambda: False
    """Returns whether they are of use, until they have to be made again."""


def _none(_text: object) -> None:
    """Return None."""


NO_SHORT_TEXTS: Final = ShortTextFunctions(_none, _none, _none)
"""Leaves all texts to others."""


class ScannerSettings(NamedTuple):
    """The settings for splitting text: a splitter, and special tokens with their ids in the same order."""

    splitter: Splitter
    specials: SpecialTokenTable
    special_ids: Int32Array


class UnknownSymbolError(TokenizerError):
    """The text has a symbol without an id, and there is no id for unknown symbols."""


class UnknownSymbolIn(Exception):
    """Kernels found a symbol without an id in part of a text, which follows `before` characters (or bytes).

    Users never see it: they get the error above, or ids that are found in another way.
    """

    def __init__(self, part: str, before: int) -> None:
        self.part: Final = part
        self.before: Final = before


class TextEncoder(Protocol):
    """Turns text into ids by the merges of a `MergeStore`.

    One encoder serves the tokenizers of all steps; the options say which merges apply. Several threads may use it at
    once, even while merges are appended to the store.

    Every method raises TokenizerError for text with lone surrogates or bytes that are not UTF-8, and those that take
    options raise UnknownSymbolError. All but `traces`, `ids_by_word` and `word_starts` refuse special tokens if the
    options say so.
    """

    @property
    def pipeline(self) -> "Pipeline | None":
        """The steps of encoding, if a recipe cannot describe them."""

    def chunker_for(self, options: EncodingOptions) -> Chunker:
        """Return what finds chunks of a text that can be encoded one by one."""

    def obeying(self, tokens: frozenset[str]) -> "TextEncoder":
        """Return an encoder that treats only these special tokens as special. It shares the caches."""

    def without_ids_around(self) -> "TextEncoder":
        """Return an encoder that puts no ids around those of a text. It shares the caches."""

    def ids(self, text: str | bytes, options: EncodingOptions) -> Int32Array:
        """Return the ids of a text, given as a string or in UTF-8."""

    def short_texts(self, options: EncodingOptions) -> ShortTextFunctions:
        """Return functions that encode short texts, if there can be any and another text has been encoded before."""

    def listed_batch(self, texts: Iterable[str], options: EncodingOptions) -> list[list[int]]:
        """Return the ids of each text as a list. An error has a note with the number of the text."""

    def text_ids(self, texts: bytes, options: EncodingOptions) -> TextIds:
        """Return the ids of texts in valid UTF-8, each with `TEXT_END` after it, without ids around those of a text.

        Of a text without an end, these are the ids of a chunk, which may also begin the texts; see `chunker_for`. An
        error has a note with the number of the text.
        """

    def token_arrays(self, text: bytes, options: EncodingOptions) -> TokenArrays:
        """Return the ids of a text in UTF-8 with the byte offsets of their tokens."""

    def stream(self, chunks: Iterable[str], options: EncodingOptions) -> Iterator[Int32Array]:
        """Yield the ids of the text that the chunks form together, as soon as they are certain.

        Text is encoded in blocks; after an empty chunk, what has arrived is encoded at once.
        """

    def traces(self, text: str, options: EncodingOptions) -> Iterator[WordTrace]:
        """Yield the merges that apply to each word (pre-token) of a text; special tokens are left out.

        A symbol without an id is not an error here.
        """

    def ids_by_word(self, text: bytes, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of the words (pre-tokens) of a text in UTF-8, and the index of each word's first id.

        The number of ids follows the indices. Special tokens are left out.
        """

    def model_words(self, text: bytes) -> Iterator[ModelWords]:
        """Yield the words of a text in UTF-8 as the merges get them, some at a time."""

    def word_ids(self, words: bytes, starts: Int64Array, options: EncodingOptions) -> tuple[Int32Array, Int64Array]:
        """Return the ids of words that `model_words` yields, and the index of each word's first id.

        Word w is the bytes from `starts[w]` up to `starts[w + 1]`. The number of ids follows the indices.
        """

    def word_starts(self, text: bytes) -> Int64Array:
        """Return the byte offsets at which the words (pre-tokens) and special tokens of a text in UTF-8 begin."""


STREAM_BYTES: Final = 1 << 17
"""How many bytes are encoded at a time if text arrives in chunks."""


def pieces_of_stream(chunks: Iterable[str], chunker: Chunker) -> Iterator[bytes]:
    """Yield the text that chunks form together in UTF-8, in pieces that can be encoded one by one."""
    buffer, wanted = bytearray(), STREAM_BYTES
    for chunk, data in encode_chunks(chunks, error=TokenizerError):
        buffer += data
        if len(buffer) >= wanted or (buffer and not chunk):
            size = chunker.last_boundary(bytes(buffer))
            yield bytes(buffer[:size])
            del buffer[:size]
            # Doubled if there was no boundary, so that a long word is searched only a few times.
            wanted = max(STREAM_BYTES, 0 if size else 2 * len(buffer))
    yield bytes(buffer)


Item = TypeVar("Item")
Result = TypeVar("Result")

GROUP_SIZE: Final = 1 << 20
"""The most characters of texts that are encoded together."""

WORTH_JOINING: Final = 64
"""With at least this many texts in a group, one kernel call for all is faster than one for each."""

_MAX_SHARED: Final = 1 << 20
"""The most integers that lists share. They take 40 MB."""


def grouped(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield texts in groups; a text that exceeds the size of a group is alone.

    >>> list(grouped(["a", "b"]))
    [['a', 'b']]
    """
    try:
        ends = list(accumulate(map(len, texts)))
    except TypeError:  # an item is not a text, which encoding will report
        yield texts
        return
    first = before = 0
    while first < len(texts):
        last = max(first + 1, bisect_right(ends, before + GROUP_SIZE, first))
        yield texts[first:last]
        first, before = last, ends[last - 1]


class IdLists:
    """Makes lists of ids that share Python's integers.

    >>> IdLists(largest_id=6).cut_at(-1, np.array([5, 6, -1, -1], np.int32))
    [[5, 6], []]
    """

    def __init__(self, largest_id: int) -> None:
        # Without the lock that kernels rely on, two threads might make the same integer.
        shared = np.full(min(largest_id + 1, _MAX_SHARED) if has_builtins() else 0, None, object)
        address = shared.__array_interface__["data"][0]
        self.integers: Final[Int64Array] = array_at(address, len(shared), np.int64, owner=shared)
        """See `list_of`."""

    def cut_at(self, mark: int, ids: Int32Array) -> list[list[int]]:
        """Return the lists of ids between marks. The last id must be a mark."""
        lists: list[list[int]] = [[]] * int(np.count_nonzero(ids == mark))
        fill_lists(ids, mark, id(lists), self.integers)
        return lists


@contextmanager
def in_threads(threads: int, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Iterator[Result]]:
    """Provide an iterator over a function's results for items, in order. The threads work ahead.

    >>> with in_threads(2, str, [1, 2]) as results:
    ...     list(results)
    ['1', '2']
    """
    if threads <= 1:
        yield map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # takes 3 ms, and short texts need no threads

    with ThreadPoolExecutor(threads) as pool:
        yield pool.map(function, items)


def text_ids_one_by_one(encoder: TextEncoder, texts: bytes, options: EncodingOptions) -> TextIds:
    """Return what `text_ids` does, by encoding each text alone."""
    found: list[Int32Array] = []
    for number, text in enumerate(texts.split(TEXT_END), 1):
        try:
            found.append(encoder.without_ids_around().ids(text, options))
        except TokenizerError as error:
            error.add_note(f"This is text number {number:,}.")
            raise
    return TextIds(np.concatenate(found), np.cumsum([len(ids) for ids in found[:-1]], dtype=np.int64))


def listed_ids(encoder: TextEncoder, text: str, options: EncodingOptions) -> list[int]:
    """Return the ids of a text as a list. Raise as `TextEncoder` does."""
    short = encoder.short_texts(options).listed(text)
    ids: list[int] = encoder.ids(text, options).tolist() if short is None else short
    return ids


def one_by_one(
    encoder: TextEncoder, texts: Iterable[str], options: EncodingOptions, before: int = 0
) -> Iterator[list[int]]:
    """Yield the ids of texts, which follow `before` others.

    Raise TokenizerError as `TextEncoder` does, with a note that gives the number of the text.
    """
    for number, text in enumerate(texts, before + 1):
        try:
            check_type("text", text, str)
            yield listed_ids(encoder, text, options)
        except (TokenizerError, TypeError) as error:
            error.add_note(f"This is text number {number:,}.")
            raise
