"""What holds for every test: no window on anybody's screen, and no deadline."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings

# A busy machine is no reason to fail; and a failure should fail the same way again.
settings.register_profile("ours", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ours")

# Before the first import of Qt, which pytest-qt does as soon as a test asks for it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_configure(config: pytest.Config) -> None:
    """Qt's warnings fail tests, but for what the offscreen platform says about every window; and compiles once."""
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support ")
    if config.getoption("numprocesses", None):  # else each of them would compile the engine, all at the same time
        subprocess.run([sys.executable, "-m", "bpe_gui.engine.runtime.prepare"], check=False)
