"""Files that one process hands over to the window of another."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system import handover
from bpe_gui.gui.system.handover import Receiver, hand_over, shared_address

ROOT = Path(__file__).parents[3]
only_unix = pytest.mark.skipif(sys.platform == "win32", reason="there, a pipe ends with its process")


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address that windows share in this test."""
    with TemporaryDirectory() as folder:  # short enough for the path of a socket
        address = rf"\\.\pipe\{Path(folder).name}" if sys.platform == "win32" else f"{folder}/窗口"
        monkeypatch.setattr(handover, "shared_address", lambda _environment: address)
        yield address


@pytest.fixture
def receiver(address: str, qtbot: QtBot) -> Iterator[Receiver]:
    """Return a receiver that listens there."""
    parent = QObject()
    receiver = Receiver(address, parent)
    receiver.listen()
    yield receiver
    receiver.close()


def answer(qtbot: QtBot, *arguments: str) -> bool:
    """Hand files over from a thread, as another process would, and return whether a window has taken them."""
    with ThreadPoolExecutor(1) as sender:
        taken = sender.submit(hand_over, arguments)
        qtbot.waitUntil(taken.done)
        return taken.result()


def test_an_open_window_takes_files_by_their_absolute_paths(
    receiver: Receiver, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened: list[Path] = []
    receiver.received.connect(opened.extend)
    name = os.fsdecode(b"\xff.txt") if sys.platform == "linux" else "ü.txt"
    assert answer(qtbot, "语料 😀.txt", str(tmp_path / name))
    assert opened == [tmp_path / "语料 😀.txt", tmp_path / name]


@pytest.mark.parametrize("arguments", [[], ["--new-window", "a.txt"], ["a.txt", "-style", "fusion"]])
def test_no_files_and_options_ask_for_a_window_of_their_own(
    receiver: Receiver, qtbot: QtBot, arguments: list[str]
) -> None:
    assert not answer(qtbot, *arguments)


def test_a_window_that_asks_something_takes_no_files(receiver: Receiver, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = QDialog(window)
    dialog.open()
    assert not answer(qtbot, "a.txt")
    dialog.close()
    assert answer(qtbot, "a.txt")


def test_a_window_that_is_busy_takes_no_files(
    receiver: Receiver, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "_PATIENCE", 0.1)
    opened: list[Path] = []
    receiver.received.connect(opened.extend)
    assert not hand_over(["a.txt"])  # while nothing runs the event loop
    monkeypatch.undo()
    assert not opened


def test_without_a_window_nothing_is_taken(address: str) -> None:
    assert not hand_over(["a.txt"])


def test_another_window_listens_once_the_first_is_closed(address: str, receiver: Receiver, qtbot: QtBot) -> None:
    parent = QObject()
    other = Receiver(address, parent)
    other.listen()
    receiver.close()
    assert not answer(qtbot, "a.txt")
    other.listen()
    assert answer(qtbot, "a.txt")
    other.close()


@only_unix
def test_the_socket_of_a_crashed_window_is_replaced(address: str, qtbot: QtBot) -> None:
    with socket.socket(socket.AF_UNIX) as crashed:
        crashed.bind(address)
    parent = QObject()
    receiver = Receiver(address, parent)
    receiver.listen()
    assert answer(qtbot, "a.txt")
    receiver.close()
    assert not Path(address).exists()


@only_unix
def test_a_window_that_is_stopped_keeps_its_address_and_blocks_no_other(address: str) -> None:
    parent = QObject()
    receiver = Receiver(address, parent)
    with socket.socket(socket.AF_UNIX) as stopped:
        stopped.bind(address)
        stopped.listen(0)
        inode = Path(address).stat().st_ino
        for _time in range(4):  # more than wait in its queue
            receiver.listen()
        assert Path(address).stat().st_ino == inode


@only_unix
def test_windows_of_one_user_and_screen_share_an_address(tmp_path: Path) -> None:
    own = {"XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":0"}
    assert shared_address(own) == f"{tmp_path}/bpe-gui :0"
    assert shared_address(own | {"WAYLAND_DISPLAY": "/run/w-1"}) == f"{tmp_path}/bpe-gui %2Frun%2Fw-1"
    assert shared_address(own | {"QT_QPA_PLATFORM": "xcb"}) == shared_address(own)


@only_unix
@pytest.mark.parametrize(
    "change",
    [{"XDG_RUNTIME_DIR": ""}, {"XDG_RUNTIME_DIR": "/no/such"}, {"DISPLAY": ""}, {"QT_QPA_PLATFORM": "offscreen"}],
)
def test_nothing_is_shared_without_a_folder_or_a_screen(tmp_path: Path, change: dict[str, str]) -> None:
    assert shared_address({"XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":0"} | change) is None


@only_unix
def test_nothing_is_shared_in_the_folder_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert shared_address({"XDG_RUNTIME_DIR": str(tmp_path), "DISPLAY": ":0"}) is None


_PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from bpe_gui import __main__
from bpe_gui.gui import app
from bpe_gui.gui.system import handover

folder, address = Path(sys.argv[1]), sys.argv[2]
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(folder))
app.default_log_file = lambda: folder / "bpe-gui.log"
app.default_recovery_folder = lambda: folder / "recovery"
handover.shared_address = lambda environment: address
handover._PATIENCE = 1000  # on a slow machine, a window may be busy for long after it has opened
open_paths, listen = app.MainWindow.open_paths, handover.Receiver.listen

def open_paths_and_say(window, paths):
    open_paths(window, paths)
    print(ascii([document.title for document in window.session.corpus.documents]), flush=True)
    if paths[0].name == "last":
        QTimer.singleShot(0, window.close)

def listen_and_say(receiver, *_state):
    listen(receiver)
    print("listens", flush=True)

app.MainWindow.open_paths = open_paths_and_say
handover.Receiver.listen = listen_and_say
sys.exit(__main__.main(sys.argv[3:]))
"""


@pytest.mark.slow
def test_a_second_process_opens_its_files_in_the_window_of_the_first(tmp_path: Path, address: str) -> None:
    corpus = tmp_path / "语料.txt"
    corpus.write_text("low lower lowest")
    command = [sys.executable, "-c", _PROGRAM, str(tmp_path), address]
    settings = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}

    def run(argument: str) -> str:
        done = subprocess.run([*command, argument], cwd=tmp_path, env=settings, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode()

    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings) as first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline() == "listens\n"
            assert run(corpus.name) == ""
            assert next(line for line in first.stdout if line != "listens\n") == f"{[corpus.name]!a}\n"
        finally:
            first.kill()
    assert run("last").startswith("[")  # the first has gone, so this opens a window itself
