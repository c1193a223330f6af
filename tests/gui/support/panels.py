"""Panels in tests, with their own session and without a window."""

import time
from typing import NoReturn

from pytestqt.qtbot import QtBot

from bpe_gui.engine import Progress
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.encode_panel import EncodePanel
from bpe_gui.gui.session.corpus import RunInputs
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import default_sample


def sample_session() -> Session:
    """Return a session with the sample that the window starts with."""
    session = Session()
    session.load_sample(default_sample(), "sample")
    return session


def wait_to_be_cancelled(_inputs: RunInputs, progress: Progress) -> NoReturn:
    """Do nothing until the user cancels; replaces `RunInputs.count`."""
    while True:
        time.sleep(0.01)
        progress(0, 0)


def shown_encode_panel(session: Session, qtbot: QtBot, width: int, height: int) -> EncodePanel:
    """Return a visible encode panel of this size in pixels."""
    panel = EncodePanel(session, Theme("light"), Settings())
    qtbot.addWidget(panel)
    panel.resize(width, height)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel
