"""Compiled kernels are kept in a folder that may be missing, damaged or somebody else's, and loaded from it."""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from bpe_gui.engine.runtime import code_cache

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="users and permissions of POSIX systems")

LOAD_ONE_KERNEL = """
import os, resource, tempfile
import numpy as np
{before}
from bpe_gui.engine.kernels.training.pair_table import find_pair
from bpe_gui.engine.runtime import code_cache, jit

def warm_up():
    assert find_pair(np.zeros(1, np.int64), np.full(2, -1, np.int32), 5) == -1

jit.load(warm_up)
warm_up()
assert jit.is_compiled()
print(code_cache.cache_folder(), find_pair.compiled.stats.cache_hits.total(), sep="\\n")
"""

Load = Callable[..., tuple[str, bool]]


def fallback_folder_name() -> str:
    """Return the name of the folder in the folder of temporary files where code is kept if the cache cannot be used."""
    if sys.platform == "win32":  # these tests are skipped there, but mypy knows no `getuid` on Windows
        return "bpe-gui"
    return f"bpe-gui-{os.getuid()}"


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


@pytest.fixture
def load(environment: dict[str, str]) -> Load:
    """Return a function that loads a kernel in a new process.

    That function returns the folder of compiled code, and whether the kernel's code was found there. `before` is Python
    source to run first; keyword arguments are environment variables.
    """

    def run(before: str = "", **more_variables: str) -> tuple[str, bool]:
        process = subprocess.run(
            [sys.executable, "-W", "error", "-c", LOAD_ONE_KERNEL.format(before=before)],
            env=os.environ | environment | more_variables,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert process.returncode == 0, process.stderr
        folder, hits = process.stdout.split()
        return folder, hits != "0"

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
    folder.write_text("not a folder")


# -- which folder -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_code_is_kept_in_the_users_cache(load: Load, cache_folder: str) -> None:
    assert load() == (cache_folder, False)
    assert load() == (cache_folder, True)
    assert not list((ROOT / "bpe_gui").rglob("*.nb?"))


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


# -- damaged content ----------------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [truncate, empty, Path.unlink])
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_damaged_files_are_replaced(load: Load, cache_folder: str, kind: str, damage: Callable[[Path], Any]) -> None:
    load()
    files = list(Path(cache_folder).rglob(kind))
    assert files
    for file in files:
        damage(file)
    assert load() == (cache_folder, False)
    load()  # damaged files were removed, so this is the first to write new ones
    assert load() == (cache_folder, True)


@pytest.mark.slow
def test_a_full_disk(load: Load, cache_folder: str) -> None:
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    assert load(full) == (cache_folder, False)
    assert load() == (cache_folder, False)
    assert load(full) == (cache_folder, True)


def test_two_processes_may_load_at_the_same_time(environment: dict[str, str]) -> None:
    script = (
        "from bpe_gui.engine.runtime import compiled; compiled.load(); "
        "print(compiled.is_compiled(), compiled.is_cached())"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env=os.environ | environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _process in range(2)
    ]
    for process in processes:
        assert process.communicate() == (b"True True\n", b"")


# -- loading ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_compiler_that_is_switched_off_leaves_plain_python() -> None:
    script = "from bpe_gui.engine.runtime import compiled; compiled.load_for(1 << 30); print(compiled.is_compiled())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.stdout == "False\n"
    assert "Large corpora take long" in process.stderr and "NUMBA_DISABLE_JIT" in process.stderr


# Signatures that `load` does not compile would be compiled in the middle of the user's work.
PRINT_LATE_SIGNATURES = """
import json
from bpe_gui.engine.runtime import compiled, jit
from tests.engine.support.exercise import exercise, exercise_every_recipe

def signatures():
    return {each.__name__: [str(signature) for signature in each.compiled.signatures] for each in jit._kernels}

compiled.load()
before = signatures()
exercise_every_recipe()
exercise(100)
late = {name: sorted(set(after) - set(before[name])) for name, after in signatures().items()}
print(json.dumps({name: added for name, added in late.items() if added}, indent=1))
"""


@pytest.mark.slow
def test_nothing_is_compiled_after_loading() -> None:
    process = subprocess.run([sys.executable, "-c", PRINT_LATE_SIGNATURES], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert process.stdout == "{}\n"


# Only kernels are compiled without negative indices; the switch for that is one of the whole of numba.
INDEX_FROM_THE_END = """
import numba
import numpy as np
from bpe_gui.engine.runtime import compiled

compiled.load()
print(numba.njit(lambda numbers: numbers[numbers[0] - 1])(np.arange(9)))
"""


@pytest.mark.slow
def test_functions_that_others_compile_may_index_from_the_end() -> None:
    process = subprocess.run([sys.executable, "-c", INDEX_FROM_THE_END], cwd=ROOT, capture_output=True, text=True)
    assert process.stdout == "8\n", process.stderr
