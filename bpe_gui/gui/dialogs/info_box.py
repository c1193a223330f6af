"""Something to read, and a button to close it."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from bpe_gui.gui.look.widgets import named

_ROW: Final = "<tr><td><b>{}</b>&nbsp;&nbsp;&nbsp;</td><td>{}</td></tr>"


def show_text(title: str, text: str, parent: QWidget) -> None:
    """Show a short text in HTML. A message box would squeeze a table until its second column is gone."""
    box = named(QDialog(parent), "infoBox")
    box.setWindowTitle(title)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(box.reject)
    layout = QVBoxLayout(box)
    layout.setContentsMargins(24, 16, 24, 16)
    layout.setSpacing(16)
    layout.addWidget(QLabel(text))
    layout.addWidget(buttons)
    box.open()


def show_table(title: str, rows: Iterable[tuple[str, str]], parent: QWidget) -> None:
    """Show pairs of texts, one a line, the first of each in bold."""
    lines = "".join(_ROW.format(*row) for row in rows)
    show_text(title, f"<table cellspacing=4>{lines}</table>", parent)
