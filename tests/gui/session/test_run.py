"""Training: the thread that looks has precedence over the one that trains, and it can be cancelled at any moment."""

import random
import threading

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Corpus, Merge, Recipe, Trainer
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.session.run import WatchedTraining
from bpe_gui.gui.session.session import Session
from bpe_gui.samples import default_sample

_MANY_NUMBERS = " ".join(f"{number:b}" for number in range(3_000))


def test_looking_waits_for_one_piece_at_most_and_then_nobody_trains() -> None:
    recipe = Recipe()
    trainer = Trainer(Corpus.from_text(_MANY_NUMBERS).count(recipe), recipe)
    watched = WatchedTraining()
    ended = threading.Event()

    def train() -> None:
        watched.train(trainer, 2_000, lambda _done, _total: None)
        ended.set()

    worker = threading.Thread(target=train)
    with watched.look():  # the first one begins before the training, which may be over before another could
        worker.start()
        ended.wait(0.01)
        assert (watched.is_in_look, trainer.run_length) == (True, 0)
    while not ended.is_set():
        with watched.look():
            before = trainer.run_length
            ended.wait(0.0005)
            assert trainer.run_length == before
    worker.join()
    assert not watched.is_in_look
    assert trainer.vocab_size == 2_000


_ROUNDS = 20
_TEXT = " ".join(f"word{i * 7919 % 10007}x{i % 5000}" for i in range(15_000))


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    session = Session()
    session.load_sample(default_sample(), "sample")
    session.corpus.set_recipe(PRESETS["cs336"])
    session.corpus.edit_document(0, _TEXT)
    session.corpus.set_vocab_size(600)
    return session


@pytest.fixture(scope="module")
def expected() -> tuple[dict[str, int], tuple[Merge, ...]]:
    counts = Corpus.from_text(_TEXT).count("cs336", default_sample().special_tokens)
    trainer = Trainer(counts)
    trainer.seek(600)
    return dict(counts), trainer.merges


def wait(seconds: float) -> None:
    """Run the event loop for a while; threads keep running."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


@pytest.mark.slow
def test_cancelling_at_random_moments(
    qtbot: QtBot, session: Session, expected: tuple[dict[str, int], tuple[Merge, ...]]
) -> None:
    words, merges = expected
    rng = random.Random(1)
    for _ in range(_ROUNDS):
        if rng.random() < 0.5:
            session.restart()
        session.train()
        wait(rng.choice([0, 0.001, 0.01, rng.uniform(0, 0.3)]))
        session.work.cancel()
        qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)
        if session.counts.words is not None:
            assert dict(session.counts.words) == words
        if session.cursor.trainer is not None:
            assert session.cursor.trainer.run == merges[: session.cursor.trainer.run_length]
            assert session.cursor.position <= session.cursor.run_length
    session.train()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and session.corpus.vocab_size == 600)
    assert session.cursor.trainer is not None
    assert session.cursor.trainer.merges == merges[: session.cursor.position]
