"""SentencePiece's `*.model` of the type BPE: pieces with scores, and what is done to text before and after.

The file is a message of Protocol Buffers, read by `sentencepiece` and `protobuf`, the extra `bpe-gui[sentencepiece]`;
encoding needs neither. Source: google/sentencepiece src/sentencepiece_model.proto, src/bpe_model.cc, src/normalizer.cc.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import unreadable
from bpe_gui.engine.pipeline import AddedToken, Model
from bpe_gui.engine.pipeline.fast_splits import SPACE
from bpe_gui.engine.pipeline.sentencepiece import PieceDecoder, SentencePiece, WhiteSpace, word_cuts
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats.sentencepiece.character_map import read_charsmap
from bpe_gui.engine.formats.ranks import Merge
from bpe_gui.engine.formats.sentencepiece.merges_from_scores import merges_by_score

SUFFIX: Final = ".model"
FILE: Final = "tokenizer.model"
"""The name where only a folder is given."""

_MOST_BYTES: Final = 1 << 23  # the published ones have up to 5 MB
_MOST_PIECES: Final = 1 << 20
_LONGEST_PIECE: Final = 8000

# TrainerSpec.ModelType
_KINDS: Final = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}

_OWN_TABLE: Final = "user_defined"
"""What SentencePiece calls a table of characters that is none of its own."""

# ModelProto.SentencePiece.Type
_NORMAL: Final = 1
_UNKNOWN: Final = 2
_CONTROL: Final = 3
_USER_DEFINED: Final = 4
_UNUSED: Final = 5
_BYTE: Final = 6

_BYTES: Final = frozenset(f"<0x{byte:02X}>" for byte in range(256))


def is_model(path: Path) -> bool:
    """Whether a file begins as such a model does: with a piece, or with what it was trained by."""
    with path.open("rb") as file:
        return file.read(1) in (b"\n", b"\x12")


def load(path: Path) -> Tokenizer:
    """Read a model, or the one in a folder. Raises FormatError, also if the packages are not installed."""
    file = path / FILE if path.is_dir() else path
    message = _parsed(file, _read(file))
    kind = _KINDS.get(message.trainer_spec.model_type, "")
    if kind != "bpe":
        raise FormatError(
            _(
                "EngineError",
                "{path} is a model of SentencePiece of the type {kind}; only those of the type bpe merge.",
            ),
            path=file,
            kind=kind,
        )
    pieces = _Pieces(file, message)
    merges = merges_by_score(file, pieces.scores)
    pieces.check_unused(merges.merges)
    special = pieces.of_types(_UNKNOWN, _CONTROL, _USER_DEFINED)
    return Tokenizer(
        {token_id: piece.encode() for piece, token_id in pieces.ids.items()},
        merges.merges,
        special,
        unknown_id=pieces.ids[pieces.unknown],
        pipeline=_pipeline(file, message, pieces, merges.merges),
        other_merges=merges.shared,
    )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    if len(data) > _MOST_BYTES:
        raise FormatError(
            _("EngineError", "{path} is larger than {most:,} bytes; no tokenizer file of this kind is that large."),
            path=path,
            most=_MOST_BYTES,
        )
    return data


def _parsed(path: Path, data: bytes) -> Any:
    """The message in a file; it has no types that a checker could know."""
    try:
        from google.protobuf.message import DecodeError
        from sentencepiece import sentencepiece_model_pb2
    except Exception as error:  # an older protobuf raises an error of its own
        raise FormatError(
            _(
                "EngineError",
                "{path}: to open models of SentencePiece, install what reads them: "
                'pip install "bpe-gui[sentencepiece]". ({reason})',
            ),
            path=path,
            reason=error,
        ) from error
    message = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]  # it is made when it is imported
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise FormatError(_("EngineError", "{path} is no model of SentencePiece."), path=path) from error
    return message


def _pipeline(path: Path, message: Any, pieces: "_Pieces", merges: list[Merge]) -> SentencePiece:
    training, after = message.trainer_spec, message.denormalizer_spec
    symbols = pieces.of_types(_USER_DEFINED)
    white_space = _white_space(path, message.normalizer_spec, frozenset(symbols), training.treat_whitespace_as_suffix)
    return SentencePiece(
        added_tokens=tuple(
            AddedToken(id=token_id, content=symbol, normalized=True, special=False)
            for symbol, token_id in symbols.items()
        ),
        normalizers=(white_space,),
        pre_tokenizers=word_cuts((left + right).decode() for left, right in merges) if SPACE in pieces.ids else (),
        model=Model(falls_back_to_bytes=training.byte_fallback, fuses_unknown=True),
        decoders=(
            PieceDecoder(
                white_space=white_space,
                has_bytes=training.byte_fallback,
                silent=frozenset(pieces.of_types(_CONTROL)),
                unknown=pieces.unknown,
                unknown_text=str(training.unk_surface).split("\0")[0],
                after=_white_space(path, after) if after.precompiled_charsmap else None,
            ),
        ),
    )


def _white_space(path: Path, spec: Any, symbols: frozenset[str] = frozenset(), is_suffix: bool = False) -> WhiteSpace:
    return WhiteSpace(
        charsmap=replace(read_charsmap(path, spec.precompiled_charsmap), name=spec.name or _OWN_TABLE),
        symbols=symbols,
        adds_prefix=spec.add_dummy_prefix,
        removes_extra=spec.remove_extra_whitespaces,
        escapes=spec.escape_whitespaces,
        is_suffix=is_suffix,
    )


class _Pieces:
    """The pieces of a model, checked."""

    def __init__(self, path: Path, message: Any) -> None:
        self._path = path
        self.ids: dict[str, int] = {}
        self.scores: dict[str, float] = {}
        """Of those that may merge."""
        self._types: dict[str, int] = {}
        if len(message.pieces) > _MOST_PIECES:
            raise FormatError(_("EngineError", "{path} has more than {most:,} pieces."), path=path, most=_MOST_PIECES)
        for number, piece in enumerate(message.pieces):
            self._add(number, piece.piece, piece.type, piece.score)
        self.unknown = self._only_unknown()
        self._check_bytes(message.trainer_spec.byte_fallback)

    def of_types(self, *types: int) -> dict[str, int]:
        """The pieces of these types with their ids."""
        return {piece: self.ids[piece] for piece, kind in self._types.items() if kind in types}

    def check_unused(self, merges: Iterable[Merge]) -> None:
        """Raise FormatError if a piece that is not used would matter: merged, it is taken apart again; a character
        that merges with nothing becomes unknown."""
        merged = {(left + right).decode() for left, right in merges}
        if found := next((piece for piece in self.of_types(_UNUSED) if len(piece) == 1 or piece in merged), None):
            raise self._wrong(
                self.ids[found],
                _("EngineError", "{path}: piece {number}, {piece!r}, is marked as not used, which is not supported."),
                piece=found,
            )

    def _add(self, number: int, piece: str | bytes, kind: int, score: float) -> None:
        if isinstance(piece, bytes):  # which is how `protobuf` gives what is no UTF-8
            raise self._wrong(number, _("EngineError", "{path}: piece {number} is not UTF-8."))
        if not piece or "\0" in piece or len(piece) > _LONGEST_PIECE:
            raise self._wrong(
                number,
                _("EngineError", "{path}: piece {number} must have 1 to {most:,} characters, none of them zero."),
                most=_LONGEST_PIECE,
            )
        if piece in self.ids:
            raise self._wrong(
                number,
                _("EngineError", "{path}: piece {number}, {piece!r}, is there already, as piece {other}."),
                piece=piece,
                other=self.ids[piece],
            )
        if not isfinite(score):
            raise self._wrong(number, _("EngineError", "{path}: piece {number}, {piece!r}, has no score."), piece=piece)
        self.ids[piece] = number
        self._types[piece] = kind
        if kind in (_NORMAL, _UNUSED):
            self.scores[piece] = score

    def _only_unknown(self) -> str:
        unknown = self.of_types(_UNKNOWN)
        if len(unknown) != 1:
            raise FormatError(
                _("EngineError", "{path} has {count} pieces for what is unknown; there must be one."),
                path=self._path,
                count=len(unknown),
            )
        return next(iter(unknown))

    def _check_bytes(self, falls_back: bool) -> None:
        pieces = self.of_types(_BYTE).keys()
        if pieces != (_BYTES if falls_back else frozenset()):
            raise FormatError(
                _("EngineError", "{path} has {count} pieces for bytes; there must be one for each of 256, or none."),
                path=self._path,
                count=len(pieces),
            )

    def _wrong(self, number: int, template: str, **values: object) -> FormatError:
        return FormatError(template, path=self._path, number=number, **values)
