"""The words around a stretch of text, and how the symbols of a word have merged."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from bpe_gui.engine.runtime.printable import END_OF_WORD
from bpe_gui.engine.text.alphabet import marker_of, symbols_of
from bpe_gui.engine.text.alternatives import matching_alternative
from bpe_gui.engine.text.compiled_splitters import Chunker, split_text, splitter_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import merge_steps

from .results import Span

if TYPE_CHECKING:
    from bpe_gui.engine.pipeline.pipeline import Pipeline

_WINDOW: Final = 1 << 14
"""How many bytes before and after a stretch to search for words first."""


@dataclass(frozen=True)
class Word:
    """A word or special token of a text: where it is, and its initial symbols.

    Symbol i covers the bytes [`starts[i]`, `stops[i]`). A word that is encoded whole has a token's id instead.
    """

    span: Span
    symbols: tuple[bytes, ...] = ()
    starts: tuple[int, ...] = ()
    stops: tuple[int, ...] = ()
    token: bytes = b""
    token_id: int | None = None
    is_phrase: bool = False
    """Whether the symbols are neighbouring words that may join."""
    find_alternative: Callable[[], Span] | None = field(default=None, compare=False)

    @property
    def start(self) -> int:
        """The byte at which the word begins."""
        return self.span.start

    @property
    def stop(self) -> int:
        """The byte at which the word ends."""
        return self.span.stop

    def covers(self, start: int, stop: int) -> bool:
        """Return whether symbols cover all of the bytes [start, stop). An unknown or removed character has none."""
        sizes = (min(end, stop) - max(begin, start) for begin, end in zip(self.starts, self.stops, strict=True))
        return sum(size for size in sizes if size > 0) == stop - start

    def described(self) -> Span:
        """Return the span of the word with the alternative of the splitter that matched it, if known."""
        return self.span if self.find_alternative is None else self.find_alternative()


# -- words of a recipe ---------------------------------------------------------------------------------------------


def words_of_recipe(text: bytes, start: int, stop: int, recipe: Recipe, special_ids: Mapping[str, int]) -> list[Word]:
    """Return the words of a text that overlap or adjoin the bytes [start, stop), in order."""
    at, end = _window(text, start, stop, Chunker(splitter_of(recipe), list(special_ids)))
    found: list[Word] = []
    for section in split_text(text[at:end].decode(), recipe, SpecialTokens(special_ids)):
        if section.is_special:
            token = section.text.decode()
            span = Span(token, at, at + len(section.text), is_special=True)
            if span.stop >= start and span.start <= stop:
                found.append(Word(span, token=section.text, token_id=special_ids[token]))
        for first, last in zip(section.starts.tolist(), section.stops.tolist(), strict=True):
            if at + last >= start and at + first <= stop:
                found.append(_word(section.text, first, last, at, recipe))
        at += len(section.text)
    return found


def words_and_phrases(text: bytes, start: int, stop: int, tokenizer: Tokenizer) -> list[Word]:
    """Return the words as `words_of_recipe` does, and phrases, for a tokenizer in which whole words join."""
    at, end = _window(text, start, stop, tokenizer.chunker)
    starts = [*(tokenizer.word_starts(text[at:end]) + at).tolist(), end]
    first = starts[max(0, bisect_right(starts, start) - 1)]
    last = starts[min(bisect_left(starts, stop), len(starts) - 1)]
    words = words_of_recipe(text, first, last, tokenizer.recipe, tokenizer.obeyed_special_tokens)
    if any(word.start < offset < word.stop for word in words for offset in (start, stop)):
        return words  # a part of a word is explained by the merges for words
    groups: list[list[Word]] = []
    for word in words:
        if groups and word.start not in starts:
            groups[-1].append(word)
        else:
            groups.append([word])
    found = [group[0] if len(group) == 1 else _phrase(group) for group in groups]
    return [word for word in found if word.stop >= start and word.start <= stop]


def _phrase(words: list[Word]) -> Word:
    """Return neighbouring words as one, whose symbols they are."""
    texts = [word.span.text for word in words]
    starts, stops = tuple(word.start for word in words), tuple(word.stop for word in words)
    span = Span("".join(texts), starts[0], stops[-1])
    return Word(span, tuple(map(str.encode, texts)), starts, stops, is_phrase=True)


def _word(section: bytes, first: int, last: int, at: int, recipe: Recipe) -> Word:
    """Return the word at the bytes [first, last) of a section, which begins at `at` in the text."""
    text, start, stop = section[first:last].decode(), at + first, at + last
    symbols, marker = symbols_of(text, recipe), marker_of(text, recipe)
    sizes = list(map(len, symbols))
    if marker == "prefix":
        sizes[0] = 1  # the space
    elif marker != "none":
        sizes[-1] -= len(END_OF_WORD)

    def with_alternative() -> Span:
        return Span(text, start, stop, alternative=matching_alternative(recipe.splitter, section, first))

    *starts, last_stop = accumulate(sizes, initial=start)
    stops = (*starts[1:], last_stop)
    return Word(Span(text, start, stop), tuple(symbols), tuple(starts), stops, find_alternative=with_alternative)


def _window(text: bytes, start: int, stop: int, chunker: Chunker) -> tuple[int, int]:
    """Return the bytes [begin, end) around a stretch that split into the same words as in the whole text."""
    begin, end = 0, len(text)
    if start > _WINDOW:
        first = _character_start(text, start - _WINDOW)
        found = chunker.last_boundary(text[first : _character_start(text, start)])
        begin = first + found if found else 0
    if len(text) - stop > _WINDOW:
        first = _character_start(text, stop)
        found = chunker.last_boundary(text[first : _character_start(text, stop + _WINDOW)])
        end = first + found if found else len(text)
    return begin, end


def _character_start(text: bytes, offset: int) -> int:
    """Return the start of the character that contains the byte at `offset`."""
    while offset and offset < len(text) and text[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


# -- words of a pipeline -------------------------------------------------------------------------------------------


def words_of_pipeline(text: bytes, start: int, stop: int, tokenizer: Tokenizer, pipeline: "Pipeline") -> list[Word]:
    """Return the words as `words_of_recipe` does, with offsets in the original text, before normalizing."""
    given = text.decode()
    initial = tokenizer.at(0)
    traces, initial_traces = iter(tokenizer.trace(given)), iter(initial.trace(given))
    tokens = initial.token_arrays(text)
    at = len(pipeline.ids_before)  # in the initial symbols
    found: list[Word] = []
    for segment in pipeline.segments(given):
        aligned = segment.text
        first, last = (int(aligned.starts[0]), int(aligned.stops[-1])) if aligned.text else (0, 0)
        size = 1
        if segment.token_id is None:
            trace, initial_trace = next(traces), next(initial_traces)
            size = len(initial_trace.symbols)
            span = Span(trace.word, first, last)
            if trace.is_whole:
                whole = trace.symbols[0]
                word = Word(span, token=whole, token_id=tokenizer.store.ids[whole])
            else:
                _ids, starts, stops = tokens.slice(at, at + size)
                word = Word(span, initial_trace.symbols, tuple(starts.tolist()), tuple(stops.tolist()))
        else:
            content = tokenizer.store.vocab[segment.token_id]
            span = Span(content.decode(errors="replace"), first, last, is_special=True)
            word = Word(span, token=content, token_id=segment.token_id)
        at += size
        if last >= start and first <= stop and last > first:
            found.append(word)
    return found


# -- merging -------------------------------------------------------------------------------------------------------


class Join(NamedTuple):
    """A merge of two symbols in a word. `boundary` is the index of the initial symbol with which the right one begins.

    `order` counts the merges of the word.
    """

    order: int
    boundary: int
    rank: int
    left: bytes
    right: bytes


class WordHistory:
    """The merges from rank `first` up to `position` that apply to a word, and the resulting symbols.

    >>> history = WordHistory((b"l", b"o", b"w"), {(b"o", b"w"): 0}, 1)
    >>> history.symbols(0, 3), history.joins[2].rank
    ((b'l', b'ow'), 0)
    """

    def __init__(
        self,
        symbols: Sequence[bytes],
        ranks: Mapping[TokenPair, int],
        position: int,
        prefix_size: int = 0,
        first: int = 0,
    ) -> None:
        self._first = first
        self.initial: Final = tuple(symbols)
        self.joins: Final[dict[int, Join]] = {}
        """The merge across each index that is not a boundary of symbols."""
        self._current = list(symbols)
        """The symbol that begins at each index, if it is a boundary."""
        self._ranks = ranks
        self._prefix_size = prefix_size
        for order, (rank, left, right) in enumerate(merge_steps(symbols, ranks, position, prefix_size, first)):
            self.joins[right] = Join(order, right, rank, self._current[left], self._current[right])
            self._current[left] += self._current[right][prefix_size:]

    def is_boundary(self, index: int) -> bool:
        """Return whether a symbol now begins at an index; the start and the end of the word are boundaries."""
        return index not in self.joins

    def symbols(self, first: int, last: int) -> tuple[bytes, ...]:
        """Return the symbols that begin from `first` up to `last`."""
        return tuple(self._current[index] for index in range(first, last) if self.is_boundary(index))

    def before(self, join: Join) -> "WordHistory":
        """Return the history up to the step of a merge, without that step."""
        return WordHistory(self.initial, self._ranks, join.rank, self._prefix_size, self._first)

    def in_order(self) -> list[Join]:
        """Return the merges in the order in which they applied."""
        return sorted(self.joins.values())

    def last_join(self, first: int, last: int) -> Join | None:
        """Return the last merge inside the initial symbols from `first` up to `last`, or None."""
        inside = (self.joins[index] for index in range(first + 1, last) if index in self.joins)
        return max(inside, default=None)


class Ends(NamedTuple):
    """The initial symbols before which a stretch may begin and end in a word: several if one there covers no text."""

    starts: range
    stops: range


def ends_of(word: Word, start: int, stop: int) -> Ends | None:
    """Return the ends of the bytes [start, stop), or None if either end is inside an initial symbol.

    >>> ends_of(Word(Span("low", 0, 2), (b"l", b"o", b"</w>"), (0, 1, 2), (1, 2, 2)), 0, 2)
    Ends(starts=range(0, 1), stops=range(2, 4))
    """
    starts = range(bisect_left(word.starts, start), bisect_right(word.starts, start))
    stops = range(bisect_left(word.stops, stop) + 1, bisect_right(word.stops, stop) + 1)
    return Ends(starts, stops) if starts and stops else None
