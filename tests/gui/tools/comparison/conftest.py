"""A comparison that is closed after the test."""

from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.session.session import Session

from .support import Stage, close_stage, open_stage


@pytest.fixture
def open_comparison(qtbot: QtBot) -> Iterator[Callable[[Session], Stage]]:
    """Return a function that opens the comparison of a session."""
    stages: list[Stage] = []

    def open_one(session: Session) -> Stage:
        stages.append(open_stage(qtbot, session))
        return stages[-1]

    yield open_one
    for stage in stages:
        close_stage(stage)
