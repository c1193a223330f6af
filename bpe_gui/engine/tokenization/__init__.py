"""Tokenization: text to ids, ids to text, and the history of tokens.

- `tokenizer`: the public class, a frozen view of the first merges of a `merge_store`, which a run may add to; the views
  share its tables and caches. `vocabulary`, `numbered_tokens`: what a store is made of, checked, as dicts or arrays.
- `text_encoder`: the interface of encoders; `allowed_special`: which encoder obeys which special tokens.
- `recipe_encoder`: kernels split UTF-8 into words and merge each distinct word once, by `encoding_tables` and with the
  cache of an `encoding_worker` for each thread.
- `pipeline_encoder`: what published tokenizers do around their merges. Where kernels can follow the steps, sections of
  the text are encoded by a `section_encoder`, a recipe encoder with the pipeline's splitter; otherwise each word is
  merged by itself, from its `initial_symbols`.
- `decoder`: ids to bytes; `tracing`, `results`: why a text becomes these tokens, as values.
- `merge_recovery`: the merges behind tokens of which a file has only the ranks.

A text has one result, however it is encoded: whole or in chunks, by one thread or several, alone or in a batch. Tests
compare the ways with each other and with a plain oracle.
"""

from .allowed_special import AllowedSpecial
from .merge_store import MergeStore
from .numbered_tokens import TokenPair
from .results import NO_TOKENS, Encoding, Lineage, TokenArrays, TraceStep, WordTrace, joined
from .tokenizer import Tokenizer
from .vocabulary import Entries, special_ids

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
