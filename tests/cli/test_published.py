"""Commands take the names of published tokenizers wherever they take a path."""

from base64 import b64encode
from pathlib import Path

import pytest

from bpe_gui.engine import EngineError, Progress, load
from bpe_gui.engine.formats.downloads import Download

from .conftest import Run


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, byte_tokenizer: Path, tmp_path: Path) -> Path:
    """Publish a tokenizer as `hf:me/mine`, and ranks with a pattern as `tiktoken:mine`; return the first one's path."""
    ranks = tmp_path / "mine.tiktoken"
    tokens = [*(bytes([octet]) for octet in range(256)), b"lo", b"low"]
    ranks.write_text("".join(f"{b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens)))
    downloads = {
        "hf:me/mine": Download("hf:me/mine", byte_tokenizer),
        "tiktoken:mine": Download("tiktoken:mine", ranks, r"\w+|\W", {"<end>": 300}),
    }

    def download(name: str, progress: Progress) -> Download:
        progress(0, 1)
        if name not in downloads:
            raise EngineError("{name} does not exist.", name=name)
        return downloads[name]

    monkeypatch.setattr("bpe_gui.engine.formats.downloads.fetch_published", download)
    return byte_tokenizer


def test_a_name_is_as_good_as_a_path(run: Run, published: Path, tmp_path: Path) -> None:
    expected = " ".join(map(str, load(published).encode("low lowest")))
    assert run("encode", "-t", "hf:me/mine", stdin=b"low lowest").output.decode().strip() == expected
    assert run("inspect", "hf:me/mine").output == run("inspect", published).output
    assert run("convert", "hf:me/mine", tmp_path / "mine.json", "--format", "huggingface").status == 0
    assert run("compare", "hf:me/mine", published).status == 0


def test_an_encoding_brings_its_pattern_and_special_tokens(run: Run, published: Path) -> None:
    result = run("encode", "-t", "tiktoken:mine", stdin=b"low<end>")
    assert (result.output.decode().split(), result.messages) == (["257", "300"], "")


def test_a_name_that_does_not_exist(run: Run, published: Path) -> None:
    result = run("inspect", "hf:me/yours")
    assert result.status == 2
    assert "hf:me/yours does not exist." in result.messages
