"""Pipelines: what published tokenizers do to text before and after their merges, as steps.

`pipeline` puts the steps in order: `added_tokens` are taken out of a text, `normalizers` change the text between them,
`pre_tokenizers` split it into words, the model merges each word according to `model_options`, and `decoders` turn
tokens back into text. A step is a small frozen value, named as in Hugging Face's `tokenizers`. `sentencepiece` and
`precompiled_charsmap` have the steps of SentencePiece's models.

Every character of an `aligned_text` knows which bytes of the original it stands for. A pre-tokenizer splits by levels,
which `levels` turns into the tables that kernels use, too. `merge_boundaries` adds a level for text that no step
splits. `library_classes` has the classes of characters in the library.

Before changing a step: its words, its offsets and its treatment of characters from every version of Unicode must be
those of the library. The tests compare them.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

if TYPE_CHECKING:
    from .added_tokens import AddedToken
    from .decoders import ByteLevelDecoder, CTCDecoder, MetaspaceDecoder, ReplaceDecoder, StripDecoder, WordPieceDecoder
    from .normalizers import (
        BertNormalizer,
        ByteLevelNormalizer,
        Lowercase,
        Nmt,
        Normalizer,
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
        PreTokenizer,
        Punctuation,
        RecipeSplit,
        Split,
        UnicodeScripts,
        Whitespace,
        WhitespaceSplit,
    )
    from .precompiled_charsmap import Precompiled
    from .sentencepiece import SentencePieceNormalizer, SentencePiecePipeline
    from .split_steps import KNOWN_SPLITTERS, equivalent_splitter

__all__ = [
    "KNOWN_SPLITTERS",
    "SPACE_SYMBOL",
    "AddedToken",
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
    ".added_tokens",
    ".normalizers",
    ".pre_tokenizers",
    ".decoders",
    ".precompiled_charsmap",
    ".pipeline",
    ".sentencepiece",
    ".split_steps",
)
