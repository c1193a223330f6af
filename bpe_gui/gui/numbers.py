"""Numbers as a person reads them, in the language of the window."""

from PySide6.QtCore import QLocale

_MOST_DIGITS = 2**63  # what QLocale can write


def number(value: int) -> str:
    """A whole number with the locale's thousands separators: `9,743`."""
    return QLocale().toString(value) if -_MOST_DIGITS <= value < _MOST_DIGITS else str(value)


def size_text(size: int, decimals: int = 1) -> str:
    """A number of bytes as the size of a file, in powers of ten as file managers show it: `104.9 MB`."""
    return QLocale().formattedDataSize(size, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)
