"""Getting the compiled code: all of it at once, from a folder that may be missing, damaged, or somebody else's."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpe_gui.engine.runtime import jit as compiling

ROOT = Path(__file__).resolve().parents[2]

if sys.platform == "win32":
    pytest.skip("users and permissions are others here", allow_module_level=True)

LOAD_ONE_KERNEL = """
import os, resource, tempfile
import numpy as np
{before}
from bpe_gui.engine.runtime import jit as compiling
from bpe_gui.engine.kernels.training.pair_table import find_pair

def warm_up():
    assert find_pair(np.zeros(1, np.int64), np.full(2, -1, np.int32), 5) == -1

compiling.load(warm_up)
warm_up()
assert compiling.is_compiled()
print(compiling.cache_folder(), find_pair.compiled.stats.cache_hits.total(), sep="\\n")
"""

Load = Callable[..., tuple[str, bool]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Loads a kernel in a new process; gives its folder, and whether the kernel was found there.

    The user's cache is `cache`, the temporary folder `temporary`. `before` is run first, `variables` are of the
    environment.
    """
    (tmp_path / "temporary").mkdir()

    def run(before: str = "", **variables: str) -> tuple[str, bool]:
        folders = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "temporary")}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", LOAD_ONE_KERNEL.format(before=before)],
            env=os.environ | folders | variables,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        folder, hits = done.stdout.split()
        return folder, hits != "0"

    return run


@pytest.fixture
def in_cache(tmp_path: Path) -> str:
    """The folder in the user's cache."""
    return str(tmp_path / "cache" / "bpe-gui" / f"kernels-{compiling._fingerprint()}")


@pytest.fixture
def in_temporary(tmp_path: Path) -> str:
    """The folder that is used where that cannot be."""
    return str(tmp_path / "temporary" / f"bpe-gui-{os.getuid()}" / f"kernels-{compiling._fingerprint()}")


def test_code_is_kept_in_the_users_cache(load: Load, in_cache: str) -> None:
    assert load() == (in_cache, False)
    assert load() == (in_cache, True)
    assert not list((ROOT / "bpe_gui").rglob("*.nb?"))


def test_nobody_else_may_write_there_whatever_the_umask(load: Load, in_cache: str) -> None:
    assert load("os.umask(0o002)") == (in_cache, False)
    assert load("os.umask(0o000)") == (in_cache, True)
    assert Path(in_cache).stat().st_mode & 0o077 == Path(in_cache).parent.stat().st_mode & 0o077 == 0


def test_a_cache_that_cannot_be_made(load: Load, tmp_path: Path, in_temporary: str) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert load() == (in_temporary, False)
    assert load() == (in_temporary, True)


def test_no_home(load: Load, in_temporary: str) -> None:
    assert load(HOME="/dev/null/home", XDG_CACHE_HOME="") == (in_temporary, False)


def test_a_cache_that_cannot_be_written(load: Load, in_temporary: str) -> None:
    refuse = "may = os.access; os.access = lambda path, mode: '/cache/' not in str(path) and may(path, mode)"
    assert load(refuse) == (in_temporary, False)


def test_neither_a_cache_nor_a_temporary_folder(load: Load, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    (tmp_path / "temporary" / f"bpe-gui-{os.getuid()}").write_text("no folder")
    assert load() == ("None", False)
    assert load("tempfile.tempdir = '/dev/null'") == ("None", False)


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_cache_that_others_may_write_is_not_trusted(load: Load, in_cache: str, in_temporary: str, mode: int) -> None:
    load()
    Path(in_cache).parent.chmod(mode)
    assert load() == (in_temporary, False)
    Path(in_cache).parent.chmod(0o700)
    Path(in_cache).chmod(mode)
    assert load() == (in_temporary, True)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_cache_of_somebody_else_is_not_trusted(load: Load, in_cache: str, in_temporary: str) -> None:
    load()
    os.chown(Path(in_cache).parent, 12345, 12345)
    assert load() == (in_temporary, False)
    os.chown(Path(in_temporary).parent, 12345, 12345)
    assert load() == ("None", False)


def test_a_link_to_a_cache_is_not_trusted(load: Load, tmp_path: Path, in_cache: str, in_temporary: str) -> None:
    load()
    elsewhere = tmp_path / "elsewhere"
    Path(in_cache).parent.rename(elsewhere)
    Path(in_cache).parent.symlink_to(elsewhere)
    assert load() == (in_temporary, False)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [half, emptied, Path.unlink])
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_damaged_files_are_made_anew(load: Load, in_cache: str, kind: str, damage: Callable[[Path], Any]) -> None:
    load()
    files = list(Path(in_cache).rglob(kind))
    assert files
    for file in files:
        damage(file)
    assert load() == (in_cache, False)
    load()  # after a damage this is the first to have an empty folder
    assert load() == (in_cache, True)


def test_a_full_disk(load: Load, in_cache: str) -> None:
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    assert load(full) == (in_cache, False)
    assert load() == (in_cache, False)
    assert load(full) == (in_cache, True)


def test_a_compiler_that_is_switched_off_is_none() -> None:
    script = "from bpe_gui.engine import compiled; compiled.load_for(1 << 30); print(compiled.is_compiled())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n"
    assert "Large corpora take long" in done.stderr and "NUMBA_DISABLE_JIT" in done.stderr


def test_two_processes_may_load_at_the_same_time(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    script = "from bpe_gui.engine import compiled; compiled.load(); print(compiled.is_compiled(), compiled.is_cached())"
    both = [
        subprocess.Popen(
            [sys.executable, "-c", script], env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _process in range(2)
    ]
    for process in both:
        assert process.communicate() == (b"True True\n", b"")


LATE = """
import json
from bpe_gui.engine.runtime import compiled
from bpe_gui.engine.runtime import jit as compiling
from tests.engine.support.exercise import every_way, exercise

def signatures():
    return {each.__name__: [str(signature) for signature in each.compiled.signatures] for each in compiling._kernels}

compiled.load()
before = signatures()
every_way()
exercise(100)
late = {name: sorted(set(after) - set(before[name])) for name, after in signatures().items()}
print(json.dumps({name: added for name, added in late.items() if added}, indent=1))
"""


def test_nothing_is_compiled_in_the_middle_of_work() -> None:
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


def test_code_of_others_may_count_from_the_end() -> None:
    done = subprocess.run([sys.executable, "-c", OTHERS], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "8\n", done.stderr
