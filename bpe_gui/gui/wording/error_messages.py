"""Error messages in the language of the window."""

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError


def error_message(error: EngineError) -> str:
    """Return what was wrong, where, and what would be right; in English if there is no translation."""
    values = {
        name: error_message(value) if isinstance(value, EngineError) else value for name, value in error.values.items()
    }
    return QCoreApplication.translate(error.context, error.template).format(**values)
