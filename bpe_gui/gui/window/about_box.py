"""The box about the program."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from bpe_gui import __version__
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.dialogs.boxes import show_text
from bpe_gui.gui.wording.phrases import size_text

translate = QCoreApplication.translate  # lupdate knows the function by this name


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
