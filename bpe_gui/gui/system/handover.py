"""Hand files over to a window that is already open, so that a double click on a file does not open one more.

The windows of one user on one screen share an address, where the first of them listens. A process that was started with
files sends it their paths, and ends if the window takes them. A window that is asking something takes none.
A window opened without files, or with an option, is always a new one.

Python's own connections are sockets on Unix and pipes on Windows. Qt's would need more system libraries.
"""

import ctypes
import logging
import os
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from multiprocessing.connection import Connection, Listener

NEW_WINDOW: Final = "--new-window"
"""The option that opens files in a window of their own."""

_TAKEN: Final = b"taken"
_PATIENCE: Final = 5.0  # seconds, for a window that is busy
_LONGEST: Final = 1 << 24  # bytes of paths; a command line is shorter
_BACKLOG: Final = 64  # processes that may wait for a window that was stopped, as by Ctrl+Z in its terminal
_ANY_PROCESS: Final = -1
_logger: Final = logging.getLogger(__name__)


def shared_address(environment: Mapping[str, str]) -> str | None:
    """Return where the window of this user and screen listens; None if nothing can be shared.

    That is so without a screen, and without the folder for sockets that only this user may open. macOS has none, and
    gives files to an open window by itself.
    """
    if environment.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal")):
        return None
    folder = environment.get("XDG_RUNTIME_DIR")
    screen = environment.get("WAYLAND_DISPLAY") or environment.get("DISPLAY")
    address = None
    if sys.platform == "win32":
        address = rf"\\.\pipe\bpe-gui {environment.get('USERNAME')} {environment.get('SESSIONNAME')}"
    elif folder and screen:
        with suppress(OSError):
            if Path(folder).stat().st_uid == os.getuid():  # `sudo` may keep the variable of another user
                address = f"{folder}/bpe-gui {quote(screen, safe=':')}"
    return address


def hand_over(arguments: Sequence[str]) -> bool:
    """Return whether an open window takes the files in `arguments`; it comes to the front then.

    None does if none is open, if it is busy or asking something, or if `arguments` are empty or have an option.
    """
    address = shared_address(os.environ)
    if address is None or not arguments or any(argument.startswith("-") for argument in arguments):
        return False
    from multiprocessing.connection import Client  # slow to import

    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")  # permission of a Wayland desktop to come to the front
    message = b"\0".join(os.fsencode(part) for part in (token, *map(os.path.abspath, arguments)))
    try:
        with Client(address) as connection:
            if sys.platform == "win32":
                ctypes.windll.user32.AllowSetForegroundWindow(_ANY_PROCESS)
            connection.send_bytes(message)
            return connection.poll(_PATIENCE) and connection.recv_bytes() == _TAKEN
    except (EOFError, OSError) as error:
        _logger.debug("no window takes files: %s", error)
        return False


class Receiver(QObject):
    """Listens at an address unless another window does, and takes files unless a dialog is open.

    `received(paths)`: absolute paths to open in this window, which should come to the front.
    """

    received = Signal(object)
    _arrived = Signal(object, bytes)

    def __init__(self, address: str, parent: QObject) -> None:
        super().__init__(parent)
        self._address = address
        self._listener: Listener | None = None
        self._thread: threading.Thread | None = None
        self._arrived.connect(self._answer)

    def listen(self) -> None:
        """Listen, unless this or another window does."""
        if self._listener is None and (listener := _listener_at(self._address)):
            self._listener = listener
            self._thread = threading.Thread(target=self._accept, args=(listener,), name="receiver", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop listening, so that another window can."""
        listener, self._listener = self._listener, None
        if listener is not None and self._thread is not None:
            _answers(self._address)  # wakes the thread
            self._thread.join()
            listener.close()

    def _accept(self, listener: "Listener") -> None:
        """Bring messages to the UI thread, from which the sender gets its answer."""
        while self._listener is listener:
            try:
                connection = listener.accept()
            except OSError as error:
                _logger.warning("this window does not listen any more: %s", error)
                return
            with suppress(EOFError, OSError):  # the sender only asked whether anyone listens
                if connection.poll(_PATIENCE):
                    self._arrived.emit(connection, connection.recv_bytes(_LONGEST))

    def _answer(self, connection: "Connection", message: bytes) -> None:
        with connection:
            if QGuiApplication.modalWindow() is not None:
                return
            try:
                connection.send_bytes(_TAKEN)
            except OSError:  # the sender waited too long, and opened a window itself
                return
        token, *paths = map(os.fsdecode, message.split(b"\0"))
        if token and QGuiApplication.platformName().startswith("wayland"):
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # where Qt takes it from
        self.received.emit(list(map(Path, paths)))


def _listener_at(address: str) -> "Listener | None":
    """Return a new listener; None if a window listens there already, or none can."""
    from multiprocessing.connection import Listener

    if _answers(address):
        return None
    try:
        if sys.platform != "win32":
            Path(address).unlink(missing_ok=True)  # of a window that crashed
        return Listener(address, backlog=_BACKLOG)
    except OSError as error:
        _logger.debug("this window does not listen: %s", error)
        return None


def _answers(address: str) -> bool:
    from multiprocessing.connection import Client

    try:
        if sys.platform == "win32":
            Client(address).close()
        else:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.setblocking(False)
                probe.connect(address)
    except BlockingIOError:  # a window that was stopped, whose queue is full
        return True
    except OSError:
        return False
    return True
