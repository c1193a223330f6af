"""The notice of runs that wait to be trained on: told once, and gone when they are trained on or dropped."""

from collections import defaultdict

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.bars.notice_bar import NoticeBar
from bpe_gui.gui.panels.bars.opened_bar import OpenedBar
from bpe_gui.gui.session.corpus_document import CorpusDocument
from bpe_gui.gui.session.runs.branch import Branch
from bpe_gui.gui.session.runs.run import TrainingGoal
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.window.training.pause_notices import PauseNotices
from tests.gui.support.windows import child

GOAL = TrainingGoal(None, 0)


def test_the_notice_of_runs_whose_training_is_paused(qtbot: QtBot) -> None:
    session, bar = Session(), NoticeBar(Theme("light"))
    qtbot.addWidget(bar)
    session.corpus.add_documents([CorpusDocument("text", TextDocument("low lower lowest"))])
    session.cursor.seek(2)
    branches = session.branches
    PauseNotices(branches, bar, session)
    opened = OpenedBar(session, defaultdict(QAction))
    qtbot.addWidget(opened)
    other, third = (Branch(name, session.corpus.recipe, session.corpus.plan) for name in ("other", "third"))
    for branch in (other, third):
        branches.add(branch)
    assert bar.messages == []

    branches.main.paused = GOAL
    branches.show(other)
    expected = "Training paused: main run (step 2). It continues when you show it again."
    assert bar.messages == [expected]
    switcher = child(opened, QComboBox, "tokenizerSwitcher")
    assert [switcher.itemText(index) for index in range(3)] == ["Main run · paused", "other", "third"]
    bar.clear()
    branches.show(third)
    assert bar.messages == []
    other.paused = GOAL
    branches.rename(third, "last")
    assert bar.messages == ["Training paused: main run (step 2), other. Each continues when you show it again."]
    branches.remove(other)
    assert bar.messages == [expected]
    branches.show(branches.main)
    assert bar.messages == []
    assert switcher.currentText() == "Main run"
