"""Error messages in the language of the window."""

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError
from bpe_gui.engine.runtime import isolated

from .joining import listed


def error_message(error: EngineError) -> str:
    """Return what was wrong, where, and what would be right; in English if there is no translation."""
    values = {name: _in_sentence(value) for name, value in error.values.items()}
    return QCoreApplication.translate(error.context, error.template).format(**values)


def _in_sentence(value: object) -> object:
    """Return a value so that it does not reorder the sentence: a token or a path may be read from right to left."""
    if isinstance(value, EngineError):
        return error_message(value)
    if isinstance(value, tuple):
        return listed(value)
    return isolated(value) if isinstance(value, str) else value
