"""Pipelines: what published tokenizers do to text before and after their merges, as steps.

The steps of Hugging Face's `tokenizers` have the names that they have there.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy_imports import imported_when_used

if TYPE_CHECKING:
    from .decoders import ByteLevelDecoder, CTCDecoder, MetaspaceDecoder, ReplaceDecoder, StripDecoder, WordPieceDecoder
    from .normalizers import (
        BertNormalizer,
        ByteLevelNormalizer,
        Lowercase,
        Nmt,
        Prepend,
        Replace,
        Strip,
        StripAccents,
        UnicodeForm,
    )
    from .pipeline import Pipeline
    from .pre_tokenizers import (
        SPACE_SYMBOL,
        BertPreTokenizer,
        ByteLevel,
        Digits,
        FixedLength,
        Metaspace,
        Punctuation,
        RecipeSplit,
        Split,
        UnicodeScripts,
        Whitespace,
        WhitespaceSplit,
    )
    from .precompiled_charsmap import Precompiled
    from .sentencepiece import SentencePieceNormalizer, SentencePiecePipeline
    from .splitter_equivalents import equivalent_splitter
    from .steps import Normalizer, PreTokenizer

__all__ = [
    "SPACE_SYMBOL",
    "BertNormalizer",
    "BertPreTokenizer",
    "ByteLevel",
    "ByteLevelDecoder",
    "ByteLevelNormalizer",
    "CTCDecoder",
    "Digits",
    "FixedLength",
    "Lowercase",
    "Metaspace",
    "MetaspaceDecoder",
    "Nmt",
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
    "StripAccents",
    "StripDecoder",
    "UnicodeForm",
    "UnicodeScripts",
    "Whitespace",
    "WhitespaceSplit",
    "WordPieceDecoder",
    "equivalent_splitter",
]

__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".steps",
    ".normalizers",
    ".pre_tokenizers",
    ".decoders",
    ".precompiled_charsmap",
    ".splitter_equivalents",
    ".pipeline",
    ".sentencepiece",
)
