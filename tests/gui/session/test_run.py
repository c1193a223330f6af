"""WatchedTraining gives the thread that looks precedence over the thread that trains."""

import threading

from bpe_gui.engine import Corpus, Recipe, Trainer
from bpe_gui.gui.session.run import WatchedTraining

_TEXT = " ".join(f"{number:b}" for number in range(3_000))


def test_looking_waits_for_one_piece_at_most_and_then_nobody_trains() -> None:
    recipe = Recipe()
    trainer = Trainer(Corpus.from_text(_TEXT).count(recipe), recipe)
    watched = WatchedTraining()
    looks, ended = [0], threading.Event()

    def train() -> None:
        watched.train(trainer, 2_000, lambda _done, _total: None)
        ended.set()

    worker = threading.Thread(target=train)
    worker.start()
    while not ended.is_set():
        with watched.look():
            before = trainer.run_length
            looks[0] += watched.is_in_look
            ended.wait(0.0005)
            assert trainer.run_length == before
    worker.join()
    assert looks[0]
    assert not watched.is_in_look
    assert trainer.vocab_size == 2_000
