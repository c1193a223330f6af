"""Compiled kernels are kept in a folder that may be missing, damaged or somebody else's, and loaded from it."""

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import platformdirs
import pytest

from bpe_gui.engine.compilation import code_cache, compiled, machine_code
from tests.engine.support.workers import in_worker, load_code, quick_context

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="users and permissions of POSIX systems")

Load = Callable[..., tuple[str, bool]]


def fallback_folder_name() -> str:
    """Return the name of the folder in the folder of temporary files where code is kept if the cache cannot be used."""
    # These tests are skipped on Windows, but mypy checks each branch as its own system.
    if sys.platform == "win32":
        name = "bpe-gui"
    else:
        name = f"bpe-gui-{os.getuid()}"
    return name


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return environment variables that put the user's cache and temporary files into `tmp_path`."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "home").mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path / "temporary"),
    }


@pytest.fixture(scope="session")
def codes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a folder with the machine code of each group of kernels."""
    compiled.load()
    folder = tmp_path_factory.mktemp("codes")
    for group in code_cache.groups():
        code = code_cache.read(group)
        assert code is not None
        (folder / group).write_bytes(code)
    return str(folder)


@pytest.fixture
def load(environment: dict[str, str], codes: str) -> Load:
    """Return a function that loads machine code in a new process.

    That function returns the folder of machine code, and whether all of it was found there. `before` is Python source
    to run first; keyword arguments are environment variables.
    """

    def run(before: str = "", **more_variables: str) -> tuple[str, bool]:
        return cast(
            tuple[str, bool], in_worker(quick_context(), load_code, codes, before, environment | more_variables)
        )

    return run


@pytest.fixture
def user_cache(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of this user's caches, which depends on different variables on Linux and macOS."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return platformdirs.user_cache_path()


@pytest.fixture
def cache_folder(user_cache: Path) -> str:
    """Return the path of the folder of compiled code in the user's cache."""
    return str(user_cache / "bpe-gui" / f"kernels-{code_cache.fingerprint()}")


@pytest.fixture
def fallback_folder(tmp_path: Path) -> str:
    """Return the path of the folder of compiled code that is used if the cache cannot be."""
    return str(tmp_path / "temporary" / fallback_folder_name() / f"kernels-{code_cache.fingerprint()}")


def block(folder: Path) -> None:
    """Put a file where a folder is expected, so that the folder cannot be created."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("not a folder", encoding="utf-8")


# -- which folder -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_code_is_kept_in_the_users_cache(load: Load, cache_folder: str) -> None:
    assert load() == (cache_folder, False)
    assert load() == (cache_folder, True)


@pytest.mark.slow
def test_nobody_else_may_write_there_whatever_the_umask(load: Load, cache_folder: str) -> None:
    assert load("os.umask(0o002)") == (cache_folder, False)
    assert load("os.umask(0o000)") == (cache_folder, True)
    assert Path(cache_folder).stat().st_mode & 0o077 == Path(cache_folder).parent.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_cache_that_cannot_be_created(load: Load, user_cache: Path, fallback_folder: str) -> None:
    block(user_cache)
    assert load() == (fallback_folder, False)
    assert load() == (fallback_folder, True)


@pytest.mark.slow
def test_no_home(load: Load, fallback_folder: str) -> None:
    assert load(HOME="/dev/null/home", XDG_CACHE_HOME="") == (fallback_folder, False)


REFUSE_FILES_IN_CACHE = """
create = tempfile.TemporaryFile
def refuse(*arguments, dir, **options):
    if "temporary" not in str(dir):
        raise PermissionError(13, "Permission denied", str(dir))
    return create(*arguments, dir=dir, **options)
tempfile.TemporaryFile = refuse
"""


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_to(load: Load, fallback_folder: str) -> None:
    assert load(REFUSE_FILES_IN_CACHE) == (fallback_folder, False)


@pytest.mark.slow
def test_neither_a_cache_nor_a_temporary_folder(load: Load, user_cache: Path, tmp_path: Path) -> None:
    block(user_cache)
    block(tmp_path / "temporary" / fallback_folder_name())
    assert load() == ("None", False)
    assert load("tempfile.tempdir = '/dev/null'") == ("None", False)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_cache_that_others_may_write_to_is_not_trusted(
    load: Load, cache_folder: str, fallback_folder: str, mode: int
) -> None:
    load()
    Path(cache_folder).parent.chmod(mode)
    assert load() == (fallback_folder, False)
    Path(cache_folder).parent.chmod(0o700)
    Path(cache_folder).chmod(mode)
    assert load() == (fallback_folder, True)


def give_away(folder: Path) -> None:
    """Make somebody else the owner of `folder`; skip the test if that is not allowed."""
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    else:
        os.chown(folder, 12345, 12345)


@pytest.mark.slow
def test_a_cache_of_somebody_else_is_not_trusted(load: Load, cache_folder: str, fallback_folder: str) -> None:
    load()
    give_away(Path(cache_folder).parent)
    assert load() == (fallback_folder, False)
    give_away(Path(fallback_folder).parent)
    assert load() == ("None", False)


@pytest.mark.slow
def test_a_link_to_a_cache_is_not_trusted(load: Load, tmp_path: Path, cache_folder: str, fallback_folder: str) -> None:
    load()
    elsewhere = tmp_path / "elsewhere"
    Path(cache_folder).parent.rename(elsewhere)
    Path(cache_folder).parent.symlink_to(elsewhere)
    assert load() == (fallback_folder, False)


def test_the_choice_of_a_folder_is_logged(
    user_cache: Path, fallback_folder: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    block(user_cache)
    monkeypatch.setattr(tempfile, "tempdir", str(Path(fallback_folder).parents[1]))
    with caplog.at_level(logging.INFO, "bpe_gui"):
        assert code_cache.cache_folder.__wrapped__() == Path(fallback_folder)
    assert str(user_cache) in caplog.text
    assert f"compiled kernels are cached in {fallback_folder}" in caplog.text


# -- the name of the folder ---------------------------------------------------------------------------------------


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Return the folder of a copy of the kernels' sources."""
    return Path(shutil.copytree(code_cache._KERNELS, tmp_path / "kernels"))


def test_a_changed_helper_in_a_subfolder_gives_another_fingerprint(kernels: Path) -> None:
    before = code_cache.fingerprint(kernels)
    assert code_cache.fingerprint(kernels) == before
    helper = kernels / "training" / "pair_table.py"
    source = helper.read_text("utf-8")
    helper.write_text(source + "\n", "utf-8")
    assert code_cache.fingerprint(kernels) != before
    helper.write_text(source, "utf-8")
    assert code_cache.fingerprint(kernels) == before


def test_a_new_or_renamed_file_gives_another_fingerprint(kernels: Path) -> None:
    before = code_cache.fingerprint(kernels)
    (kernels / "text" / "more").mkdir()
    (kernels / "text" / "more" / "new.py").write_text("")
    added = code_cache.fingerprint(kernels)
    (kernels / "text" / "more" / "new.py").rename(kernels / "text" / "more" / "renamed.py")
    assert len({before, added, code_cache.fingerprint(kernels)}) == 3


def test_another_processor_or_the_checking_of_bounds_gives_another_fingerprint(
    kernels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = code_cache.fingerprint(kernels)
    with monkeypatch.context() as patch:
        patch.setattr(machine_code, "processor", lambda: "x86_64 i486 -sse2")
        assert code_cache.fingerprint(kernels) != before
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert code_cache.fingerprint(kernels) != before


def test_the_place_of_the_package_does_not_change_the_fingerprint(kernels: Path) -> None:
    assert code_cache.fingerprint(kernels) == code_cache.fingerprint()


# -- damaged content ----------------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").touch()


def overwrite(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-100] + bytes(100))


@pytest.mark.slow
@pytest.mark.parametrize("damage", [truncate, empty, overwrite, replace_by_folder, Path.unlink])
def test_damaged_files_are_replaced(load: Load, cache_folder: str, damage: Callable[[Path], Any]) -> None:
    load()
    for group in code_cache.groups():
        damage(Path(cache_folder) / f"{group}.code")
    assert load() == (cache_folder, False)
    assert load() == (cache_folder, True)


@pytest.mark.slow
def test_damaged_files_are_not_worth_waiting_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(code_cache, "cache_folder", lambda: tmp_path)
    for group in code_cache.groups():
        code_cache.write(group, b"code")
    assert compiled.is_cached()
    truncate(tmp_path / f"{group}.code")
    assert not compiled.is_cached()


@pytest.mark.slow
def test_a_full_disk(load: Load, cache_folder: str) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    assert load(full) == (cache_folder, False)
    assert not list(Path(cache_folder).iterdir())
    assert load() == (cache_folder, False)
    assert load(full) == (cache_folder, True)


@pytest.mark.slow
def test_processes_may_load_at_the_same_time(load: Load, cache_folder: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert {folder for folder, _is_complete in pool.map(lambda _number: load(), range(8))} == {cache_folder}
    assert sorted(path.stem for path in Path(cache_folder).iterdir()) == sorted(code_cache.groups())
    assert load() == (cache_folder, True)
