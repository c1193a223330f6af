"""How dialogs are laid out: a column with fields in a form, and buttons at its end."""

from typing import Final

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QVBoxLayout

_GRID: Final = 8  # of the window


def dialog_column(dialog: QDialog) -> QVBoxLayout:
    """What everything in a dialog stands in."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(2 * _GRID, 2 * _GRID, 2 * _GRID, 2 * _GRID)
    column.setSpacing(_GRID)
    return column


def dialog_form() -> QFormLayout:
    """Fields with their names on the left."""
    form = QFormLayout()
    form.setHorizontalSpacing(2 * _GRID)
    form.setVerticalSpacing(_GRID)
    return form


def dialog_buttons(*others: QPushButton, accept: QPushButton, reject: QPushButton) -> QDialogButtonBox:
    """Buttons in the order of the system; what they do is for others to connect."""
    box = QDialogButtonBox()
    for button in others:
        box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
    box.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    box.addButton(reject, QDialogButtonBox.ButtonRole.RejectRole)
    return box
