"""Pipelines: what published tokenizers do to text before and after their merges, as steps.

The steps of Hugging Face's `tokenizers` have the names that they have there.
"""

from .decoders import ByteLevelDecoder, MetaspaceDecoder, ReplaceDecoder, StripDecoder
from .fast_splits import SPACE_SYMBOL
from .normalizers import Lowercase, Prepend, Replace, Strip, UnicodeForm
from .pipeline import Pipeline
from .pre_tokenizers import (
    ByteLevel,
    Digits,
    Metaspace,
    Punctuation,
    RecipeSplit,
    Split,
    Whitespace,
    WhitespaceSplit,
)
from .precompiled_charsmap import Precompiled
from .sentencepiece import SentencePieceNormalizer, SentencePiecePipeline
from .splitter_equivalents import equivalent_splitter
from .steps import Normalizer, PreTokenizer

__all__ = [
    "SPACE_SYMBOL",
    "ByteLevel",
    "ByteLevelDecoder",
    "Digits",
    "Lowercase",
    "Metaspace",
    "MetaspaceDecoder",
    "Normalizer",
    "Pipeline",
    "PreTokenizer",
    "Precompiled",
    "Prepend",
    "Punctuation",
    "RecipeSplit",
    "Replace",
    "ReplaceDecoder",
    "SentencePieceNormalizer",
    "SentencePiecePipeline",
    "Split",
    "Strip",
    "StripDecoder",
    "UnicodeForm",
    "Whitespace",
    "WhitespaceSplit",
    "equivalent_splitter",
]
