"""The vocabulary as a table that sorts and filters itself, and formats tokens only when they are shown."""

from collections.abc import Callable
from enum import IntEnum
from typing import Final

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QFont

from bpe_gui.engine import Tokenizer
from bpe_gui.engine.runtime import BoolArray, Float64Array, Int64Array, token_in_sentence
from bpe_gui.engine.tokenization import Entries
from bpe_gui.gui.look.qt_constants import (
    ALIGN_LEFT,
    ALIGN_RIGHT,
    ASCENDING,
    DISPLAY_ROLE,
    FONT_ROLE,
    HORIZONTAL,
    TEXT_ALIGNMENT_ROLE,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.search.token_filter import TokenFilter, never_made
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import number

from .roles import CHIPS_ROLE, TOKEN_ROLE, Answers, Chips
from .table_model import ROOT, Index

_SHOWN_BYTES: Final = 256  # of a token, which may have megabytes


class VocabularyColumn(IntEnum):
    """The columns of the vocabulary."""

    ID = 0
    TOKEN = 1
    BYTES = 2
    LENGTH = 3
    STEP = 4


_ID, _TOKEN, _BYTES, _LENGTH, _STEP = (int(column) for column in VocabularyColumn)
_SPECIAL_ORDER: Final = 0.5  # of special tokens among steps: between the alphabet and the first merge
_NUMBER_COLUMNS: Final = (_ID, _LENGTH, _STEP)


class VocabularyModel(QAbstractTableModel):
    """The entries of a tokenizer's vocabulary, one in a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries = Entries()
        self._tokenizer: Tokenizer | None = None
        self._bytes_of: Callable[[bytes], bytes] = bytes
        """Returns the bytes of text that a token stands for, as `Tokenizer.stands_for` does."""
        self._position = 0
        self._order = np.empty(0, np.int64)
        """The indices of the entries of all steps that match the filter, sorted."""
        self._rows = np.empty(0, np.int64)
        """By row: the index of its entry. These are the indices in `_order` whose entries exist at the position."""
        self._size = 0
        self._sorted_size = 0  # the number of entries when they were last sorted
        self._filter = ""
        self._only_never = False
        self._sort_column = _ID
        self._sort_order = ASCENDING
        self._font = QFont()
        self._has_marker = False

    @property
    def answers(self) -> Answers:
        """For the delegate of the tokens: by role, the function of row and column that returns the data."""
        return {
            CHIPS_ROLE: self._chips,
            FONT_ROLE: lambda row, column: self._font,
        }

    def set_token_font(self, font: QFont) -> None:
        """Show tokens and bytes in this font."""
        self._font = font

    def set_tokenizer(self, tokenizer: Tokenizer | None) -> None:
        """Show the vocabulary of `tokenizer` at its position, sorted and filtered as before; nothing for None."""
        self.beginResetModel()
        entries = Entries() if tokenizer is None else tokenizer.entries()
        changed = entries is not self._entries or len(entries.tokens) != self._sorted_size
        self._entries, self._position = entries, tokenizer.position if tokenizer else 0
        self._tokenizer = tokenizer
        self._bytes_of = tokenizer.stands_for if tokenizer and tokenizer.pipeline else bytes
        self._has_marker = tokenizer is not None and tokenizer.recipe.boundary != "none"
        if changed:
            self._filter_and_sort()
        self._select_rows()
        self.endResetModel()

    def set_filter(self, text: str, *, only_never: bool = False) -> None:
        """Show only the entries that match `text`, as `token_filter` describes.

        With `only_never`, show only those that never occur in the corpus: all merges that make them merged nothing.
        """
        self.beginResetModel()
        self._filter, self._only_never = text, only_never
        self._filter_and_sort()
        self._select_rows()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Sort the rows by a column; equal rows stay in the order of their ids."""
        self.layoutAboutToBeChanged.emit()
        self._sort_column, self._sort_order = column, order
        self._filter_and_sort()
        self._select_rows()
        self.layoutChanged.emit()

    @property
    def size(self) -> int:
        """The number of entries at the position, whether or not they match the filter."""
        return self._size

    def token_id(self, row: int) -> int | None:
        """Return the id in a row; None for a row that does not exist."""
        return int(self._entries.ids[self._rows[row]]) if 0 <= row < len(self._rows) else None

    def entry_at(self, row: int) -> Selected | None:
        """Return the token in a row, to select it; None for a row that does not exist."""
        if not 0 <= row < len(self._rows):
            return None
        index = int(self._rows[row])
        return Selected(self._entries.tokens[index], int(self._entries.steps[index]) == Entries.SPECIAL)

    def row_of(self, token_id: int) -> int | None:
        """Return the row that shows an id; None if no row does."""
        found = np.flatnonzero(self._entries.ids[self._rows] == token_id)
        return int(found[0]) if len(found) else None

    def _filter_and_sort(self) -> None:
        """Filter and sort the entries of all steps, so that moving the cursor only has to select those that exist."""
        entries = self._entries
        indices = np.arange(len(entries.tokens))
        if self._filter or self._only_never:
            found = self._matches(TokenFilter.of(self._filter)) if self._filter else np.ones(len(indices), np.bool_)
            if self._only_never and self._tokenizer is not None:
                found &= never_made(self._tokenizer, entries.tokens) & (entries.steps > 0)
            indices = np.flatnonzero(found)
        self._order = self._sorted(indices)
        self._sorted_size = len(entries.tokens)

    def _sorted(self, indices: Int64Array) -> Int64Array:
        """Return the indices of entries, which are in the order of their ids, in the order of the rows."""
        descending = self._sort_order != ASCENDING
        if self._sort_column in (_TOKEN, _BYTES):
            return np.array(sorted(indices.tolist(), key=self._bytes_by_index(), reverse=descending), np.int64)
        keys = self._numbers(indices)
        return indices[np.argsort(-keys if descending else keys, kind="stable")]

    def _matches(self, wanted: TokenFilter) -> BoolArray:
        """Return for each entry whether it matches."""
        entries = self._entries
        if wanted.pair is not None:
            return self._made_of(wanted)
        found = wanted.in_tokens(entries.tokens)
        found[entries.ids == (-1 if wanted.number is None else wanted.number)] = True
        return found

    def _made_of(self, wanted: TokenFilter) -> BoolArray:
        """Return for each entry whether the merge that makes it matches."""
        steps = self._entries.steps
        found = np.zeros(len(steps), np.bool_)
        if self._tokenizer is not None:
            made = steps > 0
            found[made] = wanted.in_pairs(self._tokenizer.store.merges)[steps[made] - 1]
        return found

    def _select_rows(self) -> None:
        steps = self._entries.steps
        self._rows = self._order[steps[self._order] <= self._position]
        self._size = int(np.count_nonzero(steps <= self._position))

    def _bytes_by_index(self) -> Callable[[int], bytes]:
        """Return the function of an entry's index that returns the bytes by which its row is sorted."""
        tokens, bytes_of = self._entries.tokens, self._bytes_of
        if self._sort_column == _TOKEN:
            return tokens.__getitem__
        return lambda index: bytes_of(tokens[index])

    def _numbers(self, indices: Int64Array) -> Int64Array | Float64Array:
        """Return the numbers by which the entries with these indices are sorted."""
        entries, bytes_of = self._entries, self._bytes_of
        if self._sort_column == _LENGTH:
            chosen = map(entries.tokens.__getitem__, indices.tolist())
            return np.fromiter(map(len, map(bytes_of, chosen)), np.int64, len(indices))
        if self._sort_column == _STEP:
            steps = entries.steps[indices]
            return np.where(steps == Entries.SPECIAL, _SPECIAL_ORDER, steps)
        return entries.ids[indices]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(VocabularyColumn)

    def data(self, index: Index, role: int = DISPLAY_ROLE) -> object:
        column = index.column()
        if role == DISPLAY_ROLE:
            return self._text(index.row(), column)
        if role == TEXT_ALIGNMENT_ROLE:
            return ALIGN_RIGHT if column in _NUMBER_COLUMNS else ALIGN_LEFT
        if role == TOKEN_ROLE:
            return self.entry_at(index.row())
        if role == FONT_ROLE and column in (_TOKEN, _BYTES):
            return self._font
        if role == TOOL_TIP_ROLE and column in (_TOKEN, _BYTES):
            return self._text(index.row(), column)
        return None

    def _text(self, row: int, column: int) -> str:
        index = int(self._rows[row])
        token = self._entries.tokens[index]
        if column == _ID:
            return str(int(self._entries.ids[index]))
        if column == _TOKEN:
            return token_in_sentence(token)
        if column == _BYTES:
            data = self._bytes_of(token)
            return data[:_SHOWN_BYTES].hex(" ") + (" …" if len(data) > _SHOWN_BYTES else "")
        if column == _LENGTH:
            return number(len(self._bytes_of(token)))
        step = int(self._entries.steps[index])
        if step == Entries.SPECIAL:
            return self.tr("special")
        return number(step) if step else self.tr("alphabet")

    def _chips(self, row: int, column: int) -> Chips:
        index = int(self._rows[row])
        is_special = int(self._entries.steps[index]) == Entries.SPECIAL
        return Chips((self._entries.tokens[index],), self._has_marker, is_special)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY_ROLE) -> object:
        if orientation != HORIZONTAL:
            return None
        if role == DISPLAY_ROLE:
            return (self.tr("Id"), self.tr("Token"), self.tr("Bytes"), self.tr("Length"), self.tr("Step"))[section]
        if role == TEXT_ALIGNMENT_ROLE:
            return ALIGN_RIGHT if section in _NUMBER_COLUMNS else ALIGN_LEFT
        if role == TOOL_TIP_ROLE:
            return self._explanations()[section]
        return None

    def widest_text(self, column: int) -> str:
        """Return text about as wide as a column of numbers has to be. Raise KeyError for another column."""
        return {_ID: "00000", _LENGTH: "000", _STEP: self.tr("alphabet")}[column]

    def _explanations(self) -> tuple[str, ...]:
        """Return the tooltips of the headers, by column."""
        return (
            self.tr("Number of the token in encoded text"),
            self.tr("Spaces are shown as ·"),
            self.tr("Bytes in hexadecimal"),
            self.tr("Length in bytes"),
            self.tr("Training step that made the token"),
        )
