"""The report for bug reports has versions, the system and the end of the log, but not the home folder's name."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui import __version__
from bpe_gui.engine.runtime.statements import statement
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.diagnostics import diagnostics, format_report
from tests.gui.support.windows import notice_text, notices, open_window

FONTS = {"token": QFont("No such family", 12)}


def test_the_report_lists_facts_and_the_log() -> None:
    home = Path.home()
    text = format_report({"bpe-gui": "1.0", "file": str(home / "a.txt")}, ["one", f"opened {home / 'b.txt'}"], home)
    assert text.splitlines() == [
        "bpe-gui: 1.0",
        f"file: {Path('~', 'a.txt')}",
        "",
        "log:",
        "one",
        f"opened {Path('~', 'b.txt')}",
    ]


def test_other_spellings_of_the_home_folder_are_replaced() -> None:
    home = PureWindowsPath("C:\\Users\\someone")
    lines = ["'C:\\\\Users\\\\someone\\\\a.txt'", "file:///C:/Users/someone/a.txt", "C:\\Users\\someone\\a.txt"]
    assert format_report({}, lines, home).splitlines()[2:] == ["'~\\\\a.txt'", "file:///~/a.txt", "~\\a.txt"]


def test_a_home_that_is_the_root_folder_stays() -> None:
    assert format_report({}, ["/etc/hosts"], PurePosixPath("/")).splitlines()[2:] == ["/etc/hosts"]


def test_the_facts_name_versions_and_the_system(qapp: QApplication) -> None:
    facts = dict(line.split(": ", 1) for line in diagnostics(None, FONTS).splitlines() if ": " in line)
    assert facts["bpe-gui"] == __version__
    assert facts["display"] == QGuiApplication.platformName()
    assert facts["token font"].startswith("No such family, found ")
    assert {"Python", "PySide6", "numpy", "regex", "system", "screens", "locale", "memory"} <= set(facts)


@pytest.mark.parametrize(("are_compiled", "fact"), [(True, "compiled"), (False, "plain Python")])
def test_whether_kernels_are_compiled_is_told(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, are_compiled: bool, fact: str
) -> None:
    monkeypatch.setattr("bpe_gui.gui.system.diagnostics.is_compiled", lambda: are_compiled)
    assert f"kernels: {fact}\n" in diagnostics(None, FONTS)


def test_the_window_says_what_to_do_where_kernels_are_not_compiled(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = statement("Compilation", "Install {what} again.").format(what="it")
    monkeypatch.setattr("bpe_gui.gui.main_window.why_not_compiled", lambda: reason)
    window = open_window(qtbot)
    assert notices(window) == ["Install it again."]
    window.close()


def test_the_last_hundred_lines_of_the_log_are_included(qapp: QApplication, tmp_path: Path) -> None:
    log = tmp_path / "bpe-gui.log"
    log.write_bytes(b"".join(b"line %d \xff\n" % number for number in range(250)))
    lines = diagnostics(log, FONTS).splitlines()
    assert lines[lines.index("log:") + 1 :] == [f"line {number} \ufffd" for number in range(150, 250)]


def test_a_log_that_does_not_exist_or_cannot_be_read_is_told(qapp: QApplication, tmp_path: Path) -> None:
    assert diagnostics(None, FONTS).endswith("no log is kept\n")
    assert diagnostics(tmp_path / "none.log", FONTS).endswith("nothing was logged\n")
    assert "the log cannot be read" in diagnostics(tmp_path, FONTS)


def test_the_help_menu_copies_the_report(window: MainWindow) -> None:
    window.session.text.set_content("a text of my own")
    window.actions_by_name["copy_diagnostics"].trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith(f"bpe-gui: {__version__}\n")
    assert "a text of my own" not in text
    assert notice_text(window).startswith("Diagnostics copied.")
