"""A field gets the button that clears it with its first text."""

from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.widgets import offer_clearing


def test_a_field_with_text_can_be_cleared(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    offer_clearing(field, "Clear the field")
    assert not field.findChildren(QToolButton)
    field.setText("low")
    (button,) = field.findChildren(QToolButton)
    assert button.accessibleName() == button.toolTip() == "Clear the field"
    button.click()
    assert field.text() == ""
    field.setText("er")
    assert field.findChildren(QToolButton) == [button]
