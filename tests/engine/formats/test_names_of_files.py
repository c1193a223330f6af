"""Files are found by all names that people have them under, and read as the program that wrote them reads them."""

import gzip
import json
from base64 import b64encode
from pathlib import Path

import pytest
from tokenizers.pre_tokenizers import ByteLevel

from bpe_gui.engine import FormatError, load
from bpe_gui.engine.opening import recognise
from bpe_gui.engine.runtime.printable import PRINTABLE

_VOCAB = {token: number for number, token in enumerate([*sorted(ByteLevel.alphabet()), "th", "the"])}


def _write_pair(folder: Path, vocab: str, merges: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / vocab).write_text(json.dumps(_VOCAB), "utf-8")
    (folder / merges).write_text("t h\nth e\n", "utf-8")


@pytest.mark.parametrize(
    ("vocab", "merges"),
    [("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe"), ("en-vocab.json", "en-merges.txt")],
)
def test_pairs_are_opened_by_their_folder_and_by_each_file(vocab: str, merges: str, tmp_path: Path) -> None:
    _write_pair(tmp_path, vocab, merges)
    for path in (tmp_path, tmp_path / vocab, tmp_path / merges):
        tokenizer = load(path)
        assert tokenizer.encode("the") == [257]
        (note,) = tokenizer.notes
        assert "splitter gpt2 is assumed" in str(note)


def test_of_several_pairs_in_a_folder_a_file_says_which(tmp_path: Path) -> None:
    _write_pair(tmp_path, "en-vocab.json", "en-merges.txt")
    _write_pair(tmp_path, "nl-vocab.json", "nl-merges.txt")
    (tmp_path / "nl-vocab.json").write_text(json.dumps(_VOCAB | {"the": 300}), "utf-8")
    assert load(tmp_path / "nl-merges.txt").encode("the") == load(tmp_path / "nl-vocab.json").encode("the") == [300]
    assert load(tmp_path / "en-merges.txt").encode("the") == [257]
    with pytest.raises(FormatError, match="is not a tokenizer folder"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("encoder.json", r"encoder\.json is a vocabulary without its merges"),
        ("my.json", r"my\.json is a vocabulary without its merges"),
        ("vocab.json", r"merges\.txt cannot be read"),
        ("en-vocab.json", r"en-merges\.txt cannot be read"),
    ],
)
def test_a_vocabulary_without_its_merges_is_named_for_what_it_is(name: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('{"a": 0, "model": 1}', "utf-8")
    with pytest.raises(FormatError, match=reason):
        load(tmp_path / name)


def test_codes_of_fast_bpe_have_counts(tmp_path: Path) -> None:
    path = tmp_path / "codes.codes"
    path.write_text("t h 20\nth e</w> 10\na t</w> 1\n", "utf-8")
    tokenizer = load(path)
    assert tokenizer.merge_counts == [20, 10, 1]
    assert tokenizer.tokenize("the at") == [b"the</w>", b"at</w>"]


# -- ranks in JSON ------------------------------------------------------------------------------------------------


def _write_ranks(path: Path, lines: str, pattern: str = r"\p{L}+|\s+") -> None:
    special = {"<|end|>": 300}
    path.write_text(json.dumps({"pat_str": pattern, "special_tokens": special, "bpe_ranks": lines}), "utf-8")


def _lines() -> str:
    tokens = [b64encode(bytes([byte])).decode() for byte in range(256)]
    return f"! 0 {' '.join(tokens)}\n! 256 {b64encode(b'th').decode()} {b64encode(b'the').decode()}"


def test_ranks_in_json(tmp_path: Path) -> None:
    path = tmp_path / "any.json"
    _write_ranks(path, _lines())
    tokenizer = load(path)
    assert recognise(path) == "tiktoken-json"
    assert tokenizer.encode("the th<|end|>") == [257, 32, 256, 300]


@pytest.mark.parametrize(
    ("lines", "pattern", "reason"),
    [
        (f"{_lines()}\n? 258 dGhl", r"\S+", "line 3 of bpe_ranks must be"),
        (f"{_lines()}\n! 258 dGhl!", r"\S+", "is not a token and its rank"),
        (f"{_lines()}\n! 258 dGhl", r"\S+", "the token 'the' already occurs"),
        ("! 0 dGhl", r"\S+", "Each of the 256 bytes needs one"),
        (_lines(), "(", "pat_str"),
    ],
)
def test_damaged_ranks_in_json(lines: str, pattern: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "any.json"
    _write_ranks(path, lines, pattern)
    with pytest.raises(FormatError, match=reason):
        load(path)


# -- CLIP ---------------------------------------------------------------------------------------------------------


def test_the_merges_of_clip(tmp_path: Path) -> None:
    path = tmp_path / "bpe_simple_vocab_16e6.txt.gz"
    path.write_bytes(gzip.compress(b'"bpe_simple_vocab_16e6.txt#version: 0.2\nt h\nth e</w>\n'))
    tokenizer = load(path)
    letter = sorted(PRINTABLE, key=ord).index("!")
    assert letter == 0, "the first byte of OpenAI's table"
    assert tokenizer.encode("THE !") == [514, 513, 256, 515]
    assert tokenizer.config.roles["eos_token"] == "<|endoftext|>"
    assert "ftfy" not in str(tokenizer.notes[0])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(b"#version: 0.2\nt h\nthe\n", mtime=0), "line 3: 'the' is not a merge"),
        (gzip.compress(b"#version: 0.2\nt h\n", mtime=0)[:-9], "cannot be decompressed"),
        (gzip.compress(b"#version: 0.2\n\xff h\n", mtime=0), "not valid UTF-8"),
    ],
)
def test_damaged_merges_of_clip(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "merges.gz"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=reason):
        load(path)
    path.write_bytes(b"\x1f\x8bnothing")
    with pytest.raises(FormatError):
        load(path)
