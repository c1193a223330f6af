"""The vocabulary as a sortable, filterable table that formats tokens only when they are shown."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Qt

from bpe_gui.engine import BoolArray, Entries, Int64Array, Tokenizer, token_in_sentence
from bpe_gui.gui.look.qt_constants import ASCENDING, DESCENDING
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.search.token_filter import TokenFilter, never_made
from bpe_gui.gui.session.opened_tokenizers import NO_ID
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.views.token_chips import Chips
from bpe_gui.gui.wording.phrases import number, translate
from bpe_gui.gui.wording.run_texts import pruned_text

from .table_model import Column, NumberColumn, TableModel, stably_sorted

_SHOWN_BYTES: Final = 256  # a token may have megabytes
_SPECIAL_ORDER: Final = 0.5  # sorts special tokens between the alphabet and the first merge


class VocabularyColumn(IntEnum):
    ID = 0
    TOKEN = 1
    HEX = 2
    BYTES = 3
    STEP = 4


class VocabularyRow(NamedTuple):
    id: int
    """`NO_ID` if it has left the vocabulary."""
    token: bytes
    data: bytes
    """The bytes of text that the token stands for."""
    step: int
    """The step that makes it; 0 for the alphabet, `Entries.SPECIAL` for special tokens."""
    has_marker: bool
    left: int
    """The step at which it left the vocabulary; 0 if it did not."""

    @property
    def selected(self) -> Selected:
        return Selected(self.token, self.step == Entries.SPECIAL)


class VocabularyRows:
    """The entries of a tokenizer that exist at its position and match a filter, sorted.

    Those that have left the vocabulary, in `pruned` with the step at which each did, are found by a filter only.
    """

    def __init__(self, tokenizer: Tokenizer | None = None, pruned: Mapping[bytes, int] | None = None) -> None:
        self.tokenizer: Final = tokenizer
        self.pruned: Final = pruned or {}
        self.entries: Final = Entries() if tokenizer is None else _with_pruned(tokenizer, self.pruned)
        self.position = tokenizer.position if tokenizer else 0
        self.bytes_of: Final[Callable[[bytes], bytes]] = (
            tokenizer.stands_for if tokenizer and tokenizer.pipeline else bytes
        )
        """Returns the bytes of text that a token stands for."""
        self._has_marker = tokenizer is not None and tokenizer.recipe.boundary != "none"
        self.indices: Int64Array = np.empty(0, np.int64)
        """The index of each row's entry."""

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, row: int, /) -> VocabularyRow:
        index, entries = int(self.indices[row]), self.entries
        token = entries.tokens[index]
        step = int(entries.steps[index])
        return VocabularyRow(
            int(entries.ids[index]), token, self.bytes_of(token), step, self._has_marker, self.pruned.get(token, 0)
        )


class VocabularyModel(TableModel[VocabularyRow]):
    """The entries of a tokenizer's vocabulary, one per row."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, vocabulary_columns(), parent, selected=lambda row: row.selected)
        self.rows: VocabularyRows = VocabularyRows()
        self._order = np.empty(0, np.int64)
        """The indices of the entries of all steps that match the filter, sorted."""
        self._sorted_size = 0  # the number of entries when last sorted
        self._filter = ""
        self._only_never = False
        self._column, self._is_descending = int(VocabularyColumn.ID), False

    def set_tokenizer(self, tokenizer: Tokenizer | None, pruned: Mapping[bytes, int] | None = None) -> None:
        """Show the vocabulary of `tokenizer` at its position, sorted and filtered as before; nothing for None."""
        before, rows = self.rows.entries, VocabularyRows(tokenizer, pruned)
        if rows.entries is not before or len(rows.entries.tokens) != self._sorted_size:
            self._order = self._matching(rows)
        self._show_order(rows)

    def set_filter(self, text: str, *, only_never: bool = False) -> None:
        """Show only the entries that match `text`; see `token_filter`.

        With `only_never`, show only those that never occur in the corpus, because the merges that make them never
        happened, or no longer do.
        """
        self._filter, self._only_never = text, only_never
        self._order = self._matching(self.rows)
        self._show_order(self.rows)

    def sort(self, column: int, order: Qt.SortOrder = ASCENDING) -> None:
        """Sort the rows by a column; equal rows stay in the order of their ids."""
        self._column, self._is_descending = column, order == DESCENDING
        self.layoutAboutToBeChanged.emit()
        self._order = self._matching(self.rows)
        self.rows.indices = self._present(self.rows)
        self.layoutChanged.emit()

    def _show_order(self, rows: VocabularyRows) -> None:
        """Show the entries that exist at the current position, in order."""
        rows.indices = self._present(rows)
        self.reset(rows)

    def _present(self, rows: VocabularyRows) -> Int64Array:
        return self._order[rows.entries.steps[self._order] <= rows.position]

    @property
    def size(self) -> int:
        """The number of entries at the current position, whether or not they match the filter."""
        return int(np.count_nonzero(self.rows.entries.steps <= self.rows.position)) - len(self.rows.pruned)

    def token_id(self, row: int) -> int | None:
        """Return the id in a row; None if there is no such row."""
        return self.rows[row].id if 0 <= row < len(self.rows) else None

    def ids_and_sizes(self, rows: Sequence[int]) -> tuple[Int64Array, Int64Array]:
        """Return the ids in some rows, and the sizes of the tokens in bytes."""
        indices = self.rows.indices[np.array(rows, np.int64)]
        return self.rows.entries.ids[indices], _byte_counts(self.rows, indices)

    def row_of(self, token_id: int) -> int | None:
        """Return the row that shows an id; None if no row does."""
        found = np.flatnonzero(self.rows.entries.ids[self.rows.indices] == token_id)
        return int(found[0]) if len(found) else None

    def row_of_step(self, step: int) -> int | None:
        """Return the row of the token that a step makes; None if no row shows it."""
        found = np.flatnonzero(self.rows.entries.steps[self.rows.indices] == step)
        return int(found[0]) if len(found) else None

    def _matching(self, rows: VocabularyRows) -> Int64Array:
        """Return the matching entries of all steps, sorted, so that moving the cursor only has to select from them."""
        entries = rows.entries
        self._sorted_size = len(entries.tokens)
        indices = np.flatnonzero(entries.ids != NO_ID)
        if self._filter or self._only_never:
            found = (
                _matches(rows, TokenFilter.of(self._filter)) if self._filter else np.ones(self._sorted_size, np.bool_)
            )
            if self._only_never and rows.tokenizer is not None:
                found &= never_made(rows.tokenizer, entries.tokens) & (entries.steps > 0) | (entries.ids == NO_ID)
            indices = np.flatnonzero(found)
        sort_key = self.columns[self._column].sort_key
        assert sort_key is not None  # all columns have one
        return stably_sorted(indices, sort_key(rows, indices), self._is_descending)


def vocabulary_columns() -> dict[int, Column[VocabularyRow]]:
    """Return the columns of the vocabulary; number columns are as wide as their titles or `widest_texts`."""
    return {
        VocabularyColumn.ID: NumberColumn(
            title=translate("VocabularyModel", "Id"),
            explanation=translate("VocabularyModel", "Number of the token in encoded text"),
            width=32,
            text=lambda row: "–" if row.left else str(row.id),
            sort_key=lambda rows, indices: rows.entries.ids[indices],
        ),
        VocabularyColumn.TOKEN: Column(
            title=translate("VocabularyModel", "Token"),
            explanation=translate("VocabularyModel", "Spaces are shown as ·"),
            font="tokens",
            text=_token_text,
            font_of=lambda row: "struck tokens" if row.left else "tokens",
            tool_tip=lambda row: pruned_text(row.token, row.left) if row.left else _token_text(row),
            chips=lambda row: Chips((row.token,), row.has_marker, row.step == Entries.SPECIAL, bool(row.left)),
            sort_key=lambda rows, indices: [rows.entries.tokens[index] for index in indices.tolist()],
        ),
        VocabularyColumn.HEX: Column(
            title=translate("VocabularyModel", "Hex"),
            explanation=translate("VocabularyModel", "Bytes in hexadecimal"),
            shown_from=460,
            font="tokens",
            text=_hex_text,
            tool_tip=_hex_text,
            sort_key=lambda rows, indices: [rows.bytes_of(rows.entries.tokens[index]) for index in indices.tolist()],
        ),
        VocabularyColumn.BYTES: NumberColumn(
            title=translate("VocabularyModel", "Bytes"),
            explanation=translate("VocabularyModel", "Number of bytes"),
            width=32,
            shown_from=360,
            text=lambda row: number(len(row.data)),
            sort_key=_byte_counts,
        ),
        VocabularyColumn.STEP: NumberColumn(
            title=translate("VocabularyModel", "Step"),
            explanation=translate("VocabularyModel", "Training step that made the token"),
            width=32,
            text=_step_text,
            sort_key=_step_order,
        ),
    }


def _with_pruned(tokenizer: Tokenizer, pruned: Mapping[bytes, int]) -> Entries:
    entries, ranks = tokenizer.entries(), tokenizer.store.token_ranks
    if not pruned:
        return entries
    return entries.with_more([(NO_ID, token) for token in pruned], [ranks.get(token, -1) + 1 for token in pruned])


def widest_texts() -> dict[int, tuple[str, ...]]:
    """Return, by column, texts about as wide as what it usually shows."""
    column = VocabularyColumn
    steps = translate("VocabularyModel", "alphabet"), translate("VocabularyModel", "special"), number(99_999)
    return {column.ID: ("00000",), column.BYTES: ("000",), column.STEP: steps}


def _token_text(row: VocabularyRow) -> str:
    return token_in_sentence(row.token)


def _hex_text(row: VocabularyRow) -> str:
    return row.data[:_SHOWN_BYTES].hex(" ") + (" …" if len(row.data) > _SHOWN_BYTES else "")


def _step_text(row: VocabularyRow) -> str:
    if row.step == Entries.SPECIAL:
        return translate("VocabularyModel", "special")
    return number(row.step) if row.step else translate("VocabularyModel", "alphabet")


def _byte_counts(rows: VocabularyRows, indices: Int64Array) -> Int64Array:
    tokens = map(rows.entries.tokens.__getitem__, indices.tolist())
    return np.fromiter((len(rows.bytes_of(token)) for token in tokens), np.int64, len(indices))


def _step_order(rows: VocabularyRows, indices: Int64Array) -> object:
    """Return the sort keys of steps; in the alphabet, the symbols that readers know best come last."""
    steps = rows.entries.steps[indices]
    order = np.where(steps == Entries.SPECIAL, _SPECIAL_ORDER, steps).astype(np.float64)
    alphabet = np.flatnonzero(steps == 0)
    symbols = map(rows.entries.tokens.__getitem__, indices[alphabet].tolist())
    order[alphabet] = np.fromiter(map(_familiarity, symbols), np.float64, len(alphabet))
    return order


@cache
def _familiarity(symbol: bytes) -> float:
    """Return a number below `_SPECIAL_ORDER`, highest for letters, then digits, punctuation and control bytes."""
    text = symbol.decode("utf-8", "replace")
    if "\N{REPLACEMENT CHARACTER}" in text or not text.isprintable():
        return 0.0
    return 0.4 if text.isalpha() else 0.3 if text.isalnum() else 0.2


def _matches(rows: VocabularyRows, wanted: TokenFilter) -> BoolArray:
    """Return for each entry whether it matches; if a pair is wanted, whether the merge that makes it does."""
    entries = rows.entries
    if wanted.pair is None:
        found = wanted.in_tokens(entries.tokens)
        if wanted.number is not None:
            found |= entries.ids == wanted.number
        return found
    found = np.zeros(len(entries.steps), np.bool_)
    if rows.tokenizer is not None:
        made = entries.steps > 0
        found[made] = wanted.in_pairs(rows.tokenizer.store.merges)[entries.steps[made] - 1]
    return found
