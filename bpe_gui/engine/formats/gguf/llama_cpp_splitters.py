"""The splitters that llama.cpp uses for the names in `tokenizer.ggml.pre` of GGUF files.

Text is split by the first pattern, every piece is split again by the next one, and so on; both the matches and the
text between them are pieces. Source: ggml-org/llama.cpp src/llama-vocab.cpp. Where that file has rewritten a regular
expression for C++ and quotes the original in a comment, the table has the original.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from bpe_gui.engine.pipeline.fast_splits import BAILING_PATTERN, LLAMA3_PATTERN, QWEN2_PATTERN
from bpe_gui.engine.text.splitters import SPLITTERS


class LlamaCppSplitter(NamedTuple):
    """The splitter of llama.cpp for one kind of model."""

    patterns: tuple[str, ...]
    """Regular expressions, in the order in which they are applied."""
    ignores_merges: bool = False
    """Whether a word that is a token stays whole, whatever the merges would give."""
    adds_bos: bool = False
    """Whether ids begin with the token for the beginning of text (BOS) if the file does not say."""


_NUMERAL: Final = r"\p{N}"
_THREE_DIGITS: Final = "[0-9][0-9][0-9]"
_LINE_END: Final = r"[\r\n]"
_CJK_OR_HANGUL: Final = r"[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
_HAN_OR_KANA: Final = r"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
_UP_TO_PUNCTUATION: Final = r" ?[^(\s|.,!?…。，、।۔،)]+"
_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_PUNCTUATION: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"

_QWEN35_PATTERN: Final = (
    rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}"
)
_SEED_CODER_PATTERN: Final = (
    rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_SPACES}"
)
_EXAONE_MOE_PATTERN: Final = (
    rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
)
_DEEPSEEK3_PATTERN: Final = (
    rf"[!-/:-@\[-`{{-\~][A-Za-z]+|[^\r\n\p{{L}}\p{{P}}\p{{S}}]?[\p{{L}}\p{{M}}]+| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_SPACES}"
)

# Parts of patterns by which a word ends where an uppercase letter follows a lowercase one.
_WORD_PREFIX: Final = r"[^\r\n\p{L}\p{N}]?"
_UPPERCASE: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWERCASE: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_NON_WORDS: Final = rf"\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
_TEKKEN_PATTERN: Final = (
    f"{_WORD_PREFIX}{_UPPERCASE}*{_LOWERCASE}+|{_WORD_PREFIX}{_UPPERCASE}+{_LOWERCASE}*|{_NON_WORDS}"
)
_YOUTU_PATTERN: Final = (
    f"{_WORD_PREFIX}{_UPPERCASE}*{_LOWERCASE}+{_CONTRACTIONS}?|{_WORD_PREFIX}{_UPPERCASE}+{_LOWERCASE}*{_CONTRACTIONS}?"
    f"|{_NON_WORDS}"
)
_NOT_HAN: Final = r"(?!\p{Han})"
_KIMI_PATTERN: Final = (
    rf"\p{{Han}}+|{_WORD_PREFIX}(?:{_NOT_HAN}{_UPPERCASE})*(?:{_NOT_HAN}{_LOWERCASE})+{_CONTRACTIONS}?"
    rf"|{_WORD_PREFIX}(?:{_NOT_HAN}{_UPPERCASE})+(?:{_NOT_HAN}{_LOWERCASE})*{_CONTRACTIONS}?"
    rf"|\p{{N}}{{1,3}}|{_PUNCTUATION}|{_SPACES}"
)

_DEEPSEEK_LLM_PATTERNS: Final = (
    _LINE_END,
    r"\s?[A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373\u0376"
    r"\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556"
    r"\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a"
    r"\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4"
    r"\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102"
    r"\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149"
    r"\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f"
    r"\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a"
    "\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2"
    "\U000118a0-\U000118df\U0001e900-\U0001e943]+",
    r"\s?[!-/:-\~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
    r"\s+$",
    _CJK_OR_HANGUL,
    r"\p{N}+",
)

_GPT2_SPLITTER: Final = LlamaCppSplitter((SPLITTERS["gpt2"],))
_STARCODER_SPLITTER: Final = LlamaCppSplitter((_NUMERAL, SPLITTERS["gpt2"]))
_QWEN2_SPLITTER: Final = LlamaCppSplitter((QWEN2_PATTERN,))
_LLAMA3_SPLITTER: Final = LlamaCppSplitter((LLAMA3_PATTERN,))

LLAMA_CPP_SPLITTERS: Final[Mapping[str, LlamaCppSplitter]] = MappingProxyType(
    {
        "default": LlamaCppSplitter((r"[\p{P}\$\+<=>\^\~\|]+", SPLITTERS["gpt2"], r"\p{N}+", _THREE_DIGITS)),
        **dict.fromkeys(
            ("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"),
            LlamaCppSplitter((LLAMA3_PATTERN,), ignores_merges=True, adds_bos=True),
        ),
        **dict.fromkeys(("dbrx", "smaug-bpe", "glm4", "chatglm-bpe"), _LLAMA3_SPLITTER),
        "deepseek-llm": LlamaCppSplitter(_DEEPSEEK_LLM_PATTERNS),
        "deepseek-coder": LlamaCppSplitter((_LINE_END, r"\s?\p{L}+", r"\s?\p{P}+", _CJK_OR_HANGUL, _NUMERAL)),
        **dict.fromkeys(
            ("deepseek-v3", "hunyuan-dense"), LlamaCppSplitter((r"\p{N}{1,3}", _HAN_OR_KANA, _DEEPSEEK3_PATTERN))
        ),
        "youtu": LlamaCppSplitter(
            (
                r"[\uac00-\ud7a3\u3131-\u318e]+"
                r"|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]+"
                rf"|[\u3105-\u312f]+|{_HAN_OR_KANA}",
                _YOUTU_PATTERN,
            ),
            ignores_merges=True,
        ),
        "falcon": LlamaCppSplitter((r"[\p{P}\$\+<=>\^\~\|`]+", SPLITTERS["gpt2"], _THREE_DIGITS)),
        **dict.fromkeys(
            ("starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b"),
            _STARCODER_SPLITTER,
        ),
        **dict.fromkeys(
            ("gpt-2", "phi-2", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code"),
            _GPT2_SPLITTER,
        ),
        **dict.fromkeys(("roberta-bpe", "gigachat", "a.x-4.0", "mellum", "modern-bert", "exaone4"), _GPT2_SPLITTER),
        **dict.fromkeys(("mpt", "olmo", "jais", "trillion", "granite-docling"), _GPT2_SPLITTER),
        **dict.fromkeys(
            ("qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "stablelm2", "megrez", "hunyuan", "solar-open", "grok-2"),
            _QWEN2_SPLITTER,
        ),
        "qwen35": LlamaCppSplitter((_QWEN35_PATTERN,)),
        **dict.fromkeys(("poro-chat", "bloom", "gpt3-finnish"), LlamaCppSplitter((_UP_TO_PUNCTUATION,))),
        "viking": LlamaCppSplitter((_UP_TO_PUNCTUATION, _NUMERAL)),
        "tekken": LlamaCppSplitter((_TEKKEN_PATTERN,), ignores_merges=True, adds_bos=True),
        "chameleon": LlamaCppSplitter(
            (
                "<sentinel:[0-9]+>",
                "IMGIMG[A-I]{1,4}Z",
                r"[\t\n]|    |  ",
                _NUMERAL,
                r"[\p{P}!-/:-@\[-`{-\~]",
                SPLITTERS["gpt2"],
            ),
            adds_bos=True,
        ),
        **dict.fromkeys(("gpt-4o", "llama4", "minimax-m2"), LlamaCppSplitter((SPLITTERS["o200k"],))),
        **dict.fromkeys(("bailingmoe", "bailingmoe2", "llada-moe"), LlamaCppSplitter((BAILING_PATTERN,))),
        "seed-coder": LlamaCppSplitter((_SEED_CODER_PATTERN,)),
        "kimi-k2": LlamaCppSplitter((_KIMI_PATTERN,)),
        "exaone-moe": LlamaCppSplitter((_EXAONE_MOE_PATTERN,)),
    }
)
"""The splitters by their names in `tokenizer.ggml.pre`."""
