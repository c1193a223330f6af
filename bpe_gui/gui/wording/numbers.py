"""Numbers as a person reads them, in the language of the window."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MINUTE: Final = 60  # seconds
_HOUR: Final = 60 * _MINUTE
_MOST_DIGITS = 2**63  # what QLocale can write


def number(value: int) -> str:
    """A whole number with the locale's thousands separators: `9,743`."""
    return QLocale().toString(value) if -_MOST_DIGITS <= value < _MOST_DIGITS else str(value)


def size_text(size: int, decimals: int = 1) -> str:
    """A number of bytes as the size of a file, in powers of ten as file managers show it: `104.9 MB`."""
    return QLocale().formattedDataSize(size, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)


def duration_text(seconds: float) -> str:
    """A time as a person says it, no more exact than an estimate is: `12 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = max(0, round(seconds))
    if whole < _MINUTE:
        return translate("Numbers", "{seconds} s").format(seconds=number(whole))
    if whole < _HOUR:
        return translate("Numbers", "{minutes} min {seconds} s").format(
            minutes=number(whole // _MINUTE), seconds=number(whole % _MINUTE)
        )
    return translate("Numbers", "{hours} h {minutes} min").format(
        hours=number(whole // _HOUR), minutes=number(whole % _HOUR // _MINUTE)
    )
