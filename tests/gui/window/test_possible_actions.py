"""An action that is not possible is disabled, and its tooltip says why; so does every button for it."""

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.window.actions import ACTIONS
from tests.gui.support.widgets import child

EMPTY = "The corpus is empty. Enter or open some text to train on."
MOVES = ("step", "play", "last", "run_until")


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


def test_every_action_that_is_not_possible_says_why(window: MainWindow) -> None:
    for name, spec in ACTIONS.items():
        action = window.actions_by_name[name]
        if spec.obstacle is not None and not action.isEnabled():
            assert action.toolTip() == action.statusTip() != spec.tip, name


def test_a_menu_says_why_an_item_is_not_possible(window: MainWindow) -> None:
    menu = next(menu for menu in window.findChildren(QMenu) if window.actions_by_name["plan"] in menu.actions())
    menu.resize(menu.sizeHint())
    for name, is_explained in (("compare_branch", True), ("plan", False)):
        place = menu.actionGeometry(window.actions_by_name[name]).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, QPoint()))
        assert menu.toolTipsVisible() == is_explained
