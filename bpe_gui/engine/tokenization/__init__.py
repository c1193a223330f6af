"""Tokenization: tokenizers as views of a store of merges, text to ids, ids to text, and the history of tokens."""

from .allowed_special import AllowedSpecial
from .merge_store import MergeStore
from .results import NO_TOKENS, Encoding, Lineage, TokenArrays, TraceStep, WordTrace, joined
from .tokenizer import Tokenizer
from .vocabulary import Entries, TokenPair, special_ids

__all__ = [
    "NO_TOKENS",
    "AllowedSpecial",
    "Encoding",
    "Entries",
    "Lineage",
    "MergeStore",
    "TokenArrays",
    "TokenPair",
    "Tokenizer",
    "TraceStep",
    "WordTrace",
    "joined",
    "special_ids",
]
