"""Check the types of what programs pass to the public functions, so that a mistake is named where it was made."""

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from types import NoneType
from typing import Final

from .errors import EngineError
from .errors import translatable as _

_PLAIN_NAMES: Final[Mapping[type, str]] = {NoneType: "None", Integral: "int", Real: "float"}


def type_name(value: object) -> str:
    """Return the type of a value as a sentence names it.

    >>> type_name(None), type_name(b"low")
    ('None', 'bytes')
    """
    return plain_name(type(value))


def plain_name(kind: type) -> str:
    """Return what a sentence calls a type.

    >>> plain_name(Integral)
    'int'
    """
    return _PLAIN_NAMES.get(kind, kind.__name__)


def check_text(text: object, error: type[EngineError]) -> None:
    """Raise `error` for a text that is not a string.

    >>> check_text(None, EngineError)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: The text must be a string (str), not None.
    """
    if not isinstance(text, str):
        raise error(_("EngineError", "The text must be a string (str), not {given}."), given=type_name(text))


def check_text_or_utf8(text: object, error: type[EngineError]) -> None:
    """Raise `error` for a text that is neither a string nor bytes."""
    if not isinstance(text, str | bytes):
        raise error(
            _("EngineError", "The text must be a string (str), or UTF-8 in bytes, not {given}."), given=type_name(text)
        )


def check_utf8(text: object, error: type[EngineError]) -> None:
    """Raise `error` for a text that is not bytes."""
    if not isinstance(text, bytes):
        raise error(
            _("EngineError", "The text must be UTF-8 in bytes, as text.encode() gives it, not {given}."),
            given=type_name(text),
        )


def check_type(name: str, value: object, types: tuple[type, ...], error: type[EngineError]) -> None:
    """Raise `error` for an argument that has none of these types; `NoneType` makes it optional.

    >>> check_type("path", 5, (str, NoneType), EngineError)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: path must be str or None, not int.
    """
    if not isinstance(value, types):
        raise error(
            _("EngineError", "{name} must be {types}, not {given}."),
            name=name,
            types=" or ".join(map(plain_name, types)),
            given=type_name(value),
        )


def check_several(name: str, values: object, error: type[EngineError]) -> None:
    """Raise `error` for an argument that is not several values.

    >>> check_several("special_tokens", "<e>", EngineError)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: special_tokens must be a list or another iterable, not str.
    """
    if not are_several(values):
        raise error(
            _("EngineError", "{name} must be a list or another iterable, not {given}."),
            name=name,
            given=type_name(values),
        )


def are_several(values: object) -> bool:
    """Return whether an argument is several values: a list, an array, a generator.

    A string or bytes is not, although it is several characters or numbers: a list around it was forgotten.
    """
    return isinstance(values, Iterable) and not isinstance(values, str | bytes | bytearray | memoryview)
