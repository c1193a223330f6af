"""The folder with the published files."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--data", type=Path, required=True, metavar="FOLDER", help="the folder with the published files")


@pytest.fixture(scope="session")
def data(request: pytest.FixtureRequest) -> Path:
    """Return the folder with the published files."""
    folder = request.config.getoption("--data")
    assert isinstance(folder, Path)
    return folder
