"""The manifest beside a dataset: what it was made from, so that one can tell years later."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from bpe_gui import __version__
from bpe_gui.engine.corpora.documents import DocumentGroup, FileDocument, FileList
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import is_there, parse_json, read_text

_KIND: Final = "bpe-gui dataset"
_VERSION: Final = 1
_SUFFIX: Final = ".manifest.json"
_MOST_BYTES: Final = 1 << 30
_NUMBER: Final = re.compile(r"-\d{5,}$")
"""What the name of a shard has and that of its dataset has not."""


class Shard(NamedTuple):
    """A file of a dataset, and where in the text the next one begins, as `RowsState` says it."""

    file: str
    tokens: int
    documents: int
    next: tuple[int, int, bool, int] | None


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What a dataset was made from and what it has.

    `files` are the names of all its files; until it is complete, also of those that it may replace or remove.
    """

    format: str
    dtype: str
    tokenizer: str
    """A digest of all that decides which ids a text has."""
    vocab_size: int
    options: Mapping[str, Any]
    inputs: Sequence[tuple[str, int, int | None]]
    """The path, the size in bytes and the time of change, in nanoseconds, of each file; text in memory has no time."""
    shards: tuple[Shard, ...] = ()
    files: tuple[str, ...] = ()
    is_complete: bool = False
    made_by: str = field(default=f"bpe-gui {__version__}")

    @property
    def tokens(self) -> int:
        """The number of ids in all shards."""
        return sum(shard.tokens for shard in self.shards)

    @property
    def documents(self) -> int:
        """The number of documents in all shards."""
        return sum(shard.documents for shard in self.shards)

    def to_json(self) -> str:
        """Return the content of the manifest file."""
        content = {"kind": _KIND, "version": _VERSION, "tokens": self.tokens, "documents": self.documents}
        content |= vars(self) | {"options": dict(self.options), "shards": [shard._asdict() for shard in self.shards]}
        # A line for each: an indented one would be written by Python's slow encoder, and there may be 100,000 inputs.
        lines = (f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in content.items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, path: Path) -> Self:
        """Read a manifest. Raise FormatError if it is none, or has been changed to what no dataset is."""
        content = parse_json(path, read_text(path, _MOST_BYTES))
        try:
            if content.pop("kind") != _KIND or content.pop("version") != _VERSION:
                raise ValueError
            del content["tokens"], content["documents"]
            shards = tuple(
                Shard(**{**each, "next": each["next"] and tuple(each["next"])}) for each in content["shards"]
            )
            inputs = [(str(name), int(size), changed) for name, size, changed in content["inputs"]]
            return cls(**content | {"shards": shards, "files": tuple(map(str, content["files"])), "inputs": inputs})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise FormatError("{path} is not the manifest of a dataset.", path=path) from error


def difference_between(one: Manifest, other: Manifest) -> str | None:
    """Return in what two datasets differ: the program, the tokenizer, the options or the inputs; or None."""
    pairs: Iterable[tuple[str, object, object]] = (
        ("program", one.made_by, other.made_by),
        ("tokenizer", one.tokenizer, other.tokenizer),
        (
            "options",
            [one.format, one.dtype, dict(one.options)],
            [other.format, other.dtype, dict(other.options)],
        ),
        ("inputs", list(one.inputs), list(other.inputs)),
    )
    return next((name for name, mine, theirs in pairs if mine != theirs), None)


def manifest_path(output: Path) -> Path:
    """Return the path of the manifest of the dataset at a path.

    >>> manifest_path(Path("train.bin")).name
    'train.bin.manifest.json'
    """
    return output.with_name(output.name + _SUFFIX)


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest that names this file, or None if there is none. Raise FormatError for a damaged one."""
    data = path.with_suffix(".bin") if path.suffix == ".idx" else path
    for each in (data, data.with_stem(_NUMBER.sub("", data.stem))):
        if is_there(manifest_path(each)) and path.name in (manifest := Manifest.from_json(manifest_path(each))).files:
            return manifest
    return None


def inputs_of(groups: Iterable[DocumentGroup]) -> list[tuple[str, int, int | None]]:
    """Return the facts about the files by which one can tell whether they have changed."""
    found: list[tuple[str, int, int | None]] = []
    for group in groups:
        if isinstance(group.document, FileList):
            found += map(_facts, group.document.files, group.document.sizes.tolist())
        elif isinstance(group.document, FileDocument):
            found.append(_facts(group.document, group.size))
        else:
            found.append(("", group.size, None))
    return found


def _facts(file: FileDocument, size: int) -> tuple[str, int, int | None]:
    try:
        return str(file.name), size, file.path.stat().st_mtime_ns
    except OSError:  # standard input, or a file on another computer
        return str(file.name), size, None
