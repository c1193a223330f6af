"""The available memory is reported correctly, on a whole machine and in a container with a limit."""

import logging
import mmap
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest

from bpe_gui.engine.runtime import memory

GIB = 2**30


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The control group of a container, without limits, on a machine with 64 GiB to spare."""
    own = tmp_path / "own"
    own.write_text("4:memory:/elsewhere\n0::/outer/inner\n")
    groups = tmp_path / "groups"
    (groups / "outer" / "inner").mkdir(parents=True)
    monkeypatch.setattr(memory, "_OWN_CGROUP", own)
    monkeypatch.setattr(memory, "_CGROUPS", groups)
    machine = tmp_path / "machine"
    machine.write_text(f"MemTotal: 9 kB\nMemAvailable: {64 << 20} kB\n")
    monkeypatch.setattr(memory, "_MACHINE", machine)
    monkeypatch.setattr(psutil, "virtual_memory", type("Machine", (), {"available": 64 * GIB}))
    return groups / "outer" / "inner"


def limit(group: Path, most: int | str, used: int, stat: str = "anon 5\ninactive_file 0\nactive_file 7\n") -> None:
    (group / "memory.max").write_text(f"{most}\n")
    (group / "memory.current").write_text(f"{used}\n")
    (group / "memory.stat").write_text(stat)


def test_memory_in_use_grows_with_what_is_kept() -> None:
    before = memory.in_use()
    kept = b"x" * 64_000_000
    assert memory.in_use() - before > len(kept) // 2


def test_some_memory_is_available_and_not_more_than_there_is() -> None:
    assert 0 < memory.available() <= psutil.virtual_memory().total


def test_without_a_limit_the_machine_decides(container: Path) -> None:
    assert memory.available() == 64 * GIB


@pytest.mark.parametrize(
    ("most", "used", "cached", "left"),
    [
        ("max", 1, 0, 64),
        (100 * GIB, 1, 0, 64),  # more than the machine has
        (4 * GIB, 3, 0, 1),
        (4 * GIB, 4, 2, 2),  # cached files can go
        (GIB, 2, 0, 0),  # lowered below what is used
    ],
)
def test_a_limit_leaves_its_unused_part(container: Path, most: int | str, used: int, cached: int, left: int) -> None:
    limit(container, most, used * GIB, f"anon 5\ninactive_file {cached * GIB}\nactive_file 7\n")
    assert memory.available() == left * GIB


@pytest.mark.parametrize("says", ["MemTotal: 9 kB\n", None])
def test_a_machine_that_does_not_say_what_is_left_is_measured(
    says: str | None, container: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "machine").unlink()
    if says is not None:
        (tmp_path / "machine").write_text(says)
    monkeypatch.setattr(psutil, "virtual_memory", type("Machine", (), {"available": 7 * GIB}))
    assert memory.available() == 7 * GIB


def test_the_limit_of_an_outer_group_applies(container: Path) -> None:
    limit(container, 4 * GIB, GIB)
    limit(container.parent, 8 * GIB, 6 * GIB)
    assert memory.available() == 2 * GIB


def test_a_group_that_cannot_be_read_does_not_count(container: Path, caplog: pytest.LogCaptureFixture) -> None:
    (container / "memory.max").write_text("1000\n")
    assert memory.available() == 64 * GIB
    (container / "memory.current").write_text("damaged\n")
    with caplog.at_level(logging.DEBUG, "bpe_gui"):
        assert memory.available() == 64 * GIB
    assert str(container) in caplog.text
    (container / "memory.current").write_text("500\n")
    assert memory.available() == 500


def test_a_system_without_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_OWN_CGROUP", tmp_path / "none")
    assert memory.available() > 0


def test_memory_that_is_refused_is_a_memory_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_flags: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    with pytest.raises(MemoryError, match="8,000 bytes cannot be mapped"):
        memory.zeros(1000, np.int64)


def test_zeros_do_without_huge_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Linux without transparent huge pages refuses the advice; macOS and Windows have no such advice."""

    class WithoutHugePages(mmap.mmap):
        def madvise(self, *_arguments: int) -> None:
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(mmap, "mmap", WithoutHugePages)
    assert not memory.zeros(1 << 20, np.int64, huge_pages=True).any()
    if sys.platform == "linux":
        monkeypatch.setattr(sys, "platform", "darwin")
        assert not memory.zeros(1 << 20, np.int64, huge_pages=True).any()


RESULT = 1 << 20
"""The length of an array whose memory is worth keeping."""

keeps_memory = pytest.mark.skipif(not hasattr(mmap, "MADV_FREE"), reason="this system cannot take memory that is kept")


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[deque[mmap.mmap]]:
    """What is kept of freed results: nothing yet."""
    kept = deque[mmap.mmap](maxlen=1)
    monkeypatch.setattr(memory, "_kept", kept)
    yield kept
    kept.clear()


@keeps_memory
def test_the_memory_of_a_result_is_used_again_once_no_view_of_it_is_left(kept: deque[mmap.mmap]) -> None:
    result = memory.result_array(RESULT)
    result[:] = 7
    address, view = result.ctypes.data, result[1:][:3]
    del result
    other = memory.result_array(RESULT)
    other[:] = 8
    assert view.tolist() == [7, 7, 7]
    del view
    assert memory.result_array(RESULT - 1).ctypes.data == address
    del other
    assert len(kept) == 1


@keeps_memory
@pytest.mark.parametrize("length", [RESULT + 1, RESULT // 2 - 1])
def test_kept_memory_that_does_not_suit_a_result_is_freed(kept: deque[mmap.mmap], length: int) -> None:
    memory.result_array(RESULT)
    assert len(kept) == 1
    result = memory.result_array(length)
    assert not kept
    assert len(result) == length


def test_little_memory_is_not_kept(kept: deque[mmap.mmap]) -> None:
    memory.result_array(1000)
    assert not kept


@pytest.mark.skipif(sys.platform != "linux", reason="other systems only say that they may take the rest")
def test_no_more_than_the_beginning_of_a_very_large_result_is_kept(
    kept: deque[mmap.mmap], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_MAX_KEPT", 2 * RESULT)
    memory.result_array(RESULT)[:] = 7
    assert len(kept) == 1
    assert not memory.result_array(RESULT)[RESULT // 2 :].any()


def test_freed_memory_is_released_on_demand(kept: deque[mmap.mmap]) -> None:
    memory.result_array(RESULT)
    memory.release_freed()
    assert not kept


def test_a_system_that_cannot_take_memory_back_keeps_none(
    kept: deque[mmap.mmap], monkeypatch: pytest.MonkeyPatch
) -> None:
    class WithoutAdvice(mmap.mmap):
        def madvise(self, *_arguments: int) -> None:
            raise OSError(22, "Invalid argument")

    with monkeypatch.context() as patch:
        patch.setattr(mmap, "mmap", WithoutAdvice)
        memory.result_array(RESULT)
    assert not kept
    monkeypatch.delattr(mmap, "MADV_FREE", raising=False)
    memory.result_array(RESULT)
    assert not kept


@pytest.mark.usefixtures("kept")
def test_results_of_several_threads_do_not_share_memory() -> None:
    def write(number: int) -> bool:
        result = memory.result_array(RESULT)
        result[:] = number
        return bool((result == number).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write, range(100)))
