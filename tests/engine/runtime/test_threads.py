"""Threads' results are collected in the order of the items, whichever thread finishes first."""

import os
from collections.abc import Iterator
from threading import Event

import pytest

from bpe_gui.engine import Int32Array
from bpe_gui.engine.runtime.threads import collect_in_order, threads_worth


def test_early_results_wait_for_their_turn() -> None:
    last_is_done = Event()

    def produce(items: Iterator[tuple[int, Int32Array]]) -> Iterator[int]:
        for item, buffer in items:
            if item == 0:
                assert last_is_done.wait(60)
            buffer[: item + 1] = item
            yield item + 1
            if item == 5:
                last_is_done.set()

    expected = [item for item in range(8) for _time in range(item + 1)]
    assert collect_in_order(produce, range(8), 2, 8, 100).tolist() == expected


def test_the_error_of_the_first_item_that_fails_is_raised() -> None:
    has_failed = Event()

    def produce(items: Iterator[tuple[int, Int32Array]]) -> Iterator[int]:
        for item, _buffer in items:
            if item == 0:
                assert has_failed.wait(60)
            if item < 2:
                has_failed.set()
                raise ValueError(item)
            yield 0

    with pytest.raises(ValueError, match="0"):
        collect_in_order(produce, range(8), 2, 1, 1)


def test_threads_are_counted_where_the_affinity_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither macOS nor Windows tells which CPUs a process may run on."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert threads_worth(100, 10) == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads_worth(100, 10) == 1
