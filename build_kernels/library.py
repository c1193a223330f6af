"""Make shared libraries of the kernels: each group is compiled by a process of its own, then zig links them."""

import atexit
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from types import ModuleType
from typing import Final

from .targets import Target

ROOT: Final = Path(__file__).parents[1]
KERNELS: Final = ROOT / "bpe_gui" / "engine" / "kernels"

_DATA: Final = """
#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED extern
#endif
EXPORTED const char sources_digest[];
EXPORTED long long {table}[{capacity}];
const char sources_digest[] = "{digest}";
long long {table}[{capacity}] = {{0}};
"""


def build_here(target: Target) -> Path:
    """Return the path of the library in this checkout, after building it if its sources have changed.

    Where the checkout cannot be written to, it is in a folder that lasts as long as this process does. Raise as `build`
    does.
    """
    leave_out_the_engine()
    from bpe_gui.engine.compilation import library

    if library.fits_sources():
        return library.PATH
    try:
        folder = mkdtemp(dir=library.PATH.parent)
    except OSError:
        folder = mkdtemp()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return build([target], Path(folder))[0]
    try:
        return build([target], Path(folder))[0].replace(library.PATH)
    finally:
        shutil.rmtree(folder)  # now, because a wheel takes all that is in the package


def build(targets: Sequence[Target], folder: Path) -> list[Path]:
    """Write a library for each target below a folder, and return their paths.

    Raise ModuleNotFoundError if what compiles them is not installed, and subprocess.CalledProcessError if they cannot
    be compiled or linked, after messages were printed.
    """
    leave_out_the_engine()
    from bpe_gui.engine.compilation.library import NEWEST, remedy, sources_digest

    if missing := [name for name in ("numba", "ziglang") if find_spec(name) is None]:
        advice = f"To compile the kernels, install {' and '.join(missing)}: pip install '.[build]'."
        raise ModuleNotFoundError(str(remedy()) if sys.version_info[:2] > NEWEST else advice)

    groups = sorted(path.parent.name for path in KERNELS.glob("*/__init__.py"))
    names = [target.name for target in targets]
    digest = sources_digest()  # before they are read: if they change meanwhile, the library is out of date
    with TemporaryDirectory() as objects, ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda group: _run("-m", "build_kernels.group", group, objects, *names), groups))
        return [
            link(
                [f"{objects}/{target.name}-{group}.o" for group in groups],
                target,
                folder / target.name / target.library,
                digest,
            )
            for target in targets
        ]


def link(objects: Iterable[str], target: Target, path: Path, digest: str = "") -> Path:
    """Link object files to a library that needs no other, with the digest of its sources. Return its path."""
    from bpe_gui.engine.compilation.python_functions import CAPACITY, TABLE

    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    source.write_text(_DATA.format(digest=digest, table=TABLE, capacity=CAPACITY), "utf-8")
    options = ["-target", target.name, "-shared", "-nostdlib", "-s", "-Wl,--no-entry", "-Wl,-install_name,kernels"]
    _run("-m", "ziglang", "cc", *options, str(source), *objects, "-o", str(path))
    return path


def _run(*arguments: str) -> None:
    with TemporaryDirectory() as cache:
        # The same sources give the same library: numba has sets, and Windows' linker writes the time into files.
        settings = {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0", "NUMBA_OPT": "0"}
        caches = dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), cache)
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=os.environ | settings | caches, check=True)


def leave_out_the_engine() -> None:
    """Have kernels imported without the engine around them, whose dependencies are not there when it is built."""
    for name in ("bpe_gui", "bpe_gui.engine", "bpe_gui.engine.runtime"):
        if name not in sys.modules:
            package = ModuleType(name)
            package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
            sys.modules[name] = package
