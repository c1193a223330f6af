"""Codes of subword-nmt: it gives our tokens in both versions of the format; damage is reported by line."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from subword_nmt.apply_bpe import BPE

from bpe_gui.engine import PRESETS, FormatError, Tokenizer, TokenizerError, load, save, train
from bpe_gui.engine.formats import files
from tests.engine.support.mixed_text import mixed_text

GOOD = "#version: 0.2\nl o\nlo w</w>\nlo w\ne r</w>\nlow er</w>\n"
OLD = "l o\nlo w\nlow </w>\ne r\ner </w>\nlow er</w>\n"


def file_with(folder: Path, content: str | bytes, name: str = "some.codes") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def segment(tokenizer: Tokenizer, line: str) -> str:
    """Return the tokens of a line as subword-nmt prints them. Tracing works for symbols without an id."""
    return " ".join(
        "@@ ".join(pieces(word.steps[-1].symbols if word.steps else word.symbols)) for word in tokenizer.trace(line)
    )


def pieces(symbols: Sequence[bytes]) -> list[str]:
    """Return the symbols of a word without the marker."""
    texts = [symbol.decode() for symbol in symbols]
    texts[-1] = texts[-1].removesuffix("</w>")
    return [text for text in texts if text]


def theirs(content: str) -> BPE:
    return BPE(StringIO(content))


# -- subword-nmt ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [GOOD, OLD], ids=["0.2", "0.1"])
def test_both_versions_segment_as_in_subword_nmt(content: str, tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, content))
    assert tokenizer.recipe.boundary == ("suffix-attached" if content is GOOD else "suffix")
    for line in ("low", "lower lowlow lowe", "l o wolrer erlow", "ererlo low"):
        assert segment(tokenizer, line) == theirs(content).process_line(line)


def test_ids_are_in_the_order_of_symbols_and_merges(tmp_path: Path) -> None:
    tokens = list(load(file_with(tmp_path, GOOD)).vocab.values())
    assert tokens == [b"e", b"l", b"o", b"r</w>", b"w", b"w</w>", b"lo", b"low</w>", b"low", b"er</w>", b"lower</w>"]
    assert list(load(file_with(tmp_path, "l o\n")).vocab.values()) == [b"</w>", b"l", b"o", b"lo"]


def test_a_character_that_no_merge_names_has_no_id(tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, GOOD))
    assert tokenizer.decode(tokenizer.encode("lower low")) == "lower low"
    with pytest.raises(TokenizerError, match=r"The symbol 'e</w>' \(number 2 of the word 'lowe'"):
        tokenizer.encode("lowe")


# -- our tokenizers -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("splitter", ["space", "whitespace"])
def test_merges_are_saved_without_loss(splitter: str, tmp_path: Path) -> None:
    recipe = PRESETS["subword-nmt"].with_changes(splitter=splitter)
    text = mixed_text(30_000)
    tokenizer = train(text, recipe=recipe, special_tokens=["<e>"], num_merges=1000)
    (file,) = save(tokenizer, tmp_path / "one", "subword-nmt")
    again = load(tmp_path / "one")
    assert again.merges == tokenizer.merges
    assert again.recipe == PRESETS["subword-nmt"]
    assert again.special_tokens == {}
    package = theirs(file.read_text("utf-8"))
    for line in text.split("\n"):
        assert segment(again, line) == segment(tokenizer, line) == package.segment(line)
    (second,) = save(again, tmp_path / "two.codes", "subword-nmt")
    assert second.read_bytes() == file.read_bytes()


def with_merges(*merges: tuple[bytes, bytes]) -> Tokenizer:
    return Tokenizer({0: b"a"}, merges, recipe="subword-nmt")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (train("low low"), "subword-nmt merges characters, but this tokenizer starts from bytes"),
        (
            train("low low", recipe="char-eow"),
            r"marker to the last character\. Set the word boundary to suffix-attached",
        ),
        (
            train("low low", recipe=PRESETS["subword-nmt"].with_changes(splitter="zh-en")),
            "splits text at spaces. Set the splitter to space / whitespace",
        ),
        (train("a b", recipe="subword-nmt"), "This tokenizer has no merges, but subword-nmt needs at least one"),
        (with_merges((b"a", b" ")), "subword-nmt codes cannot represent the token ' '"),
        (with_merges((b"a", b"\n")), r"subword-nmt codes cannot represent the token '\\n'"),
        (with_merges((b"a", b"\xff")), r"The token '\\xff' is not valid UTF-8"),
        (with_merges((b"a", b"bc")), "No earlier merge creates 'bc', which is part of the merge of rank 0"),
        (with_merges((b"ab", b"c"), (b"a", b"b")), "No earlier merge creates 'ab'"),
        (
            with_merges(*((b"a" * 2**n, b"a" * 2**n) for n in range(11))),
            "has 2,048 bytes, but subword-nmt codes can contain at most 1,024",
        ),
    ],
)
def test_a_tokenizer_that_codes_cannot_represent_is_refused(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "subword-nmt")
    assert not list(tmp_path.iterdir())


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, GOOD.replace("0.2", "0.2.0") + "\n"])
def test_line_ends_a_mark_and_a_longer_version_make_no_difference(content: str, tmp_path: Path) -> None:
    assert load(file_with(tmp_path, content)).vocab == load(file_with(tmp_path, GOOD)).vocab


def test_the_first_of_two_equal_merges_counts(tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, GOOD + "l o\n"))
    assert tokenizer.encode("low lower") == load(file_with(tmp_path, GOOD)).encode("low lower")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", r"some\.codes, line 1: '' is not a merge. A merge is two tokens separated by one space"),
        ("#version: 0.2\n", r"some\.codes has no merges"),
        (
            "#version: 0.3\nl o\n",
            r"line 1: '#version: 0\.3' is not a supported version of subword-nmt codes. Supported versions are",
        ),
        ("#version: 0.2 - Trained by\n", r"line 1: '#version: 0\.2 - Trained by' is not a supported version"),
        (GOOD.replace("lo w\n", "lo\n"), "line 4: 'lo' is not a merge"),
        (GOOD.replace("lo w\n", "lo w 3\n"), "line 4: 'lo w 3' is not a merge"),
        (GOOD.replace("lo w\n", "\n"), "line 4: '' is not a merge"),
        (GOOD + "x" * 99, "line 7: 'x{60}…' is not a merge"),
        (GOOD + "xy z", "line 7: 'xy' is not a character, and no earlier merge creates it"),
        (GOOD.replace("0.2", "0.1"), r"line 3: 'w</w>' is not a character"),
        (OLD + "a b</w>", r"line 7: 'b</w>' is not a character"),
        ("#version: 0.2\nx </w>\n", r"line 2: '</w>' is not a character"),
        (GOOD + "x" * 1024 + " y", "line 7: a token of 1,025 bytes is too long. The limit is 1,024 bytes"),
        (GOOD.encode() + b"\xff a", "line 7 is not valid UTF-8"),
    ],
)
def test_damage_is_reported_by_line(content: str | bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, content))


@pytest.mark.parametrize(
    ("line", "reason"), [(b"a" * 100, "is larger than 2,000 bytes"), (b"a b", "has more than 100 lines")]
)
def test_a_file_that_is_too_large_is_refused(
    line: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 2_000)
    monkeypatch.setattr(files, "MAX_LINES", 100)
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, (line + b"\n") * 101))
