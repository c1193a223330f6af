"""A fixture for the data beside the checkout."""

from collections.abc import Callable
from pathlib import Path

import pytest

_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Return a function from the name of a file in `../shared/data` to its path; it skips the test if there is none."""

    def path_of(name: str) -> Path:
        path = _DATA / name
        if not path.is_file():
            pytest.skip(f"{path} does not exist")
        return path

    return path_of
