"""Kernels take arrays, records and integers, and give the same results as machine code and as plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bpe_gui.engine import Int32Array, Int64Array
from bpe_gui.engine.compilation.kernel import Record, kernel
from bpe_gui.engine.kernels.encoding.ids import read_list
from bpe_gui.engine.kernels.lowlevel.utf8 import count_characters, first_invalid
from bpe_gui.engine.kernels.training.pairs import find_pair, insert_all
from bpe_gui.engine.runtime.types import UInt8Array
from tests.engine.support.modes import USUAL_MODES, running
from tests.wine import not_under_wine

ROOT = Path(__file__).resolve().parents[3]


class Inner(Record):
    numbers: Int32Array
    text: UInt8Array


class Outer(Record):
    first: Int64Array
    inner: Inner
    last: Int64Array


def outer() -> Outer:
    return Outer(np.zeros(3, np.int64), Inner(np.ones(4, np.int32), np.zeros(5, np.uint8)), np.zeros(6, np.int64))


def test_the_table_of_a_record_has_the_arrays_in_order() -> None:
    record = outer()
    arrays = (record.first, record.inner.numbers, record.inner.text, record.last)
    assert record.table.tolist() == [number for array in arrays for number in (array.ctypes.data, len(array))]
    assert {name: field.offset for name, field in Outer.fields.items()} == {"first": 0, "inner": 2, "last": 6}


def test_views_share_memory_with_the_arrays() -> None:
    record = outer()
    record.views.inner.numbers[2] = 7
    assert record.inner.numbers.tolist() == [1, 1, 7, 1]


@pytest.mark.parametrize(
    "array",
    [np.zeros(4, np.int64), np.zeros(8, np.int32)[::2], np.zeros((2, 2), np.int32).T, [0, 0], b"text"],
    ids=["type", "stride", "order", "list", "bytes"],
)
def test_what_machine_code_would_misread_is_refused(array: object) -> None:
    with pytest.raises(TypeError, match="a kernel needs a contiguous array of int32"):
        Outer(np.zeros(3, np.int64), Inner(array, np.zeros(5, np.uint8)), np.zeros(6, np.int64)).address  # type: ignore[arg-type]  # noqa: B018
    with running("compiled"), pytest.raises(TypeError, match="a kernel needs a contiguous array of int32"):
        find_pair(np.zeros(1, np.int64), array, 5)  # type: ignore[arg-type]


def test_too_few_arguments_are_refused() -> None:
    with running("compiled"), pytest.raises(ValueError, match="shorter"):
        find_pair(np.zeros(1, np.int64), np.zeros(1, np.int32))  # type: ignore[call-arg]


def test_two_kernels_of_the_same_name_are_refused() -> None:
    def find_pair() -> None: ...

    with pytest.raises(ValueError, match="there are two kernels find_pair"):
        kernel(find_pair)


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_results_are_the_same_in_both_modes(mode: str) -> None:
    with running(mode):
        keys, slots = np.array([3 << 32 | 4, 5], np.int64), np.full(4, -1, np.int32)
        nothing: object = insert_all(keys, slots, 2)
        assert nothing is None
        assert [find_pair(keys, slots, key) for key in (3 << 32 | 4, 5, 6)] == [0, 1, -1]
        text = np.frombuffer("aé你".encode() + bytes(32), np.uint8)
        assert count_characters(text, 0, 6) == 3
        assert first_invalid(text, 0, 6) == -1


@pytest.mark.parametrize("mode", USUAL_MODES)
def test_a_list_is_read_up_to_what_does_not_fit(mode: str) -> None:
    def read(numbers: list[object], first: int = 0) -> list[int]:
        out = np.zeros(len(numbers) - first, np.uint32)
        known = read_list(id(numbers), first, out)
        return [int(number) for number in out[:known]]

    with running(mode):
        assert read([]) == []
        assert read([5, True, np.int64(7), 2**32 - 1], 1) == [1, 7, 2**32 - 1]
        assert read([5, 6, -1, 7]) == read([5, 6, 2**32, 7]) == [5, 6]
        for bad, error in ((2**64, OverflowError), (1.5, TypeError), ("a", TypeError), (None, TypeError)):
            with pytest.raises(error):
                read([5, bad])


@pytest.mark.compiles
@not_under_wine("zig, which links, uses functions of Windows that Wine lacks")
def test_results_do_not_overwrite_arguments_that_are_still_needed() -> None:
    """Kernels with up to eight parameters and results, in any order, give what plain Python gives."""
    command = [sys.executable, "-m", "tests.engine.support.calling", "1"]
    environment = os.environ | {"NUMBA_OPT": "0"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "1150\n"
