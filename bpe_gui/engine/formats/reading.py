"""Reading tokenizer files that may be damaged or hostile: no more is taken into memory than such a file can need."""

from pathlib import Path
from typing import Final

from ..errors import FormatError
from ..errors import translatable as _
from ..files import unreadable

MOST_BYTES: Final = 1 << 23
MOST_LINES: Final = 500_000
"""The most that is read of a file; the largest published tokenizers have 200,000 merges, in 3 MB."""

_LONGEST_QUOTATION: Final = 60  # characters


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, with or without a byte-order mark, without empty ones at the end. Raises FormatError.

    What ends a line is what ends it for Python, and so for the tools that these files come from.
    """
    text = _read_text(path).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if text.count("\n") >= MOST_LINES:
        raise FormatError(
            _("EngineError", "{path} has more than {most:,} lines; no tokenizer file of this kind is that long."),
            path=path,
            most=MOST_LINES,
        )
    return text.split("\n")


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:  # a path with a zero character
        raise FormatError(_("EngineError", "{path} cannot be read: {reason}."), path=path, reason=error) from error
    if len(data) > MOST_BYTES:
        raise FormatError(
            _("EngineError", "{path} is larger than {most:,} bytes; no tokenizer file of this kind is that large."),
            path=path,
            most=MOST_BYTES,
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            _("EngineError", "{path}, line {line} is not UTF-8 text: the byte at offset {offset} cannot be read."),
            path=path,
            line=error.object.count(b"\n", 0, error.start) + 1,
            # The codec does not count the byte-order mark.
            offset=len(data) - len(error.object) + error.start,
        ) from error


def beginning(line: str) -> str:
    """A line as an error quotes it.

    >>> beginning("x" * 70) == "x" * 60 + "…"
    True
    """
    return line if len(line) <= _LONGEST_QUOTATION else line[:_LONGEST_QUOTATION] + "…"
