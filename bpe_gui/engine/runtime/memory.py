"""Find out how much memory this program uses and can still get, and allocate large arrays."""

import ctypes
import logging
import mmap
import sys
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from .types import Int32Array

Number = TypeVar("Number", bound=np.generic)

_MIN_HUGE: Final = 1 << 22  # bytes; huge pages pay off for arrays of this size or larger
_MIN_KEPT: Final = 1 << 20  # bytes
_MAX_KEPT: Final = 1 << 28
_kept: Final[deque[mmap.mmap]] = deque(maxlen=1)
"""The memory of the last freed result; a new item replaces the old one without a lock."""

_MACHINE: Final = Path("/proc/meminfo")
_CGROUPS: Final = Path("/sys/fs/cgroup")
_OWN_CGROUP: Final = Path("/proc/self/cgroup")

_logger: Final = logging.getLogger(__name__)


def in_use() -> int:
    """Return how many bytes of memory this program uses now.

    >>> in_use() > 1_000_000
    True
    """
    import psutil

    return int(psutil.Process().memory_info().rss)


def available() -> int:
    """Return how many bytes of memory can still be used without swapping.

    On Linux, a control group (version 2), such as a container's, may allow less than the machine has left.

    >>> available() >= 0
    True
    """
    limits = (_left_in(cgroup) for cgroup in _cgroups())
    return max(0, min([_left_in_machine(), *(limit for limit in limits if limit is not None)]))


def zeros(length: int, kind: type[Number], *, huge_pages: bool = False) -> np.ndarray[Any, np.dtype[Number]]:
    """Return an array of zeros whose memory returns to the system as soon as the array is freed.

    glibc may keep memory that a thread frees, so this memory is mapped directly. With `huge_pages`, ask for huge pages:
    fewer accesses to a hash table miss the TLB, but an array that is hardly written to takes more memory. Raise
    MemoryError if the system refuses.

    >>> zeros(2, np.int64).tolist()
    [0, 0]
    """
    size = length * np.dtype(kind).itemsize
    buffer = _map(size)
    if sys.platform == "linux" and huge_pages and size >= _MIN_HUGE:
        try:
            buffer.madvise(mmap.MADV_HUGEPAGE)
        except OSError:  # a kernel without transparent huge pages
            _logger.debug("huge pages were refused", exc_info=True)
    return np.frombuffer(buffer, kind)


def result_array(length: int) -> Int32Array:
    """Return an array for a result, with zeros or the content of an earlier, freed result.

    Writing to memory that was used before takes a third as long as writing to new memory. Up to 256 MB of a freed
    result are kept for the next one; the system may reclaim them. Raise MemoryError if the system refuses.

    >>> len(result_array(2))
    2
    """
    size = length * np.dtype(np.int32).itemsize
    if size < _MIN_KEPT:
        return zeros(length, np.int32)
    buffer = _take_kept(size) or _map(size)
    array = np.frombuffer(buffer, np.int32, length)
    # Its views keep this array alive, not just the memory.
    weakref.finalize(array, _keep, buffer, size).atexit = False
    return array


def _take_kept(size: int) -> mmap.mmap | None:
    """Take the kept memory if it suits `size` bytes, or else free it.

    So a small, long-lived result does not keep the memory of a large one.
    """
    try:
        buffer = _kept.pop()
    except IndexError:
        return None
    return buffer if size <= len(buffer) <= 2 * size else None


def _keep(buffer: mmap.mmap, size: int) -> None:
    """Keep memory, of which at most `size` bytes were written, if the system can reclaim it until its next use."""
    if sys.platform != "win32" and hasattr(mmap, "MADV_FREE"):
        try:
            buffer.madvise(mmap.MADV_FREE, 0, size)
            if size > _MAX_KEPT:
                buffer.madvise(mmap.MADV_DONTNEED, _MAX_KEPT)  # on macOS, the system reclaims it later
        except OSError:  # a Linux before 4.5
            _logger.debug("memory cannot be kept", exc_info=True)
        else:
            _kept.append(buffer)


def _map(size: int) -> mmap.mmap:
    """Map `size` bytes of zeros. Raise MemoryError if the system refuses."""
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, size)
        else:  # noqa: RET505 (so that each system checks its own branch)
            # Linux uses huge pages only for private memory.
            return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"{size:,} bytes cannot be mapped: {error.strerror}") from error


def release_freed() -> None:
    """Return freed memory to the system: that of a result and, with glibc, tens of megabytes that threads used.

    >>> release_freed()
    """
    _kept.clear()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # other C libraries, such as musl, lack it
        if trim is not None:
            trim(0)


def _cgroups() -> Iterator[Path]:
    """Yield the control groups of this process from the innermost to the outermost; the limits of all of them apply."""
    try:
        lines = _OWN_CGROUP.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:  # macOS, Windows, or a Linux without control groups
        return
    for line in lines:
        if line.startswith("0::/"):  # version 2
            own = _CGROUPS / line.removeprefix("0::/")
            yield from (cgroup for cgroup in (own, *own.parents) if cgroup.is_relative_to(_CGROUPS))


def _left_in_machine() -> int:
    """Return how many bytes of memory programs can still get. On Linux without psutil, whose import takes 20 ms."""
    if sys.platform == "linux":
        with suppress(OSError):
            for line in _MACHINE.read_text("utf-8").splitlines():
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    import psutil

    return int(psutil.virtual_memory().available)


def _left_in(cgroup: Path) -> int | None:
    """Return how many bytes are left below the control group's limit, or None if it has no limit."""
    try:
        limit, used = ((cgroup / name).read_text("ascii").strip() for name in ("memory.max", "memory.current"))
        return None if limit == "max" else int(limit) - int(used) + _reclaimable(cgroup)
    except FileNotFoundError:  # the outermost group has no such files
        return None
    except (OSError, ValueError):
        _logger.debug("the memory limit of %s cannot be read", cgroup, exc_info=True)
        return None


def _reclaimable(cgroup: Path) -> int:
    """Return the size of cached files, which count as used memory until the system drops them to free some."""
    try:
        lines = (cgroup / "memory.stat").read_text("ascii").splitlines()
    except OSError:
        _logger.debug("the cached files of %s cannot be counted", cgroup, exc_info=True)
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("inactive_file ")), 0)
