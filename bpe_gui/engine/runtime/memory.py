"""How much memory this program uses, and how much it can still get."""

import ctypes
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
import psutil

Number = TypeVar("Number", bound=np.generic)

_LARGE: Final = 1 << 22  # bytes from which on large pages are worth it
# What others could share is not given in large pages. Windows has no such flags.
_OWN: Final = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if sys.platform != "win32" else {}
_GROUPS: Final = Path("/sys/fs/cgroup")
_OWN_GROUP: Final = Path("/proc/self/cgroup")


def in_use() -> int:
    """Bytes of memory that this program has now.

    >>> in_use() > 1_000_000
    True
    """
    return int(psutil.Process().memory_info().rss)


def available() -> int:
    """Bytes of memory that can still be used without swapping.

    Of a machine that is shared, as a container's is, that may be less than what is free: on Linux, a control group
    (version 2) may have a limit.

    >>> 0 <= available() <= psutil.virtual_memory().total
    True
    """
    lefts = (_left_in(group) for group in _groups())
    return max(0, min([psutil.virtual_memory().available, *(left for left in lefts if left is not None)]))


def zeros(length: int, kind: type[Number], *, is_scattered: bool = False) -> npt.NDArray[Number]:
    """Zeros in memory that the system gets back as soon as they are gone; what threads free, glibc may keep for good.

    What `is_scattered`, as hash tables are, is asked for here and there: then large pages are found sooner.

    >>> zeros(2, np.int64).tolist()
    [0, 0]
    """
    room = mmap.mmap(-1, length * np.dtype(kind).itemsize, **_OWN)
    if is_scattered and len(room) >= _LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
        room.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(room, kind)


def give_back() -> None:
    """Return to the system what was freed: after threads had much of it, glibc keeps tens of megabytes of that.

    >>> give_back()
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries have no such function
        if trim is not None:
            trim(0)


def _groups() -> Iterator[Path]:
    """The control groups that this program is in, from its own to the outermost: the limit of each holds."""
    try:
        lines = _OWN_GROUP.read_text().splitlines()
    except OSError:  # not Linux
        return
    for line in lines:
        if line.startswith("0::/"):  # version 2
            own = _GROUPS / line.removeprefix("0::/")
            yield from (group for group in (own, *own.parents) if group.is_relative_to(_GROUPS))


def _left_in(group: Path) -> int | None:
    """Bytes up to the group's limit; None if it has none."""
    try:
        limit, used = ((group / name).read_text() for name in ("memory.max", "memory.current"))
        return int(limit) - int(used) + _reclaimable(group)
    except (OSError, ValueError):  # the outermost group has no such files; without a limit it is `max`
        return None


def _reclaimable(group: Path) -> int:
    """Bytes of files that were read once: they count as used, and make room for whatever needs it."""
    try:
        lines = (group / "memory.stat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("inactive_file ")), 0)
