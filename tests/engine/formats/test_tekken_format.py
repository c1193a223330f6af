"""`tekken.json`: ids are what its rules and tiktoken give, what is left out is filled in, damage is named."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import tiktoken
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bpe_gui.engine import EngineError, FormatError, Tokenizer, train
from bpe_gui.engine.formats import recognised, tekken
from bpe_gui.engine.formats.ranks import unexplained

from tests.engine.support.strategies import any_text

BYTES = [bytes([byte]) for byte in range(256)]
# What published files have.
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEXT = "low lower lowest 你好 naïve 😀😀 don't\n\tthe  the WidestCase 123  \n "


def content(tokens: list[bytes], *, special: list[str] | None = None, used: int | None = None, **config: Any) -> Any:
    """A file of these tokens after the bytes, with 30 places for special tokens."""
    every = [*BYTES, *tokens]
    vocab = [
        {"rank": rank, "token_bytes": b64encode(token).decode(), "token_str": token.decode(errors="replace")}
        for rank, token in enumerate(every)
    ]
    settings = {
        "pattern": PATTERN,
        "num_vocab_tokens": len(every),
        "default_vocab_size": 30 + (len(every) if used is None else used),
        "default_num_special_tokens": 30,
        "version": "v3" if special is None else "v13",
    }
    result = {"config": settings | config, "vocab": vocab, "image": {"max_image_size": 1024}}
    if special is not None:
        names = [{"rank": rank, "token_str": name, "is_control": True} for rank, name in enumerate(special)]
        result["special_tokens"] = names
    return result


def load(folder: Path, what: Any) -> Tokenizer:
    file = folder / "tekken.json"
    file.write_text(what if isinstance(what, str) else json.dumps(what), "utf-8")
    return tekken.load(folder)


def by_the_rules(what: Any) -> Callable[[str], list[int]]:
    """Encoding as mistral-common does it: the ranks of tiktoken, with the special tokens before them."""
    config = what["config"]
    special = config["default_num_special_tokens"]
    used = what["vocab"][: config["default_vocab_size"] - special]
    ranks = {b64decoded(entry): entry["rank"] for entry in used}
    encoding = tiktoken.Encoding("tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})
    return lambda text: [rank + special for rank in encoding.encode_ordinary(text)]


def b64decoded(entry: Mapping[str, str]) -> bytes:
    return b64decode(entry["token_bytes"])


def trained_tokens() -> list[bytes]:
    tokenizer = train(TEXT * 2, recipe="tiktoken", num_merges=60)
    return [left + right for left, right in tokenizer.merges]


# -- good files ---------------------------------------------------------------------------------------------------


@given(any_text)
@settings(max_examples=60)
def test_ids_are_those_of_the_rules(text: str) -> None:
    what = content(trained_tokens(), used=256 + 40)
    with TemporaryDirectory() as folder:
        tokenizer = load(Path(folder), what)
    assume(not any(token in text for token in tokenizer.special_tokens))  # strings of this file are tried, too
    assert len(tokenizer.merges) == 40
    assert tokenizer.recipe.splitter == PATTERN
    for each in (text, TEXT + text):
        assert tokenizer.encode(each) == by_the_rules(what)(each)


@given(
    st.lists(st.text("abc", min_size=2, max_size=5).map(str.encode), unique=True, max_size=8),
    st.text("abc ", max_size=20),
)
@settings(max_examples=60)
def test_ranks_that_no_merges_explain_work_too(tokens: list[bytes], text: str) -> None:
    what = content(tokens)
    with TemporaryDirectory() as folder:
        tokenizer = load(Path(folder), what)
    assert tokenizer.encode(text) == by_the_rules(what)(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_a_token_that_no_merge_makes_is_a_whole_word(tmp_path: Path) -> None:
    tokenizer = load(tmp_path, content([b"ab", b"slow"]))
    assert unexplained(tokenizer) == {30 + 257: b"slow"}
    assert tokenizer.tokenize("slow slow") == [b"slow", b" ", b"s", b"l", b"o", b"w"]


def test_special_tokens_have_the_first_ids(tmp_path: Path) -> None:
    first = load(tmp_path, content([])).special_tokens
    assert (first["<unk>"], first["[INST]"], first["[TOOL_CONTENT]"], first["<SPECIAL_20>"]) == (0, 3, 19, 20)
    assert len(first) == 30
    own = load(tmp_path, content([], special=["<s>", "<|你|>"]))
    assert own.special_tokens == {"<s>": 0, "<|你|>": 1} | {f"<SPECIAL_{number}>": number for number in range(2, 30)}
    assert own.encode("a<|你|>") == [30 + 97, 1]


def test_patterns_are_rusts(tmp_path: Path) -> None:
    known = load(
        tmp_path, content([], pattern=r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    )
    assert known.recipe.splitter == "gpt2"
    assert load(tmp_path, content([], pattern=r"[$\]$]+$|a\z|\$")).recipe.splitter == r"[$\]$]+\Z|a\Z|\$"


# -- damage -------------------------------------------------------------------------------------------------------


def changed(*path: str | int, value: Any) -> Any:
    """A good file with another value at a place; None takes it away."""
    what = content([b"ab"], special=["<s>"])
    place = what
    for name in path[:-1]:
        place = place[name]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return what


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("", "this is not JSON"),
        ("[" * 100_000, "no JSON that can be read"),
        ("[]", "must be a JSON object"),
        ("{}", "config must be a JSON object, not None"),
        (changed("config", "pattern", value=3), r"config\.pattern must be a text, not 3"),
        (changed("config", "pattern", value="("), r"config\.pattern: The splitter's regular expression is wrong at"),
        (
            changed("config", "pattern", value="[a&&b]"),
            r"config\.pattern: By '&&', a regular expression of tiktoken means",
        ),
        (changed("config", "pattern", value="[a[b]]"), r"config\.pattern: A set \[ \] inside a set"),
        (changed("config", "pattern", value="[[:alpha:]$]"), r"A set \[ \] inside a set"),
        (changed("config", "pattern", value=r"a\Z"), "of tiktoken means something else"),
        (changed("config", "default_vocab_size", value=285), "must be a whole number from 286 to "),
        (changed("config", "default_vocab_size", value=288), "vocab has 257 tokens; its sizes ask for 258"),
        (changed("config", "default_vocab_size", value=10**9), "must be a whole number from"),
        (changed("config", "default_num_special_tokens", value=10**9), "must be a whole number from 0 to"),
        (
            changed("config", "default_num_special_tokens", value=0),
            r"special_tokens has 1 values; there may be up to 0",
        ),
        (changed("special_tokens", value=None), "a file of version 'v13' needs special_tokens"),
        (changed("special_tokens", 0, "rank", value=1), r"special_tokens\[0\].rank must be a whole number from 0 to 0"),
        (changed("special_tokens", 0, "token_str", value="<SPECIAL_9>"), "two special tokens are the same"),
        (changed("special_tokens", 0, "token_str", value="x" * 200_001), "have more than 200,000 characters"),
        (changed("special_tokens", 0, "token_str", value=""), "is empty"),
        (changed("vocab", value={}), "vocab must be a list"),
        (changed("vocab", 256, value=[]), r"vocab\[256\] must be a JSON object"),
        (changed("vocab", 256, "rank", value=7), r"vocab\[256\].rank must be a whole number from 256 to 256"),
        (changed("vocab", 256, "token_bytes", value="YWI"), r"vocab\[256\].token_bytes, 'YWI', is no token"),
        (changed("vocab", 256, "token_bytes", value=""), "is no token of up to 1,024 bytes"),
        (changed("vocab", 256, "token_bytes", value="é"), "is no token of up to 1,024 bytes"),
        (
            changed("vocab", 256, "token_bytes", value=b64encode(b"a" * 1025).decode()),
            "is no token of up to 1,024 bytes",
        ),
        (changed("vocab", 256, "token_bytes", value="YQ=="), r"vocab\[256\] is 'a', which has the rank 97 already"),
        (changed("vocab", 97, "token_bytes", value="Yg=="), r"vocab\[97\] is 'b'; the first tokens are the bytes"),
        (content([b"a" * 1000 + b"%d" % number for number in range(2000)]), "have more than 2,000,000 bytes together"),
    ],
)
def test_damage_is_named(what: Any, reason: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=reason):
        load(tmp_path, what)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"tekken\.json cannot be read: No such file"):
        tekken.load(tmp_path)


def test_it_is_known_by_its_name(tmp_path: Path) -> None:
    load(tmp_path, content([b"ab"]))
    assert recognised(tmp_path) == recognised(tmp_path / "tekken.json") == "tekken"
    assert recognised((tmp_path / "tekken.json").rename(tmp_path / "tekken_240911.json")) == "tekken"
