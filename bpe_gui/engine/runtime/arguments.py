"""Check the types of arguments of public functions, so that an error names the argument that is wrong.

Checks are called by name, or made from the annotations of a function or class.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import update_wrapper
from inspect import Parameter, Signature, isfunction, signature, unwrap
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from types import FunctionType, NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

import numpy as np

from .errors import EngineError
from .errors import translatable as _
from .types import AnyArray

_PLAIN_NAMES: Final[Mapping[type, str]] = {NoneType: "None", Integral: "int", Real: "float"}


def type_name(value: object) -> str:
    """Return the name of a value's type for a sentence.

    >>> type_name(None), type_name(b"low")
    ('None', 'bytes')
    """
    return plain_name(type(value))


def plain_name(kind: type) -> str:
    """Return the name of a type for a sentence.

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
        raise error(_("", "The text must be a string (str), not {given}."), given=type_name(text))


def check_text_or_utf8(text: object, error: type[EngineError]) -> None:
    """Raise `error` for a text that is neither a string nor bytes."""
    if not isinstance(text, str | bytes):
        raise error(_("", "The text must be a string (str), or UTF-8 in bytes, not {given}."), given=type_name(text))


def check_utf8(text: object, error: type[EngineError]) -> None:
    """Raise `error` for a text that is not bytes."""
    if not isinstance(text, bytes):
        raise error(
            _("", "The text must be UTF-8 in bytes, as text.encode() gives it, not {given}."), given=type_name(text)
        )


def check_type(name: str, value: object, types: tuple[type, ...], error: type[EngineError]) -> None:
    """Raise `error` for an argument that has none of these types; `NoneType` makes it optional.

    >>> check_type("path", 5, (str, NoneType), EngineError)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: path must be str or None, not int.
    """
    if not isinstance(value, types):
        raise error(
            _("", "{name} must be {types}, not {given}."),
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
            _("", "{name} must be a list or another iterable, not {given}."), name=name, given=type_name(values)
        )


def are_several(values: object) -> bool:
    """Return whether an argument is several values: a list, an array, a generator.

    A string or bytes is not, although it is iterable: usually a list around it was forgotten.
    """
    return isinstance(values, Iterable) and not isinstance(values, str | bytes | bytearray | memoryview)


Target = TypeVar("Target", bound=Callable[..., Any])

_STANDING_FOR: Final[Mapping[Any, tuple[type, ...]]] = {
    int: (Integral,),
    float: (Real,),
    bool: (bool, np.bool_),
    Path: (str, PathLike),
    None: (NoneType,),
}
"""The accepted types for annotations that accept more than their own type."""

_NAMES: Final[Mapping[Any, str]] = {
    bool: "bool",
    Iterable: "a list or another iterable",
    Collection: "a list or another collection",
    Sequence: "a list or another sequence",
    Callable: "a function",
}
"""The names of annotations in a sentence, where they are not the name of the type."""

_SEVERAL: Final = (Iterable, Collection, Sequence)
_SINGLE: Final = (str, bytes, bytearray, memoryview)
"""Iterable types that count as a single value: usually a list around them was forgotten."""

_CHECKS_OF_TEXT: Final[Mapping[tuple[type, ...], Callable[[object, type[EngineError]], None]]] = {
    (str,): check_text,
    (str, bytes): check_text_or_utf8,
    (bytes,): check_utf8,
}
"""The check that raises an error for other types, by the types that an argument called `text` may have."""

_LONGEST: Final = 100  # characters of a quoted word

_PATH: Final = type(Path())
"""The class of paths on this system."""

_UNCHANGED_TYPES: Final = frozenset((str, bytes, bool, NoneType))


def checks_arguments(error: type[EngineError]) -> Callable[[Target], Target]:
    """Make a function, or the public methods of a class, raise `error` for an argument of a type other than annotated.

    They get plain Python integers and text instead of subclasses and numpy's, and contiguous arrays. The items of
    containers are not checked, and neither is an argument whose annotation is a string.

    >>> @checks_arguments(EngineError)
    ... def double(number: int) -> int:
    ...     return 2 * number
    >>> double("5")
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: number must be int, not str.
    """

    def mark(target: Any) -> Any:
        if not isinstance(target, type):
            return _checking(target, error)
        for name, member in list(vars(target).items()):
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(member, classmethod | staticmethod):
                setattr(target, name, type(member)(_checking(member.__func__, error)))
            elif isfunction(member):
                setattr(target, name, _checking(member, error))
        return target

    return mark


def _checking(_function: Any, error: type[EngineError]) -> Any:
    """Return a function that checks its arguments and then calls this one.

    Its code is generated at the first call, as a person would write it for these parameters: a loop over arguments
    would take longer than many of the functions themselves, and most functions are never called.
    """
    if not _function.__annotations__.keys() - {"return"}:
        return _function
    _checks = _Checks(error)

    def checked(*arguments: Any, **named: Any) -> Any:
        _checks.give_code(_function)
        return _checks.function(*arguments, **named)

    # With the globals of the function, because tools that collect examples look at these.
    made = FunctionType(checked.__code__, unwrap(_function).__globals__, closure=checked.__closure__)
    _checks.function = made
    return update_wrapper(made, _function)


class _Checks:
    """The types and values that the arguments of one function may have."""

    function: Any
    """The function that checks."""
    expected: Sequence["_Expected | None"] = ()
    """The types that each parameter expects; None if anything is allowed."""

    def __init__(self, error: type[EngineError]) -> None:
        self._error: Final = error

    def give_code(self, function: Any) -> None:
        """Generate the code of the checking function for the parameters of `function`, which it then calls."""
        parameters = tuple(signature(function).parameters.values())
        self.expected = [_expected_of(each, self._error) for each in parameters]
        made: dict[str, Any] = {}
        exec(_source(parameters, self.expected), made)
        with_default = [each for each in parameters if each.default is not Parameter.empty]
        named = {each.name: each.default for each in with_default if each.kind is Parameter.KEYWORD_ONLY}
        self.function.__kwdefaults__ = named
        self.function.__defaults__ = tuple(each.default for each in with_default if each.name not in named)
        self.function.__code__ = made["make"](self, function).__code__  # last, because of calls in other threads


def _source(parameters: Sequence[Parameter], expected: Sequence["_Expected | None"]) -> str:
    """Return the source of a function that makes the checking function, which calls `_function`."""
    bare = [each.replace(annotation=Parameter.empty, default=Parameter.empty) for each in parameters]
    passed = ", ".join(f"{each.name}={each.name}" if each.kind is each.KEYWORD_ONLY else str(each) for each in bare)
    lines = ["def make(_checks, _function):", f"def checked{Signature(bare)}:", "  nonlocal _checks, _function"]
    for index, each in enumerate(expected):
        if each is not None:
            known = f"_checks.expected[{index}]"
            lines.append(f"  if not ({each.is_plain(known)}): {each.name} = {known}.converted({each.name})")
    return "\n ".join([*lines, f"  return _function({passed})", "return checked"])


def _expected_of(parameter: Parameter, error: type[EngineError]) -> "_Expected | None":
    """Return the types and values that a parameter's annotation allows, or None if these are any or unknown."""
    annotation = parameter.annotation
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    kinds = [get_origin(part) or part for part in parts]
    are_known = all(kind in (None, Literal) or isinstance(kind, type) for kind in kinds)
    are_open = any(kind in (object, Parameter.empty) or getattr(kind, "_is_protocol", False) for kind in kinds)
    is_single = parameter.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return _Expected(parameter, parts, error) if are_known and not are_open and is_single else None


class _Expected:
    """The types and values that an annotation allows; its parts are the members of a union."""

    def __init__(self, parameter: Parameter, parts: Sequence[Any], error: type[EngineError]) -> None:
        self.name: Final = parameter.name
        self.default: Final = parameter.default
        """The default, which is accepted whatever its type."""
        self._error: Final = error
        kinds = [get_origin(part) or part for part in parts]
        self._choices: Final = [choice for part in parts if get_origin(part) is Literal for choice in get_args(part)]
        self._item_types: Final = [get_args(get_args(part)[1])[0] for part in parts if get_origin(part) is np.ndarray]
        plain = [kind for kind in kinds if kind not in (Literal, np.ndarray)]
        self._is_path: Final = Path in kinds and str not in kinds
        self._several: Final = tuple(kind for kind in plain if kind in _SEVERAL)
        self._others: Final = tuple(
            each for kind in plain if kind not in _SEVERAL for each in _STANDING_FOR.get(kind, (kind,))
        )
        names = [name for kind in plain for name in _names_of(kind)] + list(map(repr, self._choices))
        names += [f"a one-dimensional array of {each.__name__}" for each in self._item_types]
        self._names: Final = " or ".join(sorted(dict.fromkeys(names), key="None".__eq__))
        exact: frozenset[Any] = frozenset() if self._is_path else _UNCHANGED_TYPES.intersection(self._others)
        exact |= {int} if Integral in self._others else set()
        self.exact_types: Final[frozenset[type]] = exact | ({list, tuple} if self._several else set())
        """Types whose values are all accepted unchanged."""

    def is_plain(self, name: str) -> str:
        """Return the source of a check of whether an argument is accepted unchanged; it calls this object `name`."""
        by_type = [f"type({self.name}) is {each.__name__}" for each in self.exact_types if each is not NoneType]
        is_other = self.default is not Parameter.empty and type(self.default) not in self.exact_types
        return " or ".join(
            [f"{self.name} is {name}.default"] * is_other
            + [f"{self.name} is None"] * (NoneType in self.exact_types)
            + sorted(by_type, reverse=True)
            or ["False"]
        )

    def converted(self, value: Any) -> Any:
        """Return an argument in the form that the function gets. Raise the error if it is not allowed."""
        if isinstance(value, np.ndarray) and self._item_types:
            if self._fits(value):
                return np.ascontiguousarray(value)
        elif isinstance(value, self._others):
            if not self._is_path or value is None:
                return _as_builtin(value, may_be_bool=bool in self._others)
            if isinstance(fspath(value), str):
                return value if type(value) is _PATH else Path(value)
        elif (isinstance(value, self._several) and not isinstance(value, _SINGLE)) or (
            type(value) is str and value in self._choices
        ):
            return value
        if self.name == "text" and self._others in _CHECKS_OF_TEXT:
            _CHECKS_OF_TEXT[self._others](value, self._error)
        raise self._error(
            _("", "{name} must be {types}, not {given}."),
            name=self.name,
            types=self._names,
            given=self._described(value),
        )

    def _fits(self, array: AnyArray) -> bool:
        return array.ndim == 1 and array.dtype.isnative and np.issubdtype(array.dtype, self._item_types[0])

    def _described(self, value: Any) -> str:
        """Return how a sentence names an argument that was refused."""
        if isinstance(value, np.ndarray) and self._item_types:
            return f"one of {value.dtype} in {value.ndim} dimensions"
        return repr(value)[:_LONGEST] if type(value) is str and self._choices else type_name(value)


def _names_of(kind: Any) -> Iterable[str]:
    return (_NAMES[kind],) if kind in _NAMES else map(plain_name, _STANDING_FOR.get(kind, (kind,)))


def _as_builtin(value: Any, *, may_be_bool: bool) -> Any:
    """Return an integer or text as Python's own type, without the behaviour of a subclass."""
    if may_be_bool and isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, str):
        return "".join((value,))
    return b"".join((value,)) if isinstance(value, bytes) else value
