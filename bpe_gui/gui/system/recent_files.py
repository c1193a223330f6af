"""Tell the system which files were opened, for its own lists of recent files; Qt has nothing for that.

Windows has a function. Linux desktops share a file in a format of freedesktop.org ("Desktop Bookmarks"), which programs
read, change and replace: what others have written in it is kept.
"""

import ctypes
import logging
import sys
import threading
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import platformdirs
from PySide6.QtCore import QMimeDatabase

from bpe_gui.engine import EngineError
from bpe_gui.engine.runtime import write_files

if TYPE_CHECKING:
    from xml.etree import ElementTree as Xml

_BOOKMARK: Final = "http://www.freedesktop.org/standards/desktop-bookmarks"
_MIME: Final = "http://www.freedesktop.org/standards/shared-mime-info"
_OWNER: Final = "http://freedesktop.org"
_A_PATH: Final = 3  # SHARD_PATHW
_logger: Final = logging.getLogger(__name__)


def tell_system(path: Path) -> None:
    """Add a file to the system's recent files; if that fails, only the log says so."""
    if sys.platform == "win32":
        ctypes.windll.shell32.SHAddToRecentDocs(_A_PATH, str(path))
    elif sys.platform == "linux":
        shared = platformdirs.user_data_path() / "recently-used.xbel"
        add = partial(add_to_shared, shared, path, QMimeDatabase().mimeTypeForFile(str(path)).name())
        threading.Thread(target=add, name="recent files").start()  # which waits for the disk


def add_to_shared(shared: Path, path: Path, mime_type: str) -> None:
    """Add a file to those that Linux desktops share, or change when it was last opened."""
    from xml.etree import ElementTree as Xml  # slow to import

    Xml.register_namespace("bookmark", _BOOKMARK)
    Xml.register_namespace("mime", _MIME)
    try:
        root = Xml.parse(shared).getroot() if shared.exists() else Xml.Element("xbel", version="1.0")
        uri, now = path.as_uri(), datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        bookmark = _child(root, "bookmark", href=uri)
        bookmark.attrib |= {"added": bookmark.get("added", now), "modified": now, "visited": now}
        metadata = _child(_child(bookmark, "info"), "metadata", owner=_OWNER)
        _child(metadata, f"{{{_MIME}}}mime-type").set("type", mime_type)
        program = _child(
            _child(metadata, f"{{{_BOOKMARK}}}applications"), f"{{{_BOOKMARK}}}application", name="bpe-gui"
        )
        program.attrib |= {"exec": "'bpe-gui %f'", "modified": now, "count": str(int(program.get("count", "0")) + 1)}
        write_files({shared: Xml.tostring(root, "utf-8", xml_declaration=True)})
    except (OSError, ValueError, Xml.ParseError, EngineError) as error:
        _logger.warning("%s is left as it is: %s", shared, type(error).__name__)


def _child(parent: "Xml.Element", tag: str, **attributes: str) -> "Xml.Element":
    """Return the child with this tag and these attributes, which is made if there is none."""
    found = (each for each in parent.iterfind(tag) if attributes.items() <= each.attrib.items())
    child = next(found, None)
    if child is None:
        child = parent.makeelement(tag, attributes)
        parent.append(child)
    return child
