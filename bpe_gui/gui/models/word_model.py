"""The word table: words (pre-tokens) as split at the present step; those that the last step changed come first."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject

from bpe_gui.engine import SplitWord, Trainer
from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.engine.training import StepChange, last_change, split_words_with
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, DISPLAY_ROLE, FONT_ROLE, TEXT_ALIGNMENT_ROLE, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.wording.numbers import counted, number

from .roles import MAX_SYMBOLS, SYMBOLS_ROLE, MarkedSymbols
from .table_model import TableModel

WORD_LIMIT: Final = 500
"""The number of words that are shown."""

SYMBOL_LIMIT: Final = 2_000
"""The number of symbols that are read of one word, more than a cell can show."""


class WordColumn(IntEnum):
    """The columns of the word table."""

    WORD = 0
    COUNT = 1


_WORD, _COUNT = (int(column) for column in WordColumn)


@dataclass(frozen=True, slots=True)
class _Row:
    """A word; `before` is how it was split before the last step, empty if that did not change it."""

    symbols: tuple[bytes, ...]
    count: int
    before: tuple[bytes, ...] = ()


class WordModel(TableModel):
    """The words with their counts: all, or those that contain the selected pair or token.

    Of the words that are shown, those that the last step changed come first, then the most frequent ones.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[_Row] = ()
        self._selected: Selected | None = None
        self._change: StepChange | None = None
        self._merged: TokenPair | None = None
        self._has_marker = False
        self._total = 0
        self.is_found = True
        """Whether any word has the selected pair or token."""
        self.alignments = {_COUNT: ALIGN_RIGHT}
        self.answers = {
            DISPLAY_ROLE: self._text,
            FONT_ROLE: lambda row, column: self._number_font if column == _COUNT else self._token_font,
            TEXT_ALIGNMENT_ROLE: lambda row, column: self.alignments.get(column),
            TOOL_TIP_ROLE: self._tool_tip,
            SYMBOLS_ROLE: self._symbols,
        }
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def refresh(self, trainer: Trainer | None, selected: Selected | None = None) -> None:
        """Show the words of `trainer` at its position, or those with the selected pair or token; none for None.

        A pair that no longer occurs gives way to its token, and what does not occur to all words.
        """
        self._release()
        self._selected = selected
        self._has_marker = trainer is not None and trainer.recipe.boundary != "none"
        self._merged, self._change, self._total = None, None, 0
        if trainer is None:
            self._replace_rows(())
            return
        self._note_change(trainer)
        words = self._words(trainer, selected)
        changed = self._changed_words(words, is_everything=selected is None or not self.is_found)
        seen = {row.symbols for row in changed}
        unchanged = (_Row(word.symbols, word.count) for word in words if word.symbols not in seen)
        self._replace_rows([*changed, *unchanged][:WORD_LIMIT])

    @property
    def largest_count(self) -> int:
        """The largest count of the words that are shown."""
        return max((row.count for row in self.rows), default=0)

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

    def _note_change(self, trainer: Trainer) -> None:
        self._change = last_change(trainer, WORD_LIMIT, max_symbols=SYMBOL_LIMIT)
        if self._change is not None:
            merge = trainer.merge_at(trainer.position - 1)
            self._merged = merge.left, merge.right

    def _words(self, trainer: Trainer, selected: Selected | None) -> Sequence[SplitWord]:
        if selected is None:
            self._total = len(trainer.word_counts)
            return trainer.words(WORD_LIMIT, max_symbols=SYMBOL_LIMIT)
        words: Sequence[SplitWord] = ()
        self.is_found = True
        if selected.pair is not None:
            words = trainer.occurrences(*selected.pair, WORD_LIMIT + 1, max_symbols=SYMBOL_LIMIT)
        if not words:
            words = split_words_with(trainer, selected.token, WORD_LIMIT + 1, max_symbols=SYMBOL_LIMIT)
        if not words:
            self.is_found = False
            return self._words(trainer, None)
        self._total = len(words)
        return words

    def _changed_words(self, words: Sequence[SplitWord], *, is_everything: bool) -> list[_Row]:
        """Return the words that the last step changed: all, or those among `words`."""
        if self._change is None:
            return []
        wanted = {word.symbols for word in words}
        changed = (_Row(word.after, word.count, word.before) for word in self._change.words)
        return [row for row in changed if is_everything or row.symbols in wanted]

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Word"), self.tr("Count"))
        self._token_font = self._theme.token_font()
        self._number_font = self._theme.number_font()
        self._emit_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        word = self.rows[row]
        return number(word.count) if column == _COUNT else _history(word)

    def _symbols(self, row: int, column: int) -> MarkedSymbols | None:
        if column != _WORD:
            return None
        word, selected = self.rows[row], self._selected
        return MarkedSymbols(
            word.symbols,
            selected.pair if selected else None,
            self._has_marker,
            token=selected.token if selected else None,
            merged=self._merged if word.before else None,
            before=word.before,
        )

    def _tool_tip(self, row: int, column: int) -> str | None:
        if column != _WORD:
            return None
        word = self.rows[row]
        symbols = counted(len(word.symbols), self.tr("1 symbol"), self.tr("{count} symbols"))
        return f"{_history(word)}\n{symbols}"


def _history(word: _Row) -> str:
    """Return a word as it is split now; before that, as it was split before the last step if that changed it."""
    return " → ".join(_spaced(symbols) for symbols in (word.before, word.symbols) if symbols)


def _spaced(symbols: Sequence[bytes]) -> str:
    """Return the symbols with spaces in between, as papers write a split word."""
    text = " ".join(token_in_sentence(symbol) for symbol in symbols[:MAX_SYMBOLS])
    return text if len(symbols) <= MAX_SYMBOLS else f"{text} …"
