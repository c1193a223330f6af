"""The word table: words (pre-tokens) as split at the present step; those that the last step changed come first."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np
from PySide6.QtCore import QObject

from bpe_gui.engine import Trainer
from bpe_gui.engine.runtime import Int64Array, token_in_sentence
from bpe_gui.engine.training import ChangedWord, StepChange, last_change, most_frequent_first, words_with_token_now
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, DISPLAY_ROLE, FONT_ROLE, TEXT_ALIGNMENT_ROLE, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import counted, number

from .roles import MAX_SYMBOLS, SYMBOLS_ROLE, Answers, MarkedSymbols
from .table_model import TableModel
from .word_rows import UNREAD, WordRows

WORD_LIMIT: Final = 500
"""The number of words that are shown."""

_ROWS_ON_SCREEN: Final = 64


class WordColumn(IntEnum):
    """The columns of the word table."""

    WORD = 0
    COUNT = 1


_WORD, _COUNT = (int(column) for column in WordColumn)


class WordModel(TableModel):
    """The words with their counts: all, or those that contain the selected pair or token.

    Of the words that are shown, those that the last step changed come first, then the most frequent ones.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: WordRows | tuple[()] = ()
        self._selected: Selected | None = None
        self._change: StepChange | None = None
        self._has_marker = False
        self._total = 0
        self.is_found = True
        """Whether any word has the selected pair or token."""
        self.alignments = {_COUNT: ALIGN_RIGHT}
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    @property
    def answers(self) -> Answers:
        return {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._number_font if column == _COUNT else self._token_font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: self._tool_tip,
            SYMBOLS_ROLE: self._symbols,
        }

    def refresh(self, trainer: Trainer | None, selected: Selected | None = None) -> None:
        """Show the words of `trainer` at its position, or those with the selected pair or token; none for None.

        A pair that no longer occurs gives way to its token, and what does not occur to all words.
        """
        self._release()
        self._selected = selected
        self._has_marker = trainer is not None and trainer.recipe.boundary != "none"
        self._change, self._total = None, 0
        if trainer is None:
            self._replace_rows(())
            return
        words = self._words(trainer, selected)
        self._change = last_change(trainer, WORD_LIMIT)
        merge, changed = (self._change.merge, self._change.words) if self._change else (None, words[:0])
        if selected is not None and self.is_found:
            changed = changed[np.isin(changed, words)]
        unchanged = words[~np.isin(words, changed)]
        self._replace_rows(WordRows(trainer, merge, changed, unchanged[: WORD_LIMIT - len(changed)]))

    def load(self, first: int = 0, count: int = WORD_LIMIT) -> None:
        """Read `count` rows from `first` on, to have them when `hold` is called."""
        for row in range(max(0, first), min(first + count, self._length)):
            self._row(row)

    def load_screen(self, first: int) -> None:
        """Read the rows of a screen from `first` on, to have them when `hold` is called."""
        self.load(first, _ROWS_ON_SCREEN)

    def hold(self) -> None:
        if isinstance(self.rows, WordRows):
            self.rows.freeze()
        super().hold()

    def _row(self, row: int) -> ChangedWord:
        assert isinstance(self.rows, WordRows)  # else there are no rows
        return self.rows.row(row)

    @property
    def largest_count(self) -> int:
        """The largest count of the words that are shown."""
        return self.rows.largest_count if isinstance(self.rows, WordRows) else 0

    @property
    def change(self) -> StepChange | None:
        """The words that the last step changed; None at the start."""
        return self._change

    @property
    def summary(self) -> str:
        """A phrase with the number of words, and of those that are shown."""
        if self._total <= WORD_LIMIT:
            return counted(self._total, self.tr("1 word"), self.tr("{count} words"))
        if self._selected is not None and self.is_found:
            return self.tr("more than {shown} words").format(shown=number(WORD_LIMIT))
        return self.tr("{shown} of {words}").format(shown=number(WORD_LIMIT), words=number(self._total))

    def _words(self, trainer: Trainer, selected: Selected | None) -> Int64Array:
        """Return the numbers of the words to show, and of one more if there are more with what is selected."""
        if selected is None:
            self._total = len(trainer.word_counts)
            return trainer.words_by_frequency[:WORD_LIMIT]
        words = _words_with(trainer, selected)
        self.is_found = len(words) > 0
        if not self.is_found:
            return self._words(trainer, None)
        self._total = len(words)
        return words

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Word"), self.tr("Count"))
        self._token_font = self._theme.token_font()
        self._number_font = self._theme.number_font()
        self._emit_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        word = self._row(row)
        if word is UNREAD:  # its count would be wrong
            return ""
        return number(word.count) if column == _COUNT else _history(word)

    def _symbols(self, row: int, column: int) -> MarkedSymbols | None:
        if column != _WORD:
            return None
        word, selected, merge = self._row(row), self._selected, self._change.merge if self._change else None
        return MarkedSymbols(
            word.after,
            selected.pair if selected else None,
            self._has_marker,
            token=selected.token if selected else None,
            merged=(merge.left, merge.right) if merge and word.before else None,
            before=word.before,
        )

    def _tool_tip(self, row: int, column: int) -> str | None:
        word = self._row(row)
        if column != _WORD or word is UNREAD:
            return None
        symbols = counted(len(word.after), self.tr("1 symbol"), self.tr("{count} symbols"))
        return f"{_history(word)}\n{symbols}"


def _words_with(trainer: Trainer, selected: Selected) -> Int64Array:
    """Return the numbers of the words with a pair, or if it does not occur, of those with its token."""
    if selected.pair is not None:
        words = most_frequent_first(trainer, trainer.words_with_pair(*selected.pair))
        if len(words):
            return words[: WORD_LIMIT + 1]
    return words_with_token_now(trainer, selected.token, WORD_LIMIT + 1)


def _history(word: ChangedWord) -> str:
    """Return a word as it is split now; before that, as it was split before the last step if that changed it."""
    return " → ".join(_spaced(symbols) for symbols in (word.before, word.after) if symbols)


def _spaced(symbols: Sequence[bytes]) -> str:
    """Return the symbols with spaces in between, as papers write a split word."""
    text = " ".join(token_in_sentence(symbol) for symbol in symbols[:MAX_SYMBOLS])
    return text if len(symbols) <= MAX_SYMBOLS else f"{text} …"
