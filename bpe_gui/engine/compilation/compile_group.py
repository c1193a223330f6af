"""Compile one group of kernels: `python -m bpe_gui.engine.compilation.compile_group GROUP`.

Writes to standard output: before each kernel, and after the last, a line with the number of kernels done and in total;
then a line with the size of the object file, and the object file. If anything fails, the reason takes the place of the
object file, and the exit status is 1. `compiled` runs one such process for each group, and has what lines begin with.

The process ends when its standard input does, which it reads nothing from: that is a pipe of the program that started
it, which the system closes when that program ends, however it ends.
"""

import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from .compiled import PROGRESS, RESULT

_KERNELS = "bpe_gui.engine.kernels"


def main(folder: str, output: BinaryIO) -> int:
    """Compile the kernels in `bpe_gui/engine/kernels/<folder>/` to `output`. Return the exit status."""
    status = 0
    try:
        result = _compile(folder, output)
    except Exception as error:  # the process that reads the output reports it
        result, status = f"{type(error).__name__}: {error}".encode(errors="replace"), 1
    output.write(b"%s %d\n" % (RESULT, len(result)) + result)
    output.flush()
    return status


def _compile(folder: str, output: BinaryIO) -> bytes:
    """Return the object file, after writing the lines with the progress to `output`."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(5)  # what the user does meanwhile comes first
    os.environ["NUMBA_OPT"] = "0"  # must be set before numba is imported
    from . import compiler, kernel

    package = import_module(f"{_KERNELS}.{folder}")
    for path in sorted(Path(next(iter(package.__path__))).glob("[!_]*.py")):
        import_module(f"{_KERNELS}.{folder}.{path.stem}")

    def report(done: int, total: int) -> None:
        output.write(b"%s %d %d\n" % (PROGRESS, done, total))
        output.flush()

    chosen = [each for each in kernel.kernels.values() if each.group == folder]
    return compiler.compile_kernels(chosen, report)


def _end_with_input() -> None:
    os.read(sys.stdin.fileno(), 1)  # the file object has a lock, for which Python would wait at its end
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.exit(main(sys.argv[1], sys.stdout.buffer))
