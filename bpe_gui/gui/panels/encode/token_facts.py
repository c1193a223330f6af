"""What is known of the token that is pointed at, page by page: itself, its word, its origin, and the text's numbers."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from bpe_gui.engine import EngineError, Tokenizer, WordTrace
from bpe_gui.engine.training.token_words import words_with_token
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.panels.encode.text_numbers import TextNumbers
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.tables.lineage_view import LineageView
from bpe_gui.gui.views.tables.replay_view import ReplayView
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from bpe_gui.gui.views.tokens import LiveTokens, Token
from bpe_gui.gui.look.widgets import named

_PAUSE: Final = 60  # milliseconds for which a token is pointed at before the slower pages follow
_AROUND: Final = 8  # bytes beside a token, which the characters that it shares may reach into
_LONGEST_WORD: Final = 4_000  # bytes of a word that is replayed
_MOST_WORDS: Final = 500
_SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
_PAGE_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Space)


class _PageBar(QTabBar):
    """Takes its keys before the window does, which steps by them."""

    def event(self, event: QEvent) -> bool:
        """Keeps the keys by which one chooses a page."""
        if event.type() == _SHORTCUT_OVERRIDE and isinstance(event, QKeyEvent) and event.key() in _PAGE_KEYS:
            event.accept()
            return True
        return super().event(event)


class TokenFacts(QTabWidget):
    """Pages about a token. Only the one in view is kept up to date."""

    token_chosen = Signal(int)
    """The id of a token of which another was made."""

    line_chosen = Signal(int)
    """The byte at which a line begins."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenFacts")
        self.setAccessibleName(self.tr("About the token and the text"))
        self.setTabBar(named(_PageBar(), "tokenFactsBar"))
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
        self._numbers = TextNumbers(session, theme)
        self.addTab(self._inspector, self.tr("Token"))
        self.addTab(self._replay, self.tr("Replay"))
        self.addTab(self._lineage, self.tr("Lineage"))
        self.addTab(self._numbers, self.tr("Numbers"))
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._show_slowly)
        self.currentChanged.connect(self._show_page)
        self._lineage.token_chosen.connect(self.token_chosen)
        self._numbers.line_chosen.connect(self.line_chosen)

    def set_token_font(self, font: QFont) -> None:
        """Write tokens in this font."""
        self._inspector.set_token_font(font)

    def set_source(self, source: LiveTokens | None) -> None:
        """Speak of the tokens of this text; without one there is nothing to be said."""
        self._source = source

    def show_token(self, token: Token | None, color: QColor) -> None:
        """Show a token as it is now, in its colour; None if none is pointed at."""
        self._token, self._color = token, color
        self._show_page()

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it."""
        self._numbers.shut_down()

    @property
    def _tokenizer(self) -> Tokenizer | None:
        return self._session.encoding_tokenizer if self._source else None

    def _show_page(self) -> None:
        page = self.currentWidget()
        if page is self._inspector:
            self._inspect()
        elif page is not self._numbers:
            self._pause.start()

    def _show_slowly(self) -> None:
        if self.currentWidget() is self._replay:
            self._show_word()
        elif self.currentWidget() is self._lineage:
            self._show_lineage()

    def showEvent(self, event: QShowEvent) -> None:
        """What was pointed at meanwhile."""
        super().showEvent(event)
        self._show_page()

    # -- the pages --------------------------------------------------------------------------------------------------

    def _inspect(self) -> None:
        token, source, tokenizer = self._token, self._source, self._tokenizer
        if token is None or source is None or tokenizer is None:
            self._inspector.clear()
            return
        begin = max(0, token.start - _AROUND)
        around = source.text.read(begin, token.stop + _AROUND)
        token_id = None if token.unknown else token.id
        place = token.start - begin, token.stop - begin
        self._inspector.show_token(InspectedToken(token_id, token.special, around, *place, self._color), tokenizer)

    def _show_word(self) -> None:
        tokenizer = self._tokenizer
        has_marker = tokenizer is not None and tokenizer.recipe.boundary != "none"
        trace, obstacle = self._trace()
        self._replay.show_word(trace, has_marker=has_marker, obstacle=obstacle)

    def _trace(self) -> tuple[WordTrace | None, str]:
        """How the word of the token was encoded, or why that is not shown; neither if there is no token."""
        token, source, tokenizer = self._token, self._source, self._tokenizer
        if token is None or source is None or tokenizer is None:
            return None, ""
        if token.special:
            return None, self.tr("A special token is cut out before any merge: nothing is merged in it.")
        try:
            word = source.text.word_at(token.start)
            if not word:
                return None, self.tr("This text is too long to show its words with this tokenizer. Try a shorter one.")
            if len(word) > _LONGEST_WORD:
                return None, self.tr("This word is too long to be replayed.")
            traces = tokenizer.trace(word.decode())
        except EngineError as error:  # a pattern of the user's own takes too long
            return None, sentence(error)
        return (traces[0] if traces else None), ""

    def _show_lineage(self) -> None:
        token, tokenizer = self._token, self._tokenizer
        if token is None or tokenizer is None or token.unknown:
            self._lineage.show_lineage(None)
            return
        self._lineage.show_lineage(tokenizer.lineage(token.id), tokenizer.merge_counts)
        trainer = self._session.trainer
        if trainer is None or token.special:
            self._lineage.set_words(None)
        else:
            self._lineage.set_words(words_with_token(trainer, tokenizer.token(token.id), _MOST_WORDS))
