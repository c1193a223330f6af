"""Branches of the run: beside it, each at its step, and nothing of them is lost by switching, undoing or dropping."""

import gc
from collections.abc import Iterator
from threading import Event
from weakref import ref

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Plan, Recipe, TextDocument, TokenAppears, Trainer
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session import run as run_module
from bpe_gui.gui.session import session as session_module
from bpe_gui.gui.session.branches import banning, forcing, plan_from
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.history import ChangeKind
from bpe_gui.gui.session.run import TrainingGoal
from bpe_gui.gui.session.session import Session

TEXT = "low lower lowest newer newest wider widest " * 3
STEP = 3
OTHER = Recipe.of("cs336-toy")


@pytest.fixture
def session() -> Session:
    made = Session()
    with made.history.start_over():
        made.corpus.add_documents([CorpusDocument("text", TextDocument(TEXT))])
    made.cursor.seek(10)
    made.cursor.seek(STEP)
    return made


@pytest.fixture
def endless_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make training last until it is cancelled, without a step, however fast the machine is."""

    def train(*_arguments: object, **_options: object) -> Iterator[tuple[int, int]]:
        pause = Event()
        while True:
            yield STEP, 30
            pause.wait(0.001)

    monkeypatch.setattr(run_module, "_train_on", train)
    monkeypatch.setattr(run_module, "train_until", train)


def trainer_of(session: Session) -> Trainer:
    assert session.run.trainer is not None
    return session.run.trainer


def branch_off(qtbot: QtBot, session: Session, name: str = "other", recipe: Recipe | None = None) -> None:
    """Make a branch, and wait until it is shown."""
    trainer = trainer_of(session)
    session.branch_off(name, recipe or trainer.recipe, trainer.plan, STEP, trainer.run_length)
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)


def test_a_branch_that_memory_has_no_room_for_is_not_begun(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available", lambda: 0)
    with qtbot.waitSignal(session.failed) as failed:
        session.branch_off("other", OTHER, trainer_of(session).plan, STEP)
    assert "A branch would take" in str(failed.args[0])
    assert (session.work.activity, len(session.branches.all)) == (Activity.IDLE, 1)


def test_going_back_to_a_moment_selects_what_was_selected(session: Session) -> None:
    session.selection.select_token(trainer_of(session).merges[0].token)
    selected = session.selection.selected
    moment = session.moment(with_text=True)
    session.selection.select(None)
    session.cursor.seek(0)
    session.return_to(moment)
    assert selected is not None
    assert (session.selection.selected, session.cursor.position) == (selected, STEP)


def names(session: Session) -> list[str]:
    return [branch.name for branch in session.branches.all]


def paused(session: Session) -> list[str]:
    return [branch.name for branch in session.branches.all if branch.paused is not None]


def test_a_branch_has_its_own_recipe_steps_and_position(session: Session, qtbot: QtBot) -> None:
    main, recipe = trainer_of(session), session.corpus.recipe
    branch_off(qtbot, session, recipe=OTHER)
    assert names(session) == ["", "other"]
    assert (session.corpus.recipe, session.run.is_stale, session.cursor.position) == (OTHER, False, STEP)
    assert (trainer_of(session).recipe, trainer_of(session).run_length) == (OTHER, 10)
    session.cursor.seek(5)
    session.show_branch(session.branches.main)
    assert (session.run.trainer, session.corpus.recipe, session.run.is_stale) == (main, recipe, False)
    assert (session.cursor.position, session.cursor.run_length) == (STEP, 10)
    session.show_branch(session.branches.all[1])
    assert session.cursor.position == 5


def test_equal_words_are_counted_once(session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    words = trainer_of(session).word_counts
    monkeypatch.setattr("bpe_gui.gui.session.corpus.RunInputs.count", None)
    branch_off(qtbot, session)
    assert trainer_of(session).word_counts is words
    assert session.counts.words is words


def test_a_dropped_branch_gives_back_the_vocabulary_size(session: Session, qtbot: QtBot) -> None:
    """It does not if the size was changed in the main run since."""
    for size_in_main_run, left in ((None, 500), (600, 600)):
        session.corpus.set_vocab_size(500)
        trainer = trainer_of(session)
        session.branch_off("longer", trainer.recipe, trainer.plan, STEP, vocab_size=900)
        qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)
        branch = session.branches.current
        assert session.corpus.vocab_size == 900
        if size_in_main_run is not None:
            session.show_branch(session.branches.main)
            session.corpus.set_vocab_size(size_in_main_run)
        session.drop_branch(branch)
        assert session.corpus.vocab_size == left


def test_making_dropping_and_renaming_are_undone(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    branch = session.branches.current
    session.cursor.seek(6)
    session.branches.rename(branch, "better")
    session.drop_branch(branch)
    assert (names(session), session.run.trainer) == ([""], main)
    session.undo()
    assert (names(session), session.branches.current, session.cursor.position) == (["", "better"], branch, 6)
    session.undo()
    assert names(session) == ["", "other"]
    session.undo()
    assert (names(session), session.run.trainer) == ([""], main)
    for _ in range(2):
        session.redo()
    assert (names(session), session.branches.current, session.cursor.position) == (["", "better"], branch, 6)
    assert session.history.last_undone is not None
    assert session.history.last_undone.kind is ChangeKind.DROP_BRANCH


def test_making_a_branch_again_leaves_the_main_run_alone(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    session.show_branch(session.branches.main)
    for move in (session.undo, session.redo):
        move()
        assert (session.run.trainer, session.run.is_stale) == (main, False)
    assert names(session) == ["", "other"]


def test_unmaking_a_branch_again_leaves_the_main_run_alone(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    for move in (session.undo, session.redo, session.undo):
        move()
    assert (names(session), session.run.trainer, session.cursor.position) == ([""], main, STEP)


def test_starting_over_again_leaves_the_branch_on_screen_alone(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    branch, other = session.branches.current, trainer_of(session)
    session.show_branch(session.branches.main)
    session.restart()
    session.show_branch(branch)
    session.undo()
    assert (session.run.trainer, session.cursor.position) == (main, STEP)
    session.redo()
    assert (session.run.trainer, session.cursor.position) == (other, STEP)
    session.show_branch(session.branches.main)
    assert (session.cursor.position, session.cursor.run_length) == (0, 0)


def test_a_run_keeps_its_step_while_it_is_trained_to_be_compared(session: Session, qtbot: QtBot) -> None:
    main = session.branches.main
    branch_off(qtbot, session)
    session.cursor.seek(12)
    session.overlay._train()  # as after some time without a move
    merges = session.branches.merges_of(main)
    assert merges is not None
    assert (merges.position, len(merges.tokenizer.merges)) == (STEP, 12)
    session.show_branch(main)
    assert (session.cursor.position, session.cursor.run_length) == (STEP, 12)


def test_the_main_run_comes_back_while_the_run_of_a_branch_is_made(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    branch, plan = session.branches.current, Plan(banned=[(b"l", b"o")])
    session.apply_plan(plan)  # in a run without steps
    session.replace_documents([CorpusDocument("new", TextDocument("new words"))])
    session.undo()
    qtbot.waitUntil(lambda: session.branches.current is branch)
    assert (session.corpus.plan, session.run.is_stale, session.cursor.position) == (plan, False, 0)
    session.show_branch(session.branches.main)
    assert (session.run.trainer, session.cursor.position) == (main, STEP)


@pytest.mark.parametrize("way_back", ["show", "undo"])
def test_a_run_without_steps_is_up_to_date_when_it_is_shown_again(way_back: str, qtbot: QtBot) -> None:
    session = Session()
    with session.history.start_over():
        session.corpus.add_documents([CorpusDocument("text", TextDocument(TEXT))])
    session.branch_off("same", session.corpus.recipe, Plan(), 0, 2)
    qtbot.waitUntil(lambda: session.branches.current.name == "same")
    session.corpus.edit_document(0, "other words")
    if way_back == "show":
        session.show_branch(session.branches.main)
    else:
        session.undo()
    assert session.branches.current is session.branches.main
    assert not session.run.is_stale
    assert dict(trainer_of(session).word_counts) == {"other": 1, " words": 1}


def test_a_change_is_undone_in_the_run_in_which_it_was_made(session: Session, qtbot: QtBot) -> None:
    recipe = session.corpus.recipe
    branch_off(qtbot, session)
    session.corpus.set_recipe(OTHER)
    session.show_branch(session.branches.main)
    assert session.corpus.recipe == recipe
    session.undo()
    assert session.branches.current is session.branches.all[1]
    assert (session.corpus.recipe, session.run.is_stale) == (recipe, False)


def test_another_corpus_drops_branches_and_undoing_brings_all_runs_back(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    branch_off(qtbot, session)
    branch = trainer_of(session)
    session.replace_documents([CorpusDocument("new", TextDocument("new words"))])
    assert names(session) == [""]
    session.undo()
    assert (names(session), session.run.trainer, session.run.is_stale) == (["", "other"], branch, False)
    session.show_branch(session.branches.main)
    assert (session.run.trainer, session.cursor.position, session.run.is_stale) == (main, STEP, False)


def test_making_a_branch_can_be_cancelled(session: Session, qtbot: QtBot, step_by_step: None) -> None:
    session.branch_off("other", session.corpus.recipe, Plan(), 0, 30)
    assert session.work.activity is Activity.BRANCHING
    session.work.cancel()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)
    assert (names(session), session.history.last) == ([""], None)


def test_a_ban_and_a_forced_merge_hold_from_their_step_on(session: Session, qtbot: QtBot) -> None:
    main = trainer_of(session)
    first, following = main.tokenizer(STEP).merges, main.merge_at(STEP)
    pair = following.left, following.right
    session.branch_off("ban", main.recipe, banning(plan_from(main, STEP), pair), STEP, 10)
    qtbot.waitUntil(lambda: session.branches.current.name == "ban")
    merges = trainer_of(session).tokenizer(10).merges
    assert merges[:STEP] == first
    assert pair not in merges
    others = [(each.left, each.right) for each in trainer_of(session).pairs()]
    forced = next(each for each in others if each not in (merges[STEP], pair))
    session.branch_off("force", main.recipe, forcing(plan_from(main, STEP), STEP, forced), STEP, 10)
    qtbot.waitUntil(lambda: session.branches.current.name == "force")
    assert trainer_of(session).tokenizer(10).merges[: STEP + 1] == [*first, forced]


def test_a_large_branch_is_made_again_when_dropping_it_is_undone(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "_KEPT_MEMORY", 0)
    branch_off(qtbot, session)
    branch, dropped = session.branches.current, trainer_of(session)
    session.cursor.seek(6)
    session.drop_branch(branch)
    lost: list[bool] = []
    session.training_lost.connect(lambda: lost.append(True))
    session.undo()
    qtbot.waitUntil(lambda: session.branches.current is branch)
    assert trainer_of(session) is not dropped
    assert (session.cursor.position, session.cursor.run_length) == (6, 10)
    assert not lost, "its training is made again"


def test_training_pauses_while_another_run_is_shown(session: Session, qtbot: QtBot, endless_training: None) -> None:
    branch_off(qtbot, session)
    branch, trained = session.branches.current, trainer_of(session)
    session.corpus.set_vocab_size(10_000)
    with qtbot.waitSignal(session.work.progressed):
        session.train()
    session.show_branch(session.branches.main)
    assert not session.run.is_training
    assert paused(session) == ["other"]
    assert (session.cursor.position, session.run.is_stale) == (STEP, False)
    session.show_branch(branch)
    qtbot.waitUntil(lambda: session.run.is_training)
    session.work.cancel()
    qtbot.waitUntil(lambda: not session.run.is_training)
    assert session.run.trainer is trained
    session.show_branch(session.branches.main)
    assert paused(session) == []


def test_training_stays_paused_while_runs_are_switched_quickly(
    session: Session, qtbot: QtBot, endless_training: None
) -> None:
    branch_off(qtbot, session)
    branch = session.branches.current
    session.corpus.set_vocab_size(10_000)
    with qtbot.waitSignal(session.work.progressed):
        session.train()
    for shown in (session.branches.main, branch, session.branches.main):
        session.show_branch(shown)
    assert paused(session) == ["other"]
    session.show_branch(branch)
    qtbot.waitUntil(lambda: session.run.is_training)


def test_training_pauses_when_a_change_is_undone_in_another_run(
    session: Session, qtbot: QtBot, endless_training: None
) -> None:
    branch_off(qtbot, session)
    session.corpus.set_recipe(OTHER)
    session.show_branch(session.branches.main)
    session.corpus.set_vocab_size(10_000)
    with qtbot.waitSignal(session.work.progressed):
        session.train()
    session.undo()
    session.undo()
    assert session.branches.current.name == "other"
    assert paused(session) == [""]


def test_a_run_until_goes_on_with_its_condition(session: Session, qtbot: QtBot, endless_training: None) -> None:
    branch_off(qtbot, session)
    branch = session.branches.current
    with qtbot.waitSignal(session.work.progressed):
        session.run_until(TokenAppears(b"never"))
    session.show_branch(session.branches.main)
    session.show_branch(branch)
    qtbot.waitUntil(lambda: session.run.is_training)
    assert session.run.unreached == TrainingGoal(TokenAppears(b"never"), STEP)


def test_paused_training_does_not_go_on_in_a_run_that_is_out_of_date(
    session: Session, qtbot: QtBot, endless_training: None
) -> None:
    branch_off(qtbot, session)
    branch, trained = session.branches.current, trainer_of(session)
    session.corpus.set_vocab_size(10_000)
    with qtbot.waitSignal(session.work.progressed):
        session.train()
    session.show_branch(session.branches.main)
    session.corpus.set_special_tokens(("<a>",))
    session.show_branch(branch)
    qtbot.waitUntil(lambda: branch.paused is None)
    assert (session.run.is_training, session.run.trainer, session.run.is_stale) == (False, trained, True)


def test_a_plan_is_applied_to_the_run_and_undone(session: Session) -> None:
    main = trainer_of(session)
    merge = main.merge_at(0)
    session.apply_plan(Plan(banned=[(merge.left, merge.right)]))
    assert (session.cursor.position, session.run.is_stale) == (0, False)
    assert session.cursor.next_merge is not None
    assert session.cursor.next_merge.token != merge.token
    session.undo()
    assert (session.run.trainer, session.cursor.position, session.run.is_stale) == (main, STEP, False)
    assert not session.corpus.plan


def test_a_step_that_the_plan_makes_impossible_is_reported_and_the_run_stays_before_it(
    session: Session, qtbot: QtBot
) -> None:
    failures: list[object] = []
    main = trainer_of(session)
    session.failed.connect(failures.append)
    session.branch_off("force", main.recipe, forcing(plan_from(main, STEP), STEP + 1, (b"qq", b"z")), STEP, STEP)
    qtbot.waitUntil(lambda: session.branches.current.name == "force")
    session.cursor.seek(STEP + 5)
    qtbot.waitUntil(lambda: session.cursor.position == STEP + 1)
    assert session.cursor.next_merge is None
    assert len(failures) == 1
    session.cursor.step_back()
    assert session.cursor.position == STEP


def test_only_the_last_few_dropped_branches_keep_what_encoding_has_remembered(session: Session, qtbot: QtBot) -> None:
    encoders = []
    for _number in range(5):
        branch_off(qtbot, session)
        encoders.append(ref(session.text.live.tokenizer._encoder if session.text.live.tokenizer else session))
        session.drop_branch(session.branches.current)
    gc.collect()
    assert sum(encoder() is not None for encoder in encoders) <= 3
