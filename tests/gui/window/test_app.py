"""The program as a whole, in a process of its own: it opens, keeps a log, ends, and is heard by screen readers."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

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
    print(ascii([document.title for document in window.session.corpus.documents]))
    window.projects.begin()  # nothing is worth saving, so closing asks nothing
    QTimer.singleShot(0, window.close)

app.MainWindow.open_paths = open_paths_and_close
sys.exit(app.main(sys.argv[2:]))
"""


def test_the_program_opens_files_logs_and_ends(tmp_path: Path) -> None:
    own = tmp_path / "my 语料 😀 100%41.txt"
    own.write_text("low lower lowest")
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(tmp_path), "-style", "fusion", str(own)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, f"{[own.name]!a}\n"), result.stderr
    log = (tmp_path / "logs" / "bpe-gui.log").read_text(encoding="utf-8")
    assert "begins on" in log
    assert f"opened {own}" in log
    assert "ends" in log
    assert "lower" not in log


ROOT = Path(__file__).parents[3]
READER = ROOT / "tests" / "gui" / "support" / "screen_reader.py"
SYSTEM_PYTHON = "/usr/bin/python3"
PROGRAMS = ("dbus-run-session", "xvfb-run", "xauth", SYSTEM_PYTHON)
SAMPLE = "lowest newest slower<|endoftext|>"
TIMEOUT = 100  # seconds


def can_read_screens() -> bool:
    """Return whether the system has a display server, a bus, and the library that screen readers use."""
    if not sys.platform.startswith("linux") or not all(map(shutil.which, PROGRAMS)):
        return False
    return subprocess.run([SYSTEM_PYTHON, "-c", "import pyatspi"], capture_output=True, check=False).returncode == 0


needs_a_screen_reader = pytest.mark.skipif(not can_read_screens(), reason="needs Xvfb, D-Bus and pyatspi")


def reported(*arguments: str) -> dict[str, object]:
    """Return what a screen reader says that uses the program: see `support/screen_reader.py`."""
    with TemporaryDirectory() as home:  # short enough for the path of a socket
        folders = {"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        program = ["xvfb-run", "-a", "dbus-run-session", "--", SYSTEM_PYTHON, str(READER), sys.executable, *arguments]
        done = subprocess.run(
            program,
            env={**os.environ, **folders, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    report: dict[str, object] = json.loads(done.stdout.splitlines()[-1])  # the bus writes there as well
    return report


@pytest.mark.slow
@needs_a_screen_reader
def test_a_screen_reader_hears_the_text_its_changes_and_the_token_at_the_caret() -> None:
    report = reported()
    heard = report.pop("heard")
    assert isinstance(heard, list)
    assert report == {
        "role": "text",
        "children": 0,
        "before": SAMPLE,
        "count": len(SAMPLE),
        "after": "é文 " + SAMPLE,
        "caret": 3,
        "word": "lowest",
        "selection": [0, 4],
        "caret after selecting": 4,
        "token": "e, id 101",
    }
    assert ["object:text-changed:insert", 0, "é文 "] in heard
    assert [event[1] for event in heard if event[0] == "object:text-caret-moved"] == [3, 4, 6]
    assert any(event[0] == "object:text-selection-changed" for event in heard)
    assert any(event[0] == "object:property-change:accessible-description" and "id " in event[2] for event in heard)


@pytest.mark.slow
@needs_a_screen_reader
def test_a_screen_reader_alone_gets_from_a_file_to_a_proven_export(tmp_path: Path) -> None:
    corpus, folder = tmp_path / "corpus.txt", tmp_path / "tokenizer"
    corpus.write_text("the cat and the hat and the bat sat that day\n" * 6)
    report = reported(str(corpus), str(folder))
    assert report["opened"] == corpus.read_text()
    merges = int(str(report["trained"]).split()[-1])
    assert len((folder / "merges.txt").read_text().splitlines()) == merges + 1  # a version comes first
    assert re.search(r"Proven: tokenizers \S+ gives the same ids for \d+ test strings\.", str(report["proven"]))
