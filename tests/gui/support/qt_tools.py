"""Qt's command-line tools for translations."""

import shutil
import subprocess
import sysconfig
from pathlib import Path


def run_qt_tool(name: str, *arguments: str | Path, folder: Path | None = None) -> None:
    """Run a tool of PySide6, such as `pyside6-lrelease`, in `folder`; raise CalledProcessError if it fails."""
    tool = shutil.which(name, path=sysconfig.get_path("scripts"))  # on Windows with its suffix
    assert tool is not None, name
    subprocess.run([tool, *arguments], check=True, capture_output=True, cwd=folder)
