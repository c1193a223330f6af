"""Files at any address that fsspec can open, whole or in parts, for counting on a cluster."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import CorpusError, EngineError, how_to_install
from bpe_gui.engine.text.compiled_splitters import Chunker, splitter_of
from bpe_gui.engine.text.recipe import DEFAULT_RECIPE, PRESETS, Recipe

from .counting import boundary_near, can_be_sliced
from .documents import FileDocument
from .text_files import TEXT, WHOLE, BinaryFile, FileState, Part, PieceReader, ReadingState, Utf8Reader, reading


def package(name: str) -> Any:
    """Import a package. If it is missing, raise EngineError, which says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise EngineError(
            "Working on a cluster needs the package {package}, which is not installed. {remedy}",
            package=name,
            remedy=how_to_install("bpe-gui[cluster]"),
        ) from error


_BLOCK: Final = 1 << 22
"""Bytes fetched at a time."""

_UNKNOWN: Final = FileState(None, None)


@dataclass(frozen=True, slots=True)
class RemoteFile(FileDocument):
    """A file at `address`, or part `part` of the `parts` into which it is split; `path` is its name.

    `state` is its state when it was found. Parts have about the same size. A part of a text ends between words of
    `recipe`, outside special tokens; it can only be read by `open_utf8`. The other fields are as in `FileDocument`.
    """

    address: str = ""
    state: FileState = _UNKNOWN
    part: int = 0
    parts: int = 1
    recipe: Recipe = PRESETS[DEFAULT_RECIPE]
    special_tokens: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The address, which names the file in messages."""
        return self.address

    @property
    def is_whole(self) -> bool:
        """Whether this is the file rather than a part of it."""
        return self.parts == 1

    @property
    def is_regular_file(self) -> bool:
        """True: it has a size."""
        return True

    def size(self) -> int:
        """Return the size of the file, or the approximate size of the part, in bytes."""
        return (self.state.size or 0) // self.parts

    @contextmanager
    def open_binary(self) -> Iterator[BinaryFile]:
        """Open the file without decompressing or decoding it. Raise CorpusError."""
        with reading(self.address, None):
            system, path = _located(self.address)
            file = system.open(path, "rb", block_size=_BLOCK)
        with file:
            self.check_unchanged(self.state, _state_at(system, path), self.state.size or 0)
            yield file

    def state_of(self, file: BinaryFile) -> FileState:
        """Return the current state of the file."""
        del file
        return _state_at(*_located(self.address))

    @contextmanager
    def open_utf8(self, part: Part = WHOLE) -> Iterator[Utf8Reader]:
        """Open the part as UTF-8 with a mark after each record. Raise CorpusError."""
        start, stop = self._range() if self.parts > 1 else part[:2]
        if stop == start:
            yield PieceReader(iter(()), ReadingState())
        else:
            with FileDocument.open_utf8(self, Part(start, stop, part.before or self.state)) as reader:
                yield reader

    def split(self, size: int, recipe: Recipe, special_tokens: tuple[str, ...]) -> "list[RemoteFile]":
        """Return the parts of the file, of about `size` bytes each, or just the file.

        Files of records can be split between any two. Other text can only be split between words of the recipe.
        """
        parts = max(1, (self.state.size or 0) // size)
        if parts == 1 or not can_be_sliced(self) or (self.kind.content == TEXT and splitter_of(recipe) is None):
            return [self]
        whole = replace(self, parts=parts, recipe=recipe, special_tokens=special_tokens)
        return [replace(whole, part=part) for part in range(parts)]

    def _range(self) -> tuple[int, int | None]:
        """Return where the part starts and stops. Each worker finds the same boundaries by itself.

        If there is no boundary at the start of a part, the part is empty and its text belongs to the one before it.
        """
        start = self._boundary(self.part) if self.part else 0
        if self.part and not start:
            return 0, 0
        stops = (self._boundary(part) for part in range(self.part + 1, self.parts))
        return start, next(filter(None, stops), None)

    def _boundary(self, part: int) -> int:
        return boundary_near(self, part / self.parts, Chunker(splitter_of(self.recipe), self.special_tokens))


def find_remote(addresses: Sequence[str], like: FileDocument) -> list[RemoteFile]:
    """Return the files at these addresses, to be read as `like` is, sorted within each pattern or folder.

    An address without a protocol is a path, which must lead to the same file on every machine. Raise CorpusError.
    """
    return [file for address in addresses for file in _found(address, like)]


def address_of(path: Path) -> str:
    """Return the address at which `find_remote` finds a file on this machine. Raise CorpusError."""
    system, inner = _located(str(path))
    return str(system.unstrip_protocol(inner))


def _found(address: str, like: FileDocument) -> Iterator[RemoteFile]:
    system, path = _located(address)
    try:
        paths = [path]
        if any(wildcard in path for wildcard in "*?[") and not system.exists(path):
            paths = sorted(each for each in system.glob(path) if system.isfile(each))
        elif system.isdir(path):
            paths = sorted(each for each in system.find(path) if not Path(each).name.startswith("."))
        found = [(system.unstrip_protocol(each), _state_at(system, each)) for each in paths]
    except Exception as error:  # each kind of storage has errors of its own
        raise _unreachable(address, error) from error
    if not found:
        raise CorpusError("No file matches {path}.", path=address)
    for full, state in found:
        yield RemoteFile(
            Path(full.rpartition("/")[2]),
            like.encoding,
            like.replace_invalid,
            like.field,
            like.skip_bad_lines,
            full,
            state,
        )


def _located(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path in it. Raise CorpusError."""
    if "://" not in address:
        address = os.path.abspath(address)  # noqa: PTH100  # without following links
    fsspec = package("fsspec")
    try:
        system, path = fsspec.url_to_fs(address)
    except Exception as error:
        raise _unreachable(address, error) from error
    return system, path


def _state_at(system: Any, path: str) -> FileState:
    """Return the current size and version of a file, from its storage."""
    system.invalidate_cache(path)
    return FileState(int(system.size(path) or 0), str(system.ukey(path)))


def _unreachable(address: str, error: Exception) -> CorpusError:
    # For a missing file, the error of some kinds of storage has only the path.
    reason = os.strerror(errno.ENOENT) if isinstance(error, FileNotFoundError) else str(error) or type(error).__name__
    return CorpusError("{path} cannot be read: {reason}.", path=address, reason=reason.rstrip("."))
