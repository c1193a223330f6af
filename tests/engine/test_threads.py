"""What threads find is put together in order, whoever finds it first."""

from collections.abc import Iterator
from threading import Event

import numpy as np

from bpe_gui.engine.kernels.records import Ints
from bpe_gui.engine.threads import joined_in_order


def test_what_is_found_early_waits_for_its_turn() -> None:
    are_found = Event()

    def find(parts: Iterator[int]) -> Iterator[Ints]:
        for part in parts:
            if part == 0:
                assert are_found.wait(60)
            yield np.full(part + 1, part, np.int32)
            if part == 2:
                are_found.set()

    assert joined_in_order(find, range(3), 2, 10).tolist() == [0, 1, 1, 2, 2, 2]


def test_what_is_yielded_may_be_changed_afterwards() -> None:
    are_found = Event()

    def find(parts: Iterator[int]) -> Iterator[Ints]:
        numbers = np.zeros(1, np.int32)
        for part in parts:
            if part == 0:
                assert are_found.wait(60)
            numbers[0] = part
            yield numbers
            if part == 9:
                are_found.set()

    assert joined_in_order(find, range(10), 2, 10).tolist() == list(range(10))
