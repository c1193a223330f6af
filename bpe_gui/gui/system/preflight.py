"""Check, before Qt is imported, that it can start.

If a display or a system library is missing, Qt fails with a traceback or aborts the process with a page of text;
without a font, every letter is a box. These checks run first and say it in one line. So neither this module nor the
`__init__` of `bpe_gui.gui` imports Qt.
"""

import ctypes
import re
from collections.abc import Iterable, Mapping

# Shared system libraries that Qt needs, and the Debian and Ubuntu packages that contain them.
_TO_IMPORT = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
}
_FOR_X11 = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_FOR_WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
_PACKAGES = _TO_IMPORT | _FOR_X11 | _FOR_WAYLAND

_SYSTEM_FONTS = 0  # a set of fontconfig's

_WITHOUT_WINDOW = "the commands work without one (see bpe-gui --help)"


def obstacle(platform: str, environment: Mapping[str, str]) -> str | None:
    """Return one line that says why a window cannot be opened; None if nothing seems wrong.

    `platform` is sys.platform, `environment` is os.environ. Only Linux is checked: on Windows and macOS, the Qt wheels
    include all libraries, and there is always a display.
    """
    if platform != "linux" or environment.get("QT_QPA_PLATFORM"):
        return None
    wayland, x11 = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    # If both are set, Qt tries both, so one that works is enough.
    if wayland and not _missing(_FOR_WAYLAND):
        return _font_obstacle()
    if not wayland and not x11:
        return f"no display: neither DISPLAY nor WAYLAND_DISPLAY is set; {_WITHOUT_WINDOW}"
    missing = _missing(_TO_IMPORT | (_FOR_X11 if x11 else _FOR_WAYLAND))
    if missing:
        return _missing_message(missing)
    if x11 and not _x_server_answers(x11):
        return f"no display: nothing answers at DISPLAY={x11}; {_WITHOUT_WINDOW}"
    return _font_obstacle()


def obstacle_behind(error: ImportError) -> str | None:
    """Return one line that says why importing Qt failed; None if the cause was not a missing system library."""
    named = re.match(r"(\S+\.so[.\d]*): cannot open shared object file", str(error))
    if named is None:
        return None
    # The dynamic linker stops at the first missing library, but this names all of them.
    return _missing_message(dict.fromkeys([named[1], *_missing(_TO_IMPORT | _FOR_X11)]))


def _missing(names: Iterable[str]) -> list[str]:
    return [name for name in names if not _loads(name)]


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _x_server_answers(display: str) -> bool:
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(display.encode(), None))
    error: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return error == 0


def _font_obstacle() -> str | None:
    if not _loads("libfontconfig.so.1") or _has_fonts():
        return None
    return "the window needs a font, and none is installed; on Debian or Ubuntu: sudo apt install fonts-dejavu-core"


def _has_fonts() -> bool:
    get_fonts = ctypes.CDLL("libfontconfig.so.1").FcConfigGetFonts
    get_fonts.restype = ctypes.POINTER(ctypes.c_int)  # to a record that begins with their number
    fonts = get_fonts(None, _SYSTEM_FONTS)
    return bool(fonts) and fonts[0] > 0


def _missing_message(names: Iterable[str]) -> str:
    names = list(names)
    line = f"the window needs system libraries that are missing ({', '.join(names)})"
    packages = sorted({_PACKAGES[name] for name in names if name in _PACKAGES})
    if not packages:
        return f"{line}; install the system packages that provide them"
    return f"{line}; on Debian or Ubuntu: sudo apt install {' '.join(packages)}"
