"""What is written keeps what stood there: links, permissions, and whatever is no plain file."""

import os
import stat
import sys
from pathlib import Path

import pytest

from bpe_gui.engine import FormatError
from bpe_gui.engine.runtime.files import write_files

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and permissions of Unix")


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "target.json", tmp_path / "link.json"
    target.parent.mkdir()
    target.write_text("old")
    link.symlink_to(target)
    write_files({link: "new"})
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "there"]


@posix
def test_permissions_stay(tmp_path: Path) -> None:
    path = tmp_path / "private.json"
    path.write_text("old")
    path.chmod(0o600)
    write_files({path: "new"})
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix
def test_a_pipe_is_refused_and_stays_one(tmp_path: Path) -> None:
    pipe, other = tmp_path / "pipe.json", tmp_path / "other.json"
    os.mkfifo(pipe)
    with pytest.raises(FormatError, match="is a device or a pipe"):
        write_files({other: "new", pipe: "new"})
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert not other.exists()


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    first, second = tmp_path / ("x" * 250), tmp_path / ("x" * 249 + "y")
    write_files({first: "1", second: "2"})
    write_files({first: "3", second: "4"})
    assert (first.read_text(), second.read_text()) == ("3", "4")
    assert len(list(tmp_path.iterdir())) == 2
