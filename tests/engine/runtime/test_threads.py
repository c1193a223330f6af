"""What threads find is put together in order, whoever finds it first."""

from collections.abc import Iterator
from threading import Event

import pytest

from bpe_gui.engine.kernels.training.records import Ints
from bpe_gui.engine.runtime.threads import joined_in_order


def test_what_is_found_early_waits_for_its_turn() -> None:
    are_found = Event()

    def find(parts: Iterator[tuple[int, Ints]]) -> Iterator[int]:
        for part, numbers in parts:
            if part == 0:
                assert are_found.wait(60)
            numbers[: part + 1] = part
            yield part + 1
            if part == 5:
                are_found.set()

    expected = [part for part in range(8) for _time in range(part + 1)]
    assert joined_in_order(find, range(8), 2, 8, 100).tolist() == expected


def test_the_first_part_that_fails_is_told() -> None:
    has_failed = Event()

    def find(parts: Iterator[tuple[int, Ints]]) -> Iterator[int]:
        for part, _numbers in parts:
            if part == 0:
                assert has_failed.wait(60)
            if part < 2:
                has_failed.set()
                raise ValueError(part)
            yield 0

    with pytest.raises(ValueError, match="0"):
        joined_in_order(find, range(8), 2, 1, 1)
