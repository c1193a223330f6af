"""GGUF files written by the package `gguf`: a tokenizer followed by the weights of a small model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from bpe_gui.engine import Tokenizer, to_printable

from .sentencepiece_models import parsed, processor

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


def write_gguf(path: Path, values: Mapping[str, Any], tensors: int = 2, architecture: str = "llama") -> Path:
    """Write a file with values, each under the name of the method of `gguf` that adds it, and return its path.

    For example, `{"add_bos_token_id": 1}`.
    """
    writer = gguf.GGUFWriter(path, architecture)
    usual = {"add_name": "a model", "add_block_count": 2, "add_chat_template": "{{ messages }}"}
    for method, value in (usual | dict(values)).items():
        getattr(writer, method)(value)
    for number in range(tensors):
        writer.add_tensor(f"weights.{number}", np.ones((64, 64), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def of_bytes(tokenizer: Tokenizer, pre: str = "gpt-2", user_defined: Sequence[str] = ()) -> dict[str, Any]:
    """Return the values for a tokenizer that merges bytes."""
    special = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    vocab = tokenizer.vocab
    texts, types = [], []
    for token_id in range(max(vocab) + 1):
        if token_id in special:
            texts.append(special[token_id])
            types.append(USER_DEFINED if special[token_id] in user_defined else CONTROL)
        else:
            texts.append(to_printable(vocab[token_id]) if token_id in vocab else f"[PAD{token_id}]")
            types.append(NORMAL if token_id in vocab else UNUSED)
    return {
        "add_tokenizer_model": "gpt2",
        "add_tokenizer_pre": pre,
        "add_token_list": texts,
        "add_token_types": types,
        "add_token_merges": [f"{to_printable(left)} {to_printable(right)}" for left, right in tokenizer.merges],
    }


def of_pieces(model: bytes) -> dict[str, Any]:
    """Return the values for a SentencePiece model, as llama.cpp's conversion takes them from it."""
    message = parsed(model)
    theirs = processor(model)
    return {
        "add_tokenizer_model": "llama",
        "add_tokenizer_pre": "default",
        "add_token_list": [piece.piece.encode() for piece in message.pieces],
        "add_token_scores": [piece.score for piece in message.pieces],
        "add_token_types": [piece.type for piece in message.pieces],
        "add_bos_token_id": theirs.bos_id(),
        "add_eos_token_id": theirs.eos_id(),
        "add_unk_token_id": theirs.unk_id(),
        "add_add_bos_token": False,
        "add_add_space_prefix": message.normalizer_spec.add_dummy_prefix,
    }
