"""Reading tokenizer files that may be damaged or hostile: no more is taken into memory than such a file can need."""

from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import read_text

MOST_BYTES: Final = 1 << 23
MOST_LINES: Final = 500_000
"""The most that is read of a file; the largest published tokenizers have 200,000 merges, in 3 MB."""

_LONGEST_QUOTATION: Final = 60  # characters


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, with or without a byte-order mark, without empty ones at the end. Raises FormatError.

    What ends a line is what ends it for Python, and so for the tools that these files come from.
    """
    text = read_text(path, MOST_BYTES).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    if text.count("\n") >= MOST_LINES:
        raise FormatError(
            _("EngineError", "{path} has more than {most:,} lines; no tokenizer file of this kind is that long."),
            path=path,
            most=MOST_LINES,
        )
    return text.split("\n")


def beginning(line: str) -> str:
    """A line as an error quotes it.

    >>> beginning("x" * 70) == "x" * 60 + "…"
    True
    """
    return line if len(line) <= _LONGEST_QUOTATION else line[:_LONGEST_QUOTATION] + "…"
