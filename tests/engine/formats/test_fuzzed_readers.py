"""Every reader returns a tokenizer or raises an error that names what is wrong, whatever is in the file.

`python -m tests.fuzzing.readers` does the same for as long as it is told to.
"""

import sys
from collections.abc import Callable
from os import getpid, kill
from pathlib import Path
from time import sleep

import pytest

from tests.fuzzing import readers as fuzz_readers
from tests.fuzzing.readers import Failure, fuzz, read, readable, write
from tests.fuzzing.seeds import seeds_of

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="fuzzing needs the limits on time and memory that Linux has"
)


@pytest.mark.parametrize("format", readable())
def test_the_files_to_be_damaged_can_be_read(format: str, tmp_path: Path) -> None:
    seeds = seeds_of(format)
    assert seeds
    for number, seed in enumerate(seeds):
        assert read(write(seed, tmp_path / str(number)), format)


@pytest.mark.slow
@pytest.mark.parametrize("format", readable())
def test_damaged_files_are_read_or_refused(format: str, tmp_path: Path) -> None:
    events = list(fuzz(format, seed=0, kept=tmp_path, count=60))
    assert [event for event in events if isinstance(event, Failure)] == []
    assert events[-1] == 60


@pytest.mark.parametrize(
    ("fault", "limit", "reason"),
    [
        (lambda *_: sum(iter(lambda: 1, 0)), {"MAX_CPU_SECONDS": 0.1}, "took more than"),
        (lambda *_: sleep(60), {"MAX_SECONDS": 1}, "took more than"),
        (lambda *_: bytearray(2 << 30), {}, "MemoryError"),
        (lambda *_: int("x"), {}, "ValueError: invalid literal"),
        (lambda *_: kill(getpid(), 9), {}, "the process ended with the status 9"),
    ],
    ids=["endless", "waiting", "memory", "exception", "crash"],
)
def test_faults_are_found_and_kept(
    fault: Callable[..., object], limit: dict[str, float], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz_readers, "read", fault)
    for name, value in limit.items():
        monkeypatch.setattr(fuzz_readers, name, value)
    failure, last = fuzz("minbpe", seed=0, kept=tmp_path, count=1)
    assert isinstance(failure, Failure)
    assert reason in failure.reason
    assert [path.suffix for path in sorted(failure.folder.iterdir())] == [".model", ".vocab"]
    assert last == 1
