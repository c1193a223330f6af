"""Compile one group of kernels for some systems: `python -m build_kernels.group GROUP FOLDER TARGET...`."""

import sys
from importlib import import_module
from pathlib import Path

from .library import KERNELS, leave_out_the_engine
from .targets import TARGETS


def main(group: str, folder: str, *names: str) -> None:
    """Write `<target>-<group>.o` for each target to a folder."""
    leave_out_the_engine()
    from bpe_gui.engine.compilation.kernel import kernels

    from .compiler import compile_kernels

    for path in sorted((KERNELS / group).glob("[!_]*.py")):
        import_module(f"bpe_gui.engine.kernels.{group}.{path.stem}")
    chosen = [kernel for kernel in kernels.values() if kernel.group == group]
    for name, code in zip(names, compile_kernels(chosen, [TARGETS[name] for name in names]), strict=True):
        Path(folder, f"{name}-{group}.o").write_bytes(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
