"""Files of ranks: the merges in them are found, tiktoken reads ours, damage is named by line."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import (
    PRESETS,
    SPLITTERS,
    EngineError,
    FormatError,
    Recipe,
    RecipeError,
    Tokenizer,
    load,
    save,
    train,
)
from bpe_gui.engine.formats import ranks as ranks_module
from bpe_gui.engine.formats import tiktoken as tiktoken_format
from bpe_gui.engine.formats.ranks import named, recovered, unexplained
from bpe_gui.engine.formats.tiktoken import PUBLISHED, published

from tests.engine.support.modes import running
from tests.engine.support.published import published_encoding, ranks_in
from tests.engine.support.strategies import any_text, corpora, recipes, special_tokens

TEXT = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 \x00\x7f\x85<|e|>"
BYTES = [bytes([byte]) for byte in range(256)]
ANY_BYTES = r"(?s:.+)"


def written(ranks: Mapping[int, bytes]) -> bytes:
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in ranks.items())


def ranks_of(*tokens: bytes) -> dict[int, bytes]:
    return dict(enumerate([*BYTES, *tokens]))


def file_with(folder: Path, content: bytes, name: str = "some.tiktoken") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


GOOD = written(ranks_of(b"ab"))


# -- published files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base"])
def test_published_ranks_are_read_and_written_as_they_are(
    name: str, shared_data: Callable[[str], Path], tmp_path: Path
) -> None:
    file = shared_data(f"{name}.tiktoken")
    theirs = published_encoding(file)
    ours = load(file)
    assert ours.special_tokens == {token: theirs.encode_single_token(token) for token in theirs.special_tokens_set}
    assert len(ours.merges) == len(ranks_in(file)) - 256
    text = shared_data("naughty-strings.txt").read_text() + "<|endoftext|>" + TEXT
    assert ours.encode(text) == theirs.encode(text, allowed_special="all")
    (again,) = save(ours, tmp_path, "tiktoken")
    assert again.read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", ["r50k_base", "cl100k_base"])
def test_every_line_of_every_text_has_tiktokens_ids(name: str, shared_data: Callable[[str], Path]) -> None:
    file = shared_data(f"{name}.tiktoken")
    ours, theirs = load(file), published_encoding(file)
    special = list(ours.special_tokens)
    for text in ("taylorswift.txt", "tinyshakespeare.txt", "naughty-strings.txt", "corpus.en", "README.md"):
        lines = shared_data(text).read_text("utf-8").splitlines(keepends=True)
        lines += ["".join(lines), special[0].join(lines[:50]), *(line + special[-1] for line in lines[:200])]
        with running("compiled"):
            ids = ours.encode_batch(lines)
        assert ids == theirs.encode_batch(lines, num_threads=1, allowed_special="all")


def test_published_ranks_are_known_by_what_they_are_or_are_called(
    shared_data: Callable[[str], Path], tmp_path: Path
) -> None:
    content = shared_data("r50k_base.tiktoken").read_bytes()
    with_other_line_ends = content.replace(b"\n", b"\r\n")
    assert load(file_with(tmp_path, content)).special_tokens == {"<|endoftext|>": 50256}
    assert load(file_with(tmp_path, with_other_line_ends, "r50k_base.tiktoken")).special_tokens
    assert not load(file_with(tmp_path, with_other_line_ends)).special_tokens


def test_a_name_alone_does_not_make_ranks_known(tmp_path: Path) -> None:
    tokenizer = load(file_with(tmp_path, written(ranks_of(b"ab")), "cl100k_base.tiktoken"))
    assert (tokenizer.recipe.splitter, tokenizer.special_tokens) == ("gpt2", {})


def test_what_the_file_does_not_say_can_be_said(tmp_path: Path) -> None:
    file = file_with(tmp_path, written(ranks_of(b"ab", b"abab")))
    assert load(file).encode("abab ab<e>") == [257, 32, 256, 60, 101, 62]
    tokenizer = tiktoken_format.load(file, pattern="..|.", special_tokens={"<e>": 300})
    assert tokenizer.encode("abab<e>") == [256, 256, 300]


def test_patterns_are_those_of_recipes_and_known_ones_have_their_names(tmp_path: Path) -> None:
    file = file_with(tmp_path, GOOD)
    shipped = import_module("tiktoken_ext.openai_public")
    for pattern, splitter in (
        (shipped.r50k_pat_str, "gpt2"),
        (SPLITTERS["o200k"], "o200k"),
        (SPLITTERS["cl100k"].replace(r"\Z", "$"), "cl100k"),
        (r"a$|.", r"a$|."),
    ):
        assert tiktoken_format.load(file, pattern=pattern).recipe.splitter == splitter
    with pytest.raises(RecipeError, match="is wrong at position 1"):
        tiktoken_format.load(file, pattern="(")


def test_what_is_known_of_a_file_can_be_asked(shared_data: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("r50k_base", "cl100k_base"):
        known = published(shared_data(f"{name}.tiktoken"))
        assert known == PUBLISHED[name]
    assert published(file_with(tmp_path, GOOD)) is None


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_known_is_what_tiktoken_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = import_module("tiktoken_ext.openai_public")
    hashes: list[str] = []
    for reader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(
            shipped, reader, lambda *_places, **options: hashes.append(options.get("expected_hash", ""))
        )
    theirs, known = getattr(shipped, name)(), PUBLISHED[name]
    assert known.special_tokens == theirs["special_tokens"]
    assert named(theirs["pat_str"]) == known.splitter
    assert hashes in ([known.sha256], [""])  # those of gpt2 are in other files
    assert theirs.get("explicit_n_vocab", known.ranks + 1) == known.ranks + 1


# -- merges from ranks --------------------------------------------------------------------------------------------


def naively_merged(token: bytes, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes] | None:
    """The last two parts of a token, if merging by the ranks leads to it."""
    parts = [token[at : at + 1] for at in range(len(token))]
    last = None
    while pairs := [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
        at = min(pairs)[1]
        last = parts[at], parts[at + 1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return last if len(parts) == 1 else None


@st.composite
def token_lists(draw: st.DrawFn) -> list[bytes]:
    """Tokens in any order: most are of two others; some of those are not there, or come later, and some are long."""
    tokens = draw(st.permutations([b"a", b"b", b"c"]))
    for _number in range(draw(st.integers(1, 12))):
        part = st.sampled_from(tokens) | st.text("abc", min_size=1, max_size=3).map(str.encode)
        token = draw(part) + draw(part)
        if token not in tokens and len(token) <= 300:
            tokens.insert(draw(st.integers(0, len(tokens)) | st.just(len(tokens))), token)
    return tokens


@given(token_lists(), st.sampled_from([64, 2]))
@settings(max_examples=300)
def test_merges_are_what_merging_by_ranks_comes_to(tokens: list[bytes], short: int) -> None:
    ranks = {token: rank for rank, token in enumerate(tokens)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranks_module, "_SHORT", short)
        found = list(recovered(tokens))
    assert found == [naively_merged(token, ranks) for token in tokens if len(token) > 1]


@given(
    token_lists(), st.lists(st.text("abc", max_size=12), max_size=6), st.sampled_from(["gpt2", r"b?\p{L}{1,5}\Z|a+"])
)
@settings(max_examples=300)
def test_ids_are_tiktokens_whether_merges_explain_the_ranks_or_not(
    tokens: list[bytes], words: list[str], pattern: str
) -> None:
    every = dict(enumerate(dict.fromkeys([*tokens, *BYTES])))
    special = {"<e>": 500, "ba": 501}
    theirs = tiktoken.Encoding(
        "theirs",
        pat_str=SPLITTERS.get(pattern, pattern).replace(r"\Z", "$"),
        mergeable_ranks={token: rank for rank, token in every.items()},
        special_tokens=special,
    )
    with TemporaryDirectory() as folder:
        file = file_with(Path(folder), written(every))
        ours = tiktoken_format.load(file, pattern=pattern, special_tokens=special)
        assert set(unexplained(ours)) == {
            rank for rank, merge in zip(long_ones(every), recovered(list(every.values())), strict=True) if merge is None
        }
        (again,) = save(ours, Path(folder) / "again.tiktoken", "tiktoken")
        assert again.read_bytes() == file.read_bytes()
    for text in (*words, " ".join(words), "<e>".join(words), *(token.decode() for token in tokens)):
        ids = theirs.encode(text, allowed_special="all")
        assert ours.encode(text) == ids
        assert ours.decode_bytes(ids) == theirs.decode_bytes(ids)


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "none", r"\p{L}+"])
def test_tokenizer_json_holds_ranks_that_no_merges_explain(pattern: str, tmp_path: Path) -> None:
    file = file_with(tmp_path, written(ranks_of(b"ow", b"slow", b" the")))
    ours = tiktoken_format.load(file, pattern=pattern, special_tokens={"<e>": 300})
    (again,) = save(ours, tmp_path, "huggingface")
    theirs = TheirTokenizer.from_file(str(again))
    for text in ("slow", "slow the<e>slow\n \n ", "ow slow  owslow1234", TEXT):
        assert theirs.encode(text).ids == ours.encode(text) == load(again).encode(text)


def long_ones(ranks: Mapping[int, bytes]) -> list[int]:
    return [rank for rank, token in ranks.items() if len(token) > 1]


# -- our tokenizers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cs336", "minbpe", "tiktoken", "huggingface"])
def test_tokenizers_survive(name: str, tmp_path: Path) -> None:
    tokenizer = train(TEXT, recipe=name, special_tokens=["<|e|>", "<|pad|>"], num_merges=40)
    (file,) = save(tokenizer, tmp_path / "one.tiktoken", "tiktoken")
    again = load(file)
    assert again.merges == tokenizer.merges
    assert again.special_tokens == {}
    assert tokenizer.vocab == again.vocab | {i: token.encode() for token, i in tokenizer.special_tokens.items()}
    (second,) = save(again, tmp_path / "two.tiktoken", "tiktoken")
    assert second.read_bytes() == file.read_bytes()


@given(corpora, recipes(), special_tokens)
@settings(max_examples=100)
def test_every_recipe_survives_or_is_refused(text: str, recipe: Recipe, specials: list[str]) -> None:
    with TemporaryDirectory() as folder:
        try:
            tokenizer = train(text, recipe=recipe, special_tokens=specials, num_merges=20)
            save(tokenizer, Path(folder), "tiktoken")
        except EngineError:
            assert not list(Path(folder).iterdir())
            return
        again = load(folder)
        assert again.merges == tokenizer.merges
        assert again.vocab.items() <= tokenizer.vocab.items()


@given(corpora, any_text)
@settings(max_examples=60)
def test_tiktoken_gives_our_ids(corpus: str, text: str) -> None:
    recipe = PRESETS["tiktoken"].with_changes(splitter="none")
    tokenizer = train(corpus + " low low", recipe=recipe, num_merges=30)
    with TemporaryDirectory() as folder:
        (file,) = save(tokenizer, Path(folder), "tiktoken")
        theirs = tiktoken.Encoding("ours", pat_str=ANY_BYTES, mergeable_ranks=ranks_in(file), special_tokens={})
        for each in (corpus, text, corpus + text):
            assert theirs.encode_ordinary(each) == tokenizer.encode(each)


AB, ABAB = (b"a", b"b"), (b"ab", b"ab")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (train("low low", recipe="cs336-toy"), "Ranks are of bytes; this tokenizer begins with characters"),
        (train("low low", recipe=Recipe(splitter="space", boundary="suffix")), "Ranks know no end-of-word markers"),
        (train(TEXT, recipe="bbpe", num_merges=20), "would not be found again: in a file of ranks, ids are the order"),
        (Tokenizer(ranks_of(b"ab", b"ab"), [AB]), r"The token 'ab' has two ids, 256 and 257"),
        (Tokenizer(ranks_of(b"ab"), [AB], ["a"]), r"The byte 'a' has no id of its own"),
        (Tokenizer(ranks_of(b"abab", b"ab"), [AB, ABAB]), r"The merge 'a' 'b', of rank 0, would not be found"),
        (Tokenizer(ranks_of(b"cd", b"ab"), [AB, (b"c", b"d")]), r"The merge 'a' 'b', of rank 0, would not be found"),
        (Tokenizer(ranks_of(b"ab"), [AB, AB]), r"The merge 'a' 'b', of rank 1, would not be found"),
        (Tokenizer(ranks_of(b"ab"), []), r"The merge 'a' 'b', of rank 0, would not be found"),
        (Tokenizer(ranks_of(b"a" * 1025), []), r"has 1,025 bytes; a file of ranks can hold 1,024"),
    ],
)
def test_what_ranks_cannot_hold_is_refused(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "tiktoken")
    assert not list(tmp_path.iterdir())


def test_a_special_token_may_be_what_a_merge_makes(tmp_path: Path) -> None:
    (file,) = save(Tokenizer(ranks_of(b"ab", b"ab"), [AB], {"ab": 257}), tmp_path, "tiktoken")
    assert file.read_bytes() == GOOD


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", r"some\.tiktoken: the byte '\\x00' has no rank; each of the 256 bytes needs one"),
        (GOOD.replace(b"YQ== 97\n", b""), r"the byte 'a' has no rank"),
        (GOOD + b"YWJh\n", r"line 258: 'YWJh' is no rank; a line is a token in base64, a space, a whole number"),
        (GOOD + b"YWJh 257 1\n", "line 258: 'YWJh 257 1' is no rank"),
        (GOOD + b"YWJ 257\n", "line 258: 'YWJ 257' is no rank"),
        (GOOD + b"Y*Jh 257\n", r"line 258: 'Y\*Jh 257' is no rank"),
        (GOOD + b"==== 257\n", "line 258: '==== 257' is no rank"),
        (GOOD + b"\xff\xfe 257\n", "line 258: '.*xff.*xfe 257' is no rank"),
        *((GOOD + b"YWJh %s\n" % rank, "line 258: .* is no rank") for rank in (b"-1", b"2.5", b"1_0", b"2147483648")),
        (GOOD + b"YWJh " + b"9" * 5000, "line 258: 'YWJh 9{55}…' is no rank"),
        (GOOD + b64encode(b"a" * 1025) + b" 257\n", "line 258: a token of 1,025 bytes is too long; 1,024 is the most"),
        (b"\n" + GOOD + b"\r\nYWI= 257", r"line 260: the token 'ab' is there already, in line 258"),
        (GOOD + b"YWJh 256", "line 258: the rank 256 is there already, in line 257"),
    ],
)
def test_damage_is_named(content: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, content))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken_format, "MOST_BYTES", len(GOOD) - 1)
    with pytest.raises(FormatError, match=r"is larger than 2,2\d\d bytes"):
        load(file_with(tmp_path, GOOD))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path, name in ((tmp_path / "none.tiktoken", "tiktoken"), (tmp_path, "tiktoken")):
        with pytest.raises(FormatError, match=r"\.tiktoken cannot be read: No such file"):
            load(path, name)


@given(st.data())
def test_no_damage_raises_anything_else(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GOOD)))
    damaged = GOOD[:at] + data.draw(st.binary(max_size=5)) + GOOD[at + data.draw(st.integers(0, 20)) :]
    with TemporaryDirectory() as folder, suppress(FormatError):
        load(file_with(Path(folder), damaged)).encode("abab")
