"""Small valid files of every readable format, to damage."""

import gzip
import io
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import gguf
import sentencepiece
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import Regex as TheirRegex
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import FORMATS, PRESETS, EngineError, save, train

TEXT: Final = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 <|e|> low low"
_SPECIALS: Final = ["<|e|>", "<|pad|>"]


class Seed(NamedTuple):
    """Files by name, and the name of the one to open; an empty name stands for the folder."""

    files: Mapping[str, bytes]
    opened: str


def seeds_of(format: str) -> list[Seed]:
    """Return valid files of a format."""
    seeds = list(_our_files(format))
    if format in _FILES_OF_OTHERS:
        seeds += _FILES_OF_OTHERS[format]()
    return seeds


def _read_folder(folder: Path, opened: str = "") -> Seed:
    return Seed({path.name: path.read_bytes() for path in sorted(folder.iterdir())}, opened)


def _our_files(format: str) -> Iterator[Seed]:
    if FORMATS[format].contents is None:
        return
    for preset in PRESETS:
        tokenizer = train(TEXT, recipe=preset, special_tokens=_SPECIALS, num_merges=12)
        with TemporaryDirectory() as name:
            try:
                save(tokenizer, name, format)
            except EngineError:
                continue
            yield _read_folder(Path(name))


# -- tekken ------------------------------------------------------------------------------------------------------------


def _tekken() -> Iterator[Seed]:
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low", b" t", b"he", b" the"]
    for extra in ([], [b"slow"]):
        vocab = [
            {"rank": rank, "token_bytes": b64encode(token).decode(), "token_str": None}
            for rank, token in enumerate([*tokens, *extra])
        ]
        config = {
            "pattern": r" ?\p{L}+|\S|\s+$|\s",
            "num_vocab_tokens": len(vocab),
            "default_vocab_size": 30 + len(vocab),
            "default_num_special_tokens": 30,
            "version": "v3",
        }
        yield _json_seed("tekken.json", {"config": config, "vocab": vocab})
        special = [{"rank": 0, "token_str": "<s>", "is_control": True}]
        named = {"config": config | {"version": "v13"}, "vocab": vocab, "special_tokens": special}
        yield _json_seed("tekken.json", named)


def _json_seed(name: str, content: Any, **others: Any) -> Seed:
    files = {name: content} | {f"{other}.json": value for other, value in others.items()}
    return Seed({each: json.dumps(value, ensure_ascii=False).encode() for each, value in files.items()}, "")


# -- tokenizer.json ----------------------------------------------------------------------------------------------------


def _their_tokenizers() -> Iterator[TheirTokenizer]:
    byte_level = train(TEXT, recipe="huggingface", num_merges=12)
    with TemporaryDirectory() as folder:
        save(byte_level, folder)
        model = models.BPE.from_file(f"{folder}/vocab.json", f"{folder}/merges.txt", ignore_merges=True)
        tokenizer = TheirTokenizer(model)
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(TheirRegex(r" ?\p{L}+|\S"), "isolated"), pre_tokenizers.ByteLevel(use_regex=False)]
    )
    tokenizer.post_processor = processors.ByteLevel()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken("<|e|>", lstrip=True), "<s>"])
    yield tokenizer
    characters = ["<unk>", *sorted({*TEXT, "▁", *(f"<0x{byte:02X}>" for byte in range(256))})]
    vocab = {token: number for number, token in enumerate([*characters, "▁l", "▁lo"])}
    tokenizer = TheirTokenizer(models.BPE(vocab, [("▁", "l"), ("▁l", "o")], unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.post_processor = processors.TemplateProcessing("<unk> $A", "$A $B", [("<unk>", 0)])
    tokenizer.add_tokens([AddedToken("don't", single_word=True, rstrip=True, normalized=True)])
    yield tokenizer
    ends = {token: number for number, token in enumerate(["l", "##o", "w</w>", "lo", "##w</w>"])}
    tokenizer = TheirTokenizer(
        models.BPE(ends, [("l", "##o")], end_of_word_suffix="</w>", continuing_subword_prefix="##")
    )
    table = [1 << 31] * 256  # a character map that replaces `a` with `x`
    table[0], table[1 ^ ord("a")], table[1 ^ ord("a") ^ 2] = 1 << 10, ord("a") | 1 << 8 | 2 << 10, 1 << 31
    packed = b"".join(unit.to_bytes(4, "little") for unit in (4 * len(table), *table)) + b"x\0"
    tokenizer.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.Precompiled(packed)])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Whitespace(), pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Punctuation()]
    )
    tokenizer.decoder = decoders.BPEDecoder()
    yield tokenizer


def _huggingface() -> Iterator[Seed]:
    for tokenizer in _their_tokenizers():
        yield _json_seed("tokenizer.json", json.loads(tokenizer.to_str()))


def _transformers() -> Iterator[Seed]:
    for tokenizer in _their_tokenizers():
        tokenizer.add_special_tokens(["<s>"])
        start = {"content": "<s>", "lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
        config = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<s>",
            "clean_up_tokenization_spaces": False,
            "model_max_length": 1000,
            "added_tokens_decoder": {str(tokenizer.token_to_id("<s>")): start | {"special": True}},
        }
        yield _json_seed(
            "tokenizer.json",
            json.loads(tokenizer.to_str()),
            tokenizer_config=config,
            special_tokens_map={"bos_token": start},
        )


# -- models ------------------------------------------------------------------------------------------------------------


_RULES: Final = "FB01\t66 69\n4C\t6C\nE9\t65\n"
"""Normalization of a ligature, a capital and an accent. SentencePiece's own rules would make the files 240 kB."""


def _sentencepiece() -> Iterator[Seed]:
    for options in (
        {"byte_fallback": True, "user_defined_symbols": ["<|e|>"], "vocab_size": 330},
        {"treat_whitespace_as_suffix": True},
        {"add_dummy_prefix": False, "remove_extra_whitespaces": False, "split_digits": True},
    ):
        model = io.BytesIO()
        with TemporaryDirectory() as folder:
            rules = Path(folder) / "rules.tsv"
            rules.write_text(_RULES, encoding="utf-8")
            settings: dict[str, Any] = {"vocab_size": 50, "normalization_rule_tsv": str(rules), **options}
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(TEXT.split("\n") * 3),
                model_writer=model,
                model_type="bpe",
                hard_vocab_limit=False,
                minloglevel=2,
                **settings,
            )
        yield Seed({"tokenizer.model": model.getvalue()}, "tokenizer.model")


def _gguf() -> Iterator[Seed]:
    for kind in ("gpt2", "llama"):
        with TemporaryDirectory() as name:
            writer = gguf.GGUFWriter(f"{name}/model.gguf", "llama")
            writer.add_tokenizer_model(kind)
            if kind == "gpt2":
                tokens = [*PRINTABLE_CHARACTERS, "lo", "low", "<s>"]
                writer.add_tokenizer_pre("gpt-2")
                writer.add_token_merges(["l o", "lo w"])
            else:
                tokens = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "l", "o", "w", "lo", "low"]
                writer.add_token_scores([-float(number) for number in range(len(tokens))])
            writer.add_token_list(tokens)
            kinds = {"<unk>": 2, "<s>": 3}
            writer.add_token_types([kinds.get(token, 6 if token.startswith("<0x") else 1) for token in tokens])
            writer.add_bos_token_id(tokens.index("<s>"))
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.close()
            yield _read_folder(Path(name), "model.gguf")


PRINTABLE_CHARACTERS: Final = [chr(code) for code in (*range(33, 127), *range(161, 173), *range(174, 324))]
"""GPT-2's printable characters."""

# -- ranks in JSON, and CLIP -------------------------------------------------------------------------------------------


def _tiktoken_json() -> Iterator[Seed]:
    tokens = [*(bytes([byte]) for byte in range(256)), b"lo", b"low", b" t", b"he", b" the"]
    lines = f"! 0 {' '.join(b64encode(token).decode() for token in tokens)}"
    yield _json_seed("ranks.json", {"pat_str": r"\p{L}+|\s+", "special_tokens": {"<|e|>": 300}, "bpe_ranks": lines})


def _clip() -> Iterator[Seed]:
    merges = b'"bpe_simple_vocab_16e6.txt#version: 0.2\nt h\nth e</w>\nl o\nlo w</w>\n'
    name = "bpe_simple_vocab_16e6.txt.gz"
    yield Seed({name: gzip.compress(merges, mtime=0)}, name)


_FILES_OF_OTHERS: Final[Mapping[str, Callable[[], Iterator[Seed]]]] = MappingProxyType(
    {
        "tekken": _tekken,
        "huggingface": _huggingface,
        "transformers": _transformers,
        "sentencepiece": _sentencepiece,
        "gguf": _gguf,
        "tiktoken-json": _tiktoken_json,
        "clip": _clip,
    }
)
