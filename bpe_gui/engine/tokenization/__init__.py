"""Tokenization: text to ids, ids to text, and the history of tokens.

- `tokenizer`: the public class, a frozen view of the first merges of a `merge_store`, which a run may add to. The views
  share its tables and caches. `vocabulary`, `numbered_tokens`: the tokens and merges of a store, as dicts or arrays.
- `text_encoder`: the interface of encoders; `allowed_special`: which encoder obeys which special tokens.
- `recipe_encoder`: kernels split UTF-8 into words and merge each unique word once, with `encoding_tables` and with the
  cache of an `encoding_worker` for each thread.
- `pipeline_encoder`: the steps of published tokenizers around their merges. If kernels can follow these steps, a
  `section_encoder`, a recipe encoder with the pipeline's splitter, encodes sections of the text; otherwise each word is
  merged separately, from its `initial_symbols`. Texts are normalized by `Pipeline.sections`, but a `section_encoder`
  may have SentencePiece's normalizer do so itself.
- `decoder`: ids to bytes; `tracing`, `results`: why a text becomes these tokens, as values.
- `merge_recovery`: the merges of tokens for which a file has only ranks.

The result for a text is always the same: whole or in chunks, in one thread or several, alone or in a batch. Tests
compare these with each other and with a simple oracle.
"""

from .allowed_special import AllowedSpecial
from .config import CHAT_TEMPLATE, ROLES, TokenizerConfig, content_of
from .merge_store import MergeStore
from .numbered_tokens import TokenPair
from .results import NO_TOKENS, Encoding, Lineage, TokenArrays, TraceStep, WordTrace, joined
from .tokenizer import Tokenizer
from .vocabulary import Entries, special_ids

__all__ = [
    "CHAT_TEMPLATE",
    "NO_TOKENS",
    "ROLES",
    "AllowedSpecial",
    "Encoding",
    "Entries",
    "Lineage",
    "MergeStore",
    "TokenArrays",
    "TokenPair",
    "Tokenizer",
    "TokenizerConfig",
    "TraceStep",
    "WordTrace",
    "content_of",
    "joined",
    "special_ids",
]
