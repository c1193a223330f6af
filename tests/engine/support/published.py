"""tiktoken's own encodings, from files of ranks that are here already."""

from importlib import import_module
from pathlib import Path

import pytest
import tiktoken
from tiktoken.load import load_tiktoken_bpe


def ranks_in(file: Path, expected_hash: str | None = None) -> dict[bytes, int]:
    """The ranks as tiktoken reads them, without keeping a copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        return load_tiktoken_bpe(str(file), expected_hash)


def published_encoding(file: Path) -> tiktoken.Encoding:
    """What tiktoken would download, from the file that has its name."""
    shipped = import_module("tiktoken_ext.openai_public")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "load_tiktoken_bpe", lambda _url, expected_hash: ranks_in(file, expected_hash))
        return tiktoken.Encoding(**getattr(shipped, file.stem)())
