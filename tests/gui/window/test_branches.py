"""Branches in the window: made by menus and keys, switched by one key, compared, renamed, dropped and planned."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QInputDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Plan, Progress, TextDocument, Trainer, WordCounts
from bpe_gui.gui.dialogs.plan_dialog import PlanDialog, ReplaySource
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument, RunInputs
from bpe_gui.gui.session.cursor import Cursor
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.comparison.compare_page import ComparePage
from bpe_gui.gui.views.chip_text import ChipText
from bpe_gui.gui.views.timeline_view import TimelineView
from bpe_gui.gui.window import branch_actions
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text, notices

STEP = 1


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.last()
    window.session.cursor.seek(STEP)
    return window


def wait_for_branch(qtbot: QtBot, window: MainWindow, name: str) -> None:
    session = window.session
    qtbot.waitUntil(lambda: session.branches.current.name == name and session.work.activity is Activity.IDLE)


def choose_in_menu(window: MainWindow, table_name: str, row: int, action: str) -> None:
    """Choose an item of the menu of a row, as a user does."""
    table = child(window, Table, table_name)
    menu = window._token_menus.table_menu(table, table.model().index(row, 1), QPointF(0, 0))
    child(menu, QAction, action).trigger()  # type: ignore[type-var]


def test_a_branch_at_the_last_step_says_that_it_does_not_differ_yet(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.restart()
    qtbot.waitUntil(lambda: session.run.exists and session.cursor.run_length == 0)
    session.cursor.seek(STEP)
    trainer = session.cursor.trainer
    assert trainer is not None
    session.corpus.set_vocab_size(trainer.vocab_size)
    assert label_text(window, "reasonLabel").startswith("The vocabulary has reached its target size.")
    window._branch_actions.ban_chosen()
    qtbot.waitUntil(lambda: "This is the last step, so the branch" in "".join(notices(window)))
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert not notices(window)


def names(window: MainWindow) -> list[str]:
    box = child(window, QComboBox, "tokenizerSwitcher")
    return [box.itemText(index) for index in range(box.count())]


def test_a_pair_is_banned_and_the_runs_are_switched_compared_and_dropped(window: MainWindow, qtbot: QtBot) -> None:
    bar = child(window, QWidget, "openedTokenizerBar")
    assert not bar.isVisible()
    choose_in_menu(window, "pairTable", 0, "banPair")
    wait_for_branch(qtbot, window, "without e + st")
    assert (bar.isVisible(), names(window)) == (True, ["Main run", "without e + st"])
    assert label_text(window, "openedTokenizerLabel") == "branch · cs336-toy · 1 merge replayed"
    assert label_text(window, "reasonLabel").endswith("Passed over: `e` + `st` with 9 (banned by you).")
    model = child(window, Table, "pairTable").model()
    count = model.index(0, PairColumn.COUNT)
    assert count.data(Qt.ItemDataRole.FontRole).strikeOut()
    assert count.data(Qt.ItemDataRole.ToolTipRole) == "not merged: banned by you"
    assert model.index(0, PairColumn.TIE).data() == "banned"

    window.session.selection.ask_why_not("est")
    answer = "No: the plan of this run forbids merging e and st (banned by you)."
    qtbot.waitUntil(lambda: answer in child(window, ChipText, "whyNotAnswer").text())

    QTest.keyClick(window, Qt.Key.Key_F6)
    assert window.session.branches.current is window.session.branches.main
    assert label_text(window, "openedTokenizerLabel") == "1 branch"
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert window.session.branches.current.name == "without e + st"

    child(window, QPushButton, "compareBranchButton").click()
    compare = child(window, ComparePage, "compareWindow")
    qtbot.waitUntil(
        lambda: label_text(compare, "alignedTitle") == "They diverge at step 2. Merges only in A: 7, only in B: 7."
    )
    rows = child(compare, Table, "alignedTable").model()
    texts = [rows.index(1, column).data() for column in range(rows.columnCount())]
    assert texts == ["2", "w + e", "×8", "never", "e + st", "×9", "never"]
    assert label_text(compare, "pairReason").endswith(
        "Their plans differ. A has a plan: 1 merge replayed · without e + st; B has none."
    )
    child(compare, QCheckBox, "onlyLackingBox").click()
    assert rows.rowCount() == 8
    window.actions_by_name["explore"].trigger()
    assert window.actions_by_name["explore"].isChecked()

    child(window, QPushButton, "dropBranchButton").click()
    assert not bar.isVisible()
    assert notice_text(window) == "Deleted the branch “without e + st”."
    window.actions_by_name["undo"].trigger()
    assert window.session.branches.current.name == "without e + st"


def test_the_notice_of_a_large_branch_offers_to_undo_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branch_actions, "_ANNOUNCED_MEMORY", 0)
    window.session.corpus.set_vocab_size(400)  # a change before, which stays
    choose_in_menu(window, "pairTable", 0, "banPair")
    wait_for_branch(qtbot, window, "without e + st")
    qtbot.waitUntil(lambda: notices(window)[-1:] != [] and "of memory. You can delete it" in notice_text(window))
    bar = child(window, QWidget, "noticeBar")
    (undo,) = (button for button in bar.findChildren(QPushButton) if button.text() == "Undo" and button.isVisible())
    undo.click()
    assert window.session.branches.all == (window.session.branches.main,)
    assert window.session.corpus.vocab_size == 400


def test_another_pair_is_merged_instead_and_a_branch_renamed(window: MainWindow, qtbot: QtBot) -> None:
    choose_in_menu(window, "pairTable", 4, "mergeInstead")
    wait_for_branch(qtbot, window, "n + e at step 2")
    assert label_text(window, "reasonLabel").endswith("Chosen by you; training would choose `e` + `st` with 9.")
    child(window, QPushButton, "renameBranchButton").click()
    dialog = child(window, QInputDialog, "renameBranchDialog")
    dialog.setTextValue(" mine ")
    dialog.accept()
    assert names(window) == ["Main run", "mine"]
    assert window.windowTitle().startswith("mine · ")


def test_a_branch_that_the_user_has_not_named_follows_the_language(window: MainWindow, qtbot: QtBot) -> None:
    for name in ("without e + st", "without e + st (2)"):
        window.session.show_branch(window.session.branches.main)
        window.session.selection.select_pair(b"e", b"st")
        window.actions_by_name["ban_pair"].trigger()
        wait_for_branch(qtbot, window, name)
    window.session.branches.rename(window.session.branches.all[1], "mine")
    window.choose_language("zh_CN")
    assert [branch.name for branch in window.session.branches.all] == ["", "mine", "禁用 e + st"]
    undo = window.actions_by_name["undo"].text()
    window.choose_language("en")
    assert [branch.name for branch in window.session.branches.all] == ["", "mine", "without e + st"]
    assert "重命名" in undo and window.session.history.last is not None


def test_a_branch_is_named_while_it_counts_bytes_rather_than_steps(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count_forever(_inputs: RunInputs, _counts: WordCounts, progress: Progress) -> Trainer:
        while True:
            progress(4_000_000, 10_000_000)

    monkeypatch.setattr(RunInputs, "set_up", count_forever)
    session = window.session
    session.branch_off("with a plan", session.corpus.recipe, Plan(), 0, 5)
    qtbot.waitUntil(lambda: label_text(window, "activityLabel") == "Creating the branch “with a plan”… 40%")
    window.actions_by_name["cancel"].trigger()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)


def test_a_plan_is_edited_checked_saved_and_opened(qtbot: QtBot, tmp_path: Path) -> None:
    merges = [(b"e", b"s"), (b"es", b"t")]
    dialog = PlanDialog(Plan(), [ReplaySource("this run", merges)])
    qtbot.addWidget(dialog)
    message, apply = child(dialog, QLabel, "planMessage"), child(dialog, QPushButton, "applyAsBranchButton")
    assert message.text() == "No plan: training chooses every merge."
    banned = child(dialog, QPlainTextEdit, "planBanned")
    banned.setPlainText("l ow\nlow")
    assert message.text() == "Banned pairs, line 2: enter two tokens separated by a space."
    assert not apply.isEnabled()
    banned.setPlainText("Ġl ow")
    child(dialog, QPlainTextEdit, "planForced").setPlainText("3 l o")
    child(dialog, QCheckBox, "plan_max-bytes").setChecked(True)
    child(dialog, QSpinBox, "planCount").setValue(1)
    expected = Plan(replay=merges[:1], banned=[(b" l", b"ow")], forced={2: (b"l", b"o")}, rules=["max-bytes=16"])
    assert dialog.plan == expected
    dialog.save_file(tmp_path / "plan.json")
    banned.setPlainText("l o")
    assert message.text() == "The plan bans the pair 'l' 'o', but merges it at step 3. Remove one of the two."
    dialog.open_file(tmp_path / "plan.json")
    assert (dialog.plan, banned.toPlainText()) == (expected, "Ġl ow")
    with qtbot.waitSignal(dialog.branch_wanted) as wanted:
        apply.click()
    assert wanted.args == [expected]


def ask_for_plan(window: MainWindow, field: str, typed: str, button: str) -> None:
    """Open the plan of the run, type into a field, and press a button."""
    window.actions_by_name["plan"].trigger()
    dialog = child(window, PlanDialog, "planDialog")
    child(dialog, QPlainTextEdit, field).setPlainText(typed)
    child(dialog, QPushButton, button).click()


def typed_again(window: MainWindow, field: str) -> str:
    """Open the plan of the run, and return what a field contains."""
    window.actions_by_name["plan"].trigger()
    dialog = window.findChildren(PlanDialog, "planDialog")[-1]
    text = child(dialog, QPlainTextEdit, field).toPlainText()
    dialog.reject()
    return text


def test_a_plan_that_cannot_be_followed_is_offered_again(window: MainWindow, qtbot: QtBot) -> None:
    ask_for_plan(window, "planForced", "2 zz yy", "applyAsBranchButton")
    qtbot.waitUntil(lambda: "'zz' is not a token there" in "".join(notices(window)))
    assert typed_again(window, "planForced") == "2 zz yy"
    ask_for_plan(window, "planForced", "2 l o", "applyAsBranchButton")
    wait_for_branch(qtbot, window, "with a plan")
    window.actions_by_name["next_run"].trigger()
    assert typed_again(window, "planForced") == ""


def test_a_plan_that_leaves_no_run_can_be_mended(window: MainWindow, qtbot: QtBot) -> None:
    ask_for_plan(window, "planStages", "3 foo", "applyPlanButton")
    qtbot.waitUntil(lambda: "The splitter after step 3 finds no words" in label_text(window, "reasonLabel"))
    assert typed_again(window, "planStages") == "3 foo"
    ask_for_plan(window, "planStages", "3 none", "applyPlanButton")
    qtbot.waitUntil(lambda: window.session.run.exists)


def test_the_other_run_is_drawn_over_the_one_on_screen(window: MainWindow, qtbot: QtBot) -> None:
    session, line = window.session, child(window, QWidget, "overlayLine")
    assert not line.isVisible()
    session.text.set_content("newest widest")
    choose_in_menu(window, "pairTable", 0, "banPair")
    wait_for_branch(qtbot, window, "without e + st")
    session.cursor.seek(STEP + 1)
    qtbot.waitUntil(lambda: session.cursor.position == STEP + 1)
    qtbot.waitUntil(lambda: label_text(window, "overlayLine") == "Main run: 8 tokens (−1) here")
    assert session.overlay.difference is not None
    assert child(window, QLabel, "overlayLine").property("role") == "warning"
    assert session.overlay.difference.lost.tolist() == [4, 11]  # the main run has “est” there

    session.text.set_content("low")
    qtbot.waitUntil(lambda: label_text(window, "overlayLine") == "Main run: same tokens")
    assert child(window, QLabel, "overlayLine").property("role") == "quiet"
    session.text.set_content("newest widest")

    child(window, QPushButton, "showOverlayButton").click()
    assert session.branches.current is session.branches.main
    session.cursor.seek(STEP + 1)
    qtbot.waitUntil(lambda: label_text(window, "overlayLine") == "without e + st: 9 tokens (+1) here")
    session.cursor.seek(STEP)
    rows = child(window, Table, "pairTable").model()
    tips = [rows.index(row, PairColumn.RANK).data(Qt.ItemDataRole.ToolTipRole) for row in range(rows.rowCount())]
    assert tips[0] == "next pair to merge"
    assert tips.count("the other run merges this pair next") == 1
    timeline = child(window, TimelineView, "timeline")
    with_overlay = timeline.grab().toImage()
    child(window, QPushButton, "overlayButton").click()
    assert not line.isVisible()
    assert timeline.grab().toImage() != with_overlay
    child(window, QPushButton, "overlayButton").click()
    assert line.isVisible()
    for language in ("zh_CN", "en"):
        window.choose_language(language)
        QApplication.processEvents()
    assert child(window, TimelineView, "timeline").grab().toImage() == with_overlay


def test_the_other_run_is_trained_to_the_length_of_the_one_on_screen(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.restart()
    session.cursor.seek(STEP)
    window.actions_by_name["ban_pair"].trigger()
    wait_for_branch(qtbot, window, "without e + st")
    main = session.branches.main
    assert session.cursor.run_length == session.cursor.target_position  # ahead, to show what the ban changes
    qtbot.waitUntil(lambda: session.branches.length_of(main) == session.cursor.run_length)
    qtbot.waitUntil(lambda: main.kept is not None and main.kept.trainer.position == STEP)
    session.show_branch(main)
    assert session.cursor.position == STEP


def test_a_run_is_known_to_end_where_an_undone_ban_left_it(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.corpus.set_recipe(PRESETS["minbpe"])
    session.corpus.set_documents([CorpusDocument("x", TextDocument("aaabdaaabac"))])
    session.corpus.set_vocab_size(512)
    session.restart()
    session.cursor.seek(3)
    choose_in_menu(window, "pairTable", 0, "banPair")
    wait_for_branch(qtbot, window, "without aaab + d")
    main = session.branches.main
    qtbot.waitUntil(lambda: main.kept is not None and main.kept.trainer.position == 3)
    qtbot.waitUntil(lambda: session.branches.length_of(main) == session.cursor.run_length == 7)
    qtbot.waitUntil(lambda: main.kept is not None and main.kept.trainer.position == 3)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: session.branches.current is main)
    assert label_text(window, "mergeCountLabel") == "3 of 7"
    assert label_text(window, "stepLabel") == "step 3 of 7"


def test_the_timeline_counts_the_tokens_of_the_text_in_both_runs(window: MainWindow, qtbot: QtBot) -> None:
    session, timeline = window.session, child(window, TimelineView, "timeline")
    session.text.set_content("newest widest")
    choose_in_menu(window, "pairTable", 0, "banPair")
    wait_for_branch(qtbot, window, "without e + st")
    branch = session.branches.current
    runs = [session.branches.run_of(each) for each in (branch, session.branches.main)]
    tokenizers = [run.trainer.tokenizer(STEP + 1) for run in runs if run is not None]
    counts = [len(each.encode("newest widest")) for each in tokenizers]
    assert counts[0] == counts[1] + 1
    assert timeline.tokens_at(STEP + 1) == counts
    session.text.set_content("new")
    qtbot.waitUntil(lambda: timeline.tokens_at(STEP + 1) == [len(each.encode("new")) for each in tokenizers])
    session.text.set_content("new" * 2000)
    qtbot.waitUntil(lambda: timeline.tokens_at(STEP + 1) == [])
    session.text.set_content("newest widest")
    tip = window._timeline._describe(STEP + 1)
    assert tip.splitlines()[1:] == [f"without e + st: {counts[0]} tokens", f"Main run: {counts[1]} tokens"]


def test_the_timeline_counts_again_for_special_tokens_but_not_for_a_step(window: MainWindow, qtbot: QtBot) -> None:
    session, timeline = window.session, child(window, TimelineView, "timeline")
    session.text.set_content("new<|endoftext|>")
    qtbot.waitUntil(lambda: timeline.tokens_at(0) == [4])
    panel = timeline.parentWidget()
    assert panel is not None
    timers = panel.findChildren(QTimer)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))
    session.cursor.step()
    assert not any(timer.isActive() for timer in timers)
    session.text.allow_special("none")
    qtbot.waitUntil(lambda: timeline.tokens_at(0) == [len("new<|endoftext|>")])


def test_the_timeline_counts_once_a_thread_has_given_back_the_run(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    cursor, timeline = window.session.cursor, child(window, TimelineView, "timeline")
    timeline.forget_tokens()
    with monkeypatch.context() as patch:
        patch.setattr(Cursor, "steps", None)
        cursor.moved.emit()
        assert not timeline.tokens_at(0)
    cursor.moved.emit()
    assert timeline.tokens_at(0) == [19]
