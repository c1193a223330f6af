"""SentencePiece's text processing around its merges: spaces written as `▁`, and characters replaced by a map.

Source: google/sentencepiece src/normalizer.cc, src/sentencepiece_processor.cc.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, repeat
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array
from bpe_gui.engine.runtime.pickling import PickledByFields

from .added_tokens import AddedToken
from .aligned_text import AlignedText, Offsets, code_points, from_code_points
from .decoders import OneToken
from .pipeline import Pipeline
from .pre_tokenizers import SPACE_SYMBOL, Split

_BYTE: Final = re.compile("<0x([0-9A-F]{2})>")
_SPACES: Final = f"{SPACE_SYMBOL}+"
_CODE_POINTS: Final = 0x110000
_ESCAPED_BYTE: Final = re.compile("[\udc80-\udcff]")  # as Python's error handler `surrogateescape` escapes it


def safe_splits(pieces: Iterable[str]) -> tuple[Split, ...]:
    """Return a step that splits text where no piece extends across, so that words can be merged one by one.

    That is before runs of `▁`, after them, or both. If pieces extend across all of these, return no step.

    >>> [word.text for word in safe_splits(["▁▁", "▁low"])[0].split(AlignedText.of("▁low▁▁lower"))]
    ['▁low', '▁▁lower']
    """
    pieces = list(pieces)
    is_open_before = any(map(re.compile(f"[^{SPACE_SYMBOL}]{SPACE_SYMBOL}").search, pieces))
    is_open_after = any(map(re.compile(f"{SPACE_SYMBOL}[^{SPACE_SYMBOL}]").search, pieces))
    if is_open_before:
        return () if is_open_after else (Split(_SPACES, "merged_with_previous"),)
    return (Split(_SPACES, "merged_with_next" if is_open_after else "isolated"),)


@dataclass(frozen=True)
class CharacterMap(PickledByFields):
    """A map from characters and character sequences to their replacements. The longest match wins.

    `name` is what people call the map, such as `nmt_nfkc`.
    """

    replacements: Mapping[str, str]
    name: str = ""

    @cached_property
    def _key_lengths(self) -> list[int]:
        return _lengths(self.replacements)

    @cached_property
    def single_characters(self) -> frozenset[str]:
        """The keys of one character."""
        return frozenset(key for key in self.replacements if len(key) == 1)

    @cached_property
    def second_characters(self) -> frozenset[str]:
        """The second characters of the longer keys: in text they are rarer than the first ones."""
        return frozenset(key[1] for key in self.replacements if len(key) > 1)

    def key_at(self, text: str, index: int) -> str | None:
        """Return the longest key that `text` has at `index`."""
        return _longest_at(text, index, self.replacements, self._key_lengths)


def _lengths(keys: Iterable[str]) -> list[int]:
    """Return the different lengths of `keys`, the greatest first."""
    return sorted(set(map(len, keys)), reverse=True)


def _longest_at(text: str, index: int, keys: Container[str], lengths: Iterable[int]) -> str | None:
    return next((key for length in lengths if (key := text[index : index + length]) in keys), None)


class _Chunk(NamedTuple):
    """A range of characters of a text and its replacement; `is_copy` if that is the range itself."""

    start: int
    stop: int
    output: str
    is_copy: bool


class _Chunks(NamedTuple):
    """A whole text as chunks, in columns."""

    starts: Int64Array
    outputs: list[str]
    are_copies: BoolArray

    def output_offsets(self) -> Int64Array:
        """Return the offsets of the chunks in the joined output, and its length as the last item."""
        return np.append(np.int64(0), np.cumsum(np.fromiter(map(len, self.outputs), np.int64, len(self.outputs))))

    def sources(self) -> Int64Array:
        """Return for each character of the joined output the index of the character that it comes from."""
        offsets = self.output_offsets()
        sizes = np.diff(offsets)
        index_in_chunk = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        sources: Int64Array = np.repeat(self.starts, sizes) + np.repeat(self.are_copies, sizes) * index_in_chunk
        return sources


@dataclass(frozen=True, kw_only=True)
class SentencePieceNormalizer(PickledByFields):
    """A normalizer that works as SentencePiece's own. The options are named as in its model files.

    - `character_map` is applied first, except to `user_defined_symbols`, which stay as they are.
    - `adds_dummy_prefix`: a space is put before the text, or after it if `treats_whitespace_as_suffix` is set.
    - `removes_extra_whitespaces`: spaces at both ends are removed, and several in a row become one.
    - `escapes_whitespaces`: spaces are written as `▁`.
    """

    character_map: CharacterMap = CharacterMap({})
    user_defined_symbols: frozenset[str] = frozenset()
    adds_dummy_prefix: bool = True
    removes_extra_whitespaces: bool = True
    escapes_whitespaces: bool = True
    treats_whitespace_as_suffix: bool = False

    @property
    def touched(self) -> BoolArray | None:
        """See `Normalizer`. Every text is taken to change."""
        return None

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the normalized text.

        Each character stands for the bytes from its source up to the source of the next character. So removed
        characters belong to the one before them, and the last of several characters that replace one stands for it.
        """
        chunks = self._chunks(text.text)
        first = next(
            (i for i, output in enumerate(chunks.outputs) if not self.removes_extra_whitespaces or output != " "), None
        )
        if first is None:
            return AlignedText.of("")
        start, end = int(chunks.starts[first]), len(text.text)
        output, sources = "".join(chunks.outputs), chunks.sources()
        space = SPACE_SYMBOL if self.escapes_whitespaces else " "
        if self.removes_extra_whitespaces:
            if chunks.are_copies[first]:
                start += len(chunks.outputs[first]) - len(chunks.outputs[first].lstrip(" "))
            kept = ~_are_extra_spaces(output, chunks.output_offsets())
            output, sources = from_code_points(code_points(output)[kept]), sources[kept]
        if self.escapes_whitespaces:
            output = output.replace(" ", SPACE_SYMBOL)
        if self.adds_dummy_prefix and not self.treats_whitespace_as_suffix:
            output, sources = space + output, np.append(np.int64(start), sources)
        if self.removes_extra_whitespaces and output.endswith(space):
            output = output.rstrip(space)
            sources, end = sources[: len(output)], int(sources[len(output)])
        if self.adds_dummy_prefix and self.treats_whitespace_as_suffix:
            output, sources = output + space, np.append(sources, np.int64(end))

        def find_offsets() -> Offsets:
            offsets = np.append(text.starts, text.stops[-1:])[np.append(sources, np.int64(end))]
            return offsets[:-1], offsets[1:]

        return AlignedText(output, find_offsets)

    @cached_property
    def _symbol_lengths(self) -> list[int]:
        return _lengths(self.user_defined_symbols)

    @cached_property
    def _is_mapped(self) -> BoolArray:
        """By code point: whether the character map replaces the character on its own."""
        return _code_point_set(self.character_map.single_characters)

    @cached_property
    def _is_near_sequence(self) -> BoolArray:
        """By code point: whether a longer key or a symbol may begin at the character, or one character before it."""
        return _code_point_set(
            self.character_map.second_characters | {symbol[0] for symbol in self.user_defined_symbols}
        )

    def _chunks(self, text: str) -> _Chunks:
        """Divide `text` into replaced characters and sequences, symbols, and copies of what is between them.

        If extra spaces are to be removed, each space that follows another is a chunk of its own.
        """
        codes = code_points(text)
        are_alone = self._is_mapped[codes]
        if self.removes_extra_whitespaces:
            are_alone[1:] |= (codes[1:] == ord(" ")) & (codes[:-1] == ord(" "))
        sequences = list(self._sequences(text, np.flatnonzero(self._is_near_sequence[codes])))
        for chunk in sequences:
            are_alone[chunk.start : chunk.stop] = False
        singles = np.flatnonzero(are_alone)
        outputs = list(map(self.character_map.replacements.get, from_code_points(codes[singles]), repeat(" ")))
        starts, stops, are_copies = singles, singles + 1, ~self._is_mapped[codes[singles]]
        if sequences:
            starts = np.append(starts, [chunk.start for chunk in sequences])
            stops = np.append(stops, [chunk.stop for chunk in sequences])
            are_copies = np.append(are_copies, [chunk.is_copy for chunk in sequences])
            order = np.argsort(starts)
            starts, stops, are_copies = starts[order], stops[order], are_copies[order]
            outputs += [chunk.output for chunk in sequences]
            outputs = [outputs[index] for index in order.tolist()]
        return _with_gaps(text, starts, stops, outputs, are_copies)

    def _sequences(self, text: str, indices: Int64Array) -> Iterator[_Chunk]:
        """Yield the symbols, and the keys of several characters, that begin at `indices` or one before, in order."""
        done = 0
        for index in indices.tolist():
            for start in (index - 1, index):
                if start >= done and (chunk := self._chunk_at(text, start)):
                    yield chunk
                    done = chunk.stop

    def _chunk_at(self, text: str, index: int) -> _Chunk | None:
        if symbol := _longest_at(text, index, self.user_defined_symbols, self._symbol_lengths):
            return _Chunk(index, index + len(symbol), symbol, True)
        if key := self.character_map.key_at(text, index):
            return _Chunk(index, index + len(key), self.character_map.replacements[key], False)
        return None


def _with_gaps(text: str, starts: Int64Array, stops: Int64Array, outputs: list[str], are_copies: BoolArray) -> _Chunks:
    """Return chunks of `text` together with copies of what is before, between and after them."""
    count = 2 * len(outputs) + 1
    gap_starts, gap_stops = np.append(np.int64(0), stops), np.append(starts, len(text))
    all_starts, are_all_copies, kept = np.empty(count, np.int64), np.ones(count, bool), np.ones(count, bool)
    all_starts[::2], all_starts[1::2] = gap_starts, starts
    are_all_copies[1::2] = are_copies
    kept[::2] = gap_starts < gap_stops
    all_outputs = [""] * count
    all_outputs[::2] = map(text.__getitem__, map(slice, gap_starts.tolist(), gap_stops.tolist()))
    all_outputs[1::2] = outputs
    return _Chunks(all_starts[kept], list(compress(all_outputs, kept.tolist())), are_all_copies[kept])


def _code_point_set(characters: Iterable[str]) -> BoolArray:
    """Return an array that has for each code point whether it is one of `characters`."""
    flags = np.zeros(_CODE_POINTS, bool)
    flags[code_points("".join(characters))] = True
    return flags


def _are_extra_spaces(text: str, offsets: Int64Array) -> BoolArray:
    """Return for each character whether it is a space at the start of a chunk and follows another space or nothing.

    `offsets` are those of the chunks, and the length of `text` as the last item.
    """
    are_spaces = code_points(text) == ord(" ")
    others = np.append(np.flatnonzero(~are_spaces), len(text))
    have_extra = np.append(are_spaces, False)[offsets[:-1]] & np.append(True, are_spaces)[offsets[:-1]]
    have_extra &= offsets[:-1] < offsets[1:]
    begins, ends = offsets[:-1][have_extra], offsets[1:][have_extra]
    ends = np.minimum(ends, others[np.searchsorted(others, begins)])
    steps = np.zeros(len(text) + 1, np.int8)
    steps[begins] += 1
    steps[ends] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0


@dataclass(frozen=True, kw_only=True)
class SentencePiecePipeline(Pipeline):
    """The steps of a SentencePiece model.

    Its user-defined symbols are added tokens that are `normalized`: they are looked for in the normalized text. Unlike
    those of `tokenizers`, they are not normalized themselves.
    """

    def search_form(self, token: AddedToken) -> str:
        """Return the token's content as it is."""
        return token.content


@dataclass(frozen=True, kw_only=True)
class SentencePieceDecoder(PickledByFields):
    """A decoder from pieces to text. `normalizer` is the one that the text was encoded with.

    - `has_byte_pieces`: pieces such as `<0x41>` stand for a byte.
    - `hidden_pieces` are left out; the piece `unknown_piece` becomes `unknown_text`.
    - `denormalizer` is applied to the text at last.
    """

    normalizer: SentencePieceNormalizer
    has_byte_pieces: bool = False
    hidden_pieces: frozenset[str] = frozenset()
    unknown_piece: str = ""
    unknown_text: str = ""
    denormalizer: SentencePieceNormalizer | None = None

    def decode(self, tokens: Iterable[str]) -> OneToken:
        """Return the text as one token; a denormalizer needs all of it.

        >>> list(SentencePieceDecoder(normalizer=SentencePieceNormalizer()).decode(["▁low", "er", "▁low"]))
        ['lower low']
        """
        text = OneToken(self._pieces(tokens))
        if self.denormalizer is None:
            return text
        return OneToken(self.denormalizer.normalize(AlignedText.of(whole)).text for whole in text)

    def _pieces(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the texts of the tokens, those of byte pieces when the last of a run is known."""
        pending = bytearray()  # bytes of characters that are written as byte pieces
        # Whether the dummy prefix may still come; if extra spaces were removed, any number of leading spaces.
        is_at_start = self.normalizer.adds_dummy_prefix or self.normalizer.removes_extra_whitespaces
        for token in tokens:
            byte = _BYTE.fullmatch(token) if self.has_byte_pieces else None
            if byte:
                pending += bytes.fromhex(byte[1])
                continue
            if pending:
                yield _decode_bytes(pending)
                pending.clear()
                is_at_start = False
            text = self._decode_piece(token, is_at_start)
            yield text
            is_at_start = (
                is_at_start
                and not text
                and (self.normalizer.removes_extra_whitespaces or not token.startswith(SPACE_SYMBOL))
            )
        yield _decode_bytes(pending)

    def _decode_piece(self, piece: str, is_at_start: bool) -> str:
        if piece in self.hidden_pieces:
            return ""
        if piece == self.unknown_piece:
            return self.unknown_text
        return (piece.removeprefix(SPACE_SYMBOL) if is_at_start else piece).replace(SPACE_SYMBOL, " ")


def _decode_bytes(data: bytearray) -> str:
    """Return the text of `data`, with U+FFFD for every byte of invalid UTF-8."""
    return _ESCAPED_BYTE.sub("\N{REPLACEMENT CHARACTER}", data.decode("utf-8", "surrogateescape"))
