"""The pages about a token (its bytes, the replay of its word, its lineage) and the page of numbers about the text."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from bpe_gui.engine import EngineError, Tokenizer, WordTrace
from bpe_gui.engine.training import words_with_token
from bpe_gui.gui.look.qt_constants import SHORTCUT_OVERRIDE, SIDEWAYS_KEYS
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.tables.lineage_view import LineageView
from bpe_gui.gui.views.tables.replay_view import ReplayView
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from bpe_gui.gui.views.tokens import LiveTokens, Token
from bpe_gui.gui.wording.error_messages import error_message

from .numbers_page import NumbersPage

_PAGE_DELAY: Final = 60  # milliseconds from showing a token to updating the slow pages
_CONTEXT_BYTES: Final = 8  # bytes before and after a token that may belong to a character it shares with its neighbours
_MAX_WORD_BYTES: Final = 4_000  # of a word that is replayed
_MAX_WORDS: Final = 500
_PAGE_KEYS: Final = (*SIDEWAYS_KEYS, Qt.Key.Key_Space)


class _PageBar(QTabBar):
    """A tab bar whose keys do not trigger the window's shortcuts while it has the focus."""

    def event(self, event: QEvent) -> bool:
        """Accept the keys that choose a page."""
        if event.type() == SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and event.key() in _PAGE_KEYS:
            event.accept()
            return True
        return super().event(event)


class TokenFacts(QTabWidget):
    """The pages about a token, and the one of numbers about the text. Only the visible page is kept up to date."""

    token_chosen = Signal(int)
    """The user chose the part with this id in the lineage of the token."""

    line_chosen = Signal(int)
    """The user chose the line that starts at this byte offset."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenFacts")
        self.setAccessibleName(self.tr("About the token and the text"))
        self.setTabBar(name_widget(_PageBar(), "tokenFactsBar"))
        self.tabBar().setAccessibleName(self.tr("Pages about the token and the text"))
        self.setDocumentMode(True)
        self._session = session
        self._theme = theme
        self._source: LiveTokens | None = None
        self._token: Token | None = None
        self._color = QColor()
        self._inspector = TokenInspector()
        self._replay = ReplayView(theme)
        self._lineage = LineageView(theme)
        self._numbers = NumbersPage(session, theme)
        self.addTab(self._inspector, self.tr("Token"))
        self.addTab(self._replay, self.tr("Replay"))
        self.addTab(self._lineage, self.tr("Lineage"))
        self.addTab(self._numbers, self.tr("Numbers"))
        self._page_timer = QTimer(self, singleShot=True, interval=_PAGE_DELAY)
        self._page_timer.timeout.connect(self._show_slow_page)
        self.currentChanged.connect(self._show_page)
        self._lineage.token_chosen.connect(self.token_chosen)
        self._numbers.line_chosen.connect(self.line_chosen)

    def set_token_font(self, font: QFont) -> None:
        """Show the bytes and characters of a token in `font`."""
        self._inspector.set_token_font(font)

    def set_source(self, source: LiveTokens | None) -> None:
        """Set the source of the tokens that are shown from now on; None if there is none."""
        self._source = source

    def show_token(self, token: Token | None, color: QColor) -> None:
        """Show a token in its colour, or a hint for None."""
        self._token, self._color = token, color
        self._show_page()

    def shut_down(self) -> None:
        """Cancel the work in the background and wait for its end."""
        self._numbers.shut_down()

    @property
    def _tokenizer(self) -> Tokenizer | None:
        return self._session.text.tokenizer if self._source else None

    def _show_page(self) -> None:
        page = self.currentWidget()
        if page is self._inspector:
            self._inspect()
        elif page is not self._numbers:
            self._page_timer.start()

    def _show_slow_page(self) -> None:
        if self.currentWidget() is self._replay:
            self._show_word()
        elif self.currentWidget() is self._lineage:
            self._show_lineage()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the token set while the widget was hidden."""
        super().showEvent(event)
        self._show_page()

    # -- the pages --------------------------------------------------------------------------------------------------

    def _inspect(self) -> None:
        token, source, tokenizer = self._token, self._source, self._tokenizer
        if token is None or source is None or tokenizer is None:
            self._inspector.clear()
            return
        start = max(0, token.start - _CONTEXT_BYTES)
        context = source.text.read(start, token.stop + _CONTEXT_BYTES)
        token_id = None if token.unknown else token.id
        span = token.start - start, token.stop - start
        self._inspector.show_token(InspectedToken(token_id, token.special, context, *span, self._color), tokenizer)

    def _show_word(self) -> None:
        tokenizer = self._tokenizer
        has_marker = tokenizer is not None and tokenizer.recipe.boundary != "none"
        trace, obstacle = self._trace()
        self._replay.show_word(trace, has_marker=has_marker, obstacle=obstacle)

    def _trace(self) -> tuple[WordTrace | None, str]:
        """Return the trace of the token's word, or the reason why there is none; neither if there is no token."""
        token, source, tokenizer = self._token, self._source, self._tokenizer
        if token is None or source is None or tokenizer is None:
            return None, ""
        if token.special:
            return None, self.tr("A special token is cut out before any merge: nothing is merged in it.")
        try:
            word = source.text.word_at(token.start)
            if not word:
                return None, self.tr("This text is too long to show its words with this tokenizer. Try a shorter one.")
            if len(word) > _MAX_WORD_BYTES:
                return None, self.tr("This word is too long to be replayed.")
            traces = tokenizer.trace(word.decode())
        except EngineError as error:  # a custom pattern takes too long
            return None, error_message(error)
        return (traces[0] if traces else None), ""

    def _show_lineage(self) -> None:
        token, tokenizer = self._token, self._tokenizer
        if token is None or tokenizer is None or token.unknown:
            self._lineage.show_lineage(None)
            return
        self._lineage.show_lineage(tokenizer.lineage(token.id), tokenizer.merge_counts)
        trainer = self._session.cursor.trainer
        if trainer is None or token.special:
            self._lineage.set_words(None)
        else:
            self._lineage.set_words(words_with_token(trainer, tokenizer.token(token.id), _MAX_WORDS))
