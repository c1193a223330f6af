"""The text to encode and its tokens at the cursor: coloured in place, as ids, and one of them in detail."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QColor, QKeySequence
from PySide6.QtWidgets import QMenu, QStackedWidget, QToolButton, QWidget

from bpe_gui.engine import DEFAULT_RECIPE, PRESETS, EngineError, Tokenizer
from bpe_gui.gui.chats.chat_view import ChatPage
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.look.layouts import PanelHeader, SectionTitle, gapless_column, keep_space
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.overlays import DropTarget
from bpe_gui.gui.look.qt_constants import NATIVE_TEXT
from bpe_gui.gui.look.theme import Theme, hue_of, set_role
from bpe_gui.gui.look.widgets import MenuButton, add_action, icon_button, name_widget, push_button
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.editor.token_edit import TokenEdit, token_view
from bpe_gui.gui.views.token_id_view import TokenIdView
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Token
from bpe_gui.gui.wording.phrases import quoted_token
from bpe_gui.gui.wording.run_texts import reason_without_words

from .encode_parts import EncodeSplitter, EncodeSummary, OverlayLine, SplitterParts
from .finding import EncodeFind
from .token_facts import TokenFacts

_NO_TOKEN: Final = -1  # stands for a token's index in the signals of views
_LONG_EDIT: Final = 64  # bytes; after a longer one, such as a paste, the ids begin with its first


class EncodePanel(DropTarget):
    """The text to encode, its ids and the facts about a token, linked by hover, caret, selection and clicks."""

    token_menu_opened = Signal(QMenu, Selected)
    """A menu for a token is about to be shown."""

    open_requested = Signal()
    """The user wants to choose a file whose text to encode."""

    warned = Signal(str)
    """Something about what was copied that the user should know."""

    def __init__(self, session: Session, theme: Theme, settings: Settings) -> None:
        super().__init__()
        self.setObjectName("encodePanel")
        self._session = session
        self._theme = theme
        self._settings = settings
        self._source: LiveTokens | None = None
        self._tokenizer: Tokenizer | None = None  # the one whose tokens are shown
        self._position: int | None = 0  # of that tokenizer; None after a change of the run
        self._shows_selection = False  # in the facts, until the user moves the caret
        self._is_chosen_here = False  # whether the selection was chosen in the text or the ids, and not elsewhere
        self._known_caret = 0
        self._long_edit: int | None = (
            None  # where the last edit began, if it was long and the caret has not moved since
        )
        self._hovered = _NO_TOKEN
        self._focused = _NO_TOKEN  # the token at the caret, the one found, or the current one of the ids
        self._found = _NO_TOKEN  # the token found last, until the caret is moved
        self._edit = TokenEdit()
        self._edit.tokens.use_motion(theme.motion)
        self._ids = TokenIdView()
        self._facts = TokenFacts(session, theme)
        self._summary = EncodeSummary(theme)
        self._splitter_parts = SplitterParts(session, theme, self._edit)
        self.finder: Final = EncodeFind(session, theme, self._edit, self)
        words, parts = (
            self.tr("Show word (pre-token) boundaries"),
            self.tr("Colour words by the part of the splitter's expression that matched them"),
        )
        white_space, by_token = self.tr("Show whitespace"), self.tr("Colour tokens by id")
        special, chat = (
            self.tr("Encode special tokens in the text as plain text"),
            self.tr("Chat: messages in a model's chat template"),
        )
        toggle = self._toggle
        self._white_space = toggle("whitespace", "whitespaceButton", white_space, self._choose_white_space)
        self._words = toggle("word-boundaries", "wordBoundariesButton", words, self._choose_word_boundaries)
        self._by_token = toggle("tokens", "colorModeButton", by_token, self._choose_color_mode)
        self._by_splitter = toggle("splitter", "splitterColorsButton", parts, self._choose_splitter_colors)
        self._plain_special = toggle("special-tokens", "plainSpecialTokensButton", special, self._choose_plain_special)
        tip = self.tr("Save the coloured text as a picture or copy it as HTML")
        self._picture = icon_button(theme, "picture", "pictureButton", self.tr("Picture…"), tip)
        self._chat_page = ChatPage(session, theme)
        self._chat = toggle("chat", "chatButton", chat, self._show_chat)
        self._open = icon_button(theme, "open", "openTextButton", self.tr("Open text…"))
        self._of_text = self._open, self._by_token, self._by_splitter, self._plain_special, self._picture
        tip = self.tr("Convert a list of ids to text")
        self._decode = push_button("decodeIdsButton", self.tr("Decode ids…"), self._open_decode_dialog, tool_tip=tip)
        set_role(self._decode, "quiet")
        text = self.tr("Copy ids")
        self._copy = name_widget(MenuButton(text, self._ids.copy_menu), "copyIdsButton", text)
        self._copy.setToolTip(
            self.tr(
                "Copy all ids as a list of numbers. The arrow offers other formats and the tokens. {keys} copies the "
                "selected ids."
            ).format(keys=QKeySequence("Ctrl+C").toString(NATIVE_TEXT))
        )
        self._lay_out()
        self._connect()
        theme.keep_font(theme.token_font, self._edit, self._ids)
        theme.changed.connect(self._parts.share)  # after the text has its font
        self.accept_files()
        self._white_space.setChecked(self._settings.white_space_visible)
        self._words.setChecked(self._settings.word_boundaries_visible)
        self._by_token.setChecked(self._settings.color_mode == "token")
        self._by_splitter.setChecked(self._settings.splitter_colors_visible)
        self._plain_special.setChecked(self._settings.special_tokens_plain)
        self._chat.setChecked(self._session.chat.is_shown)
        self._apply_theme()
        self._show_encoding()

    # -- construction -----------------------------------------------------------------------------------------------

    def _toggle(self, icon: str, name: str, text: str, choose: Callable[[bool], object]) -> QToolButton:
        button = icon_button(self._theme, icon, name, text)
        button.setCheckable(True)
        button.toggled.connect(choose)
        return button

    def _lay_out(self) -> None:
        text, self._ids_part = QWidget(), QWidget()
        gapless_column(
            text,
            (token_view(self._edit, "tokenView", self.tr("Tokens in the text")), 1),
            self.finder.bar,
            self._splitter_parts,
            OverlayLine(self._session, self._theme, self._edit),
            self._summary,
        )
        ids_header = PanelHeader(self.tr("Ids"), self._decode, self._copy)
        gapless_column(self._ids_part, ids_header, (self._ids, 1))
        self._parts = parts = EncodeSplitter(self._edit, text, self._ids_part, self._facts)
        column = gapless_column(self)
        self._title = SectionTitle(self.tr("Encode"))
        for of_text in self._of_text:
            keep_space(of_text)  # so that the panel keeps its width
        column.addWidget(PanelHeader(self._title, *self._of_text, self._white_space, self._words, self._chat))
        self._pages = QStackedWidget()
        for page in (parts, self._chat_page):
            self._pages.addWidget(page)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        session, edit, ids = self._session, self._edit, self._ids
        session.text.replaced.connect(self._show_encoding)
        session.text.edited_elsewhere.connect(self._follow_edit)
        session.text.tokens_changed.connect(self._show_encoding)
        session.cursor.steps_changed.connect(self._forget_step)
        session.counts.changed.connect(self._show_summary)
        session.corpus.recipe_changed.connect(self._show_summary)
        self._summary.bytes_wanted.connect(lambda: session.corpus.set_recipe(PRESETS[DEFAULT_RECIPE]))
        self._theme.changed.connect(self._apply_theme)
        edit.text_edited.connect(self._note_edit)
        edit.text_edited.connect(session.text.encode_edit)
        edit.files_dropped.connect(self.files_dropped)
        edit.token_hovered.connect(self._hover_in_text)
        edit.token_clicked.connect(self._toggle_marks)
        edit.caret_moved.connect(self._caret_moved)
        edit.selection_changed.connect(self._follow_selection)
        ids.token_hovered.connect(self._hover_in_ids)
        ids.token_clicked.connect(self._toggle_marks)
        ids.current_changed.connect(self._follow_ids)
        ids.selection_changed.connect(self._select_in_text)
        self.finder.found.connect(self._follow_found)
        session.selection.changed.connect(self._show_selection)
        session.selection.occurrence_wanted.connect(self.finder.find_other)
        session.selection.lineage_wanted.connect(self._facts.show_lineage_page)
        edit.menu_opened.connect(self._extend_menu)
        ids.menu_opened.connect(self._extend_menu)
        session.selection.why_not_wanted.connect(self._facts.ask_why_not)
        self._facts.line_chosen.connect(edit.set_caret)
        self._facts.border_chosen.connect(edit.set_selection)
        self._copy.clicked.connect(weakly(ids.copy))
        ids.warned.connect(self.warned)
        self._picture.clicked.connect(self._open_picture_dialog)
        self._open.clicked.connect(self.open_requested)
        selection = session.selection
        for wanted in (selection.lineage_wanted, selection.occurrence_wanted, selection.why_not_wanted):
            wanted.connect(self.show_text)
        session.text.replaced.connect(self.show_text)

    # -- appearance -------------------------------------------------------------------------------------------------

    def _apply_theme(self) -> None:
        palette = self._theme.token_palette()
        self._edit.set_palette_colors(palette)
        self._ids.set_palette_colors(palette)
        self._show_facts()

    def show_text(self) -> None:
        """Show the text to encode, with what belongs to it, rather than a chat."""
        self._chat.setChecked(False)

    def _show_chat(self, shown: bool) -> None:
        self._session.chat.is_shown = shown
        self._title.setText(self.tr("Chat") if shown else self.tr("Encode"))
        for of_text in self._of_text:
            of_text.setHidden(shown)
        self._pages.setCurrentWidget(self._chat_page if shown else self._parts)

    def _choose_white_space(self, shown: bool) -> None:
        self._settings.white_space_visible = shown
        for edit in (self._edit, self._chat_page.edit):
            edit.tokens.set_whitespace_visible(shown)

    def _choose_word_boundaries(self, shown: bool) -> None:
        self._settings.word_boundaries_visible = shown
        for edit in (self._edit, self._chat_page.edit):
            edit.tokens.set_word_boundaries_visible(shown)

    def _choose_color_mode(self, by_token: bool) -> None:
        self._settings.color_mode = "token" if by_token else "position"
        self._show_color_mode()

    def _choose_splitter_colors(self, shown: bool) -> None:
        self._settings.splitter_colors_visible = shown
        self._by_token.setEnabled(not shown)
        self._splitter_parts.set_shown(shown)
        self._parts.share()  # the legend takes its height from the text, not from the ids and the facts
        self._show_color_mode()

    def _choose_plain_special(self, plain: bool) -> None:
        self._settings.special_tokens_plain = plain
        self._session.text.allow_special("none" if plain else "all")

    def _show_color_mode(self) -> None:
        self._edit.tokens.set_color_mode(self._color_mode)
        self._ids.set_color_mode(self._color_mode)
        self._show_facts()

    @property
    def _color_mode(self) -> ColorMode:
        if self._by_splitter.isChecked():
            return ColorMode.BY_SPLITTER
        return ColorMode.BY_TOKEN if self._by_token.isChecked() else ColorMode.BY_POSITION

    def show_only_text(self, is_learning: bool) -> None:
        """Show only the text, or also its ids and the facts about a token."""
        for part in (self._ids_part, self._facts):
            part.setHidden(is_learning)

    # -- text and tokens --------------------------------------------------------------------------------------------

    def _forget_step(self) -> None:
        """Do not flash the next tokens: they differ because the merges changed, not because of a step."""
        self._position = None

    def _show_encoding(self) -> None:
        """Show the current tokens: after an edit, after a cursor move, or when more of the text has been encoded."""
        session = self._session
        tokenizer, text = session.text.tokenizer, session.text.live
        if self._source is None or self._source.text is not text or tokenizer is not self._tokenizer:
            self._set_source(tokenizer)
        else:
            self._edit.tokens.tokens_changed()
            self._ids.tokens_changed()
        if session.text.error is not None:
            self._edit.tokens.forget_tokens()
        self._hovered = _NO_TOKEN  # another token may be under the mouse now
        self._copy.setEnabled(len(text) > 0 and tokenizer is not None)
        self._decode.setEnabled(tokenizer is not None)
        self._plain_special.setEnabled(tokenizer is not None and bool(tokenizer.special_tokens))
        self._parts.share()  # first, because ids with another height show the current one
        self._follow_caret(self._long_edit)

    def _set_source(self, tokenizer: Tokenizer | None) -> None:
        is_same_text = self._source is not None and self._source.text is self._session.text.live
        if not is_same_text:
            self._long_edit = 0
        before, self._position = self._position, tokenizer.position if tokenizer else 0
        is_next_step = tokenizer is not None and before is not None and abs(tokenizer.position - before) == 1
        self._tokenizer = tokenizer
        live, unknown = self._session.text.live, self.tr("unknown symbol")
        self._source = LiveTokens(live) if tokenizer is None else LiveTokens.of(live, tokenizer, UNKNOWN_ID, unknown)
        self._ids.set_source(self._source if tokenizer else None)
        self._ids.set_largest_id(tokenizer.largest_id if tokenizer else 0)
        self._facts.set_source(self._source if tokenizer else None)
        is_forward = tokenizer is not None and before is not None and before < tokenizer.position
        seam = self._seam(tokenizer.position) if tokenizer and is_forward else None
        # last, because it emits caret_moved
        history = self._session.text.history
        self._edit.set_source(self._source, history, flash=is_same_text and is_next_step, seam=seam)
        self._mark()

    def _seam(self, position: int) -> int | None:
        """Return the length in bytes of the left part of the token made by the step before `position`."""
        steps = self._session.cursor.steps
        return len(steps.merge_at(position - 1).left) if steps and 0 < position <= steps.run_length else None

    def _open_decode_dialog(self) -> None:
        if self._tokenizer is None:  # the button is disabled
            return
        from bpe_gui.gui.dialogs.decode_dialog import DecodeDialog

        dialog = DecodeDialog(self._tokenizer, self._theme, self.window())
        dialog.text_chosen.connect(self._edit.replace_text)
        open_once(dialog)

    def _open_picture_dialog(self) -> None:
        if self._source is None:
            return
        from bpe_gui.gui.dialogs.picture_dialogs import PictureDialog  # not yet needed when the window opens

        start, stop = self._edit.selection.span
        dialog = PictureDialog(
            self._theme,
            self._source,
            self._edit.rows.visible_span(),
            (start, stop) if start < stop else None,
            self._color_mode,
            self._white_space.isChecked(),
            self.window(),
        )
        open_once(dialog)

    # -- hover, caret and selection ---------------------------------------------------------------------------------

    def _hover_in_text(self, index: int) -> None:
        self._hovered = index
        self._ids.set_highlight(index)
        self._show_facts()

    def _hover_in_ids(self, index: int) -> None:
        self._hovered = index
        focused = self._focused if self._ids.hasFocus() else _NO_TOKEN
        self._edit.tokens.set_highlight(focused if index == _NO_TOKEN else index)
        self._show_facts()

    def _caret_moved(self, offset: int) -> None:
        """Show the facts of the token at the caret, unless that was done when the tokens changed with it."""
        if offset != self._known_caret:
            self._long_edit = None
            self._follow_caret()

    def _follow_found(self, offset: int) -> None:
        """Show the facts and the summary of the token that was found, or that starts the text that was found."""
        self._found = self._focused = self._token_at(offset)
        self._shows_selection = False
        self._ids.set_current(self._focused)
        self._show_summary()
        self._show_facts()

    def _note_edit(self, start: int, _removed: int, added: int) -> None:
        self._long_edit = start if added >= _LONG_EDIT else None

    def _follow_edit(self, start: int, removed: int, added: int) -> None:
        """Show an edit that was made in another view of the text."""
        with QSignalBlocker(self._edit):
            self._edit.follow_edit(start, removed, added)

    def _follow_caret(self, first: int | None = None) -> None:
        """Show the token at the caret; scroll to its id, or to that of the token at the offset `first`."""
        self._found = _NO_TOKEN
        caret = self._edit.selection.caret
        self._shows_selection = self._shows_selection and caret == self._known_caret
        self._known_caret = caret
        self._focused = self._token_at(caret)
        self._ids.set_current(self._focused, _NO_TOKEN if first is None else self._token_at(first))
        self._follow_selection()
        self._show_facts()

    def _token_at(self, offset: int) -> int:
        """Return the index of the token after a byte offset, or of the token that ends there, or `_NO_TOKEN`."""
        if self._source is None:
            return _NO_TOKEN
        try:
            tokens = self._source.overlapping(max(0, offset - 1), offset + 1)
        except EngineError:
            return _NO_TOKEN
        index = tokens.at_caret(offset)
        return _NO_TOKEN if index < 0 or tokens.first is None else tokens.first + index

    def _follow_selection(self) -> None:
        start, stop = self._edit.selection.span
        self._facts.set_selection(start, stop)
        if self._source is not None and start < stop:
            first, count = self._source.text.count_in(start, stop)
            self._ids.set_selection(first or 0, 0 if first is None else first + count)
        else:
            self._ids.set_selection(0, 0)
        self._show_summary()

    def _select_in_text(self, first: int, last: int) -> None:
        """Select the text of the ids from `first` to `last`; for a single id, only move the caret there."""
        if self._source is None or first >= last:
            return
        tokens = self._source.slice(first, last)
        start = int(tokens.starts[0])
        with QSignalBlocker(self._edit):  # the ids already have the selection
            self._edit.set_selection(start, int(tokens.stops[-1]) if last - first > 1 else start)
        self._known_caret = self._edit.selection.caret
        self._show_summary()

    def _follow_ids(self, index: int) -> None:
        self._focused = index
        self._shows_selection = False
        self._edit.tokens.set_highlight(index)
        self._show_facts()

    def _show_facts(self) -> None:
        """Show the facts of the token under the mouse, or of the last selection, or of the token at the caret."""
        selected = self._session.selection.selected
        index = self._focused if self._hovered == _NO_TOKEN else self._hovered
        token = self._token(index)
        is_in_word = self._is_chosen_here and self._is_selected(token)  # then the facts are about it in its word
        if self._shows_selection and selected is not None and self._hovered == _NO_TOKEN and not is_in_word:
            palette = self._theme.token_palette()
            self._facts.show_token(selected, palette.backgrounds[hue_of(selected.token, palette.hues)])
            return
        self._facts.show_token(token, self._ids.color_of(index) if token else QColor())

    def _token(self, index: int) -> Token | None:
        if self._source is None or self._tokenizer is None or not 0 <= index < len(self._source):
            return None
        return self._source.slice(index, index + 1)[0]

    # -- the selection ----------------------------------------------------------------------------------------------

    def _toggle_marks(self, index: int) -> None:
        """Select the token at `index`; if it is already selected, select nothing."""
        token = self._token(index)
        if token is None or token.unknown or self._tokenizer is None:
            return
        selection = self._session.selection
        if self._is_selected(token):
            selection.clear()
        else:
            selection.select_token(self._tokenizer.token(token.id), special=token.special)
        self._follow_ids(index)
        self._shows_selection = self._is_chosen_here = selection.selected is not None

    def _is_selected(self, token: Token | None) -> bool:
        return token is not None and self._marked_ids == (token.id,)

    def _extend_menu(self, menu: QMenu, index: int) -> None:
        """Add the question about the selected text, and let others add actions for the token."""
        start, stop = self._edit.selection.span
        if start < stop:
            menu.addSeparator()
            add_action(menu, "whyNotSelection", self.tr("&Why is this not one token?"), self._facts.ask_why_not)
        token = self._token(index)
        if token is not None and not token.unknown and self._tokenizer is not None:
            menu.addSeparator()
            self.token_menu_opened.emit(menu, Selected(self._tokenizer.token(token.id), token.special))

    def _show_selection(self) -> None:
        self._found = _NO_TOKEN
        self._shows_selection, self._is_chosen_here = self._session.selection.selected is not None, False
        self._mark()
        self._show_summary()
        self._show_facts()

    @property
    def _marked_ids(self) -> tuple[int, ...]:
        return self._session.selection.ids_in(self._tokenizer)

    def _mark(self) -> None:
        """Mark every occurrence of the selected token or pair."""
        ids = self._marked_ids
        self._edit.tokens.set_marked_ids(ids)
        self._ids.set_marked_ids(ids)

    def _show_summary(self) -> None:
        session, selection = self._session, self._edit.selection.span
        is_by_characters = session.cursor.trainer is not None and session.corpus.recipe.units == "characters"
        self._summary.show_tokens(
            session.text.live,
            self._tokenizer,
            session.text.error,
            self._marked(),
            selection,
            offers_bytes=is_by_characters and session.corpus.counts is None,
        )
        reason = reason_without_words(session.counts.error, is_empty=session.corpus.is_empty)
        if self._tokenizer is None and reason:
            self._summary.show_text(reason)

    def _marked(self) -> tuple[int, str] | None:
        """Return the id and the printable form of the token that was found, or else of the selected one.

        Return None if there is neither, or if the text cannot contain it.
        """
        found = self._token(self._found)
        if found is not None and self._tokenizer is not None and not found.unknown:
            return found.id, quoted_token(self._tokenizer.token(found.id))
        ids, token = self._marked_ids, self._session.selection.token
        return (ids[0], quoted_token(token)) if len(ids) == 1 and token is not None else None
