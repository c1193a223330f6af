"""SentencePiece: `*.model` files of the type BPE."""

from typing import Final

SUFFIX: Final = ".model"
FILE: Final = "tokenizer.model"
"""The name of the file in a folder."""
