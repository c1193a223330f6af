"""Every reader gives a tokenizer or an error that names what is wrong, whatever is in the file; for ever longer,
`python -m tests.fuzz_readers`."""

from pathlib import Path

import pytest

from ..fuzz_readers import Failure, fuzz, read, readable, write
from ..fuzz_seeds import seeds_of


@pytest.mark.parametrize("format", readable())
def test_what_damage_is_done_to_can_be_read(format: str, tmp_path: Path) -> None:
    seeds = seeds_of(format)
    assert seeds
    for number, seed in enumerate(seeds):
        assert read(write(seed, tmp_path / str(number)), format)


@pytest.mark.parametrize("format", readable())
def test_damaged_files_are_read_or_refused(format: str, tmp_path: Path) -> None:
    events = list(fuzz(format, seed=0, kept=tmp_path, count=60))
    assert [event for event in events if isinstance(event, Failure)] == []
    assert events[-1] == 60
