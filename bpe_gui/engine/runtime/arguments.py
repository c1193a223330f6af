"""Check the types of arguments where a wrong one would not be noticed, but give a wrong result.

Type checkers find the others, and so does Python where it cannot go on. What a user can cause is an `EngineError`.
"""

from collections.abc import Iterable
from numbers import Integral
from types import NoneType


def check_type(name: str, value: object, *types: type) -> None:
    """Raise TypeError for an argument that has none of these types; `NoneType` makes it optional.

    >>> check_type("path", 5, str, NoneType)
    Traceback (most recent call last):
    TypeError: path must be str or None, not int
    """
    if not isinstance(value, types):
        allowed = " or ".join({NoneType: "None", Integral: "int"}.get(each, each.__name__) for each in types)
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}")


def check_several(name: str, values: object) -> None:
    """Raise TypeError for an argument that is not several values: a list, an array, a generator.

    A string or bytes is not, although it is iterable: usually a list around it was forgotten.

    >>> check_several("special_tokens", "<e>")
    Traceback (most recent call last):
    TypeError: special_tokens must be a list or another iterable, not str
    """
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | bytearray | memoryview):
        raise TypeError(f"{name} must be a list or another iterable, not {type(values).__name__}")
