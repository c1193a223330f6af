"""SentencePiece models: trained by its package on a small mixed text, or built from given pieces."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import Any

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from .mixed_text import mixed_text

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)

TRICKY = [
    "",
    " ",
    "  ",
    "low",
    " low  lower ",
    "\tlow\n\nlower\r\n",
    "你好，世界",
    "ﬁne ① Ａ ㌔ ﷺ ¨ é é \u3000 x",
    "▁low▁▁lower▁",
    "<s>low</s><unk><pad>",
    "<0x41>low<0x0A>",
    "low<sep>lower <sep> low",
    "\x00\x7f\x85\u200b\ufeff",
    "👩‍👩‍👧 🇨🇳 ÿ ק ก",
    "aaaaaaaaaaaaa" * 9,
    "don't 12,345.67 -- ==== \\n",
]


@cache
def trained(**options: object) -> bytes:
    """Return a model as the package trains and serialises it. Tuples are passed as lists."""
    given: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value for name, value in options.items()
    }
    lines = mixed_text(60_000).splitlines()
    written = BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=written, model_type="bpe", minloglevel=2, **given
    )
    return written.getvalue()


def by_hand(pieces: Iterable[tuple[str, float, int]], *, white_space: bool = True, model_type: int = 2) -> bytes:
    """Return a model of these pieces, scores and types, with the usual handling of white space or none."""
    message = parsed(b"")
    message.trainer_spec.model_type = model_type
    message.normalizer_spec.add_dummy_prefix = white_space
    message.normalizer_spec.remove_extra_whitespaces = white_space
    for piece, score, kind in pieces:
        message.pieces.add(piece=piece, score=score, type=kind)
    data: bytes = message.SerializeToString()
    return data


def processor(data: bytes) -> sentencepiece.SentencePieceProcessor:
    """Return the package's own tokenizer for a model."""
    return sentencepiece.SentencePieceProcessor(model_proto=data)


def parsed(data: bytes) -> Any:
    """Return the protobuf message of a model."""
    message = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    message.ParseFromString(data)
    return message
