"""Find files by patterns, in a folder of any size, without following links in a circle."""

import logging
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from os import PathLike
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.arguments import check_several, check_type
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.files import is_folder
from bpe_gui.engine.runtime.types import Progress

MAX_FILES: Final = 100_000
"""The number of files at which a search stops."""

_WILDCARD: Final = re.compile(r"[*?[]")
_ANY_NAME: Final = re.compile(r"(?!\.)")
_ANY_DEPTH: Final = "**"
_FLAGS: Final = re.IGNORECASE if os.name == "nt" else re.NOFLAG

_NamePattern = re.Pattern[str] | None
"""A pattern for one name in a path. None, which stands for `**`, matches any number of folders."""
_PathPattern = tuple[_NamePattern, ...]
"""Patterns for the names from a folder down to a file. The last one, for the file, is never None."""

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file and its state, which reveals changes: size in bytes, modification time in nanoseconds and inode."""

    path: Path
    state: tuple[int, int, int]

    @property
    def size(self) -> int:
        """Its size in bytes when it was found."""
        return self.state[0]


class FileSearch:
    """A search for all files below `folder` that match one of `patterns`, which are separated by `;`.

    `*` matches any part of a name, `?` one character, `[abc]` one of these characters, `**` folders at any depth. A
    pattern may begin anywhere: `/data/**/*.md`. Names that begin with a dot are skipped unless the pattern has the dot.
    Links are followed, but each folder is searched only once. Other threads may read the results during the search.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("b.txt", "a.md", "c.html", ".d.txt"):
    ...         _ = Path(folder, name).write_text("low")
    ...     search = FileSearch(Path(folder), "**/*.txt; *.md")
    ...     search.run()
    ...     [file.path.name for file in search.files], search.size
    (['a.md', 'b.txt'], 6)
    """

    def __init__(self, folder: Path, patterns: str, max_files: int = MAX_FILES) -> None:
        self.files: list[FoundFile] = []
        self.size = 0
        """The size of all files in bytes."""
        self.limited = False
        """Whether there are more files than `max_files`."""
        self.folders = 0
        """The number of folders that were searched."""
        self.unreadable: list[Path] = []
        """Folders that the system does not let us read."""
        self._starts = _parse_patterns(folder, patterns)
        self._max_files = max_files
        self._paths: set[str] = set()
        self._visited: set[tuple[int, int, frozenset[_PathPattern]]] = set()

    def run(self, progress: Progress | None = None) -> None:
        """Search, and sort the files by path. `progress` is called with the number of files found and their limit."""
        for start, patterns in self._starts.items():
            self._walk(start, _with_depth_skipped(patterns), progress)
        self.files = sorted(self.files, key=lambda file: file.path.parts)  # in-place sorting empties the list meanwhile
        _logger.debug("found %d files in %d folders", len(self.files), self.folders)

    def _walk(self, start: Path, patterns: frozenset[_PathPattern], progress: Progress | None) -> None:
        pending = [(start, patterns)]
        while pending and not self.limited:
            folder, patterns = pending.pop()
            folders = []
            for entry in self._entries(folder, patterns):
                if progress:
                    progress(len(self.files), self._max_files)
                if _is_folder(entry):
                    if patterns_below := _patterns_below(patterns, entry.name):
                        folders.append((Path(entry.path), patterns_below))
                elif any(len(pattern) == 1 and _first_matches(pattern, entry.name) for pattern in patterns):
                    self._add(entry)
            pending += sorted(folders, key=lambda item: item[0], reverse=True)

    def _entries(self, folder: Path, patterns: frozenset[_PathPattern]) -> Iterator[os.DirEntry[str]]:
        """Yield the entries of a folder, unless it was already searched for these patterns through another link."""
        try:
            status = folder.stat()
            visit = status.st_dev, status.st_ino, patterns
            if visit not in self._visited:
                self._visited.add(visit)
                with os.scandir(folder) as entries:
                    self.folders += 1
                    yield from entries
        except (OSError, ValueError) as error:  # ValueError: a null character
            _logger.info("a folder is skipped: %s", getattr(error, "strerror", type(error).__name__))
            self.unreadable.append(folder)

    def _add(self, entry: os.DirEntry[str]) -> None:
        path = entry.path
        try:
            status = os.stat(path)  # noqa: PTH116  # on Windows, the entry's own status has no inode
        except OSError:  # a broken link, or a file that was just removed
            _logger.debug("a file is skipped: it cannot be examined")
            return
        if not stat.S_ISREG(status.st_mode) or path in self._paths:
            return
        if len(self.files) >= self._max_files:
            self.limited = True
            return
        self._paths.add(path)
        self.files.append(FoundFile(Path(path), (status.st_size, status.st_mtime_ns, status.st_ino)))
        self.size += status.st_size


def find_files(paths: Iterable[Path | str]) -> list[Path]:
    """Return these files, with each folder and each pattern replaced by its files, sorted.

    A name with wildcards is a pattern unless there is such a file. Raise CorpusError for an empty name, and if no file
    matches, or too many.
    """
    check_several("paths", paths)
    files: list[Path] = []
    for given in paths:
        check_type("path", given, str, PathLike)
        if not str(given):
            raise CorpusError("The name of a file is empty.")
        path = given if isinstance(given, Path) else Path(given)
        if is_folder(path):
            files += _found(path, "**/*")
        elif _WILDCARD.search(str(path)) and not path.exists():
            files += _found(Path(), str(path))
        else:
            files.append(path)
    return files


def _found(folder: Path, pattern: str) -> list[Path]:
    search = FileSearch(folder, pattern)
    search.run()
    is_pattern = folder == Path()
    name = pattern if is_pattern else folder
    if not search.files and is_pattern:
        raise CorpusError("No file matches {path}.", path=name)
    if not search.files:
        raise CorpusError("{path} has no files. Name a folder with text, or a file.", path=name)
    if search.limited:
        raise CorpusError(
            "{path} has more than {most:,} files. Name a folder or a pattern with fewer.", path=name, most=MAX_FILES
        )
    return [file.path for file in search.files]


def _parse_patterns(folder: Path, patterns: str) -> dict[Path, list[_PathPattern]]:
    """Return the folders to start from, each with the patterns to search for below it."""
    starts: dict[Path, list[_PathPattern]] = {}
    for pattern in filter(None, map(str.strip, patterns.split(";"))):
        names = os.path.expanduser(pattern).replace(os.sep, "/").split("/")  # noqa: PTH111  # Path's raises
        literal = next((i for i, name in enumerate(names) if _WILDCARD.search(name)), len(names) - 1)
        start = folder / "/".join([*names[:literal], ""])  # not below `folder` if the pattern is absolute
        # abspath gives a folder one name without following links.
        starts.setdefault(Path(os.path.abspath(start)), []).append(_compile(names[literal:]))  # noqa: PTH100
    return starts


def _compile(names: Iterable[str]) -> _PathPattern:
    pattern: list[_NamePattern] = []
    for name in filter(None, names):
        if name != _ANY_DEPTH:
            not_hidden = "" if name.startswith(".") else r"(?!\.)"
            pattern.append(re.compile(not_hidden + translate(name), _FLAGS))
        elif not pattern or pattern[-1] is not None:
            pattern.append(None)
    return tuple(pattern) if pattern and pattern[-1] is not None else (*pattern, _ANY_NAME)


def _patterns_below(patterns: Iterable[_PathPattern], name: str) -> frozenset[_PathPattern]:
    """Return the patterns for the folder `name` inside a folder with these patterns."""
    deeper = {pattern for pattern in patterns if pattern[0] is None and not name.startswith(".")}
    following = {pattern[1:] for pattern in patterns if len(pattern) > 1 and _first_matches(pattern, name)}
    return _with_depth_skipped(deeper | following)


def _with_depth_skipped(patterns: Iterable[_PathPattern]) -> frozenset[_PathPattern]:
    """Add what follows a leading `**`, which may match no folder at all."""
    return frozenset(patterns).union(pattern[1:] for pattern in patterns if pattern[0] is None)


def _first_matches(pattern: _PathPattern, name: str) -> bool:
    return pattern[0] is not None and pattern[0].match(name) is not None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
