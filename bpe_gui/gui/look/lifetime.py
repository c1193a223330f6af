"""References that keep nothing alive, so that widgets are freed when their last owner lets go of them.

PySide keeps a function connected to a signal as long as the sender exists; for a bound method, it does not keep the
object. So if a widget connects one of its own parts to a lambda that refers to the widget, it is never freed, not even
by the garbage collector. If one of its parts refers to it by an attribute, only the garbage collector frees it.
"""

from collections.abc import Callable
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Generic, ParamSpec, TypeVar
from weakref import WeakMethod, ref

from PySide6.QtCore import SignalInstance

P = ParamSpec("P")
T = TypeVar("T")


class WeakAttribute(Generic[T]):
    """An attribute that does not keep its value alive, such as the widget that owns a part.

    Declare it in a class, `_window = WeakAttribute[QWidget]()`, and use it like any other attribute. The value may be a
    bound method, whose object is not kept alive. Reading it raises ReferenceError once the object is gone.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._key = f"weak {name}"  # PySide prefers an attribute of the same name to a descriptor

    def __set__(self, instance: object, value: T) -> None:
        vars(instance)[self._key] = reference_to(value)

    def __get__(self, instance: object, owner: type) -> T:
        value: T | None = vars(instance)[self._key]()
        if value is None:
            raise ReferenceError(f"what was {self._key} is gone")
        return value


def weakly(function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> Callable[..., None]:
    """Return a function that calls a bound method without keeping its object alive, or the `emit` of a signal.

    It passes only these arguments, not the values of the signal it is connected to.
    """
    reference = reference_to(function)

    def call(*_values: object) -> None:
        if (present := reference()) is not None:
            present(*arguments, **named)

    return call


def reference_to(value: T) -> Callable[[], T | None]:
    """Return a function that returns the value as long as its object lives; a function without an object is kept."""
    if isinstance(value, MethodType):
        return WeakMethod(value)
    if isinstance(value, BuiltinMethodType) and not isinstance(value.__self__, SignalInstance):
        raise TypeError("a method of Qt keeps its object: call it in a method of Python")
    return (lambda: value) if isinstance(value, FunctionType | BuiltinMethodType) else ref(value)


class Updating:
    """A flag that is true inside its `with` blocks, which may be nested, and false outside.

    A widget sets it while filling itself, so that its slots do nothing:

        with self._updating:
            self._table.setCurrentIndex(index)
    """

    def __init__(self) -> None:
        self._depth = 0

    def __bool__(self) -> bool:
        return self._depth > 0

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_error: object) -> None:
        self._depth -= 1
