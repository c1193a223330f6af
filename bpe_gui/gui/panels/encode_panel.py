"""Text and its tokens as of the cursor: in place, as ids, and one of them closely."""

from collections.abc import Callable
from itertools import chain
from typing import Final

import numpy as np
from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QShowEvent
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

from bpe_gui.engine import Encoding, Tokenizer, visible
from bpe_gui.gui.live_encoder import UNKNOWN_ID
from bpe_gui.gui.messages import sentence
from bpe_gui.gui.numbers import number
from bpe_gui.gui.session import Session
from bpe_gui.gui.settings import Settings
from bpe_gui.gui.theme import Theme, set_role
from bpe_gui.gui.views.sentence_label import SentenceLabel
from bpe_gui.gui.views.token_id_view import TokenIdView
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from bpe_gui.gui.views.token_view import TokenView
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, Tokens

_SPACE: Final = 8  # the grid of the window
_NOBODY: Final = -1
_HEIGHTS: Final = (230, 160, 220)  # of text, ids and inspector, until the user moves the splitter


class EncodePanel(QWidget):
    """The text to encode, its ids and the inspector, linked by hover, caret and clicks."""

    files_dropped = Signal(list)

    def __init__(self, session: Session, theme: Theme, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("encodePanel")
        self._session = session
        self._theme = theme
        self._settings = settings
        self._tokens = NO_TOKENS
        self._tokenizer: Tokenizer | None = None
        self._utf8 = b""
        self._marked_id: int | None = None
        self._hovered = _NOBODY
        self._focused = _NOBODY  # the token of the caret, or the current one of the ids
        self._editing = False
        self._view = TokenView()
        self._ids = TokenIdView()
        self._inspector = TokenInspector()
        self._summary = SentenceLabel(name="encodeSummary")
        self._summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._warning = SentenceLabel(name="encodeWarning")
        set_role(self._warning, "warning")
        self._white_space = self._make_toggle("whitespaceButton", self.tr("Show white space"))
        self._by_token = self._make_toggle("colorModeButton", self.tr("Colour equal tokens alike"))
        self._copy = self._make_button("copyIdsButton", self.tr("Copy ids"))
        self._close = self._make_button("closeTokenizerButton", self.tr("Back to the run"))
        self._banner_text = SentenceLabel(name="openedTokenizerLabel")
        self._banner = self._make_banner()
        self._lay_out()
        self._connect()
        self._show_settings()
        self._show_theme()
        self._show_opened()
        self._show_text()
        self._show_encoding()

    # -- the parts --------------------------------------------------------------------------------------------------

    def _make_toggle(self, name: str, words: str) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setCheckable(True)
        button.setObjectName(name)
        button.setAccessibleName(words)
        button.setToolTip(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _make_button(self, name: str, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName(name)
        button.setAccessibleName(words)
        set_role(button, "quiet")
        return button

    def _make_banner(self) -> QFrame:
        banner = QFrame()
        banner.setObjectName("openedTokenizerBanner")
        set_role(banner, "banner")
        row = QHBoxLayout(banner)
        row.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        row.addWidget(self._banner_text, 1)
        row.addWidget(self._close)
        return banner

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
        facts = QVBoxLayout()
        facts.setContentsMargins(_SPACE, _SPACE, _SPACE, _SPACE // 2)
        facts.setSpacing(_SPACE // 2)
        facts.addWidget(self._summary)
        facts.addWidget(self._warning)
        column = _column(part)
        column.addWidget(self._view, 1)
        column.addLayout(facts)
        return part

    def _make_ids_part(self) -> QWidget:
        part = QWidget()
        self._copy.setToolTip(
            self.tr("Copy all ids as a list of numbers. Ctrl+C among the ids copies the chosen ones.")
        )
        column = _column(part)
        column.addWidget(self._make_header(self.tr("Ids"), self._copy))
        column.addWidget(self._ids, 1)
        return part

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        splitter.setObjectName("encodeSplitter")
        for part in (self._make_text_part(), self._make_ids_part(), self._inspector):
            splitter.addWidget(part)
        splitter.setSizes(_HEIGHTS)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        column = _column(self)
        column.addWidget(self._make_header(self.tr("Encode"), self._white_space, self._by_token))
        column.addWidget(self._banner)
        column.addWidget(splitter, 1)

    def _connect(self) -> None:
        session = self._session
        session.text_changed.connect(self._show_text)
        session.encoding_changed.connect(self._show_encoding)
        session.run_changed.connect(self._unmark)
        session.tokenizer_opened.connect(self._show_opened)
        self._theme.changed.connect(self._show_theme)
        self._view.text_edited.connect(self._edit)
        self._view.files_dropped.connect(self.files_dropped)
        self._view.token_hovered.connect(self._hover_in_text)
        self._view.token_clicked.connect(self._mark)
        self._view.caret_token_changed.connect(self._follow_caret)
        self._ids.token_hovered.connect(self._hover_in_ids)
        self._ids.token_clicked.connect(self._mark)
        self._ids.current_changed.connect(self._follow_ids)
        self._copy.clicked.connect(self._copy_all)
        self._close.clicked.connect(session.close_tokenizer)
        self._white_space.toggled.connect(self._choose_white_space)
        self._by_token.toggled.connect(self._choose_color_mode)

    # -- looks ------------------------------------------------------------------------------------------------------

    def _show_settings(self) -> None:
        self._white_space.setChecked(self._settings.white_space_visible)
        self._by_token.setChecked(self._settings.color_mode == "token")

    def _show_theme(self) -> None:
        self._set_fonts()
        palette = self._theme.token_palette()
        self._view.set_palette_colors(palette)
        self._ids.set_palette_colors(palette)
        self._white_space.setIcon(self._theme.icon("whitespace"))
        self._by_token.setIcon(self._theme.icon("tokens"))
        self._inspect()

    def _set_fonts(self) -> None:
        font = self._theme.token_font()
        self._view.setFont(font)
        self._ids.setFont(font)
        self._inspector.set_token_font(font)
        self._summary.setFont(self._theme.number_font())

    def showEvent(self, event: QShowEvent) -> None:
        """Sets the fonts anew: a style sheet forgets them when the panel is put into its window."""
        super().showEvent(event)
        self._set_fonts()

    def _choose_white_space(self, shown: bool) -> None:
        self._settings.white_space_visible = shown
        self._view.set_whitespace_visible(shown)

    def _choose_color_mode(self, by_token: bool) -> None:
        self._settings.color_mode = "token" if by_token else "position"
        mode = ColorMode.BY_TOKEN if by_token else ColorMode.BY_POSITION
        self._view.set_color_mode(mode)
        self._ids.set_color_mode(mode)
        self._inspect()

    # -- text and tokens --------------------------------------------------------------------------------------------

    def _edit(self) -> None:
        self._editing = True
        self._session.edit_text(self._view.text())
        self._editing = False

    def _show_text(self) -> None:
        self._view.set_text(self._session.text)

    def _show_opened(self) -> None:
        path = self._session.opened_path
        self._banner.setVisible(path is not None)
        self._banner_text.setText(self.tr("Encoding with the tokenizer opened from {path}").format(path=path))
        self._unmark()

    def _show_encoding(self) -> None:
        session = self._session
        self._tokenizer = session.tokenizer
        self._tokens = self._present_tokens(session.encoding)
        self._utf8 = session.text.encode("utf-8", "surrogatepass")
        self._hovered = _NOBODY  # what is under the mouse may be another token now
        self._ids.set_tokens(self._tokens)
        if session.encoding is None and self._editing:
            # While somebody types in a long text, what stands before the caret keeps its tokens.
            self._inspect()
        else:
            self._view.set_tokens(self._tokens)  # which says where the caret is
        self._copy.setEnabled(len(self._tokens) > 0)
        self._summarize()

    def _present_tokens(self, encoding: Encoding | None) -> Tokens:
        if encoding is None or self._tokenizer is None:
            return NO_TOKENS
        count = len(encoding.ids)
        spans = np.fromiter(chain.from_iterable(encoding.byte_spans), dtype=np.int32, count=2 * count)
        return Tokens.of(
            np.fromiter(encoding.ids, dtype=np.int32, count=count),
            spans,
            label=self._labeller(self._tokenizer),
            special_ids=self._tokenizer.special_tokens.values(),
            unknown_ids=(UNKNOWN_ID,),
        )

    def _labeller(self, tokenizer: Tokenizer) -> Callable[[int], str]:
        unknown = self.tr("unknown symbol")
        return lambda token_id: unknown if token_id == UNKNOWN_ID else visible(tokenizer.token(token_id))

    def _copy_all(self) -> None:
        self._ids.copy_all()

    # -- what is pointed at -----------------------------------------------------------------------------------------

    def _hover_in_text(self, index: int) -> None:
        self._hovered = index
        self._ids.set_highlight(index)
        self._inspect()

    def _hover_in_ids(self, index: int) -> None:
        self._hovered = index
        self._view.set_highlight(self._focused_in_ids if index == _NOBODY else index)
        self._inspect()

    @property
    def _focused_in_ids(self) -> int:
        return self._focused if self._ids.hasFocus() else _NOBODY

    def _follow_caret(self, index: int) -> None:
        self._focused = index
        self._ids.set_current(index)
        self._inspect()

    def _follow_ids(self, index: int) -> None:
        self._focused = index
        self._view.set_highlight(index)
        self._inspect()

    def _inspect(self) -> None:
        """Show the token under the mouse, else the one at the caret."""
        index = self._focused if self._hovered == _NOBODY else self._hovered
        if self._tokenizer is None or not 0 <= index < len(self._tokens):
            self._inspector.clear()
            return
        token = self._tokens[index]
        color = self._ids.color_of(index)
        shown = InspectedToken(
            None if token.unknown else token.id, token.special, self._utf8, token.start, token.stop, color
        )
        self._inspector.show_token(shown, self._tokenizer)

    def _mark(self, index: int) -> None:
        """Mark every token equal to the one that was clicked, or none if they were marked."""
        token_id = int(self._tokens.ids[index])
        self._show_marked(None if token_id == self._marked_id else token_id)

    def _unmark(self) -> None:
        self._show_marked(None)

    def _show_marked(self, token_id: int | None) -> None:
        self._marked_id = token_id
        self._view.set_marked_ids(token_id)
        self._ids.set_marked_ids(token_id)
        self._summarize()

    # -- the summary ------------------------------------------------------------------------------------------------

    def _summarize(self) -> None:
        error = self._session.encode_error
        self._set_summary_role("warning" if error else "")
        self._summary.setText(sentence(error) if error else self._summary_text())
        unknown = int(np.count_nonzero(self._tokens.unknown))
        self._warning.setVisible(unknown > 0)
        self._warning.setText(self._unknown_text(unknown))
        # Room for the marked token from the start, so that a click moves nothing.
        self._summary.setMinimumHeight((1 if unknown else 2) * self._summary.fontMetrics().lineSpacing())

    def _set_summary_role(self, role: str) -> None:
        if role != self._summary.property("role"):
            set_role(self._summary, role)
            self._summary.setFont(self._theme.number_font())  # which a new role forgets

    def _summary_text(self) -> str:
        if self._tokenizer is None:
            return self.tr("Nothing to encode with yet: the corpus has nothing to train on.")
        if self._session.encoding is None:
            return self.tr("encoding…")
        tokens, octets = len(self._tokens), len(self._utf8)
        facts = [
            self._counted(tokens, self.tr("1 token"), self.tr("{count} tokens")),
            self._counted(len(self._session.text), self.tr("1 character"), self.tr("{count} characters")),
            self._counted(octets, self.tr("1 byte"), self.tr("{count} bytes")),
        ]
        if tokens:
            facts.append(self.tr("{ratio} bytes per token").format(ratio=QLocale().toString(octets / tokens, "f", 2)))
        return "\n".join(filter(None, (" · ".join(facts), self._marked_text())))

    def _marked_text(self) -> str:
        if self._marked_id is None or self._tokenizer is None:
            return ""
        count = int(np.count_nonzero(self._tokens.ids == self._marked_id))
        if self._marked_id not in self._tokenizer.vocab and not count:
            return ""  # the cursor went back to before it was made
        times = self._counted(count, self.tr("once in this text"), self.tr("{count} times in this text"))
        return f"{self._tokens.label(self._marked_id)} · {times}"

    def _unknown_text(self, count: int) -> str:
        return self._counted(
            count,
            self.tr("1 symbol is not in the vocabulary and has no id."),
            self.tr("{count} symbols are not in the vocabulary and have no id."),
        )

    def _counted(self, count: int, one: str, many: str) -> str:
        return one if count == 1 else many.format(count=number(count))


def _column(widget: QWidget) -> QVBoxLayout:
    """A layout that stacks parts without space between."""
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    return layout
