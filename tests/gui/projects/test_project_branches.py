"""A project keeps its branches with their plans, merges and steps, and shows again the one that was shown."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import (
    LiveText,
    Lowercase,
    Pipeline,
    Plan,
    Recipe,
    TextDocument,
    Tokenizer,
    TokenizerSource,
    save,
    train,
)
from bpe_gui.engine.pipeline.decoders import Fuse
from bpe_gui.engine.projects import load_project
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session.branches import banning, plan_from
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session

from .test_project_whole_run import TEXT, Desk

MERGES, STEP = 30, 8


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    """Return a session with a saved project that has two branches, the second of which is shown."""
    desk = Desk(qtbot, tmp_path)
    session = desk.session
    session.load([CorpusDocument("words", TextDocument(TEXT))], Recipe.of("cs336"), (), 1_000, LiveText("lower"))
    session.cursor.seek(MERGES)
    ban_next(qtbot, session, "first")
    session.show_branch(session.branches.main)
    ban_next(qtbot, session, "second")
    session.cursor.seek(STEP + 2)
    desk.save()
    return desk


def ban_next(qtbot: QtBot, session: Session, name: str) -> None:
    """Make a branch that bans the pair that follows `STEP`."""
    trainer = session.run.trainer
    assert trainer is not None
    merge = trainer.merge_at(STEP)
    session.branch_off(name, trainer.recipe, banning(plan_from(trainer, STEP), (merge.left, merge.right)), STEP, MERGES)
    qtbot.waitUntil(lambda: session.branches.current.name == name and session.work.activity is Activity.IDLE)


def test_branches_are_there_when_a_project_is_opened_again(desk: Desk, qtbot: QtBot) -> None:
    session = desk.session
    plans = [branch.plan for branch in session.branches.all]
    merges = [session.branches.merges_of(branch) for branch in session.branches.all]
    desk.open()
    qtbot.waitUntil(lambda: session.branches.current.name == "second")
    branches = session.branches
    assert [branch.name for branch in branches.all] == ["", "first", "second"]
    assert [branch.plan for branch in branches.all] == plans
    assert session.cursor.position == STEP + 2
    restored = [branches.merges_of(branch) for branch in branches.all]
    assert [each and each.tokenizer.merges for each in restored] == [each and each.tokenizer.merges for each in merges]
    assert not desk.projects.is_modified
    session.show_branch(branches.all[1])
    qtbot.waitUntil(lambda: branches.current is branches.all[1])
    assert (session.cursor.position, session.cursor.run_length, session.run.is_stale) == (STEP, MERGES, False)
    assert not desk.projects.is_modified


def test_dropping_a_branch_changes_a_project_and_showing_one_does_not(desk: Desk) -> None:
    session = desk.session
    modified = []
    for change in (
        lambda: session.show_branch(session.branches.main),
        lambda: session.drop_branch(session.branches.all[1]),
        session.undo,
    ):
        change()
        modified.append(desk.projects.is_modified)
    assert modified == [False, True, False]


def test_merges_that_a_branch_repeats_are_saved_once(desk: Desk) -> None:
    saved = load_project(desk.path)
    assert [len(branch.plan.replay) for branch in saved.branches] == [STEP, STEP]
    assert desk.path.read_text("utf-8").count(f'"replay": {STEP}') == 2


@pytest.mark.parametrize("lowers", [True, False])
def test_a_branch_that_continues_a_tokenizer_keeps_its_steps(desk: Desk, qtbot: QtBot, lowers: bool) -> None:
    session, steps = desk.session, Pipeline(normalizers=(Lowercase(),), decoders=(Fuse(),))
    symbols = sorted(set(TEXT.lower()))
    bare = (
        Tokenizer(dict(enumerate(map(str.encode, symbols))), [], pipeline=steps)
        if lowers
        else train(TEXT, num_merges=2)
    )
    base = train(TEXT, num_merges=6, plan=Plan.extending(bare)).with_config(TokenizerConfig({"pad_token": "l"}, {}))
    session.branch_off("longer", base.recipe, Plan.extending(base), 6, 9)
    qtbot.waitUntil(lambda: session.branches.current.name == "longer" and session.work.activity is Activity.IDLE)
    before = session.cursor.tokenizer
    desk.save()
    desk.open()
    qtbot.waitUntil(lambda: session.branches.current.name == "longer" and session.work.activity is Activity.IDLE)
    kept, now = session.branches.current.plan.base, session.cursor.tokenizer
    assert kept is not None and (kept.pipeline, kept.vocab, kept.merges) == (base.pipeline, base.vocab, base.merges)
    assert kept.config == base.config
    assert before is not None and now is not None and now.pipeline == base.pipeline
    assert session.run.trainer is not None and session.run.trainer.run_length == 9
    assert (now.vocab, now.merges) == (before.vocab, before.merges)


def test_a_project_opens_whole_while_a_branch_of_another_is_shown(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    session = desk.session
    session.show_branch(session.branches.main)
    session.corpus.set_documents([CorpusDocument("words", TextDocument(TEXT * 20))])  # which a thread counts
    session.restart()
    qtbot.waitUntil(lambda: session.run.exists)
    session.cursor.seek(MERGES)
    assert session.run.trainer is not None
    for name in ("opened", "shown"):
        save(session.run.trainer.tokenizer(STEP), tmp_path / name)
        with qtbot.waitSignal(session.opened.changed):
            session.opened.open(TokenizerSource(tmp_path / name))
    desk.save()
    session.load([CorpusDocument("few", TextDocument(TEXT[:300]))], Recipe.of("cs336"), (), 1_000, LiveText("low"))
    session.cursor.seek(MERGES)
    ban_next(qtbot, session, "other")
    desk.open()
    assert sorted(each.name for each in session.opened.tokenizers) == ["opened", "shown"]
    assert session.opened.tokenizer is not None and session.opened.tokenizer.name == "shown"
    assert session.branches.current is session.branches.main
    assert (session.branches.length_of(session.branches.main), session.run.is_stale) == (MERGES, False)
    assert not desk.projects.is_modified


def test_a_branch_that_was_being_made_is_offered_when_a_project_is_opened_again(desk: Desk, qtbot: QtBot) -> None:
    session = desk.session
    session.show_branch(session.branches.main)
    trainer = session.run.trainer
    assert trainer is not None
    session.branch_off("third", trainer.recipe, plan_from(trainer, STEP), STEP, MERGES)
    assert desk.projects.is_modified
    desk.save()
    desk.open()
    qtbot.waitUntil(lambda: session.run.trainer is not None and session.cursor.run_length == MERGES)
    branch = session.branches.all[3]
    assert (branch.name, branch.kept) == ("third", None)
    session.show_branch(branch)
    qtbot.waitUntil(lambda: session.branches.current is branch)
    assert (session.cursor.position, session.cursor.run_length) == (STEP, MERGES)
