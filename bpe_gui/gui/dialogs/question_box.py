"""A box with a question for the user, to which the caller adds the buttons."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from bpe_gui.gui.look.widgets import name_widget


def question_box(window: QWidget, name: str, question: str, consequence: str) -> QMessageBox | None:
    """Return a message box without buttons; None if one of this name is open."""
    if window.findChild(QMessageBox, name) is not None:
        return None
    box = name_widget(QMessageBox(window), name)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("bpe-gui")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question)
    box.setInformativeText(consequence)
    return box
