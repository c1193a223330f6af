"""Surgery on tokenizers for models that exist: merge two, change special tokens, and map old embeddings to new ids.

`embedding_map` works for any two tokenizers, so it also serves those extended by `Plan.extending` or pruned by
`reports.prune`. `merging` adds the tokens of one tokenizer, or of texts, to another, and counts what they save. Old ids
never change.
"""

from .embeddings import EmbeddingMap, embedding_map, first_difference
from .merging import Merging, combine, merge_tokenizers, tokens_saved, with_ordinary_tokens
from .special_tokens import with_special_tokens

__all__ = [
    "EmbeddingMap",
    "Merging",
    "combine",
    "embedding_map",
    "first_difference",
    "merge_tokenizers",
    "tokens_saved",
    "with_ordinary_tokens",
    "with_special_tokens",
]
