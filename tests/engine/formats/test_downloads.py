"""Tokenizers are downloaded by name, from local stand-ins for the Hugging Face Hub and tiktoken's registry.

Errors say what is wrong, and nothing is lost.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest
import tiktoken
from huggingface_hub import constants
from tiktoken import registry

from bpe_gui.engine import EngineError, load, save, train
from bpe_gui.engine.formats import cached_tokenizers, downloads, fetch_published
from tests.engine.support.hub_server import Hub, serving

TOKENIZER = train("low lower lowest newest widest " * 3, num_merges=12)
TEXT = "lowest newest"
OTHERS = {"README.md": b"# A model", "model.safetensors": bytes(100)}


def files(folder: Path, format: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in save(TOKENIZER, folder, format)}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    repositories = {
        "me/whole": files(tmp_path / "a", "transformers"),
        "me/parts": files(tmp_path / "b", "gpt2"),
        "single": files(tmp_path / "c", "huggingface"),
        "me/nothing": {},
    }
    with serving(Hub({name: content | OTHERS for name, content in repositories.items()})) as hub:
        template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, hub.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
        monkeypatch.setattr(constants, "DEFAULT_DOWNLOAD_TIMEOUT", 2)
        # As for most users of Windows, who may not make links; Wine claims to have made them.
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_SYMLINKS", os.name == "nt", raising=False)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield hub


def error_of(name: str) -> str:
    with pytest.raises(EngineError) as raised:
        fetch_published(name)
    return str(raised.value)


@pytest.mark.parametrize("name", ["hf:me/whole", "hf:me/parts", "hf:single", "hf:me/whole@main", "hf:me/whole@v1"])
def test_a_tokenizer_is_downloaded_and_read(hub: Hub, name: str) -> None:
    done: list[tuple[int, int]] = []
    found = fetch_published(name, lambda *numbers: done.append(numbers))
    assert load(found.path).encode(TEXT) == TOKENIZER.encode(TEXT)
    assert found.name == name
    assert done == [(number, len(done) - 1) for number in range(len(done))]
    assert not any("safetensors" in request for request in hub.requests)


def test_the_cache_serves_where_there_is_no_connection(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fetch_published("hf:me/parts").path
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert fetch_published("hf:me/parts").path == path
    assert "hf:me/whole is not in the cache, and HF_HUB_OFFLINE forbids" in error_of("hf:me/whole")


def test_a_token_opens_a_private_repository(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.token = "secret"
    assert "If it is private, set HF_TOKEN" in error_of("hf:single")
    monkeypatch.setenv("HF_TOKEN", "wrong")
    assert f"{hub.url} refuses the token in HF_TOKEN" in error_of("hf:single")
    monkeypatch.setenv("HF_TOKEN", "secret")
    assert load(fetch_published("hf:single").path).encode(TEXT) == TOKENIZER.encode(TEXT)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hf:me/missing", "hf:me/missing does not exist on http://127.0.0.1"),
        ("hf:me/whole@v7", "the repository has no such revision"),
        ("hf:me/nothing", "no tokenizer files that bpe-gui can open. Its files are: README.md, model"),
        ("hf:", "hf: is not valid. Write hf:owner/name"),
        ("hf:a/b/c", "hf:a/b/c is not valid"),
        ("hf:../x", "hf:../x is not valid"),
        ("hf:me/whole@", "is not valid"),
    ],
)
def test_a_wrong_name_is_explained(hub: Hub, name: str, message: str) -> None:
    assert message in error_of(name)


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (403, "GatedRepo", "hf:single is gated. Ask for access at http://127.0.0.1"),
        (500, "", "hf:single cannot be downloaded from http://127.0.0.1"),
    ],
)
def test_a_refusal_is_explained(hub: Hub, status: int, code: str, message: str) -> None:
    hub.status, hub.error_code = status, code
    assert message in error_of("hf:single")


def test_a_file_that_ends_too_soon_is_not_taken(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.missing_bytes = 7
    assert "hf:single cannot be downloaded from" in error_of("hf:single")
    hub.missing_bytes = 0
    assert load(fetch_published("hf:single").path).encode(TEXT) == TOKENIZER.encode(TEXT)


def test_a_hub_that_is_not_there(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    message = error_of("hf:single")
    assert "hf:single cannot be downloaded from http://127.0.0.1:9: " in message
    assert message.endswith(". Check the connection and try again, or open a file of the tokenizer instead.")
    assert ".." not in message


def test_what_progress_raises_ends_the_download(hub: Hub) -> None:
    def cancel(done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_published("hf:me/parts", cancel)
    assert load(fetch_published("hf:me/parts").path).encode(TEXT) == TOKENIZER.encode(TEXT)


def test_the_files_that_say_most_are_chosen() -> None:
    choose = downloads._tokenizer_among
    assert choose(["vocab.json", "merges.txt", "tokenizer.json"]) == ["tokenizer.json"]
    assert choose(["vocab.json", "tokenizer.model", "tokenizer_config.json"]) == ["tokenizer.model"]
    assert choose(["x.tiktoken", "original/y.tiktoken"]) == ["x.tiktoken"]
    assert choose(["original/y.tiktoken", "model.gguf"]) == []


# -- tiktoken ----------------------------------------------------------------------------------------------------------

PATTERN = r"\w+|\s+|[^\w\s]+"
RANKS = {bytes([octet]): octet for octet in range(256)} | {b"lo": 256, b"low": 257}
LOW_TEXT = "low lower<end>"


def encoding() -> dict[str, Any]:
    return {"name": "mine", "pat_str": PATTERN, "mergeable_ranks": RANKS, "special_tokens": {"<end>": 300}}


def broken() -> dict[str, Any]:
    raise OSError("no connection\nmore")


@pytest.fixture
def constructors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", {"mine": encoding, "broken": broken})
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_names, **_options: tmp_path)


@pytest.mark.usefixtures("constructors")
def test_an_encoding_is_written_and_read() -> None:
    expected = tiktoken.Encoding(**encoding()).encode(LOW_TEXT, allowed_special="all")
    for _ in range(2):  # the second time, the file is there
        found = fetch_published("tiktoken:mine")
        tokenizer = load(found.path, pattern=found.pattern, special_tokens=found.special_tokens)
        assert tokenizer.encode(LOW_TEXT) == expected
    assert found.path.name == "mine.tiktoken"


@pytest.mark.usefixtures("constructors")
def test_an_unknown_encoding_names_those_that_exist() -> None:
    with pytest.raises(EngineError, match=r"tiktoken has no encoding 'yours'\. Its encodings are broken, mine\."):
        fetch_published("tiktoken:yours")


@pytest.mark.usefixtures("constructors")
def test_a_failure_of_tiktoken_is_explained() -> None:
    with pytest.raises(EngineError, match=r"tiktoken cannot get the encoding broken: no connection$"):
        fetch_published("tiktoken:broken")


def test_the_caches_of_other_programs_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", "HF_HOME", "HF_HUB_CACHE", "LLAMA_CACHE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name, **_options: tmp_path / name)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "tiktoken"))
    assert cached_tokenizers() == []
    cached = {
        "hf:openai-community/gpt2": "huggingface/hub/models--openai-community--gpt2/snapshots/607a/tokenizer.json",
        "small.gguf": "llama.cpp/small.gguf",
        "tiktoken:cl100k_base": "tiktoken/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    }
    for name in cached.values():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert {each.name: each.path.relative_to(tmp_path).as_posix() for each in cached_tokenizers()} == cached
