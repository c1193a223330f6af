"""Error messages in the language of the window."""

import errno
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine import EngineError
from bpe_gui.engine.runtime import isolated
from bpe_gui.engine.runtime import translatable as _

from .joining import listed

_CONTEXT: Final = "SystemErrors"
_SYSTEM_ERRORS: Final[Mapping[int, str]] = MappingProxyType(
    {
        errno.EACCES: _("SystemErrors", "Permission denied"),
        errno.EPERM: _("SystemErrors", "Operation not permitted"),
        errno.ENOENT: _("SystemErrors", "No such file or directory"),
        errno.EISDIR: _("SystemErrors", "Is a directory"),
        errno.ENOTDIR: _("SystemErrors", "Not a directory"),
        errno.EEXIST: _("SystemErrors", "File exists"),
        errno.ENOSPC: _("SystemErrors", "No space left on device"),
        errno.EROFS: _("SystemErrors", "Read-only file system"),
        errno.ENAMETOOLONG: _("SystemErrors", "File name too long"),
        errno.EMFILE: _("SystemErrors", "Too many open files"),
        errno.EIO: _("SystemErrors", "Input/output error"),
    }
)
"""The system's error messages that have translations, by errno."""


def error_message(error: EngineError) -> str:
    """Return what was wrong, where, and what would be right; in English if there is no translation."""
    values = {name: _in_sentence(value) for name, value in error.values.items()}
    return QCoreApplication.translate(error.context, error.template).format(**values)


def _in_sentence(value: object) -> object:
    """Return a value so that it does not reorder the sentence: a token or a path may be right-to-left."""
    if isinstance(value, EngineError):
        return error_message(value)
    if isinstance(value, tuple):
        return listed(value)
    return isolated(_in_words(value)) if isinstance(value, str) else value


def _in_words(value: str) -> str:
    """Return a system error message in the language of the window; anything else unchanged."""
    reason = next((text for number, text in _SYSTEM_ERRORS.items() if value == os.strerror(number)), None)
    return value if reason is None else QCoreApplication.translate(_CONTEXT, reason)
