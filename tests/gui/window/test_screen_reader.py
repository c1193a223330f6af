"""The real program, read over AT-SPI by the library of Linux's screen readers, where the system has it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

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


@pytest.mark.slow
@pytest.mark.skipif(not can_read_screens(), reason="needs Xvfb, D-Bus and pyatspi")
def test_a_screen_reader_hears_the_text_its_changes_and_the_token_at_the_caret() -> None:
    with TemporaryDirectory() as home:  # short enough for the path of a socket
        folders = {"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        program = ["xvfb-run", "-a", "dbus-run-session", "--", SYSTEM_PYTHON, str(READER), sys.executable]
        done = subprocess.run(
            program,
            env={**os.environ, **folders, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])  # the bus writes there as well
    heard = report.pop("heard")
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
