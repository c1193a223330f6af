"""The row of tokens below the timeline is that of the run on screen, in whatever order runs come and go."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, LiveText, Plan, Recipe, TextDocument, TrainingError
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.timeline_panel import TimelinePanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.run import WatchedTraining
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.timeline_view import TimelineView
from tests.gui.support.widgets import child

CORPUS = "我喜欢吃苹果,也喜欢学习自然语言处理。自然语言处理是我喜欢的学习。" * 3
TEXT = "也喜欢学习语言"


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    """Return a session with a run of 40 merges at most, made by a thread."""
    session = Session()
    session.load([CorpusDocument("text", TextDocument(CORPUS))], Recipe.of("cs336"), (), 296, LiveText(TEXT))
    return session


@pytest.fixture
def timeline(session: Session, qtbot: QtBot) -> Iterator[TimelineView]:
    """Yield the timeline of the session, which is painted whenever it wants to be."""
    panel = TimelinePanel(session, Theme("light"))
    qtbot.addWidget(panel)
    panel.resize(1_000, panel.height())
    panel.show()
    yield child(panel, TimelineView, "timeline")


class HeldTraining:
    """Holds the thread that trains once it has all merges, until the test has shown the run as it is then."""

    def __init__(self) -> None:
        self.has_all, self.may_end = Event(), Event()
        self.error: EngineError | None = None


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldTraining]:
    held, train = HeldTraining(), WatchedTraining.train

    def train_and_wait(*args: Any) -> None:
        train(*args)
        held.has_all.set()
        assert held.may_end.wait(60)
        if held.error is not None:
            raise held.error

    monkeypatch.setattr(WatchedTraining, "train", train_and_wait)
    yield held
    held.may_end.set()


def expected(session: Session, step: int) -> list[int]:
    """Return the number of tokens of the text, counted apart from the window."""
    trainer = session.cursor.trainer
    assert trainer is not None
    return [len(trainer.tokenizer(step).encode(session.text.content))]


def train(session: Session, qtbot: QtBot) -> None:
    """Train, and wait until the run has its target size."""
    session.train()
    qtbot.waitUntil(lambda: not session.run.is_training and session.cursor.position == session.run.target_position > 0)


@pytest.mark.parametrize("error", [None, TrainingError("The plan cannot go on.")])
def test_a_run_that_was_shown_before_its_thread_ended(
    session: Session, timeline: TimelineView, held: HeldTraining, error: EngineError | None, qtbot: QtBot
) -> None:
    held.error = error
    session.train()
    qtbot.waitUntil(held.has_all.is_set)
    with session.run.training.look():
        session.cursor.catch_up()
    assert timeline.maximum() == 40
    for step in (0, 40):
        timeline.tokens_at(step)  # as painted while the thread has the run
    held.may_end.set()
    qtbot.waitUntil(lambda: not session.run.is_training)
    assert [timeline.tokens_at(step) for step in (0, 40)] == [expected(session, step) for step in (0, 40)]


def test_training_that_finds_no_further_merge(
    session: Session, timeline: TimelineView, held: HeldTraining, qtbot: QtBot
) -> None:
    session.cursor.seek(40)
    session.corpus.set_vocab_size(300)
    session.train()
    qtbot.waitUntil(held.has_all.is_set)
    timeline.forget_tokens()
    timeline.tokens_at(0)
    held.may_end.set()
    qtbot.waitUntil(lambda: not session.run.is_training)
    assert timeline.tokens_at(0) == expected(session, 0)


def test_runs_that_come_and_go(session: Session, timeline: TimelineView, held: HeldTraining, qtbot: QtBot) -> None:
    """Whatever replaces the run or changes the text, the row is that of what is on screen, once work has ended."""
    corpus, banned = session.corpus, "习".encode()
    plan = Plan(banned=[(banned[:1], banned[1:2])])

    def set_tie_rule(rule: str) -> None:
        corpus.set_recipe(corpus.recipe.with_changes(tie_break=rule))

    def undo_all() -> None:
        for _change in range(3):
            session.undo()

    def is_right() -> bool:
        trainer = session.cursor.trainer
        if trainer is None or timeline.maximum() != trainer.run_length:
            return False
        return all(timeline.tokens_at(step)[:1] == expected(session, step) for step in (0, trainer.run_length))

    actions: dict[str, Callable[[], object]] = {
        "train": session.train,
        "other tie rule": lambda: set_tie_rule("first-seen"),
        "retrain": session.train,
        "undo": session.undo,
        "redo": session.redo,
        "type": lambda: session.text.replace(0, 0, "学习".encode()),
        "no words": lambda: corpus.set_recipe(corpus.recipe.with_changes(splitter="none")),
        "retrain whole": session.train,
        "branch": lambda: session.branch_off("without", corpus.recipe, plan, 5),
        "train the branch": session.train,
        "switch": lambda: session.show_branch(session.branches.main),
        "type there": lambda: session.text.replace(0, 3, b""),
        "corpus": lambda: corpus.add_documents([CorpusDocument("more", TextDocument("学习自然 " * 9))]),
        "start over": session.restart,
        "retrain with it": session.train,
        "undo all": undo_all,
    }
    for act in actions.values():
        act()
        qtbot.waitUntil(lambda: held.has_all.is_set() or session.work.activity is Activity.IDLE)
        if held.has_all.is_set():
            with session.run.training.look():
                session.cursor.catch_up()
            for step in (0, timeline.maximum()):
                timeline.tokens_at(step)
            held.may_end.set()
            qtbot.waitUntil(lambda: not session.run.is_training)
            held.has_all.clear()
            held.may_end.clear()
        qtbot.waitUntil(is_right)
