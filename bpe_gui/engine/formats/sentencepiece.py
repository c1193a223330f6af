"""SentencePiece: read and write a BPE `*.model`, which has pieces with scores, and rules for normalizing text.

The file is a Protocol Buffers message. Reading it needs the packages `sentencepiece`, for the message's description,
and `protobuf`: the extra `bpe-gui[sentencepiece]`. Writing and encoding need neither. SentencePiece's own
processor, which is written in C++, never sees the file. Source: google/sentencepiece src/sentencepiece_model.proto,
src/bpe_model.cc, src/normalizer.cc.

**Merges from scores.** SentencePiece merges the two neighbours that form the piece with the best score. The file lists
pieces, but no merges. However, the same merge always makes a given piece: by then, nothing has merged across its ends,
so its characters have merged as if they stood alone. `merge_recovery` finds the two parts. GGUF files of the kind
`llama` have such pieces, too.
"""

import logging
import struct
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.pipeline.charsmaps import CharacterMap, read_charsmap
from bpe_gui.engine.pipeline.longest_first import LongestFirstPipeline
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import SPACE_SYMBOL
from bpe_gui.engine.pipeline.sentencepiece import (
    UNKNOWN_SURFACE,
    SentencePieceDecoder,
    SentencePieceNormalizer,
    SentencePiecePipeline,
    pipeline_of_model,
    safe_splits,
)
from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import FormatError, how_to_install
from bpe_gui.engine.runtime.files import open_file, read_bytes
from bpe_gui.engine.text.sentencepiece import BYTE_PIECES
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.merge_recovery import recover_parts
from bpe_gui.engine.vocabulary.numbered_tokens import NumberedMerges, TokenPair

from .llama_cpp_tokens import CONTROL, NORMAL, UNKNOWN, UNUSED, USER_DEFINED

_MAX_BYTES: Final = 1 << 23  # published models are up to 5 MB
_MAX_PIECES: Final = 1 << 20
_MAX_PIECE_LENGTH: Final = 8000  # characters

# TrainerSpec.ModelType
_MODEL_TYPES: Final = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}

_CUSTOM_CHARSMAP: Final = "user_defined"
"""SentencePiece's name for a character map that is not built in."""

# ModelProto.SentencePiece.Type; llama.cpp has taken over the other types
_BYTE: Final = 6

_ROLES: Final = {"unk_piece": "<unk>", "bos_piece": "<s>", "eos_piece": "</s>", "pad_piece": "<pad>"}
"""The pieces that have these roles unless a TrainerSpec says otherwise, in fields with the numbers from 45 on.

They are kept by these keys: a role of `transformers` would make a control piece special in text.
"""

_logger: Final = logging.getLogger(__name__)


def recognises(path: Path) -> bool:
    """Return whether a file begins like a model: with a piece or the trainer's settings. Raise FormatError."""
    with open_file(path) as file:
        return file.read(1) in (b"\n", b"\x12")


def load(path: Path) -> Tokenizer:
    """Read a tokenizer from a model. Raise FormatError, including when a package that it needs is not installed."""
    message = _parse_message(path, read_bytes(path, _MAX_BYTES))
    kind = _MODEL_TYPES.get(message.trainer_spec.model_type, "")
    if kind != "bpe":
        raise FormatError(
            "{path} is a SentencePiece model of the type {kind}. Only models of the type bpe can be opened.",
            path=path,
            kind=kind,
        )
    pieces = _Pieces(path, message)
    scored = merges_from_scores(path, pieces.mergeable_scores)
    pieces.check_unused(scored.pieces)
    special_tokens = pieces.of_types(UNKNOWN, CONTROL, USER_DEFINED)
    roles = {role: str(getattr(message.trainer_spec, role)) for role in _ROLES}
    unusual = {role: piece for role, piece in roles.items() if piece != _ROLES[role] and piece in pieces.ids}
    return Tokenizer(
        {token_id: piece.encode() for piece, token_id in pieces.ids.items()},
        scored.merges,
        special_tokens,
        unknown_id=pieces.ids[pieces.unknown],
        pipeline=_pipeline(path, message, pieces, scored.pieces),
        other_merges=scored.shared_ranks,
        config=TokenizerConfig(unusual),
    )


def _parse_message(path: Path, data: bytes) -> Any:
    """Return the message in a file; it has no static type."""
    try:
        import sentencepiece
        from google.protobuf import __version__ as protobuf_version
        from google.protobuf.message import DecodeError
        from sentencepiece import sentencepiece_model_pb2
    except Exception as error:  # an incompatible version of protobuf raises its own error
        raise FormatError(
            "{path}: opening SentencePiece models needs the packages sentencepiece and protobuf ({reason}). {remedy}",
            path=path,
            reason=error,
            remedy=how_to_install("bpe-gui[sentencepiece]"),
        ) from error
    _logger.debug("Parsing with sentencepiece %s and protobuf %s", sentencepiece.__version__, protobuf_version)
    message = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]  # created on import
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise FormatError("{path} is not a SentencePiece model.", path=path) from error
    return message


def _pipeline(path: Path, message: Any, pieces: "_Pieces", merged_pieces: Iterable[str]) -> SentencePiecePipeline:
    training, denormalizer = message.trainer_spec, message.denormalizer_spec
    symbols = pieces.of_types(USER_DEFINED)
    decoder = SentencePieceDecoder(
        normalizer=_normalizer(path, message.normalizer_spec, frozenset(symbols), training.treat_whitespace_as_suffix),
        has_byte_pieces=training.byte_fallback,
        hidden_pieces=frozenset(pieces.of_types(CONTROL)),
        unknown_piece=pieces.unknown,
        unknown_text=str(training.unk_surface).split("\0")[0],
        denormalizer=_normalizer(path, denormalizer) if denormalizer.precompiled_charsmap else None,
    )
    return pipeline_of_model(symbols, safe_splits(merged_pieces) if SPACE_SYMBOL in pieces.ids else (), decoder)


def _normalizer(
    path: Path, spec: Any, symbols: frozenset[str] = frozenset(), is_suffix: bool = False
) -> SentencePieceNormalizer:
    """Return the normalizer that a NormalizerSpec describes."""
    return SentencePieceNormalizer(
        character_map=replace(read_charsmap(path, spec.precompiled_charsmap), name=spec.name or _CUSTOM_CHARSMAP),
        user_defined_symbols=symbols,
        adds_dummy_prefix=spec.add_dummy_prefix,
        removes_extra_whitespaces=spec.remove_extra_whitespaces,
        escapes_whitespaces=spec.escape_whitespaces,
        treats_whitespace_as_suffix=is_suffix,
    )


class _Pieces:
    """The pieces of a model, checked. A piece's id is its index in the file."""

    def __init__(self, path: Path, message: Any) -> None:
        self._path = path
        self.ids: dict[str, int] = {}
        self.mergeable_scores: dict[str, float] = {}
        """The scores of the pieces that merges may make."""
        self._types: dict[str, int] = {}
        if len(message.pieces) > _MAX_PIECES:
            raise FormatError("{path} has more than {most:,} pieces.", path=path, most=_MAX_PIECES)
        for index, piece in enumerate(message.pieces):
            self._add(index, piece.piece, piece.type, piece.score)
        self.unknown = self._single_unknown()
        self._check_byte_pieces(message.trainer_spec.byte_fallback)

    def of_types(self, *types: int) -> dict[str, int]:
        """Return the ids of the pieces that have one of these types."""
        return {piece: self.ids[piece] for piece, kind in self._types.items() if kind in types}

    def check_unused(self, merged_pieces: Iterable[str]) -> None:
        """Raise FormatError if merges could make a piece that is marked as unused.

        SentencePiece splits such a piece again after merging; a single character becomes unknown.
        """
        merged = set(merged_pieces)
        piece = next((piece for piece in self.of_types(UNUSED) if len(piece) == 1 or piece in merged), None)
        if piece is not None:
            raise FormatError(
                "{path}: piece {number}, {piece!r}, is marked as unused, which is not supported.",
                **self._where(self.ids[piece]),
                piece=piece,
            )

    def _add(self, index: int, piece: str | bytes, kind: int, score: float) -> None:
        if isinstance(piece, bytes):  # protobuf returns bytes if they are not UTF-8
            raise FormatError("{path}: piece {number} is not valid UTF-8.", **self._where(index))
        if not piece or "\0" in piece or len(piece) > _MAX_PIECE_LENGTH:
            raise FormatError(
                "{path}: piece {number} must have 1 to {most:,} characters and no null characters.",
                **self._where(index),
                most=_MAX_PIECE_LENGTH,
            )
        if piece in self.ids:
            raise FormatError(
                "{path}: piece {number}, {piece!r}, is the same as piece {other}.",
                **self._where(index),
                piece=piece,
                other=self.ids[piece],
            )
        if not isfinite(score):
            raise FormatError(
                "{path}: piece {number}, {piece!r}, does not have a finite score.", **self._where(index), piece=piece
            )
        self.ids[piece] = index
        self._types[piece] = kind
        if kind in (NORMAL, UNUSED):
            self.mergeable_scores[piece] = score

    def _single_unknown(self) -> str:
        unknown = self.of_types(UNKNOWN)
        if len(unknown) != 1:
            raise FormatError(
                "{path} must have exactly one unknown piece, not {count}.", path=self._path, count=len(unknown)
            )
        return next(iter(unknown))

    def _check_byte_pieces(self, falls_back: bool) -> None:
        pieces = self.of_types(_BYTE).keys()
        if pieces != (frozenset(BYTE_PIECES) if falls_back else frozenset()):
            raise FormatError(
                "{path} has {count} byte pieces. It must have all 256 if byte_fallback is set, and none otherwise.",
                path=self._path,
                count=len(pieces),
            )

    def _where(self, index: int) -> dict[str, object]:
        return {"path": self._path, "number": index}


# -- writing --------------------------------------------------------------------------------------------------------


def contents(tokenizer: Tokenizer, path: Path) -> dict[Path, bytes]:
    """Return the model of a tokenizer with SentencePiece's steps. Raise FormatError for any other.

    Programs find control pieces in a text, and put them around it, by themselves: a model does not.
    """
    pipeline = tokenizer.as_pipeline
    match pipeline.normalizers, pipeline.decoders:
        case ((SentencePieceNormalizer() as normalizer,), (SentencePieceDecoder() as decoder,)):
            symbols = _symbols(pipeline, normalizer)
        case _:
            raise FormatError(
                "A SentencePiece model needs SentencePiece's way of splitting text. Train with the recipe "
                "sentencepiece."
            )
    pieces = [tokenizer.vocab[token_id].decode() for token_id in sorted(tokenizer.vocab)]
    if max(tokenizer.vocab) >= len(pieces) or tokenizer.unknown_id is None:
        raise FormatError(
            "A SentencePiece model needs ids without gaps, starting at 0, and a token for unknown symbols "
            "(--unk-token)."
        )
    kinds = dict.fromkeys(tokenizer.special_tokens, CONTROL) | {pieces[tokenizer.unknown_id]: UNKNOWN}
    kinds |= dict.fromkeys(symbols, USER_DEFINED)
    kinds |= dict.fromkeys(BYTE_PIECES, _BYTE) if decoder.has_byte_pieces else {}
    scores = _scores(path, tokenizer, [piece for piece in pieces if piece not in kinds])
    message = [
        _field(1, _field(1, piece) + _field(2, scores.get(piece, 0.0)) + _field(3, kinds.get(piece, NORMAL)))
        for piece in pieces
    ]
    training: dict[int, int | str] = {
        3: 2,  # the type bpe
        4: len(pieces),
        24: normalizer.treats_whitespace_as_suffix,
        35: decoder.has_byte_pieces,
        40: tokenizer.unknown_id,
        44: decoder.unknown_text if decoder.unknown_piece else UNKNOWN_SURFACE,
    }
    roles = {role.replace("token", "piece"): piece for role, piece in tokenizer.config.roles.items()}
    roles = _ROLES | roles | dict(tokenizer.config.values) | {"unk_piece": pieces[tokenizer.unknown_id]}
    training |= {number: str(roles[role]) for number, role in enumerate(_ROLES, 45)}
    message += [_field(2, b"".join(_field(*item) for item in training.items())), _field(3, _written(normalizer))]
    if decoder.denormalizer is not None:
        message.append(_field(5, _written(decoder.denormalizer)))
    return {path: b"".join(message)}


def _symbols(pipeline: Pipeline, normalizer: SentencePieceNormalizer) -> list[str]:
    """Return the symbols that are found in a text. Raise FormatError if SentencePiece might find others."""
    symbols = [token.content for token in pipeline.added_tokens if not token.special]
    is_certain = isinstance(pipeline, SentencePiecePipeline) or not (
        normalizer.adds_dummy_prefix or isinstance(pipeline, LongestFirstPipeline) or any(" " in s for s in symbols)
    )
    if symbols and not is_certain:
        raise FormatError(
            "A SentencePiece model cannot represent the symbol {token!r} of this tokenizer: SentencePiece would find "
            "symbols elsewhere, or encode the white space beside them differently.",
            token=symbols[0],
        )
    return symbols


def _scores(path: Path, tokenizer: Tokenizer, pieces: list[str]) -> dict[str, float]:
    """Return scores from 0 down: of the merged pieces in the order of their merges, then of the others.

    Pieces whose merges share a rank share a score. Raise FormatError unless the scores give the same merges.
    """
    shared = {pair: rank for pair, rank in tokenizer.other_merges.items() if rank < tokenizer.position}
    merged = [(left + right).decode() for left, right in tokenizer.merges]
    scores = {piece: -float(rank) for rank, piece in enumerate(dict.fromkeys([*merged, *pieces]))}
    scores |= {(left + right).decode(): -float(rank) for (left, right), rank in shared.items()}
    scored = merges_from_scores(path, scores)
    if (list(scored.merges), scored.shared_ranks) != (tokenizer.merges, shared):
        raise FormatError(
            "A SentencePiece model has only pieces, and these merges do not follow from them: two make the same piece, "
            "or one joins other parts than SentencePiece would."
        )
    return scores


def _written(normalizer: SentencePieceNormalizer) -> bytes:
    """Return a NormalizerSpec. Raise FormatError for a character map that is not known as in a model."""
    characters = normalizer.character_map
    if characters.replacements and not characters.packed:
        raise FormatError("The character map {name} of this tokenizer cannot be written.", name=characters.name)
    values: tuple[int | str | bytes, ...] = (
        characters.name,
        characters.packed,
        normalizer.adds_dummy_prefix,
        normalizer.removes_extra_whitespaces,
        normalizer.escapes_whitespaces,
    )
    return b"".join(_field(number, value) for number, value in enumerate(values, 1))


def _field(number: int, value: int | float | str | bytes) -> bytes:
    """Return a field of a Protocol Buffers message: https://protobuf.dev/programming-guides/encoding."""
    if isinstance(value, float):
        return _varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    """Return a number in base 128, the lowest digit first; the highest bit of a byte says that another follows."""
    digits = bytearray()
    while number > 0x7F:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*digits, number))


# -- merges from scores ---------------------------------------------------------------------------------------------

_MAX_TOTAL_CHARACTERS: Final = 3_000_000
"""The most characters in all pieces together; the largest published vocabularies have 1,700,000."""


class ScoredMerges(NamedTuple):
    """Merges in the order of their pieces' scores, the best first."""

    merges: NumberedMerges
    shared_ranks: dict[TokenPair, int]
    """The common rank of merges whose pieces have the same score."""
    pieces: list[str]
    """The pieces that merges make, by rank."""


def merges_from_scores(path: Path, scores: Mapping[str, float]) -> ScoredMerges:
    """Return the merges that make the pieces with these scores. A piece that encoding never makes has no merge.

    Raise FormatError if the pieces are too long, or if a piece contains a character that is not a piece.

    >>> list(merges_from_scores(Path(), {"l": -3.0, "o": -4.0, "w": -5.0, "ow": -1.0, "low": -2.0}).merges)
    [(b'o', b'w'), (b'l', b'ow')]
    """
    if sum(map(len, scores)) > _MAX_TOTAL_CHARACTERS:
        raise FormatError(
            "{path}: the pieces have more than {most:,} characters in total.", path=path, most=_MAX_TOTAL_CHARACTERS
        )
    best_first = sorted(scores, key=scores.__getitem__, reverse=True)
    best_scores = np.fromiter(map(scores.__getitem__, best_first), np.float64, len(scores))
    ranks = np.cumsum(np.append(False, best_scores[1:] != best_scores[:-1]))[: len(scores)]
    parts = recover_parts(best_first, ranks)
    merged = np.flatnonzero(parts.lefts >= 0)
    pieces = [best_first[number] for number in merged.tolist()]
    _check_characters(path, scores, pieces)
    tokens = [piece.encode() for piece in best_first]
    merges = NumberedMerges(tokens, parts.lefts[merged], parts.rights[merged], merged)
    # Merges with the same score share the last rank of their group.
    _numbers, starts, counts = np.unique(ranks[merged], return_index=True, return_counts=True)
    last_ranks = np.repeat(starts + counts - 1, counts)
    is_shared = np.repeat(counts > 1, counts)
    shared_ranks = dict(zip(merges.select(is_shared), last_ranks[is_shared].tolist(), strict=True))
    return ScoredMerges(merges, shared_ranks, pieces)


def _check_characters(path: Path, scores: Mapping[str, float], merged: Iterable[str]) -> None:
    """Raise FormatError for the first merged piece with a character that is not itself a piece."""
    missing = set().union(*merged).difference(scores)
    for piece in merged if missing else ():
        character = next((character for character in piece if character in missing), None)
        if character is not None:
            raise FormatError(
                "{path}: the piece {piece!r} contains the character {character!r}, which is not a piece itself.",
                path=path,
                piece=piece,
                character=character,
            )


# -- the character map of tokenizer.json ------------------------------------------------------------------------------


def packed_from_json(value: JsonValue) -> tuple[CharacterMap, bytes]:
    """Return the map of the step `Precompiled` in a `tokenizer.json`, unpacked and packed. Raise FormatError."""
    encoded = value.string()
    try:
        packed = b64decode(encoded, validate=True)
    except ValueError:
        packed = b""
    if not packed or packed_to_json(packed) != encoded:
        raise FormatError("{path}: {place} must be a character map, encoded in Base64.", **value.where)
    return read_charsmap(value.path, packed), packed


def packed_to_json(packed: bytes) -> str:
    """Return a packed map as written in a `tokenizer.json`."""
    return b64encode(packed).decode()
