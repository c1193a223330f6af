"""Qt's command-line tools for translations."""

import shutil
import subprocess
from pathlib import Path

import PySide6


def run_qt_tool(name: str, *arguments: str | Path, folder: Path | None = None) -> None:
    """Run a tool of PySide6, such as `lrelease`, in `folder`; raise CalledProcessError if it fails."""
    tool = shutil.which(name, path=Path(PySide6.__file__).parent)  # on Windows with its suffix
    assert tool is not None, name
    subprocess.run([tool, *arguments], check=True, capture_output=True, cwd=folder)
