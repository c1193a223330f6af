"""Compile the kernels: `python -m build_kernels` for this checkout, `python -m build_kernels wheels FOLDER` for wheels.

The first does so if the sources have changed. The second makes a wheel for each system in `targets`.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .library import ROOT, build, build_here
from .targets import TARGETS, this_machine


def make_wheels(folder: Path) -> None:
    """Write a wheel for each target to a folder."""
    from .hook import READY

    with TemporaryDirectory() as libraries:
        for library in build(list(TARGETS.values()), Path(libraries)):
            command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder.resolve())]
            subprocess.run(command, cwd=ROOT, env=os.environ | {READY: str(library)}, check=True)


def main() -> None:
    """Run the command that the arguments say."""
    match sys.argv[1:]:
        case ["wheels", folder]:
            make_wheels(Path(folder))
        case []:
            target = this_machine()
            if target is None:
                sys.exit("Kernels cannot be compiled for this system.")
            try:
                build_here(target)
            except ModuleNotFoundError as error:
                sys.exit(f"The kernels have changed since they were compiled. {error}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
