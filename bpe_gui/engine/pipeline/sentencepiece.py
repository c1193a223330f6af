"""What SentencePiece does to text around its merges: white space as `▁`, and characters replaced by a table."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.aligned_text import AlignedText, code_points, text_of
from bpe_gui.engine.pipeline.fast_splits import AFTER_SPACES, BEFORE_SPACES, SPACE
from bpe_gui.engine.pipeline.pre_tokenizers import Split

_BYTE: Final = re.compile("<0x([0-9A-F]{2})>")
_CODE_POINTS: Final = 0x110000
_NO_CHARACTER: Final = re.compile("[\udc80-\udcff]")  # as Python escapes a byte

Flags = npt.NDArray[np.bool_]


def word_cuts(pieces: Iterable[str]) -> tuple[Split, ...]:
    """What cuts a text where no piece goes over: before a run of `▁`, or after it. So words may be merged one by one.

    >>> from .cut_text import CutText
    >>> word_cuts(["▁▁", "▁low"])[0].split(CutText.of(AlignedText.of("▁low▁▁lower"))).words()
    ['▁low', '▁▁lower']
    """
    pieces = list(pieces)
    cuts = []
    if not any(map(re.compile(f"[^{SPACE}]{SPACE}").search, pieces)):
        cuts.append(BEFORE_SPACES)
    if not any(map(re.compile(f"{SPACE}[^{SPACE}]").search, pieces)):
        cuts.append(AFTER_SPACES)
    return (Split("|".join(cuts), "isolated"),) if cuts else ()


@dataclass(frozen=True)
class Charsmap:
    """Replaces characters, or several in a row, the longest that are in the table first. The name is for people."""

    replacements: Mapping[str, str]
    name: str = ""

    @cached_property
    def _lengths(self) -> list[int]:
        return _lengths(self.replacements)

    @cached_property
    def alone(self) -> frozenset[str]:
        """The characters that are replaced on their own."""
        return frozenset(key for key in self.replacements if len(key) == 1)

    @cached_property
    def seconds(self) -> frozenset[str]:
        """The characters that stand second in what is replaced: there are fewer of them in a text than of the first."""
        return frozenset(key[1] for key in self.replacements if len(key) > 1)

    def found(self, text: str, place: int) -> str | None:
        """The longest key that stands at a place."""
        return _longest_at(place, text, self.replacements, self._lengths)


def _lengths(keys: Iterable[str]) -> list[int]:
    """The lengths that there are, the greatest first."""
    return sorted(set(map(len, keys)), reverse=True)


def _longest_at(place: int, text: str, keys: Container[str], lengths: Iterable[int]) -> str | None:
    return next((key for length in lengths if (key := text[place : place + length]) in keys), None)


class _Chunk(NamedTuple):
    """A stretch of a text and what becomes of it."""

    start: int
    stop: int
    output: str
    is_copy: bool


class _Chunks(NamedTuple):
    """All stretches of a text: where they start, what becomes of each, and which are copies of what they are there."""

    starts: Longs
    outputs: list[str]
    are_copies: Flags

    def begins(self) -> Longs:
        """Where each begins in the output, and the last ends."""
        return np.append(np.int64(0), np.cumsum(np.fromiter(map(len, self.outputs), np.int64, len(self.outputs))))

    def sources(self) -> Longs:
        """By character of the output: which character of the text it begins at."""
        begins = self.begins()
        sizes = np.diff(begins)
        within = np.arange(begins[-1]) - np.repeat(begins[:-1], sizes)
        sources: Longs = np.repeat(self.starts, sizes) + np.repeat(self.are_copies, sizes) * within
        return sources


@dataclass(frozen=True, kw_only=True)
class WhiteSpace:
    """Normalizes as SentencePiece does: by a table first; then white space.

    `symbols` stay as they are. `adds_prefix`: a space is put before the text, or after it if `is_suffix`.
    `removes_extra`: no spaces at the ends, and one instead of several. `escapes`: `▁` instead of spaces.
    """

    charsmap: Charsmap = Charsmap({})
    symbols: frozenset[str] = frozenset()
    adds_prefix: bool = True
    removes_extra: bool = True
    escapes: bool = True
    is_suffix: bool = False

    def normalize(self, text: AlignedText) -> AlignedText:
        """The changed text. What is removed, or has become several characters, belongs to the character before."""
        chunks = self._chunks(text.text)
        first = next((i for i, output in enumerate(chunks.outputs) if not self.removes_extra or output != " "), None)
        if first is None:
            return AlignedText("", text.starts[:0], text.stops[:0])
        start, end = int(chunks.starts[first]), len(text.text)
        outputs, sources = "".join(chunks.outputs), chunks.sources()
        space = SPACE if self.escapes else " "
        if self.removes_extra:
            if chunks.are_copies[first]:
                start += len(chunks.outputs[first]) - len(chunks.outputs[first].lstrip(" "))
            kept = ~_are_extra(outputs, chunks.begins())
            outputs, sources = text_of(code_points(outputs)[kept]), sources[kept]
        if self.escapes:
            outputs = outputs.replace(" ", SPACE)
        if self.adds_prefix and not self.is_suffix:
            outputs, sources = space + outputs, np.append(np.int64(start), sources)
        if self.removes_extra and outputs.endswith(space):
            outputs = outputs.rstrip(space)
            sources, end = sources[: len(outputs)], int(sources[len(outputs)])
        if self.adds_prefix and self.is_suffix:
            outputs, sources = outputs + space, np.append(sources, np.int64(end))
        # Where each character begins, and at last where the text ends.
        edges = np.append(text.starts, text.stops[-1:])[np.append(sources, np.int64(end))]
        return AlignedText(outputs, edges[:-1], edges[1:])

    @cached_property
    def _symbol_lengths(self) -> list[int]:
        return _lengths(self.symbols)

    @cached_property
    def _alone(self) -> Flags:
        return _flags(self.charsmap.alone)

    @cached_property
    def _near_longer(self) -> Flags:
        """By character: whether more than it may be replaced, or stay as it is, from there on or from one before on."""
        return _flags(self.charsmap.seconds | {symbol[0] for symbol in self.symbols})

    def _chunks(self, text: str) -> _Chunks:
        """What is changed, what is copied between, and on their own the spaces that follow others."""
        codes = code_points(text)
        alone = self._alone[codes]
        if self.removes_extra:
            alone[1:] |= (codes[1:] == ord(" ")) & (codes[:-1] == ord(" "))
        longer = list(self._longer(text, np.flatnonzero(self._near_longer[codes])))
        for chunk in longer:
            alone[chunk.start : chunk.stop] = False
        singles = np.flatnonzero(alone)
        outputs = list(map(self.charsmap.replacements.get, text_of(codes[singles]), repeat(" ")))
        starts, stops, are_copies = singles, singles + 1, ~self._alone[codes[singles]]
        if longer:
            starts = np.append(starts, [chunk.start for chunk in longer])
            stops = np.append(stops, [chunk.stop for chunk in longer])
            are_copies = np.append(are_copies, [chunk.is_copy for chunk in longer])
            order = np.argsort(starts)
            starts, stops, are_copies = starts[order], stops[order], are_copies[order]
            outputs += [chunk.output for chunk in longer]
            outputs = [outputs[index] for index in order.tolist()]
        return _with_copies(text, starts, stops, outputs, are_copies)

    def _longer(self, text: str, places: Longs) -> Iterator[_Chunk]:
        """What stays as it is, and what is replaced together with a character that may stand second."""
        done = 0
        for at in places.tolist():
            for place in (at - 1, at):
                if place >= done and (chunk := self._chunk(text, place)):
                    yield chunk
                    done = chunk.stop

    def _chunk(self, text: str, place: int) -> _Chunk | None:
        if symbol := _longest_at(place, text, self.symbols, self._symbol_lengths):
            return _Chunk(place, place + len(symbol), symbol, True)
        if key := self.charsmap.found(text, place):
            return _Chunk(place, place + len(key), self.charsmap.replacements[key], False)
        return None


def _with_copies(text: str, starts: Longs, stops: Longs, outputs: list[str], are_copies: Flags) -> _Chunks:
    """Stretches of a text together with what is before, between and after them."""
    count = 2 * len(outputs) + 1
    befores, afters = np.append(np.int64(0), stops), np.append(starts, len(text))
    all_starts, are_all_copies, kept = np.empty(count, np.int64), np.ones(count, bool), np.ones(count, bool)
    all_starts[::2], all_starts[1::2] = befores, starts
    are_all_copies[1::2] = are_copies
    kept[::2] = befores < afters
    pieces = [""] * count
    pieces[::2] = map(text.__getitem__, map(slice, befores.tolist(), afters.tolist()))
    pieces[1::2] = outputs
    return _Chunks(all_starts[kept], list(compress(pieces, kept.tolist())), are_all_copies[kept])


def _flags(characters: Iterable[str]) -> Flags:
    """By code point: whether it is one of these characters."""
    flags = np.zeros(_CODE_POINTS, bool)
    flags[code_points("".join(characters))] = True
    return flags


def _are_extra(text: str, begins: Longs) -> Flags:
    """Which spaces are at the beginning of one of the stretches of a text, after another space or nothing."""
    are_spaces = code_points(text) == ord(" ")
    others = np.append(np.flatnonzero(~are_spaces), len(text))
    are_extra = np.append(are_spaces, False)[begins[:-1]] & np.append(True, are_spaces)[begins[:-1]]
    are_extra &= begins[:-1] < begins[1:]
    begins, ends = begins[:-1][are_extra], begins[1:][are_extra]
    ends = np.minimum(ends, others[np.searchsorted(others, begins)])
    steps = np.zeros(len(text) + 1, np.int8)
    steps[begins] += 1
    steps[ends] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0


@dataclass(frozen=True, kw_only=True)
class SentencePiece(Pipeline):
    """The steps of SentencePiece. Its user-defined symbols are added tokens that are `normalized`: they are looked for
    in the normalized text, but, unlike others, as they are."""

    def found_as(self, token: AddedToken) -> str:
        """What a symbol is looked for as."""
        return token.content


@dataclass(frozen=True, kw_only=True)
class PieceDecoder:
    """From pieces back to text. `white_space` is what the text was normalized by.

    `has_bytes`: there are pieces that stand for a byte. `silent` ones are left out; the piece `unknown` becomes
    `unknown_text`. At last, the text is normalized by `after`.
    """

    white_space: WhiteSpace
    has_bytes: bool = False
    silent: frozenset[str] = frozenset()
    unknown: str = ""
    unknown_text: str = ""
    after: WhiteSpace | None = None

    def decode(self, tokens: list[str]) -> list[str]:
        """The text, as a list of one.

        >>> PieceDecoder(white_space=WhiteSpace()).decode(["▁low", "er", "▁low"])
        ['lower low']
        """
        texts: list[str] = []
        waiting = bytearray()  # of characters that are written as their bytes
        # Whether the space that was put before the text may still come, or several, if none belong there.
        begins = self.white_space.adds_prefix or self.white_space.removes_extra
        for token in tokens:
            byte = _BYTE.fullmatch(token) if self.has_bytes else None
            if byte:
                waiting += bytes.fromhex(byte[1])
                continue
            texts.append(_text_of(waiting))
            waiting.clear()
            begins = begins and not any(texts)
            texts.append(self._plain(token, begins))
            begins = begins and (self.white_space.removes_extra or not token.startswith(SPACE))
        texts.append(_text_of(waiting))
        text = "".join(texts)
        return [self.after.normalize(AlignedText.of(text)).text if self.after else text]

    def _plain(self, token: str, begins: bool) -> str:
        if token in self.silent:
            return ""
        if token == self.unknown:
            return self.unknown_text
        return (token.removeprefix(SPACE) if begins else token).replace(SPACE, " ")


def _text_of(data: bytearray) -> str:
    """The text of bytes, each of which stands for a character that is missing where it is no UTF-8."""
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", data.decode("utf-8", "surrogateescape"))
