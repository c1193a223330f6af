"""Errors as a person reads them, in the language of the window."""

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError


def sentence(error: EngineError) -> str:
    """What was wrong, where, and what would be right; in English where there is no translation."""
    values = {
        name: sentence(value) if isinstance(value, EngineError) else value for name, value in error.values.items()
    }
    return QCoreApplication.translate(error.context, error.template).format(**values)
