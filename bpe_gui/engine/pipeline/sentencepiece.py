"""What SentencePiece does to text around its merges: white space as `▁`, and characters replaced by a table."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from ..kernels.records import Longs
from . import Pipeline
from .added_tokens import AddedToken
from .aligned import AlignedText
from .pre_tokenizers import Split

SPACE: Final = "▁"
"""What stands for a space in tokens."""

_BYTE: Final = re.compile("<0x([0-9A-F]{2})>")
_NOTHING: Final = "(?!)"  # matches
_NO_CHARACTER: Final = re.compile("[\udc80-\udcff]")  # as Python escapes a byte


def word_cuts(pieces: Iterable[str]) -> tuple[Split, ...]:
    """What cuts a text where no piece goes over: before a run of `▁`, or after it. So words may be merged one by one.

    >>> [word.text for word in word_cuts(["▁▁", "▁low"])[0].split(AlignedText.of("▁low▁▁lower"))]
    ['▁low', '▁▁lower']
    """
    joined = " ".join(pieces)
    cuts = []
    if not re.search(f"[^ {SPACE}]{SPACE}", joined):
        cuts.append(f"(?<=[^{SPACE}])(?={SPACE})")
    if not re.search(f"{SPACE}[^ {SPACE}]", joined):
        cuts.append(f"(?<={SPACE})(?=[^{SPACE}])")
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
    def _symbol_lengths(self) -> list[int]:
        return _lengths(self.symbols)

    @cached_property
    def _places(self) -> "re.Pattern[str]":
        """What may be more than a character to copy, or may be the second of such."""
        firsts = {symbol[0] for symbol in self.symbols} | ({" "} if self.removes_extra else set())
        characters = firsts | self.charsmap.alone | self.charsmap.seconds
        return re.compile("[" + "".join(map(re.escape, sorted(characters))) + "]" if characters else _NOTHING)

    def _chunks(self, text: str) -> Iterator[_Chunk]:
        done = 0
        for match in self._places.finditer(text):
            at = match.start()
            for place in (at - 1, at) if match.group() in self.charsmap.seconds else (at,):
                if place >= done and (chunk := self._chunk(text, place)):
                    if place > done:
                        yield _Chunk(done, place, text[done:place], True)
                    yield chunk
                    done = chunk.stop
        if done < len(text):
            yield _Chunk(done, len(text), text[done:], True)

    def _chunk(self, text: str, place: int) -> _Chunk | None:
        if symbol := _longest_at(place, text, self.symbols, self._symbol_lengths):
            return _Chunk(place, place + len(symbol), symbol, True)
        if key := self.charsmap.found(text, place):
            return _Chunk(place, place + len(key), self.charsmap.replacements[key], False)
        is_further_space = text[place] == " " and text[place - 1 : place] == " "
        return _Chunk(place, place + 1, " ", True) if is_further_space else None

    def _without_extra(self, chunks: Iterator[_Chunk]) -> Iterator[_Chunk]:
        """The chunks without the spaces at the beginning, and none that follows another."""
        first = next((chunk for chunk in chunks if chunk.output != " "), None)
        after_space = True
        for chunk in chain([first] if first else [], chunks):
            output = chunk.output.lstrip(" ") if after_space else chunk.output
            after_space = output.endswith(" ") if output else after_space
            left_out = len(chunk.output) - len(output)
            yield chunk._replace(output=output, start=chunk.start + left_out if chunk.is_copy else chunk.start)


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
