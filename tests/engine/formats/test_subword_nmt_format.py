"""Codes of subword-nmt: it splits as we do by the same file, in both versions; damage is named by line."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE

from bpe_gui.engine import PRESETS, EngineError, FormatError, Recipe, Tokenizer, TokenizerError, load, save, train

from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.strategies import corpora, recipes, special_tokens

TEXT = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 \x00\x7f\x85 low low"
GOOD = "#version: 0.2\nl o\nlo w</w>\nlo w\ne r</w>\nlow er</w>\n"
OLD = "l o\nlo w\nlow </w>\ne r\ner </w>\nlow er</w>\n"


def file_with(folder: Path, content: str | bytes, name: str = "some.codes") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def segmented(tokenizer: Tokenizer, line: str) -> str:
    """What subword-nmt prints: the tokens of a line as trace knows them, which needs no id for a symbol."""
    return " ".join(
        "@@ ".join(pieces(word.steps[-1].symbols if word.steps else word.symbols)) for word in tokenizer.trace(line)
    )


def pieces(symbols: Sequence[bytes]) -> list[str]:
    """The symbols of a word without the marker."""
    texts = [symbol.decode() for symbol in symbols]
    texts[-1] = texts[-1].removesuffix("</w>")
    return [text for text in texts if text]


def theirs(content: str) -> BPE:
    return BPE(StringIO(content))


# -- the real package ---------------------------------------------------------------------------------------------


def test_published_codes_segment_their_corpus(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    codes = shared_data("corpus.en.subword-nmt.codes")
    tokenizer = load(codes)
    assert len(tokenizer.merges) == 1000
    corpus = shared_data("corpus.en").read_text("utf-8").split("\n")
    expected = shared_data("corpus.en.subword-nmt.segmented").read_text("utf-8").split("\n")
    assert [segmented(tokenizer, line) for line in corpus] == [line.strip(" ") for line in expected]
    (again,) = save(tokenizer, tmp_path, "subword-nmt")
    assert again.read_bytes() == codes.read_bytes()


@pytest.mark.parametrize("content", [GOOD, OLD], ids=["0.2", "0.1"])
def test_both_versions_segment_as_theirs(content: str, tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, content))
    assert tokenizer.recipe.boundary == ("suffix-attached" if content is GOOD else "suffix")
    for line in ("low", "lower lowlow lowe", "l o wolrer erlow", "ererlo low"):
        assert segmented(tokenizer, line) == theirs(content).process_line(line)


def test_the_ids_of_what_is_read(tmp_path: Path) -> None:
    tokens = list(load(file_with(tmp_path, GOOD)).vocab.values())
    assert tokens == [b"e", b"l", b"o", b"r</w>", b"w", b"w</w>", b"lo", b"low</w>", b"low", b"er</w>", b"lower</w>"]
    assert list(load(file_with(tmp_path, "l o\n")).vocab.values()) == [b"</w>", b"l", b"o", b"lo"]


def test_a_character_that_no_merge_names_has_no_id(tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, GOOD))
    assert tokenizer.decode(tokenizer.encode("lower low")) == "lower low"
    with pytest.raises(TokenizerError, match="The symbol 'e</w>', number 2 of the word 'lowe'"):
        tokenizer.encode("lowe")


# -- our tokenizers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("splitter", ["space", "whitespace"])
def test_tokenizers_survive(splitter: str, tmp_path: Path) -> None:
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
        assert segmented(again, line) == segmented(tokenizer, line) == package.segment(line)
    (second,) = save(again, tmp_path / "two.codes", "subword-nmt")
    assert second.read_bytes() == file.read_bytes()


def test_ids_are_the_same_where_merges_name_every_symbol(tmp_path: Path) -> None:
    recipe = PRESETS["subword-nmt"].with_changes(min_count=1)
    text = "low lower lowest 你好 你好世界 naïve 😀😀 don't\nthe widest newest 123"
    tokenizer = train(text, recipe=recipe, num_merges=1000)
    save(tokenizer, tmp_path, "subword-nmt")
    assert load(tmp_path).vocab == tokenizer.vocab
    assert load(tmp_path).encode(text + " lowlow") == tokenizer.encode(text + " lowlow")


@given(corpora, recipes() | st.just(PRESETS["subword-nmt"]), special_tokens)
@settings(max_examples=100)
def test_every_recipe_survives_or_is_refused(text: str, recipe: Recipe, specials: list[str]) -> None:
    with TemporaryDirectory() as folder:
        try:
            tokenizer = train(text, recipe=recipe, special_tokens=specials, num_merges=20)
            save(tokenizer, Path(folder), "subword-nmt")
        except EngineError:
            assert not list(Path(folder).iterdir())
            return
        assert load(folder).merges == tokenizer.merges


def made_of(*merges: tuple[bytes, bytes]) -> Tokenizer:
    return Tokenizer({0: b"a"}, merges, recipe="subword-nmt")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (train("low low"), "Codes of subword-nmt merge characters; this tokenizer begins with bytes"),
        (
            train("low low", recipe="char-eow"),
            r"markers glued to the last character\. Train with the boundary suffix-attached",
        ),
        (
            train("low low", recipe=PRESETS["subword-nmt"].with_changes(splitter="zh-en")),
            "for text split at spaces. Train with the splitter space / whitespace",
        ),
        (train("a b", recipe="subword-nmt"), "This tokenizer has no merges; subword-nmt reads no codes without one"),
        (made_of((b"a", b" ")), "Codes cannot hold the token ' '"),
        (made_of((b"a", b"\n")), r"Codes cannot hold the token '\\n'"),
        (made_of((b"a", b"\xff")), r"The token '\\xff' is not text"),
        (made_of((b"a", b"bc")), "The part 'bc' of the merge of rank 0 is made by no merge before it"),
        (made_of((b"ab", b"c"), (b"a", b"b")), "The part 'ab' of the merge of rank 0"),
        (made_of(*((b"a" * 2**n, b"a" * 2**n) for n in range(11))), "has 2,048 bytes; a file of codes can hold 1,024"),
    ],
)
def test_what_codes_cannot_hold_is_refused(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "subword-nmt")
    assert not list(tmp_path.iterdir())


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, GOOD.replace("0.2", "0.2.0") + "\n"])
def test_what_makes_no_difference(content: str, tmp_path: Path) -> None:
    assert load(file_with(tmp_path, content)).vocab == load(file_with(tmp_path, GOOD)).vocab


def test_of_a_merge_that_is_there_twice_the_first_counts(tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, GOOD + "l o\n"))
    assert tokenizer.encode("low lower") == load(file_with(tmp_path, GOOD)).encode("low lower")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", r"some\.codes, line 1: '' is no merge; a merge is two tokens and one space"),
        ("#version: 0.2\n", r"some\.codes has no merges"),
        ("#version: 0.3\nl o\n", r"line 1: '#version: 0\.3' is no version of subword-nmt's codes; there are 0\.1 and"),
        ("#version: 0.2 - Trained by\n", r"line 1: '#version: 0\.2 - Trained by' is no version"),
        (GOOD.replace("lo w\n", "lo\n"), "line 4: 'lo' is no merge"),
        (GOOD.replace("lo w\n", "lo w 3\n"), "line 4: 'lo w 3' is no merge"),
        (GOOD.replace("lo w\n", "\n"), "line 4: '' is no merge"),
        (GOOD + "x" * 99, "line 7: 'x{60}…' is no merge"),
        (GOOD + "xy z", "line 7: 'xy' is no character, and no merge before this one makes it"),
        (GOOD.replace("0.2", "0.1"), r"line 3: 'w</w>' is no character"),
        (OLD + "a b</w>", r"line 7: 'b</w>' is no character"),
        ("#version: 0.2\nx </w>\n", r"line 2: '</w>' is no character"),
        (GOOD + "x" * 1024 + " y", "line 7: a token of 1,025 bytes is too long; 1,024 is the most"),
        (GOOD.encode() + b"\xff a", "line 7 is not UTF-8 text"),
    ],
)
def test_damage_is_named(content: str | bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, content))


@pytest.mark.parametrize(
    ("line", "reason"), [(b"a" * 100, "is larger than 8,388,608 bytes"), (b"a b", "has more than 500,000 lines")]
)
def test_a_file_that_is_too_large_is_not_taken_apart(line: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, (line + b"\n") * 500_001))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.codes", tmp_path):
        with pytest.raises(FormatError, match=r"\.codes cannot be read: No such file"):
            load(path, "subword-nmt")


@given(st.data())
def test_no_damage_raises_anything_else(data: st.DataObject) -> None:
    good = data.draw(st.sampled_from([GOOD, OLD])).encode()
    damage = data.draw(st.sampled_from(["cut", "bytes", "flip", "lines"]))
    at = data.draw(st.integers(0, len(good) - 1))
    match damage:
        case "cut":
            damaged = good[:at]
        case "bytes":
            damaged = good[:at] + data.draw(st.binary(max_size=5)) + good[at + data.draw(st.integers(0, 9)) :]
        case "flip":
            damaged = good[:at] + bytes([good[at] ^ 1 << data.draw(st.integers(0, 7))]) + good[at + 1 :]
        case _:
            drawn = st.sampled_from([*good.splitlines(), b"low low", b"</w> </w>", b"9" * 5000 + b" 1", b"#version: 9"])
            damaged = b"\n".join(data.draw(st.lists(drawn, max_size=9)))
    with TemporaryDirectory() as folder, suppress(EngineError):
        load(file_with(Path(folder), damaged)).encode("low lower")
