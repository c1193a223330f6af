"""The shared data folder, where it is there."""

from collections.abc import Callable
from pathlib import Path

import pytest

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Gives the path of a file in `../shared/data` beside the checkout; skips the test where it is absent."""

    def path_of(name: str) -> Path:
        path = _DATA / name
        if not path.is_file():
            pytest.skip(f"{path} is not there")
        return path

    return path_of
