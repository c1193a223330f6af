"""Logging: silent by default, to standard error if BPE_GUI_LOG asks for it, and to a file for the window."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_gui import logs

PACKAGE = logging.getLogger("bpe_gui")
LOGGER = logging.getLogger("bpe_gui.some.module")


@pytest.fixture(autouse=True)
def restored_logger(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("BPE_GUI_LOG", raising=False)
    handlers, level = PACKAGE.handlers[:], PACKAGE.level
    yield
    for handler in PACKAGE.handlers[:]:
        if handler not in handlers:
            PACKAGE.removeHandler(handler)
            handler.close()
    PACKAGE.setLevel(level)


def logged_by_a_process(variables: dict[str, str]) -> str:
    """Return what a process writes to standard error that logs a line of each level."""
    program = (
        "import bpe_gui.engine, logging\n"
        "from bpe_gui.logs import configure_from_environment\n"
        "configure_from_environment()\n"
        "logger = logging.getLogger('bpe_gui.some.module')\n"
        "for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):\n"
        "    logger.log(level, 'a line')\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "BPE_GUI_LOG"}
    environment |= {"PYTHONUTF8": "1"} | variables
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return done.stderr


def test_it_is_silent_by_default() -> None:
    assert logged_by_a_process({}) == ""


@pytest.mark.parametrize(("name", "lines"), [("debug", 4), ("INFO", 3), ("warning", 2), ("error", 1)])
def test_the_variable_sets_the_level(name: str, lines: int) -> None:
    logged = logged_by_a_process({"BPE_GUI_LOG": name})
    assert logged.count(" bpe_gui.some.module [MainThread] a line\n") == lines


def test_an_unknown_level_is_warned_about() -> None:
    first, *others = logged_by_a_process({"BPE_GUI_LOG": "loud"}).splitlines()
    assert first.endswith(
        "BPE_GUI_LOG is 'loud', which is not a log level. The levels are: debug, info, warning, error"
    )
    assert len(others) == 2


def test_a_file_gets_what_matters_by_default(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "bpe-gui.log"
    logs.log_to_file(path)
    assert not path.exists()
    LOGGER.debug("small talk")
    LOGGER.info("早 opened")
    assert path.read_text(encoding="utf-8").endswith(" INFO bpe_gui.some.module [MainThread] 早 opened\n")
    assert "small talk" not in path.read_text(encoding="utf-8")


def test_a_file_gets_everything_at_level_debug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BPE_GUI_LOG", "debug")
    logs.log_to_file(tmp_path / "bpe-gui.log")
    LOGGER.debug("small talk")
    assert "small talk" in (tmp_path / "bpe-gui.log").read_text(encoding="utf-8")


def test_a_file_is_rotated(tmp_path: Path) -> None:
    logs.log_to_file(tmp_path / "bpe-gui.log")
    for _ in range(5):
        LOGGER.info("x" * 700_000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bpe-gui.log", "bpe-gui.log.1", "bpe-gui.log.2"]


def test_a_file_that_another_window_has_open_on_windows_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "Permission denied", source, None, target)

    monkeypatch.setattr(os, "rename", refuse)
    logs.log_to_file(tmp_path / "bpe-gui.log")
    for _ in range(5):
        LOGGER.info("x" * 700_000)
    (path,) = tmp_path.iterdir()
    assert path.stat().st_size > 5 * 700_000


def test_a_file_that_cannot_be_written_is_given_up_silently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "occupied").write_text("a file where a folder is needed", encoding="utf-8")
    logs.log_to_file(tmp_path / "occupied" / "bpe-gui.log")
    LOGGER.info("a line")
    assert capsys.readouterr() == ("", "")
