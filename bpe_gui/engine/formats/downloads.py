"""Get published tokenizers by name, over the network, only when asked to.

`hf:owner/name` is the tokenizer of a model on the Hugging Face Hub, downloaded with the package huggingface_hub. So the
cache, `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE` and the rest work as in every program that uses it. Only the files of
the tokenizer are downloaded. `tiktoken:name` is an encoding in tiktoken's registry, by OpenAI or an installed plugin,
as a file of ranks.
"""

import hashlib
import logging
import os
import re
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import DownloadError, EngineError, how_to_install
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import read_bytes, write_files
from bpe_gui.engine.runtime.types import Progress, no_progress

from .files import HUGGING_FACE, MAX_BYTES, TIKTOKEN, is_published_name


@dataclass(frozen=True, slots=True)
class Download:
    """A tokenizer that is now on this computer: its file or folder, for `load`.

    `pattern` and `special_tokens` are set for files of ranks, which lack them.
    """

    name: str
    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None


_MODELS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("gpt-2", "gpt2"), "gpt2"),
    **dict.fromkeys(("gpt-3.5", "gpt-4", "cl100k"), "cl100k_base"),
    **dict.fromkeys(("gpt-4o", "gpt-4.1", "gpt-5", "o200k"), "o200k_base"),
}


def to_published_name(text: str) -> str | None:
    """Return the published name that a text stands for: such a name, an OpenAI model or encoding. None: nothing known.

    Without tiktoken, which knows all models, only the best known are understood.

    >>> list(map(to_published_name, ["hf:me/mine", "GPT-4", "me/mine"]))
    ['hf:me/mine', 'tiktoken:cl100k_base', None]
    """
    if is_published_name(text):
        return text
    model = text.lower()
    encoding = _MODELS.get(model) or (model if model in _ENCODING_FILES else _encoding_of(model))
    return None if encoding is None else TIKTOKEN + encoding


def gets_encodings() -> bool:
    """Return whether tiktoken is installed, without which OpenAI's encodings cannot be opened by name."""
    return find_spec("tiktoken") is not None


def _encoding_of(model: str) -> str | None:
    try:
        from tiktoken.model import encoding_name_for_model

        return encoding_name_for_model(model)
    except (ImportError, KeyError):
        return None


def fetch_published(name: str, progress: Progress = no_progress) -> Download:
    """Download a published tokenizer, unless it is in the cache, and return where it is.

    `progress` is called with the number of files so far and in total; what it raises ends the download. Raise
    EngineError if the name is not valid, the package that downloads it is not installed, or the download fails.
    """
    if name.startswith(TIKTOKEN):
        return _fetch_encoding(name, name.removeprefix(TIKTOKEN), progress)
    return _fetch_repository(name, name.removeprefix(HUGGING_FACE), progress)


# -- the Hugging Face Hub -------------------------------------------------------------------------------------------


_NAME: Final = re.compile(r"(?P<repository>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[\w./-]+))?")

_CHOICES: Final[Sequence[tuple[str, ...]]] = (
    ("tokenizer.json",),
    ("vocab.json", "merges.txt"),
    ("tekken.json",),
    ("tokenizer.model",),
    ("spiece.model",),
)
"""The files of a tokenizer, the most informative first."""

_BESIDE: Final = (
    *("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json"),
    *("generation_config.json", "chat_template.jinja", "chat_template.json"),
)
"""The files next to them that say more about the tokenizer; chat templates with names are in a folder."""

_TEMPLATES: Final = "additional_chat_templates/"

_RANKS: Final = ".tiktoken"
_UNAUTHORIZED: Final = 401
_SERVER_ERROR: Final = 500
_SHOWN_FILES: Final = 10
_FOLDER_FILES: Final = 2  # a tokenizer with this many files or more is opened as a folder
_NOT_VALID: Final = _("", "{name} is not valid. Write hf:owner/name or hf:owner/name@revision.")
_logger: Final = logging.getLogger(__name__)


def _fetch_repository(name: str, text: str, progress: Progress) -> Download:
    """Download the tokenizer `text`, a repository with or without a revision. Raise EngineError."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise EngineError(_NOT_VALID, name=name)
    repository, revision = match["repository"], match["revision"]
    hub = _package()
    with _explaining(hub, name):
        files = _files(hub, repository, revision)
    wanted = _tokenizer_among(files)
    if not wanted:
        raise EngineError(
            "{name} contains no tokenizer files that bpe-gui can open. Its files are: {files}.",
            name=name,
            files=tuple(sorted(files)[:_SHOWN_FILES]) or "–",
        )
    paths: list[Path] = []
    for done, file in enumerate(wanted):
        progress(done, len(wanted))
        with _explaining(hub, name):
            paths.append(Path(hub.hf_hub_download(repository, file, revision=revision)))
    progress(len(wanted), len(wanted))
    return Download(name, _opened_path(paths))


def _missing(package: str) -> EngineError:
    return EngineError(
        "The package {package} is not installed. {remedy}", package=package, remedy=how_to_install(package)
    )


def _package() -> Any:
    try:
        import huggingface_hub.constants
        import huggingface_hub.errors
        import huggingface_hub.utils
    except ImportError as error:
        raise _missing("huggingface_hub") from error
    hub: Any = huggingface_hub
    hub.utils.disable_progress_bars()
    return hub


def _files(hub: Any, repository: str, revision: str | None) -> list[str]:
    """Return the names of the files in a repository or, if the hub does not answer, in the cache."""
    try:
        # Listing the files instead would retry for half a minute if there is no connection.
        siblings = hub.HfApi().model_info(repository, revision=revision).siblings
        return [sibling.rfilename for sibling in siblings or ()]
    except Exception as error:  # a broken connection raises different ones in different versions
        response = getattr(error, "response", None)
        if response is not None and response.status_code < _SERVER_ERROR:
            raise  # the hub has answered, about the repository or the user
        names = [*chain.from_iterable(_CHOICES), *_BESIDE]
        load = hub.try_to_load_from_cache
        cached = [name for name in names if isinstance(load(repository, name, revision=revision), str)]
        if not cached:
            raise
        return cached


def _tokenizer_among(files: Sequence[str]) -> list[str]:
    """Return a repository's files that belong to the tokenizer, the most informative first, or none."""
    for required in _CHOICES:
        if all(file in files for file in required):
            return [*required, *(file for file in files if file in _BESIDE or file.startswith(_TEMPLATES))]
    return [file for file in files if file.endswith(_RANKS) and "/" not in file][:1]


def _opened_path(paths: Sequence[Path]) -> Path:
    return paths[0].parent if len(paths) >= _FOLDER_FILES else paths[0]


@contextmanager
def _explaining(hub: Any, name: str) -> Iterator[None]:
    """Turn whatever huggingface_hub raises into an EngineError that says what to do."""
    try:
        yield
    except Exception as error:
        _logger.info("%s: %s", name, error)
        raise _explained(hub, name, error) from error


_REFUSALS: Final = (
    ("HFValidationError", _NOT_VALID),
    ("GatedRepoError", _("", "{name} is gated. Ask for access at {endpoint}, then set HF_TOKEN to your token.")),
    (
        "RevisionNotFoundError",
        _("", "{name} does not exist on {endpoint}: the repository has no such revision."),
    ),
    (
        "RepositoryNotFoundError",
        _("", "{name} does not exist on {endpoint}, or it is private. If it is private, set HF_TOKEN to your token."),
    ),
    ("OfflineModeIsEnabled", _("", "{name} is not in the cache, and HF_HUB_OFFLINE forbids downloading it.")),
)
"""What the errors of huggingface_hub mean, the most specific first."""


def _explained(hub: Any, name: str, error: Exception) -> EngineError:
    response, endpoint = getattr(error, "response", None), hub.constants.ENDPOINT
    for kind, sentence in _REFUSALS:
        if isinstance(error, getattr(hub.errors, kind)):
            return EngineError(sentence, name=name, endpoint=endpoint)
    if response is not None and response.status_code == _UNAUTHORIZED:
        return EngineError(
            "{endpoint} refuses the token in HF_TOKEN, so {name} cannot be downloaded.", name=name, endpoint=endpoint
        )
    return DownloadError(
        "{name} cannot be downloaded from {endpoint}: {reason}. Check the connection and try again, or open a file of "
        "the tokenizer instead.",
        name=name,
        endpoint=endpoint,
        reason=str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__,
    )


# -- tiktoken -------------------------------------------------------------------------------------------------------


def _fetch_encoding(name: str, encoding: str, progress: Progress) -> Download:
    """Have tiktoken download an encoding unless it is in its cache, and write its ranks. Raise EngineError."""
    progress(0, 1)
    constructors = _constructors()
    if encoding not in constructors:
        raise EngineError(
            "tiktoken has no encoding {encoding!r}. Its encodings are {names}.",
            encoding=encoding,
            names=tuple(sorted(constructors)),
        )
    try:
        parts = constructors[encoding]()
    except Exception as error:  # tiktoken downloads with requests, and plugins do what they like
        if type(error).__module__.startswith("requests"):  # its own text is pages of retries
            raise _unreachable(encoding) from error
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise EngineError(
            "tiktoken cannot get the encoding {encoding}: {reason}", encoding=encoding, reason=reason
        ) from error
    ranks = sorted(parts["mergeable_ranks"].items(), key=lambda item: item[1])
    path = _write_ranks(encoding, "".join(f"{b64encode(token).decode()} {rank}\n" for token, rank in ranks))
    progress(1, 1)
    return Download(name, path, parts["pat_str"], parts["special_tokens"])


def _unreachable(encoding: str) -> DownloadError:
    return DownloadError(
        "The encoding {encoding} cannot be downloaded, because its server does not answer. Check the connection "
        "and try again, or open {encoding}.tiktoken instead if you have that file.",
        encoding=encoding,
    )


def _constructors() -> Mapping[str, Any]:
    try:
        import tiktoken
        from tiktoken import registry
    except ImportError as error:
        raise _missing("tiktoken") from error
    tiktoken.list_encoding_names()  # fills the registry
    return registry.ENCODING_CONSTRUCTORS or {}


def _write_ranks(encoding: str, content: str) -> Path:
    """Write the ranks of an encoding to a file with its name, unless it is there, and return its path."""
    from platformdirs import user_cache_path

    path = user_cache_path("bpe-gui", appauthor=False) / "tiktoken" / f"{encoding}.tiktoken"
    if _text(path) != content.strip():
        write_files({path: content})
    return path


# -- the caches of other programs -----------------------------------------------------------------------------------


_BLOBS: Final = "https://openaipublic.blob.core.windows.net/"
_ENCODING_FILES: Final[Mapping[str, Sequence[str]]] = {
    "gpt2": ("gpt-2/encodings/main/vocab.bpe", "gpt-2/encodings/main/encoder.json"),
    **{name: (f"encodings/{name}.tiktoken",) for name in ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")},
}
_NO_VOCABULARY: Final = re.compile(r"mmproj|-(?!00001)\d{5}-of-\d{5}\.gguf$")  # projectors, and parts after the first


def cached_tokenizers() -> list[Download]:
    """Return the tokenizers in the caches of tiktoken, huggingface_hub and llama.cpp, by name, for `completed`.

    Each cache is where the environment says that its program keeps it. What cannot be read is left out.

    >>> all(is_published_name(download.name) or download.path.suffix == ".gguf" for download in cached_tokenizers())
    True
    """
    found: dict[str, Download] = {}
    for cache in (_in_hub, _by_tiktoken, _by_llama):
        try:
            found |= {each.name: each for each in cache()}
        except (OSError, RuntimeError) as error:  # no home, or no folder for temporary files
            _logger.info("a cache is not found: %s", error)
    return sorted(found.values(), key=lambda each: each.name)


def completed(found: Download) -> Download:
    """Return a cached tokenizer with what its file lacks: an encoding's pattern and special tokens. Raise EngineError.

    Encodings of OpenAI are known, so tiktoken is only needed for a file with other content, which it downloads again.
    """
    if not found.name.startswith(TIKTOKEN) or found.pattern is not None:
        return found
    from .tiktoken import PUBLISHED

    encoding = found.name.removeprefix(TIKTOKEN)
    known = PUBLISHED.get(encoding)
    data = read_bytes(found.path, MAX_BYTES) if known else b""
    if known is None or hashlib.sha256(data).hexdigest() != known.sha256:
        return fetch_published(found.name)
    path = _write_ranks(encoding, data.decode("ascii"))
    return Download(found.name, path, known.splitter, known.special_tokens)


def _in_hub() -> Iterator[Download]:
    """Yield the tokenizers of huggingface_hub, in whose cache llama.cpp keeps files, too; those of `main` come last."""
    environ = os.environ
    home = environ.get("HF_HOME") or Path(environ.get("XDG_CACHE_HOME") or "~/.cache", "huggingface")
    hub = environ.get("HF_HUB_CACHE") or environ.get("HUGGINGFACE_HUB_CACHE") or Path(home, "hub")
    folder = Path(os.path.expandvars(hub)).expanduser()
    for model in _names_in(folder):
        kind, _, repository = model.partition("--")
        if kind != "models":
            continue
        snapshots, main = folder / model / "snapshots", _text(folder / model / "refs" / "main")
        for revision in sorted(_names_in(snapshots), key=lambda name: name == main):
            files = _names_in(snapshots / revision)
            wanted = _tokenizer_among(files) or _with_vocabulary(files)[:1]
            paths = [snapshots / revision / name for name in wanted]
            if paths and all(map(os.path.isfile, paths)):
                yield Download(HUGGING_FACE + repository.replace("--", "/"), _opened_path(paths))


def _by_tiktoken() -> Iterator[Download]:
    """Yield the encodings of which tiktoken has all files; it names each by the hash of its address."""
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":  # tiktoken keeps nothing
        return
    for name, files in _ENCODING_FILES.items():
        if len(files) > 1 and find_spec("tiktoken") is None:
            continue  # not a file of ranks, so only tiktoken reads it
        digests = [hashlib.sha1((_BLOBS + file).encode()).hexdigest() for file in files]
        paths = [Path(folder or Path(tempfile.gettempdir(), "data-gym-cache"), digest) for digest in digests]
        if all(map(os.path.isfile, paths)):
            yield Download(TIKTOKEN + name, paths[0])


def _by_llama() -> Iterator[Download]:
    from platformdirs import user_cache_path

    folder = Path(os.environ.get("LLAMA_CACHE") or user_cache_path("llama.cpp", appauthor=False, opinion=False))
    paths = [folder / name for name in _with_vocabulary(_names_in(folder))]
    return (Download(path.name, path) for path in filter(os.path.isfile, paths))


def _with_vocabulary(files: Sequence[str]) -> list[str]:
    return [name for name in files if name.endswith(".gguf") and not _NO_VOCABULARY.search(name)]


def _names_in(folder: Path) -> list[str]:
    """Return the names of what is in a folder; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries)
    except OSError:
        return []


def _text(path: Path) -> str:
    """Return the text of a file, without white space around it; an empty one if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
