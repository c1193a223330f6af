"""An editor for text that must stay as it is: what Qt's own would change on the way in or out is kept."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

_PARAGRAPH_SEPARATOR: Final = "\u2029"
# What Qt's editor takes for the end of a line.
_LINE_BREAK: Final = re.compile("\r\n|[\r\n\u2029\ufdd0\ufdd1]")
_FOREIGN_BREAK: Final = re.compile("\r\n?|[\u2029\ufdd0\ufdd1]")
_FOREIGN: Final = "\r\u2029\ufdd0\ufdd1"

LONGEST_LINE: Final = 100_000
"""Characters of a line from which on an editor would take too long for a key stroke (measured: 25 ms)."""

# Breaking lines between words takes Qt quadratic time in the length of a word: minutes for a million letters.
_LONGEST_WORD: Final = 5_000
_BETWEEN_WORDS: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_ANYWHERE: Final = QTextOption.WrapMode.WrapAnywhere


class PlainTextEdit(QPlainTextEdit):
    """Plain text, exactly; files that are dropped or pasted are offered instead of having their names inserted."""

    files_dropped = Signal(list)
    """Paths of local files."""

    line_refused = Signal(int)
    """What was to be inserted would have made a line of so many characters, and was not."""

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        # Who works with the keyboard must get out again; a tab can be pasted.
        self.setTabChangesFocus(True)

    def text(self) -> str:
        """The text with `\\n` at the end of lines. (`toPlainText` would turn no-break spaces into spaces.)"""
        return self.document().toRawText().replace(_PARAGRAPH_SEPARATOR, "\n")

    def setPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Replaces the text, and with it the undo history."""
        self.setWordWrapMode(_ANYWHERE if _has_endless_word(text) else _BETWEEN_WORDS)
        super().setPlainText(text)

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 (Qt's name)
        """What is copied is the text as it is."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace(_PARAGRAPH_SEPARATOR, "\n"))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 (Qt's name)
        """Text, and files."""
        return bool(local_files(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 (Qt's name)
        """Inserts text; offers files."""
        if files := local_files(source):
            self.files_dropped.emit(files)
        elif (longest := self._longest_line_with(source.text())) > LONGEST_LINE:
            self.line_refused.emit(longest)
        else:
            if _has_endless_word(source.text()):
                self.setWordWrapMode(_ANYWHERE)
            super().insertFromMimeData(source)

    def _longest_line_with(self, text: str) -> int:
        """Characters of the longest line that inserting this text would make, about."""
        first, *others = map(len, _LINE_BREAK.split(text))
        cursor = self.textCursor()
        here = cursor.block().length() - 1 if first and not cursor.hasSelection() else 0
        return max(first + here, *others, 0)


def _has_endless_word(text: str) -> bool:
    long_lines = (line for line in text.split("\n") if len(line) > _LONGEST_WORD)
    return any(len(word) > _LONGEST_WORD for line in long_lines for word in line.split())


def local_files(data: QMimeData) -> list[Path]:
    """The files on this machine that are dragged or copied."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def editor_spelling(text: str) -> str:
    """The text as an editor gives it back: every line ends in `\\n`."""
    return _FOREIGN_BREAK.sub("\n", text)


def with_line_breaks_of(original: str, edited: str) -> str:
    """The edited text with the line breaks that the original had: around what was edited each its own, and new ones
    of the kind that is most frequent.

    >>> with_line_breaks_of("one\\r\\ntwo\\nthree\\r\\n", "one\\n2\\nthree\\n")
    'one\\r\\n2\\nthree\\r\\n'
    """
    if not any(mark in original for mark in _FOREIGN):
        return edited
    breaks = _LINE_BREAK.findall(original)
    kinds = set(breaks)
    if len(kinds) == 1:
        return edited.replace("\n", kinds.pop())
    old, new = _LINE_BREAK.split(original), edited.split("\n")
    head = min(_agreeing(old, new), len(old) - 1, len(new) - 1)
    tail = min(_agreeing(old[::-1], new[::-1]), len(old) - 1 - head, len(new) - 1 - head)
    usual = max(kinds, key=breaks.count)
    between = [usual] * (len(new) - 1 - head - tail)
    # The lines that changed keep their breaks where there are as many of them as before.
    if len(old) == len(new):
        between = breaks[head : len(breaks) - tail]
    ends = [*breaks[:head], *between, *breaks[len(breaks) - tail :], ""]
    joined = "".join(map(str.__add__, new, ends))
    # A lone \r before a line that is empty and ends in \n would make one break of two.
    return joined if editor_spelling(joined) == edited else edited.replace("\n", usual)


def _agreeing(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the start on."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
