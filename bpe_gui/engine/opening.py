"""Open a tokenizer by whatever name it has, and say what its files leave open.

A name is a path, `hf:owner/name` or `tiktoken:name`; `cached_sources` are the tokenizers in the caches of other
programs. What a person says besides (a pattern, special tokens, a splitter) is part of the source. The command line,
the window and `load` all open tokenizers here: `located` downloads what is not on this computer, the format is
recognised, and its reader called. `read` then fills in what the files do not say, or assumes it; `load` refuses.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, NamedTuple

from bpe_gui.engine.formats.files import HUGGING_FACE, TIKTOKEN, suffix_of
from bpe_gui.engine.formats.registry import FORMATS, Format, load_files, recognise
from bpe_gui.engine.runtime.files import is_folder, is_there
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

RANKS: Final = "tiktoken"
"""The format that does not say how text is split, or which special tokens there are."""

ASSUMED_SPLITTER: Final = "gpt2"
"""How text is split where neither a file of ranks nor anyone else says it."""

_READABLE: Final = tuple(known for known in FORMATS.values() if known.load)
_NAMES: Final = frozenset(name for known in _READABLE for name in known.files)
_PRESCRIBED_NAMES: Final = frozenset(name for known in FORMATS.values() for name in known.files)
_SUFFIXES: Final = frozenset(known.suffix for known in _READABLE if known.suffix)
_logger: Final = logging.getLogger(__name__)


def _no_progress(_done: int, _total: int) -> None: ...


class ReadTokenizer(NamedTuple):
    """A tokenizer that was read, from which source, and the name of its format.

    - `lacks`: what the files do not say: how text is split (`splitter`), or also the special tokens (`pattern`).
    - `is_guessed`: it is a file of ranks, and nobody else has said it either.
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
        is_published = path.as_posix().startswith((HUGGING_FACE, TIKTOKEN))
        return cls(path, published_name=path.as_posix() if is_published else "")

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

    def located(self, progress: Progress = _no_progress) -> "TokenizerSource":
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

    def read(self, progress: Progress = _no_progress) -> ReadTokenizer:
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
            return ReadTokenizer(load_files(self.path, RANKS, pattern=pattern, special_tokens=given), self, RANKS)
        except UnknownPatternError:
            tokenizer = load_files(self.path, RANKS, pattern=ASSUMED_SPLITTER, special_tokens=given)
            return ReadTokenizer(tokenizer, self, RANKS, "pattern", is_guessed=given is None)


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


def files_with(path: Path) -> Iterator[Path]:
    """Yield every file that may be read when opening the tokenizer at `path`."""
    yield path
    yield from (tokenizer_of(path) / name for name in sorted(_NAMES))


def wildcards() -> Mapping[str, tuple[str, ...]]:
    """Return, for each readable format's name, the wildcards that match its files."""
    suffixes = {known.name: [f"*{known.suffix}"] if known.suffix else [] for known in _READABLE}
    suffixes["sentencepiece"].append("*.model.v*")
    return {known.name: (*known.files, *suffixes[known.name]) for known in _READABLE}
