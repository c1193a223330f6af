"""Compiled kernels are loaded from a folder that may be missing, damaged or somebody else's."""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import platformdirs
import pytest

from bpe_gui.engine.runtime import code_cache, compiled, jit

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


def own_folder_name() -> str:
    """Return the name of the folder among the temporary files that compiled code falls back to."""
    if sys.platform == "win32":
        name = "bpe-gui"
    else:
        name = f"bpe-gui-{os.getuid()}"
    return name


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """Environment variables that put the user's cache and temporary files into `tmp_path`."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "home").mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path / "temporary"),
    }


@pytest.fixture
def load(variables: dict[str, str]) -> Load:
    """A function that loads a kernel in a new process, and returns its folder and whether the code was found there.

    `before` is run first; keyword arguments are environment variables.
    """

    def run(before: str = "", **further_variables: str) -> tuple[str, bool]:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", LOAD_ONE_KERNEL.format(before=before)],
            env=os.environ | variables | further_variables,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        folder, hits = done.stdout.split()
        return folder, hits != "0"

    return run


@pytest.fixture
def user_cache(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this user's caches; on Linux and macOS it follows different variables."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return platformdirs.user_cache_path()


@pytest.fixture
def in_cache(user_cache: Path) -> str:
    """The folder in the user's cache."""
    return str(user_cache / "bpe-gui" / f"kernels-{code_cache.fingerprint()}")


@pytest.fixture
def in_temporary(tmp_path: Path) -> str:
    """The folder that is used where the cache cannot be."""
    return str(tmp_path / "temporary" / own_folder_name() / f"kernels-{code_cache.fingerprint()}")


def block(folder: Path) -> None:
    """Put a file where a folder is wanted."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("not a folder")


# -- the folder ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_code_is_kept_in_the_users_cache(load: Load, in_cache: str) -> None:
    assert load() == (in_cache, False)
    assert load() == (in_cache, True)
    assert not list((ROOT / "bpe_gui").rglob("*.nb?"))


@pytest.mark.slow
def test_nobody_else_may_write_there_whatever_the_umask(load: Load, in_cache: str) -> None:
    assert load("os.umask(0o002)") == (in_cache, False)
    assert load("os.umask(0o000)") == (in_cache, True)
    assert Path(in_cache).stat().st_mode & 0o077 == Path(in_cache).parent.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_cache_that_cannot_be_created(load: Load, user_cache: Path, in_temporary: str) -> None:
    block(user_cache)
    assert load() == (in_temporary, False)
    assert load() == (in_temporary, True)


@pytest.mark.slow
def test_no_home(load: Load, in_temporary: str) -> None:
    assert load(HOME="/dev/null/home", XDG_CACHE_HOME="") == (in_temporary, False)


REFUSE_FILES_IN_CACHE = """
create = tempfile.TemporaryFile
def refuse(*arguments, dir, **options):
    if "temporary" not in str(dir):
        raise PermissionError(13, "Permission denied", str(dir))
    return create(*arguments, dir=dir, **options)
tempfile.TemporaryFile = refuse
"""


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_to(load: Load, in_temporary: str) -> None:
    assert load(REFUSE_FILES_IN_CACHE) == (in_temporary, False)


@pytest.mark.slow
def test_neither_a_cache_nor_a_temporary_folder(load: Load, user_cache: Path, tmp_path: Path) -> None:
    block(user_cache)
    block(tmp_path / "temporary" / own_folder_name())
    assert load() == ("None", False)
    assert load("tempfile.tempdir = '/dev/null'") == ("None", False)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_cache_that_others_may_write_to_is_not_trusted(
    load: Load, in_cache: str, in_temporary: str, mode: int
) -> None:
    load()
    Path(in_cache).parent.chmod(mode)
    assert load() == (in_temporary, False)
    Path(in_cache).parent.chmod(0o700)
    Path(in_cache).chmod(mode)
    assert load() == (in_temporary, True)


def give_away(folder: Path) -> None:
    """Make somebody else the owner of `folder`; skip the test if that is not allowed."""
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    else:
        os.chown(folder, 12345, 12345)


@pytest.mark.slow
def test_a_cache_of_somebody_else_is_not_trusted(load: Load, in_cache: str, in_temporary: str) -> None:
    load()
    give_away(Path(in_cache).parent)
    assert load() == (in_temporary, False)
    give_away(Path(in_temporary).parent)
    assert load() == ("None", False)


@pytest.mark.slow
def test_a_link_to_a_cache_is_not_trusted(load: Load, tmp_path: Path, in_cache: str, in_temporary: str) -> None:
    load()
    elsewhere = tmp_path / "elsewhere"
    Path(in_cache).parent.rename(elsewhere)
    Path(in_cache).parent.symlink_to(elsewhere)
    assert load() == (in_temporary, False)


def test_the_choice_of_a_folder_is_logged(
    user_cache: Path, in_temporary: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    block(user_cache)
    monkeypatch.setattr(tempfile, "tempdir", str(Path(in_temporary).parents[1]))
    with caplog.at_level(logging.INFO, "bpe_gui"):
        assert code_cache.cache_folder.__wrapped__() == Path(in_temporary)
    assert str(user_cache) in caplog.text
    assert f"compiled kernels are cached in {in_temporary}" in caplog.text


# -- its name -----------------------------------------------------------------------------------------------------


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """A copy of the sources of the kernels."""
    return Path(shutil.copytree(code_cache._KERNELS, tmp_path / "kernels"))


def test_a_changed_helper_in_a_subfolder_gives_another_fingerprint(kernels: Path) -> None:
    before = code_cache.fingerprint(kernels)
    assert code_cache.fingerprint(kernels) == before
    helpers = kernels / "training" / "pair_table.py"
    source = helpers.read_text("utf-8")
    helpers.write_text(source.replace(">> 29", ">> 28"), "utf-8")
    assert code_cache.fingerprint(kernels) != before
    helpers.write_text(source, "utf-8")
    assert code_cache.fingerprint(kernels) == before


def test_a_new_or_renamed_file_gives_another_fingerprint(kernels: Path) -> None:
    before = code_cache.fingerprint(kernels)
    (kernels / "text" / "more").mkdir()
    (kernels / "text" / "more" / "new.py").write_text("")
    added = code_cache.fingerprint(kernels)
    (kernels / "text" / "more" / "new.py").rename(kernels / "text" / "more" / "renamed.py")
    assert len({before, added, code_cache.fingerprint(kernels)}) == 3


# -- its content --------------------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [truncate, empty, Path.unlink])
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_damaged_files_are_replaced(load: Load, in_cache: str, kind: str, damage: Callable[[Path], Any]) -> None:
    load()
    files = list(Path(in_cache).rglob(kind))
    assert files
    for file in files:
        damage(file)
    assert load() == (in_cache, False)
    load()  # damaged files were removed, so this is the first to write new ones
    assert load() == (in_cache, True)


@pytest.mark.slow
def test_a_full_disk(load: Load, in_cache: str) -> None:
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    assert load(full) == (in_cache, False)
    assert load() == (in_cache, False)
    assert load(full) == (in_cache, True)


def test_two_processes_may_load_at_the_same_time(variables: dict[str, str]) -> None:
    script = (
        "from bpe_gui.engine.runtime import compiled; compiled.load(); "
        "print(compiled.is_compiled(), compiled.is_cached())"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env=os.environ | variables,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _process in range(2)
    ]
    for process in both:
        assert process.communicate() == (b"True True\n", b"")


# -- loading ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_compiler_that_is_switched_off_leaves_plain_python() -> None:
    script = "from bpe_gui.engine.runtime import compiled; compiled.load_for(1 << 30); print(compiled.is_compiled())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n"
    assert "Large corpora take long" in done.stderr and "NUMBA_DISABLE_JIT" in done.stderr


def test_a_failure_is_logged_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[Callable[[], None]] = []

    def fail(warm_up: Callable[[], None]) -> None:
        attempts.append(warm_up)
        raise OSError("no compiler")

    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "_has_failed", Event())
    monkeypatch.setattr(jit, "load", fail)
    with pytest.warns(UserWarning, match="no compiler"):
        compiled.load_for(1 << 30)
    compiled.load_for(1 << 30)
    assert len(attempts) == 1
    assert "no compiler" in caplog.text


LATE = """
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
    done = subprocess.run([sys.executable, "-c", LATE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "{}\n"


OTHERS = """
import numba
import numpy as np
from bpe_gui.engine.runtime import compiled

compiled.load()
print(numba.njit(lambda numbers: numbers[numbers[0] - 1])(np.arange(9)))
"""


@pytest.mark.slow
def test_code_of_others_may_count_from_the_end() -> None:
    done = subprocess.run([sys.executable, "-c", OTHERS], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "8\n", done.stderr
