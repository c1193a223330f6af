"""The measures of a report as figures, in the language of the window."""

from math import isfinite
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate  # lupdate knows the function by this name

_UNKNOWN: Final = "–"


def decimal(value: float, decimals: int = 3) -> str:
    """Return a number with so many decimals; a dash for one that is not known."""
    return QLocale().toString(value, "f", decimals) if isfinite(value) else _UNKNOWN


def share(value: float, decimals: int = 1) -> str:
    """Return a share from 0 to 1 as a percentage; a dash for one that is not known."""
    if not isfinite(value):
        return _UNKNOWN
    return translate("Reporting", "{figure}%").format(figure=QLocale().toString(100 * value, "f", decimals))


def signed(value: int) -> str:
    """Return a difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{QLocale().toString(abs(value))}"
