"""The shipped samples are complete and readable, and those of published examples are exact."""

import tomllib
from dataclasses import FrozenInstanceError

import pytest

from bpe_gui.resources import resource
from bpe_gui.samples import Sample, default_sample, samples

PRESETS = {
    "cs336",
    "cs336-toy",
    "worked-example",
    "bbpe",
    "char-eow",
    "zh-en",
    "minbpe",
    "tiktoken",
    "huggingface",
    "subword-nmt",
}

TUTORIALS = {
    "cs336.txt": "low low low lower lower widest widest newest",
    "cs336-toy.txt": (
        "low low low low low\nlower lower widest widest widest\nnewest newest newest newest newest newest"
    ),
    "worked-example.txt": "low low lower newest newest widest widest widest",
    "bbpe.txt": "low low low lower lower widest widest newest 你好 你好世界",
    "char-eow.txt": (
        "low lower lowest\n"
        "play played playing player\n"
        "happy happier happiest\n"
        "running runs runner\n"
        "international internationalization internationalize\n"
        "understanding misunderstand misunderstanding"
    ),
    "zh-en.txt": (
        "自然语言处理是人工智能的一个重要分支。\n"
        "BPE 是一种常用的分词算法，广泛应用于 NLP 领域。\n"
        "Python 是一种简单易学的编程语言，非常适合快速开发。\n"
        "Machine learning is a subset of artificial intelligence.\n"
        "Byte Pair Encoding is widely used in large language models.\n"
        "Natural language processing enables computers to understand human language.\n"
        "我爱自然语言处理，也喜欢 Python 编程。\n"
        "The quick brown fox jumps over the lazy dog."
    ),
}

each_sample = pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.path.stem)


@each_sample
def test_titles_and_notes_are_in_both_languages(sample: Sample) -> None:
    for texts in (sample.titles, sample.notes):
        assert set(texts) == {"en", "zh_CN"}
        assert all(text.strip() == text != "" for text in texts.values())
    assert any("一" <= character <= "鿿" for character in sample.note("zh_CN"))


@each_sample
def test_an_unknown_language_falls_back_to_english(sample: Sample) -> None:
    assert sample.title("tlh") == sample.titles["en"]
    assert sample.note("tlh") == sample.notes["en"]
    assert sample.title("zh_CN") == sample.titles["zh_CN"]


@each_sample
def test_the_file_is_utf8_with_plain_line_ends(sample: Sample) -> None:
    text = sample.path.read_bytes().decode("utf-8", errors="strict")
    assert text
    assert not text.startswith("\ufeff")
    assert "\ufffd" not in text
    assert sample.read() == text.replace("\r\n", "\n")


@each_sample
def test_settings_make_sense(sample: Sample) -> None:
    assert sample.recipe in PRESETS
    assert (sample.num_merges is None) != (sample.vocab_size is None)
    assert (sample.num_merges or sample.vocab_size or 0) > 0
    assert all(sample.special_tokens)
    assert len(set(sample.special_tokens)) == len(sample.special_tokens)
    assert sample.text


def test_tutorial_corpora_come_first_and_are_exact() -> None:
    first = samples()[: len(TUTORIALS)]
    assert {sample.path.name: sample.read() for sample in first} == TUTORIALS
    assert [sample.path.name for sample in first] == list(TUTORIALS)


def test_the_longer_texts_are_long_and_end_in_one_newline() -> None:
    english, chinese = samples()[len(TUTORIALS) :]
    for sample in (english, chinese):
        assert 10_000 <= len(sample.read().encode("utf-8")) <= 15_000
        assert sample.read().endswith("\n")
        assert not sample.read().endswith("\n\n")
    assert english.read().isascii() is False
    assert sum("一" <= character <= "鿿" for character in chinese.read()) > 2_000


def test_exactly_one_default() -> None:
    assert [sample for sample in samples() if sample.default] == [default_sample()]


def test_the_list_has_all_files_of_the_folder() -> None:
    listed = [sample.path.name for sample in samples()]
    assert sorted(listed) == sorted(path.name for path in resource("samples").glob("*.txt"))
    assert len(set(listed)) == len(listed)


def test_every_key_in_the_list_is_known() -> None:
    known = {
        "file",
        "title",
        "note",
        "words",
        "recipe",
        "special_tokens",
        "num_merges",
        "vocab_size",
        "text",
        "default",
    }
    listing = tomllib.loads(resource("samples", "samples.toml").read_text(encoding="utf-8"))
    assert set(listing) == {"sample"}
    assert set().union(*listing["sample"]) <= known


def test_samples_are_read_once_and_cannot_be_changed() -> None:
    assert samples() is samples()
    assert hash(default_sample()) == hash(default_sample())
    with pytest.raises(FrozenInstanceError):
        default_sample().text = "x"  # type: ignore[misc]
