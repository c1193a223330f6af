"""Two runs of the window compared: both follow its step, and keep their rows when it switches to the other one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Parity, Plan, ReadTokenizer, Recipe, TextDocument, TokenizerSource, train
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session.branches import banning, plan_from
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.comparison.tokenizer_names import name_of
from tests.gui.support.widgets import child

from .support import Stage, make_session, session_with_a_ban


def names(stage: Stage) -> list[str]:
    stage.settle()
    return [name_of(item) for item in stage.comparing.tokenizers.items]


def test_two_runs_follow_the_step_and_the_mark_moves(open_comparison: Callable[[Session], Stage], qtbot: QtBot) -> None:
    session = session_with_a_ban(qtbot)
    stage = open_comparison(session)
    assert names(stage) == ["Current: ban, step 2", "Main run, step 2"]
    stage.comparing.compare_with(session.branches.main)
    assert names(stage) == ["Current: ban, step 2", "Main run, step 2"]
    assert stage.label("alignedTitle").startswith("They diverge at step 3.")
    session.cursor.seek(5)
    assert names(stage) == ["Current: ban, step 5", "Main run, step 5"]
    session.show_branch(session.branches.main)
    assert names(stage) == ["ban, step 2", "Current: Main run, step 2"]
    session.drop_branch(session.branches.all[1])
    assert names(stage) == ["Current: Main run, step 2"]
    assert "add another one" in child(stage.window, Table, "alignedTable").hint


def test_the_run_keeps_its_row_when_an_opened_tokenizer_is_shown(open_comparison: Callable[[Session], Stage]) -> None:
    session = make_session(step=12)
    stage, run = open_comparison(session), session.run.trainer
    assert run is not None
    session.cursor.seek(5)
    opened = [
        OpenedTokenizer(ReadTokenizer(train("low", recipe="cs336", num_merges=2), TokenizerSource(Path(name)), "gpt2"))
        for name in ("r50k", "other")
    ]
    session.opened.show(opened[0])
    assert names(stage) == ["Main run, step 5", "Current: r50k"]
    assert [row[0][:1] for row in stage.table()] == ["A", "B"]
    assert stage.comparing.tokenizers.items[0].tokenizer == run.tokenizer(5)
    session.opened.show(opened[1])
    assert names(stage) == ["Main run, step 5", "r50k", "Current: other"]
    session.cursor.seek(1)
    session.opened.show(opened[0])
    assert names(stage) == ["Main run, step 5", "Current: r50k", "other"]
    session.opened.show_run()
    assert names(stage) == ["Current: Main run, step 5", "r50k", "other"]
    session.opened.close_one(opened[1])
    assert names(stage) == ["Current: Main run, step 5", "r50k"]
    session.opened.show(opened[0])
    session.opened.close()
    assert names(stage) == ["Current: Main run, step 5"]
    session.cursor.seek(6)
    assert names(stage) == ["Current: Main run, step 6"]


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ("cs336", "Their plans differ. A has a plan: 2 merges replayed · without o + w; B has none."),
        (
            "minbpe",
            "Possible reasons: different plans (A has a plan: 2 merges replayed · without o + w; B has none), Ties ",
        ),
    ],
)
def test_the_plan_is_a_reason_beside_a_recipe_that_was_trained_here(
    open_comparison: Callable[[Session], Stage], qtbot: QtBot, recipe: str, reason: str
) -> None:
    session = session_with_a_ban(qtbot)
    session.cursor.last()
    stage = open_comparison(session)
    stage.comparing.tokenizers.remove(stage.comparing.tokenizers.items[1])  # the main run
    stage.comparing.trainer.train([Recipe.of(recipe)])
    stage.settle()
    assert reason in stage.label("pairReason")


def test_a_run_that_has_not_come_as_far_is_trained_to_the_same_length(
    open_comparison: Callable[[Session], Stage], qtbot: QtBot
) -> None:
    session = make_session(step=3)
    trainer = session.run.trainer
    assert trainer is not None
    session.branch_off("longer", trainer.recipe, plan_from(trainer, 3), 3, 6)
    qtbot.waitUntil(lambda: session.branches.current.name == "longer" and session.work.activity is Activity.IDLE)
    session.cursor.seek(6)
    stage = open_comparison(session)
    stage.comparing.compare_with(session.branches.main)
    stage.settle()
    qtbot.waitUntil(lambda: stage.label("alignedTitle") == "Their merges are the same.")
    assert child(stage.window, Table, "alignedTable").model().rowCount() == 6


def test_plain_and_fair_training_are_compared_by_language(
    open_comparison: Callable[[Session], Stage], qtbot: QtBot
) -> None:
    session, texts = Session(), {"en": "low low lower lowest", "de": "tief tiefer am tiefsten"}
    documents = [CorpusDocument(f"{name}.txt", TextDocument(text)) for name, text in texts.items()]
    session.load(documents, Recipe.of("parity"), (), 300, LiveText("low"))
    session.cursor.seek(6)
    session.branch_off("fair", Recipe.of("parity"), Plan(parity=Parity(by="document")), 0, 6)
    qtbot.waitUntil(lambda: session.branches.current.name == "fair" and session.work.activity is Activity.IDLE)
    stage = open_comparison(session)
    stage.comparing.compare_with(session.branches.main)
    for step in (2, 5):
        session.cursor.seek(step)
        stage.settle()
        run, tokenizers = session.run.trainer, [item.tokenizer for item in stage.comparing.tokenizers.items]
        assert run is not None and run.turns is not None
        counts = {name: [len(each.encode(text)) for each in tokenizers if each] for name, text in texts.items()}
        assert [counts[name][0] for name in run.turns.languages] == run.turns.lengths_at(step).tolist()
        costs = ", ".join(f"{name} {fair} / {plain}" for name, (fair, plain) in counts.items())
        assert stage.label("comparisonNote") == f"Tokens of the corpus by language, A / B: {costs}."


def test_the_merges_are_shown_from_where_they_diverge(
    open_comparison: Callable[[Session], Stage], qtbot: QtBot
) -> None:
    words = " ".join(f"{first}{second}{third}" for first in "abcdef" for second in "ghijkl" for third in "mnopqr")
    session = make_session(corpus=words, step=150)
    session.cursor.seek(100)
    trainer = session.run.trainer
    assert trainer is not None
    merge = trainer.merge_at(100)
    session.branch_off("ban", trainer.recipe, banning(plan_from(trainer, 100), (merge.left, merge.right)), 100, 150)
    qtbot.waitUntil(lambda: session.branches.current.name == "ban" and session.work.activity is Activity.IDLE)
    stage = open_comparison(session)
    stage.comparing.compare_with(session.branches.main)
    stage.settle()
    table = child(stage.window, Table, "alignedTable")
    assert 0 < table.rowAt(0) <= 100 <= table.rowAt(0) + table.rows_in_view
