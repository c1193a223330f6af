"""The program as a whole, in a process of its own: it opens, keeps a log, and ends when the window is closed."""

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from bpe_gui.gui import app

folder = Path(sys.argv[1])
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
app.default_log_file = lambda: folder / "logs" / "bpe-gui.log"
app.default_recovery_folder = lambda: folder / "recovery"
open_paths = app.MainWindow.open_paths

def open_paths_and_close(window, paths):
    open_paths(window, paths)
    print([document.title for document in window.session.corpus.documents])
    window.projects.begin()  # nothing is worth saving, so closing asks nothing
    QTimer.singleShot(0, window.close)

app.MainWindow.open_paths = open_paths_and_close
sys.exit(app.main(sys.argv[2:]))
"""


def test_the_program_opens_files_logs_and_ends(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("low lower lowest")
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path), str(own)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "['own.txt']\n"), result.stderr
    log = (tmp_path / "logs" / "bpe-gui.log").read_text(encoding="utf-8")
    assert "begins on" in log
    assert f"opened {own}" in log
    assert "ends" in log
    assert "lower" not in log
