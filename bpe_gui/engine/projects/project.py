"""A project: all that a window holds, in values that a file can hold."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_BLOCK: Final = 1 << 20  # bytes that are hashed in one go


@dataclass(frozen=True, slots=True)
class Digest:
    """What tells whether a file is still the same: its size in bytes, and the SHA-256 of these as hexadecimal."""

    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path, progress: Progress | None = None) -> "Digest | None":
        """Of a file; None if it cannot be read. `progress` hears of the bytes that were read."""
        try:
            if not path.is_file():  # reading a pipe could take forever
                return None
            with path.open("rb") as file:
                return cls._of_open(file, path.stat().st_size, progress)
        except (OSError, ValueError):  # a path with a zero character is a ValueError
            return None

    @classmethod
    def _of_open(cls, file: BinaryIO, size: int, progress: Progress | None) -> "Digest":
        sha, done = hashlib.sha256(), 0
        while block := file.read(_BLOCK):
            sha.update(block)
            done += len(block)
            if progress:
                progress(done, size)
        return cls(done, sha.hexdigest())


@dataclass(frozen=True, slots=True)
class ProjectDocument:
    """A document of the corpus: a text, with the file that it was read from if it was edited since; or a file.

    `digest` is of the file as it was when the project was saved; None if it could not be read then.
    """

    title: str
    content: Document
    path: Path | None = None
    digest: Digest | None = None


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A tokenizer that is used instead of the run, as of its merge `step`; what was given to read it with."""

    path: Path
    step: int
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """All that a window holds.

    `run` has all merges that were known, with their counts, and `step` says how many of them are applied; if the run
    is `stale`, it was made from another corpus or recipe. `saved_as` is for what is saved for safety: the project's
    own file.
    """

    documents: tuple[ProjectDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: str
    run: Tokenizer | None = None
    step: int = 0
    stale: bool = False
    opened: OpenedFile | None = None
    saved_as: Path | None = None
