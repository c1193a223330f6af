"""What holds for every test: no window on anybody's screen."""

import os

import pytest

# Before the first import of Qt, which pytest-qt does as soon as a test asks for it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_configure(config: pytest.Config) -> None:
    """Qt's warnings fail tests, but for what the offscreen platform says about every window that is shown."""
    config.addinivalue_line("qt_log_ignore", "^This plugin does not support ")
