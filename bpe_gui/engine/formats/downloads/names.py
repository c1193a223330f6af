"""The names of published tokenizers: `hf:owner/name`, `hf:owner/name@revision` and `tiktoken:name`."""

from collections.abc import Callable
from typing import Final

from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.types import Progress

from .download import Download

_HUGGING_FACE: Final = "hf:"
_TIKTOKEN: Final = "tiktoken:"


@checks_arguments(FormatError)
def is_published_name(text: str) -> bool:
    """Return whether a text is meant as the name of a published tokenizer, not as a path.

    >>> list(map(is_published_name, ["hf:openai-community/gpt2", "tiktoken:o200k_base", "my/tokenizer.json"]))
    [True, True, False]
    """
    return text.startswith((_HUGGING_FACE, _TIKTOKEN))


def fetch_published(name: str, progress: Progress | None = None) -> Download:
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
