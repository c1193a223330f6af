"""Text and its tokens as of the cursor: in place, as ids, and one of them closely."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import EngineError, Tokenizer, visible
from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog
from bpe_gui.gui.dialogs.picture_dialog import PictureDialog
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.panels.encode.encode_summary import EncodeSummary
from bpe_gui.gui.panels.encode.token_facts import TokenFacts
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.views.ids.token_id_view import TokenIdView
from bpe_gui.gui.views.editor.token_view import TokenView
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Token
from bpe_gui.gui.look.widgets import MenuButton, named

_SPACE: Final = 8  # the grid of the window
_NOBODY: Final = -1
_NOWHERE: Final = -2  # a step that no other is next to
_HEIGHTS: Final = (230, 130, 250)  # of text, ids and facts, until the user moves the splitter


class EncodePanel(QWidget):
    """The text to encode, its ids and what is known of a token, linked by hover, caret, selection and clicks."""

    files_dropped = Signal(list)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("encodePanel")
        self._session = session
        self._theme = theme
        self._settings = settings
        self._source: LiveTokens | None = None
        self._tokenizer: Tokenizer | None = None  # of the tokens that are shown
        self._position = 0  # and its step
        self._marked_id: int | None = None
        self._hovered = _NOBODY
        self._focused = _NOBODY  # the token of the caret, or the current one of the ids
        self._view = TokenView()
        self._ids = TokenIdView()
        self._facts = TokenFacts(session, theme)
        self._summary = EncodeSummary(theme)
        self._white_space = self._make_toggle("whitespaceButton", self.tr("Show white space"))
        self._words = self._make_toggle("wordBoundariesButton", self.tr("Mark where words (pre-tokens) begin"))
        self._by_token = self._make_toggle("colorModeButton", self.tr("Colour equal tokens alike, but for neighbours"))
        self._picture = self._make_picture_button()
        self._decode = self._make_button("decodeIdsButton", self.tr("Decode ids…"))
        self._copy = self._make_copy_button()
        self._lay_out()
        self._connect()
        self._show_settings()
        self._show_theme()
        self._show_encoding()

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_toggle(self, name: str, words: str) -> QToolButton:
        button = named(QToolButton(autoRaise=True), name, words)
        button.setCheckable(True)
        button.setToolTip(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _make_picture_button(self) -> QToolButton:
        button = named(QToolButton(autoRaise=True), "pictureButton", self.tr("Picture…"))
        button.setToolTip(self.tr("Save the text with its colours as a picture, or copy it as HTML"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _make_button(self, name: str, words: str) -> QPushButton:
        button = named(QPushButton(words), name, words)
        set_role(button, "quiet")
        return button

    def _make_copy_button(self) -> MenuButton:
        words = self.tr("Copy ids")
        button = named(MenuButton(words, self._ids.copy_menu()), "copyIdsButton", words)
        button.setToolTip(
            self.tr("Copy all ids as a list of numbers; the arrow has other ways. Ctrl+C copies the chosen ids.")
        )
        return button

    def _make_header(self, title: str, *actions: QWidget) -> QFrame:
        header = QFrame()
        set_role(header, "panelHeader")
        name = QLabel(title)
        set_role(name, "title")
        row = QHBoxLayout(header)
        row.setContentsMargins(_SPACE, 0, _SPACE, 0)
        row.setSpacing(_SPACE // 2)
        row.addWidget(name)
        row.addStretch(1)
        for action in actions:
            row.addWidget(action)
        return header

    def _make_text_part(self) -> QWidget:
        part = QWidget()
        column = _column(part)
        column.addWidget(self._view, 1)
        column.addWidget(self._summary)
        return part

    def _make_ids_part(self) -> QWidget:
        part = QWidget()
        self._decode.setToolTip(self.tr("Paste ids and see the text that they make"))
        column = _column(part)
        column.addWidget(self._make_header(self.tr("Ids"), self._decode, self._copy))
        column.addWidget(self._ids, 1)
        return part

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        splitter.setObjectName("encodeSplitter")
        for part in (self._make_text_part(), self._make_ids_part(), self._facts):
            splitter.addWidget(part)
        splitter.setSizes(_HEIGHTS)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        column = _column(self)
        actions = self._white_space, self._words, self._by_token, self._picture
        column.addWidget(self._make_header(self.tr("Encode"), *actions))
        column.addWidget(splitter, 1)

    def _connect(self) -> None:
        session, view, ids = self._session, self._view, self._ids
        session.text_changed.connect(self._show_encoding)
        session.encoding_changed.connect(self._show_encoding)
        session.run_changed.connect(self._forget_step)
        self._theme.changed.connect(self._show_theme)
        view.text_edited.connect(session.text_was_edited)
        view.files_dropped.connect(self.files_dropped)
        view.token_hovered.connect(self._hover_in_text)
        view.token_clicked.connect(self._mark)
        view.caret_moved.connect(self._follow_caret)
        view.selection_changed.connect(self._follow_selection)
        ids.token_hovered.connect(self._hover_in_ids)
        ids.token_clicked.connect(self._mark)
        ids.current_changed.connect(self._follow_ids)
        ids.selection_changed.connect(self._select_in_text)
        self._facts.token_chosen.connect(self._show_marked)
        self._facts.line_chosen.connect(view.set_caret)
        self._copy.clicked.connect(lambda: ids.copy())
        self._decode.clicked.connect(self._ask_for_ids)
        self._picture.clicked.connect(self._ask_for_picture)
        self._white_space.toggled.connect(self._choose_white_space)
        self._words.toggled.connect(self._choose_word_boundaries)
        self._by_token.toggled.connect(self._choose_color_mode)

    def shut_down(self) -> None:
        """Stop the work in the background and wait for it, because the window closes."""
        self._facts.shut_down()

    # -- looks ------------------------------------------------------------------------------------------------------

    def _show_settings(self) -> None:
        self._white_space.setChecked(self._settings.white_space_visible)
        self._words.setChecked(self._settings.word_boundaries_visible)
        self._by_token.setChecked(self._settings.color_mode == "token")

    def _show_theme(self) -> None:
        self._set_fonts()
        palette = self._theme.token_palette()
        self._view.set_palette_colors(palette)
        self._ids.set_palette_colors(palette)
        self._white_space.setIcon(self._theme.icon("whitespace"))
        self._words.setIcon(self._theme.icon("word-boundaries"))
        self._by_token.setIcon(self._theme.icon("tokens"))
        self._picture.setIcon(self._theme.icon("picture"))
        self._describe()

    def _set_fonts(self) -> None:
        font = self._theme.token_font()
        self._view.setFont(font)
        self._ids.setFont(font)
        self._facts.set_token_font(font)
        self._summary.set_fonts()

    def showEvent(self, event: QShowEvent) -> None:
        """Sets the fonts anew: a style sheet forgets them when the panel is put into its window."""
        super().showEvent(event)
        self._set_fonts()

    def _choose_white_space(self, shown: bool) -> None:
        self._settings.white_space_visible = shown
        self._view.set_whitespace_visible(shown)

    def _choose_word_boundaries(self, shown: bool) -> None:
        self._settings.word_boundaries_visible = shown
        self._view.set_word_boundaries_visible(shown)

    def _choose_color_mode(self, by_token: bool) -> None:
        self._settings.color_mode = "token" if by_token else "position"
        self._view.set_color_mode(self._color_mode)
        self._ids.set_color_mode(self._color_mode)
        self._describe()

    @property
    def _color_mode(self) -> ColorMode:
        return ColorMode.BY_TOKEN if self._by_token.isChecked() else ColorMode.BY_POSITION

    # -- text and tokens --------------------------------------------------------------------------------------------

    def _forget_step(self) -> None:
        """The next tokens are of other merges: nothing was done last."""
        self._position = _NOWHERE
        self._unmark()

    def _show_encoding(self) -> None:
        """Show the tokens that the text has now: after an edit, a move of the cursor, or when more are known."""
        session = self._session
        tokenizer, text = session.encoding_tokenizer, session.live_text
        if self._source is None or self._source.text is not text or tokenizer is not self._tokenizer:
            self._take_source(tokenizer)
        else:
            self._view.tokens_changed()
            self._ids.tokens_changed()
        self._hovered = _NOBODY  # what is under the mouse may be another token now
        self._copy.setEnabled(len(text) > 0 and tokenizer is not None)
        self._decode.setEnabled(tokenizer is not None)
        self._follow_caret()

    def _take_source(self, tokenizer: Tokenizer | None) -> None:
        is_same_text = self._source is not None and self._source.text is self._session.live_text
        is_next_step = tokenizer is not None and abs(tokenizer.position - self._position) == 1
        self._tokenizer, self._position = tokenizer, tokenizer.position if tokenizer else 0
        self._source = self._present(tokenizer)
        self._ids.set_source(self._source if tokenizer else None)
        self._ids.set_largest_id(tokenizer.largest_id if tokenizer else 0)
        self._facts.set_source(self._source if tokenizer else None)
        self._view.set_source(self._source, flash=is_same_text and is_next_step)  # last, for it tells of its caret
        if not is_same_text:
            self._unmark()

    def _present(self, tokenizer: Tokenizer | None) -> LiveTokens:
        if tokenizer is None:
            return LiveTokens(self._session.live_text)
        unknown = self.tr("unknown symbol")
        return LiveTokens(
            self._session.live_text,
            label=lambda token_id: unknown if token_id == UNKNOWN_ID else visible(tokenizer.token(token_id)),
            special_ids=tokenizer.special_tokens.values(),
            unknown_ids=(UNKNOWN_ID,),
        )

    def _ask_for_ids(self) -> None:
        if self._tokenizer is None:  # the button is disabled
            return
        dialog = DecodeDialog(self._tokenizer, self._theme, self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.text_chosen.connect(self._view.replace_text)
        dialog.open()

    def _ask_for_picture(self) -> None:
        if self._source is None:
            return
        start, stop = self._view.selection
        dialog = PictureDialog(
            self._theme,
            self._source,
            self._view.visible_span(),
            (start, stop) if start < stop else None,
            self._color_mode,
            self._white_space.isChecked(),
            self.window(),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # -- what is pointed at -----------------------------------------------------------------------------------------

    def _hover_in_text(self, number: int) -> None:
        self._hovered = number
        self._ids.set_highlight(number)
        self._describe()

    def _hover_in_ids(self, number: int) -> None:
        self._hovered = number
        self._view.set_highlight(self._focused_in_ids if number == _NOBODY else number)
        self._describe()

    @property
    def _focused_in_ids(self) -> int:
        return self._focused if self._ids.hasFocus() else _NOBODY

    def _follow_caret(self) -> None:
        self._focused = self._token_at(self._view.caret)
        self._ids.set_current(self._focused)
        self._follow_selection()
        self._describe()

    def _token_at(self, place: int) -> int:
        """The number of the token after a place, else of the one that ends there, else nobody's."""
        if self._source is None:
            return _NOBODY
        try:
            tokens = self._source.overlapping(max(0, place - 1), place + 1)
        except EngineError:
            return _NOBODY
        index = tokens.at_caret(place)
        return _NOBODY if index < 0 or tokens.first < 0 else tokens.first + index

    def _follow_selection(self) -> None:
        start, stop = self._view.selection
        if self._source is not None and start < stop:
            first, tokens = self._source.text.tokens_in(start, stop)
            self._ids.set_selection(max(0, first), max(0, first) + (len(tokens.ids) if first >= 0 else 0))
        else:
            self._ids.set_selection(0, 0)
        self._summarize()

    def _select_in_text(self, first: int, last: int) -> None:
        """Select in the text what ids are chosen of; for a single one, the caret goes there."""
        if self._source is None or first >= last:
            return
        tokens = self._source.slice(first, last)
        start = int(tokens.starts[0])
        with QSignalBlocker(self._view):  # the ids know already
            self._view.set_selection(start, int(tokens.stops[-1]) if last - first > 1 else start)
        self._summarize()

    def _follow_ids(self, number: int) -> None:
        self._focused = number
        self._view.set_highlight(number)
        self._describe()

    def _describe(self) -> None:
        """Tell of the token under the mouse, else of the one at the caret."""
        number = self._focused if self._hovered == _NOBODY else self._hovered
        token = self._token(number)
        self._facts.show_token(token, self._ids.color_of(number) if token else QColor())

    def _token(self, number: int) -> Token | None:
        if self._source is None or self._tokenizer is None or not 0 <= number < len(self._source):
            return None
        return self._source.slice(number, number + 1)[0]

    def _mark(self, number: int) -> None:
        """Mark every token equal to the one that was clicked, or none if they were marked."""
        token = self._token(number)
        if token is not None:
            self._show_marked(None if token.id == self._marked_id else token.id)

    def _unmark(self) -> None:
        self._show_marked(None)

    def _show_marked(self, token_id: int | None) -> None:
        self._marked_id = token_id
        self._view.set_marked_ids(token_id)
        self._ids.set_marked_ids(token_id)
        self._summarize()

    def _summarize(self) -> None:
        session = self._session
        self._summary.show_tokens(
            session.live_text, self._tokenizer, session.encode_error, self._marked(), self._view.selection
        )

    def _marked(self) -> tuple[int, str] | None:
        if self._marked_id is None or self._source is None:
            return None
        try:
            return self._marked_id, self._source.label(self._marked_id)
        except EngineError:
            return None  # the cursor went back to before it was made


def _column(widget: QWidget) -> QVBoxLayout:
    """A layout that stacks parts without space between."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
