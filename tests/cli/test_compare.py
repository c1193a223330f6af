"""`bpe-gui compare` says how tokenizers differ, in words and as JSON."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers import models, normalizers

from bpe_gui.engine import load, save, train
from bpe_gui.engine.formats.tiktoken import PUBLISHED

from .conftest import CORPUS, Run
from .test_mistakes import mistake


@pytest.fixture
def longer(tmp_path: Path) -> Path:
    """Return the folder of a tokenizer with other ties and one more merge."""
    save(train(CORPUS, recipe="tiktoken", num_merges=6), tmp_path / "longer")
    return tmp_path / "longer"


def test_what_a_person_reads(run: Run, byte_tokenizer: Path, longer: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(b"low\nlow widest lower")
    status, output, messages = run("compare", byte_tokenizer, longer, "--text", text)
    assert (status, messages) == (0, "")
    assert output.decode() == (
        f"A  {byte_tokenizer} (gpt2): 262 entries, 5 merges\n"
        f"B  {longer} (gpt2): 262 entries, 6 merges\n"
        "\n"
        f"{text}: 20 bytes, 20 characters\n"
        "           tokens   bytes/token  characters/token\n"
        "A              11         1.818             1.818\n"
        "B              10         2.000             2.000\n"
        "\n"
        "A and B differ in 1 span, 25.0% of the bytes.\n"
        "\n"
        "line 2, byte 14\n"
        "  A  ·low | e\n"
        "  B  ·lowe\n"
        "\n"
        "A and B differ in: added tokens, merges, vocabulary\n"
        "  added tokens:\n"
        "    A  <|endoftext|> = 256\n"
        "    B  none\n"
        "A and B: 259 tokens in both, 3 only in A, 3 only in B\n"
        "  3 tokens in both have different ids\n"
        "  the first merge that differs has the rank 0:\n"
        "    A  o + w\n"
        "    B  l + o\n"
        "  possible reasons:\n"
        "    tie_break: A greatest, B first-seen\n"
        "    special_tokens: A <|endoftext|>, B none\n"
    )


def test_numbered_special_tokens_are_folded(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    save(train(CORPUS, num_merges=5, special_tokens=[f"<r{n}>" for n in range(256)]), tmp_path)
    lines = run("compare", byte_tokenizer, tmp_path).output.decode().splitlines()
    assert "    B  <r0> … <r255> (256) = 256 … 511" in lines
    assert max(map(len, lines[2:])) < 100


def test_only_so_many_spans_are_shown(run: Run, byte_tokenizer: Path, word_tokenizer: Path) -> None:
    text = b"low lower " * 20
    arguments = ("compare", byte_tokenizer, word_tokenizer, "--text", "-")
    assert run(*arguments, stdin=text).output.count(b"line 1, byte ") == 10
    assert run(*arguments, "--differences", 3, stdin=text).output.count(b"line 1, byte ") == 3
    assert b"line" not in run(*arguments, "--differences", 0, stdin=text).output


def test_several_texts_are_a_table(run: Run, byte_tokenizer: Path, longer: Path, tmp_path: Path) -> None:
    for name in ("texts/en/a.txt", "texts/de/a.txt", "one.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("lower lower")
    given = "compare", byte_tokenizer, longer, "--text", tmp_path / "texts", tmp_path / "one.txt"
    lines = run(*given).output.decode().splitlines()
    assert lines[3].split()[:4] == ["bytes/token", "A", "bytes/token", "B"]
    assert [line.split()[0] for line in lines[4:7]] == ["de", "en", str(tmp_path / "one.txt")[-39:].rjust(40, "…")]
    tokens = [len(load(each).encode("lower lower")) for each in (byte_tokenizer, longer)]
    assert [line.split()[1:3] for line in lines[4:7]] == [[f"{11 / count:.3f}" for count in tokens]] * 3
    assert any(line.startswith("A and B differ in: ") for line in lines)
    found = json.loads(run(*given, "--json").output)
    assert [[each["tokens"] for each in text["tokenizers"]] for text in found["texts"]] == [tokens] * 3


def test_the_same_tokenizer_twice(run: Run, byte_tokenizer: Path) -> None:
    output = run("compare", byte_tokenizer, byte_tokenizer, "--text", "-", stdin=b"low").output.decode()
    assert "A and B split the text in the same way." in output
    assert "  the tokens in both have the same ids\n  the merges are the same\n" in output


def test_without_a_text_only_the_tokenizers_are_compared(run: Run, byte_tokenizer: Path, longer: Path) -> None:
    lines = run("compare", byte_tokenizer, longer, byte_tokenizer).output.decode().splitlines()
    assert [line[:8] for line in lines if " and " in line] == [
        "A and B ",
        "A and B:",
        "A and C ",
        "A and C:",
        "B and C ",
        "B and C:",
    ]
    assert not any("span" in line or "/token" in line for line in lines)


def test_symbols_without_an_id_are_said(run: Run, byte_tokenizer: Path, word_tokenizer: Path) -> None:
    lines = run("compare", byte_tokenizer, word_tokenizer, "--text", "-", stdin="low é".encode()).output.decode()
    assert "1 symbol without an id, the first at byte 4" in lines


def test_a_tokenizer_that_changes_the_text_is_left_out_of_the_spans(
    run: Run, byte_tokenizer: Path, tmp_path: Path
) -> None:
    theirs = TheirTokenizer(models.BPE({"l": 0, "o": 1, "w": 2}, []))
    theirs.normalizer = normalizers.Lowercase()
    theirs.save(str(tmp_path / "lower.json"))
    arguments = ("compare", byte_tokenizer, tmp_path / "lower.json", "--text", "-")
    output = run(*arguments, stdin=b"LOW").output.decode()
    assert "B changes this text first, so its token boundaries cannot be compared.\n" in output
    assert "span" not in output
    assert "pre_tokenizer" in output
    found = json.loads(run(*arguments, "--json", stdin=b"LOW").output)
    assert [each["spans_compared"] for each in found["text"]["tokenizers"]] == [False, False]
    assert found["differences"] == []


def test_json_has_everything(run: Run, byte_tokenizer: Path, longer: Path) -> None:
    arguments = ("compare", byte_tokenizer, longer, "--json", "--text", "-")
    status, output, messages = run(*arguments, stdin="é lower lower".encode())
    assert (status, messages) == (0, "")
    found = json.loads(output)
    assert [each["entries"] for each in found["tokenizers"]] == [262, 262]
    assert (found["text"]["bytes"], found["text"]["characters"]) == (14, 13)
    assert [each["tokens"] for each in found["text"]["tokenizers"]] == [8, 6]
    assert found["differences"] == [
        {"start": 2, "stop": 7, "text": " lowe", "tokens": [[[259, 2, 6], [101, 6, 7]], [[261, 2, 7]]]},
        {"start": 8, "stop": 13, "text": " lowe", "tokens": [[[259, 8, 12], [101, 12, 13]], [[261, 8, 13]]]},
    ]
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"], pair["shared"], pair["ids_that_differ"]) == (0, 1, 259, 3)
    assert [(each["id"], each["text"]) for each in pair["only_in_first"]][:2] == [(256, "<|endoftext|>"), (257, "ow")]
    assert [each["text"] for each in pair["only_in_second"]] == ["lo", "es", " lowe"]
    assert pair["first_merge"]["rank"] == 0
    assert pair["first_merge"]["second"] == ["6c", "6f"]
    assert pair["first_merge"]["reasons"][0] == {"switch": "tie_break", "first": "greatest", "second": "first-seen"}


def test_json_without_a_text(run: Run, byte_tokenizer: Path) -> None:
    found = json.loads(run("compare", byte_tokenizer, byte_tokenizer, "--json").output)
    assert found.keys() == {"tokenizers", "pairs"}
    assert found["pairs"][0]["first_merge"] is None


def test_a_guessed_pattern_is_no_reason(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    ranks = tmp_path / "my.tiktoken"
    save(train(CORPUS, recipe="minbpe", num_merges=3), ranks, "tiktoken")
    status, output, messages = run("compare", ranks, byte_tokenizer)
    assert status == 0
    assert messages.startswith(f"{ranks} does not say how text is split")
    assert b"special_tokens" not in output
    status, output, messages = run("compare", ranks, byte_tokenizer, "--pattern", "cl100k")
    assert (status, messages) == (0, "")
    assert b"    splitter: A cl100k, B gpt2\n" in output


def test_a_pattern_that_no_file_needs_is_a_mistake(
    run: Run, byte_tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known.tiktoken"
    save(train(CORPUS, recipe="minbpe", num_merges=3), known, "tiktoken")
    digest = sha256(known.read_bytes()).hexdigest()
    monkeypatch.setitem(PUBLISHED, "known", PUBLISHED["gpt2"]._replace(rank_count=259, sha256=digest))
    status, output, messages = run("compare", known, byte_tokenizer, "--pattern", "cl100k")
    assert (status, output) == (2, b"")
    assert "These files need neither." in messages


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ([], "Name at least one more tokenizer to compare "),
        (["SAME", "--pattern", "gpt2"], "only for files that do not say this themselves, such as tiktoken ranks. "),
        (["SAME", "--differences", "many"], "'many' is not an integer"),
        (["SAME", "--text", "missing.txt"], "missing.txt"),
    ],
)
def test_mistakes(run: Run, byte_tokenizer: Path, more: list[str], expected: str) -> None:
    arguments = [str(byte_tokenizer) if each == "SAME" else each for each in more]
    status, output, messages = run("compare", byte_tokenizer, *arguments)
    assert (status, output) == (2, b"")
    assert messages.count("\n") == 1
    assert expected in messages


def test_a_map_says_from_which_ids_the_second_is_made(run: Run, byte_tokenizer: Path, tmp_path: Path) -> None:
    save(train("lowest lowest", num_merges=5), tmp_path / "other")
    status, _output, messages = run("compare", byte_tokenizer, tmp_path / "other", "--map", tmp_path / "map.json")
    assert status == 0
    assert messages.startswith(f"Wrote {tmp_path / 'map.json'} for 261 tokens: 25")
    three = run("compare", byte_tokenizer, byte_tokenizer, byte_tokenizer, "--map", tmp_path / "map.json")
    assert mistake(three) == "--map is from one tokenizer to another. Name just two."
