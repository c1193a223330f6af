"""Steps and merges decide whether tokens are bytes or characters; one unusual entry does not change the others."""

import json
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from bpe_gui.engine import Tokenizer, audit, compare, load, train
from bpe_gui.engine.reports import prune
from bpe_gui.engine.runtime.printable import PRINTABLE
from tests.engine.support.gguf_files import CONTROL, NORMAL, of_bytes, write_gguf
from tests.engine.support.huggingface_samples import read

TEXT = "the cat é 鿿 ⌚ ⌚⌚ the\nthe\tcat <|x|> «x» ｜x｜ 12"
RAW = ("⌚", " ", "\n", "a b", "the⌚", "\N{NO-BREAK SPACE}")
"""Entries with characters that stand for no byte."""


def byte_level(
    *raw: str,
    added: tuple[AddedToken, ...] = (),
    merges: tuple[tuple[str, str], ...] = (),
    lacking: str = "",
    **model: Any,
) -> tokenizers.Tokenizer:
    """Return a byte-level tokenizer of `tokenizers` with further entries and merges, lacking some characters."""
    merges = (("t", "h"), ("th", "e"), *(() if "Ġ" in lacking else (("Ġ", "the"),)), *merges)
    entries = [character for character in PRINTABLE if character not in lacking]
    entries = list(dict.fromkeys([*entries, *(left + right for left, right in merges), *raw]))
    tokenizer = tokenizers.Tokenizer(models.BPE({each: i for i, each in enumerate(entries)}, list(merges), **model))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens(list(added))
    return tokenizer


CASES: dict[str, tokenizers.Tokenizer] = {
    **{f"one entry {raw!r}": byte_level(raw) for raw in RAW},
    "many entries": byte_level(*RAW),
    "whole words": byte_level(*RAW, ignore_merges=True),
    "whole words and a suffix": byte_level(*RAW, ignore_merges=True, end_of_word_suffix="</w>"),
    "without the bytes of the entries": byte_level(*RAW, lacking="ĠĊĉ"),
    "merges of entries": byte_level("⌚", merges=(("⌚", "a"), ("⌚a", "t"), ("c", "a"))),
    "an unknown token of other characters": byte_level("⟨unk⟩", lacking="Ġ", unk_token="⟨unk⟩"),
    "the same, not needed": byte_level("⟨unk⟩", unk_token="⟨unk⟩"),
    "an added token that is a byte": byte_level(added=(AddedToken("é", normalized=False),)),
    "an added token that merges as bytes": byte_level(
        added=(AddedToken("é", normalized=False),), merges=(("é", "¿"), ("é¿", "¿"))
    ),
    "an added token that is a word of bytes": byte_level(
        "Ã©", added=(AddedToken("Ã©", normalized=False), AddedToken("｜x｜")), ignore_merges=True
    ),
    "an added token of other characters": byte_level("｜x｜", "\n", added=(AddedToken("｜x｜"), AddedToken("\n"))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_byte_level_file_stays_byte_level_with_unusual_entries(name: str, tmp_path: Path) -> None:
    theirs = CASES[name]
    ours = read(tmp_path, theirs.to_str())
    is_needed = name == "an unknown token of other characters"
    assert ours.recipe.units == ("characters" if is_needed else "bytes")
    for text in (TEXT, *TEXT, *TEXT.split(" "), "".join(map(chr, range(0x80, 0x2000)))):
        ids = theirs.encode(text).ids
        assert ours.encode(text) == ids, text
        assert ours.encoding(text).ids == ids, text
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False), text
    again = tokenizers.Tokenizer.from_str(_written(ours, tmp_path))
    assert again.get_vocab() == theirs.get_vocab()
    assert again.encode(TEXT).ids == theirs.encode(TEXT).ids


def _written(tokenizer: Tokenizer, folder: Path) -> str:
    from bpe_gui.engine.formats import tokenizer_json

    [text] = tokenizer_json.contents(tokenizer, folder).values()
    return text


def test_an_entry_that_no_text_has_is_an_ordinary_entry_otherwise(tmp_path: Path) -> None:
    usual, other = read(tmp_path, byte_level().to_str()), read(tmp_path, byte_level("⌚", " ").to_str())
    pair = compare([usual, other]).pair()
    assert (pair.only_first, [token for _id, token in pair.only_in_second()]) == (0, ["⌚".encode()])
    assert other.token_id("⌚") == 259 and other.token(259) == "⌚".encode()
    assert other.special_tokens == {}
    found = {entry.token_id: entry.kind for entry in audit(other).entries}
    assert (found[259], found[260]) == ("no-merge", "repeated")
    assert "not-found" not in found.values()
    assert other.token_id(b" ") == PRINTABLE.index("Ġ")


def test_entries_keep_their_meaning_when_others_are_pruned(tmp_path: Path) -> None:
    tokenizer = read(tmp_path, byte_level("⌚", merges=(("c", "a"),), added=(AddedToken("é"),)).to_str())
    pruned = prune(tokenizer, tokenizer.encode("the")).tokenizer
    assert len(pruned.vocab) < len(tokenizer.vocab)
    assert [pruned.token(i) for i in (pruned.pipeline.raw_ids if pruned.pipeline else ())] == ["⌚".encode()]
    written = tokenizers.Tokenizer.from_str(_written(pruned, tmp_path))
    assert written.encode(TEXT).ids == pruned.encode(TEXT)
    assert written.token_to_id("⌚") is not None


@pytest.mark.parametrize("pre", ["gpt-2", "llama-bpe"])
@pytest.mark.parametrize("raw", [["⌚"], ["⌚", " ", "the "]])
def test_a_gguf_file_of_bytes_may_have_unusual_entries(pre: str, raw: list[str], tmp_path: Path) -> None:
    usual = train("the cat the cat ⌚ ⌚", num_merges=8, special_tokens=["<s>"])
    values = of_bytes(usual, pre)
    tokens, types = values["add_token_list"] + raw, values["add_token_types"] + [NORMAL] * len(raw)
    unusual = load(
        write_gguf(
            tmp_path / "a.gguf",
            values
            | {"add_token_list": tokens, "add_token_types": types}
            | {"add_token_merges": [*values["add_token_merges"], "⌚ a"]},
        )
    )
    ours = load(write_gguf(tmp_path / "b.gguf", values))
    for text in (TEXT, *TEXT.split(" ")):
        assert unusual.encode(text) == ours.encode(text)
    assert unusual.token_id("⌚") is not None
    assert unusual.recipe.units == "bytes" and unusual.special_tokens == ours.special_tokens
    assert set(types) == {NORMAL, CONTROL}


# -- vocab.json and merges.txt, which have no steps --------------------------------------------------------------------


def _folder(path: Path, entries: list[str], merges: list[str]) -> Tokenizer:
    path.mkdir()
    (path / "vocab.json").write_text(json.dumps({entry: i for i, entry in enumerate(entries)}), "utf-8")
    (path / "merges.txt").write_text("".join(f"{merge}\n" for merge in merges), "utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("entries", "merges", "units", "boundary"),
    [
        ([*PRINTABLE, "the"], [], "bytes", "none"),
        ([*PRINTABLE, *(f"{each}</w>" for each in PRINTABLE), "at</w>"], ["a t</w>"], "bytes", "suffix-attached"),
        (["Ġa", "a", "b", "Ġ", "ab", "Ġab"], ["Ġ a", "a b", "Ġ ab"], "bytes", "none"),
        (["Ã", "©", "Ã©"], ["Ã ©"], "bytes", "none"),
        (["Ã", "©</w>", "Ã©</w>"], ["Ã ©</w>"], "bytes", "suffix-attached"),
        (["b", "y", "ł", "by", "był"], ["b y", "by ł"], "characters", "none"),
        (["ċ", "a", "ż", "ċa", "ża"], ["ċ a", "ż a"], "characters", "none"),
        (["c", "a", "f", "é", "ca", "fé", "café"], ["c a", "f é", "ca fé"], "characters", "none"),
        (["l", "o", "lo"], ["l o"], "characters", "none"),
        (["l", "o</w>", "lo</w>"], ["l o</w>"], "characters", "suffix-attached"),
        (["l", "o", "</w>", "lo"], ["l o"], "characters", "suffix"),
    ],
)
def test_merges_decide_whether_a_vocabulary_is_of_bytes(
    entries: list[str], merges: list[str], units: str, boundary: str, tmp_path: Path
) -> None:
    recipe = _folder(tmp_path / "one", entries, merges).recipe
    assert (recipe.units, recipe.boundary) == (units, boundary)


def test_a_vocabulary_that_lacks_bytes_gives_the_ids_of_tokenizers(tmp_path: Path) -> None:
    entries, merges = ["Ġa", "a", "b", "Ġ", "ab", "Ġab", "Ã", "©"], ["Ġ a", "a b", "Ġ ab"]
    ours = _folder(tmp_path / "one", entries, merges)
    theirs = tokenizers.ByteLevelBPETokenizer(
        str(tmp_path / "one" / "vocab.json"), str(tmp_path / "one" / "merges.txt")
    )
    assert ours.encode("ab a ab é") == theirs.encode("ab a ab é").ids
