"""The keys and values at the beginning of a GGUF file, read without what comes after: the weights.

The reader in the package `gguf` makes an array for each part of each value, which takes 25 seconds and 690 MB for a
vocabulary of 150,000 tokens; and it maps the file, which kills the process if the file becomes shorter. So this one is
our own. Source: ggml-org/ggml docs/gguf.md.
"""

from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import unreadable

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)

# The types of values
NUMBERS: Final = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "?",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
STRING: Final = 8
ARRAY: Final = 9

_MOST_VALUES: Final = 1 << 16
_MOST_ITEMS: Final = 1 << 21  # of an array
_LONGEST_KEY: Final = (1 << 16) - 1  # bytes, as the format says
_MOST_BYTES: Final = 1 << 26
"""Of all keys and values together; those of published models have up to 20 MB."""

Bytes = bytes | list[bytes]


class Values:
    """The values in a GGUF file whose keys begin with `prefix`. What is asked for and is something else, or not there,
    is a FormatError."""

    def __init__(self, path: Path, prefix: str) -> None:
        self._path = path
        self._prefix = prefix
        try:
            with path.open("rb") as file:
                self._values = _Reader(path, file).values(prefix.encode())
        except OSError as error:
            raise unreadable(path, error) from error

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def text(self, key: str) -> str:
        """A text."""
        value = self._values.get(key)
        if not isinstance(value, bytes):
            raise self.wrong(key, _("EngineError", "{path}: {key} must be a text."))
        return self._decoded(key, value)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, _("EngineError", "{path}: {key} must be true or false."))
        return value

    def whole(self, key: str, below: int) -> int:
        """A whole number from 0 on."""
        value = self._values.get(key)
        if type(value) is not int or not 0 <= value < below:
            raise self.wrong(key, _("EngineError", "{path}: {key} must be a whole number below {limit}."), limit=below)
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts."""
        values = self._values.get(key)
        if not isinstance(values, list):
            raise self.wrong(key, _("EngineError", "{path}: {key} must be a list of texts."))
        return [self._decoded(key, value) for value in values]

    def numbers(self, key: str, count: int) -> list[Any]:
        """A list of so many numbers."""
        values = self._values.get(key)
        if not isinstance(values, np.ndarray) or len(values) != count:
            raise self.wrong(key, _("EngineError", "{path}: {key} must be a list of {count:,} numbers."), count=count)
        found: list[Any] = values.tolist()
        return found

    def _decoded(self, key: str, value: bytes) -> str:
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise self.wrong(
                key, _("EngineError", "{path}: {key} holds {value!r}, which is not UTF-8."), value=value
            ) from error

    def wrong(self, key: str, template: str, **values: object) -> FormatError:
        """The error to raise about a value."""
        return FormatError(template, path=self._path, key=self._prefix + key, **values)


class _Reader:
    """Reads one thing after another, each only after a look at how large it is said to be."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._key = ""  # of the value that is read
        self._left = _MOST_BYTES

    def values(self, prefix: bytes) -> dict[str, Any]:
        """The values whose keys begin so, by the rest of the key: numbers, bytes, arrays, lists of bytes."""
        if self._file.read(len(MAGIC)) != MAGIC:
            raise FormatError(_("EngineError", "{path} is no GGUF file: it does not begin with GGUF."), path=self._path)
        version = self._whole(4)
        if version not in VERSIONS:
            raise FormatError(
                _(
                    "EngineError",
                    "{path} is GGUF of version {version}; 2 and 3 can be read, of little-endian machines.",
                ),
                path=self._path,
                version=version,
            )
        self._whole(8)  # how many tensors there are
        found: dict[bytes, Any] = {}
        for _number in range(self._size(8, _MOST_VALUES)):
            name = self._read(self._size(8, _LONGEST_KEY))
            self._key = name.decode("utf-8", "backslashreplace")
            value = self._value(self._whole(4))
            if name in found:
                raise self._wrong(_("EngineError", "{path}: the key {key!r} is there twice."))
            found[name] = value if name.startswith(prefix) else None
        return {
            name.removeprefix(prefix).decode("utf-8", "backslashreplace"): value
            for name, value in found.items()
            if value is not None
        }

    def _value(self, kind: int) -> Any:
        if kind == STRING:
            return self._text()
        if kind == ARRAY:
            return self._array(self._whole(4), self._size(8, _MOST_ITEMS))
        return self._numbers(kind, 1)[0].item()

    def _array(self, kind: int, count: int) -> Any:
        return [self._text() for _item in range(count)] if kind == STRING else self._numbers(kind, count)

    def _numbers(self, kind: int, count: int) -> "np.ndarray[Any, Any]":
        if kind not in NUMBERS:
            raise self._wrong(_("EngineError", "{path}: {key!r} is of the type {type}, which is not known."), type=kind)
        dtype = np.dtype(NUMBERS[kind])
        return np.frombuffer(self._read(count * dtype.itemsize), dtype)

    def _text(self) -> bytes:
        return self._read(self._whole(8))

    def _size(self, width: int, most: int) -> int:
        size = self._whole(width)
        if size > most:
            raise self._wrong(
                _("EngineError", "{path}: at {key!r}, {size:,} are said to follow; up to {most:,} can be read."),
                size=size,
                most=most,
            )
        return size

    def _whole(self, width: int) -> int:
        return int.from_bytes(self._read(width), "little")

    def _read(self, size: int) -> bytes:
        self._left -= size
        if self._left < 0:
            raise self._wrong(
                _("EngineError", "{path}: at {key!r}, the keys and values have more than {most:,} bytes."),
                most=_MOST_BYTES,
            )
        data = self._file.read(size)
        if len(data) < size:
            raise self._wrong(_("EngineError", "{path}: the file ends in the value of {key!r}."))
        return data

    def _wrong(self, template: str, **values: object) -> FormatError:
        return FormatError(template, path=self._path, key=self._key, **values)
