"""SentencePiece's text processing around its merges: it writes spaces as `▁` and replaces characters using a map.

Source: google/sentencepiece src/normalizer.cc, src/sentencepiece_processor.cc.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np

from bpe_gui.engine.kernels.text.rewriting import ALONE, BEGINS, IS_SECOND, SPACE_BYTES, Rewriting, rewrite
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.pickling import PickledByFields
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array, UInt32Array
from bpe_gui.engine.text.compiled_splitters import padded
from bpe_gui.engine.text.sentencepiece import CONTROLS, SPACE_SYMBOL, UNKNOWN, SentencePieceOptions
from bpe_gui.engine.text.special_tokens import special_token_table

from .added_tokens import AddedToken
from .aligned_text import AlignedText, Offsets, code_points
from .charsmaps import IDENTITY, CharacterMap, shipped_map
from .decoders import PiecedToken
from .model_options import ModelOptions
from .normalizers import Normalizer
from .pipeline import MAX_GROWTH, Pipeline, growth_error
from .pre_tokenizers import Split

UNKNOWN_SURFACE: Final = " \N{DOUBLE QUESTION MARK} "
"""What the unknown piece decodes to by default."""

_BYTE: Final = re.compile("<0x([0-9A-F]{2})>")
_SPACES: Final = f"{SPACE_SYMBOL}+"
_CODE_POINTS: Final = 0x110000
_ESCAPED_BYTE: Final = re.compile("[\udc80-\udcff]")  # as Python's error handler `surrogateescape` escapes it


def safe_splits(pieces: Iterable[str]) -> tuple[Split, ...]:
    """Return a step that splits text where no piece crosses, so that words can be merged one by one.

    It splits before runs of `▁`, after them, or both. If pieces cross all of these, return no step.

    >>> [word.text for word in safe_splits(["▁▁", "▁low"])[0].split(AlignedText.of("▁low▁▁lower"))]
    ['▁low', '▁▁lower']
    """
    pieces = list(pieces)
    is_open_before = any(map(re.compile(f"[^{SPACE_SYMBOL}]{SPACE_SYMBOL}").search, pieces))
    is_open_after = any(map(re.compile(f"{SPACE_SYMBOL}[^{SPACE_SYMBOL}]").search, pieces))
    if is_open_before:
        return () if is_open_after else (Split(_SPACES, "merged_with_previous"),)
    return (Split(_SPACES, "merged_with_next" if is_open_after else "isolated"),)


@dataclass(frozen=True, kw_only=True)
class SentencePieceNormalizer(PickledByFields, Normalizer):
    """SentencePiece's own normalizer. The options are named as in its model files.

    - `character_map` is applied first, except to `user_defined_symbols`.
    - `adds_dummy_prefix`: a space is put before the text, or after it if `treats_whitespace_as_suffix` is set.
    - `removes_extra_whitespaces`: spaces at both ends are removed, and runs of spaces become one.
    - `escapes_whitespaces`: spaces are written as `▁`.
    """

    character_map: CharacterMap = IDENTITY
    user_defined_symbols: frozenset[str] = frozenset()
    adds_dummy_prefix: bool = True
    removes_extra_whitespaces: bool = True
    escapes_whitespaces: bool = True
    treats_whitespace_as_suffix: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        changes = (
            (bool(self.character_map.replacements), _("Pipeline", "character replacements")),
            (self.removes_extra_whitespaces, _("Pipeline", "spaces collapsed")),
            (self.escapes_whitespaces, _("Pipeline", "whitespace as {text}").format(text=SPACE_SYMBOL)),
        )
        return tuple(statement for is_set, statement in changes if is_set)

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the normalized text.

        Each character stands for the bytes from its source up to the source of the next character. So removed
        characters belong to the one before them. If several characters replace one, the last of them stands for it.
        """
        if not text.text:
            return text
        data = text.text.encode()
        ends = np.array([len(data)])
        normalized = self.normalize_joined(data, ends)
        if normalized is None:
            raise growth_error()

        def find_offsets() -> Offsets:
            sources = np.empty(self._capacity(data, 1, 0) + 1, np.int64)
            self._rewrite(data, ends, sources)
            characters = np.cumsum(np.frombuffer(data + b"\0", np.uint8) & 0xC0 != 0x80) - 1  # by byte
            firsts = np.flatnonzero(np.frombuffer(normalized + b"\0", np.uint8) & 0xC0 != 0x80)
            offsets = np.append(text.starts, text.stops[-1:])[characters[sources[firsts]]]
            return offsets[:-1], offsets[1:]

        return AlignedText(normalized.decode(), find_offsets)

    def normalize_joined(self, texts: bytes, ends: Int64Array, marks: int = 0) -> bytes | None:
        """Normalize concatenated texts, which end at `ends`, and append `marks` marks to each.

        Return None if they become too long.
        """
        out = self._rewrite(texts, ends, np.empty(0, np.int64), marks)
        return None if out is None else out.tobytes()

    def _rewrite(self, texts: bytes, ends: Int64Array, sources: Int64Array, marks: int = 0) -> UInt8Array | None:
        out = np.empty(self._capacity(texts, len(ends), marks), np.uint8)
        count = rewrite(self._tables, padded(texts), ends, marks, out, sources)
        return None if count < 0 else out[:count]

    def _capacity(self, texts: bytes, count: int, marks: int) -> int:
        """Return how many bytes normalized texts may take before spaces at their ends are removed."""
        growth, longest = self._growth
        return growth * len(texts) + (4 * SPACE_BYTES + marks) * count + longest

    @cached_property
    def _growth(self) -> tuple[int, int]:
        """The factor by which a text may grow, and the greatest size of a replacement."""
        keys = self._tables.keys.starts
        sizes = SPACE_BYTES * np.diff(self._tables.output_starts)
        growth = int((-(-sizes // np.diff(keys))).max(initial=SPACE_BYTES))
        return min(growth, MAX_GROWTH), int(sizes.max(initial=0))

    @cached_property
    def _tables(self) -> Rewriting:
        keys, outputs = [], []
        for key, output in sorted(self.character_map.replacements.items()):
            keys.append(key.encode())
            outputs.append(output.encode())
        # Keys are in code point order, which is also their byte order.
        codes, sizes = _joined([*self.character_map.replacements, *self.user_defined_symbols])
        firsts, are_long = np.cumsum(sizes) - sizes, sizes > 1
        kinds = np.zeros(_CODE_POINTS, np.uint8)
        kinds[codes[firsts[~are_long]]] |= ALONE
        kinds[codes[firsts[are_long]]] |= BEGINS
        kinds[codes[firsts[are_long] + 1]] |= IS_SECOND
        is_suffix = self.adds_dummy_prefix and self.treats_whitespace_as_suffix
        is_prefix = self.adds_dummy_prefix and not self.treats_whitespace_as_suffix
        settings = [self.removes_extra_whitespaces, self.escapes_whitespaces, is_prefix, is_suffix]
        return Rewriting(
            kinds=kinds,
            symbols=special_token_table(map(str.encode, self.user_defined_symbols)),
            keys=special_token_table(keys),
            outputs=np.frombuffer(b"".join(outputs), np.uint8),
            output_starts=np.cumsum([0, *map(len, outputs)], dtype=np.int64),
            settings=np.array(settings, np.int64),
        )


def _joined(texts: Sequence[str]) -> tuple[UInt32Array, Int64Array]:
    """Return the code points of all texts, and how many each text has."""
    return code_points("".join(texts)), np.fromiter(map(len, texts), np.int64, len(texts))


@dataclass(frozen=True, kw_only=True)
class SentencePiecePipeline(Pipeline):
    """The steps of a SentencePiece model.

    Its user-defined symbols are added tokens that are `normalized`: they are searched for in the normalized text.
    Unlike those of `tokenizers`, they are not normalized themselves.
    """

    is_sentencepiece: ClassVar = True

    def search_form(self, token: AddedToken) -> str:
        """Return the token's content unchanged."""
        return token.content


@dataclass(frozen=True, kw_only=True)
class SentencePieceDecoder(PickledByFields):
    """A decoder from pieces to text. `normalizer` is the one that the text was encoded with.

    - `has_byte_pieces`: pieces such as `<0x41>` stand for a byte.
    - `hidden_pieces` are left out; the piece `unknown_piece` becomes `unknown_text`.
    - `denormalizer` is applied to the final text.
    """

    normalizer: SentencePieceNormalizer
    has_byte_pieces: bool = False
    hidden_pieces: frozenset[str] = frozenset()
    unknown_piece: str = ""
    unknown_text: str = ""
    denormalizer: SentencePieceNormalizer | None = None

    def decode(self, tokens: Iterable[str]) -> PiecedToken:
        """Return the text as one token, since a denormalizer needs all of it.

        >>> list(SentencePieceDecoder(normalizer=SentencePieceNormalizer()).decode(["▁low", "er", "▁low"]))
        ['lower low']
        """
        text = PiecedToken(self._pieces(tokens))
        if self.denormalizer is None:
            return text
        return PiecedToken(self.denormalizer.normalize(AlignedText.of(whole)).text for whole in text)

    def _pieces(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the texts of the tokens; a run of byte pieces is one text."""
        pending = bytearray()  # bytes of characters that are written as byte pieces
        # Whether the dummy prefix may still come or, if extra spaces were removed, leading spaces.
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


@lru_cache(maxsize=16)  # a normalizer makes tables of its character map
def trained_normalizer(options: SentencePieceOptions, symbols: frozenset[str] = frozenset()) -> SentencePieceNormalizer:
    """Return the normalizer of a model trained with these options; `symbols` stay unchanged."""
    return normalizer_with(options, shipped_map(options.normalization), symbols)


def normalizer_with(
    options: SentencePieceOptions, character_map: CharacterMap, symbols: frozenset[str] = frozenset()
) -> SentencePieceNormalizer:
    """Return a normalizer with these options and a character map; `symbols` stay unchanged."""
    return SentencePieceNormalizer(
        character_map=character_map,
        user_defined_symbols=symbols,
        adds_dummy_prefix=options.add_dummy_prefix,
        removes_extra_whitespaces=options.remove_extra_whitespaces,
        treats_whitespace_as_suffix=options.treat_whitespace_as_suffix,
    )


def trained_pipeline(options: SentencePieceOptions, special_ids: Mapping[str, int]) -> SentencePiecePipeline:
    """Return the steps of a model trained with these options. Special tokens are user-defined symbols."""
    symbols = {token: token_id for token, token_id in special_ids.items() if token not in CONTROLS}
    normalizer = trained_normalizer(options, frozenset(symbols))
    splits = (Split(_SPACES, "merged_with_previous" if options.treat_whitespace_as_suffix else "merged_with_next"),)
    decoder = SentencePieceDecoder(
        normalizer=normalizer,
        has_byte_pieces=options.byte_fallback,
        hidden_pieces=frozenset(CONTROLS) - {UNKNOWN},
        unknown_piece=UNKNOWN,
        unknown_text=UNKNOWN_SURFACE,
    )
    return pipeline_of_model(symbols, splits if options.split_by_whitespace else (), decoder)


def pipeline_of_model(
    symbols: Mapping[str, int], splits: tuple[Split, ...], decoder: SentencePieceDecoder
) -> SentencePiecePipeline:
    """Return the steps of a model with these user-defined symbols. Its decoder knows its normalizer."""
    return SentencePiecePipeline(
        added_tokens=tuple(
            AddedToken(id=token_id, content=symbol, normalized=True, special=False)
            for symbol, token_id in symbols.items()
        ),
        normalizers=(decoder.normalizer,),
        pre_tokenizers=splits,
        model=ModelOptions(falls_back_to_bytes=decoder.has_byte_pieces, fuses_unknown=True),
        decoders=(decoder,),
    )
