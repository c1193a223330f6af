"""The form of a plan names the line that is wrong, and hints at a misspelt splitter."""

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Plan
from bpe_gui.gui.dialogs.plans.plan_dialog import PlanDialog, ReplaySource
from tests.gui.support.windows import child


@pytest.fixture
def dialog(qtbot: QtBot) -> PlanDialog:
    made = PlanDialog(Plan(), [ReplaySource("this run", [(b"e", b"s"), (b"es", b"t")])])
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("planForced", "200 q u\n200 t h", "Chosen steps, line 2: line 1 is for step 200, too. Remove one of the two."),
        ("planStages", "9 none\n\n9 space", "Splitters, line 3: line 1 is for step 9, too. Remove one of the two."),
        (
            "planPatterns",
            "ab\n[bad(",
            "Banned tokens, line 2: The regular expression is not valid at position 5: unterminated character set.",
        ),
        (
            "planStages",
            "9 none\n10 (",
            "Splitters, line 2: The regular expression is not valid at position 1: missing ).",
        ),
    ],
)
def test_a_line_that_is_wrong_is_named(dialog: PlanDialog, field: str, typed: str, message: str) -> None:
    child(dialog, QPlainTextEdit, field).setPlainText(typed)
    assert child(dialog, QLabel, "planMessage").text() == message
    assert not child(dialog, QPushButton, "applyAsBranchButton").isEnabled()


def test_a_splitter_that_looks_like_a_name_is_said_to_be_an_expression(dialog: PlanDialog) -> None:
    stages, message = child(dialog, QPlainTextEdit, "planStages"), child(dialog, QLabel, "planMessage")
    stages.setPlainText("150 gtp2")
    hint = "“gtp2” is not the name of a splitter, so it is a regular expression."
    assert message.text() == f"1 change of splitter\n{hint}"
    assert child(dialog, QPushButton, "applyAsBranchButton").isEnabled()
    stages.setPlainText("150 gpt2")
    assert message.text() == "1 change of splitter"
