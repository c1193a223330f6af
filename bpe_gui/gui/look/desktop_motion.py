"""Whether the desktop of a Linux system asks for less motion, which Qt cannot tell."""

from typing import Any, Final

from PySide6.QtCore import SLOT, QObject, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant

_SERVICE: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_INTERFACE: Final = "org.freedesktop.portal.Settings"


class _Setting(QObject):
    """A setting of the desktop that asks for less motion if it has the value `less`."""

    def __init__(self, parent: QObject, group: str, name: str, less: object) -> None:
        super().__init__(parent)
        self._names, self._less = [group, name], less
        self.asks_for_less = False
        take: Any = SLOT("take(QDBusMessage)")  # PySide's types say bytes, which it refuses
        bus = QDBusConnection.sessionBus()
        bus.connect(_SERVICE, _PATH, _INTERFACE, "SettingChanged", self, take)
        question = QDBusMessage.createMethodCall(_SERVICE, _PATH, _INTERFACE, "Read")
        question.setArguments(self._names)
        bus.callWithCallback(question, self, take)

    @Slot(QDBusMessage)
    def take(self, message: QDBusMessage) -> None:
        """Take the value from a reply, or from a notice of a change, which begins with the setting's group and name."""
        *names, value = message.arguments()
        if names and names != self._names:
            return
        while isinstance(value, QDBusVariant):
            value = value.variant()
        self.asks_for_less = value == self._less


class DesktopMotion(QObject):
    """Asks the desktop without waiting for the answer, and follows changes; quietly does nothing without D-Bus."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = (
            _Setting(self, "org.gnome.desktop.interface", "enable-animations", False),
            _Setting(self, "org.freedesktop.appearance", "reduced-motion", 1),
        )

    @property
    def is_reduced(self) -> bool:
        """Whether the desktop asks for less motion, as far as it has said."""
        return any(setting.asks_for_less for setting in self._settings)
