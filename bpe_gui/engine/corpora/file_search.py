"""Finding files by patterns, in a folder of any size, and never round in a circle."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.progress import Progress

MOST_FILES: Final = 100_000
"""How many files are found before a search stops."""

_MAGIC: Final = re.compile(r"[*?[]")
_ANYTHING: Final = re.compile(r"(?!\.)")
_ANY_DEPTH: Final = "**"
_FLAGS: Final = re.IGNORECASE if os.name == "nt" else re.NOFLAG

_Name = re.Pattern[str] | None
"""What one name on the way to a file must look like; None, the pattern `**`, stands for any names or none."""
_Way = tuple[_Name, ...]
"""What the names from a folder down to a file must look like; the file's, the last, is never None."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, and what tells whether it is still the same one: its size in bytes, its time, its number."""

    path: Path
    state: tuple[int, int, int]

    @property
    def size(self) -> int:
        """How large it was when it was found, in bytes."""
        return self.state[0]


class FileSearch:
    """All files below `folder` that match one of `patterns`, which are separated by `;`.

    `*` stands for any part of a name, `?` for one character, `[abc]` for one of these, `**` for folders at any depth.
    A pattern may begin anywhere: `/data/**/*.md`. Names that begin with a dot are left out, unless the pattern has the
    dot. Links are followed, and each folder is looked through once. Another thread may watch the search go on.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("b.txt", "a.md", "c.html", ".d.txt"):
    ...         _ = Path(folder, name).write_text("low")
    ...     search = FileSearch(Path(folder), "**/*.txt; *.md")
    ...     search.run()
    ...     [file.path.name for file in search.files], search.size
    (['a.md', 'b.txt'], 6)
    """

    def __init__(self, folder: Path, patterns: str, most: int = MOST_FILES) -> None:
        self.files: list[FoundFile] = []
        self.size = 0
        self.limited = False
        """Whether there are more files than are wanted."""
        self.folders = 0
        """How many were looked through."""
        self.unreadable: list[Path] = []
        """Folders that the system does not let us read."""
        self._ways = _ways(folder, patterns)
        self._most = most
        self._known: set[Path] = set()
        self._entered: set[tuple[int, int, frozenset[_Way]]] = set()

    def run(self, progress: Progress | None = None) -> None:
        """Search; in the end the files are sorted by path. `progress` gets the files found and how many can be."""
        for start, ways in self._ways.items():
            self._walk(start, _reached(ways), progress)
        self.files = sorted(self.files, key=lambda file: file.path)  # in place, a list is empty for a while

    def _walk(self, start: Path, ways: frozenset[_Way], progress: Progress | None) -> None:
        ahead = [(start, ways)]
        while ahead and not self.limited:
            folder, ways = ahead.pop()
            folders = []
            for entry in self._entries(folder, ways):
                if progress:
                    progress(len(self.files), self._most)
                if _is_folder(entry):
                    if below := _below(ways, entry.name):
                        folders.append((Path(entry.path), below))
                elif any(len(way) == 1 and _fits(way, entry.name) for way in ways):
                    self._take(entry)
            ahead += sorted(folders, key=lambda found: found[0], reverse=True)

    def _entries(self, folder: Path, ways: frozenset[_Way]) -> Iterator[os.DirEntry[str]]:
        """What is in a folder; nothing where these ways were followed from there before, by another link to it."""
        try:
            status = folder.stat()
            mark = status.st_dev, status.st_ino, ways
            if mark not in self._entered:
                self._entered.add(mark)
                with os.scandir(folder) as entries:
                    self.folders += 1
                    yield from entries
        except (OSError, ValueError):  # ValueError: a zero character
            self.unreadable.append(folder)

    def _take(self, entry: os.DirEntry[str]) -> None:
        try:
            status = entry.stat()
        except OSError:  # a link to nowhere, or a file that has just gone
            return
        path = Path(entry.path)
        if not stat.S_ISREG(status.st_mode) or path in self._known:
            return
        if len(self.files) >= self._most:
            self.limited = True
            return
        self._known.add(path)
        self.files.append(FoundFile(path, (status.st_size, status.st_mtime_ns, status.st_ino)))
        self.size += status.st_size


def _ways(folder: Path, patterns: str) -> dict[Path, list[_Way]]:
    """Where to begin, and what to look for from there."""
    found: dict[Path, list[_Way]] = {}
    for pattern in filter(None, map(str.strip, patterns.split(";"))):
        names = os.path.expanduser(pattern).replace(os.sep, "/").split("/")  # noqa: PTH111 (Path's raises)
        plain = next((i for i, name in enumerate(names) if _MAGIC.search(name)), len(names) - 1)
        start = folder / "/".join([*names[:plain], ""])  # which is elsewhere where the pattern begins with a root
        # Two spellings of one folder are one place, and no link is followed for that.
        found.setdefault(Path(os.path.abspath(start)), []).append(_compiled(names[plain:]))  # noqa: PTH100
    return found


def _compiled(names: Iterable[str]) -> _Way:
    way: list[_Name] = []
    for name in filter(None, names):
        if name != _ANY_DEPTH:
            hidden = "" if name.startswith(".") else r"(?!\.)"
            way.append(re.compile(hidden + translate(name), _FLAGS))
        elif not way or way[-1] is not None:
            way.append(None)
    return tuple(way) if way and way[-1] is not None else (*way, _ANYTHING)


def _below(ways: Iterable[_Way], name: str) -> frozenset[_Way]:
    """What must follow in the folder of that name."""
    stay = {way for way in ways if way[0] is None and not name.startswith(".")}
    go_on = {way[1:] for way in ways if len(way) > 1 and _fits(way, name)}
    return _reached(stay | go_on)


def _reached(ways: Iterable[_Way]) -> frozenset[_Way]:
    """These ways, and what is left of them where `**` stands for no folder."""
    return frozenset(ways).union(way[1:] for way in ways if way[0] is None)


def _fits(way: _Way, name: str) -> bool:
    return way[0] is not None and way[0].match(name) is not None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
