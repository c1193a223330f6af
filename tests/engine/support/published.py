"""tiktoken's published encodings, from local files of ranks."""

from importlib import import_module
from pathlib import Path

import pytest
import tiktoken
from tiktoken.load import load_tiktoken_bpe


def ranks_in(file: Path, expected_hash: str | None = None) -> dict[bytes, int]:
    """Return the ranks as tiktoken reads them, without its cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")
        return load_tiktoken_bpe(str(file), expected_hash)


def pattern_of(splitter: str) -> str:
    """Return the pattern that tiktoken ships for a named splitter."""
    shipped = import_module("tiktoken_ext.openai_public")
    if splitter == "gpt2":
        return str(shipped.r50k_pat_str)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "load_tiktoken_bpe", lambda *_args, **_options: {})
        return str(getattr(shipped, f"{splitter}_base")()["pat_str"])


def published_encoding(file: Path) -> tiktoken.Encoding:
    """Return the encoding that tiktoken would download, from the file named after it."""
    shipped = import_module("tiktoken_ext.openai_public")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped, "load_tiktoken_bpe", lambda _url, expected_hash: ranks_in(file, expected_hash))
        return tiktoken.Encoding(**getattr(shipped, file.stem)())
