"""The controls for SentencePiece's options in the dialog for recipes."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QWidget

from bpe_gui.engine import SentencePieceOptions
from bpe_gui.gui.look.widgets import ComboBox, DecimalBox, SpinBox

OPTIONS: Final = tuple(field.name for field in fields(SentencePieceOptions))
"""The names of the options, in the order of the controls."""


class OptionControls:
    """A control for each option, by name. `changed` is called after a change by the user."""

    def __init__(self, parent: QWidget, changed: Callable[[], None]) -> None:
        self.widgets: Final[dict[str, QCheckBox | ComboBox | SpinBox | DecimalBox]] = {}
        for name in OPTIONS:
            if name == "normalization":
                combo = ComboBox(parent)
                combo.addItems(SentencePieceOptions.normalizations)
                combo.currentIndexChanged.connect(changed)
                self.widgets[name] = combo
            elif name == "character_coverage":
                least, greatest = SentencePieceOptions.coverages
                coverage = DecimalBox(parent, minimum=least, maximum=greatest, step=0.0005)
                coverage.valueChanged.connect(changed)
                self.widgets[name] = coverage
            elif name == "max_sentencepiece_length":
                shortest, longest = SentencePieceOptions.piece_lengths
                length = SpinBox(parent, minimum=shortest, maximum=longest)
                length.valueChanged.connect(changed)
                self.widgets[name] = length
            else:
                box = QCheckBox(name, parent)
                box.toggled.connect(changed)
                self.widgets[name] = box

    def options(self) -> SentencePieceOptions:
        """Return the options as the controls show them."""
        values = {name: value_of(widget) for name, widget in self.widgets.items()}
        return SentencePieceOptions.from_dict(values)

    def show(self, options: SentencePieceOptions) -> None:
        """Set every control."""
        for name, widget in self.widgets.items():
            set_value(widget, getattr(options, name))


def value_of(control: QWidget) -> Any:
    """Return what the user chose: whether a box is checked, a number or a text."""
    value = control.metaObject().userProperty().read(control)
    return round(value, 4) if isinstance(value, float) else value


def set_value(control: QWidget, value: object) -> None:
    """Show a value, as if the user had not chosen it."""
    with QSignalBlocker(control):
        control.metaObject().userProperty().write(control, value)
