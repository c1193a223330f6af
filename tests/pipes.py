"""Named pipes, which file systems have on POSIX systems only."""

import os
import sys
from pathlib import Path

import pytest


def make_pipe(path: Path) -> None:
    """Create a named pipe at `path`; skip the test on Windows, whose file systems have none."""
    if sys.platform == "win32":
        pytest.skip("Windows has no named pipes in the file system")
    else:
        os.mkfifo(path)
