"""`tekken.json`: ids are those of mistral-common's rules and tiktoken; damage is reported by its location."""

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
from bpe_gui.engine import load as load_tokenizer
from bpe_gui.engine.formats import ranks
from bpe_gui.engine.formats.ranks import unmerged_tokens
from bpe_gui.engine.opening import recognise
from tests.engine.support.huggingface_samples import sample_json
from tests.engine.support.strategies import any_text
from tests.examples import examples

BYTES = [bytes([byte]) for byte in range(256)]
# The pattern of published files.
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEXT = "low lower lowest 你好 naïve 😀😀 don't\n\tthe  the WidestCase 123  \n "


def content(tokens: list[bytes], *, special: list[str] | None = None, used: int | None = None, **config: Any) -> Any:
    """Return the JSON of a file with these tokens after the bytes, and 30 ids for special tokens."""
    all_tokens = [*BYTES, *tokens]
    vocab = [
        {"rank": rank, "token_bytes": b64encode(token).decode(), "token_str": token.decode(errors="replace")}
        for rank, token in enumerate(all_tokens)
    ]
    settings = {
        "pattern": PATTERN,
        "num_vocab_tokens": len(all_tokens),
        "default_vocab_size": 30 + (len(all_tokens) if used is None else used),
        "default_num_special_tokens": 30,
        "version": "v3" if special is None else "v13",
    }
    result = {"config": settings | config, "vocab": vocab, "image": {"max_image_size": 1024}}
    if special is not None:
        names = [{"rank": rank, "token_str": name, "is_control": True} for rank, name in enumerate(special)]
        result["special_tokens"] = names
    return result


def load(folder: Path, root: Any) -> Tokenizer:
    file = folder / "tekken.json"
    file.write_text(root if isinstance(root, str) else json.dumps(root), "utf-8")
    return load_tokenizer(folder, "tekken")


def encode_by_the_rules(root: Any) -> Callable[[str], list[int]]:
    """Return a function that encodes as mistral-common does: by tiktoken, with the special tokens' ids first."""
    config = root["config"]
    special = config["default_num_special_tokens"]
    used = root["vocab"][: config["default_vocab_size"] - special]
    ranks = {decode_token(entry): entry["rank"] for entry in used}
    encoding = tiktoken.Encoding("tekken", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})
    return lambda text: [rank + special for rank in encoding.encode_ordinary(text)]


def decode_token(entry: Mapping[str, str]) -> bytes:
    return b64decode(entry["token_bytes"])


def trained_tokens() -> list[bytes]:
    tokenizer = train(TEXT * 2, recipe="tiktoken", num_merges=60)
    return [left + right for left, right in tokenizer.merges]


# -- good files ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(any_text)
@settings(max_examples=examples(60))
def test_ids_are_those_of_mistral_common(text: str) -> None:
    root = content(trained_tokens(), used=256 + 40)
    with TemporaryDirectory() as folder:
        tokenizer = load(Path(folder), root)
    assume(not any(token in text for token in tokenizer.special_tokens))  # Hypothesis also tries strings from this file
    assert len(tokenizer.merges) == 40
    assert tokenizer.recipe.splitter == PATTERN
    for each in (text, TEXT + text):
        assert tokenizer.encode(each) == encode_by_the_rules(root)(each)


@pytest.mark.slow
@given(
    st.lists(st.text("abc", min_size=2, max_size=5).map(str.encode), unique=True, max_size=8),
    st.text("abc ", max_size=20),
)
@settings(max_examples=examples(60))
def test_tokens_that_no_merge_makes_have_the_same_ids(tokens: list[bytes], text: str) -> None:
    root = content(tokens)
    with TemporaryDirectory() as folder:
        tokenizer = load(Path(folder), root)
    assert tokenizer.encode(text) == encode_by_the_rules(root)(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_a_token_that_no_merge_makes_stands_for_a_whole_word(tmp_path: Path) -> None:
    tokenizer = load(tmp_path, content([b"ab", b"slow"]))
    assert unmerged_tokens(tokenizer) == {30 + 257: b"slow"}
    assert tokenizer.tokenize("slow slow") == [b"slow", b" ", b"s", b"l", b"o", b"w"]


def test_special_tokens_have_the_first_ids(tmp_path: Path) -> None:
    default = load(tmp_path, content([])).special_tokens
    assert (default["<unk>"], default["[INST]"], default["[TOOL_CONTENT]"], default["<SPECIAL_20>"]) == (0, 3, 19, 20)
    assert len(default) == 30
    named = load(tmp_path, content([], special=["<s>", "<|你|>"]))
    assert named.special_tokens == {"<s>": 0, "<|你|>": 1} | {f"<SPECIAL_{number}>": number for number in range(2, 30)}
    assert named.encode("a<|你|>") == [30 + 97, 1]


def test_patterns_are_translated_from_rust(tmp_path: Path) -> None:
    known = load(
        tmp_path, content([], pattern=r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    )
    assert known.recipe.splitter == "gpt2"
    assert load(tmp_path, content([], pattern=r"[$\]$]+$|a\z|\$")).recipe.splitter == r"[$\]$]+\Z|a\z|\$"


# -- damage -------------------------------------------------------------------------------------------------------


def changed(*path: str | int, value: Any) -> Any:
    """Return the JSON of a good file with another value at `path`; None removes the value."""
    root = content([b"ab"], special=["<s>"])
    container = root
    for name in path[:-1]:
        container = container[name]
    if value is None:
        del container[path[-1]]
    else:
        container[path[-1]] = value
    return root


@pytest.mark.parametrize(
    ("root", "reason"),
    [
        ("", "this is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "config must be a JSON object, not None"),
        (changed("config", "pattern", value=3), r"config\.pattern must be a string, not 3"),
        (changed("config", "pattern", value="("), r"config\.pattern: The regular expression is not valid at"),
        (changed("config", "pattern", value=r"a\K"), r"config\.pattern: .*“\\K” at position 1"),
        (changed("config", "default_vocab_size", value=285), "must be an integer from 286 to "),
        (changed("config", "default_vocab_size", value=288), "vocab has 257 tokens, but config requires 258"),
        (changed("config", "default_vocab_size", value=10**9), "must be an integer from"),
        (changed("config", "default_num_special_tokens", value=10**9), "must be an integer from 0 to"),
        (changed("config", "default_num_special_tokens", value=0), r"special_tokens must have at most 0 values, not 1"),
        (changed("special_tokens", value=None), "a file of version 'v13' must contain special_tokens"),
        (changed("special_tokens", 0, "rank", value=1), r"special_tokens\[0\].rank must be an integer from 0 to 0"),
        (changed("special_tokens", 0, "token_str", value="<SPECIAL_9>"), "two special tokens are identical"),
        (changed("special_tokens", 0, "token_str", value="x" * 200_001), "have more than 200,000 characters"),
        (changed("special_tokens", 0, "token_str", value=""), "is empty"),
        (changed("vocab", value={}), "vocab must be a list"),
        (changed("vocab", 256, value=[]), r"vocab\[256\] must be a JSON object"),
        (changed("vocab", 256, "rank", value=7), r"vocab\[256\].rank must be an integer from 256 to 256"),
        (changed("vocab", 256, "token_bytes", value="YWI"), r"vocab\[256\].token_bytes must be a token .* not 'YWI'"),
        (changed("vocab", 256, "token_bytes", value=""), "must be a token of 1 to 1,024 bytes"),
        (changed("vocab", 256, "token_bytes", value="é"), "must be a token of 1 to 1,024 bytes"),
        (
            changed("vocab", 256, "token_bytes", value=b64encode(b"a" * 1025).decode()),
            "must be a token of 1 to 1,024 bytes",
        ),
        (changed("vocab", 256, "token_bytes", value="YQ=="), r"vocab\[256\] is 'a', which already has the rank 97"),
        (
            changed("vocab", 97, "token_bytes", value="Yg=="),
            r"vocab\[97\] is 'b', but the first 256 tokens must be the bytes",
        ),
    ],
)
def test_damage_is_reported_by_location(root: Any, reason: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=reason):
        load(tmp_path, root)


def test_tokens_that_are_too_many_bytes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MAX_TOTAL_TOKEN_BYTES", 1_000)
    with pytest.raises(FormatError, match="have more than 1,000 bytes in total"):
        load(tmp_path, content([b"a" * 1_000]))


def test_a_file_is_recognised_by_its_contents(tmp_path: Path) -> None:
    load(tmp_path, content([b"ab"]))
    assert recognise(tmp_path) == recognise(tmp_path / "tekken.json") == "tekken"
    assert recognise((tmp_path / "tekken.json").rename(tmp_path / "mistral.json")) == "tekken"
    (tmp_path / "tekken-as-tokenizer.json").write_text(sample_json("bytes"), "utf-8")
    assert recognise(tmp_path / "tekken-as-tokenizer.json") == "huggingface"
