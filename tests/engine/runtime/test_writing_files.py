"""Written files keep what was there: links, permissions and special files; a failure leaves everything as it was."""

import logging
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_gui.engine import FormatError, write_files
from bpe_gui.engine.runtime import files
from tests.pipes import make_pipe

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
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "private.json"
    path.write_text("old")
    path.chmod(0o600)
    write_files({path: "new"})
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@posix
def test_a_pipe_is_refused_and_stays_one(tmp_path: Path) -> None:
    pipe, other = tmp_path / "pipe.json", tmp_path / "other.json"
    make_pipe(pipe)
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


@pytest.mark.skipif(sys.platform != "win32", reason="the limit of Windows")
def test_the_longest_paths_can_be_written(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * (246 - len(str(tmp_path))))
    for length in (250, 259):
        path = folder / "a.txt".rjust(length - len(str(folder)) - 1, "a")
        write_files({path: "1"})
        write_files({path: "2"})
        assert path.read_text() == "2"
    assert len(list(folder.iterdir())) == 2


def test_files_are_copied_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    first, folder = tmp_path / "first.json", tmp_path / "folder"
    first.write_text("old")
    folder.mkdir()
    with pytest.raises(FormatError):
        write_files({first: "new", folder: "a folder cannot be replaced"})
    assert first.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [first, folder]
    write_files({first: "new"})
    assert first.read_text() == "new"


@posix
def test_what_a_killed_process_left_is_removed_once_it_is_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, long = tmp_path / "a.json", tmp_path / ("x" * 250)
    left = [files._beside(each, "0123abcd", ending) for each in (path, long) for ending in ("part", "old")]
    others = [tmp_path / name for name in (".b.json.0123abcd.part", ".a.json.part", ".a.json.0123abcd.part.txt")]
    for each in (*left, *others):
        each.write_text("left")
    write_files({path: "1", long: "1"})
    assert all(each.exists() for each in (*left, *others))  # somebody may still be writing them
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 4000)
    write_files({path: "2", long: "2"})
    assert set(tmp_path.iterdir()) == {path, long, *others}


def test_a_file_that_is_too_large_is_not_called_something_else(tmp_path: Path) -> None:
    """Projects, plans and recipes are read by the same function as tokenizers."""
    (tmp_path / "project.bpe.json").write_text("{" + " " * 100)
    with pytest.raises(FormatError, match="larger than 10 bytes, which is too large for this kind of file"):
        files.read_text(tmp_path / "project.bpe.json", 10)


def test_names_that_no_file_can_have_are_refused(tmp_path: Path) -> None:
    for path in (Path(), tmp_path / "\ud800", tmp_path / "\0"):
        with pytest.raises(FormatError):
            write_files({path: "text"})


# -- as on Windows ------------------------------------------------------------------------------------------------


class OpenElsewhere:
    """Files that another process has open, so that Windows refuses to replace or remove them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refusals: dict[Path, int] = {}
        """By path: how often it is still going to be refused."""
        replace, unlink = Path.replace, Path.unlink

        def replace_if_closed(path: Path, target: Path) -> Path:
            self._refuse(target)
            return replace(path, target)

        def unlink_if_closed(path: Path, missing_ok: bool = False) -> None:
            self._refuse(path)
            unlink(path, missing_ok)

        monkeypatch.setattr(Path, "replace", replace_if_closed)
        monkeypatch.setattr(Path, "unlink", unlink_if_closed)

    def _refuse(self, path: Path) -> None:
        if self.refusals.get(path, 0) > 0:
            self.refusals[path] -= 1
            raise PermissionError(13, "Access is denied", str(path))


@pytest.fixture
def open_elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenElsewhere]:
    monkeypatch.setattr(files, "_RETRY_DELAYS", (0, 0, 0))
    with pytest.MonkeyPatch.context() as patch:
        yield OpenElsewhere(patch)


def test_a_file_that_is_open_for_a_moment_is_replaced(tmp_path: Path, open_elsewhere: OpenElsewhere) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    open_elsewhere.refusals[path] = 3
    write_files({path: "new"})
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_stays_open_is_reported_and_nothing_changes(tmp_path: Path, open_elsewhere: OpenElsewhere) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text("old")
    second.write_text("old")
    open_elsewhere.refusals[second] = 10**9
    with pytest.raises(FormatError, match=r"b\.json cannot be written: Access is denied"):
        write_files({first: "new", second: "new"})
    assert first.read_text() == second.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_the_former_content_is_kept_where_it_cannot_be_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    replace = Path.replace
    targets: list[Path] = []

    def replace_only_once(path: Path, target: Path) -> Path:
        targets.append(target)
        if len(targets) > 1:
            raise PermissionError(13, "Access is denied", str(target))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", replace_only_once)
    monkeypatch.setattr(files, "_RETRY_DELAYS", ())
    first.write_text("old")
    with pytest.raises(FormatError):
        write_files({first: "new", second: "new"})
    assert targets == [first, second, first]
    (kept,) = set(tmp_path.iterdir()) - {first}
    assert kept.read_text() == "old"
    assert str(kept) in caplog.text


def test_a_read_only_file_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    second.write_text("old")
    may_access = os.access
    monkeypatch.setattr(files, "_CAN_REPLACE_READ_ONLY", False)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != second and may_access(path, mode))
    with pytest.raises(FormatError, match=r"b\.json cannot be written: Permission denied"):
        write_files({first: "new", second: "new"})
    assert list(tmp_path.iterdir()) == [second]
    assert second.read_text() == "old"


def test_a_failure_is_logged_by_path_and_without_content(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with caplog.at_level(logging.DEBUG, "bpe_gui"), pytest.raises(FormatError):
        write_files({folder: "somebody's text"})
    assert str(folder) in caplog.text
    assert "somebody's text" not in caplog.text
