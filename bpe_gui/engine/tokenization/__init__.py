"""The tokenizer that people hold: a frozen view of the first merges of a store.

- `tokenizer`: the public class. `allowed_special`: which special tokens of a text it obeys, and the encoder for each
  choice. `config`: what the folder of a model says of it besides.
- `trimmed_offsets`, `unknown_symbols`: what is found out about an encoding afterwards.
"""

from bpe_gui.engine.encoding.results import NO_TOKENS, Encoding, TokenArrays, joined
from bpe_gui.engine.vocabulary.entries import Entries, special_ids
from bpe_gui.engine.vocabulary.merge_store import MergeStore
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair
from bpe_gui.engine.vocabulary.tracing import Lineage, TraceStep, WordTrace

from .allowed_special import AllowedSpecial
from .config import CHAT_TEMPLATE, ROLES, TokenizerConfig, content_of
from .tokenizer import Tokenizer

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
