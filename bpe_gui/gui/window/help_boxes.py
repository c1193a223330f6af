"""The message boxes of the Help menu."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from bpe_gui import __version__
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.dialogs.boxes import show_table, show_text
from bpe_gui.gui.look.widgets import without_mnemonic
from bpe_gui.gui.wording.phrases import listed, size_text

from .actions import usual_text

translate = QCoreApplication.translate  # lupdate knows the function by this name

_NATIVE: Final = QKeySequence.SequenceFormat.NativeText


def show_keys(actions: Iterable[QAction], window: QWidget) -> None:
    """Show a table of all keys, both of actions and of single views."""
    rows = [
        (listed(keys.toString(_NATIVE) for keys in action.shortcuts()), without_mnemonic(usual_text(action)))
        for action in actions
        if action.shortcuts()
    ]
    rows += [
        ("Tab", translate("MainWindow", "Go to the next part of the window")),
        ("Ctrl+Tab", translate("MainWindow", "Go to the next detail page")),
        ("← → ↑ ↓", translate("MainWindow", "Ids, Encoding and Lineage: move between items")),
        ("Shift+→", translate("MainWindow", "Ids: extend the selection")),
        ("Return", translate("MainWindow", "Ids and Lineage: mark all equal tokens")),
        (listed(("F3", "Shift+F3")), translate("MainWindow", "Compare: next or previous difference")),
        ("Esc", translate("MainWindow", "Compare and Report: back to the other workspace")),
    ]
    show_table(translate("MainWindow", "Keyboard shortcuts"), rows, window)


def show_about(window: QWidget) -> None:
    """Show the program's version, purpose and memory use."""
    purpose = translate(
        "MainWindow", "A workbench for training byte-pair encoding step by step and exporting the tokenizer."
    )
    text = f"<h3>bpe-gui {__version__}</h3><p>{purpose}</p><p>{_memory_text()}</p>"
    show_text(translate("MainWindow", "About bpe-gui"), text, window)


def _memory_text() -> str:
    """Return how much memory the program uses, and how much more is available."""
    text = translate("MainWindow", "Memory in use: {used}. Memory available: {free}.")
    return text.format(used=size_text(memory.in_use()), free=size_text(memory.available()))
