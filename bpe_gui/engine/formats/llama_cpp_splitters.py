r"""The splitters that llama.cpp uses for the names in `tokenizer.ggml.pre` of GGUF files.

Text is split by the first pattern, every piece is split again by the next one, and so on. Both matches and the text
between them are pieces. Source: ggml-org/llama.cpp src/llama-vocab.cpp and src/unicode.cpp.

If llama.cpp splits differently from the original model of a file, the table follows llama.cpp:

- Contractions are ASCII: `'ſ` is not one, although `(?i:'s)` matches it. Only `k2-horizon` has it.
- `\p{Lu}` and the like are any letter; where a pattern says `[^a-z]` instead, only ASCII has lower case.
- In a pattern without `\p`, `\d` and `\b` are ASCII only, and other white space, such as U+3000, only matches `\s`.

One difference remains: llama.cpp has the categories of Unicode 15.1, in which the 5,185 characters added in Unicode
16.0 are not letters, digits or symbols.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from bpe_gui.engine.pipeline.published_patterns import ASCII_CONTRACTIONS, ASCII_LLAMA3_PATTERN, CONTRACTIONS
from bpe_gui.engine.text.splitters import SPLITTERS


class LlamaCppSplitter(NamedTuple):
    """The splitter of llama.cpp for one kind of model."""

    patterns: tuple[str, ...]
    """Regular expressions, in the order in which they are applied."""
    ignores_merges: bool = False
    """Whether a word that is a token stays whole, even if the merges would give others."""
    adds_bos: bool = False
    """Whether ids begin with the beginning-of-text token (BOS) if the file does not say."""
    always_adds_bos: bool = False
    """Whether they do so regardless of the file."""
    is_byte_level: bool = True
    """Whether merges join bytes. If they join characters, a space is written as `▁`."""


_NUMERAL: Final = r"\p{N}"
_NUMERALS: Final = r"\p{N}+"
_THREE_NUMERALS: Final = r"\p{N}{1,3}"
_THREE_DIGITS: Final = "[0-9][0-9][0-9]"
_LINE_END: Final = r"[\r\n]"
_LINES: Final = r"[^\n]+|[\n]+"
_CJK_OR_HANGUL: Final = r"(?:(?!\s)[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff])+"
_HAN_OR_KANA: Final = r"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"
_UP_TO_PUNCTUATION: Final = r" ?[^(\s|.,!?…。，、।۔،)]+"
_LETTERS: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_PUNCTUATION: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"

_ASCII_QWEN2_PATTERN: Final = rf"{ASCII_CONTRACTIONS}|{_LETTERS}|\p{{N}}|{_PUNCTUATION}|{_SPACES}"
_ASCII_BAILING_PATTERN: Final = rf"{ASCII_CONTRACTIONS}|{_LETTERS}|\p{{N}}|{_PUNCTUATION}|\s*[\r\n]|\s+(?!\S)|\s+"
_JAIS2_PATTERN: Final = (
    rf"{ASCII_CONTRACTIONS}|{_LETTERS}|{_THREE_NUMERALS}|{_PUNCTUATION}|\s*[\r\n]+|\s{{512}}(?!\S)|\s{{256}}(?!\S)"
    r"|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s"
)
_QWEN35_PATTERN: Final = (
    rf"{ASCII_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*"
    rf"|{_SPACES}"
)
_K2_HORIZON_PATTERN: Final = (
    rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}\u200c\u200d]+|{_THREE_NUMERALS}|{_PUNCTUATION}"
    rf"|{_SPACES}"
)
_SEED_CODER_PATTERN: Final = rf"{ASCII_CONTRACTIONS}|{_LETTERS}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|{_SPACES}"
_UFAKZEKA_PATTERN: Final = rf"{_LETTERS}|\p{{N}}|{_PUNCTUATION}|{_SPACES}"
_MINICPM5_PATTERN: Final = rf"{ASCII_CONTRACTIONS}|{_LETTERS}|{_NUMERALS}|{_PUNCTUATION}|{_SPACES}"
_EXAONE_MOE_PATTERN: Final = (
    rf"{ASCII_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
)
_DEEPSEEK3_WORDS: Final = r"[!-/:-@\[-`{-\~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+"
_DEEPSEEK3_PATTERN: Final = rf"{_DEEPSEEK3_WORDS}[\r\n]*|{_SPACES}"
_SPARK_PATTERN: Final = rf"{_DEEPSEEK3_WORDS}|[\r\n]|\s+(?!\S)|\s+"


def _cased(upper: str, lower: str, ending: str, numbers: str) -> str:
    """Return a pattern of words that end where an uppercase letter follows a lowercase one."""
    prefix = r"[^\r\n\p{L}\p{N}]?"
    return (
        rf"{prefix}{upper}*{lower}+{ending}|{prefix}{upper}+{lower}*{ending}|{numbers}"
        rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
    )


_TEKKEN_PATTERN: Final = _cased(r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])", "", _NUMERAL)
_GPT4O_PATTERN: Final = _cased(
    r"(?:(?=\p{L})[^a-z])", r"(?:(?=\p{L})[^A-Z])", f"{ASCII_CONTRACTIONS}?", _THREE_NUMERALS
)
_GRANITE_PATTERN: Final = _cased(
    r"(?:(?=[\p{L}\p{M}])[^a-z])", r"(?:(?=[\p{L}\p{M}])[^A-Z])", f"{ASCII_CONTRACTIONS}?", _THREE_NUMERALS
)
_UNCASED: Final = r"[\p{L}\p{M}]"
_YOUTU_PATTERN: Final = _cased(_UNCASED, _UNCASED, f"{ASCII_CONTRACTIONS}?", _NUMERAL)
_TINY_AYA_PATTERN: Final = _cased(_UNCASED, _UNCASED, f"{ASCII_CONTRACTIONS}?", _THREE_NUMERALS)

_HAN: Final = (
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b739\U0002b740-\U0002b81d\U0002b820-\U0002ebef\U0002f800-\U0002fa1f"
)
"""llama.cpp's ranges without the ends of two, whose characters are newer than Unicode 16."""
_KIMI_PATTERN: Final = (
    rf"[{_HAN}]+|[^\r\n\p{{L}}\p{{N}}]?(?:(?![{_HAN}])\p{{L}})+{ASCII_CONTRACTIONS}?|{_THREE_NUMERALS}|{_PUNCTUATION}"
    rf"|{_SPACES}"
)

_NUMBERS_FROM_THE_RIGHT: Final = r"\P{N}*\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))"
"""Up to three digits at a time, so that three remain at the end; the text before them is attached to the first."""

_AFMOE_SCRIPTS: Final = (
    r"[\u0e40-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2f00-\u2fdf\u3040-\u30ff\u3400-\u4dbf\u4e00-\ufaff"
    r"\uff65-\uff9f]+"
)
"""Scripts without spaces. One range begins at U+8C48, which looks like U+F900, so it includes everything between."""

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
    r"\s?[!-/:-\~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3001-\u3002]+",
    r"\s+$",
    _CJK_OR_HANGUL,
    r"\p{N}+",
)


_NAMES: Final = {
    LlamaCppSplitter((r"[\p{P}\$\+<=>\^\~\|]+", SPLITTERS["gpt2"], _NUMERALS, _THREE_DIGITS)): "default",
    LlamaCppSplitter((ASCII_LLAMA3_PATTERN,), ignores_merges=True, adds_bos=True): (
        "llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano"
    ),
    LlamaCppSplitter((ASCII_LLAMA3_PATTERN,)): "dbrx smaug-bpe glm4 glm5 chatglm-bpe",
    LlamaCppSplitter((_JAIS2_PATTERN,)): "jais-2",
    LlamaCppSplitter(_DEEPSEEK_LLM_PATTERNS): "deepseek-llm",
    LlamaCppSplitter((_LINE_END, r"\s?\p{L}+", r"\s?\p{P}+", _CJK_OR_HANGUL, _NUMERAL)): "deepseek-coder",
    LlamaCppSplitter((_THREE_NUMERALS, _HAN_OR_KANA, _DEEPSEEK3_PATTERN)): "deepseek-v3 hunyuan-dense joyai-llm hy_v4",
    LlamaCppSplitter((_THREE_NUMERALS, _HAN_OR_KANA, _SPARK_PATTERN, _NUMERAL)): "spark2_5",
    LlamaCppSplitter(
        (
            r"[\uac00-\ud7a3\u3131-\u318e]+"
            r"|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]+"
            rf"|[\u3105-\u312f]+|{_HAN_OR_KANA}",
            _YOUTU_PATTERN,
        ),
        ignores_merges=True,
    ): "youtu",
    LlamaCppSplitter((r"[\p{P}\$\+<=>\^\~\|`]+", SPLITTERS["gpt2"], _THREE_DIGITS)): "falcon",
    LlamaCppSplitter((_NUMERAL, SPLITTERS["gpt2"])): (
        "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2"
    ),
    LlamaCppSplitter((SPLITTERS["gpt2"],)): (
        "gpt-2 phi-2 jina-es jina-de jina-v1-en jina-v2-es jina-v2-de jina-v2-code roberta-bpe gigachat a.x-4.0 "
        "mellum modern-bert exaone4 mpt olmo jais trillion granite-docling"
    ),
    LlamaCppSplitter((_ASCII_QWEN2_PATTERN,)): (
        "qwen2 deepseek-r1-qwen kormo f2llmv2 stablelm2 megrez hunyuan solar-open grok-2"
    ),
    LlamaCppSplitter((_LINES, _ASCII_QWEN2_PATTERN)): "laguna",
    LlamaCppSplitter((_QWEN35_PATTERN,)): "qwen35",
    LlamaCppSplitter((_UFAKZEKA_PATTERN,)): "ufakzeka",
    LlamaCppSplitter((_K2_HORIZON_PATTERN,)): "k2-horizon",
    LlamaCppSplitter((_UP_TO_PUNCTUATION,)): "poro-chat bloom gpt3-finnish",
    LlamaCppSplitter((_UP_TO_PUNCTUATION, _NUMERAL)): "viking",
    LlamaCppSplitter((_TEKKEN_PATTERN,), ignores_merges=True, adds_bos=True): "tekken",
    LlamaCppSplitter(
        (
            "<sentinel:[0-9]+>",
            "IMGIMG[A-I]{1,4}Z",
            r"[\t\n]|    |  ",
            _NUMERAL,
            r"[\p{P}!-/:-@\[-`{-\~]",
            SPLITTERS["gpt2"],
        ),
        adds_bos=True,
    ): "chameleon",
    LlamaCppSplitter((_GPT4O_PATTERN,)): "gpt-4o llama4 minimax-m2 kanana2 talkie",
    LlamaCppSplitter((_GRANITE_PATTERN,), ignores_merges=True): "granite-embed-multi-97m",
    LlamaCppSplitter((_NUMBERS_FROM_THE_RIGHT, _TINY_AYA_PATTERN)): "tiny_aya cohere2moe",
    LlamaCppSplitter((_NUMERALS, r"(?=(?:[0-9]{3})+(?![0-9]))")): "superbpe",
    LlamaCppSplitter((_ASCII_BAILING_PATTERN,)): "bailingmoe bailingmoe2 llada-moe",
    LlamaCppSplitter((_SEED_CODER_PATTERN,)): "seed-coder",
    LlamaCppSplitter((_KIMI_PATTERN,)): "kimi-k2",
    LlamaCppSplitter((_EXAONE_MOE_PATTERN,)): "exaone-moe",
    LlamaCppSplitter((_NUMBERS_FROM_THE_RIGHT, _AFMOE_SCRIPTS, _DEEPSEEK3_PATTERN)): "afmoe",
    LlamaCppSplitter((_THREE_NUMERALS, _MINICPM5_PATTERN), ignores_merges=True): "minicpm5",
    LlamaCppSplitter((_LINES,), always_adds_bos=True, is_byte_level=False): "gemma4 granite-embed-multi-311m",
    LlamaCppSplitter((_LINES,), is_byte_level=False): "sarvam-moe",
}

LLAMA_CPP_SPLITTERS: Final[Mapping[str, LlamaCppSplitter]] = MappingProxyType(
    {name: splitter for splitter, names in _NAMES.items() for name in names.split()}
)
"""The splitters by their names in `tokenizer.ggml.pre`."""
