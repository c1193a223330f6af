"""Encodings of tiktoken's registry are got by name and written as ranks; the registry here needs no network."""

from pathlib import Path
from typing import Any

import platformdirs
import pytest
import tiktoken
from tiktoken import registry

from bpe_gui.engine import EngineError, load
from bpe_gui.engine.formats import fetch_published

PATTERN = r"\w+|\s+|[^\w\s]+"
RANKS = {bytes([octet]): octet for octet in range(256)} | {b"lo": 256, b"low": 257}
TEXT = "low lower<end>"


def encoding() -> dict[str, Any]:
    return {"name": "mine", "pat_str": PATTERN, "mergeable_ranks": RANKS, "special_tokens": {"<end>": 300}}


def broken() -> dict[str, Any]:
    raise OSError("no connection\nmore")


@pytest.fixture(autouse=True)
def constructors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", {"mine": encoding, "broken": broken})
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_names, **_options: tmp_path)


def test_an_encoding_is_written_and_read() -> None:
    expected = tiktoken.Encoding(**encoding()).encode(TEXT, allowed_special="all")
    for _ in range(2):  # the second time, the file is there
        found = fetch_published("tiktoken:mine")
        tokenizer = load(found.path, pattern=found.pattern, special_tokens=found.special_tokens)
        assert tokenizer.encode(TEXT) == expected
    assert found.path.name == "mine.tiktoken"


def test_an_unknown_encoding_names_those_that_exist() -> None:
    with pytest.raises(EngineError, match=r"tiktoken has no encoding 'yours'\. Its encodings are broken, mine\."):
        fetch_published("tiktoken:yours")


def test_a_failure_of_tiktoken_is_explained() -> None:
    with pytest.raises(EngineError, match=r"tiktoken cannot get the encoding broken: no connection$"):
        fetch_published("tiktoken:broken")
