"""Tokenizers are downloaded by name, from local stand-ins for the Hugging Face Hub and tiktoken's registry.

Errors say what is wrong, and nothing is lost.
"""

import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import platformdirs
import pytest
import requests
import tiktoken
from huggingface_hub import constants, scan_cache_dir, try_to_load_from_cache
from tiktoken import registry

from bpe_gui.engine import DownloadError, EngineError, load, save, train
from bpe_gui.engine.formats import downloads
from bpe_gui.engine.formats import tiktoken as rank_files
from bpe_gui.engine.formats.downloads import Download, cached_tokenizers, completed, fetch_published
from tests.engine.support.hub_server import Hub, serving

TOKENIZER = train("low lower lowest newest widest " * 3, num_merges=12)
TEXT = "lowest newest"
VARIABLES = (
    "TIKTOKEN_CACHE_DIR",
    "DATA_GYM_CACHE_DIR",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HUGGINGFACE_HUB_CACHE",
    "LLAMA_CACHE",
)
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
    assert load(found.path).encode(TEXT) == load(name).encode(TEXT) == TOKENIZER.encode(TEXT)
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
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)  # between five attempts
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
    assert choose(["vocab.json", "tokenizer.model", "README.md"]) == ["tokenizer.model"]
    beside = ["tokenizer_config.json", "added_tokens.json", "additional_chat_templates/rag.jinja", "config.json"]
    assert choose([*beside, "spiece.model", "model.safetensors", "x/config.json"]) == ["spiece.model", *beside]
    assert choose(["x.tiktoken", "original/y.tiktoken"]) == ["x.tiktoken"]
    assert choose(["original/y.tiktoken", "model.gguf"]) == []


# -- tiktoken ----------------------------------------------------------------------------------------------------------

PATTERN = r"\w+|\s+|[^\w\s]+"
RANKS = {bytes([octet]): octet for octet in range(256)} | {b"lo": 256, b"low": 257}
LOW_TEXT = "low lower<end>"


def encoding() -> dict[str, Any]:
    return {"name": "mine", "pat_str": PATTERN, "mergeable_ranks": RANKS, "special_tokens": {"<end>": 300}}


def broken() -> dict[str, Any]:
    raise OSError("disk full\nmore")


def unreachable() -> dict[str, Any]:
    requests.get("http://127.0.0.1:9", timeout=5)  # nothing listens there
    raise AssertionError


@pytest.fixture
def constructors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", {"mine": encoding, "broken": broken, "far": unreachable})
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_names, **_options: tmp_path)


@pytest.mark.usefixtures("constructors")
def test_an_encoding_is_written_and_read() -> None:
    expected = tiktoken.Encoding(**encoding()).encode(LOW_TEXT, allowed_special="all")
    for _ in range(2):  # the second time, the file is there
        found = fetch_published("tiktoken:mine")
        tokenizer = load(found.path, pattern=found.pattern, special_tokens=found.special_tokens)
        assert tokenizer.encode(LOW_TEXT) == load("tiktoken:mine").encode(LOW_TEXT) == expected
    assert load("tiktoken:mine", pattern=".").encode("lo") == [108, 111]
    assert found.path.name == "mine.tiktoken"


@pytest.mark.usefixtures("constructors")
def test_an_unknown_encoding_names_those_that_exist() -> None:
    with pytest.raises(EngineError, match=r"tiktoken has no encoding 'yours'\. Its encodings are broken, far, mine\."):
        fetch_published("tiktoken:yours")


@pytest.mark.usefixtures("constructors")
def test_a_failure_of_tiktoken_is_explained() -> None:
    with pytest.raises(EngineError, match=r"tiktoken cannot get the encoding broken: disk full$"):
        fetch_published("tiktoken:broken")
    with pytest.raises(DownloadError, match=r"The encoding far cannot be downloaded.* open far\.tiktoken instead"):
        fetch_published("tiktoken:far")


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of all caches, which are empty."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name, **_options: tmp_path / name)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def cached(folder: Path) -> dict[str, str]:
    return {each.name: each.path.relative_to(folder).as_posix() for each in cached_tokenizers()}


def snapshot(hub: Path, repository: str, revision: str, *names: str) -> str:
    """Make a revision as huggingface_hub does: links to blobs, and `main` if it is the first. Return its folder.

    On Windows, where links need a privilege, it has the files themselves.
    """
    model = hub / f"models--{repository.replace('/', '--')}"
    for name in names:
        blob, link = model / "blobs" / f"{revision}{name}", model / "snapshots" / revision / name
        for path in (blob, link, model / "refs" / "main"):
            path.parent.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            link.touch()
        else:
            blob.touch()
            link.symlink_to(blob)
    if not (model / "refs" / "main").exists():
        (model / "refs" / "main").write_text(revision, "utf-8")
    return f"{model.name}/snapshots/{revision}"


def test_every_tokenizer_in_the_hub_s_cache_is_listed(caches: Path) -> None:
    hub = caches / "huggingface" / "hub"
    two, old = "2" * 40, "1" * 40
    main = snapshot(hub, "openai-community/gpt2", two, "config.json", "tokenizer.json")
    snapshot(hub, "openai-community/gpt2", old, "tokenizer.json")
    parts = snapshot(hub, "me/parts", two, "vocab.json", "merges.txt", "config.json")
    piece = snapshot(hub, "me/piece", two, "tokenizer.model")
    tekken = snapshot(hub, "me/tekken", two, "tekken.json", "params.json")
    gguf = snapshot(hub, "me/many-GGUF", two, "many-00001-of-00002.gguf", "many-00002-of-00002.gguf", "a-mmproj.gguf")
    snapshot(hub, "me/weights", two, "model.safetensors")
    broken = snapshot(hub, "me/broken", two, "tokenizer.json")
    (hub / broken / "tokenizer.json").resolve().unlink()
    (hub / "models--me--file").touch()
    assert cached(hub) == {
        "hf:me/many-GGUF": f"{gguf}/many-00001-of-00002.gguf",
        "hf:me/parts": parts,
        "hf:me/piece": f"{piece}/tokenizer.model",
        "hf:me/tekken": f"{tekken}/tekken.json",
        "hf:openai-community/gpt2": main,
    }
    # The package finds the same files in the same places.
    repositories = {f"hf:{each.repo_id}" for each in scan_cache_dir(hub).repos}
    assert set(cached(hub)) <= repositories
    for name, file in (("openai-community/gpt2", "tokenizer.json"), ("me/parts", "merges.txt")):
        assert try_to_load_from_cache(name, file, cache_dir=hub) == str(hub / snapshot(hub, name, two) / file)


@pytest.mark.parametrize(
    ("variable", "hub"), [("HF_HOME", "other/hub"), ("HF_HUB_CACHE", "other"), ("HUGGINGFACE_HUB_CACHE", "other")]
)
def test_the_hub_s_cache_is_where_the_environment_says(
    caches: Path, monkeypatch: pytest.MonkeyPatch, variable: str, hub: str
) -> None:
    snapshot(caches / hub, "me/mine", "1" * 40, "tokenizer.json")
    assert cached(caches) == {}
    monkeypatch.setenv("PLACE", str(caches))
    monkeypatch.setenv(variable, os.path.join("$PLACE", "other"))  # noqa: PTH118 (as a user writes it)
    assert list(cached(caches)) == ["hf:me/mine"]


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", ""])
def test_what_tiktoken_has_cached_is_listed(caches: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    if variable:
        monkeypatch.setenv(variable, str(caches / "data-gym-cache"))
    (caches / "data-gym-cache").mkdir()
    # tiktoken puts its own files into the cache here.
    monkeypatch.setattr("tiktoken.load.read_file", lambda _address: b"IQ== 0\n")
    monkeypatch.setattr("tiktoken.load.check_hash", lambda *_args: True)
    shipped = import_module("tiktoken_ext.openai_public")
    names = ["cl100k_base", "gpt2", "o200k_base", "p50k_base", "r50k_base"]
    for name in names:
        with suppress(ValueError):  # the files of GPT-2 are in another format
            getattr(shipped, name)()
    assert list(cached(caches)) == [f"tiktoken:{name}" for name in names]
    (caches / cached(caches)["tiktoken:gpt2"]).unlink()
    assert "tiktoken:gpt2" not in cached(caches)  # of whose two files one is left
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")  # turns its cache off
    assert cached(caches) == {}


def test_what_llama_cpp_has_cached_is_listed(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("llama.cpp", "other"):
        (caches / folder).mkdir()
        for name in ("small.gguf", "small.gguf.json", "mmproj-small.gguf", "big-00001-of-00002.gguf"):
            (caches / folder / name).touch()
    expected = ["big-00001-of-00002.gguf", "small.gguf"]
    assert cached(caches) == {name: f"llama.cpp/{name}" for name in expected}
    monkeypatch.setenv("LLAMA_CACHE", str(caches / "other"))
    assert cached(caches) == {name: f"other/{name}" for name in expected}


def test_caches_that_cannot_be_read_are_left_out(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (caches / "file").touch()
    for variable in VARIABLES:
        monkeypatch.setenv(variable, str(caches / "file"))
    assert cached_tokenizers() == []
    monkeypatch.setenv("HF_HUB_CACHE", "~nobody-of-this-name/hub")
    assert cached_tokenizers() == []


def test_a_cached_encoding_gets_the_rest_from_tiktoken_and_others_have_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    complete = Download("tiktoken:mine", tmp_path, "x", {})
    monkeypatch.setattr(downloads, "fetch_published", lambda name: complete if name == complete.name else None)
    assert completed(Download(complete.name, tmp_path)) is complete
    for found in (complete, Download("hf:me/mine", tmp_path), Download("small.gguf", tmp_path)):
        assert completed(found) is found


def test_cached_ranks_of_openai_are_read_without_tiktoken(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    monkeypatch.setattr(downloads, "find_spec", lambda _name: None)
    ranks = rank_files.contents(train("low", num_merges=0), caches / "x")[caches / "x"].encode()
    known = rank_files.PUBLISHED["cl100k_base"]._replace(sha256=hashlib.sha256(ranks).hexdigest())
    monkeypatch.setitem(rank_files.PUBLISHED, "cl100k_base", known)
    (caches / "digest").write_bytes(ranks)
    found = completed(Download("tiktoken:cl100k_base", caches / "digest"))
    tokenizer = load(found.path, pattern=found.pattern, special_tokens=found.special_tokens)
    assert (tokenizer.recipe.splitter, tokenizer.special_tokens) == ("cl100k", known.special_tokens)
    (caches / "data-gym-cache").mkdir()
    for files in downloads._ENCODING_FILES.values():
        for file in files:
            digest = hashlib.sha1((downloads._BLOBS + file).encode()).hexdigest()
            (caches / "data-gym-cache" / digest).touch()
    assert "tiktoken:r50k_base" in cached(caches)
    assert "tiktoken:gpt2" not in cached(caches)
    with pytest.raises(EngineError, match="tiktoken is not installed"):  # to download what is not as published
        completed(Download("tiktoken:o200k_base", caches / "digest"))
