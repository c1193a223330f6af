"""The form of a plan names the line that is wrong, and hints at a misspelt splitter."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPlainTextEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Parity, Plan, Rule
from bpe_gui.gui.dialogs.plan_dialog import PlanDialog, ReplaySource
from tests.gui.support.widgets import child

EARLY_END = "it ends inside a group, a set or an escape"


@pytest.fixture
def dialog(qtbot: QtBot) -> PlanDialog:
    made = PlanDialog(Plan(), [ReplaySource("this run", [(b"e", b"s"), (b"es", b"t")])])
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        (
            "planForced",
            "200 q u\n200 t h",
            "Forced merges, line 2: line 1 begins with 200, too. Remove one of the two.",
        ),
        ("planStages", "9 none\n\n9 space", "Superwords, line 3: line 1 begins with 9, too. Remove one of the two."),
        (
            "planPatterns",
            "ab\n[bad(",
            f"Banned tokens, line 2: The regular expression is not valid at position 5: {EARLY_END}.",
        ),
        (
            "planStages",
            "9 none\n10 (",
            f"Superwords, line 2: The regular expression is not valid at position 1: {EARLY_END}.",
        ),
        (
            "planForced",
            "9" * 5_000 + " e s",
            f"Forced merges, line 1: it must begin with a number, not “{'9' * 5_000}”.",
        ),
        ("planStages", "10000001 none", "Superwords, line 1: it must begin with a number, not “10000001”."),
    ],
)
def test_a_line_that_is_wrong_is_named(dialog: PlanDialog, field: str, typed: str, message: str) -> None:
    child(dialog, QPlainTextEdit, field).setPlainText(typed)
    assert child(dialog, QLabel, "planMessage").text() == message
    assert not child(dialog, QPushButton, "applyAsBranchButton").isEnabled()


def test_seeds_are_lines_that_keep_their_spaces(dialog: PlanDialog) -> None:
    seeds, message = child(dialog, QPlainTextEdit, "planSeeds"), child(dialog, QLabel, "planMessage")
    dialog.show_plan(Plan(seeds=[" the", "ing", "two\nlines"]))
    assert seeds.toPlainText() == " the\ning"
    seeds.setPlainText(" the\n\n你好")
    assert dialog.plan.seeds == (" the", "two\nlines", "你好")
    assert message.text() == "3 seed tokens"


def test_languages_take_turns_by_what_is_chosen(dialog: PlanDialog) -> None:
    languages, turns = child(dialog, QComboBox, "planLanguages"), child(dialog, QComboBox, "planTurns")
    assert dialog.plan == Plan() and not turns.isEnabled()
    languages.setCurrentIndex(2)
    turns.setCurrentIndex(1)
    assert dialog.plan.parity == Parity(by="document", is_even=True)
    dialog.show_plan(Plan(parity=Parity(by="folder", global_merges=7)))
    assert (languages.currentIndex(), turns.currentIndex()) == (1, 0)
    turns.setCurrentIndex(1)
    assert dialog.plan.parity == Parity(by="folder", global_merges=7, is_even=True)
    languages.setCurrentIndex(0)
    assert dialog.plan == Plan()


def test_a_splitter_that_looks_like_a_name_is_said_to_be_an_expression(dialog: PlanDialog) -> None:
    stages, message = child(dialog, QPlainTextEdit, "planStages"), child(dialog, QLabel, "planMessage")
    stages.setPlainText("150 gtp2")
    hint = "“gtp2” is not the name of a splitter, so it is a regular expression. Did you mean gpt2?"
    assert message.text() == f"1 change of splitter\n{hint}"
    assert child(dialog, QPushButton, "applyAsBranchButton").isEnabled()
    stages.setPlainText("150 gpt2")
    assert message.text() == "1 change of splitter"


def test_a_file_that_is_no_plan_leaves_the_form_as_valid_or_not_as_it_is(dialog: PlanDialog, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{")
    banned, apply = child(dialog, QPlainTextEdit, "planBanned"), child(dialog, QPushButton, "applyPlanButton")
    save = child(dialog, QPushButton, "savePlanButton")
    banned.setPlainText("e")
    dialog.open_file(tmp_path / "plan.json")
    assert "plan.json" in child(dialog, QLabel, "planMessage").text()
    assert not apply.isEnabled() and not save.isEnabled()
    banned.setPlainText("e s")
    dialog.open_file(tmp_path / "plan.json")
    assert apply.isEnabled() and dialog.plan.banned == {(b"e", b"s")}
    dialog.save_file(tmp_path / "missing" / "plan.json" / "\0")
    assert "cannot be written" in child(dialog, QLabel, "planMessage").text()
    assert apply.isEnabled() and banned.toPlainText() == "e s"


def test_the_plan_of_a_file_takes_the_place_of_that_of_the_file_before(dialog: PlanDialog) -> None:
    sources = child(dialog, QComboBox, "planSource")
    for letter in (b"x", b"y", b"z"):
        dialog.show_plan(Plan(replay=[(letter, letter)]))
        assert [sources.itemText(index) for index in range(sources.count())] == ["the plan", "this run"]
        assert sources.currentIndex() == 0 and dialog.plan.replay == ((letter, letter),)
    dialog.show_plan(Plan(replay=[(b"e", b"s")]))
    assert [sources.itemText(index) for index in range(sources.count())] == ["this run"]


def test_the_largest_limit_of_a_rule_is_kept(dialog: PlanDialog) -> None:
    plan = Plan(rules=[Rule("max-bytes", 1_000_000_000)])
    dialog.show_plan(plan)
    assert child(dialog, QCheckBox, "plan_max-bytes").isChecked()
    assert child(dialog, QSpinBox, "plan_max-bytes_limit").value() == 1_000_000_000
    assert dialog.plan.rules == plan.rules
