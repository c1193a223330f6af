"""The notices of training: a run that pauses, and sizes to train to instead of a refused one."""

from collections import defaultdict
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Plan, TextDocument
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.panels.state_bars import OpenedBar
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.run import TrainingGoal
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.window.part import Surroundings
from bpe_gui.gui.window.training_notices import PauseNotices
from tests.engine.support.mixed_text import mixed_text
from tests.gui.support.widgets import child
from tests.gui.support.windows import notice_text, notices, open_window

GOAL = TrainingGoal(None, 0)


def test_the_notice_of_runs_whose_training_is_paused(qtbot: QtBot) -> None:
    session, bar = Session(), NoticeBar(Theme("light"))
    qtbot.addWidget(bar)
    session.corpus.add_documents([CorpusDocument("text", TextDocument("low lower lowest"))])
    session.cursor.seek(2)
    branches, window = session.branches, QWidget()
    qtbot.addWidget(window)
    PauseNotices(Surroundings(session, Settings(), Theme("light"), bar, window))
    opened = OpenedBar(session, Theme("light"), defaultdict(QAction))
    qtbot.addWidget(opened)
    other, third = (Branch(name, session.corpus.recipe, session.corpus.plan) for name in ("other", "third"))
    for branch in (other, third):
        branches.add(branch)
    assert bar.messages == []

    branches.main.paused = GOAL
    branches.show(other)
    expected = "Training paused: Main run, step 2. It continues when you show it again."
    assert bar.messages == [expected]
    switcher = child(opened, QComboBox, "tokenizerSwitcher")
    assert [switcher.itemText(index) for index in range(3)] == ["Main run · paused", "other", "third"]
    bar.clear()
    branches.show(third)
    assert bar.messages == []
    other.paused = GOAL
    branches.rename(third, "last")
    assert bar.messages == ["Training paused: Main run, step 2, other. Each continues when you show it again."]
    branches.remove(other)
    assert bar.messages == [expected]
    branches.show(branches.main)
    assert bar.messages == []
    assert switcher.currentText() == "Main run"


def test_training_on_from_the_end_of_a_run_offers_a_round_size(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    session.replace_documents([CorpusDocument("text", TextDocument(mixed_text(20_000)))])
    session.corpus.set_vocab_size(1_000)
    for _presses in range(2):
        qtbot.waitUntil(lambda: session.cursor.trainer is not None and not session.run.is_training)
        window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: notices(window) != [])
    assert notice_text(window) == "This run has 1,000 entries already, so training to 1,000 adds none."
    (button,) = (each for each in window.findChildren(QPushButton) if each.text().startswith("Train to"))
    assert button.text() == "Train to 2,000 entries"
    window.close()


def test_training_to_a_size_that_is_too_small_offers_another(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    session.corpus.set_vocab_size(100)
    window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: not session.run.is_training and not child(window, NoticeBar, "noticeBar").isHidden())
    assert notice_text(window).startswith("The vocabulary size 100 is too small. It must be at least 257")
    (button,) = (each for each in window.findChildren(QPushButton) if each.text() == "Train to 1,000 entries")
    button.click()
    qtbot.waitUntil(lambda: not session.run.is_training and session.cursor.position > 0)
    assert session.corpus.vocab_size == 1_000

    session.restart()
    session.cursor.seek(5)
    session.corpus.set_vocab_size(262)
    window.actions_by_name["train"].trigger()
    assert notice_text(window) == "This run has 262 entries already, so training to 262 adds none."
    for go_on in (session.cursor.step_back, partial(window.choose_workspace, "learn")):
        go_on()
        assert notices(window) == []
        session.cursor.seek(5)
        window.actions_by_name["train"].trigger()
        assert notices(window) != []
    session.corpus.set_vocab_size(264)
    window.actions_by_name["train"].trigger()
    qtbot.waitUntil(lambda: session.cursor.position == 7 and not session.run.is_training)
    assert notices(window) == []
    window.close()


def test_training_to_a_size_that_the_run_had_shows_that_step(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    doubled = Plan(replay=[(b"l", b"o"), (b"lo", b"w"), (b"o", b"w"), (b"l", b"ow"), (b"e", b"r")])
    session.apply_plan(doubled)
    session.cursor.seek(20)
    session.cursor.seek(6)
    session.corpus.set_vocab_size(261)
    window.actions_by_name["train"].trigger()
    trainer = session.run.trainer
    assert trainer is not None and (trainer.position, trainer.vocab_size) == (5, 261)
    assert notice_text(window) == (
        "Nothing was trained: this run is already larger. The window now shows step 5, where it has 261 entries. "
        "Export there to get that size."
    )
    session.corpus.set_vocab_size(300)
    assert notices(window) == []
    window.close()


def test_the_offer_goes_with_the_run(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    session = window.session
    session.cursor.seek(5)
    session.corpus.set_vocab_size(262)
    window.actions_by_name["train"].trigger()
    assert len(notices(window)) == 1
    session.restart()
    assert notices(window) == []
    window.close()
