"""Get the tokenizer of a model on the Hugging Face Hub, through the package huggingface_hub.

So the cache, `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE` and the rest are what they are for every program that uses it.
Only the files of the tokenizer are downloaded.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.types import Progress

from .download import Download

_NAME: Final = re.compile(r"(?P<repository>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[\w./-]+))?")

_CHOICES: Final[Sequence[tuple[tuple[str, ...], tuple[str, ...]]]] = (
    (("tokenizer.json",), ("tokenizer_config.json", "special_tokens_map.json")),
    (("vocab.json", "merges.txt"), ()),
    (("tekken.json",), ()),
    (("tokenizer.model",), ()),
    (("spiece.model",), ()),
)
"""The files of a tokenizer, and those beside them if they are there. The first choice says most."""

_RANKS: Final = ".tiktoken"
_UNAUTHORIZED: Final = 401
_SERVER_ERROR: Final = 500
_SHOWN_FILES: Final = 10
_FOLDER_FILES: Final = 2  # from so many files on, a tokenizer is its folder
_logger: Final = logging.getLogger(__name__)


def fetch_repository(name: str, text: str, progress: Progress) -> Download:
    """Download the tokenizer `text`, a repository with or without a revision. Raise EngineError as `fetch` does."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise _not_valid(name)
    repository, revision = match["repository"], match["revision"]
    hub = _package()
    with _explaining(hub, name):
        files = _files(hub, repository, revision)
    wanted = _tokenizer_among(files)
    if not wanted:
        raise EngineError(
            _("EngineError", "{name} contains no tokenizer files that bpe-gui can open. Its files are: {files}."),
            name=name,
            files=tuple(sorted(files)[:_SHOWN_FILES]) or "–",
        )
    paths: list[Path] = []
    for done, file in enumerate(wanted):
        progress(done, len(wanted))
        with _explaining(hub, name):
            paths.append(Path(hub.hf_hub_download(repository, file, revision=revision)))
    progress(len(wanted), len(wanted))
    return Download(name, paths[0].parent if len(wanted) >= _FOLDER_FILES else paths[0])


def _package() -> Any:
    try:
        import huggingface_hub.constants
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise EngineError(
            _(
                "EngineError",
                "The package huggingface_hub is not installed. To install it, run `pip install huggingface_hub`.",
            )
        ) from error
    hub: Any = huggingface_hub
    hub.utils.disable_progress_bars()
    return hub


def _files(hub: Any, repository: str, revision: str | None) -> list[str]:
    """Return the names of the files in a repository; if the hub does not answer, of those in the cache."""
    try:
        # Listing the files instead would try again for half a minute where there is no connection.
        siblings = hub.HfApi().model_info(repository, revision=revision).siblings
        return [sibling.rfilename for sibling in siblings or ()]
    except Exception as error:  # which ones a broken connection raises depends on the package's version
        found = [] if _is_answer(error) else _cached_files(hub, repository, revision)
        if not found:
            raise
        return found


def _is_answer(error: Exception) -> bool:
    """Return whether an error is what the hub answered, about the repository or the user."""
    response = getattr(error, "response", None)
    return response is not None and response.status_code < _SERVER_ERROR


def _cached_files(hub: Any, repository: str, revision: str | None) -> list[str]:
    names = [name for required, optional in _CHOICES for name in (*required, *optional)]
    return [name for name in names if isinstance(hub.try_to_load_from_cache(repository, name, revision=revision), str)]


def _tokenizer_among(files: Sequence[str]) -> list[str]:
    """Return the files of the tokenizer among those of a repository, the most telling one first; nothing if none is."""
    for required, optional in _CHOICES:
        if all(file in files for file in required):
            return [*required, *(file for file in optional if file in files)]
    return [file for file in files if file.endswith(_RANKS) and "/" not in file][:1]


@contextmanager
def _explaining(hub: Any, name: str) -> Iterator[None]:
    """Turn whatever huggingface_hub raises into an EngineError that says what to do."""
    try:
        yield
    except Exception as error:
        _logger.info("%s: %s", name, error)
        raise _explained(hub, name, error) from error


def _explained(hub: Any, name: str, error: Exception) -> EngineError:
    errors, response, endpoint = hub.errors, getattr(error, "response", None), hub.constants.ENDPOINT
    if isinstance(error, errors.HFValidationError):
        return _not_valid(name)
    if isinstance(error, errors.GatedRepoError):
        return EngineError(
            _("EngineError", "{name} is gated. Ask for access at {endpoint}, then set HF_TOKEN to your token."),
            name=name,
            endpoint=endpoint,
        )
    if isinstance(error, errors.RevisionNotFoundError):
        return EngineError(
            _("EngineError", "{name} does not exist on {endpoint}: the repository has no such revision."),
            name=name,
            endpoint=endpoint,
        )
    if isinstance(error, errors.RepositoryNotFoundError):
        return EngineError(
            _(
                "EngineError",
                "{name} does not exist on {endpoint}, or it is private. If it is private, set HF_TOKEN to your token.",
            ),
            name=name,
            endpoint=endpoint,
        )
    if response is not None and response.status_code == _UNAUTHORIZED:
        return EngineError(
            _("EngineError", "{endpoint} refuses the token in HF_TOKEN, so {name} cannot be downloaded."),
            name=name,
            endpoint=endpoint,
        )
    if isinstance(error, errors.OfflineModeIsEnabled):
        return EngineError(
            _("EngineError", "{name} is not in the cache, and HF_HUB_OFFLINE forbids downloading it."), name=name
        )
    return EngineError(
        _(
            "EngineError",
            "{name} cannot be downloaded from {endpoint}: {reason}. Check the connection and try again, or open a file "
            "of the tokenizer instead.",
        ),
        name=name,
        endpoint=endpoint,
        reason=str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__,
    )


def _not_valid(name: str) -> EngineError:
    return EngineError(
        _("EngineError", "{name} is not valid. Write hf:owner/name or hf:owner/name@revision."), name=name
    )
