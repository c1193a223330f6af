"""Settings for all tests: no window on the screen, no deadlines, and the kernels compiled only once."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings

# A busy machine must not fail a test, and a failure must repeat.
settings.register_profile("full", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("ci", settings.get_profile("full"), max_examples=25)
settings.register_profile("quick", settings.get_profile("full"), max_examples=10)
settings.load_profile("full")

# Must be set before Qt is imported, which pytest-qt does as soon as a test asks for it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


collect_ignore = ["gui/support/screen_reader.py"]  # a program for another Python


def pytest_configure(config: pytest.Config) -> None:
    """Ignore a warning that every window on the offscreen platform causes, and compile before the first test."""
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support ")
    if config.getoption("markexpr") == "not slow":
        settings.load_profile("quick")
    if not hasattr(config, "workerinput"):  # in which the workers of a parallel run would all compile at the same time
        subprocess.run([sys.executable, "-m", "bpe_gui.engine.compilation"], check=False)
