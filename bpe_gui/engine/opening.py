"""Open a tokenizer by whatever name it has, and say what its files leave open.

A name is a path, `hf:owner/name` or `tiktoken:name`; `cached_sources` are the tokenizers in the caches of other
programs. What a person says besides (a pattern, special tokens, a splitter) is part of the source. The command line,
the window and `load` all open tokenizers here: `located` downloads what is not on this computer, `recognise` finds the
format, and `load_files` calls its reader. `read` then fills in what the files do not say, or assumes it; `load`
refuses.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple

from bpe_gui.engine.formats.files import has_name, is_published_name, suffix_of
from bpe_gui.engine.formats.registry import FORMATS, PROJECT_SUFFIX, Format, format_named, logging_refusal
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import is_folder, is_there, unreadable
from bpe_gui.engine.runtime.types import Progress, no_progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

RANKS: Final = "tiktoken"
"""The format that does not say how text is split, or which special tokens there are."""

ASSUMED_SPLITTER: Final = "gpt2"
"""How text is split where neither a file of ranks nor anyone else says it."""

_READABLE: Final = tuple(known for known in FORMATS.values() if known.load)
_NAMES: Final = frozenset(name for known in _READABLE for name in known.files)
_PRESCRIBED_NAMES: Final = frozenset(name for known in FORMATS.values() for name in known.files)
_SUFFIXES: Final = frozenset(known.suffix for known in _READABLE if known.suffix)
_REPOSITORY: Final = re.compile(r"[\w-][\w.-]*/[\w.-]+")
_logger: Final = logging.getLogger(__name__)


class ReadTokenizer(NamedTuple):
    """A tokenizer that was read, from which source, and the name of its format.

    - `lacks`: what neither the files nor their publisher say: how text is split (`splitter`), or also the special
      tokens (`pattern`).
    - `is_guessed`: it is a file of ranks, and the person who opened it has not said it either.
    """

    tokenizer: Tokenizer
    source: "TokenizerSource"
    format: str
    lacks: Literal["", "pattern", "splitter"] = ""
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class TokenizerSource:
    """A tokenizer that someone named, and what they said about it.

    - `path`: its file or folder; of a published tokenizer, only once it is `located`.
    - `pattern`, `special_tokens`: for a file of ranks, which has neither.
    - `splitter`: for other files that do not say how text is split: a name in `KNOWN_SPLITTERS`, or an expression.
    - `is_internal`: the file is a recovery file, whose name means nothing to the user.
    - `published_name`: the name it is published under, such as `hf:owner/name`.
    """

    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
    splitter: str = ""
    is_internal: bool = False
    published_name: str = ""

    @classmethod
    def named(cls, name: str | Path) -> "TokenizerSource":
        """Return the source that a person means by a path or by the name of a published tokenizer.

        >>> TokenizerSource.named("hf:me/mine").published_name, TokenizerSource.named("me/mine").name
        ('hf:me/mine', 'mine')
        """
        path = Path(name)
        return cls(path, published_name=path.as_posix() if is_published_name(path.as_posix()) else "")

    @property
    def name(self) -> str:
        """The published name, or the name of the file or folder; empty for an internal file.

        If the format prescribes the file's name, as in `gpt2/tokenizer.json`, the folder's name is used.
        """
        if self.published_name:
            return self.published_name
        if self.is_internal:
            return ""
        path = self.path.absolute()
        return f"{path.parent.name}/{path.name}" if path.name in _PRESCRIBED_NAMES else path.name

    def located(self, progress: Progress = no_progress) -> "TokenizerSource":
        """Return the source with its files on this computer, and with what only their publisher says of them.

        `progress` is called with the files downloaded so far and in total. Raise EngineError.
        """
        if not self.published_name:
            return self
        from bpe_gui.engine.formats import downloads

        if self.path == Path(self.published_name):
            found = downloads.fetch_published(self.published_name, progress)
        else:
            found = downloads.completed(downloads.Download(self.published_name, self.path, self.pattern))
        pattern, special_tokens = self.pattern or found.pattern, self.special_tokens or found.special_tokens
        return replace(self, path=found.path, pattern=pattern, special_tokens=special_tokens)

    def read(self, progress: Progress = no_progress) -> ReadTokenizer:
        """Read the tokenizer, which may take seconds. Raise EngineError."""
        source = self.located(progress)
        _logger.info("opening the tokenizer in %s", source.path)
        format = recognise(source.path)
        if format == RANKS:
            return source._read_ranks()
        from bpe_gui.engine.formats.gpt2 import assumes_splitter, with_splitter

        tokenizer = load_files(source.path, format)
        if not assumes_splitter(tokenizer):
            return ReadTokenizer(tokenizer, source, format)
        if self.splitter:
            tokenizer = with_splitter(tokenizer, known_splitter(self.splitter))
        return ReadTokenizer(tokenizer, source, format, "splitter")

    def _read_ranks(self) -> ReadTokenizer:
        from bpe_gui.engine.formats.tiktoken import UnknownPatternError

        pattern = None if self.pattern is None else known_splitter(self.pattern)
        given: Mapping[str, int] | None = self.special_tokens
        try:
            tokenizer = load_files(self.path, RANKS, pattern=pattern, special_tokens=given)
        except UnknownPatternError:
            tokenizer = load_files(self.path, RANKS, pattern=ASSUMED_SPLITTER, special_tokens=given)
            return ReadTokenizer(tokenizer, self, RANKS, "pattern", is_guessed=given is None)
        is_known = pattern is None or bool(self.published_name)
        return ReadTokenizer(tokenizer, self, RANKS, "" if is_known else "pattern")


def known_splitter(name: str) -> str:
    """Return the splitter or expression that a name of a model's splitter means; others are returned as they are."""
    from bpe_gui.engine.pipeline.published_patterns import KNOWN_SPLITTERS

    return KNOWN_SPLITTERS.get(name, name)


def load(
    path: Path | str,
    format: str | None = None,
    *,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Read a tokenizer from a file or folder. Without `format`, recognise the format. Raise EngineError.

    `hf:owner/name[@revision]` on the Hugging Face Hub and `tiktoken:name` are downloaded first, unless they are cached.

    Files of ranks (`tiktoken`) do not say how text is split, so they take a `pattern`: the name of a splitter or of a
    model's (`KNOWN_SPLITTERS`), or a regular expression; and `special_tokens` with their ids. Both are known for the
    files that OpenAI published. Any other file raises UnknownPatternError without a pattern. Other formats take
    neither.

    >>> from tempfile import TemporaryDirectory
    >>> from bpe_gui.engine import save
    >>> with TemporaryDirectory() as folder:
    ...     paths = save(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy"), folder)
    ...     load(folder).encode("lol")
    [2, 0]
    """
    source = TokenizerSource.named(path).located()
    pattern, special_tokens = pattern or source.pattern, special_tokens or source.special_tokens
    pattern = None if pattern is None else known_splitter(pattern)
    return load_files(source.path, format, pattern=pattern, special_tokens=special_tokens)


def cached_sources() -> list[TokenizerSource]:
    """Return the tokenizers in the caches of tiktoken, huggingface_hub and llama.cpp, by name.

    >>> all(source.published_name for source in cached_sources())
    True
    """
    from bpe_gui.engine.formats import downloads

    return [
        TokenizerSource(each.path, each.pattern, each.special_tokens, published_name=each.name)
        for each in downloads.cached_tokenizers()
    ]


# -- reading files -----------------------------------------------------------------------------------------------------


def load_files(
    path: Path,
    format: str | None = None,
    *,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Read a tokenizer from a file or folder, as `load` does for published names, too. Raise EngineError."""
    with logging_refusal("Loading", path):
        try:
            known = format_named(format or recognise(path))
            tokenizer = _load(path, known, pattern, special_tokens)
        except OSError as error:  # even checking whether a file exists may be forbidden
            raise unreadable(path, error) from error
    _logger.info("Loaded %s as %s: %d merges", path.name, known.name, tokenizer.position)
    return tokenizer


def _load(path: Path, known: Format, pattern: str | None, special_tokens: Mapping[str, int] | None) -> Tokenizer:
    if known.load is None:
        raise FormatError(
            "{path} has the format {format}, which can be written, but not opened as a tokenizer.",
            path=path,
            format=known.name,
        )
    folder = path if is_folder(path) else None
    if known.suffix is None:  # a file with a prefix in its name says which of several pairs is meant
        path = path.parent if has_name(path, known.names) and not has_name(path, known.prefixed) else path
    elif is_folder(path):
        path /= known.files[0]
    if known.needs_pattern:
        return _described(known.load(path, pattern=pattern, special_tokens=special_tokens), folder)
    if pattern is not None or special_tokens is not None:
        raise FormatError(
            "{path} has the format {format}, which includes the pattern and the special tokens. Omit pattern= and "
            "special_tokens=.",
            path=path,
            format=known.name,
        )
    tokenizer = known.load(path)
    return tokenizer if known.suffix is None else _described(tokenizer, folder)


def _described(tokenizer: Tokenizer, folder: Path | None) -> Tokenizer:
    """Return a tokenizer with what the other files of its folder say about it, if it was opened by its folder."""
    if folder is None:
        return tokenizer
    from bpe_gui.engine.formats.transformers_folder import described

    return described(tokenizer, folder)


def recognise(path: Path) -> str:
    """Return the name of the format of a file or folder. Raise FormatError if it is not a tokenizer.

    A file that no format recognises still gets a format with its suffix, whose reader says what is wrong with the file.
    """
    try:
        if not path.exists():
            raise _missing(path)
        if not (path.is_file() or path.is_dir()):  # reading it might never end
            raise FormatError("{path} is a device or a pipe, not a tokenizer.", path=path)
        name = next((known.name for known in FORMATS.values() if _matches(known, path)), None)
        is_folder = path.is_dir()
    except OSError as error:
        raise unreadable(path, error) from error
    if name is not None:
        _logger.debug("%s is recognised as %s", path.name, name)
        return name
    if path.name.lower().endswith(PROJECT_SUFFIX):
        raise FormatError("{path} is a bpe-gui project, not a tokenizer. Open it in the window.", path=path)
    with_suffix = [known.name for known in FORMATS.values() if known.suffix == suffix_of(path)]
    if is_folder or not with_suffix:
        raise _not_a_tokenizer(path, is_folder)
    _logger.debug("%s looks like no format, but has the suffix of %s", path.name, with_suffix[-1])
    return with_suffix[-1]


def _matches(known: Format, path: Path) -> bool:
    """Return whether `path` is a folder or file of a format, or one of its files with the others next to it."""
    if is_folder(path):
        file, is_named = path / known.files[0], True
    elif known.suffix and suffix_of(path) == known.suffix:
        file, is_named = path, True
    else:
        file, is_named = path.parent / known.files[0], has_name(path, known.names)
        file = path if has_name(path, known.prefixed) else file
    if known.suffix or known.recognises is None:
        is_named = is_named and file.exists()
    return is_named and (known.recognises is None or known.recognises(file))


def _missing(path: Path) -> FormatError:
    """Return the error for a path where nothing is. It may be the name of a published tokenizer without its prefix."""
    from bpe_gui.engine.formats.downloads import to_published_name

    name = path.as_posix()
    published = to_published_name(name)
    if published is None and _REPOSITORY.fullmatch(name) and suffix_of(path) not in _SUFFIXES:
        published = f"hf:{name}"
    if published is None:
        return FormatError("{path} does not exist.", path=path)
    return FormatError(
        "{path} does not exist. For the published tokenizer, write {published}.", path=path, published=published
    )


def _not_a_tokenizer(path: Path, is_folder: bool) -> FormatError:
    readable = [known for known in FORMATS.values() if known.load]
    if is_folder:
        names = [" + ".join(known.files[:2]) if known.name == "gpt2" else known.files[0] for known in readable]
        return FormatError(
            "{path} is not a tokenizer folder. It must contain one of {files}. If the file has another name, open the "
            "file itself.",
            path=path,
            files=tuple(dict.fromkeys(names)),
        )
    return FormatError(
        "{path} is not a tokenizer file. Supported files are {files}, and vocab.json with merges.txt in the same "
        "folder.",
        path=path,
        files=tuple(dict.fromkeys(f"*{known.suffix}" for known in readable if known.suffix)),
    )


# -- which files are tokenizers ----------------------------------------------------------------------------------------


def is_tokenizer(path: Path) -> bool:
    """Return whether a path looks like a tokenizer: the file of one, or a folder with the main file of some format."""
    if path.name in _NAMES:
        return True
    if (suffix := suffix_of(path)) in _SUFFIXES and not is_folder(path):
        return any(_looks_like(known, path) for known in _READABLE if known.suffix == suffix)
    return any(is_there(path / known.files[0]) for known in _READABLE)


def _looks_like(known: Format, path: Path) -> bool:
    """Return whether a file with a format's suffix also begins like it: most JSON files are not tokenizers."""
    if known.recognises is None:
        return True
    try:
        return (path.is_file() or not is_there(path)) and known.recognises(path)  # a pipe might never end
    except (OSError, ValueError) as error:
        _logger.debug("%s cannot be looked at: %s", path, error)
        return False


def tokenizer_of(path: Path) -> Path:
    """Return the path that identifies a tokenizer: for a file with a format's usual name, its folder.

    >>> tokenizer_of(Path("gpt2/merges.txt")).name, tokenizer_of(Path("a.tiktoken")).name
    ('gpt2', 'a.tiktoken')
    """
    return path.parent if path.name in _NAMES else path


def wildcards() -> Mapping[str, tuple[str, ...]]:
    """Return, for each readable format's name, the wildcards that match its files."""
    suffixes = {known.name: [f"*{known.suffix}"] if known.suffix else [] for known in _READABLE}
    suffixes["sentencepiece"].append("*.model.v*")
    return {known.name: (*known.files, *suffixes[known.name]) for known in _READABLE}
