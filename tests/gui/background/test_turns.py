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


def test_the_thread_that_works_can_tell_that_a_look_is_wanted() -> None:
    turns = Turns()
    begun, looked = threading.Event(), threading.Event()

    def work() -> None:
        with turns.work():
            begun.set()
            while not turns.is_look_wanted:  # else this would not end
                looked.wait(0.0005)

    worker = threading.Thread(target=work)
    worker.start()
    begun.wait()
    with turns.look():
        during = turns.is_look_wanted
    worker.join()
    assert (during, turns.is_look_wanted) == (True, False)
