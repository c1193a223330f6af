r"""Regular expressions that are published for models, each with the engine that reads it there.

Sources, besides those named at an expression:

- openai/tiktoken `tiktoken_ext/openai_public.py`, openai/whisper, openai/gpt-2, openai/CLIP: their Python files.
- `tokenizer.json`: of the models named, on Hugging Face. Steps that have no expression are left out: Digits,
  Punctuation, Metaspace and `ByteLevel` without `use_regex`.
- Python files beside models (`tokenization_*.py`, `tekken.json`), which hand their expression to tiktoken.

What llama.cpp does for GGUF files is in `bpe_gui.engine.formats.llama_cpp_splitters`.
"""

from typing import Final, Literal, NamedTuple

Engine = Literal["tiktoken", "tokenizers", "regex"]
"""The engine that reads an expression: tiktoken (fancy-regex), `tokenizers` (Oniguruma) or Python's `regex`."""


class Published(NamedTuple):
    """Expressions that split text one after another, and the models that use them."""

    engine: Engine
    models: str
    expressions: tuple[str, ...]


_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORD: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_BEFORE: Final = r"[^\r\n\p{L}\p{N}]?"
_HAN_OR_KANA: Final = r"[一-龥぀-ゟ゠-ヿ]+"
_CJK: Final = "[一-龥ࠀ-一가-\ud7ff]+"
_LLAMA3: Final = rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|{_SPACES}"
_QWEN2: Final = rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_SIGNS}|{_SPACES}"
_GPT2: Final = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
_GPT4: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
_GPT4O: Final = (
    rf"{_BEFORE}{_UPPER}*{_LOWER}+{_CONTRACTIONS}?|{_BEFORE}{_UPPER}+{_LOWER}*{_CONTRACTIONS}?|\p{{N}}{{1,3}}"
    rf"| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
_TEKKEN: Final = (
    rf"{_BEFORE}{_UPPER}*{_LOWER}+|{_BEFORE}{_UPPER}+{_LOWER}*|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}"
)
_KIMI_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_KIMI_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
_KIMI: Final = (
    rf"[\p{{Han}}]+|{_BEFORE}{_KIMI_UPPER}*{_KIMI_LOWER}+{_CONTRACTIONS}?"
    rf"|{_BEFORE}{_KIMI_UPPER}+{_KIMI_LOWER}*{_CONTRACTIONS}?|\p{{N}}{{1,3}}|{_SIGNS}|{_SPACES}"
)
_DEEPSEEK_WORDS: Final = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+"
)
_DEEPSEEK_LETTERS: Final = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373\u0376"
    "\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-"
    "\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a"
    "\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4"
    "\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc"
    "\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f"
    "\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b"
    "\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a"
    "\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2"
    "\U000118a0-\U000118df\U0001e900-\U0001e943"
)
_JAIS2_SPACES: Final = "|".join(
    rf"\s{{{width}}}(?!\S)" for width in ("512", "256", "128", "64", "32", "16", "8", "4", "1,2")
)


def _boundless(punctuation: str) -> str:
    """Return an expression of BoundlessBPE's, whose two versions differ in what precedes punctuation."""
    return "|".join(
        (
            r" ?(?:\p{L}\p{M}*)+['’](?:\p{L}\p{M}*)+",
            r"_(?:\p{Ll}\p{M}*)+",
            r" ?(?:\p{Lu}\p{M}*)+(?=(?:\p{Lu}\p{M}*)(?:\p{Ll}\p{M}*))",
            r" ?(?:\p{Lu}\p{M}*)?(?:\p{Ll}\p{M}*)+",
            r" ?(?:\p{Lu}\p{M}*)+",
            r" ?(?:[\p{Lt}\p{Lm}\p{Lo}]\p{M}*)+",
            r"(?:\p{N}\p{M}*){1,3}(?=(?:(?:\p{N}\p{M}*){3})*(?:(?:\P{N}\p{M}*)|$))",
            rf"{punctuation}(?:[\p{{P}}\p{{S}}]\p{{M}}*)+",
            r"[^\S\r\n]*[\n\r]+|[^\S\r\n]+",
            r"(?:[\p{Z}\p{C}]\p{M}*)+",
            r"\p{M}+",
            r".+",
        )
    )


_BY_ENGINE: Final[dict[Engine, dict[str, tuple[str, ...]]]] = {
    "tiktoken": {
        "r50k_base, p50k_base, p50k_edit": (
            r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
        ),
        "cl100k_base": (
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
            r"|\s+(?!\S)|\s",
        ),
        "o200k_base, o200k_harmony, Llama 4": (_GPT4O,),
        "gpt2 and r50k_base of older releases, Whisper": (_GPT2,),
        "cl100k_base of older releases": (_GPT4,),
        "cl100k_base of the first release, Llama 3, DBRX, GLM-4, Phi-3-small": (_LLAMA3,),
        "Qwen, StableLM 2, Grok-2": (_QWEN2,),
        "Mistral NeMo, Pixtral, Ministral (tekken.json)": (_TEKKEN,),
        "Kimi K2, K2.5, K3, Kimi Linear, Moonlight": (_KIMI,),
        "nanochat": (_GPT4.replace("{1,3}", "{1,2}"),),
    },
    "tokenizers": {
        "GPT-2, GPT-NeoX, MPT, OLMo, Phi-2, ModernBERT, RoBERTa, Claude: ByteLevel": (_GPT2,),
        "Llama 3, GLM 4.5 to 5.3, SmolLM3, Falcon 3, LFM2, OLMo 2, Granite 4.1, GPT-4": (_LLAMA3,),
        "Qwen 2, 2.5 and 3, DeepSeek-R1's distilled Qwen, Grok-2, Solar Open, KORMo": (_QWEN2,),
        "Qwen 3.5 to 3.8": (
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
            rf"| ?[^\s\p{{L}}\p{{M}}\p{{N}}]+[\r\n]*|{_SPACES}",
        ),
        "GPT-4o, gpt-oss, Llama 4, MiniMax M2, Phi-4-mini": (_GPT4O,),
        "Mistral NeMo, Nemotron 3, Apertus": (_TEKKEN,),
        "Kimi K2 and K3, converted": (_KIMI,),
        "DeepSeek V3, R1 and V4, Hunyuan, Step 3.5": (
            r"\p{N}{1,3}",
            _HAN_OR_KANA,
            rf"{_DEEPSEEK_WORDS}" + "[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
        ),
        "DeepSeek LLM, V2 and Coder V2": (
            "[\r\n]",
            rf"\s?[{_DEEPSEEK_LETTERS}]+",
            "\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+",
            r"\s+$",
            _CJK,
        ),
        "DeepSeek Coder": ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _CJK),
        "Spark X2.5": (r"\p{N}{1,3}", _HAN_OR_KANA, _DEEPSEEK_WORDS + "|[\r\n]|\\s+(?!\\S)|\\s+"),
        "A.X K2": (_HAN_OR_KANA, _QWEN2),
        "MiniCPM5": (r"\p{N}{1,3}", _QWEN2.replace(r"\p{N}|", r"\p{N}+|")),
        "Laguna": (r"(?:\r?\n)+(?!\r?\n)", _QWEN2),
        "BLOOM, Poro, Viking, GPT-3 Finnish": (r" ?[^(\s|[.,!?…。，、।۔،])]+",),
        "Falcon": (_GPT2, "[0-9][0-9][0-9]"),
        "LLaDA, Ling, Ring (BailingMoE)": (_GPT4.replace("{1,3}", ""),),
        "Ling 3": (_GPT4.replace("{1,3}", "").replace("'(?i:[sdmt]|ll|ve|re)", _CONTRACTIONS),),
        "Seed-Coder, Seed-OSS": (
            rf"{_CONTRACTIONS}|" + "[^\r\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\r\n]+"
            "|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
        ),
        "Jais 2": (rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|\s*[\r\n]+|{_JAIS2_SPACES}|\s{{1}}",),
        "K-EXAONE, EXAONE 4.5": (
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?(?:\p{{L}}\p{{M}}*(?: \p{{L}}\p{{M}}*)*)+|\p{{N}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+",
        ),
        "Command A, Aya": (r"\d{1,3}(?=(?:\d{3})*\b)", _GPT4O),
        "SuperBPE, numbers": (r"\p{N}+", r"(?=(\d{3})+(?!\d))"),
        "SuperBPE, first stage": (_TEKKEN.replace(r"\p{N}|", r"\p{N}{1,3}|"),),
        "SuperBPE, second stage": (r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]{2,}[\r\n/]*| +(?!\S)",),
        "CLIP": (r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",),
        "Chameleon": ("<sentinel:[0-9]+>", "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z", "([\\t\\n]|    |  )"),
        "Sarvam": (" ",),
        "Surya OCR": (".",),
        "the step Whitespace": (r"\w+|[^\w\s]+",),
    },
    "regex": {
        "GPT-2 (encoder.py), transformers' GPT2Tokenizer": (_GPT2,),
        "CLIP (simple_tokenizer.py)": (
            r"(?i)<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
        ),
        "minbpe, GPT-4": (_GPT4,),
        "BoundlessBPE (kensho-technologies/boundlessbpe regexconstants.py), GPT-4o": (_GPT4O,),
        "BoundlessBPE, full": (
            r"'(?i:[sdmt]|ll|ve|re)| ?[\p{Lu}]+(?=[\p{Lu}][\p{Ll}])| ?[\p{Lu}]?[\p{Ll}]+| ?[\p{Lu}]+"
            r"| ?[\p{Lt}\p{Lm}\p{Lo}]+|\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+",
        ),
        "BoundlessBPE, first version": (_boundless(""),),
        "BoundlessBPE, second version": (_boundless(" ?"),),
    },
}

PUBLISHED: Final = tuple(
    Published(engine, models, expressions)
    for engine, by_models in _BY_ENGINE.items()
    for models, expressions in by_models.items()
)
