"""A text editor that keeps every character, where Qt's own editor would change some."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QResizeEvent, QTextOption
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from bpe_gui.gui.look.overlays import local_files
from bpe_gui.gui.look.qt_constants import ELIDE_RIGHT, FONT_CHANGE, STYLE_CHANGE

_PARAGRAPH_SEPARATOR: Final = "\u2029"
# The line breaks of Qt's editor.
_LINE_BREAK: Final = re.compile("\r\n|[\r\n\u2029\ufdd0\ufdd1]")
_FOREIGN_BREAK: Final = re.compile("\r\n?|[\u2029\ufdd0\ufdd1]")
_FOREIGN: Final = "\r\u2029\ufdd0\ufdd1"

MAX_LINE_LENGTH: Final = 100_000
"""Characters in the longest line that may be inserted: in a longer one, each key would take more than 25 ms."""

# Wrapping between words takes Qt time quadratic in the length of a word: minutes for a million letters.
_MAX_WORD_LENGTH: Final = 5_000
_BETWEEN_WORDS: Final = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
_ANYWHERE: Final = QTextOption.WrapMode.WrapAnywhere
_MAX_LINES: Final = 4  # shown without scrolling
_DOCUMENT_MARGIN: Final = 4


class PlainTextEdit(QPlainTextEdit):
    """Keeps every character; dropped or pasted files are offered by a signal, instead of inserting their names."""

    files_dropped = Signal(list)
    """Paths of local files."""

    menu_opened = Signal(QMenu)
    """A context menu that is about to be shown."""

    line_refused = Signal(int)
    """Text was not inserted, because it would have made a line of this many characters."""

    def __init__(self, parent: QWidget | None = None, *, object_name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        # Tab has to reach the next widget; a tab can be pasted.
        self.setTabChangesFocus(True)

    def text(self) -> str:
        """Return the text with `\\n` for line breaks; `toPlainText` would replace no-break spaces."""
        return self.document().toRawText().replace(_PARAGRAPH_SEPARATOR, "\n")

    def setPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Replace the text and forget the undo history."""
        self.setWordWrapMode(_ANYWHERE if _has_overlong_word(text) else _BETWEEN_WORDS)
        super().setPlainText(text)

    def selected_text(self) -> str:
        """Return the selected text with `\\n` for line breaks."""
        return self.textCursor().selectedText().replace(_PARAGRAPH_SEPARATOR, "\n")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll a read-only text, which has no caret to move, to its start or end."""
        bar = self.verticalScrollBar()
        if self.isReadOnly() and event.matches(QKeySequence.StandardKey.MoveToStartOfDocument):
            bar.setValue(bar.minimum())
        elif self.isReadOnly() and event.matches(QKeySequence.StandardKey.MoveToEndOfDocument):
            bar.setValue(bar.maximum())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_opened.emit(menu)
        menu.popup(event.globalPos())

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 (Qt's name)
        """Return the selected text for the clipboard, unchanged."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 (Qt's name)
        return bool(local_files(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 (Qt's name)
        if files := local_files(source):
            self.files_dropped.emit(files)
        elif (longest := self._longest_line_with(source.text())) > MAX_LINE_LENGTH:
            self.line_refused.emit(longest)
        else:
            if _has_overlong_word(source.text()):
                self.setWordWrapMode(_ANYWHERE)
            super().insertFromMimeData(source)

    def _longest_line_with(self, text: str) -> int:
        """Return roughly how long the longest line would be after inserting `text`, in characters."""
        first, *others = map(len, _LINE_BREAK.split(text))
        cursor = self.textCursor()
        line = cursor.block().length() - 1 if first and not cursor.hasSelection() else 0
        return max(first + line, *others, 0)


def is_editable(text: str) -> bool:
    """Return whether all lines are short enough to be edited."""
    return max(map(len, with_line_feeds(text).split("\n"))) <= MAX_LINE_LENGTH


def _has_overlong_word(text: str) -> bool:
    long_lines = (line for line in text.split("\n") if len(line) > _MAX_WORD_LENGTH)
    return any(len(word) > _MAX_WORD_LENGTH for line in long_lines for word in line.split())


def with_line_feeds(text: str) -> str:
    """Return the text as an editor returns it, with `\\n` for every line break."""
    return _FOREIGN_BREAK.sub("\n", text)


def with_line_breaks_of(original: str, edited: str) -> str:
    """Return the edited text with the original line breaks.

    Lines before and after the edit keep theirs; new lines get the most frequent kind.

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
    head = min(_common_prefix(old, new), len(old) - 1, len(new) - 1)
    tail = min(_common_prefix(old[::-1], new[::-1]), len(old) - 1 - head, len(new) - 1 - head)
    usual = max(kinds, key=breaks.count)
    between = [usual] * (len(new) - 1 - head - tail)
    # If the number of edited lines has not changed, they keep their breaks.
    if len(old) == len(new):
        between = breaks[head : len(breaks) - tail]
    ends = [*breaks[:head], *between, *breaks[len(breaks) - tail :], ""]
    joined = "".join(map(str.__add__, new, ends))
    # A lone \r before an empty line ending in \n would turn two breaks into one.
    return joined if with_line_feeds(joined) == edited else edited.replace("\n", usual)


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of equal lines at the start."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


class SpecialTokensEdit(PlainTextEdit):
    """An editor for special tokens, one per line, as tall as its contents."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, object_name="specialTokensEdit")
        self.document().setDocumentMargin(_DOCUMENT_MARGIN)
        self.setLineWrapMode(PlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would cover a line
        self._hint = ""
        self.blockCountChanged.connect(self._fit_height)
        self._fit_height()

    def set_hint(self, hint: str) -> None:
        """Show `hint` while there are no tokens, elided to one line."""
        self._hint = hint
        space = self.viewport().width() - 2 * self.document().documentMargin()
        self.setPlaceholderText(self.fontMetrics().elidedText(hint, ELIDE_RIGHT, int(space)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_hint(self._hint)

    def tokens(self) -> tuple[str, ...]:
        """Return the typed tokens, valid or not; a final line break does not add an empty one."""
        text = self.text().removesuffix("\n")
        return tuple(text.split("\n")) if text else ()

    def set_tokens(self, tokens: Iterable[str]) -> None:
        self.setPlainText("\n".join(tokens))
        self._fit_height()  # even while signals are blocked

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (FONT_CHANGE, STYLE_CHANGE):
            self._fit_height()

    def _fit_height(self) -> None:
        lines = min(max(1, self.blockCount()), _MAX_LINES)
        frame = 2 * (self.frameWidth() + int(self.document().documentMargin())) + 1
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + frame)
