"""The names of published tokenizers: `hf:owner/name`, `hf:owner/name@revision` and `tiktoken:name`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.progress import Progress

_HUGGING_FACE: Final = "hf:"
_TIKTOKEN: Final = "tiktoken:"


@dataclass(frozen=True, slots=True)
class Download:
    """A tokenizer that is on this computer now: its file or folder, which `load` reads.

    `pattern` and `special_tokens` are known for files of ranks, which do not have them.
    """

    name: str
    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None


def is_name(text: str) -> bool:
    """Return whether a text is meant as the name of a published tokenizer, not as a path.

    >>> is_name("hf:openai-community/gpt2"), is_name("tiktoken:o200k_base"), is_name("my/tokenizer.json")
    (True, True, False)
    """
    return text.startswith((_HUGGING_FACE, _TIKTOKEN))


def fetch(name: str, progress: Progress | None = None) -> Download:
    """Download a published tokenizer, unless it is in the cache, and return where it is.

    `progress` is called with the number of files that are there and of all; what it raises ends the download. Raise
    EngineError for a name that is not valid, if the package that downloads it is not installed, and if it cannot be
    downloaded.
    """
    report: Callable[[int, int], None] = progress or (lambda _done, _total: None)
    if name.startswith(_TIKTOKEN):
        from .tiktoken_encodings import fetch_encoding

        return fetch_encoding(name, name.removeprefix(_TIKTOKEN), report)
    from .hugging_face import fetch_repository

    return fetch_repository(name, name.removeprefix(_HUGGING_FACE), report)
