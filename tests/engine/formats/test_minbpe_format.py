"""Models of minbpe: its own rules give our ids, tokenizers that it cannot represent are refused, damage has a line."""

from pathlib import Path

import pytest

from bpe_gui.engine import PRESETS, SPLITTERS, FormatError, Recipe, Tokenizer, load, save, train
from bpe_gui.engine.formats import minbpe
from tests.engine.support.minbpe_rules import read_model
from tests.engine.support.mixed_text import mixed_text

TEXT = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 \x00\x7f\x85<|e|>low<|pad|>\n \n "
SPECIAL_TOKENS = ["<|e|>", "<|pad|>", "<|e|><|e|>"]
BYTE_VOCAB = {byte: bytes([byte]) for byte in range(256)}
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
GPT4_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
    r"|\s*[\r\n]|\s+(?!\S)|\s+"
)
# Written by minbpe itself for `train("aaabdaaabac", 259)` and one special token.
VALID_MODEL = f"minbpe v1\n{GPT2_PATTERN}\n1\n<|e|> 259\n97 97\n256 97\n257 98\n"


def write_file(folder: Path, content: str | bytes, name: str = "some.model") -> Path:
    """Write a file, and return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def text_of(*lines: str) -> str:
    """Return lines as the text of a file, each with a line feed."""
    return "".join(line + "\n" for line in lines)


# -- round trips --------------------------------------------------------------------------------------------------


def test_a_model_of_minbpe_is_read_and_written_unchanged(tmp_path: Path) -> None:
    tokenizer = load(write_file(tmp_path, VALID_MODEL))
    assert tokenizer.recipe == PRESETS["minbpe"].with_changes(splitter="gpt2")
    assert tokenizer.merges == [(b"a", b"a"), (b"aa", b"a"), (b"aaa", b"b")]
    assert tokenizer.encode("aaabdaaabac<|e|>") == [258, 100, 258, 97, 99, 259]
    model, vocab = save(tokenizer, tmp_path / "again.model", "minbpe")
    assert model.read_text("utf-8") == VALID_MODEL
    assert vocab.name == "again.vocab"


def test_the_vocab_file_for_people(tmp_path: Path) -> None:
    merges = [(b"a", b"\n"), (b"\xe4", b"\xbd")]
    vocab = BYTE_VOCAB | {256 + rank: left + right for rank, (left, right) in enumerate(merges)}
    _model, vocab_file = save(Tokenizer(vocab, merges, {"<e>": 400}), tmp_path, "minbpe")
    lines = vocab_file.read_text("utf-8").split("\n")
    assert lines[10] == "[\\u000a] 10"
    assert lines[97] == "[a] 97"
    assert lines[0xE4] == "[\ufffd] 228"
    assert lines[256:] == ["[a][\\u000a] -> [a\\u000a] 256", "[\ufffd][\ufffd] -> [\ufffd] 257", "[<e>] 400", ""]


@pytest.mark.parametrize("splitter", [*SPLITTERS, GPT4_PATTERN, r"(?s)[ab]+|\s+|."])
@pytest.mark.parametrize("special_tokens", [[], SPECIAL_TOKENS], ids=["no special tokens", "special tokens"])
def test_tokenizers_are_saved_without_loss_and_minbpe_gives_our_ids(
    splitter: str, special_tokens: list[str], tmp_path: Path
) -> None:
    recipe = PRESETS["minbpe"].with_changes(splitter=splitter)
    tokenizer = train(TEXT, recipe=recipe, special_tokens=special_tokens, num_merges=40)
    saved = save(tokenizer, tmp_path / "one", "minbpe")
    again, theirs = load(tmp_path / "one"), read_model(saved[0])
    for attribute in ("vocab", "merges", "special_tokens", "recipe"):
        assert getattr(again, attribute) == getattr(tokenizer, attribute)
    for text in (TEXT, TEXT * 2, mixed_text(5000)):
        assert again.encode(text) == tokenizer.encode(text) == theirs.encode(text)
    for file, second in zip(saved, save(again, tmp_path / "two", "minbpe"), strict=True):
        assert second.read_bytes() == file.read_bytes()


# -- patterns -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "splitter"),
    [
        (GPT2_PATTERN, "gpt2"),
        (GPT4_PATTERN, GPT4_PATTERN),
        ("", "none"),
        *((pattern, name) for name, pattern in SPLITTERS.items()),
        ("space", "(?:space)"),
    ],
)
def test_known_patterns_get_the_name_of_their_splitter(pattern: str, splitter: str, tmp_path: Path) -> None:
    assert load(write_file(tmp_path, text_of("minbpe v1", pattern, "0"))).recipe.splitter == splitter


def test_minbpes_gpt4_pattern_is_not_cl100k(tmp_path: Path) -> None:
    content = text_of("minbpe v1", GPT4_PATTERN, "0", "10 9", "97 98")
    tokenizer = load(write_file(tmp_path, content))
    assert tokenizer.encode("ab\n\t") == read_model(tmp_path / "some.model").encode("ab\n\t") == [257, 10, 9]


# -- tokenizers that are refused ----------------------------------------------------------------------------------


def with_splitter(splitter: str) -> Tokenizer:
    return Tokenizer(BYTE_VOCAB, [], recipe=Recipe(splitter=splitter))


AB_MERGE = (b"a", b"b")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (
            train("low low", recipe="cs336-toy"),
            "A minbpe model merges bytes, but this tokenizer starts from characters",
        ),
        (
            train("low low", recipe=Recipe(splitter="space", boundary="suffix")),
            "A minbpe model has no end-of-word markers",
        ),
        (with_splitter("a\nb|."), r"cannot represent the splitter 'a\\nb\|\.': it must be one line"),
        (with_splitter("a|. "), r"cannot represent the splitter 'a|\. '"),
        (with_splitter("(a)|."), r"Capturing groups \( \) in a regular expression change how minbpe splits"),
        (Tokenizer(BYTE_VOCAB, [], {"a b": 300}), "cannot represent the special token 'a b': it contains whitespace"),
        (Tokenizer(BYTE_VOCAB, [], {"a\n": 300}), r"cannot represent the special token 'a\\n'"),
        (Tokenizer(BYTE_VOCAB, [], {"\u2003": 300}), "cannot represent the special token"),
        (Tokenizer(BYTE_VOCAB, [], {"x" * 1025: 300}), "or has more than 1,024 characters"),
        (
            Tokenizer(BYTE_VOCAB, [], {f"{i}{'x' * 1000}": i for i in range(300, 400)}),
            "have more than 100,000 characters",
        ),
        (Tokenizer(BYTE_VOCAB | {257: b"ab"}, [AB_MERGE]), r"differ at 256, 'ab'\. Train with the recipe minbpe"),
        (Tokenizer(BYTE_VOCAB | {256: b"ab"}, []), "differ at 256, 'ab'"),
        (Tokenizer({0: b"a", 1: b"b", 2: b"ab"}, [AB_MERGE]), "ids are not those of a minbpe model .* differ at 0, '"),
        (Tokenizer(BYTE_VOCAB | {256: b"ab"}, [AB_MERGE, AB_MERGE]), r"cannot represent the merge 'a' 'b' \(rank 1\)"),
        (Tokenizer(BYTE_VOCAB | {256: b"abc", 257: b"ab"}, [(b"ab", b"c"), AB_MERGE]), r"merge 'ab' 'c' \(rank 0\)"),
        (
            train(TEXT, special_tokens=SPECIAL_TOKENS, num_merges=5),
            r"ids are not those of a minbpe model \(0 to 255 for bytes, 256",
        ),
        (train(TEXT, recipe="bbpe", num_merges=5), "ids are not those of a minbpe model"),
        (train(TEXT, recipe="huggingface", num_merges=5), "ids are not those of a minbpe model"),
    ],
)
def test_a_tokenizer_that_minbpe_cannot_represent_is_refused(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "minbpe")
    assert not list(tmp_path.iterdir())


# -- files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_make_no_difference(end: str, tmp_path: Path) -> None:
    tokenizer = load(write_file(tmp_path, "\ufeff" + VALID_MODEL.replace("\n", end)))
    assert tokenizer.merges == load(write_file(tmp_path, VALID_MODEL)).merges


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", r"some\.model is not a minbpe model: its first line is '' instead of 'minbpe v1'"),
        ("\x0a\x0e\x0a\x05<unk>", r"some\.model is not a minbpe model"),
        ("x" * 99, r"first line is 'x{60}…' instead"),
        (VALID_MODEL.encode() + b"\xff", r"line 8 is not valid UTF-8: the byte at offset \d+ cannot be decoded"),
        (text_of("minbpe v1", "(", "0"), r"line 2: The regular expression is not valid at position 1"),
        (text_of("minbpe v1", "(a)", "0"), r"line 2: Capturing groups \( \) in a regular expression"),
        (text_of("minbpe v1", "(?:a{1000}){1000}", "0"), "line 2: .* is too long or repeats its parts"),
        (text_of("minbpe v1", "a" * 10_001, "0"), "line 2: The regular expression is too long"),
        (text_of("minbpe v1", "a{" + "9" * 5000 + "}", "0"), "line 2: The regular expression is too long"),
        (text_of("minbpe v1"), r"line 3: '' is not the number of special tokens"),
        *(
            (text_of("minbpe v1", "", count), "line 3: .* is not the number of special tokens")
            for count in ("1", "-1", "1_0", "²", "9" * 5000, "<|e|> 3")
        ),
        (
            text_of("minbpe v1", "", "1", "<e> 3 4"),
            "line 4: '<e> 3 4' is not a special token and its id, separated by a space",
        ),
        (text_of("minbpe v1", "", "1", "<e> 2147483648"), "line 4: '<e> 2147483648' is not a special token"),
        (text_of("minbpe v1", "", "1", "e" * 1025 + " 300"), "line 4: 'e{60}…' is not a special token"),
        (
            text_of("minbpe v1", "", "100", *(f"{i}{'x' * 1000} {i}" for i in range(300, 400))),
            "line 103: the special tokens up to this line exceed 100,000 characters in total",
        ),
        (text_of("minbpe v1", "", "1", "<e> 256", "97 98"), "line 4: the special token '<e>' or its id 256 is already"),
        (text_of("minbpe v1", "", "1", "a 97"), "line 4: the special token 'a' or its id 97 is already used"),
        (text_of("minbpe v1", "", "2", "a 300", "b 300"), "line 5: the special token 'b' or its id 300"),
        (text_of("minbpe v1", "", "2", "a 300", "a 301"), "line 5: the special token 'a' or its id 301"),
        (
            text_of("minbpe v1", "", "2", "<e 300", "<e> 301"),
            "line 5: minbpe never finds .* '<e>', because it starts with '<e'",
        ),
        *(
            (
                text_of("minbpe v1", "", "0", "97 98", line),
                r"line 5: .* is not a merge\. .* both less than the new id 257",
            )
            for line in ("\n97 99", "97", "97 98 99", "97 98 x", "97 257", "97 -1", "97 1e1", "9" * 5000 + " 1")
        ),
        (text_of("minbpe v1", "", "0", "97 98", "97 98"), r"line 5: the token 'ab' already occurs on line 4"),
        (text_of("minbpe v1", "", "0", "97 97", "256 97", "97 256"), r"line 6: the token 'aaa' already occurs on li"),
    ],
)
def test_damage_is_reported_by_line(content: str | bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(write_file(tmp_path, content), "minbpe")


def test_doubling_tokens_are_refused_before_they_fill_the_memory(tmp_path: Path) -> None:
    doubling = ["97 97", *(f"{256 + rank} {256 + rank}" for rank in range(60))]
    with pytest.raises(FormatError, match=r"line 29: the tokens up to this line exceed 67,108,864 bytes in total"):
        load(write_file(tmp_path, text_of("minbpe v1", "", "0", *doubling)))


def test_tokens_too_large_to_be_read_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minbpe, "_MAX_TOTAL_TOKEN_BYTES", 255)
    with pytest.raises(FormatError, match="more than 255 bytes in total"):
        save(with_splitter("none"), tmp_path, "minbpe")
