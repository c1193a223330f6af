"""Tokenizers of Hugging Face's `tokenizers`, trained on a small text: one for each of their options."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from bpe_gui.engine import Tokenizer as OurTokenizer
from bpe_gui.engine import load

from .sentencepiece_models import parsed
from .sentencepiece_models import trained as trained_pieces

WORDS = (
    "the low lower lowest newer wider cats' don't we'll 123 2024 ab abab été naïve Ünïcödé Straße ſo ﬁne ½ Ⅷ "
    "你好 你好世界 日本語 한국어 한국 русский العربية हिन्दी 😀 👩‍👩‍👧 e\u0301te\u0323 … “quoted” "
)
CORPUS = [
    WORDS,
    WORDS.upper(),
    "def f(x):\n\treturn x[0] + 1\r\n\r\n" + WORDS * 3,
    "  two  spaces\u00a0and\u3000more\n",
]

TEXTS = (
    "",
    " ",
    "the lowest",
    "  the  lower   low ",
    "a\tb\r\n\r\nc\n\n d\r",
    "no\u00a0break\u2028line\u2029par\u0085next\u3000wide\u200bzero",
    "👩‍👩‍👧 fam😀ily 👍🏽🇨🇳",
    "e\u0301te\u0323 été ﬁne ½ Ⅷ ſo Å Å K ＡＢ ｶﾞ",
    "İstanbul ΟΔΟΣ Straße ǅ",
    "العربية हिन्दी คำ русский",
    "你好世界日本語한국어각",
    "1234567 3.14 ٣٤ 12ab34",
    "don't WE'LL cats' (x)[0]+1=2 $5 a_b-c/d . ! ?",
    "<s>low</s> <s> the<s>\n\t<s>xlowlowerlow <tag>lower</tag> LOW",
    "\x00\x1c\x7f\u200d\ufeff\ufffd",
    "unknown: ᚠᚢᚦ ⴰⴱ ok",
    "▁low ▁▁ Ġlow</w> ##ab <0x41>",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + " " * 9 + "\n" * 5,
)
"""Texts with everything that steps treat specially: white space, marks, scripts, digits, added tokens anywhere."""

LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
DEEPSEEK = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"""| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
)
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


class Sample(NamedTuple):
    """The options of a tokenizer, by default without any steps around its merges."""

    normalizer: Any = None
    pre_tokenizer: Any = None
    decoder: Any = None
    model: dict[str, Any] = {}  # noqa: RUF012  # read only
    special: tuple[str, ...] = ()
    """The special tokens of the vocabulary."""
    added: tuple[AddedToken, ...] = ()
    around: str | None = None
    """The template for a single text."""
    processor: Any = None
    """The post-processor, whose two special tokens have the ids 0 and 1."""
    alphabet: tuple[str, ...] = ()


def _bytes(*steps: Any, **others: Any) -> Sample:
    """Return a byte-level tokenizer with `steps` before the bytes; without any, it splits as GPT-2 does."""
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not steps)
    pre_tokenizer = pre_tokenizers.Sequence([*steps, byte_level]) if steps else byte_level
    return Sample(
        **{
            "pre_tokenizer": pre_tokenizer,
            "decoder": decoders.ByteLevel(),
            "alphabet": tuple(sorted(pre_tokenizers.ByteLevel.alphabet())),
            **others,
        }
    )


def _split(pattern: str | Regex, behavior: str, invert: bool = False) -> Any:
    return pre_tokenizers.Split(pattern, behavior, invert)


def _token(content: str, **flags: bool) -> AddedToken:
    return AddedToken(content, **{"normalized": False, **flags})


_UNK = {"unk_token": "<unk>"}
_LLAMA2 = decoders.Sequence(
    [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
)


@cache
def samples() -> dict[str, Sample]:
    """Return all samples by name."""
    return {
        **_byte_level_samples(),
        **_normalizer_samples(),
        **_pre_tokenizer_samples(),
        **_model_samples(),
        **_added_token_samples(),
        **_decoder_samples(),
    }


def _byte_level_samples() -> dict[str, Sample]:
    digits = pre_tokenizers.Digits(individual_digits=True)
    return {
        "bytes": _bytes(),
        "bytes, space before": Sample(
            pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=True), decoder=decoders.ByteLevel()
        ),
        "bytes, unsplit": _bytes(pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)),
        "bytes, not all": _bytes(alphabet=()),
        "bytes, not all, unknown": _bytes(alphabet=(), model=_UNK, special=("<unk>",)),
        "bytes, llama3": _bytes(_split(Regex(LLAMA3), "isolated"), model={"ignore_merges": True}),
        "bytes, bloom": _bytes(_split(Regex(BLOOM), "isolated")),
        "bytes, deepseek": _bytes(
            _split(Regex(r"\p{N}{1,3}"), "isolated"),
            _split(Regex("[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
            _split(Regex(DEEPSEEK), "isolated"),
        ),
        "bytes, falcon": _bytes(
            pre_tokenizer=pre_tokenizers.Sequence(
                [
                    pre_tokenizers.Punctuation("contiguous"),
                    pre_tokenizers.ByteLevel(add_prefix_space=False),
                    pre_tokenizers.Digits(),
                    _split(Regex("[0-9][0-9][0-9]"), "isolated"),
                ]
            )
        ),
        "bytes, starcoder": _bytes(
            pre_tokenizer=pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
        ),
        "bytes, twice": _bytes(pre_tokenizers.ByteLevel(add_prefix_space=False), digits),
        "bytes, NFC": _bytes(normalizer=normalizers.NFC()),
        "bytes, NFKC and small": _bytes(normalizer=normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])),
        "bytes, clip": _bytes(
            _split(Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"), "removed", invert=True),
            normalizer=normalizers.Sequence(
                [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
            ),
            model={"end_of_word_suffix": "</w>", **_UNK},
            special=("<unk>",),
            decoder=decoders.BPEDecoder("</w>"),
        ),
        "bytes, prefix": _bytes(model={"continuing_subword_prefix": "##"}),
        "bytes, prefix é": _bytes(model={"continuing_subword_prefix": "é"}),
        "bytes, prefix Ġ": _bytes(model={"continuing_subword_prefix": "Ġ", **_UNK}, special=("<unk>",)),
        "bytes around a text": _bytes(special=("<s>", "</s>"), around="<s> $A </s>"),
        "bytes of RoBERTa": _bytes(
            special=("<s>", "</s>"),
            added=(_token("<mask>", lstrip=True, special=True),),
            processor=processors.RobertaProcessing(("</s>", 1), ("<s>", 0)),
        ),
        "bytes of RoBERTa, untrimmed": _bytes(
            special=("<s>", "</s>"),
            processor=processors.RobertaProcessing(("</s>", 1), ("<s>", 0), trim_offsets=False, add_prefix_space=False),
        ),
        "bytes of BERT": _bytes(
            special=("[CLS]", "[SEP]"),
            processor=processors.Sequence(
                [processors.ByteLevel(trim_offsets=True), processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0))]
            ),
        ),
        "bytes by a normalizer": _bytes(
            pre_tokenizer=_split(Regex("Ġ?[^Ġ]+"), "isolated"), normalizer=normalizers.ByteLevel()
        ),
    }


def nmt_nfkc() -> bytes:
    """Return SentencePiece's usual character map."""
    model = parsed(trained_pieces(vocab_size=900, hard_vocab_limit=False))
    character_map: bytes = model.normalizer_spec.precompiled_charsmap
    return character_map


def _normalizer_samples() -> dict[str, Sample]:
    split = pre_tokenizers.WhitespaceSplit()
    steps = {
        "NFC": normalizers.NFC(),
        "NFD": normalizers.NFD(),
        "NFKC": normalizers.NFKC(),
        "NFKD": normalizers.NFKD(),
        "Lowercase": normalizers.Lowercase(),
        "Replace": normalizers.Replace(" ", "▁"),
        "Replace, longer": normalizers.Replace("lo", "-lo-"),
        "Replace, shorter": normalizers.Replace("  ", ""),
        "Replace by pattern": normalizers.Replace(Regex(r"\s+|(?i:'ll)$"), "▁"),
        "Prepend": normalizers.Prepend("▁"),
        "Precompiled": normalizers.Precompiled(nmt_nfkc()),
        "Strip": normalizers.Strip(),
        "Strip, left": normalizers.Strip(left=True, right=False),
        "nested": normalizers.Sequence([normalizers.Strip(), normalizers.Sequence([normalizers.NFD()])]),
        "none in a list": normalizers.Sequence([]),
        "StripAccents": normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()]),
        "Nmt": normalizers.Nmt(),
        "ByteLevel": normalizers.ByteLevel(),
        "BertNormalizer": normalizers.BertNormalizer(),
        "BertNormalizer, cased": normalizers.BertNormalizer(strip_accents=True, lowercase=False),
        "BertNormalizer, ideographs": normalizers.BertNormalizer(clean_text=False, lowercase=False),
    }
    return {name: Sample(normalizer=step, pre_tokenizer=split) for name, step in steps.items()} | {
        "normalized, unsplit": Sample(normalizer=normalizers.NFKD()),
        "llama2": Sample(
            normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
            model={**_UNK, "fuse_unk": True, "byte_fallback": True},
            special=("<unk>", "<s>", "</s>", *BYTES),
            around="<s> $A",
            decoder=_LLAMA2,
        ),
    }


def _pre_tokenizer_samples() -> dict[str, Sample]:
    steps: dict[str, Any] = {
        "nothing": None,
        "Whitespace": pre_tokenizers.Whitespace(),
        "WhitespaceSplit": pre_tokenizers.WhitespaceSplit(),
        "Digits": pre_tokenizers.Digits(),
        "Digits, single": pre_tokenizers.Digits(individual_digits=True),
        "BertPreTokenizer": pre_tokenizers.BertPreTokenizer(),
        "UnicodeScripts": pre_tokenizers.UnicodeScripts(),
        "CharDelimiterSplit": pre_tokenizers.CharDelimiterSplit("l"),
        "FixedLength": pre_tokenizers.FixedLength(3),
        "scripts, then length": pre_tokenizers.Sequence(
            [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.UnicodeScripts(), pre_tokenizers.FixedLength(2)]
        ),
        "Metaspace": pre_tokenizers.Metaspace(),
        "Metaspace, first": pre_tokenizers.Metaspace(prepend_scheme="first"),
        "Metaspace, never": pre_tokenizers.Metaspace("_", prepend_scheme="never"),
        "Metaspace, unsplit": pre_tokenizers.Metaspace(split=False),
        "Metaspace, late": pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(), pre_tokenizers.Metaspace(prepend_scheme="first")]
        ),
        "bytes, then more": pre_tokenizers.Sequence(
            [pre_tokenizers.ByteLevel(), pre_tokenizers.Punctuation(), pre_tokenizers.Metaspace("Ġ")]
        ),
        "nested": pre_tokenizers.Sequence(
            [pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit()]), pre_tokenizers.Punctuation("removed")]
        ),
    }
    behaviors = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")
    steps |= {f"Split, {behavior}": _split(Regex(r"\s|\p{P}"), behavior) for behavior in behaviors}
    steps |= {f"Split, not, {behavior}": _split(Regex(r"\w+"), behavior, True) for behavior in behaviors}
    steps |= {f"Split, text, {behavior}": _split("lo", behavior) for behavior in behaviors}
    steps |= {f"Punctuation, {behavior}": pre_tokenizers.Punctuation(behavior) for behavior in behaviors}
    return {f"split by {name}": Sample(pre_tokenizer=step) for name, step in steps.items()}


def _model_samples() -> dict[str, Sample]:
    split = pre_tokenizers.Whitespace()
    models_of: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
        "unknown": (_UNK, ("<unk>",)),
        "unknown, fused": ({**_UNK, "fuse_unk": True}, ("<unk>",)),
        "bytes for unknown": ({**_UNK, "byte_fallback": True}, ("<unk>", *BYTES)),
        "some bytes for unknown": ({**_UNK, "byte_fallback": True, "fuse_unk": True}, ("<unk>", *BYTES[:0xE2])),
        "suffix": ({**_UNK, "end_of_word_suffix": "</w>"}, ("<unk>",)),
        "prefix": ({**_UNK, "continuing_subword_prefix": "##"}, ("<unk>",)),
        "prefix and suffix": ({"continuing_subword_prefix": "@", "end_of_word_suffix": "é"}, ()),
        "merges ignored": ({"ignore_merges": True, "end_of_word_suffix": "</w>"}, ()),
    }
    return {
        name: Sample(pre_tokenizer=split, model=model, special=special) for name, (model, special) in models_of.items()
    }


def _added_token_samples() -> dict[str, Sample]:
    tokens = {
        "special": (_token("<s>", special=True),),
        "normalized": (_token("LOW", normalized=True), _token("ﬁne", normalized=True)),
        "lstrip": (_token("<s>", lstrip=True),),
        "rstrip": (_token("<s>", rstrip=True), _token("\n")),
        "both stripped": (_token("<s>", lstrip=True, rstrip=True), _token("\n", rstrip=True)),
        "single_word": (_token("low", single_word=True), _token("<s>", single_word=True)),
        "overlapping": (_token("low"), _token("lower"), _token("werlow"), _token("  "), _token("   ")),
        "white space": (_token("\n"), _token("\t", normalized=True), _token("  ", normalized=True)),
    }
    lower = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    plain = {
        f"added, {name}": Sample(normalizer=lower, pre_tokenizer=pre_tokenizers.Metaspace(), added=added)
        for name, added in tokens.items()
    }
    return plain | {f"added to bytes, {name}": _bytes(added=added) for name, added in tokens.items()}


def _decoder_samples() -> dict[str, Sample]:
    known = {
        "BPEDecoder": decoders.BPEDecoder("w"),
        "Metaspace": decoders.Metaspace(),
        "Metaspace, never": decoders.Metaspace(prepend_scheme="never"),
        "Replace by pattern": decoders.Replace(Regex("[▁lo]+$"), "<>"),
        "ByteFallback": decoders.ByteFallback(),
        "Fuse": decoders.Fuse(),
        "Strip": decoders.Strip("▁", 1, 0),
        "list": _LLAMA2,
        "empty list": decoders.Sequence([]),
        "WordPiece": decoders.WordPiece("▁"),
        "WordPiece, as it is": decoders.WordPiece("l", cleanup=False),
        "CTC": decoders.CTC("l", "▁"),
        "CTC, as it is": decoders.CTC("l", cleanup=False),
    }
    return {
        f"decoded by {name}": Sample(
            pre_tokenizer=pre_tokenizers.Metaspace(),
            decoder=decoder,
            model={**_UNK, "byte_fallback": True},
            special=("<unk>", *BYTES),
        )
        for name, decoder in known.items()
    }


@cache
def sample_json(name: str) -> str:
    """Return the `tokenizer.json` of a sample."""
    sample = samples()[name]
    tokenizer = Tokenizer(models.BPE(**sample.model))
    if sample.normalizer is not None:
        tokenizer.normalizer = sample.normalizer
    if sample.pre_tokenizer is not None:
        tokenizer.pre_tokenizer = sample.pre_tokenizer
    if sample.decoder is not None:
        tokenizer.decoder = sample.decoder
    known = ("end_of_word_suffix", "continuing_subword_prefix")
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=list(sample.special),
        initial_alphabet=list(sample.alphabet),
        show_progress=False,
        **{key: sample.model[key] for key in known if key in sample.model},
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    for token in sample.added:
        (tokenizer.add_special_tokens if token.special else tokenizer.add_tokens)([token])
    if sample.around:
        ids = [(token, tokenizer.token_to_id(token)) for token in sample.around.split() if token != "$A"]
        tokenizer.post_processor = processors.TemplateProcessing(single=sample.around, special_tokens=ids)
    if sample.processor is not None:
        tokenizer.post_processor = sample.processor
    written: str = tokenizer.to_str(pretty=True)
    return written


def changed(name: str, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return the content of a sample's file after `change`."""
    whole: dict[str, Any] = json.loads(sample_json(name))
    change(whole)
    return whole


def read(folder: Path, text: str) -> OurTokenizer:
    """Return the tokenizer in a file with this text."""
    file = folder / "tokenizer.json"
    file.write_text(text, encoding="utf-8")
    return load(file)


def read_json(folder: Path, value: object) -> OurTokenizer:
    """Return the tokenizer in a file with this JSON."""
    return read(folder, json.dumps(value, ensure_ascii=False))
