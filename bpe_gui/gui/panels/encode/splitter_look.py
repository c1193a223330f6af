"""The legend of the text's colours when words have that of the part of the splitter's expression that took them."""

from collections.abc import Iterator
from time import monotonic
from typing import Final

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from bpe_gui.engine import Recipe
from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.runtime import Int64Array
from bpe_gui.engine.text import SplitWords
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.splitter_views import SplitterLegend
from bpe_gui.gui.wording.numbers import size_text

_MAX_COUNTED: Final = 1_000_000  # bytes of a text whose words are all counted; of a larger one, those in view
_MAX_OWN: Final = 1 << 16  # bytes of a text that `LiveText` splits at once by a user's own expression
_STRIDE: Final = 1 << 14  # bytes that are split at a time
_SLICE: Final = 0.008  # seconds of work between which the window can react
_PAUSE: Final = 150  # milliseconds without a change before words are counted


class SplitterLook(QWidget):
    """The legend below the text: how many words each part took, and a click goes to the next of them."""

    def __init__(self, session: Session, theme: Theme, edit: TokenEdit) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._edit = edit
        self._legend = SplitterLegend()
        self._note = SentenceLabel(name="splitterNote")
        set_role(self._note, "quiet")
        self._note.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        column = gapless_column(self)
        column.setContentsMargins(0, SMALL_GAP, 0, 0)
        column.addWidget(self._legend)
        column.addWidget(self._note)
        self._work: Iterator[None] = iter(())
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._advance)
        self._pause = QTimer(self, singleShot=True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._count)
        self._legend.part_chosen.connect(self._find_next)
        self._tokenizer: tuple[Recipe, tuple[str, ...], bool] | None = None
        """All of the tokenizer that the words depend on, when they were counted."""
        session.text.replaced.connect(self.refresh)
        session.text.edited.connect(self.refresh)
        session.text.tokens_changed.connect(self._follow_tokenizer)
        edit.rows.changed.connect(self._follow_view)
        self.setVisible(False)

    def set_shown(self, shown: bool) -> None:
        """Show or hide the legend."""
        self.setVisible(shown)
        self.refresh()

    def legend_height(self) -> int:
        """Return how many pixels high the parts of the present splitter would like to be."""
        return self._legend.sizeHint().height() + SMALL_GAP

    def set_looks(self) -> None:
        """Use the colours and fonts of the theme."""
        self._legend.set_looks(self._theme.token_palette(), self._theme.token_font())

    def refresh(self) -> None:
        """Show the parts of the present splitter, and count again."""
        self._stop()
        self._tokenizer = self._splitting()
        if not self.isHidden():
            self._legend.set_parts(self._text.splitter_parts or ())
            self._pause.start()

    def _follow_tokenizer(self) -> None:
        """Refresh, unless only the merges are others."""
        if self._splitting() != self._tokenizer:
            self.refresh()

    def _splitting(self) -> tuple[Recipe, tuple[str, ...], bool] | None:
        tokenizer = self._session.text.tokenizer
        if tokenizer is None:
            return None
        return tokenizer.recipe, tuple(tokenizer.obeyed_special_tokens), tokenizer.pipeline is None

    @property
    def _text(self) -> LiveText:
        return self._session.text.live

    @property
    def _counts_all(self) -> bool:
        return len(self._text) <= _MAX_COUNTED

    def _follow_view(self) -> None:
        if not self.isHidden() and not self._counts_all:
            self._pause.start()

    # -- work in slices ---------------------------------------------------------------------------------------------

    def _begin(self, work: Iterator[None]) -> None:
        self._work = work
        self._slices.start()

    def _stop(self) -> None:
        self._work = iter(())
        self._slices.stop()
        self._pause.stop()

    def _advance(self) -> None:
        end = monotonic() + _SLICE
        while monotonic() < end:
            try:
                next(self._work)
            except StopIteration:
                self._slices.stop()
                return

    # -- counting ---------------------------------------------------------------------------------------------------

    def _count(self) -> None:
        span = (0, len(self._text)) if self._counts_all else self._edit.rows.visible_span()
        self._begin(self._count_in(*span))

    def _count_in(self, start: int, stop: int) -> Iterator[None]:
        """Count the words that begin in [start, stop), and show the counts at the end."""
        parts = self._text.splitter_parts
        counts: Int64Array = np.zeros(len(parts or ()), np.int64)
        known = 0
        for at in range(start, stop, _STRIDE):
            words = self._words_from(at, min(at + _STRIDE, stop))
            known += len(words.parts)
            counts += np.bincount(words.parts[words.parts >= 0], minlength=len(counts))
            yield
        self._legend.set_counts(counts.tolist() if known or not len(self._text) else None)
        self._note.setText(self._note_text(parts, known))
        self._note.setVisible(bool(self._note.text()))

    def _words_from(self, start: int, stop: int) -> SplitWords:
        """Return the words that begin in [start, stop)."""
        words = self._text.words_in(start, stop)
        first = int(np.searchsorted(words.starts, np.int64(start), "left"))
        return SplitWords(words.starts[first:], words.stops[first:], words.parts[first:])

    def _note_text(self, parts: list[str] | None, known: int) -> str:
        if self._session.text.tokenizer is None or not len(self._text):
            return ""
        if parts is None:
            return self.tr("This tokenizer splits text in several steps, so there is no single expression to show.")
        if not known and len(self._text) > _MAX_OWN:
            return self.tr(
                "Words are not shown, because your regular expression may take a long time on a text of this size."
            )
        return (
            ""
            if self._counts_all
            else self.tr("The text is larger than {size}, so only the words in view are counted.").format(
                size=size_text(_MAX_COUNTED)
            )
        )

    # -- finding ----------------------------------------------------------------------------------------------------

    def _find_next(self, part: int) -> None:
        """Select the next word that a part took, after the last one the first."""
        start, stop = self._edit.selection.span
        self._pause.stop()
        self._begin(self._find(part, start + 1 if start < stop else start))

    def _find(self, part: int, begin: int) -> Iterator[None]:
        size = len(self._text)
        for start, stop in ((begin, size), (0, begin)):
            for at in range(start, stop, _STRIDE):
                words = self._words_from(at, min(at + _STRIDE, stop))
                found = np.flatnonzero(words.parts == part)
                if len(found):
                    # With the caret at the start, whose token the facts are about.
                    self._edit.set_selection(int(words.stops[found[0]]), int(words.starts[found[0]]))
                    return
                yield
