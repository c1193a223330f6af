"""What the parts of a window have in common."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from bpe_gui.gui.look.lifetime import WeakAttribute
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.notice_bar import NoticeBar
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings

Handlers = Mapping[str, Callable[..., object]]
"""What actions of the window do, by the names of the actions."""


class Surroundings(NamedTuple):
    """What a window has for its parts; the `notices` are those that actions may show."""

    session: Session
    settings: Settings
    theme: Theme
    notices: NoticeBar
    window: QWidget


class WindowPart(QObject):
    """A part that acts on the session, asks in dialogs over the window, and says in notices what happened."""

    _window = WeakAttribute[QWidget]()

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around.window)
        self._session, self._settings, self._theme, self._notices, self._window = around
