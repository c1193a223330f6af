"""JSON from files that may be damaged or hostile: bounded before it is taken apart, and checked value by value."""

import re
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import parse_json

_MOST_VALUES: Final = 1 << 22
"""Values in a file: lists and numbers take many times the memory in Python that they take in a file."""

# A string that is not closed ends with the text: so no place is looked at twice.
_STRING: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


def parse_bounded(path: Path, text: str) -> "Part":
    """The JSON in `text`, which was read from `path`. Raises FormatError, also for more values than a person has."""
    if _separators(text) > _MOST_VALUES and _separators(_STRING.sub('""', text)) > _MOST_VALUES:
        raise FormatError(
            _("EngineError", "{path} holds more than {most:,} values; no file of this kind does."),
            path=path,
            most=_MOST_VALUES,
        )
    return Part(path, "", parse_json(path, text))


def _separators(text: str) -> int:
    return sum(map(text.count, ",:[{"))


class Part:
    """A value in a JSON file, which knows where it stands. What is asked for and not there is a FormatError.

    >>> part = Part(Path("a.json"), "", {"sizes": [1, "x"]})
    >>> [size.value for size in part.member("sizes").items()]
    [1, 'x']
    >>> part.member("sizes").items()[1].whole(0, 9)
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.FormatError: a.json: sizes[1] must be a whole number from 0 to 9, not 'x'.
    """

    __slots__ = ("path", "place", "value")

    def __init__(self, path: Path, place: str, value: Any) -> None:
        self.path = path
        self.place = place
        self.value = value

    @property
    def is_null(self) -> bool:
        """Whether it is null, or not there."""
        return self.value is None

    def member(self, name: str) -> "Part":
        """What an object has under that name; null where it has nothing."""
        if not isinstance(self.value, dict):
            raise self.wrong(_("EngineError", "{path}: {place} must be a JSON object, not {value!r}."))
        return Part(self.path, f"{self.place}.{name}" if self.place else name, self.value.get(name))

    def members(self) -> "dict[str, Part]":
        """What an object has, by name."""
        self.member("")  # raises for what is none
        return {name: self.member(name) for name in self.value}

    def items(self, most: int | None = None) -> "list[Part]":
        """The values of a list, of which there may be so many."""
        values = self.list(most)
        return [Part(self.path, f"{self.place}[{index}]", value) for index, value in enumerate(values)]

    def list(self, most: int | None = None) -> list[Any]:
        """The same as they are."""
        if not isinstance(self.value, list):
            raise self.wrong(_("EngineError", "{path}: {place} must be a list, not {value!r}."))
        if most is not None and len(self.value) > most:
            raise self.wrong(
                _("EngineError", "{path}: {place} has {length:,} values; there may be up to {most:,}."),
                length=len(self.value),
                most=most,
            )
        return self.value

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.wrong(_("EngineError", "{path}: {place} must be a text, not {value!r}."))
        return self.value

    def truth(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong(_("EngineError", "{path}: {place} must be true or false, not {value!r}."))
        return self.value

    def whole(self, low: int, high: int) -> int:
        """A whole number within limits."""
        if type(self.value) is not int or not low <= self.value <= high:
            raise self.wrong(
                _("EngineError", "{path}: {place} must be a whole number from {low} to {high}, not {value!r}."),
                low=low,
                high=high,
            )
        return self.value

    def wrong(self, template: str, **values: object) -> FormatError:
        """The error to raise: `template` may name the path, the place and the value."""
        shown = self.value if isinstance(self.value, str | int | float | None) else _Kind(self.value)
        return FormatError(template, path=self.path, place=self.place or "…", value=shown, **values)

    def because(self, error: EngineError) -> FormatError:
        """The error to raise for what made another one."""
        return FormatError(
            _("EngineError", "{path}: {place}: {reason}"), path=self.path, place=self.place or "…", reason=error
        )


class _Kind:
    """Stands for a list or an object in a sentence: written out, it could take a gigabyte."""

    def __init__(self, value: object) -> None:
        self._shown = "[…]" if isinstance(value, list) else "{…}"

    def __repr__(self) -> str:
        return self._shown

    __str__ = __repr__
