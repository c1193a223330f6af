"""Error messages, and sentences with tokens and steps: painted as chips and links, read out as plain text."""

import errno
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from bpe_gui.engine import EngineError, Statement, isolated, token_in_sentence
from bpe_gui.engine import translatable as _
from bpe_gui.gui.wording.phrases import listed, number

_MAX_CHARACTERS: Final = 60  # of a token or a text in a sentence
_MAX_TOKENS: Final = 12  # in a row


@dataclass(frozen=True, slots=True)
class ShownToken:
    """A token; `has_marker`: a `</w>` is the end-of-word marker, not text."""

    token: bytes
    is_special: bool = False
    has_marker: bool = False


@dataclass(frozen=True, slots=True)
class ShownStep:
    """The number of a step, shown as a link to it."""

    step: int


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Quoted text, in the font of tokens."""

    text: str


Piece = str | ShownToken | ShownStep | Verbatim


@dataclass(frozen=True, slots=True)
class Sentence:
    """A translated sentence with names in braces, and a piece or a row of tokens for each name.

    >>> Sentence("Step {step} made {token}.", {"step": ShownStep(10), "token": ShownToken(b" a")}).plain
    'Step 10 made ·a.'
    """

    template: str
    values: Mapping[str, Piece | tuple[ShownToken, ...]] = field(default_factory=dict)

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces of the sentence from beginning to end."""
        for text, name, _spec, _conversion in Formatter().parse(self.template):
            yield text
            value = self.values[name] if name is not None else ""
            if isinstance(value, tuple):
                yield from value[:_MAX_TOKENS]
                yield " …" if len(value) > _MAX_TOKENS else ""
            else:
                yield value

    @property
    def plain(self) -> str:
        shown = {name: _plain_value(value) for name, value in self.values.items()}
        return self.template.format(**shown)


def plain_piece(piece: Piece) -> str:
    """Return a piece of a sentence as plain text."""
    match piece:
        case ShownToken(token):
            return token_in_sentence(token, _MAX_CHARACTERS)
        case ShownStep(step):
            return number(step)
        case Verbatim(text):
            return token_in_sentence(text.encode(), _MAX_CHARACTERS)
    return piece


def _plain_value(value: Piece | tuple[ShownToken, ...]) -> str:
    if isinstance(value, tuple):
        return " + ".join([*map(plain_piece, value[:_MAX_TOKENS]), *(["…"] if len(value) > _MAX_TOKENS else [])])
    return plain_piece(value)


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


def said(statement: Statement, most: int = 200) -> str:
    """Return what a value says about itself; a token has at most so many characters."""
    values = {name: _said_value(value, most) for name, value in statement.values.items()}
    return QCoreApplication.translate(statement.context, statement.template).format(**values)


def _said_value(value: object, most: int) -> str:
    match value:
        case Statement():
            return said(value, most)
        case bytes():
            return token_in_sentence(value, most)
        case int():
            return number(value)
        case float():
            return QLocale().toString(value, "g", 2)
        case EngineError():
            return error_message(value)
        case tuple():
            return " ".join(value)
    return isolated(str(value))


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
