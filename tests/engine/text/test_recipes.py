"""Presets reproduce what was published; recipes that are not valid are refused; recipes survive a file."""

import json
import re
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import (
    CHOICES,
    PRESETS,
    Corpus,
    EngineError,
    FormatError,
    Recipe,
    RecipeError,
    Tokenizer,
    TokenizerError,
    Trainer,
    TrainingError,
    to_printable,
    train,
)
from bpe_gui.engine.text.alphabet import marker_of, symbols_of
from tests.engine.support.strategies import recipes

TINY = "low low low lower lower widest widest newest"


def merges_of(tokenizer: Tokenizer) -> list[str]:
    return [f"{left.decode()}+{right.decode()}" for left, right in tokenizer.merges]


def merges_with_counts(tokenizer: Tokenizer) -> str:
    counts = tokenizer.merge_counts or []
    return ", ".join(f"{merge} {count}" for merge, count in zip(merges_of(tokenizer), counts, strict=True))


def tokens_with_counts(tokenizer: Tokenizer) -> str:
    return merges_with_counts(tokenizer).replace("+", "")


# -- cs336 --------------------------------------------------------------------------------------------------------


def test_cs336() -> None:
    tokenizer = train(TINY, recipe="cs336", num_merges=5, special_tokens=["<|endoftext|>", "<|sometoken|>"])
    assert merges_of(tokenizer) == ["o+w", "l+ow", " +low", "s+t", "e+st"]
    assert len(tokenizer.vocab) == 263
    assert tokenizer.special_tokens == {"<|endoftext|>": 256, "<|sometoken|>": 257}
    text = "the cat ate 你✔"
    ids = [116, 104, 101, 32, 99, 97, 116, 32, 97, 116, 101, 32, 228, 189, 160, 226, 156, 148]
    assert tokenizer.encode(text) == ids
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode([0xE4, 0xBD]) == "\ufffd"


def test_cs336_stops_at_the_vocabulary_size_too() -> None:
    tokenizer = train(TINY, vocab_size=263, special_tokens=["<|endoftext|>", "<|sometoken|>"])
    assert len(tokenizer.merges) == 5


# -- cs336-toy ----------------------------------------------------------------------------------------------------


def test_cs336_toy() -> None:
    corpus = "low low low low low\nlower lower widest widest widest\n" + "newest " * 6
    tokenizer = train(corpus, recipe="cs336-toy", special_tokens=["<|endoftext|>"])
    assert tokens_with_counts(tokenizer) == (
        "st 9, est 9, ow 7, low 7, west 6, ne 6, newest 6, wi 3, wid 3, widest 3, lowe 2, lower 2"
    )
    assert tokenizer.special_tokens == {"<|endoftext|>": 256}
    assert [tokenizer.vocab[i].decode() for i in range(256)] == [chr(code) for code in range(256)]
    assert tokenizer.tokenize("newest lowest") == [b"newest", b"low", b"est"]


# -- worked-example -----------------------------------------------------------------------------------------------


def test_worked_example() -> None:
    tokenizer = train("low low lower newest newest widest widest widest", recipe="worked-example", num_merges=8)
    assert merges_with_counts(tokenizer) == ("s+t 5, e+st 5, w+i 3, wi+d 3, wid+est 3, o+w 3, l+ow 3, </w>+widest 3")


def test_worked_example_shows_the_tie_at_the_third_merge() -> None:
    counts = Corpus.from_text("low low lower newest newest widest widest widest").count("worked-example")
    trainer = Trainer(counts, "worked-example")
    trainer.seek(2)
    tied = [(pair.left, pair.right) for pair in trainer.pairs() if pair.count == 3]
    merge = trainer.step()
    assert merge is not None
    assert (b"o", b"w") in tied
    assert merge.ties == len(tied) - 1
    assert max(tied) == tied[0] == (merge.left, merge.right) == (b"w", b"i")


# -- bbpe ---------------------------------------------------------------------------------------------------------


def test_bbpe() -> None:
    tokenizer = train(f"{TINY} 你好 你好世界", recipe="bbpe", vocab_size=270)
    assert ", ".join(f"{to_printable(left)}+{to_printable(right)}" for left, right in tokenizer.merges) == (
        "l+o, lo+w, Ġ+low, e+s, es+t, Ġlow+e, Ġlowe+r, Ġ+w, Ġw+i, Ġwi+d, Ġwid+est, Ġ+ä, Ġä+½, Ġä½+ł"
    )
    ids = "es 69, est 70, lo 78, low 79, Ġlow 225, Ġlowe 226, Ġlower 227, Ġw 228, Ġwi 229, Ġwid 230, Ġwidest 231, "
    ids += "Ġä 232, Ġä½ 233, Ġä½ł 234"
    merged = {to_printable(left + right) for left, right in tokenizer.merges}
    by_id = sorted(tokenizer.vocab.items())
    assert ", ".join(f"{to_printable(t)} {i}" for i, t in by_id if to_printable(t) in merged) == ids
    assert tokenizer.decode(tokenizer.encode("你好 low")) == "你好 low"


def test_bbpe_needs_a_vocabulary_with_every_byte() -> None:
    with pytest.raises(TrainingError, match=r"vocabulary size 255 is too small.* at least 256"):
        train(TINY, recipe="bbpe", vocab_size=255)


# -- char-eow -----------------------------------------------------------------------------------------------------

MORPHOLOGY = """low lower lowest
play played playing player
happy happier happiest
running runs runner
international internationalization internationalize
understanding misunderstand misunderstanding"""


def test_char_eow() -> None:
    trainer = Trainer(Corpus.from_text(MORPHOLOGY).count("char-eow"), "char-eow")
    assert trainer.alphabet_size == 19
    sizes = []
    while trainer.vocab_size < 25:
        trainer.step()
        sizes.append(trainer.vocab_size)
    tokenizer = trainer.tokenizer()
    assert merges_with_counts(tokenizer) == "e+r 10, i+n 7, u+n 6, n+a 6, s+t 5, er+</w> 4, p+l 4"
    assert sizes == [20, 21, 21, 22, 23, 24, 25]
    assert " ".join(sorted(token.decode() for token in tokenizer.vocab.values())) == (
        "</w> a d e er er</w> g h i in l m n na o p pl r s st t un w y z"
    )


def test_char_eow_ends_when_every_pair_occurs_once() -> None:
    trainer = Trainer(Corpus.from_text(MORPHOLOGY).count("char-eow"), "char-eow")
    assert trainer.seek(10_000) == 40
    assert trainer.vocab_size == len(trainer.tokenizer().vocab) == 22
    assert {pair.count for pair in trainer.pairs()} == {1}


def test_merges_drive_encoding_although_a_part_left_the_vocabulary() -> None:
    tokenizer = train(MORPHOLOGY, recipe="char-eow", vocab_size=25)
    assert b"u" not in tokenizer.vocab.values()
    assert tokenizer.tokenize("unlower") == [b"un", b"l", b"o", b"w", b"er</w>"]


def test_the_error_for_a_symbol_without_an_id_gives_its_position() -> None:
    tokenizer = train(MORPHOLOGY, recipe="char-eow", vocab_size=25)
    with pytest.raises(TokenizerError, match=r"symbol 'u' \(number 2 of the word 'lup' at character 4\)"):
        tokenizer.encode("low lup")
    z = next(i for i, token in tokenizer.vocab.items() if token == b"z")
    assert tokenizer.with_unknown_id(z).encode("lup").count(z) == 1


# -- zh-en --------------------------------------------------------------------------------------------------------

SENTENCES = (
    "自然语言处理很有趣!",
    "I love Python and natural language processing.",
    "BPE 算法能够有效处理中英文混合文本。",
)


def test_zh_en_words() -> None:
    counts = Corpus.from_text("\n".join(SENTENCES)).count("zh-en")
    words = "自然语言处理很有趣 ! I love Python and natural language processing . BPE 算法能够有效处理中英文混合文本 。"
    assert " ".join(counts) == words
    recipe = PRESETS["zh-en"]
    assert symbols_of("and", recipe) == [b"a", b"n", b"d", b"</w>"]
    assert [marker_of(word, recipe) for word in ("自然", "!", "。", "é", "3", "ж")] == ["none"] * 3 + ["suffix"] * 3


def test_zh_en_merges_english_endings() -> None:
    tokenizer = train("\n".join(SENTENCES), recipe="zh-en")
    tokens = {token.decode() for token in tokenizer.vocab.values()}
    assert {"n</w>", "e</w>", "g</w>"} & tokens
    assert "处理" in tokens
    assert not any("!" in token and len(token) > 1 for token in tokens)
    assert b"</w>" not in b"".join(tokenizer.tokenize("处理"))
    assert tokenizer.tokenize("and")[-1].endswith(b"</w>")


def test_zh_en_counts_every_occurrence_unless_told_otherwise() -> None:
    text = "处理处理 处理"
    counts = Corpus.from_text(text).count("zh-en")
    every = Trainer(counts, "zh-en").peek()
    once = Trainer(counts, PRESETS["zh-en"].with_changes(pair_counting="once-per-word")).peek()
    assert every and once
    assert (every.count, once.count) == (3, 2)


def test_zh_en_knows_letters_that_python_does_not() -> None:
    """The shipped version of Unicode is newer than that of `str.isalnum` in Python 3.11."""
    newer = chr(0x1C89)  # a Cyrillic letter of Unicode 16
    recipe = PRESETS["zh-en"]
    for word in Corpus.from_text(f"a{newer} {newer}{newer}").count(recipe):
        assert (marker_of(word, recipe) == "suffix") == (len(word) == 2)


# -- recipes as values --------------------------------------------------------------------------------------------


def test_all_presets_exist() -> None:
    published = "cs336 cs336-toy worked-example bbpe char-eow zh-en minbpe tiktoken huggingface subword-nmt parity"
    assert list(PRESETS) == published.split()
    assert all(Recipe.of(name) is PRESETS[name] and PRESETS[name].preset == name for name in PRESETS)
    assert Recipe(min_count=7).preset is None


def test_the_error_for_an_unknown_preset_lists_the_presets() -> None:
    with pytest.raises(RecipeError, match=r"Unknown recipe 'gpt5'\. The presets are cs336, "):
        Recipe.of("gpt5")


@pytest.mark.parametrize("switch", CHOICES)
def test_a_value_that_is_not_a_choice_is_refused(switch: str) -> None:
    values: tuple[object, ...] = ("sideways", None, 3, [], {})
    for value in values:
        with pytest.raises(RecipeError, match=f"recipe's {switch} cannot be .* The choices are {CHOICES[switch][0]}"):
            Recipe.from_dict({switch: value})


@pytest.mark.parametrize(
    ("switches", "sentence"),
    [
        ({"min_count": 0}, "min_count must be an integer from 1 to 2,147,483,647, not 0"),
        ({"min_count": 2**31}, "min_count must be an integer from 1 to 2,147,483,647, not 2147483648"),
        ({"min_count": True}, "min_count must be an integer from 1 to 2,147,483,647, not True"),
        ({"min_count": "2"}, "min_count must be an integer from 1 to 2,147,483,647, not '2'"),
        ({"merges_header": 1}, "merges_header must be true or false, not 1"),
        ({"alphabet": "latin-1"}, "requires units to be characters, not bytes"),
        ({"alphabet": "gpt2-printable", "units": "characters"}, "requires units to be bytes, not characters"),
        ({"splitter": "(ab"}, "regular expression is not valid at position 3: it ends inside"),
        ({"splitter": "(?r)a"}, "is not supported"),
        ({"splitter": "(" * 5000}, "regular expression"),
        ({"splitter": ""}, "splitter must be a name or a regular expression, not ''"),
        ({"splitter": 3}, "splitter must be a name or a regular expression, not 3"),
        ({"splitter": ["gpt2"]}, "splitter must be a name"),
        ({"tiebreak": "greatest"}, "Unknown recipe setting 'tiebreak'. The settings are alphabet, boundary, "),
    ],
)
def test_a_recipe_that_is_not_valid_is_refused(switches: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(sentence)):
        Recipe.from_dict(switches)


@pytest.mark.parametrize("value", [None, [], "cs336", 3])
def test_only_a_json_object_is_a_recipe(value: object) -> None:
    with pytest.raises(RecipeError, match="A recipe must be a JSON object"):
        Recipe.from_dict(value)


@given(recipes())
def test_a_recipe_survives_json(recipe: Recipe) -> None:
    assert Recipe.from_dict(json.loads(json.dumps(recipe.to_dict()))) == recipe


def test_a_recipe_survives_a_file(tmp_path: Path) -> None:
    recipe = PRESETS["zh-en"].with_changes(splitter=r"[一-龥]+|\S", min_count=4)
    recipe.save(tmp_path / "deep" / "mine.json")
    assert Recipe.load(tmp_path / "deep" / "mine.json") == recipe
    assert "一" in (tmp_path / "deep" / "mine.json").read_text("utf-8")


@given(st.binary(max_size=60))
def test_loading_arbitrary_bytes_as_a_recipe_raises_only_engine_errors(data: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(EngineError):
        path = Path(folder) / "recipe.json"
        path.write_bytes(data)
        Recipe.load(path)


def test_a_missing_recipe_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.json cannot be read: No such file"):
        Recipe.load(tmp_path / "none.json")


def test_a_recipe_file_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "large.json").write_text(" " * 1_000_001)
    with pytest.raises(FormatError, match="is larger than 1,000,000 bytes"):
        Recipe.load(tmp_path / "large.json")


def test_a_literal_marker_is_lost_once_it_is_merged() -> None:
    recipe = PRESETS["char-eow"].with_changes(vocabulary="grow")
    bare = train("</w>a </w>b </w>c", recipe=recipe, num_merges=0)
    assert bare.tokenize("</w>a") == [b"<", b"/", b"w", b">", b"a", b"</w>"]
    assert bare.decode(bare.encode("</w>a")) == "</w>a"
    trained = train("</w>a </w>b </w>c", recipe=recipe)
    assert trained.tokenize("</w>a") == [b"</w>", b"a", b"</w>"]
    assert trained.decode(trained.encode("</w>a")) == " a"


@given(st.text(alphabet="</w>a ", max_size=40), recipes())
def test_a_literal_marker_never_breaks_training(text: str, recipe: Recipe) -> None:
    with suppress(EngineError):
        trainer = Trainer(Corpus.from_text(text).count(recipe), recipe)
        trainer.seek(30)
        trainer.tokenizer()
        trainer.occurrences(b"<", b"/")
        start = trainer.pairs()
        reached = trainer.position
        trainer.seek(0)
        trainer.seek(reached)
        assert trainer.pairs() == start


@pytest.mark.parametrize(
    ("boundary", "size"), [("none", 256), ("suffix", 257), ("prefix", 257), ("suffix-attached", 512)]
)
def test_an_alphabet_of_bytes_can_encode_any_text(boundary: str, size: int) -> None:
    recipe = Recipe.from_dict({"boundary": boundary})
    tokenizer = train("a", recipe=recipe, num_merges=0)
    assert len(tokenizer.vocab) == size
    assert tokenizer.decode(tokenizer.encode("never seen 你")) == "never seen 你"
