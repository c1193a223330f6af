"""Machine code is compiled by other processes, once; where that fails, the engine keeps running as plain Python."""

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from bpe_gui.engine.compilation import code_cache, compiled, kernel
from bpe_gui.engine.kernels.training.pair_table import find_pair
from tests.engine.support.modes import running

ROOT = Path(__file__).resolve().parents[3]


def test_a_failure_is_logged_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts: list[object] = []

    def fail(report: object) -> None:
        attempts.append(report)
        raise OSError("no compiler")

    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "_has_failed", Event())
    monkeypatch.setattr(compiled, "load", fail)
    with pytest.warns(UserWarning, match="cannot be compiled: no compiler"):
        compiled.load_for(1 << 30)
    compiled.load_for(1 << 30)
    assert len(attempts) == 1
    assert "no compiler" in caplog.text


@pytest.mark.slow
def test_a_compiler_that_is_switched_off_leaves_plain_python() -> None:
    script = (
        "from bpe_gui.engine.compilation import compiled; compiled.load_for(1 << 30); print(compiled.is_compiled())"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert process.stdout == "False\n"
    assert "Large corpora will be slow" in process.stderr and "NUMBA_DISABLE_JIT" in process.stderr


# -- the processes that compile -----------------------------------------------------------------------------------

Compile = Callable[..., list[bytes]]


@pytest.fixture
def compile_by(monkeypatch: pytest.MonkeyPatch) -> Compile:
    """Return a function that has each of two groups compiled by Python code, in which `group` is its name."""

    def run(code: str, report: Callable[[int, int], None] | None = None) -> list[bytes]:
        script = "import sys; group = sys.argv[1]; output = sys.stdout.buffer\n" + code
        monkeypatch.setattr(compiled, "_COMPILE_GROUP", ("-c", script))
        monkeypatch.setattr(code_cache, "source_size", len)
        return compiled._compile(["one", "three"], report)

    return run


def test_each_group_is_compiled_by_a_process(compile_by: Compile) -> None:
    code = r"""
print("something else", flush=True)
for done in range(3):
    print("kernels-done", done, 2, flush=True)
result = b"\n\0" + group.encode()
output.write(b"kernels-result %d\n" % len(result) + result + b"more")
"""
    assert compile_by(code) == [b"\n\0one", b"\n\0three"]


def test_progress_is_weighted_by_the_size_of_the_sources(compile_by: Compile) -> None:
    reports: list[tuple[int, int]] = []
    code = r"""
import time
print("kernels-done 1 1", flush=True)
time.sleep(0.5)
output.write(b"kernels-result 4\ncode")
"""
    assert compile_by(code, lambda done, total: reports.append((done, total))) == [b"code", b"code"]
    assert {total for _done, total in reports} == {8}
    assert [done for done, _total in reports] == sorted(done for done, _total in reports)


def test_the_reason_of_a_failure_is_reported(compile_by: Compile) -> None:
    with pytest.raises(compiled.CompilationError, match=r"^there is no compiler$"):
        compile_by(r"output.write(b'kernels-result 20\nthere is no compiler'); output.flush(); sys.exit(1)")


def test_the_reason_is_that_of_the_process_that_failed(compile_by: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    code = r"""
import time
if group == "one":
    time.sleep(100_000)  # it is stopped because of the other one
output.write(b"kernels-result 20\nthere is no compiler"); output.flush(); sys.exit(1)
"""
    with pytest.raises(compiled.CompilationError, match=r"^there is no compiler$"):
        compile_by(code)


def test_a_process_that_crashes_is_reported(compile_by: Compile) -> None:
    with pytest.raises(compiled.CompilationError, match="exited with status"):
        compile_by("import os; os.abort()")


def test_cancelling_ends_the_processes_and_starts_no_more(compile_by: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # so that a process waits for the other one
    with pytest.raises(KeyboardInterrupt):
        compile_by("import time; time.sleep(100_000)", cancel)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("compile")]


def test_a_process_that_compiles_ends_with_the_program_that_started_it(compile_by: Compile) -> None:
    told = compile_by("import os, stat; print('kernels-result 4\\n%s' % stat.S_ISFIFO(os.fstat(0).st_mode), end='')")
    assert told == [b"True", b"True"]
    command = [sys.executable, "-m", "bpe_gui.engine.compilation.compile_group", "training"]
    ended = subprocess.run(command, cwd=ROOT, input=b"", stdout=subprocess.PIPE, check=False)
    assert ended.returncode == 1
    assert compiled.RESULT not in ended.stdout


def test_python_without_a_program_cannot_compile(compile_by: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", None)
    with pytest.raises(compiled.CompilationError, match="No Python interpreter"):
        compile_by("")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot fork here")
def test_a_forked_process_does_not_wait_for_a_thread_that_it_lacks() -> None:
    script = (
        "import os, warnings; warnings.simplefilter('ignore'); from bpe_gui.engine.compilation import compiled\n"
        "compiled._load_lock.acquire(); child = os.fork()\n"
        "if child == 0: compiled.load(); os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    process = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert process.stdout == "7\n", process.stderr


def test_without_numba_the_program_that_compiles_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('numba is not installed')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(compiled.CompilationError, match="numba is not installed"):
        compiled._compile([code_cache.groups()[0]], None)


ALLOCATES = """
from bpe_gui.engine.compilation import compiler
from bpe_gui.engine.compilation.kernel import kernel

@kernel
def allocate(size: int) -> int:
    numbers = [1]
    for number in range(size):
        numbers.append(number)
    return len(numbers)

compiler.compile_kernels([allocate], lambda done, total: None)
"""


@pytest.mark.slow
def test_a_kernel_that_allocates_is_refused() -> None:
    process = subprocess.run([sys.executable, "-c", ALLOCATES], cwd=ROOT, capture_output=True, text=True)
    assert "RuntimeError: Compiled kernels would call NRT_" in process.stderr


@pytest.fixture
def nothing_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Have neither loaded nor cached code, and return the empty folder for it."""
    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "_has_failed", Event())
    monkeypatch.setattr(code_cache, "cache_folder", lambda: tmp_path)
    return tmp_path


def test_a_large_text_waits_for_compiling(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[object] = []
    monkeypatch.setattr(compiled, "load", loads.append)
    compiled.load_for(1 << 22)
    assert len(loads) == 1


def test_for_a_smaller_one_another_process_compiles_once(nothing_cached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import sys, pathlib; pathlib.Path(sys.argv[1]).touch()"
    monkeypatch.setattr(compiled, "_COMPILE_ALL", ("-c", code, str(nothing_cached / "done")))
    monkeypatch.setattr(compiled, "_background", [])
    compiled.load_for((1 << 20) - 1)
    assert not compiled._background
    compiled.load_for(1 << 20)
    compiled.load_for(1 << 20)
    (process,) = compiled._background
    process.wait()
    assert (nothing_cached / "done").exists()


def test_what_another_process_compiles_may_be_claimed_again_later(nothing_cached: Path) -> None:
    assert code_cache.claim()
    assert not code_cache.claim()
    os.utime(nothing_cached / "compiling", (0, 0))
    assert code_cache.claim()
    assert not code_cache.claim()


def test_after_a_failure_nothing_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event()
    monkeypatch.setattr(compiled, "is_compiled", lambda: False)
    monkeypatch.setattr(compiled, "is_cached", lambda: False)
    monkeypatch.setattr(compiled, "_has_failed", failed)
    assert compiled.compiles_for(1 << 30)
    failed.set()
    assert not compiled.compiles_for(1 << 30)


@pytest.mark.slow
def test_files_in_the_current_folder_are_not_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong module')")
    monkeypatch.chdir(tmp_path)
    assert compiled._compile(["lowlevel"], None)


def test_code_that_is_linked_again_does_not_unload_the_first() -> None:
    with running("compiled"):
        keys, slots = np.zeros(1, np.int64), np.full(2, -1, np.int32)
        assert find_pair(keys, slots, 5) == -1
        kernel._ready.clear()
        compiled.load()
        gc.collect()
        assert find_pair(keys, slots, 5) == -1


@pytest.mark.slow
def test_every_kernel_is_in_the_machine_code_of_its_group() -> None:
    compiled.load()
    assert {each.group for each in kernel.kernels.values()} == set(code_cache.groups())
    for each in kernel.kernels.values():
        assert kernel._find_function is not None
        assert kernel._find_function(each.group, each.plain.__name__)
