"""The word table: words (pre-tokens) as split at the present step, most frequent first."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject

from bpe_gui.engine import SplitWord, Trainer, visible
from bpe_gui.engine.tokenization import TokenPair
from bpe_gui.gui.look.qt_constants import ALIGN_RIGHT, DISPLAY_ROLE, FONT_ROLE, TEXT_ALIGNMENT_ROLE, TOOL_TIP_ROLE
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.wording.numbers import number

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


class WordModel(TableModel):
    """All words with their counts, or those that contain a pair."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: Sequence[SplitWord] = ()
        self._pair: TokenPair | None = None
        self._has_marker = False
        self._total = 0
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

    def refresh(self, trainer: Trainer | None, pair: TokenPair | None = None) -> None:
        """Show the words of `trainer` at its position, with `pair` only those that contain it; none for None."""
        self._release()
        self._pair = pair
        self._has_marker = trainer is not None and trainer.recipe.boundary != "none"
        if trainer is None:
            self._total = 0
            self._replace_rows(())
        elif pair is None:
            self._total = len(trainer.word_counts)
            self._replace_rows(trainer.words(WORD_LIMIT, max_symbols=SYMBOL_LIMIT))
        else:
            words = trainer.occurrences(*pair, WORD_LIMIT + 1, max_symbols=SYMBOL_LIMIT)
            self._total = len(words)
            self._replace_rows(words[:WORD_LIMIT])

    @property
    def summary(self) -> str:
        """A phrase with the number of words, and of those that are shown."""
        if self._total == 1:
            return self.tr("1 word")
        if self._total <= WORD_LIMIT:
            return self.tr("{words} words").format(words=number(self._total))
        if self._pair is not None:
            return self.tr("more than {shown} words").format(shown=number(WORD_LIMIT))
        return self.tr("{shown} of {words} words").format(shown=number(WORD_LIMIT), words=number(self._total))

    def _apply_theme(self) -> None:
        self.titles = (self.tr("Word"), self.tr("Count"))
        self._token_font = self._theme.token_font()
        self._number_font = self._theme.number_font()
        self._emit_changed(0, self._length - 1)

    def _text(self, row: int, column: int) -> str:
        word = self.rows[row]
        return number(word.count) if column == _COUNT else _spaced(word.symbols)

    def _symbols(self, row: int, column: int) -> MarkedSymbols | None:
        if column != _WORD:
            return None
        return MarkedSymbols(self.rows[row].symbols, self._pair, self._has_marker)

    def _tool_tip(self, row: int, column: int) -> str | None:
        if column != _WORD:
            return None
        symbols = self.rows[row].symbols
        if len(symbols) == 1:
            return self.tr("{word}\n1 symbol").format(word=_spaced(symbols))
        return self.tr("{word}\n{symbols} symbols").format(word=_spaced(symbols), symbols=number(len(symbols)))


def _spaced(symbols: Sequence[bytes]) -> str:
    """Return the symbols with spaces in between, as papers write a split word."""
    text = " ".join(visible(symbol) for symbol in symbols[:MAX_SYMBOLS])
    return text if len(symbols) <= MAX_SYMBOLS else f"{text} …"
