"""On Linux, nothing moves while the desktop asks for less motion; without a desktop to ask, nothing is said."""

import os
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux desktops have the portal")
_BUS = "dbus-run-session"
needs_bus = pytest.mark.skipif(shutil.which(_BUS) is None, reason=f"{_BUS} is not installed")

_PROGRAM = """
import sys
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusVariant, QDBusVirtualObject
from PySide6.QtWidgets import QApplication, QLabel
from bpe_gui.gui.look.theme import Motion

PATH, INTERFACE = "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
ANIMATIONS = ["org.gnome.desktop.interface", "enable-animations"]
REDUCED = ["org.freedesktop.appearance", "reduced-motion"]
NO_MATTER = ["org.freedesktop.appearance", "contrast"]

class Portal(QDBusVirtualObject):
    def introspect(self, path):
        return ""

    def handleMessage(self, message, bus):
        reply = message.createReply()
        reply.setArguments([QDBusVariant(QDBusVariant(False))])
        if message.arguments() == REDUCED:
            reply = message.createErrorReply("org.freedesktop.portal.Error.NotFound", "")
        bus.send(reply)
        return True

def wait(is_allowed):
    while motion.is_allowed(label) != is_allowed:
        app.processEvents()

def change(setting, value):
    message = QDBusMessage.createSignal(PATH, INTERFACE, "SettingChanged")
    message.setArguments([*setting, QDBusVariant(value)])
    desktop.send(message)

app = QApplication([])
label, motion = QLabel(), Motion(app)
if "portal" in sys.argv:
    desktop = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, "desktop")
    portal = Portal()
    assert desktop.registerVirtualObject(PATH, portal, QDBusConnection.VirtualObjectRegisterOption.SingleNode)
    assert desktop.registerService("org.freedesktop.portal.Desktop")
motion.follow_desktop()
assert motion.is_allowed(label)
if "portal" in sys.argv:
    wait(False)
    change(ANIMATIONS, True)
    wait(True)
    change(REDUCED, 1)
    wait(False)
    change(NO_MATTER, 0)
    change(REDUCED, 0)
    wait(True)
app.processEvents()
"""


def run(*command: str, address: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
    if address is not None:
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@needs_bus
def test_nothing_moves_while_the_desktop_asks_for_less_motion() -> None:
    result = run(_BUS, "--", sys.executable, "-c", _PROGRAM, "portal")
    assert result.returncode == 0, result.stderr


def test_a_missing_bus_is_not_mentioned() -> None:
    result = run(sys.executable, "-c", _PROGRAM, address="unix:path=/nowhere")
    assert (result.returncode, result.stderr) == (0, "")


@needs_bus
def test_a_bus_without_a_desktop_is_not_mentioned() -> None:
    result = run(_BUS, "--", sys.executable, "-c", _PROGRAM)
    assert result.returncode == 0, result.stderr
    assert "QDBus" not in result.stderr
