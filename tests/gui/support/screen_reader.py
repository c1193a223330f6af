"""Use the window like a screen reader, over AT-SPI, and print what was heard as JSON.

A separate program for the system's Python, which has `pyatspi`. Its first argument is the Python to run the window
with. With no more, it edits text; with a text file and a folder, it opens the file, trains on it, and exports to there.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pyatspi
from gi.repository import GLib

TIMEOUT = 80  # seconds
EVENTS = (
    "object:text-changed",
    "object:text-caret-moved",
    "object:text-selection-changed",
    "object:property-change:accessible-description",
)


def wait_for(find: Callable[[], Any]) -> Any:
    """Handle events until `find` returns something; exit if it never does."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        while GLib.MainContext.default().iteration(False):
            pass
        try:
            if found := find():
                return found
        except GLib.Error:  # the program is not ready, or a widget is gone
            pass
        time.sleep(0.05)
    sys.exit("nothing found in time")


def widgets(parent: Any) -> Iterator[Any]:
    """Yield everything below a widget."""
    for child in filter(None, (parent.getChildAtIndex(index) for index in range(parent.childCount))):
        yield child
        yield from widgets(child)


def find(role: str, name: str, parent: Any = None) -> Any:
    """Return the widget of a role whose name matches a regular expression; None if there is none."""
    everything = widgets(parent or pyatspi.Registry.getDesktop(0))
    return next((each for each in everything if each.getRoleName() == role and re.match(name, each.name)), None)


def find_editor() -> Any:
    """Return the editor of the text to encode."""
    return find("text", "Text to encode$")


def press(role: str, name: str, parent: Any = None) -> None:
    """Press the widget of a role whose name matches a regular expression, once it is there."""
    actions = wait_for(lambda: find(role, name, parent)).queryAction()
    names = [actions.getName(index) for index in range(actions.nActions)]
    with suppress(GLib.Error):  # the program answers only after the dialog that this opens
        actions.doAction(names.index("Press"))


def write(name: str, text: str, parent: Any) -> None:
    """Write into a field."""
    wait_for(lambda: find("text", name, parent)).queryEditableText().setTextContents(text)


def do_main_job(corpus: str, folder: str) -> dict[str, object]:
    """Open a corpus, train on it, and export the tokenizer; return what the window says on the way."""
    press("menu item", "Open corpus…")
    files = wait_for(lambda: find("dialog", "Open text files"))
    write("File name", corpus, files)
    press("push button", "Open$", files)
    editor = wait_for(lambda: find("text", "Corpus text"))
    opened = wait_for(
        lambda: editor.queryText().getText(0, 12).startswith("the cat") and editor.queryText().getText(0, -1)
    )
    press("push button", "Train up to")
    trained = wait_for(lambda: find("label", r"step ([1-9]\d*) of \1$")).name
    press("push button", "Export tokenizer")
    dialog = wait_for(lambda: find("dialog", "Export tokenizer"))
    write("Output folder", folder, dialog)
    press("push button", "Export$", dialog)
    proven = wait_for(lambda: find("label", r"(?s)Proven(?!.*Checking)", dialog)).name
    return {"opened": opened, "trained": trained, "proven": proven}


def listen(editor: Any) -> dict[str, object]:
    """Edit the text, move the caret and select, as assistive technology does; return the events that it receives."""
    heard: list[list[object]] = []

    def hear(event: Any) -> None:
        if event.source == editor:
            data = event.any_data if "text-changed" in event.type or "description" in event.type else ""
            heard.append([str(event.type), event.detail1, str(data)])

    pyatspi.Registry.registerEventListener(hear, *EVENTS)
    text = editor.queryText()
    report: dict[str, object] = {
        "role": editor.getRoleName(),
        "children": editor.childCount,
        "before": text.getText(0, -1),
        "count": text.characterCount,
    }
    editor.queryEditableText().insertText(0, "é文 ", 3)
    wait_for(lambda: any("text-changed" in str(event[0]) for event in heard))
    report |= {"after": text.getText(0, -1), "caret": text.caretOffset, "word": text.getStringAtOffset(5, 1)[0]}
    heard_at_first = len(heard)
    text.addSelection(0, 4)
    wait_for(lambda: any("selection" in str(event[0]) for event in heard[heard_at_first:]))
    report |= {"selection": list(text.getSelection(0)), "caret after selecting": text.caretOffset}
    text.setCaretOffset(6)
    wait_for(lambda: text.caretOffset == 6)
    report |= {"token": editor.description, "heard": heard}
    return report


def main() -> None:
    """Start the program, listen to it, and end it."""
    pyatspi.Registry.getDesktop(0)  # starts the bus, where the program registers
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    with subprocess.Popen([sys.argv[1], "-m", "bpe_gui"], env=environment, stdout=subprocess.DEVNULL) as program:
        try:
            editor = wait_for(find_editor)
            print(json.dumps(do_main_job(*sys.argv[2:]) if sys.argv[2:] else listen(editor)))
        finally:
            program.terminate()


if __name__ == "__main__":
    main()
