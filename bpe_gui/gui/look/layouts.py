"""The layouts that panels and dialogs share."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QVBoxLayout, QWidget

from .spacing import DIALOG_MARGIN, GAP, WIDE_GAP


def gapless_column(widget: QWidget) -> QVBoxLayout:
    """Return a layout that stacks the parts of `widget` without margins or gaps."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def dialog_column(dialog: QDialog) -> QVBoxLayout:
    """Return the outermost layout of `dialog`."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN)
    column.setSpacing(GAP)
    return column


def dialog_form() -> QFormLayout:
    """Return a layout for fields with their names on the left."""
    form = QFormLayout()
    form.setHorizontalSpacing(WIDE_GAP)
    form.setVerticalSpacing(GAP)
    return form


def dialog_buttons(*others: QPushButton, accept: QPushButton, reject: QPushButton) -> QDialogButtonBox:
    """Return a box with the buttons in the order that the platform prefers; the caller connects them."""
    box = QDialogButtonBox()
    for button in others:
        box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
    box.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    box.addButton(reject, QDialogButtonBox.ButtonRole.RejectRole)
    return box
