"""Machine code is used where it fits the sources; elsewhere the engine says once that it will be slow."""

import _ctypes
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bpe_gui
from bpe_gui.engine import is_compiled
from bpe_gui.engine.compilation import library

PACKAGE = Path(bpe_gui.__file__).parent

# Trains, and prints whether kernels were compiled, where they come from, and the warnings.
TRAIN = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from bpe_gui.engine import train
    from bpe_gui.engine import is_compiled
    from bpe_gui.engine.compilation import library
    for _time in range(2):
        assert train("low low", num_merges=1).merges == [(b"o", b"w")]
print(is_compiled(), *{str(each.message) for each in caught}, len(caught), sep="|")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package and of what compiles it."""
    ignored = shutil.ignore_patterns("__pycache__", "gui", "cli")
    shutil.copytree(PACKAGE, tmp_path / "bpe_gui", ignore=ignored)
    shutil.copytree(PACKAGE.parent / "build_kernels", tmp_path / "build_kernels", ignore=ignored)
    return tmp_path


def trained(folder: Path, monkeypatch: pytest.MonkeyPatch, plain: str = "") -> list[str]:
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("BPE_GUI_PLAIN", plain)
    command = [sys.executable, "-c", TRAIN]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip().split("|")


def kernel_in(folder: Path) -> Path:
    return folder / "bpe_gui" / "engine" / "kernels" / "lowlevel" / "machine.py"


def test_a_library_is_used_while_it_fits_its_sources(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trained(checkout, monkeypatch) == ["True", "0"]
    assert trained(checkout, monkeypatch, plain="1") == ["False", "0"]
    kernel_in(checkout).write_text(kernel_in(checkout).read_text("utf-8") + "# changed\n", "utf-8")
    compiled, message, count = trained(checkout, monkeypatch)
    assert (compiled, count) == ("False", "1")
    assert "Compile them with: python -m build_kernels" in message


def test_an_installed_library_fits_always(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(checkout / "build_kernels")
    kernel_in(checkout).write_text(kernel_in(checkout).read_text("utf-8") + "# changed\n", "utf-8")
    assert trained(checkout, monkeypatch) == ["True", "0"]


@pytest.mark.parametrize(
    "content",
    [None, b"", b"no library", Path(_ctypes.__file__).read_bytes()],
    ids=["missing", "empty", "damaged", "another"],
)
def test_without_a_library_the_engine_warns_once_and_works(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    path = checkout / library.PATH.relative_to(PACKAGE.parent)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    compiled, message, count = trained(checkout, monkeypatch)
    assert (compiled, count) == ("False", "1")
    assert message == (
        "The engine has no machine code here, so large texts will be slow. "
        "Install bpe-gui again with pip install --verbose, which says why it was not compiled."
    )


def test_where_python_is_too_new_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "NEWEST", (3, 10))
    monkeypatch.setattr(library, "OLDEST", (3, 9))
    monkeypatch.setattr(sys, "platform", "linux")
    this = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert str(library.remedy()) == (
        f"Python {this} cannot compile it: install bpe-gui with Python 3.9 to 3.10, for example: "
        "python3.10 -m venv .venv && .venv/bin/pip install ."
    )
    monkeypatch.setattr(sys, "platform", "win32")
    assert str(library.remedy()).endswith(": py -3.10 -m venv .venv && .venv\\Scripts\\pip install .")


def test_the_named_versions_are_those_that_the_compiler_is_asked_for() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, library.OLDEST))
    too_new = f"{library.NEWEST[0]}.{library.NEWEST[1] + 1}"
    (numba,) = (each for each in project["optional-dependencies"]["build"] if each.startswith("numba"))
    assert numba.endswith(f"; python_version < '{too_new}'")


def test_tests_run_with_the_library_of_this_checkout() -> None:
    assert is_compiled() == (not os.environ.get("BPE_GUI_PLAIN"))
