"""The libraries of all systems have what these need to load them, and nothing else; a wheel holds its system's own."""

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bpe_gui.engine.compilation.kernel import kernels
from bpe_gui.engine.compilation.library import sources_digest
from bpe_gui.engine.compilation.python_functions import TABLE
from build_kernels.library import KERNELS, ROOT, build
from build_kernels.targets import TARGETS, Target

PROCESSORS = {
    "x86_64-linux-gnu": "X86_64",
    "aarch64-linux-gnu": "AARCH64",
    "x86_64-windows-gnu": "AMD64",
    "aarch64-macos.11.0": "ARM64",
    "x86_64-macos.11.0": "X86_64",
}
ADDED_BY_LINKER = {"_mh_dylib_header", "__dso_handle"}


@pytest.mark.thorough
@pytest.mark.compiles
@pytest.mark.timeout(600)  # it compiles twice
def test_libraries_of_all_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from build_kernels.hook import READY  # here, because it needs Hatchling

    libraries = dict(zip(TARGETS, build(list(TARGETS.values()), tmp_path / "libraries"), strict=True))
    _check_what_they_need(libraries)
    for name in ("x86_64-windows-gnu", "aarch64-macos.11.0"):
        monkeypatch.setenv(READY, str(libraries[name]))
        _check_wheel(TARGETS[name], libraries[name].read_bytes(), tmp_path)
    monkeypatch.delenv(READY)
    _check_that_a_build_is_repeatable(libraries, tmp_path / "again")


def _check_what_they_need(libraries: dict[str, Path]) -> None:
    import lief  # here, because it complains at the end of every process that has imported it

    for path in KERNELS.rglob("[!_]*.py"):
        __import__(".".join(path.relative_to(ROOT).with_suffix("").parts))
    expected = {name for name, kernel in kernels.items() if kernel.plain.__module__.startswith("bpe_gui.")}
    for name, path in libraries.items():
        library: Any = lief.parse(path)
        names = [symbol.name for symbol in _exported(name, library)]
        exported = {each.removeprefix("_") for each in names} if "macos" in name else set(names)
        assert exported - ADDED_BY_LINKER == expected | {"sources_digest", TABLE}, name
        assert sources_digest().encode() in path.read_bytes()
        assert not list(library.relocations), name  # so it has none in its code, which would be written to
        _check_headers(name, library)


def _exported(name: str, library: Any) -> list[Any]:
    return list(library.get_export().entries if "windows" in name else library.exported_symbols)


def _check_headers(name: str, library: Any) -> None:
    if "linux" in name:
        assert library.header.machine_type.name == PROCESSORS[name]
        assert list(library.libraries) == []
        assert list(library.imported_symbols) == []
    elif "windows" in name:
        assert library.header.machine.name == PROCESSORS[name]
        assert list(library.imports) == []
    else:
        assert library.header.cpu_type.name == PROCESSORS[name]
        assert [each.name for each in library.libraries if each.name != "kernels"] == ["/usr/lib/libSystem.B.dylib"]
        assert {each.name for each in library.imported_symbols} <= {"dyld_stub_binder"}
        assert library.build_version.minos == [11, 0, 0]
        if "aarch64" in name:  # where the system runs nothing that is not signed, by anybody
            assert library.has_code_signature


def _check_wheel(target: Target, library: bytes, folder: Path) -> None:
    """Build a wheel twice, and find the same library in both."""
    for each in ("once", "twice"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / each)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = (folder / "once").glob(f"bpe_gui-*-py3-none-{target.wheel}.whl")
    assert wheel.read_bytes() == (folder / "twice" / wheel.name).read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        (member,) = (each for each in archive.namelist() if Path(each).stem == "kernels")
        assert member == f"bpe_gui/engine/compilation/{target.library}"
        assert archive.read(member) == library


def _check_that_a_build_is_repeatable(libraries: dict[str, Path], folder: Path) -> None:
    name = "x86_64-windows-gnu"  # whose linker writes the time into files unless told another
    (again,) = build([TARGETS[name]], folder)
    assert again.read_bytes() == libraries[name].read_bytes()
