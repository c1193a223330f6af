"""Finding text, or a token, in the text to encode."""

from typing import Final

from PySide6.QtCore import QObject, Signal

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.text_finder import TextFinder
from bpe_gui.gui.search.text_search import Finder, PatternFinder, Span, TextSearch, TokenFinder
from bpe_gui.gui.search.token_filter import id_of, plain_pattern, typed_id
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.find_bar import FindBar, FindMode

_MAX_TAKEN: Final = 800  # bytes of selected text


class EncodeFind(TextFinder):
    """Finds text, tokens and ids; with nothing typed, the next occurrence of the token that is selected.

    `found(offset)`: a match that begins at this offset was selected, with the whole of a character that begins earlier.
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
        token_id = typed_id(text) if mode is FindMode.ID else self._id_of(text)
        return self.tr("no such token") if token_id is None else self._find_tokens(token_id)

    def _id_of(self, text: str) -> int | None:
        tokenizer = self._session.text.tokenizer
        return None if tokenizer is None else id_of(text, tokenizer)

    def _make_other_finder(self) -> Finder | None:
        ids = self._session.selection.ids_in(self._session.text.tokenizer)
        finder = self._find_tokens(ids[0]) if len(ids) == 1 else None
        return None if isinstance(finder, str) else finder

    def _find_tokens(self, token_id: int) -> Finder | str:
        live = self._session.text.live
        return TokenFinder(live.snapshot(), token_id) if live.is_encoded else self.tr("encoding…")

    def _outdate_tokens(self) -> None:
        """Search again unless text is being searched, which has not changed."""
        if not self.bar.text or self.bar.mode is not FindMode.TEXT:
            self.outdate()

    def _selection(self) -> Span:
        return self._edit.selection.span

    def _selected_text(self) -> str:
        start, stop = self._edit.selection.span
        if stop - start > _MAX_TAKEN or self.bar.mode is not FindMode.TEXT:
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
