"""The metadata of a GGUF file: keys and values, with which it begins. They are read and written here.

We do not read them with the package `gguf`: it creates an array for each part of each value, which takes 25 seconds and
690 MB for a vocabulary of 150,000 tokens, and it maps the file into memory, which kills the process if the file gets
shorter. Source: ggml-org/ggml docs/gguf.md.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import open_file
from bpe_gui.engine.runtime.types import AnyArray

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

_MAX_VALUES: Final = 1 << 16
MAX_ITEMS: Final = 1 << 21
"""The most items of an array."""
_MAX_KEY_BYTES: Final = (1 << 16) - 1  # the limit of the format
_MAX_TOTAL_BYTES: Final = 1 << 26
"""The most bytes of all keys and values together; those of published models are up to 20 MB."""

_BOOLEAN: Final = 7
_UNSIGNED: Final = 4
_SIGNED: Final = 5
"""The types of the numbers that we write."""

_ALIGNMENT: Final = 32
"""A multiple of so many bytes precedes the weights, even if there are none."""
Value = bool | int | str | list[int] | list[str]
"""A value that can be written."""

_LENGTH_WIDTH: Final = 8  # bytes of the length of a string
_BLOCK: Final = 1 << 20  # bytes


class Metadata:
    """The values in a GGUF file. Accessors take keys without `prefix`, except for `text` and `keys`.

    The constructor and all accessors raise FormatError; accessors do so for a missing value, or one of a wrong type.
    """

    def __init__(self, path: Path, prefix: str) -> None:
        self._path = path
        self._prefix = prefix
        with open_file(path) as file:
            self._values = _MetadataReader(path, file).read()

    def __contains__(self, key: str) -> bool:
        return self._prefix + key in self._values

    def keys(self, start: str) -> list[str]:
        """Return the whole keys that begin with `start`, in order."""
        return [key for key in self._values if key.startswith(start)]

    def text(self, key: str) -> str:
        """Return the string at a whole key, or an empty one if there is none."""
        value = self._values.get(key)
        return self._decode(key, value) if isinstance(value, bytes) else ""

    def number(self, key: str) -> int | None:
        """Return the integer at a whole key, or None if there is none."""
        value = self._values.get(key)
        return value if type(value) is int else None

    def string(self, key: str) -> str:
        """Return a string."""
        value = self._values.get(self._prefix + key)
        if not isinstance(value, bytes):
            raise FormatError("{path}: {key} must be a string.", **self.where(key))
        return self._decode(self._prefix + key, value)

    def boolean(self, key: str, default: bool) -> bool:
        """Return true or false, or `default` if the key is missing."""
        value = self._values.get(self._prefix + key, default)
        if not isinstance(value, bool):
            raise FormatError("{path}: {key} must be true or false.", **self.where(key))
        return value

    def index(self, key: str, length: int) -> int:
        """Return a whole number from 0 to `length` - 1."""
        value = self._values.get(self._prefix + key)
        if type(value) is not int or not 0 <= value < length:
            raise FormatError(
                "{path}: {key} must be a non-negative integer less than {limit}.", **self.where(key), limit=length
            )
        return value

    def strings(self, key: str) -> list[str]:
        """Return a list of strings."""
        values = self._values.get(self._prefix + key)
        if not isinstance(values, list):
            raise FormatError("{path}: {key} must be a list of strings.", **self.where(key))
        try:
            return list(map(bytes.decode, values))
        except UnicodeDecodeError:
            return [self._decode(self._prefix + key, value) for value in values]  # raises

    def numbers(self, key: str, count: int) -> list[Any]:
        """Return a list of exactly `count` numbers."""
        values = self._values.get(self._prefix + key)
        if not isinstance(values, np.ndarray) or len(values) != count:
            raise FormatError("{path}: {key} must be a list of {count:,} numbers.", **self.where(key), count=count)
        numbers: list[Any] = values.tolist()
        return numbers

    def _decode(self, key: str, value: bytes) -> str:
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise FormatError(
                "{path}: {key} contains {value!r}, which is not valid UTF-8.", path=self._path, key=key, value=value
            ) from error

    def where(self, key: str) -> dict[str, object]:
        """Return the `path` and the whole `key`, for the sentence of an error about its value."""
        return {"path": self._path, "key": self._prefix + key}


class _MetadataReader:
    """A reader of keys and values in order that checks every stated size before reading that much."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._key = ""  # of the current value, for errors
        self._remaining_bytes = _MAX_TOTAL_BYTES

    def read(self) -> dict[str, Any]:
        """Return all values by their keys.

        A number or boolean is a Python value, a string is bytes; an array is a NumPy array or a list of bytes.
        """
        if self._file.read(len(MAGIC)) != MAGIC:
            raise FormatError("{path} is not a GGUF file: it does not start with GGUF.", path=self._path)
        version = self._read_integer(4)
        if version not in VERSIONS:
            raise FormatError(
                "{path} uses GGUF version {version}. Only versions 2 and 3 in little-endian byte order are supported.",
                path=self._path,
                version=version,
            )
        self._read_integer(8)  # the number of tensors
        values: dict[bytes, Any] = {}
        for _number in range(self._read_size(8, _MAX_VALUES)):
            key = self._read_bytes(self._read_size(8, _MAX_KEY_BYTES))
            self._key = _decode_key(key)
            value = self._read_value(self._read_integer(4))
            if key in values:
                raise FormatError("{path}: the key {key!r} occurs twice.", **self._where)
            values[key] = value
        return {_decode_key(key): value for key, value in values.items()}

    def _read_value(self, kind: int) -> Any:
        if kind == STRING:
            return self._read_string()
        if kind == ARRAY:
            kind, count = self._read_integer(4), self._read_size(8, MAX_ITEMS)
            return self._read_strings(count) if kind == STRING else self._read_numbers(kind, count)
        return self._read_numbers(kind, 1)[0].item()

    def _read_strings(self, count: int) -> list[bytes]:
        """Read strings a block at a time; those that do not end in their block are read one by one."""
        strings: list[bytes] = []
        while len(strings) < count:
            start = self._file.tell()
            block = self._file.read(min(_BLOCK, self._remaining_bytes))
            found, used = _strings_in(block, count - len(strings))
            self._file.seek(start + used)
            self._remaining_bytes -= used
            strings += found or [self._read_string()]
        return strings

    def _read_numbers(self, kind: int, count: int) -> AnyArray:
        if kind not in NUMBERS:
            raise FormatError("{path}: {key!r} has the unknown type {type}.", **self._where, type=kind)
        dtype = np.dtype(NUMBERS[kind])
        return np.frombuffer(self._read_bytes(count * dtype.itemsize), dtype)

    def _read_string(self) -> bytes:
        return self._read_bytes(self._read_integer(_LENGTH_WIDTH))

    def _read_size(self, width: int, limit: int) -> int:
        size = self._read_integer(width)
        if size > limit:
            raise FormatError(
                "{path}: the size {size:,} at {key!r} is over the limit of {most:,}.",
                **self._where,
                size=size,
                most=limit,
            )
        return size

    def _read_integer(self, width: int) -> int:
        """Read an unsigned little-endian number of `width` bytes."""
        return int.from_bytes(self._read_bytes(width), "little")

    def _read_bytes(self, size: int) -> bytes:
        self._remaining_bytes -= size
        if self._remaining_bytes < 0:
            raise FormatError(
                "{path}: at {key!r}, the keys and values exceed {most:,} bytes in total.",
                **self._where,
                most=_MAX_TOTAL_BYTES,
            )
        data = self._file.read(size)
        if len(data) < size:
            raise FormatError("{path} is truncated: it ends inside the value of {key!r}.", **self._where)
        return data

    @property
    def _where(self) -> dict[str, object]:
        return {"path": self._path, "key": self._key}


def _strings_in(block: bytes, most: int) -> tuple[list[bytes], int]:
    """Return up to `most` strings that are complete in a block of the file, and their size in bytes."""
    strings: list[bytes] = []
    at, size = 0, len(block)
    while len(strings) < most and at + _LENGTH_WIDTH <= size:
        start = at + _LENGTH_WIDTH
        end = start + int.from_bytes(block[at:start], "little")
        if end > size:
            break
        strings.append(block[start:end])
        at = end
    return strings, at


def _decode_key(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")


# -- writing ------------------------------------------------------------------------------------------------------


def file_without_weights(values: Mapping[str, Value]) -> bytes:
    """Return a file with these keys and values, and without weights."""
    parts = [MAGIC, _number(VERSIONS[-1], _UNSIGNED), _size(0), _size(len(values))]
    for key, value in values.items():
        parts += _string(key), *_typed(value)
    content = b"".join(parts)
    return content + bytes(-len(content) % _ALIGNMENT)


def _typed(value: Value) -> Iterator[bytes]:
    """Yield the type of a value, and the value."""
    match value:
        case bool():
            yield from (_number(_BOOLEAN, _UNSIGNED), _number(value, _BOOLEAN))
        case int():
            yield from (_number(_UNSIGNED, _UNSIGNED), _number(value, _UNSIGNED))
        case str():
            yield from (_number(STRING, _UNSIGNED), _string(value))
        case list():
            texts = [_string(each) for each in value if isinstance(each, str)]
            kind = STRING if len(texts) == len(value) else _SIGNED
            yield _number(ARRAY, _UNSIGNED) + _number(kind, _UNSIGNED) + _size(len(value))
            yield from texts if kind == STRING else [np.array(value, NUMBERS[kind]).tobytes()]


def _number(value: int, kind: int) -> bytes:
    return np.array(value, NUMBERS[kind]).tobytes()


def _size(value: int) -> bytes:
    return value.to_bytes(_LENGTH_WIDTH, "little")


def _string(text: str) -> bytes:
    data = text.encode()
    return _size(len(data)) + data
