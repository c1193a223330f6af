"""A corpus panel with a session of its own and without a window."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.corpus_panel import CorpusPanel
from bpe_gui.gui.session.session import Session


@pytest.fixture
def session(qapp: QApplication) -> Session:
    return Session()


@pytest.fixture
def panel(qtbot: QtBot, session: Session) -> CorpusPanel:
    panel = CorpusPanel(session, Theme("light"))
    qtbot.addWidget(panel)
    return panel
