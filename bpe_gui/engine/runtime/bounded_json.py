"""Parse JSON from files that may be damaged or hostile.

The number of values is limited before anything is parsed, and every access checks the type of what it returns.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from .errors import EngineError, FormatError
from .files import parse_json
from .lazy import expression

_T = TypeVar("_T")

MAX_VALUES: Final = 1 << 25
"""The most values that are parsed: lists and numbers take many times as much memory in Python as in a file."""

# An unterminated string extends to the end of the text, so no character is scanned twice. Not for `re`, which has a bug
# with possessive repetitions of groups in Python 3.11.2.
_STRING: Final = r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'


def parse_bounded(path: Path, text: str) -> "JsonValue":
    """Return the JSON value in `text`, the content of the file at `path`.

    Raise FormatError if it is not JSON or has too many values.
    """
    if has_too_many_values(text):
        raise FormatError(
            "{path} contains more than {most:,} values, which is too many for this kind of file.",
            path=path,
            most=MAX_VALUES,
        )
    return JsonValue(path, "", parse_json(path, text))


def has_too_many_values(text: str) -> bool:
    """Return whether JSON has more values than `parse_bounded` accepts, roughly counted."""
    # Removing strings is slow, so it is done only if there are too many separators including those in strings.
    return (
        len(text) > MAX_VALUES
        and _count_separators(text) > MAX_VALUES
        and _count_separators(expression(_STRING).sub('""', text)) > MAX_VALUES
    )


def _count_separators(text: str) -> int:
    """Return an upper bound of the number of values after the first, each of which follows a separator."""
    return sum(map(text.count, ",:[{"))


class JsonValue:
    """A value in a JSON file together with its location, for error messages.

    Every accessor raises FormatError if the value does not have the requested type, range or length.

    >>> value = JsonValue(Path("a.json"), "", {"sizes": [1, "x"]})
    >>> [size.value for size in value.member("sizes").items()]
    [1, 'x']
    >>> value.member("sizes").items()[1].integer(0, 9)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.FormatError: a.json: sizes[1] must be an integer from 0 to 9, not 'x'.
    """

    __slots__ = ("location", "path", "value")

    def __init__(self, path: Path, location: str, value: Any) -> None:
        self.path = path
        self.location = location
        self.value = value

    @property
    def is_null(self) -> bool:
        """Whether the value is null or missing."""
        return self.value is None

    def optional(self, read: Callable[["JsonValue"], _T]) -> _T | None:
        """Return what `read` reads of the value, or None if it is null or missing."""
        return None if self.is_null else read(self)

    def converted(self, make: Callable[[Any], _T]) -> _T:
        """Return what `make` makes of the plain value. What it raises gets the location of the value."""
        try:
            return make(self.value)
        except EngineError as error:
            raise self.error_from(error) from error

    def member(self, name: str) -> "JsonValue":
        """Return the member `name` of an object; a null value if the object has no such member."""
        value = self.plain_dict().get(name)
        location = f"{self.location}.{name}" if self.location else name
        return JsonValue(self.path, location, value)

    def members(self) -> "dict[str, JsonValue]":
        """Return all members of an object by name."""
        return {name: self.member(name) for name in self.plain_dict()}

    def plain_dict(self) -> dict[str, Any]:
        """Return an object as a plain dict, without locations."""
        if not isinstance(self.value, dict):
            raise FormatError("{path}: {place} must be a JSON object, not {value!r}.", **self.where)
        return self.value

    def items(self, max_items: int | None = None) -> "list[JsonValue]":
        """Return the items of a list of at most `max_items`."""
        values = self.plain_list(max_items)
        return [JsonValue(self.path, f"{self.location}[{index}]", value) for index, value in enumerate(values)]

    def item(self, index: int) -> "JsonValue":
        """Return the item at `index` of a list. Raise IndexError if it does not exist."""
        return JsonValue(self.path, f"{self.location}[{index}]", self.plain_list()[index])

    def plain_list(self, max_items: int | None = None) -> list[Any]:
        """Return a list of at most `max_items` as a plain list, without locations."""
        if not isinstance(self.value, list):
            raise FormatError("{path}: {place} must be a list, not {value!r}.", **self.where)
        if max_items is not None and len(self.value) > max_items:
            raise FormatError(
                "{path}: {place} must have at most {most:,} values, not {length:,}.",
                **self.where,
                length=len(self.value),
                most=max_items,
            )
        return self.value

    def string(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            raise FormatError("{path}: {place} must be a string, not {value!r}.", **self.where)
        return self.value

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise FormatError("{path}: {place} must be true or false, not {value!r}.", **self.where)
        return self.value

    def integer(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, inclusive."""
        if type(self.value) is not int or not low <= self.value <= high:
            raise FormatError(
                "{path}: {place} must be an integer from {low} to {high}, not {value!r}.",
                **self.where,
                low=low,
                high=high,
            )
        return self.value

    @property
    def where(self) -> dict[str, object]:
        """The `path`, the `place` and the `value` itself, for the sentence of an error."""
        shown = self.value if isinstance(self.value, str | int | float | None) else _Abbreviation(self.value)
        return {"path": self.path, "place": self.location or "…", "value": shown}

    def error_from(self, reason: EngineError) -> FormatError:
        """Return an error that adds the path and location of this value to `reason`."""
        if not self.location:
            return FormatError("{path}: {reason}", path=self.path, reason=reason)
        return FormatError("{path}: {place}: {reason}", path=self.path, place=self.location, reason=reason)


class _Abbreviation:
    """Replaces a list or an object in a message, because it could be a gigabyte long."""

    def __init__(self, value: object) -> None:
        self._text = "[…]" if isinstance(value, list) else "{…}"

    def __repr__(self) -> str:
        return self._text

    __str__ = __repr__
