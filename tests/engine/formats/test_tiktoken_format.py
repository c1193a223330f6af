"""Files of ranks: their merges are recovered, tiktoken gives our ids, damage is reported by line."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer

from bpe_gui.engine import (
    KNOWN_SPLITTERS,
    SPLITTERS,
    AddedToken,
    ByteLevel,
    Digits,
    FormatError,
    Pipeline,
    Recipe,
    RecipeError,
    Split,
    Tokenizer,
    UnicodeForm,
    UnknownPatternError,
    load,
    save,
    train,
)
from bpe_gui.engine.formats import tiktoken as tiktoken_format
from bpe_gui.engine.formats.ranks import recover_merges, splitter_from_pattern, unmerged_tokens
from bpe_gui.engine.formats.tiktoken import PUBLISHED, PublishedRanks
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from tests.engine.support.modes import MODES, running
from tests.examples import examples

TEXT = "low lower lowest 你好 你好世界 naïve 😀😀 don't\n\tthe  the widest newest 123 \x00\x7f\x85<|e|>"
BYTES = [bytes([byte]) for byte in range(256)]


def content(ranks: Mapping[int, bytes]) -> bytes:
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for rank, token in ranks.items())


def ranks_of(*tokens: bytes) -> dict[int, bytes]:
    return dict(enumerate([*BYTES, *tokens]))


def file_with(folder: Path, content: bytes, name: str = "some.tiktoken") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


GOOD = content(ranks_of(b"ab"))


# -- published files ----------------------------------------------------------------------------------------------


def test_published_ranks_are_recognised_by_content_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = PublishedRanks("cl100k", {"<|endoftext|>": 300}, 257, sha256(GOOD).hexdigest())
    monkeypatch.setitem(PUBLISHED, "known", known)
    with_other_line_ends = GOOD.replace(b"\n", b"\r\n")
    for file in (file_with(tmp_path, GOOD), file_with(tmp_path, with_other_line_ends, "known.tiktoken")):
        tokenizer = load(file)
        assert (tokenizer.recipe.splitter, tokenizer.special_tokens) == ("cl100k", {"<|endoftext|>": 300})
        tokenizer = load(file, pattern="gpt2")
        assert (tokenizer.recipe.splitter, tokenizer.special_tokens) == ("gpt2", {"<|endoftext|>": 300})
    with pytest.raises(UnknownPatternError):
        load(file_with(tmp_path, with_other_line_ends))


def test_a_name_alone_is_not_recognised(tmp_path: Path) -> None:
    with pytest.raises(UnknownPatternError):
        load(file_with(tmp_path, content(ranks_of(b"ab")), "cl100k_base.tiktoken"))


def test_the_token_without_bytes_of_whispers_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(GOOD + b"bG8= 257\nbG93 258\n= 259\n")
    # As openai/whisper reads it.
    ranks = {b64decode(token): int(rank) for token, rank in map(str.split, path.read_text("ascii").splitlines())}
    specials = {"<|endoftext|>": len(ranks)}
    theirs = tiktoken.Encoding("w", pat_str=SPLITTERS["gpt2"], mergeable_ranks=ranks, special_tokens=specials)
    ours = load(path, pattern="gpt2", special_tokens=specials)
    text = "low lower\n<|endoftext|> low"
    assert ours.encode(text) == theirs.encode(text, allowed_special="all")
    assert ours.vocab[259] == b""
    assert ours.decode([259, 258, 259]) == theirs.decode([259, 258, 259]) == "low"
    for format_name in ("tiktoken", "huggingface", "gpt2"):
        save(ours, tmp_path / format_name, format_name)
        again = load(tmp_path / format_name, pattern="gpt2" if format_name == "tiktoken" else None)
        assert again.vocab[259] == b"" and again.encode("low low") == ours.encode("low low")
    assert (tmp_path / "tiktoken" / "tokenizer.tiktoken").read_bytes() == path.read_bytes()


def test_ranks_of_unknown_origin_need_a_pattern(tmp_path: Path) -> None:
    file = file_with(tmp_path, GOOD)
    message = (
        f"{file} contains only ranks and does not say how text is split. Set pattern= to the name of a splitter "
        "(gpt2, cl100k, o200k, whitespace, space, zh-en, none) or to a regular expression."
    )
    with pytest.raises(FormatError, match=re.escape(message)):
        load(file)
    with pytest.raises(FormatError, match=re.escape(message)):
        load(file, special_tokens={"<e>": 300})
    tokenizer = load(file, pattern="cl100k")
    assert (tokenizer.recipe.splitter, tokenizer.special_tokens) == ("cl100k", {})


def test_other_formats_take_neither_pattern_nor_special_tokens(tmp_path: Path) -> None:
    save(train(TEXT, num_merges=2), tmp_path, "gpt2")
    message = "has the format gpt2, which includes the pattern and the special tokens"
    with pytest.raises(FormatError, match=message):
        load(tmp_path, pattern="gpt2")
    with pytest.raises(FormatError, match=message):
        load(tmp_path, special_tokens={"<e>": 300})


def test_a_pattern_and_special_tokens_can_be_given(tmp_path: Path) -> None:
    file = file_with(tmp_path, content(ranks_of(b"ab", b"abab")))
    assert load(file, pattern="gpt2").encode("abab ab<e>") == [257, 32, 256, 60, 101, 62]
    assert load(file, pattern="cl100k_base").recipe.splitter == "cl100k"
    tokenizer = load(file, pattern="..|.", special_tokens={"<e>": 300})
    assert tokenizer.encode("abab<e>") == [256, 256, 300]


def test_known_patterns_get_the_name_of_their_splitter(tmp_path: Path) -> None:
    file = file_with(tmp_path, GOOD)
    shipped = import_module("tiktoken_ext.openai_public")
    for pattern, splitter in (
        (shipped.r50k_pat_str, "gpt2"),
        (SPLITTERS["o200k"], "o200k"),
        (SPLITTERS["cl100k"].replace(r"\Z", "$"), "cl100k"),
        (r"a$|.", r"a\Z|."),
    ):
        assert load(file, pattern=pattern).recipe.splitter == splitter
    with pytest.raises(RecipeError, match="is not valid at position 1"):
        load(file, pattern="(")


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_files_are_described_as_in_tiktoken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = import_module("tiktoken_ext.openai_public")
    hashes: list[str] = []
    for reader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(shipped, reader, lambda *_paths, **options: hashes.append(options.get("expected_hash", "")))
    theirs, known = getattr(shipped, name)(), PUBLISHED[name]
    assert known.special_tokens == theirs["special_tokens"]
    assert splitter_from_pattern(theirs["pat_str"]) == known.splitter
    assert hashes in ([known.sha256], [""])  # tiktoken reads gpt2 from other files
    assert theirs.get("explicit_n_vocab", known.rank_count + 1) == known.rank_count + 1


# -- lines --------------------------------------------------------------------------------------------------------


LINES = st.sampled_from(
    (
        *(b"YWI= 256", b"YWJj 257", b"YWJjZA== 300", b"= 301", b"YWI= 2147483647", b"YWI= 2147483648"),
        *(b"YWI= 99999999999", b"YWI= 0300", b"YWI=  300", b"YWI= +300", b"YWI= 3 0", b"YWI=", b" 300", b""),
        *(b"YWJ= 300", b"YW== 300", b"Y=== 300", b"YWI 300", b"YQ=I 300", b"YWI== 300", b"YWJj= 300", b"== 300"),
        *(b"Y\xffI= 300", b"YWI=\t300", b"YWI= 300 ", b"eHl6 " + b"9" * 30),
        *(b64encode(b"x" * size) + b" 400" for size in (1024, 1025)),
    )
)


@given(st.lists(LINES, max_size=3), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_lines_are_read_many_at_a_time_as_one_by_one(lines: list[bytes], line_end: bytes, ends: bool) -> None:
    whole = line_end.join([*content(dict(enumerate(BYTES))).splitlines(), *lines]) + line_end * ends
    for mode in MODES:
        with running(mode):
            plain = tiktoken_format._parse_plain(whole)
        try:
            expected = tiktoken_format._parse_by_line(Path(), whole)
        except FormatError:
            assert plain is None
        else:
            assert plain is None or list(plain.to_dict().items()) == list(expected.items())


def test_plain_lines_are_read_many_at_a_time() -> None:
    whole = GOOD + b"YWJj 257\r\nYWJjZA== 300\n= 301"
    for mode in MODES:
        with running(mode):
            tokens = tiktoken_format._parse_plain(whole)
        assert tokens is not None
        assert tokens.to_dict() == ranks_of(b"ab", b"abc") | {300: b"abcd", 301: b""}


# -- merges from ranks --------------------------------------------------------------------------------------------


@st.composite
def token_lists(draw: st.DrawFn) -> list[bytes]:
    """Draw tokens in any order: most join two others, some of which are missing or come later; some are long."""
    tokens = draw(st.permutations([b"a", b"b", b"c"]))
    for _number in range(draw(st.integers(1, 12))):
        part = st.sampled_from(tokens) | st.text("abc", min_size=1, max_size=3).map(str.encode)
        token = draw(part) + draw(part)
        if token not in tokens and len(token) <= 300:
            tokens.insert(draw(st.integers(0, len(tokens)) | st.just(len(tokens))), token)
    return tokens


@pytest.mark.slow
@given(
    token_lists(), st.lists(st.text("abc", max_size=12), max_size=6), st.sampled_from(["gpt2", r"b?\p{L}{1,5}\Z|a+"])
)
@settings(max_examples=examples(300))
def test_tiktoken_gives_our_ids_whether_merges_make_all_tokens_or_not(
    tokens: list[bytes], words: list[str], pattern: str
) -> None:
    ranked = dict(enumerate(dict.fromkeys([*tokens, *BYTES])))
    special = {"<e>": 500, "ba": 501}
    theirs = tiktoken.Encoding(
        "theirs",
        pat_str=SPLITTERS.get(pattern, pattern).replace(r"\Z", "$"),
        mergeable_ranks={token: rank for rank, token in ranked.items()},
        special_tokens=special,
    )
    with TemporaryDirectory() as folder:
        file = file_with(Path(folder), content(ranked))
        ours = load(file, pattern=pattern, special_tokens=special)
        assert set(unmerged_tokens(ours)) == {
            rank
            for rank, merge in zip(ranks_of_long_tokens(ranked), recover_merges(list(ranked.values())), strict=True)
            if merge is None
        }
        (again,) = save(ours, Path(folder) / "again.tiktoken", "tiktoken")
        assert again.read_bytes() == file.read_bytes()
    for text in (*words, " ".join(words), "<e>".join(words), *(token.decode() for token in tokens)):
        ids = theirs.encode(text, allowed_special="all")
        assert ours.encode(text) == ids
        assert ours.decode_bytes(ids) == theirs.decode_bytes(ids)


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "none", r"\p{L}+"])
def test_tokens_that_no_merge_makes_are_saved_as_tokenizer_json(pattern: str, tmp_path: Path) -> None:
    file = file_with(tmp_path, content(ranks_of(b"ow", b"slow", b" the")))
    ours = load(file, pattern=pattern, special_tokens={"<e>": 300})
    (again,) = save(ours, tmp_path, "huggingface")
    theirs = TheirTokenizer.from_file(str(again))
    for text in ("slow", "slow the<e>slow\n \n ", "ow slow  owslow1234", TEXT):
        assert theirs.encode(text).ids == ours.encode(text) == load(again).encode(text)


def ranks_of_long_tokens(ranks: Mapping[int, bytes]) -> list[int]:
    return [rank for rank, token in ranks.items() if len(token) > 1]


# -- our tokenizers -----------------------------------------------------------------------------------------------


AB, ABAB = (b"a", b"b"), (b"ab", b"ab")


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (train("low low", recipe="cs336-toy"), "tiktoken merges bytes, but this tokenizer starts from characters"),
        (train("low low", recipe=Recipe(splitter="space", boundary="suffix")), "tiktoken has no end-of-word markers"),
        (
            train(TEXT, recipe="bbpe", num_merges=20),
            "cannot be recovered from a tiktoken file, in which the ids give the order",
        ),
        (Tokenizer(ranks_of(b"ab", b"ab"), [AB]), r"The token 'ab' has two ids, 256 and 257"),
        (Tokenizer(ranks_of(b"ab"), [AB], ["a"]), r"The byte 'a' has no id of its own"),
        (Tokenizer(ranks_of(b"abab", b"ab"), [AB, ABAB]), r"The merge 'ab' 'ab' \(rank 1\) cannot be recovered"),
        (Tokenizer(ranks_of(b"cd", b"ab"), [AB, (b"c", b"d")]), r"The merge 'c' 'd' \(rank 1\) cannot be recovered"),
        (Tokenizer(ranks_of(b"ab"), []), "tiktoken would merge 'a' and 'b' into the token 'ab'"),
        (
            Tokenizer(ranks_of(b"a" * 1025), []),
            r"has 1,025 bytes, but tokens in a tiktoken file can have at most 1,024",
        ),
    ],
)
def test_a_tokenizer_that_ranks_cannot_represent_is_refused(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "tiktoken")
    assert not list(tmp_path.iterdir())


LOW, SPLIT = SPLITTERS["gpt2"], Split(SPLITTERS["gpt2"], "isolated")
RANKED = ranks_of(b"lo", b"ow", b"low", b" low", b"er", b"slow", b"lower", b"xyz")


def like_llama_3(merges: list[tuple[bytes, bytes]], **steps: Any) -> Tokenizer:
    """Return a tokenizer with steps as in published files, which list all ways to divide a token as merges."""
    usual: dict[str, Any] = {
        "added_tokens": (AddedToken(id=300, content="<b>"),),
        "pre_tokenizers": (SPLIT, ByteLevel()),
        "model": ModelOptions(is_byte_level=True, ignores_merges=True),
        "decoders": (ByteLevelDecoder(),),
        "ids_before": (300,),
    }
    return Tokenizer(RANKED, merges, {"<b>": 300}, pipeline=Pipeline(**(usual | steps)))


ALL_MERGES = [
    *((b"l", b"o"), (b"o", b"w"), (b"l", b"ow"), (b"lo", b"w"), (b" ", b"low"), (b"e", b"r"), (b"s", b"low")),
    *((b"low", b"er"), (b"lo", b"wer")),
]


def test_merges_in_the_order_of_ranks_give_the_ids_of_tiktoken(tmp_path: Path) -> None:
    """Although several merges make a token, one token is a whole word, and ids come before a text."""
    ours = like_llama_3(ALL_MERGES)
    (file,) = save(ours, tmp_path, "tiktoken")
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, file.read_bytes().splitlines())}
    theirs = tiktoken.Encoding("some", pat_str=LOW, mergeable_ranks=ranks, special_tokens={"<b>": 300})
    for text in (TEXT, "slow slower lowowlo", "lowlowlower wlow<b>low", "xyz xyzxyz\nxyz"):
        assert [300, *theirs.encode(text, allowed_special="all")] == ours.encode(text)


@pytest.mark.parametrize(
    ("tokenizer", "reason"),
    [
        (like_llama_3(ALL_MERGES[1:-1]), "tiktoken would merge 'l' and 'o' into the token 'lo'"),
        (like_llama_3(ALL_MERGES[:-1], model=ModelOptions(is_byte_level=True)), "No merge creates the token 'xyz'"),
        (like_llama_3([], normalizers=(UnicodeForm("NFC"),)), r"changes it first \(NFC\)"),
        (
            like_llama_3([], pre_tokenizers=(Digits(), SPLIT, ByteLevel())),
            r"in other steps \(Digits, Split, ByteLevel\)",
        ),
        (like_llama_3([], pre_tokenizers=(SPLIT, ByteLevel(use_regex=True))), "in other steps"),
        (like_llama_3([], pre_tokenizers=(ByteLevel(add_prefix_space=True),)), "puts a space before it"),
        (like_llama_3([], added_tokens=(AddedToken(id=300, content="<b>", lstrip=True),)), "'<b>' takes white space"),
        (like_llama_3([], model=ModelOptions(is_byte_level=True, suffix="</w>")), "end-of-word markers"),
        (like_llama_3([], model=ModelOptions(is_byte_level=True, suffix="@@")), "this tokenizer adds '@@'"),
        (like_llama_3([], model=ModelOptions(), pre_tokenizers=()), "starts from characters"),
    ],
)
def test_the_step_that_tiktoken_lacks_is_named(tokenizer: Tokenizer, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        save(tokenizer, tmp_path, "tiktoken")


def test_a_special_token_may_have_the_bytes_of_a_merged_token(tmp_path: Path) -> None:
    (file,) = save(Tokenizer(ranks_of(b"ab", b"ab"), [AB], {"ab": 257}), tmp_path, "tiktoken")
    assert file.read_bytes() == GOOD


# -- damage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", r"some\.tiktoken: the byte '\\x00' has no rank. Each of the 256 bytes needs one"),
        (GOOD.replace(b"YQ== 97\n", b""), r"the byte 'a' has no rank"),
        (GOOD + b"YWJh\n", r"line 258: 'YWJh' is not a token and its rank\. A line must contain a token in Base64,"),
        (GOOD + b" 257\n", "line 258: ' 257' is not a token and its rank"),
        (GOOD + b"YWJh 257 1\n", "line 258: 'YWJh 257 1' is not a token and its rank"),
        (GOOD + b"YWJ 257\n", "line 258: 'YWJ 257' is not a token and its rank"),
        (GOOD + b"Y*Jh 257\n", r"line 258: 'Y\*Jh 257' is not a token and its rank"),
        (GOOD + b"==== 257\n", "line 258: '==== 257' is not a token and its rank"),
        (GOOD + b"\xff\xfe 257\n", "line 258: '.*xff.*xfe 257' is not a token and its rank"),
        *(
            (GOOD + b"YWJh %s\n" % rank, "line 258: .* is not a token and its rank")
            for rank in (b"-1", b"2.5", b"1_0", b"2147483648")
        ),
        (GOOD + b"YWJh " + b"9" * 5000, "line 258: 'YWJh 9{55}…' is not a token and its rank"),
        (
            GOOD + b64encode(b"a" * 1025) + b" 257\n",
            "line 258: a token of 1,025 bytes is too long. The limit is 1,024 bytes",
        ),
        (b"\n" + GOOD + b"\r\nYWI= 257", r"line 260: the token 'ab' already occurs on line 258"),
        (GOOD + b"YWJh 256", "line 258: the rank 256 is already used on line 257"),
    ],
)
def test_damage_is_reported_by_line(content: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=reason):
        load(file_with(tmp_path, content))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiktoken_format, "MAX_BYTES", len(GOOD) - 1)
    with pytest.raises(FormatError, match=r"is larger than 2,2\d\d bytes"):
        load(file_with(tmp_path, GOOD))


def test_the_name_of_a_models_splitter_is_its_expression(tmp_path: Path) -> None:
    (path,) = save(train("low 1234", recipe="tiktoken", num_merges=2), tmp_path / "a.tiktoken", "tiktoken")
    by_name, by_expression = load(path, pattern="llama3"), load(path, pattern=KNOWN_SPLITTERS["llama3"])
    assert by_name.encode("low 1234") == by_expression.encode("low 1234") != []
    assert by_name.decode(by_name.encode("low 1234")) == "low 1234"
