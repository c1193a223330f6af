"""Find in a text: typing starts a search, done in slices, and its matches are selected one by one."""

from abc import abstractmethod
from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.search.text_search import Finder, PatternFinder, Span, TextSearch, TokenFinder
from bpe_gui.gui.search.token_filter import id_of, plain_pattern, typed_id
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.find_bar import FindBar, FindMode
from bpe_gui.gui.wording.phrases import counted, number

_MAX_TAKEN: Final = 200  # characters of selected text that the bar adopts as the text to find


class Move(Enum):
    """Where to go once the search is complete."""

    NOWHERE = 0
    NEAREST = 1
    NEXT = 2
    PREVIOUS = 3


class TextFinder(QObject):
    """A find bar for a text; a subclass for each kind of editor implements searching and selecting.

    Offsets are bytes of the text's UTF-8. Only complete searches are used. A new query or a new text ends a search.
    """

    def __init__(self, bar: FindBar, parent: QObject) -> None:
        super().__init__(parent)
        self.bar: Final = bar
        self._search: TextSearch | None = None
        self._move = Move.NOWHERE
        self._match: Span = (0, 0)  # the one selected last
        self._shown: Span = (0, 0)  # the selection for it, which is widened to whole characters
        self._origin = 0  # where a search for text that is being typed starts
        self._slices = QTimer(self)
        self._slices.timeout.connect(self._advance)
        bar.edited.connect(self._find_nearest)
        bar.next_requested.connect(self.find_next)
        bar.previous_requested.connect(self.find_previous)
        bar.closed.connect(self._close)
        bar.restored.connect(self.outdate)

    # -- the text, for subclasses -----------------------------------------------------------------------------------

    @abstractmethod
    def _make_finder(self) -> Finder | str:
        """Return a finder for the typed text, or say why nothing can be found; empty if nothing was typed."""

    def _make_other_finder(self) -> Finder | None:
        """Return a finder for the next match when nothing is typed, or None."""
        return None

    @abstractmethod
    def _selection(self) -> Span:
        """Return start and stop of the selected text; both are the caret's offset if nothing is selected."""

    @abstractmethod
    def _selected_text(self) -> str:
        """Return the selected text; empty if there is none or if it is long."""

    @abstractmethod
    def _select(self, span: Span) -> None:
        """Select a match and scroll to it."""

    def _mark(self, search: TextSearch | None) -> None:
        """Mark the visible matches of a search; None removes the marks."""

    @abstractmethod
    def _take_focus(self) -> None:
        """Give the focus to the text."""

    # -- user actions -----------------------------------------------------------------------------------------------

    def begin_search(self) -> None:
        """Show the bar with the selected text or, if a search selected it, with the text searched for last."""
        is_found = self._search is not None and self._selection() == self._shown
        selected = "" if is_found else self._selected_text()
        self.bar.open(selected if len(selected) <= _MAX_TAKEN and selected.isprintable() else "")
        self._begin(Move.NOWHERE)

    def find_next(self) -> None:
        """Select the next match, wrapping around at the end."""
        self._go(Move.NEXT)

    def find_previous(self) -> None:
        """Select the previous match, wrapping around at the start."""
        self._go(Move.PREVIOUS)

    def find_other(self) -> None:
        """Select the next match that would be found if nothing were typed."""
        self._stop()
        finder = self._make_other_finder()
        if finder is not None:
            self._start(finder, Move.NEXT)

    def outdate(self) -> None:
        """Drop the search because the text or its tokens have changed; if the bar is open, search again at once."""
        self._stop()
        if not self.bar.isHidden():
            self._begin(Move.NOWHERE)

    def show_position(self) -> None:
        if self._search is not None and self._search.is_complete:
            self.bar.show_count(self._count_text(self._search))

    def _find_nearest(self) -> None:
        if self._selection() != self._shown:
            self._origin = self._selection()[0]
        self._begin(Move.NEAREST)

    def _go(self, move: Move) -> None:
        if self._search is None:
            self._begin(move)
        elif self._search.is_complete:
            self._carry_out(move, self._search)
        else:
            self._move = move

    def _close(self) -> None:
        self._mark(None)
        self._take_focus()

    # -- the search -------------------------------------------------------------------------------------------------

    def _begin(self, move: Move) -> None:
        """Search for the typed text, then make `move`."""
        self._stop()
        finder = self._make_finder()
        if finder == "" and move in (Move.NEXT, Move.PREVIOUS):
            finder = self._make_other_finder() or ""
        if isinstance(finder, str):
            self.bar.show_count(finder)
            return
        self.bar.show_count(self.tr("searching…"))
        self._start(finder, move)

    def _start(self, finder: Finder, move: Move) -> None:
        self._move, self._search = move, TextSearch(finder)
        self._slices.start()
        self._advance()

    def _stop(self) -> None:
        self._slices.stop()
        self._search = None
        self._mark(None)

    def _advance(self) -> None:
        search = self._search
        if search is not None and search.advance():
            self._slices.stop()
            if not self.bar.isHidden():
                self._mark(search)
            self._carry_out(self._move, search)

    def _carry_out(self, move: Move, search: TextSearch) -> None:
        """Select the match that `move` goes to, if any."""
        if search.total and move is not Move.NOWHERE:
            self._match = search.span(self._destination(move, search) % search.total)
            self._select(self._match)
            self._shown = self._selection()
            if move is not Move.NEAREST:
                self._origin = self._match[0]
        self.show_position()

    def _destination(self, move: Move, search: TextSearch) -> int:
        if move is Move.NEAREST:
            return search.index_from(self._origin)
        start, stop = self._current_span()
        index = search.index_from(start)
        if move is Move.PREVIOUS:
            return index - 1
        return index + 1 if self._is_at(index, search) else search.index_from(stop)

    def _current_span(self) -> Span:
        """Return the selected match, or else the selection."""
        selection = self._selection()
        return self._match if selection == self._shown else selection

    def _is_at(self, index: int, search: TextSearch) -> bool:
        return index < search.total and search.span(index) == self._current_span()

    def _count_text(self, search: TextSearch, before: int = 0, after: int = 0, more: str = "") -> str:
        """Say which match is selected; `before` and `after` it there are some elsewhere, and `more` is for the rest."""
        total = before + search.total + after
        if not total:
            return self.tr("no match")
        index = search.index_from(self._current_span()[0])
        if not self._is_at(index, search):
            return counted(total, self.tr("1 match"), self.tr("{count} matches"))
        return self.tr("{index} of {total}").format(index=number(before + index + 1), total=number(total) + more)


_MAX_TAKEN_BYTES: Final = 800  # bytes of selected text


class EncodeFind(TextFinder):
    """Finds text, tokens and ids; with nothing typed, finds the next occurrence of the selected token.

    `found(offset)`: the match at this offset was selected, widened to the whole character if it starts inside one.
    """

    found = Signal(int)

    def __init__(self, session: Session, theme: Theme, edit: TokenEdit, parent: QObject) -> None:
        super().__init__(FindBar(theme, finds_tokens=True), parent)
        self._session = session
        self._edit = edit
        for changed in (session.text.replaced, session.text.edited):
            changed.connect(self.outdate)
        for changed in (session.text.tokens_changed, session.selection.changed):
            changed.connect(self._outdate_tokens)
        edit.caret_moved.connect(self.show_position)
        edit.selection_changed.connect(self.show_position)

    def _make_finder(self) -> Finder | str:
        text, mode = self.bar.text, self.bar.mode
        if not text:
            return ""
        if mode is FindMode.TEXT:
            return PatternFinder([block for block, _tokens in self._session.text.live.snapshot()], plain_pattern(text))
        tokenizer = self._session.text.tokenizer
        token_id = typed_id(text)
        if mode is not FindMode.ID:
            token_id = None if tokenizer is None else id_of(text, tokenizer)
        return self.tr("no such token") if token_id is None else self._find_tokens(token_id)

    def _make_other_finder(self) -> Finder | None:
        ids = self._session.selection.ids_in(self._session.text.tokenizer)
        finder = self._find_tokens(ids[0]) if len(ids) == 1 else None
        return None if isinstance(finder, str) else finder

    def _find_tokens(self, token_id: int) -> Finder | str:
        live = self._session.text.live
        return TokenFinder(live.snapshot(), token_id) if live.is_encoded else self.tr("encoding…")

    def _outdate_tokens(self) -> None:
        """Search again for a token or an id; a search for text is not affected."""
        if not self.bar.text or self.bar.mode is not FindMode.TEXT:
            self.outdate()

    def _selection(self) -> Span:
        return self._edit.selection.span

    def _selected_text(self) -> str:
        start, stop = self._edit.selection.span
        if stop - start > _MAX_TAKEN_BYTES or self.bar.mode is not FindMode.TEXT:
            return ""
        return self._session.text.live.read(start, stop).decode(errors="replace")

    def _select(self, span: Span) -> None:
        start, stop = span
        self._edit.set_selection(stop, start)  # with the caret at the start
        self.found.emit(start)

    def _mark(self, search: TextSearch | None) -> None:
        self._edit.tokens.set_found(None if search is None else search.spans_in)

    def _take_focus(self) -> None:
        self._edit.setFocus()
