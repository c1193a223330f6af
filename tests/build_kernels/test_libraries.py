"""The libraries of all systems have what these need to load them, and nothing else; a wheel holds its system's own."""

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import lief
import pytest

from bpe_gui.engine.compilation.kernel import kernels
from bpe_gui.engine.compilation.library import sources_digest
from build_kernels.hook import READY
from build_kernels.library import KERNELS, ROOT, build
from build_kernels.targets import TARGETS

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(300)]  # they compile

PROCESSORS = {
    "x86_64-linux-gnu": lief.ELF.ARCH.X86_64,
    "aarch64-linux-gnu": lief.ELF.ARCH.AARCH64,
    "x86_64-windows-gnu": lief.PE.Header.MACHINE_TYPES.AMD64,
    "aarch64-macos.11.0": lief.MachO.Header.CPU_TYPE.ARM64,
    "x86_64-macos.11.0": lief.MachO.Header.CPU_TYPE.X86_64,
}

ADDED_BY_LINKER = {"_mh_dylib_header", "__dso_handle"}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the path of the library of each target, by its name."""
    return dict(zip(TARGETS, build(list(TARGETS.values()), tmp_path_factory.mktemp("libraries")), strict=True))


def test_a_library_needs_only_what_its_system_has(libraries: dict[str, Path]) -> None:
    for path in KERNELS.rglob("[!_]*.py"):
        __import__(".".join(path.relative_to(ROOT).with_suffix("").parts))
    expected = {name for name, kernel in kernels.items() if kernel.plain.__module__.startswith("bpe_gui.")}
    for name, path in libraries.items():
        library: Any = lief.parse(path)
        names = [symbol.name for symbol in _exported(name, library)]
        exported = {each.removeprefix("_") for each in names} if "macos" in name else set(names)
        assert exported - ADDED_BY_LINKER == expected | {"sources_digest"}, name
        assert sources_digest().encode() in path.read_bytes()
        assert not list(library.relocations), name  # so it has none in its code, which would be written to
        _check_headers(name, library)


def _exported(name: str, library: Any) -> list[Any]:
    return list(library.get_export().entries if "windows" in name else library.exported_symbols)


def _check_headers(name: str, library: Any) -> None:
    if "linux" in name:
        assert library.header.machine_type == PROCESSORS[name]
        assert list(library.libraries) == []
        assert list(library.imported_symbols) == []
    elif "windows" in name:
        assert library.header.machine == PROCESSORS[name]
        assert list(library.imports) == []
    else:
        assert library.header.cpu_type == PROCESSORS[name]
        assert [each.name for each in library.libraries if each.name != "kernels"] == ["/usr/lib/libSystem.B.dylib"]
        assert {each.name for each in library.imported_symbols} <= {"dyld_stub_binder"}
        assert library.build_version.minos == [11, 0, 0]
        if "aarch64" in name:  # where the system runs nothing that is not signed, by anybody
            assert library.has_code_signature


def test_the_same_sources_give_the_same_bytes(libraries: dict[str, Path], tmp_path: Path) -> None:
    names = ("x86_64-windows-gnu", "aarch64-macos.11.0")
    again = build([TARGETS[name] for name in names], tmp_path)
    assert [path.read_bytes() for path in again] == [libraries[name].read_bytes() for name in names]


def test_a_wheel_holds_the_library_of_its_system(
    libraries: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("x86_64-windows-gnu", "aarch64-macos.11.0"):
        monkeypatch.setenv(READY, str(libraries[name]))
        for folder in ("once", "twice"):
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / folder)]
            subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        (wheel,) = (tmp_path / "once").glob(f"bpe_gui-*-py3-none-{TARGETS[name].wheel}.whl")
        assert wheel.read_bytes() == (tmp_path / "twice" / wheel.name).read_bytes()
        with zipfile.ZipFile(wheel) as archive:
            (member,) = (each for each in archive.namelist() if Path(each).stem == "kernels" and each[-3:] != ".py")
            assert member == f"bpe_gui/engine/compilation/{TARGETS[name].library}"
            assert archive.read(member) == libraries[name].read_bytes()
