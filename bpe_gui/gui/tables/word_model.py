"""The word table: words (pre-tokens) as split at the current step, those that the last step changed first."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QObject

from bpe_gui.engine import BoolArray, CorpusSearch, Int64Array, StepChange, Trainer, WordCounts, token_in_sentence
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.search.token_filter import TokenFilter
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.phrases import counted, number, translate

from .table_model import MAX_SYMBOLS, Column, MarkedSymbols, NumberColumn, TableModel

WORD_LIMIT: Final = 500
"""The number of words to show."""

_READ_SYMBOLS: Final = 2_000  # to read of a word, more than a cell can show


class WordColumn(IntEnum):
    WORD = 0
    COUNT = 1


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word as the last step found and left it, and how often it occurs in the corpus."""

    symbols: MarkedSymbols
    count: int


_UNREAD: Final = WordRow(MarkedSymbols((), None, False), 0)
"""A row that was not read before `freeze`."""


class WordRows:
    """The rows of the word table at one step: words by number, those that the last step changed first.

    Rows are read from the trainer when they are shown, until `freeze` is called.
    """

    def __init__(
        self,
        trainer: Trainer,
        change: StepChange | None,
        changed: Int64Array,
        unchanged: Int64Array,
        selected: Selected | None,
    ) -> None:
        self._trainer: Trainer | None = trainer
        self._merge = change.merge if change else None
        self._selected = selected
        self._has_marker = trainer.recipe.boundary != "none"
        self._words = np.concatenate([changed, unchanged])
        self._changed = len(changed)
        self._rows: dict[int, WordRow] = {}
        self.largest_count = int(trainer.word_counts.frequencies[self._words].max(initial=0))
        """The largest count of all rows."""

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, row: int, /) -> WordRow:
        if row not in self._rows:
            if self._trainer is None:
                return _UNREAD
            self._rows[row] = self._read(self._trainer, row)
        return self._rows[row]

    def freeze(self) -> None:
        """Stop reading from the trainer; rows not read yet stay empty."""
        self._trainer = None

    def _read(self, trainer: Trainer, row: int) -> WordRow:
        merge, selected = self._merge, self._selected
        before: tuple[bytes, ...] = ()
        if merge is not None and row < self._changed:
            changed = CorpusSearch(trainer).changed_word(merge, int(self._words[row]), _READ_SYMBOLS)
            before, after, count = changed.before, changed.after, changed.count
        else:
            word = trainer.split_words(self._words[row : row + 1], _READ_SYMBOLS)[0]
            after, count = word.symbols, word.count
        symbols = MarkedSymbols(
            after,
            selected.pair if selected else None,
            self._has_marker,
            token=selected.token if selected else None,
            merged=(merge.left, merge.right) if merge and before else None,
            before=before,
            text=_text_of_cut(after[:MAX_SYMBOLS]),
        )
        return WordRow(symbols, count)


class WordModel(TableModel[WordRow]):
    """The words with their counts: all, or those that contain the selected pair or token.

    The words changed by the last step come first, then the most frequent ones.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        columns: dict[int, Column[WordRow]] = {
            WordColumn.WORD: Column(
                title=translate("WordModel", "Word"),
                font="tokens",
                text=_word_text,
                symbols=lambda row: row.symbols,
                tool_tip=_tool_tip,
            ),
            WordColumn.COUNT: NumberColumn(title=translate("WordModel", "Count"), width=0, text=_count_text),
        }
        super().__init__(theme, columns, parent)
        self._selected: Selected | None = None
        self.change: StepChange | None = None
        """The words that the last step changed; None at the start."""
        self.changed_rows = 0
        """The number of rows with words that the last step changed; they are the first ones."""
        self.is_found = True
        """Whether any word has the selected pair or token."""
        self._total = 0
        self._filter = ""
        self._matches: tuple[WordCounts, str, BoolArray] | None = None  # words stay, so they are searched once

    def set_filter(self, text: str) -> None:
        """Show only words with this text from the next `refresh` on; see `token_filter`."""
        self._filter = text

    def refresh(self, trainer: Trainer | None, selected: Selected | None = None) -> None:
        """Show the words of `trainer` at its position, or those with the selected pair or token; nothing for None.

        If the pair no longer occurs, show the words with its token; if that does not occur, show all words.
        """
        self.release()
        self._selected = selected
        self.change, self.changed_rows, self._total = None, 0, 0
        if trainer is None:
            self.show(())
            return
        words = self._words(trainer, selected)
        self.change = CorpusSearch(trainer).last_change(WORD_LIMIT)
        changed = self.change.words if self.change else words[:0]
        if (matches := self._matching(trainer)) is not None:
            changed = changed[matches[changed]]
        if selected is not None and self.is_found:
            changed = changed[np.isin(changed, words)]
        unchanged = words[~np.isin(words, changed)][: WORD_LIMIT - len(changed)]
        self.changed_rows = len(changed)
        self.show(WordRows(trainer, self.change, changed, unchanged, selected))

    def load(self) -> None:
        """Read all rows, so that they are there when `hold` is called."""
        for row in range(self.rowCount()):
            self.rows[row]

    def hold(self) -> None:
        if isinstance(self.rows, WordRows):
            self.rows.freeze()
        super().hold()

    @property
    def largest_count(self) -> int:
        """The largest count of the words shown."""
        return self.rows.largest_count if isinstance(self.rows, WordRows) else 0

    @property
    def summary(self) -> str:
        """A phrase with the number of words, and how many of them are shown."""
        if self._total <= WORD_LIMIT:
            return counted(self._total, self.tr("1 word"), self.tr("{count} words"))
        return self.tr("{shown} of {words}").format(shown=number(WORD_LIMIT), words=number(self._total))

    def _words(self, trainer: Trainer, selected: Selected | None) -> Int64Array:
        """Return the numbers of the words to show, and set how many there are in all."""
        matches = self._matching(trainer)
        if selected is None:
            words, total = trainer.words_by_frequency, None
        else:
            words, total = _words_with(trainer, selected, WORD_LIMIT if matches is None else None)
            self.is_found = len(words) > 0
            if not self.is_found:
                return self._words(trainer, None)
        if matches is not None:
            words, total = words[matches[words]], None
        self._total = len(words) if total is None else total
        return words[:WORD_LIMIT]

    def _matching(self, trainer: Trainer) -> BoolArray | None:
        """Return for each word whether it matches the filter; None without one."""
        if not self._filter:
            return None
        words, known = trainer.word_counts, self._matches
        if known is None or known[0] is not words or known[1] != self._filter:
            text, starts = words.text.tobytes(), words.starts.tolist()
            texts = [text[start:stop] for start, stop in pairwise(starts)]
            known = self._matches = words, self._filter, TokenFilter.of(self._filter).in_tokens(texts)
        return known[2]


def _words_with(trainer: Trainer, selected: Selected, limit: int | None) -> tuple[Int64Array, int]:
    """Return the numbers of at most `limit` words with a pair, or if none has it, with its token; and how many have."""
    search = CorpusSearch(trainer)
    if selected.pair is not None:
        words = search.most_frequent_first(trainer.words_with_pair(*selected.pair))
        if len(words):
            return words[:limit], len(words)
    words = search.words_with_token_now(selected.token, limit)
    return words, search.count_token(selected.token).words if len(words) == limit else len(words)


def _word_text(row: WordRow) -> str:
    """Return a word as split now; if the last step changed it, also as it was split before."""
    return " → ".join(_spaced(symbols) for symbols in (row.symbols.before, row.symbols.symbols) if symbols)


def _text_of_cut(symbols: Sequence[bytes]) -> str:
    """Return the text of a word that is split within a character; empty for any other, which can be read as it is."""
    joined = b"".join(symbols)
    if joined.isascii():
        return ""
    text = joined.decode(errors="ignore")
    is_cut = len(text) > sum(len(symbol.decode(errors="ignore")) for symbol in symbols)
    return token_in_sentence(text.encode()) if is_cut else ""


def _count_text(row: WordRow) -> str:
    return "" if row is _UNREAD else number(row.count)  # the count would be wrong


def _tool_tip(row: WordRow) -> str | None:
    if row is _UNREAD:
        return None
    one, many = translate("WordModel", "1 symbol"), translate("WordModel", "{count} symbols")
    return f"{_word_text(row)}\n{counted(len(row.symbols.symbols), one, many)}"


def _spaced(symbols: Sequence[bytes]) -> str:
    """Return the symbols with spaces in between, as papers write a split word."""
    text = " ".join(token_in_sentence(symbol) for symbol in symbols[:MAX_SYMBOLS])
    return text if len(symbols) <= MAX_SYMBOLS else f"{text} …"
