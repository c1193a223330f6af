"""What SentencePiece does to text around its merges: white space as `▁`, and characters replaced by a table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from ..kernels.records import Longs
from ..special_tokens import SpecialTokens
from . import Piece, Pipeline
from .aligned import AlignedText

SPACE: Final = "▁"
"""What stands for a space in tokens."""

_BYTE: Final = re.compile("<0x([0-9A-F]{2})>")
_NO_CHARACTER: Final = re.compile("[\udc80-\udcff]")  # as Python escapes a byte


def _any_of(characters: set[str]) -> str:
    """A pattern that one of the characters matches."""
    return "[" + "".join(map(re.escape, sorted(characters))) + "]"


@dataclass(frozen=True)
class Charsmap:
    """Replaces characters, or several in a row, the longest that are in the table first."""

    replacements: Mapping[str, str]

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.replacements), default=0)

    @cached_property
    def places(self) -> str:
        """A pattern for where something may be to replace: what two characters rule out is not looked at."""
        alone = {key for key in self.replacements if len(key) == 1}
        pairs = {key[:2] for key in self.replacements if len(key) > 1}
        patterns = [_any_of(alone)] if alone else []
        if pairs:
            patterns.append(_any_of({pair[0] for pair in pairs}) + f"(?={_any_of({pair[1] for pair in pairs})})")
        return "|".join(patterns)

    def found(self, text: str, place: int) -> str | None:
        """The longest key that stands at a place."""
        for length in range(self._longest, 0, -1):
            if (key := text[place : place + length]) in self.replacements:
                return key
        return None


class _Chunk(NamedTuple):
    """A stretch of a text and what becomes of it."""

    start: int
    stop: int
    output: str
    is_copy: bool


@dataclass(frozen=True, kw_only=True)
class WhiteSpace:
    """Normalizes as SentencePiece does: by a table first; then white space.

    `symbols` stay as they are. `adds_prefix`: a space is put before the text, or after it if `is_suffix`.
    `removes_extra`: no spaces at the ends, and one instead of several. `escapes`: `▁` instead of spaces.
    """

    charsmap: Charsmap = Charsmap({})
    symbols: tuple[str, ...] = ()
    adds_prefix: bool = True
    removes_extra: bool = True
    escapes: bool = True
    is_suffix: bool = False

    def normalize(self, text: AlignedText) -> AlignedText:
        """The changed text. What is removed, or has become several characters, belongs to the character before."""
        chunks = list(self._without_extra(self._chunks(text.text)) if self.removes_extra else self._chunks(text.text))
        if not chunks:
            return AlignedText("", text.starts[:0], text.stops[:0])
        outputs = "".join(chunk.output for chunk in chunks)
        sources = _sources(chunks)
        end = chunks[-1].stop
        space = SPACE if self.escapes else " "
        if self.escapes:
            outputs = outputs.replace(" ", SPACE)
        if self.adds_prefix and not self.is_suffix:
            outputs, sources = space + outputs, np.append(np.int64(chunks[0].start), sources)
        if self.removes_extra and outputs.endswith(space):
            outputs = outputs.rstrip(space)
            sources, end = sources[: len(outputs)], int(sources[len(outputs)])
        if self.adds_prefix and self.is_suffix:
            outputs, sources = outputs + space, np.append(sources, np.int64(end))
        # Where each character begins, and at last where the text ends.
        edges = np.append(text.starts, text.stops[-1:])[np.append(sources, np.int64(end))]
        return AlignedText(outputs, edges[:-1], edges[1:])

    @cached_property
    def _symbols(self) -> "re.Pattern[str]":
        longest_first = sorted(self.symbols, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    @cached_property
    def _places(self) -> "re.Pattern[str]":
        """Where something may be that is not simply copied."""
        firsts = {symbol[0] for symbol in self.symbols} | ({" "} if self.removes_extra else set())
        patterns = [_any_of(firsts)] if firsts else []
        return re.compile("|".join(filter(None, [*patterns, self.charsmap.places])) or "(?!)")

    def _chunks(self, text: str) -> Iterator[_Chunk]:
        done = 0
        for match in self._places.finditer(text):
            place = match.start()
            if place < done or (chunk := self._chunk(text, place)) is None:
                continue
            if place > done:
                yield _Chunk(done, place, text[done:place], True)
            yield chunk
            done = chunk.stop
        if done < len(text):
            yield _Chunk(done, len(text), text[done:], True)

    def _chunk(self, text: str, place: int) -> _Chunk | None:
        if symbol := self._symbols.match(text, place):
            return _Chunk(place, symbol.end(), symbol.group(), True)
        if key := self.charsmap.found(text, place):
            return _Chunk(place, place + len(key), self.charsmap.replacements[key], False)
        return _Chunk(place, place + 1, " ", True) if text[place] == " " else None

    def _without_extra(self, chunks: Iterator[_Chunk]) -> Iterator[_Chunk]:
        """The chunks without the spaces at the beginning, and none that follows another."""
        first = next((chunk for chunk in chunks if chunk.output != " "), None)
        after_space = True
        for chunk in chain([first] if first else [], chunks):
            output = chunk.output.lstrip(" ") if after_space else chunk.output
            after_space = output.endswith(" ") if output else after_space
            yield chunk._replace(output=output, is_copy=chunk.is_copy and output == chunk.output)


def _sources(chunks: list[_Chunk]) -> Longs:
    """By character of the outputs: which character of the text it begins at."""
    sizes = np.array([len(chunk.output) for chunk in chunks], np.int64)
    firsts = np.array([chunk.start for chunk in chunks], np.int64)
    copies = np.array([chunk.is_copy for chunk in chunks], np.int64)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    sources: Longs = np.repeat(firsts, sizes) + np.repeat(copies, sizes) * within
    return sources


@dataclass(frozen=True, kw_only=True)
class SentencePiece(Pipeline):
    """The steps of SentencePiece. Unlike others, symbols are cut out after normalizing, and are no added tokens.

    `symbols` are the user-defined ones with their ids. `cuts` is a pattern for the places that no merge goes over, so
    that words may be merged one by one. `silent` tokens are not in a decoded text; `unknown` stands there as
    `unknown_text`.
    """

    white_space: WhiteSpace
    symbols: Mapping[str, int]
    cuts: str
    silent: frozenset[str]
    unknown: str
    unknown_text: str
    denormalizer: WhiteSpace | None = None

    @cached_property
    def _symbols(self) -> SpecialTokens:
        return SpecialTokens(self.symbols)

    def pieces(self, text: str) -> Iterator[Piece]:
        """The words and symbols of a text in order. Places are bytes of its UTF-8."""
        normalized = self.white_space.normalize(AlignedText.of(text))
        cuts = re.compile(self.cuts)
        done = 0
        for part, is_symbol in self._symbols.cut(normalized.text):
            start, done = done, done + len(part)
            if is_symbol:
                yield Piece(normalized.part(start, done), self.symbols[part])
                continue
            for cut in cuts.finditer(normalized.text, start + 1, done):
                yield Piece(normalized.part(start, cut.start()))
                start = cut.start()
            yield Piece(normalized.part(start, done))

    def decode(self, tokens: list[str]) -> str:
        """The text of tokens as they are spelled in the vocabulary."""
        texts: list[str] = []
        waiting = bytearray()  # of characters that are written as their bytes
        # Whether the space that was put before the text may still come, or several, if none belong there.
        begins = self.white_space.adds_prefix or self.white_space.removes_extra
        for token in tokens:
            byte = _BYTE.fullmatch(token) if self.model.falls_back_to_bytes else None
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
        return self.denormalizer.normalize(AlignedText.of(text)).text if self.denormalizer else text

    def _plain(self, token: str, begins: bool) -> str:
        if token in self.silent:
            return ""
        if token == self.unknown:
            return self.unknown_text
        return (token.removeprefix(SPACE) if begins else token).replace(SPACE, " ")


def _text_of(data: bytearray) -> str:
    """The text of bytes, each of which stands for a character that is missing where it is no UTF-8."""
    return _NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", data.decode("utf-8", "surrogateescape"))
