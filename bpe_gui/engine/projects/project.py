"""A project: everything a window contains, as values that can be saved to a file."""

import hashlib
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO, Final

from bpe_gui.engine.corpora.documents import Document
from bpe_gui.engine.corpora.weights import ONCE
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.files import open_file
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.plan import Plan

_CHUNK_BYTES: Final = 1 << 20

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Digest:
    """Identifies the content of a file: its size in bytes and its SHA-256 in hexadecimal."""

    size: int
    sha256: str

    @classmethod
    def of(cls, path: Path, progress: Progress | None = None) -> "Digest | None":
        """Return the digest of a file, or None if it cannot be read. Report the bytes read to `progress`."""
        try:
            with open_file(path) as file:
                return cls._of_open_file(file, os.fstat(file.fileno()).st_size, progress)
        except EngineError as error:
            _logger.info("No digest of %s: %s", path.name, type(error).__name__)
            return None

    @classmethod
    def _of_open_file(cls, file: BinaryIO, expected_size: int, progress: Progress | None) -> "Digest":
        sha, size = hashlib.sha256(), 0
        while chunk := file.read(_CHUNK_BYTES):
            sha.update(chunk)
            size += len(chunk)
            if progress:
                progress(size, expected_size)
        return cls(size, sha.hexdigest())


@dataclass(frozen=True, slots=True)
class ProjectDocument:
    """A document of the corpus: a file, or text. For edited text, `path` is the file that it was read from."""

    title: str
    content: Document
    path: Path | None = None
    digest: Digest | None = None
    """The file's digest when the project was saved, or None if the file could not be read then."""
    weight: Fraction = ONCE
    """How often the document counts."""


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A tokenizer that was opened from a file, as of merge `step`.

    `pattern` and `special_tokens` are the user's, for a file of ranks, which has neither. `published_name` is that of
    the `TokenizerSource`: empty for the user's own file.
    """

    path: Path
    step: int
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
    published_name: str = ""


@dataclass(frozen=True, slots=True)
class ProjectBranch:
    """A branch of the run: its name, its recipe and plan, its merges, and how many of them are applied."""

    name: str
    recipe: Recipe
    plan: Plan
    run: Tokenizer | None = None
    step: int = 0


@dataclass(frozen=True, slots=True)
class Project:
    """Everything a window contains."""

    documents: tuple[ProjectDocument, ...]
    recipe: Recipe
    special_tokens: tuple[str, ...]
    vocab_size: int
    text: str
    run: Tokenizer | None = None
    """All trained merges, with their counts."""
    step: int = 0
    """How many merges are applied."""
    stale: bool = False
    """Whether the run was trained on another corpus, or with another recipe or plan."""
    plan: Plan = field(default_factory=Plan)
    """The merges that the run must make or avoid."""
    branches: tuple[ProjectBranch, ...] = ()
    """The branches of the run."""
    shown_branch: int = 0
    """The number of the branch that is shown, from 1; 0 for the run."""
    opened: OpenedFile | None = None
    """The opened tokenizer that is shown in place of the run."""
    also_opened: tuple[OpenedFile, ...] = ()
    """The other opened tokenizers."""
    saved_as: Path | None = None
    """The path of the project's own file, in a recovery file."""
