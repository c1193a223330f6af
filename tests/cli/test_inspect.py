"""`bpe-gui inspect` lists facts about a tokenizer, and its merges as a table."""

import re
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.models import BPE

from bpe_gui.cli.inspect import _width
from bpe_gui.cli.steps import ListedToken, listed_tokens
from bpe_gui.engine import SPLITTERS, Recipe, save, train

from .conftest import Run


def test_the_merges_with_their_counts(run: Run, byte_tokenizer: Path) -> None:
    status, output, messages = run("inspect", byte_tokenizer)
    assert (status, messages) == (0, "")
    assert output.decode() == (
        "format:         gpt2\n"
        "recipe:         cs336 (units bytes, splitter gpt2, tie_break greatest)\n"
        f"  splitter:     “{SPLITTERS['gpt2']}”\n"
        "vocabulary:     262 entries\n"
        "merges:         5\n"
        "special tokens: <|endoftext|> = 256\n"
        "\n"
        "rank  left  right  token   id  count\n"
        "   0  o     w      ow     257      5\n"
        "   1  l     ow     low    258      5\n"
        "   2  ·     low    ·low   259      4\n"
        "   3  s     t      st     260      3\n"
        "   4  e     st     est    261      3\n"
    )


def test_counts_that_are_not_known(run: Run, tmp_path: Path) -> None:
    save(train("low low", num_merges=2), tmp_path)
    (tmp_path / "training.json").unlink()
    lines = run("inspect", tmp_path).output.decode().splitlines()
    assert lines[1] == "recipe:         units bytes, splitter gpt2"
    assert lines[4] == "merges:         2 (counts unknown)"
    assert lines[-1].split()[-1] == "-"


def test_a_token_that_left_the_vocabulary_has_no_id(run: Run, tmp_path: Path) -> None:
    save(train("ab ab abc abc", recipe=Recipe.of("char-eow"), num_merges=9), tmp_path)
    lines = run("inspect", tmp_path).output.decode().splitlines()
    assert lines[8].split()[3:5] == ["ab", "-"]


def test_a_tokenizer_without_merges(run: Run, tmp_path: Path) -> None:
    save(train("low", num_merges=0), tmp_path)
    assert run("inspect", tmp_path).output.decode().splitlines()[4:] == [
        "merges:         0",
        "special tokens: none",
    ]


def test_wide_characters_and_long_tokens_keep_the_columns_aligned(run: Run, tmp_path: Path) -> None:
    save(train("你好 你好 你好 " + "x" * 64, recipe="subword-nmt", num_merges=9), tmp_path)
    headings, *rows = run("inspect", tmp_path).output.decode().splitlines()[7:]
    widths = [sum(2 if character in "你好" else 1 for character in row) for row in rows]
    assert rows[4].split() == ["4", "你", "好</w>", "你好</w>", "8", "3"]
    # A token of 32 letters does not widen its column.
    assert widths == [len(headings)] * 5 + [len(headings) + 32 - 24]


def test_combining_accents_have_no_width() -> None:
    assert (_width("e\u0301"), _width("好"), _width("low")) == (1, 2, 3)


def test_unprintable_special_tokens_and_splitters_are_spelled_out(run: Run, tmp_path: Path) -> None:
    save(train("low", recipe=Recipe(splitter="\\w+|\n"), num_merges=1, special_tokens=["<a b>\x1b"]), tmp_path)
    lines = run("inspect", tmp_path).output.decode().splitlines()
    assert lines[1] == r"recipe:         custom (units bytes, splitter '\\w+|\n', tie_break greatest)"
    assert lines[4] == r"special tokens: <a·b>\x1b = 256"


def test_numbered_special_tokens_are_folded(run: Run, tmp_path: Path) -> None:
    reserved = [f"<|reserved_special_token_{n}|>" for n in range(248)]
    save(train("low", num_merges=0, special_tokens=["<s>", *reserved, "<|x1|>", "<|x2|>"]), tmp_path)
    line = run("inspect", tmp_path).output.decode().splitlines()[-1]
    assert line == (
        "special tokens: <s> = 256, <|reserved_special_token_0|> … <|reserved_special_token_247|> (248) = 257 … 504, "
        "<|x1|> = 505, <|x2|> = 506"
    )


def test_many_special_tokens_are_counted(run: Run, tmp_path: Path) -> None:
    save(train("low", num_merges=0, special_tokens=[f"<{'a' * n}>" for n in range(1, 40)]), tmp_path)
    line = run("inspect", tmp_path).output.decode().splitlines()[-1]
    assert line.endswith(f"<{'a' * 16}> = 271, … 23 more")


@given(st.lists(st.from_regex(r"<[ab]?[0-9]{1,2}b?>", fullmatch=True), unique=True, max_size=60))
def test_a_list_of_tokens_leaves_none_out(names: list[str]) -> None:
    """Every item stands for as many tokens as it says, whose ids follow one another."""
    listed = listed_tokens(ListedToken(7 * (number // 9) + number, name) for number, name in enumerate(names))
    counts = [
        int(more or many or 1)
        for more, many in re.findall(r"… ([0-9]+) more$|(?:> \(([0-9]+)\))? = [0-9]+", listed.replace("none", ""))
    ]
    assert sum(counts) == len(names)
    for first, last, many, low, high in re.findall(r"(\S+) … (\S+) \(([0-9]+)\) = ([0-9]+) … ([0-9]+)", listed):
        assert int(high) - int(low) + 1 == int(many) == names.index(last) - names.index(first) + 1
        assert abs(int(re.sub("[^0-9]", "", last)) - int(re.sub("[^0-9]", "", first))) + 1 == int(many)


def test_names_that_count_down_are_folded_and_others_are_not() -> None:
    def listed(*names: str) -> str:
        return listed_tokens((ListedToken(n, name) for n, name in enumerate(names)), with_ids=False)

    assert listed("<e2>", "<e1>", "<e0>") == "<e2> … <e0> (3)"
    assert listed("<08>", "<09>", "<10>") == "<08> … <10> (3)"
    for names in (("<1>", "<2>", "<1>"), ("<1>", "<2>"), ("<1>", "<3>", "<5>"), ("<1>", "a2", "<3>")):
        assert listed(*names) == ", ".join(names)


# -- published tokenizers ----------------------------------------------------------------------------------------------


def test_steps_have_their_published_names(run: Run, tmp_path: Path) -> None:
    theirs = TheirTokenizer(
        BPE({"a": 0, "b": 1, "ab": 2, "<s>": 3, "@@b": 4}, [("a", "@@b")], continuing_subword_prefix="@@")
    )
    theirs.model.unk_token = "<s>"
    theirs.model.byte_fallback = theirs.model.ignore_merges = True
    theirs.model.dropout = 0.1
    theirs.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    split = pre_tokenizers.Split(Regex(SPLITTERS["gpt2"]), "isolated")
    theirs.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.Digits()])
    theirs.decoder = decoders.Replace("_", " ")
    theirs.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 3)])
    theirs.add_special_tokens(["<s>"])
    theirs.add_tokens([AddedToken("low er", normalized=False)])
    theirs.save(str(tmp_path / "mine.json"))
    status, output, messages = run("inspect", tmp_path / "mine.json")
    assert (status, messages) == (0, "")
    assert output.decode() == (
        "format:         huggingface\n"
        "normalizers:    NFC, Lowercase\n"
        "pre-tokenizers: Split (gpt2), Digits\n"
        f"  Split:        pattern “{SPLITTERS['gpt2']}”, behavior isolated\n"
        "model:          BPE, unk_token <s>, byte_fallback, ignore_merges, dropout 0.1 (not applied), "
        "continuing_subword_prefix @@\n"
        "decoders:       Replace\n"
        "  Replace:      pattern _, content “ ”\n"
        "ids before:     <s> = 3\n"
        "vocabulary:     6 entries\n"
        "merges:         1 (counts unknown)\n"
        "added tokens:   <s> = 3 (special), low·er = 5\n"
        "\n"
        "rank  left  right  token  id  count\n"
        "   0  a     @@b    ab      2      -\n"
    )


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ([], []),
        ([b"slow"], ["unmerged:       1 token that no merge creates, used only for whole words"]),
        ([b"slow", b"snow"], ["unmerged:       2 tokens that no merge creates, used only for whole words"]),
    ],
)
def test_unmerged_tokens_are_counted(run: Run, tmp_path: Path, extra: list[bytes], expected: list[str]) -> None:
    ranks = [*(bytes([byte]) for byte in range(256)), b"ow", *extra]
    lines = (f"{b64encode(token).decode()} {rank}\n" for rank, token in enumerate(ranks))
    (tmp_path / "my.tiktoken").write_text("".join(lines), encoding="utf-8", newline="\n")
    output = run("inspect", tmp_path / "my.tiktoken").output.decode()
    assert [line for line in output.splitlines() if "no merge creates" in line] == expected


def test_symbols_that_words_start_with_are_not_counted_as_unmerged(run: Run, tmp_path: Path) -> None:
    ids = {"a": 0, "##b": 1, "##b</w>": 2, "ab</w>": 3, "ab": 4}
    affixes = {"continuing_subword_prefix": "##", "end_of_word_suffix": "</w>"}
    theirs = TheirTokenizer(BPE(ids, [("a", "##b</w>")], **affixes))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel()
    theirs.save(str(tmp_path / "mine.json"))
    output = run("inspect", tmp_path / "mine.json").output.decode()
    assert "unmerged:       1 token that no merge creates, used only for decoding\n" in output


def test_facts_that_ranks_lack_are_not_made_up(run: Run, tmp_path: Path) -> None:
    ranks = tmp_path / "my.tiktoken"
    save(train("low low", recipe="tiktoken", num_merges=2, special_tokens=["<s>"]), ranks, "tiktoken")
    status, output, messages = run("inspect", ranks)
    assert status == 0
    assert messages.startswith(f"{ranks} does not say how text is split or which special tokens it has, ")
    lines = output.decode().splitlines()
    assert lines[1] == "recipe:         unknown (the file contains only ranks)"
    assert lines[4] == "special tokens: unknown"
    status, output, messages = run("inspect", ranks, "--pattern", "cl100k", "--special-token", "<s>=300")
    assert (status, messages) == (0, "")
    lines = output.decode().splitlines()
    assert lines[1:3] == ["recipe:         units bytes, splitter cl100k", f"  splitter:     “{SPLITTERS['cl100k']}”"]
    assert lines[5] == "special tokens: <s> = 300"
