"""The parts of the encode panel: the statistics below the text, the splitter's legend, and the page of metrics."""

import math
from collections.abc import Iterator
from time import monotonic
from typing import Final

import numpy as np
from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from bpe_gui.engine import (
    DEFAULT_RECIPE,
    EngineError,
    Int64Array,
    LiveText,
    SplitWords,
    TextMetrics,
    Tokenizer,
    measure_in_parts,
)
from bpe_gui.gui.jobs import JobRunner, pause_before
from bpe_gui.gui.look.layouts import MARGIN, SMALL_GAP, Scrolled, column_of, gapless_column, row_of
from bpe_gui.gui.look.qt_constants import WRAPPED
from bpe_gui.gui.look.theme import Theme, line_height, set_role
from bpe_gui.gui.look.widgets import LinkLabel, MarkLabel, SentenceLabel, push_button
from bpe_gui.gui.session.object_names import mark_of, object_name
from bpe_gui.gui.session.overlay import MAX_COMPARED, TextDifference
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.numbers_view import NumbersView
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.splitter_views import SplitterLegend
from bpe_gui.gui.wording.phrases import counted, labelled, number, signed, size_text, tokens_text
from bpe_gui.gui.wording.sentences import error_message

_MAX_CHECKED: Final = 10_000  # bytes; a larger text is not checked for dropping only white space


_USUAL_SIZE: Final = 1_234  # of a text, in tokens, characters and bytes
_USUAL_SELECTION: Final = (12, 48)  # tokens and characters
_USUAL_TOKEN: Final = "tokens"
_MOST_RESERVED: Final = 60  # pixels; more of a font with high lines would not fit into a low window

_IDS_HEIGHT: Final = 93  # pixels, of two rows below the header
_FACTS_HEIGHT: Final = 188  # pixels, of what there is to say about most tokens


class EncodeSplitter(QSplitter):
    """The text above its ids and the facts about a token, which leave the text the rest of the height.

    They leave a text that needs even more all but their least heights, until the user moves a divider.
    """

    def __init__(self, edit: TokenEdit, text: QWidget, ids: QWidget, facts: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setObjectName("encodeSplitter")
        self._edit = edit
        self.setChildrenCollapsible(False)
        self._text, self._below = text, (ids, facts)
        for index, part in enumerate((text, *self._below)):
            self.addWidget(part)
            self.setStretchFactor(index, int(part is text))
        self._shared: list[int] | None = None  # the heights below the text, unless the user has chosen them

    def share(self) -> None:
        """Share the height anew, for another text or another height, unless the user has done so."""
        text, below, layout = self._text, self._below, self._text.layout()
        if not all(part.isVisible() for part in below) or self._shared not in (None, self.sizes()[1:]):
            return
        if layout is not None:
            layout.activate()  # so that the legend and the like have the heights that they need
        rows = self._edit.rows
        around = text.height() - rows.size.height() + 2 * rows.margin
        needed = around + math.ceil(rows.all_rows.count * rows.all_rows.metrics.height)
        least = [part.minimumSizeHint().height() for part in below]
        usual = [max(pair) for pair in zip(least, (_IDS_HEIGHT, _FACTS_HEIGHT), strict=True)]
        total = sum(self.sizes())
        lacking, spare = needed + sum(usual) - total, sum(usual) - sum(least)
        given = min(max(0.0, lacking / spare), 1.0) if spare else 0.0
        heights = [round(high - given * (high - low)) for high, low in zip(usual, least, strict=True)]
        if heights != self.sizes()[1:]:  # even the same sizes make the whole window lay itself out, at each key
            self.setSizes([total - sum(heights), *heights])
        self._shared = self.sizes()[1:]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.share()


class EncodeSummary(QWidget):
    """The statistics below the text, in a widget whose height does not depend on them."""

    bytes_wanted = Signal()
    """The user wants a recipe that has ids for all symbols, those of bytes."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._label = SentenceLabel(name="encodeSummary")
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._warning = SentenceLabel(name="encodeWarning", role="warning")
        self._offer = LinkLabel("encodeBytesOffer")
        text = self.tr("{link}Use the byte-level recipe {name}{end}")
        self._offer.setText(text.format(name=DEFAULT_RECIPE, link='<a href="bytes">', end="</a>"))
        self._offer.setToolTip(self.tr("It has an id for every byte, so for any text. You can undo this."))
        self._offer.linkActivated.connect(self.bytes_wanted)
        self.setToolTip(
            self.tr(
                "Bytes per token: the bytes of the text, divided by its tokens. Bytes in no token count too: the "
                "tokenizer drops them, such as white space between words."
            )
        )
        parts = self._label, self._warning, self._offer
        column_of(*parts, of=self, margins=(MARGIN, MARGIN, MARGIN, SMALL_GAP), spacing=SMALL_GAP)
        theme.keep_font(theme.number_font, self._label)
        self._lines_below = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve()

    def _reserve(self) -> None:
        """Take the space of what there usually is to say, so that nothing moves when the user selects or marks tokens.

        Unknown symbols, which are told of below, and the way out have the space of one line of it each.
        """
        metrics, width = self._label.fontMetrics(), self.width() - 2 * MARGIN
        details = self._selected_text(*_USUAL_SELECTION), labelled(_USUAL_TOKEN, self._times_text(_USUAL_SELECTION[0]))
        size = counted(_USUAL_SIZE, self.tr("1 byte"), self.tr("{count} bytes"))
        size = self.tr("{size} ({dropped} of white space, in no token)").format(size=size, dropped=_USUAL_SELECTION[1])
        texts = self._facts_text(_USUAL_SIZE, _USUAL_SIZE, size, 1.0), " · ".join(details)
        height = sum(metrics.boundingRect(0, 0, width, _USUAL_SIZE, WRAPPED, text).height() for text in texts)
        lines = min(round(height / metrics.height()), _MOST_RESERVED // line_height(self._label.font()))
        self._label.reserve_lines(max(1, lines - self._lines_below))

    def show_tokens(
        self,
        text: LiveText,
        tokenizer: Tokenizer | None,
        error: EngineError | None,
        marked: tuple[int, str] | None,
        selection: tuple[int, int],
        *,
        offers_bytes: bool,
    ) -> None:
        """Show the statistics of `text` as encoded by `tokenizer`, or the error that prevents that.

        `marked` is the id marked in the text, with its printable form; `selection` is a span of byte offsets.
        `offers_bytes`: unknown symbols are due to the recipe, which the user can change.
        """
        set_role(self._label, "warning" if error else "")
        facts = [error_message(error)] if error else [self._summary_text(text, tokenizer)]
        if error is None and tokenizer is not None and text.is_encoded:
            details = self._selection_text(text, selection), self._marked_text(text, marked)
            facts.append(" · ".join(filter(None, details)))
        self._label.setText("\n".join(filter(None, facts)))
        unknown = text.tokens_without_id if error is None else 0
        self._warning.setVisible(unknown > 0)
        one = self.tr("1 symbol is not in the vocabulary and has no id.")
        many = self.tr("{count} symbols are not in the vocabulary and have no id.")
        self._warning.setText(counted(unknown, one, many))
        self._offer.setVisible(unknown > 0 and offers_bytes)
        self._lines_below = (unknown > 0) * (1 + offers_bytes)
        self._reserve()

    def show_text(self, text: str) -> None:
        """Show a sentence instead of statistics."""
        self._label.setText(text)

    def _summary_text(self, text: LiveText, tokenizer: Tokenizer | None) -> str:
        if tokenizer is None:
            return self.tr("No tokenizer yet: the corpus has nothing to train on.")
        if not text.is_encoded:
            return self.tr("encoding…")
        tokens = text.known_tokens
        return self._facts_text(tokens, text.characters, self._bytes_text(text), len(text) / tokens if tokens else 0.0)

    def _facts_text(self, tokens: int, characters: int, size: str, ratio: float) -> str:
        facts = [tokens_text(tokens), self._characters_text(characters), size]
        if tokens:
            facts.append(self.tr("{ratio} bytes per token").format(ratio=QLocale().toString(ratio, "f", 2)))
        return " · ".join(facts)

    def _bytes_text(self, text: LiveText) -> str:
        size = counted(len(text), self.tr("1 byte"), self.tr("{count} bytes"))
        dropped = len(text) - text.bytes_in_tokens
        if dropped <= 0:
            return size
        facts = self.tr("{size} ({dropped} in no token)")
        if len(text) <= _MAX_CHECKED and _bytes_outside(text).isspace():
            facts = self.tr("{size} ({dropped} of white space, in no token)")
        return facts.format(size=size, dropped=number(dropped))

    def _characters_text(self, count: int) -> str:
        return counted(count, self.tr("1 character"), self.tr("{count} characters"))

    def _selection_text(self, text: LiveText, selection: tuple[int, int]) -> str:
        start, stop = selection
        if start >= stop:
            return ""
        _first, tokens = text.count_in(start, stop)
        return self._selected_text(tokens, text.characters_in(start, stop))

    def _selected_text(self, tokens: int, characters: int) -> str:
        return self.tr("selected: {tokens}, {characters}").format(
            tokens=tokens_text(tokens), characters=self._characters_text(characters)
        )

    def _marked_text(self, text: LiveText, marked: tuple[int, str] | None) -> str:
        if marked is None:
            return ""
        token_id, label = marked
        count = text.count(token_id)
        return labelled(label, self._times_text(count) if count else self.tr("no such token in this text"))

    def _times_text(self, count: int) -> str:
        return counted(count, self.tr("once in this text"), self.tr("{count} times in this text"))


def _bytes_outside(text: LiveText) -> bytes:
    """Return the bytes of an encoded text that are in no token."""
    tokens = text.tokens(0, text.known_tokens)
    gaps = zip([0, *tokens.stops.tolist()], [*tokens.starts.tolist(), len(text)], strict=True)
    whole = text.read(0, len(text))
    return b"".join(whole[start:stop] for start, stop in gaps)


class OverlayLine(QWidget):
    """A line below the text: how many tokens the other run needs for it, and a button that shows that run.

    Marks in the text show where the two split it differently.
    """

    def __init__(self, session: Session, theme: Theme, edit: TokenEdit) -> None:
        super().__init__(edit)  # until it is laid out; without a parent, showing it would open a window
        self._session = session
        self._edit = edit
        self._theme = theme
        self._mark = MarkLabel(theme, "overlayMark", self)
        self._label = SentenceLabel(name="overlayLine", role="warning")
        self._button = push_button("showOverlayButton", self.tr("Show this run"), self._show_run)
        set_role(self._button, "quiet")
        row_of(self._mark, (self._label, 1), self._button, of=self, margins=(MARGIN, 0, MARGIN, 0))
        session.overlay.changed.connect(self._show)
        session.overlay.compared.connect(self._show)
        theme.changed.connect(self._show)
        self._show()

    def _show_run(self) -> None:
        if (branch := self._session.overlay.branch) is not None:
            self._session.show_branch(branch)

    def _show(self) -> None:
        overlay = self._session.overlay
        difference = overlay.difference
        self.setVisible(overlay.branch is not None)
        if overlay.branch is None:
            self._edit.tokens.set_other_starts(None, QColor())
        else:
            mark = mark_of(self._session, overlay.branch)
            self._mark.show_mark(mark)
            starts = None if difference is None else (difference.added, difference.lost)
            self._edit.tokens.set_other_starts(starts, self._theme.mark_color(mark))
            facts = self._tokens_text(difference) if difference is not None else self._reason()
            is_same = difference is not None and not difference.is_elsewhere
            set_role(self._label, "quiet" if is_same else "warning")
            self._label.setText(labelled(object_name(overlay.branch), facts))

    def _reason(self) -> str:
        """Say why there is no difference to show."""
        overlay, steps = self._session.overlay, self._session.cursor.steps
        if overlay.run is None:
            return self.tr("not trained on this corpus yet")
        if steps is not None and overlay.run.trainer.run_length < steps.position:
            return self.tr("training to the same step…") if overlay.is_growing else self.tr("ends before this step")
        return "…"

    def _tokens_text(self, difference: TextDifference) -> str:
        more = difference.more_tokens
        if more:
            text = f"{tokens_text(difference.tokens)} ({signed(more)})"
        elif len(difference.added):
            text = self.tr("different tokens, but the same number")
        else:
            text = self.tr("same tokens")
            if difference.is_whole:
                return text
        here = self.tr("{fact} here") if difference.is_whole else self.tr("{fact} in the first {size}")
        return here.format(fact=text, size=size_text(MAX_COMPARED))


_MAX_COUNTED: Final = 1_000_000  # bytes; in a larger text, only the visible words are counted
_MAX_FOR_OWN_PATTERN: Final = 1 << 16  # bytes of a text that `LiveText` splits at once with a user's own expression
_STRIDE: Final = 1 << 14  # bytes to split at a time
_SLICE: Final = 0.008  # seconds of work before the window can react again
_PAUSE: Final = 150  # milliseconds without a change before words are counted


class SplitterParts(QWidget):
    """The legend below the text: how many words matched each part; a click selects the next such word."""

    def __init__(self, session: Session, theme: Theme, edit: TokenEdit) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._edit = edit
        self._legend = SplitterLegend()
        theme.keep(lambda legend: legend.set_looks(theme.token_palette(), theme.token_font()), self._legend)
        self._note = SentenceLabel(name="splitterNote", role="quiet")
        self._note.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        column = gapless_column(self)
        column.setContentsMargins(0, SMALL_GAP, 0, 0)
        column.addWidget(self._legend)
        column.addWidget(self._note)
        self._work: Iterator[None] = iter(())
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._advance)
        self._pause = pause_before(self._count, _PAUSE, self)
        self._legend.part_chosen.connect(self._find_next)
        self._counted_splitting: tuple[str | None, tuple[str, ...]] | None = None
        """What the counted words depend on; see `_splitting`."""
        session.text.replaced.connect(self.refresh)
        session.text.edited.connect(self.refresh)
        session.text.tokens_changed.connect(self._follow_tokenizer)
        edit.rows.changed.connect(self._follow_view)
        self.setVisible(False)

    def set_shown(self, shown: bool) -> None:
        self.setVisible(shown)
        self.refresh()

    def refresh(self) -> None:
        """Show the parts of the current splitter, and count again."""
        self._stop()
        self._counted_splitting = self._splitting()
        if not self.isHidden():
            self._legend.set_parts(self._text.splitter_parts or ())
            self._pause.start()

    def _follow_tokenizer(self) -> None:
        """Refresh, unless only the merges have changed."""
        if self._splitting() != self._counted_splitting:
            self.refresh()

    def _splitting(self) -> tuple[str | None, tuple[str, ...]] | None:
        """Return everything about the tokenizer that words depend on."""
        tokenizer = self._session.text.tokenizer
        if tokenizer is None:
            return None
        return tokenizer.as_pipeline.splitter, tuple(tokenizer.obeyed_special_tokens)

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
        """Count the words that begin in [start, stop), then show the counts."""
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
        words = self._text.words_in(start, stop)
        first = int(np.searchsorted(words.starts, np.int64(start), "left"))
        return SplitWords(words.starts[first:], words.stops[first:], words.parts[first:])

    def _note_text(self, parts: list[str] | None, known: int) -> str:
        if self._session.text.tokenizer is None or not len(self._text):
            return ""
        if parts is None:
            return self.tr("This tokenizer splits text in several steps, so there is no single expression to show.")
        if not known and len(self._text) > _MAX_FOR_OWN_PATTERN:
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
        """Select the next word that matched a part, wrapping around at the end."""
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
                    # With the caret at the start, so that the facts are about that token.
                    self._edit.set_selection(int(words.stops[found[0]]), int(words.starts[found[0]]))
                    return
                yield


_MEASURE_DELAY: Final = 80  # milliseconds after the last change
_MAX_LINE_BYTES: Final = 400  # bytes of a line that the table of lines shows


class NumbersPage(QWidget):
    """A view of the text's metrics; while it is visible, a thread measures the text soon after each change."""

    line_chosen = Signal(int)
    """The user chose the line that starts at this byte offset."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._view = NumbersView(theme)
        self._metrics: TextMetrics | None = None
        self._text: LiveText | None = None  # the text that `_metrics` is about
        self._measured: Tokenizer | None = None
        self._runner = JobRunner(self, self._measure, _MEASURE_DELAY)
        gapless_column(self, Scrolled(self._view))
        session.text.tokens_changed.connect(self._schedule)
        session.cursor.moved.connect(self._schedule)
        self._view.line_chosen.connect(self._choose_line)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure the text, which may have changed while the page was hidden."""
        super().showEvent(event)
        self._schedule()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._runner.abandon()

    def _schedule(self) -> None:
        if self.isVisible():
            if self._session.text.live is not self._text or self._is_another_tokenizer:
                self._show(None)  # the metrics shown are those of another text or tokenizer
            self._runner.start_soon()

    @property
    def _is_another_tokenizer(self) -> bool:
        """Whether the metrics shown are from another run or tokenizer, which their headings do not name."""
        now, measured = self._session.cursor.tokenizer, self._measured
        return measured is not None and (now is None or now.store is not measured.store)

    def _measure(self) -> None:
        text, tokenizer, steps = self._session.text.live, self._session.text.tokenizer, self._session.cursor.steps
        if tokenizer is None or steps is None or self._session.text.error is not None:
            self._show(None)
            return
        if not text.is_encoded or not self.isVisible():
            return
        parts = text.snapshot()
        final = steps.tokenizer(steps.run_length).obeying(self._session.text.allowed_special)
        other = None if tokenizer.position == final.position else final

        self._runner.start(
            name="measure text",
            work=lambda report: measure_in_parts(parts, other, report),
            on_success=lambda metrics: self._show(metrics, tokenizer),
            on_error=lambda _error: self._show(None),  # the user's own regular expression took too long
        )

    def _show(self, metrics: TextMetrics | None, measured: Tokenizer | None = None) -> None:
        self._metrics, self._measured = metrics, measured
        session = self._session
        self._text = session.text.live
        position, run_length = session.cursor.position, session.cursor.run_length
        if metrics is None:
            self._view.set_metrics(None, None, position, run_length)
            self._view.set_lines(None, lambda _line: "")
        else:
            self._view.set_metrics(metrics.now, metrics.final, position, run_length)
            self._view.set_lines(metrics.lines, self._text_of_line)

    def _text_of_line(self, line: int) -> str:
        """Return the beginning of the line with this index, without its line break; empty if there is none."""
        if self._metrics is None or line >= len(self._metrics.lines.starts):
            return ""
        lines = self._metrics.lines
        start = int(lines.starts[line])
        shown = self._session.text.live.read(start, start + min(int(lines.bytes[line]), _MAX_LINE_BYTES))
        return shown.decode(errors="ignore").rstrip("\r\n\u2029")  # the last character may have been truncated

    def _choose_line(self, line: int) -> None:
        if self._metrics is not None and line < len(self._metrics.lines.starts):
            self.line_chosen.emit(int(self._metrics.lines.starts[line]))
