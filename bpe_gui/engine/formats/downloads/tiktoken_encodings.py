"""Get an encoding of tiktoken's registry, OpenAI's and those of installed plugins, as a file of ranks."""

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import write_files
from bpe_gui.engine.runtime.types import Progress

from .download import Download


def fetch_encoding(name: str, encoding: str, progress: Progress) -> Download:
    """Have tiktoken download an encoding, unless it has it, and write its ranks. Raise EngineError as `fetch` does."""
    progress(0, 1)
    constructors = _constructors()
    if encoding not in constructors:
        raise EngineError(
            _("EngineError", "tiktoken has no encoding {encoding!r}. Its encodings are {names}."),
            encoding=encoding,
            names=tuple(sorted(constructors)),
        )
    try:
        parts = constructors[encoding]()
    except Exception as error:  # tiktoken downloads through requests, and plugins do what they like
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise EngineError(
            _("EngineError", "tiktoken cannot get the encoding {encoding}: {reason}"), encoding=encoding, reason=reason
        ) from error
    path = user_cache_path("bpe-gui", appauthor=False) / "tiktoken" / f"{encoding}.tiktoken"
    content = _ranks_file(parts["mergeable_ranks"])
    if not _has_content(path, content):
        write_files({path: content})
    progress(1, 1)
    return Download(name, path, parts["pat_str"], parts["special_tokens"])


def _constructors() -> Mapping[str, Any]:
    try:
        import tiktoken
        from tiktoken import registry
    except ImportError as error:
        raise EngineError(
            _("EngineError", "The package tiktoken is not installed. To install it, run `pip install tiktoken`.")
        ) from error
    tiktoken.list_encoding_names()  # which fills the registry
    return registry.ENCODING_CONSTRUCTORS or {}


def _ranks_file(ranks: Mapping[bytes, int]) -> str:
    lines = (f"{b64encode(token).decode()} {rank}\n" for token, rank in sorted(ranks.items(), key=lambda item: item[1]))
    return "".join(lines)


def _has_content(path: Path, content: str) -> bool:
    try:
        return path.read_text(encoding="ascii") == content
    except (OSError, ValueError):
        return False
