"""A downloaded tokenizer, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Download:
    """A tokenizer that is on this computer now: its file or folder, which `load` reads.

    `pattern` and `special_tokens` are known for files of ranks, which do not have them.
    """

    name: str
    path: Path
    pattern: str | None = None
    special_tokens: Mapping[str, int] | None = None
