"""What is said about memory holds on a machine of one's own and in a container with a limit."""

from pathlib import Path

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
    monkeypatch.setattr(memory, "_OWN_GROUP", own)
    monkeypatch.setattr(memory, "_GROUPS", groups)
    machine = type("Machine", (), {"available": 64 * GIB})
    monkeypatch.setattr(psutil, "virtual_memory", machine)
    return groups / "outer" / "inner"


def limit(group: Path, most: int | str, used: int, stat: str = "anon 5\ninactive_file 0\nactive_file 7\n") -> None:
    (group / "memory.max").write_text(f"{most}\n")
    (group / "memory.current").write_text(f"{used}\n")
    (group / "memory.stat").write_text(stat)


def test_what_is_in_use_grows_with_what_is_kept() -> None:
    before = memory.in_use()
    kept = b"x" * 64_000_000
    assert memory.in_use() - before > len(kept) // 2


def test_this_machine_has_some_and_not_more_than_it_has() -> None:
    assert 0 < memory.available() <= psutil.virtual_memory().total


def test_without_a_limit_it_is_what_the_machine_has(container: Path) -> None:
    assert memory.available() == 64 * GIB
    limit(container, "max", GIB)
    assert memory.available() == 64 * GIB


def test_a_limit_above_what_the_machine_has_changes_nothing(container: Path) -> None:
    limit(container, 100 * GIB, GIB)
    assert memory.available() == 64 * GIB


def test_a_limit_leaves_what_is_not_used(container: Path) -> None:
    limit(container, 4 * GIB, 3 * GIB)
    assert memory.available() == GIB


def test_files_that_were_read_make_room(container: Path) -> None:
    limit(container, 4 * GIB, 4 * GIB, f"anon 5\ninactive_file {2 * GIB}\n")
    assert memory.available() == 2 * GIB


def test_the_limit_of_an_outer_group_holds(container: Path) -> None:
    limit(container, 4 * GIB, GIB)
    limit(container.parent, 8 * GIB, 6 * GIB)
    assert memory.available() == 2 * GIB


def test_a_limit_that_was_lowered_below_what_is_used_leaves_nothing(container: Path) -> None:
    limit(container, GIB, 2 * GIB)
    assert memory.available() == 0


def test_a_group_that_cannot_be_read_is_none(container: Path) -> None:
    (container / "memory.max").write_text("1000\n")
    assert memory.available() == 64 * GIB
    (container / "memory.current").write_text("500\n")
    assert memory.available() == 500


def test_a_system_without_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_OWN_GROUP", tmp_path / "none")
    assert memory.available() > 0
