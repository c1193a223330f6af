"""An action that is not possible is disabled, and its tooltip says why; so does every button for it."""

from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QEnterEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.window.actions import ACTIONS, PossibleActions, make_actions
from bpe_gui.samples import default_sample
from tests.gui.support.widgets import child

EMPTY = "The corpus is empty. Enter or open some text to train on."
MOVES = ("step", "play", "last", "run_until")
WITH_A_RUN = (
    "merge_tokenizer export encode_files report train play step last run_until go_to restart plan ban_pair try_recipe"
)
WITHOUT_CORPUS = {
    EMPTY: f"{WITH_A_RUN} first step_back merge_instead what_changed",
    "No work is in progress.": "cancel",
    "No tokenizer file is shown.": "close_tokenizer replay extend",
    "There is no other run, and no tokenizer file is open.": "next_tokenizer previous_tokenizer",
    "There is no branch yet.": "next_run overlay compare_branch",
    "No branch is shown.": "rename_branch drop_branch",
}


def reasons(window: MainWindow, *names: str) -> set[str]:
    """Return the tooltips of actions; "" for one that is possible."""
    actions = [window.actions_by_name[name] for name in names]
    return {"" if action.isEnabled() else action.toolTip() for action in actions}


def test_nothing_goes_forward_at_the_end_of_a_run(window: MainWindow) -> None:
    window.actions_by_name["learn"].trigger()
    large, tip = child(window, QPushButton, "nextMergeButton"), "Merge the next pair (Right)"
    window.session.cursor.seek(0)
    assert (large.isEnabled(), large.toolTip()) == (True, tip)
    assert reasons(window, "first", "step_back") == {"This is the first step."}
    while window.session.cursor.next_merge is not None:
        window.step()
    assert reasons(window, *MOVES) == {"Nothing is left to merge."}
    assert not large.isEnabled()
    assert large.toolTip() == child(window, QToolButton, "stepButton").toolTip() == "Nothing is left to merge."
    window.step_back()
    assert (large.isEnabled(), large.toolTip()) == (True, tip)


def test_an_empty_corpus_allows_no_step(window: MainWindow) -> None:
    window.session.restart()
    window.session.corpus.set_documents([])
    assert reasons(window, *MOVES, "first", "step_back", "go_to", "train", "restart", "export", "report") == {EMPTY}
    assert child(window, QPushButton, "nextMergeButton").toolTip() == EMPTY


def test_the_status_bar_does_not_keep_a_reason_that_is_gone(window: MainWindow) -> None:
    documents = window.session.corpus.documents
    window.session.restart()
    window.session.corpus.set_documents([])
    QApplication.sendEvent(child(window, QToolButton, "stepButton"), QEnterEvent(QPointF(), QPointF(), QPointF()))
    assert window.statusBar().currentMessage() == EMPTY
    window.session.corpus.set_documents(documents)
    assert not window.statusBar().currentMessage()


def test_every_action_with_an_obstacle_says_why_it_is_not_possible(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    actions = make_actions(parent)
    tips = {name: (action.toolTip(), action.statusTip()) for name, action in actions.items()}
    session = Session()
    PossibleActions(actions, session, parent)
    expected = {name: reason for reason, names in WITHOUT_CORPUS.items() for name in names.split()}
    assert {name: action.toolTip() for name, action in actions.items() if not action.isEnabled()} == expected
    assert {name: actions[name].statusTip() for name in expected} == expected
    assert expected.keys() == {name for name, spec in ACTIONS.items() if spec.obstacle is not None}
    session.load_sample(default_sample(), "sample")
    assert {name for name in expected if actions[name].isEnabled()} == set(WITH_A_RUN.split())
    for name in WITH_A_RUN.split():
        assert (actions[name].toolTip(), actions[name].statusTip()) == tips[name]


def test_a_menu_says_why_an_item_is_not_possible(window: MainWindow) -> None:
    menu = next(menu for menu in window.findChildren(QMenu) if window.actions_by_name["plan"] in menu.actions())
    menu.resize(menu.sizeHint())
    for name, is_explained in (("compare_branch", True), ("plan", False)):
        place = menu.actionGeometry(window.actions_by_name[name]).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, QPoint()))
        assert menu.toolTipsVisible() == is_explained
