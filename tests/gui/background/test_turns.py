"""Turns gives the thread that looks precedence over the thread that works."""

import threading

from bpe_gui.gui.background.turns import Turns


def test_looking_waits_for_one_turn_at_most_and_then_nobody_works() -> None:
    turns = Turns()
    worked, stop = [0], threading.Event()

    def work() -> None:
        while not stop.is_set():
            with turns.work():
                worked[0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    for _ in range(100):
        with turns.look():
            before = worked[0]
            stop.wait(0.0005)
            assert worked[0] == before
    while not worked[0]:  # on a busy machine the worker may not have run yet
        stop.wait(0.0005)
    stop.set()
    worker.join()
