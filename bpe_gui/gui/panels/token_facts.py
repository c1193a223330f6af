"""The pages about a token (its bytes, the replay of its word, its lineage), the numbers of the text, and why not."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QTabWidget

from bpe_gui.engine import CorpusSearch, EngineError, Tokenizer, WordTrace, token_in_sentence
from bpe_gui.gui.dialogs.boxes import open_once
from bpe_gui.gui.jobs import pause_before
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import PageBar, icon_button, name_widget
from bpe_gui.gui.session.selection import Selected, id_at_step, ids_of
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.lineage_view import LineageView
from bpe_gui.gui.tables.replay_view import ReplayView
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from bpe_gui.gui.views.tokens import LiveTokens, Token
from bpe_gui.gui.wording.phrases import counted
from bpe_gui.gui.wording.run_texts import pruned_text, veto_text
from bpe_gui.gui.wording.sentences import error_message

from .encode_parts import NumbersPage
from .why_not_page import WhyNotPage

_PAGE_DELAY: Final = 60  # milliseconds from showing a token to updating the slow pages
_CONTEXT_BYTES: Final = 8  # bytes around a token that may belong to a character shared with its neighbours
_MAX_WORD_BYTES: Final = 4_000  # of a word to replay
_MAX_WORDS: Final = 500
_MAX_PAIR_TEXT: Final = 4_000_000  # bytes of text to count pairs in, which requires splitting it into words
_LONGEST_NAME: Final = 40  # characters of a token in a sentence


class TokenFacts(QTabWidget):
    """The pages about a token, and those about the text. Only the visible page is kept up to date."""

    line_chosen = Signal(int)
    """The user chose the line that starts at this byte offset."""

    border_chosen = Signal(int, int)
    """The user wants to see the characters at these bytes of the text."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("tokenFacts")
        self.setAccessibleName(self.tr("Token and text details"))
        self.setTabBar(name_widget(PageBar(), "tokenFactsBar"))
        self.tabBar().setAccessibleName(self.tr("Detail pages"))
        self.setUsesScrollButtons(False)  # the panel is never narrower than its tabs
        self.tabBar().setDrawBase(False)  # its line would be above the tabs; the style sheet has one below them
        self._session = session
        self._theme = theme
        self._source: LiveTokens | None = None
        self._token: Token | Selected | None = None
        self._kept_lineage: Selected | None = None  # a part chosen in the tree, while the tree stays
        self._kept_symbol: Selected | None = None  # chosen in the replayed word, while that stays
        self._word = b""  # the word replayed last
        self._color = QColor()
        self._inspector = TokenInspector()
        self._replay = ReplayView(theme)
        self._lineage = LineageView(theme)
        self._numbers = NumbersPage(session, theme)
        self._why_not = WhyNotPage(session, theme)
        self.addTab(self._inspector, self.tr("Token"))
        self.addTab(self._replay, self.tr("Encoding"))
        self.addTab(self._lineage, self.tr("Lineage"))
        self.addTab(self._numbers, self.tr("Numbers"))
        self.addTab(self._why_not, self.tr("Why not?"))
        theme.keep(lambda inspector: inspector.set_token_font(theme.token_font()), self._inspector)
        tip = self.tr("Show the token's parts, and what it became part of, as a picture to save or copy")
        text = self.tr("Picture of the lineage…")
        self._picture = icon_button(theme, "picture", "lineagePictureButton", text, tip)  # on the lineage page
        self._picture.clicked.connect(self._open_picture_dialog)
        self._picture.hide()
        self.setCornerWidget(self._picture)
        self._page_timer = pause_before(self._show_slow_page, _PAGE_DELAY, self)
        self.currentChanged.connect(self._show_page)
        self._lineage.token_chosen.connect(self._choose_part)
        self._replay.token_chosen.connect(self._choose_symbol)
        self._inspector.step_requested.connect(session.cursor.go_to)
        self._numbers.line_chosen.connect(self.line_chosen)
        self._why_not.border_chosen.connect(self.border_chosen)

    def set_source(self, source: LiveTokens | None) -> None:
        """Set the source of the tokens shown from now on; None if there is none."""
        self._source = source

    def show_token(self, token: Token | Selected | None, color: QColor) -> None:
        """Show a token of the text, or one given by its bytes, in its colour; a hint for None."""
        self._token, self._color = token, color
        self._show_page()

    def show_lineage_page(self) -> None:
        self.setCurrentWidget(self._lineage)

    def set_selection(self, start: int, stop: int) -> None:
        """Set the selected bytes of the text, which the user may ask about."""
        self._why_not.set_selection(start, stop)

    def ask_why_not(self, text: str = "") -> None:
        """Switch to the page that says why a text, or if it is empty the selection, is not one token."""
        self.setCurrentWidget(self._why_not)
        self._why_not.ask_about(text)

    @property
    def _tokenizer(self) -> Tokenizer | None:
        return self._session.text.tokenizer if self._source else None

    def _show_page(self) -> None:
        page = self.currentWidget()
        self._picture.setVisible(page is self._lineage)
        if page is self._inspector:
            self._inspect()
        if page not in (self._numbers, self._why_not):
            self._page_timer.start()

    def _show_slow_page(self) -> None:
        if self._session.cursor.is_on_long_move:  # this would delay the move, only to be out of date right away
            self._page_timer.start()
        elif self.currentWidget() is self._inspector:
            selected = self._as_selected()
            counts = (self._count_in_text(selected), self._count_in_corpus(selected)) if selected else ()
            self._inspector.show_counts(" · ".join(filter(None, counts)))
        elif self.currentWidget() is self._replay:
            tokenizer = self._tokenizer
            has_marker = tokenizer is not None and tokenizer.recipe.boundary != "none"
            trace, obstacle = self._trace()
            self._replay.show_word(trace, has_marker=has_marker, obstacle=obstacle)
        elif self.currentWidget() is self._lineage:
            self._show_lineage()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the token set while the widget was hidden."""
        super().showEvent(event)
        self._show_page()

    # -- the pages --------------------------------------------------------------------------------------------------

    def _choose_part(self, token_id: int) -> None:
        """Select a part of the token in the tree; the tree stays, and the words are those of the part."""
        tokenizer = self._whole_tokenizer
        if tokenizer is not None:
            self._kept_lineage = Selected(tokenizer.token(token_id))
            self._session.selection.select_token(self._kept_lineage.token)

    def _choose_symbol(self, token: bytes) -> None:
        """Select a symbol of the replayed word, which stays."""
        self._kept_symbol = Selected(token)
        self._session.selection.select_token(token)

    @property
    def _whole_tokenizer(self) -> Tokenizer | None:
        """The tokenizer with all known steps, where a token can be found even before its step."""
        steps = self._session.cursor.steps
        return steps.tokenizer(steps.run_length) if steps else self._tokenizer

    def _identify(self) -> tuple[Tokenizer, int | None] | None:
        """Return a tokenizer that has the token, and its id there; None if there is no token or it does not exist."""
        token = self._token
        if isinstance(token, Selected):
            known = filter(None, (self._session.cursor.tokenizer, self._whole_tokenizer))  # it may leave before the end
            found = [(each, id_at_step(token, each)) for each in known]
            return next((each for each in found if each[1] is not None), found[-1] if found else None)
        tokenizer = self._tokenizer
        return None if token is None or tokenizer is None else (tokenizer, None if token.unknown else token.id)

    def _inspect(self) -> None:
        found, token = self._identify(), self._token
        if found is None or token is None:
            self._inspector.clear()
            return
        tokenizer, token_id = found
        inspected = self._inspected(token, token_id)
        self._inspector.show_token(inspected, tokenizer, self._session.cursor.position)
        self._inspector.show_counts("…" if self._as_selected() else "")

    def _inspected(self, token: Token | Selected, token_id: int | None) -> InspectedToken:
        if isinstance(token, Selected):
            stop, is_unmade = len(token.token), token_id is None
            reason = self._reason_for_absence(token) if is_unmade else ""
            return InspectedToken(token_id, token.special, token.token, 0, stop, self._color, is_unmade, reason)
        source = self._source
        assert source is not None  # it made the token
        start = max(0, token.start - _CONTEXT_BYTES)
        context = source.text.read(start, token.stop + _CONTEXT_BYTES)
        first, stop = token.start - start, token.stop - start
        reason = self._reason_for_absence(Selected(context[first:stop])) if token.unknown else ""
        return InspectedToken(token_id, token.special, context, first, stop, self._color, reason=reason)

    def _reason_for_absence(self, selected: Selected) -> str:
        """Say that a token left the vocabulary, or that the plan bans its pair; return an empty text for neither."""
        trainer = self._session.cursor.trainer
        if trainer is None:
            return ""
        if (step := trainer.pruned().get(selected.token)) is not None:
            return pruned_text(selected.token, step)
        banned = (pair for pair in trainer.plan.banned if b"".join(pair) == selected.token)
        pair = selected.pair or min(banned, default=None)
        try:
            veto = trainer.veto_of(*pair) if pair else None
        except EngineError:  # an expression takes too long
            return ""
        if pair is None or veto is None:
            return ""
        left, right = map(token_in_sentence, pair)
        text = self.tr("no step: {left} + {right} may not be merged ({reason})")
        return text.format(left=left, right=right, reason=veto_text(veto))

    # -- counts -----------------------------------------------------------------------------------------------------

    def _as_selected(self) -> Selected | None:
        found, token = self._identify(), self._token
        if isinstance(token, Selected):
            return token
        if found is None or token is None or found[1] is None:
            return None
        return Selected(found[0].token(found[1]), token.special)

    def _count_in_text(self, selected: Selected) -> str:
        text, tokenizer = self._session.text.live, self._tokenizer
        if tokenizer is None or not text.is_encoded:
            return ""
        ids = ids_of(selected, tokenizer)
        if len(ids) > 1 and len(text) > _MAX_PAIR_TEXT:
            return ""
        count = text.count_pair(*ids) if len(ids) > 1 else sum(map(text.count, ids))
        if not count:
            return self.tr("not in the text")
        return counted(count, self.tr("once in the text"), self.tr("{count} times in the text"))

    def _count_in_corpus(self, selected: Selected) -> str:
        trainer = self._session.cursor.trainer
        if trainer is None or selected.special:
            return ""
        counts = CorpusSearch(trainer).count_pair(*selected.pair) if selected.pair else None
        if counts is None or not counts.occurrences:
            counts = CorpusSearch(trainer).count_token(selected.token)
        if not counts.occurrences:
            if CorpusSearch(trainer).words_with_token(selected.token, limit=1):
                return self.tr("in the corpus only within larger tokens at this step")
            template = self.tr("{token} is not in the corpus at this step")
            if trainer.word_counts.weighted:
                template = self.tr("{token} is not in the weighted corpus at this step")
            return template.format(token=token_in_sentence(selected.token, _LONGEST_NAME))
        words = counted(counts.words, self.tr("1 word"), self.tr("{count} words"))
        if trainer.word_counts.weighted:
            once, often = self.tr("once in the weighted corpus"), self.tr("{count} times in the weighted corpus")
        else:
            once, often = self.tr("once in the corpus"), self.tr("{count} times in the corpus")
        times = counted(counts.occurrences, once, often)
        return self.tr("{times}, in {words}").format(times=times, words=words)

    # -- the other pages --------------------------------------------------------------------------------------------

    def _trace(self) -> tuple[WordTrace | None, str]:
        """Return the trace of the token's word, or why there is none; neither if there is no token."""
        token, tokenizer = self._token, self._tokenizer
        if token is None or tokenizer is None:
            return None, ""
        if token.special:
            return None, self.tr("Special tokens are cut out before any merge, so no merges make them.")
        try:
            word = self._word = self._word_of(token)
            if not word:
                return None, self.tr("The text is too long to show its words with this tokenizer. Try a shorter text.")
            if len(word) > _MAX_WORD_BYTES:
                return None, self.tr("This word is too long for its merges to be shown.")
            traces = tokenizer.trace(word.decode())
        except UnicodeDecodeError:
            return None, self.tr(
                "This token contains only part of a character. Place the caret in a word that contains the token."
            )
        except EngineError as error:  # a custom pattern takes too long
            return None, error_message(error)
        return (traces[0] if traces else None), ""

    def _word_of(self, token: Token | Selected) -> bytes:
        """Return the word around a token, or the token alone. Raise EngineError as `LiveText.word_at`."""
        if token == self._kept_symbol:
            return self._word
        self._kept_symbol = None
        if isinstance(token, Selected):
            return token.token
        return self._source.text.word_at(token.start) if self._source else b""

    def _open_picture_dialog(self) -> None:
        tokenizer, token_id = self._identify() or (None, None)
        if tokenizer is None or token_id is None:  # the button is disabled
            return
        from bpe_gui.gui.dialogs.picture_dialogs import LineagePictureDialog

        dialog = LineagePictureDialog(self._theme, tokenizer, token_id, self.window())
        open_once(dialog)

    def _show_lineage(self) -> None:
        token = self._token
        if self._kept_lineage is not None and token == self._kept_lineage:
            self._show_words_with(self._kept_lineage.token)
            return
        self._kept_lineage = None
        tokenizer, token_id = self._identify() or (None, None)
        self._picture.setEnabled(token_id is not None)
        if tokenizer is None or token is None or token_id is None:
            self._lineage.show_lineage(None)
            return
        self._lineage.show_lineage(tokenizer.lineage(token_id), tokenizer.merge_counts)
        if token.special:
            self._lineage.set_words(None)
        else:
            self._show_words_with(tokenizer.token(token_id))

    def _show_words_with(self, token: bytes) -> None:
        trainer = self._session.cursor.trainer
        words = None if trainer is None else CorpusSearch(trainer).words_with_token(token, _MAX_WORDS)
        self._lineage.set_words(words, self._session.selection.later_step_of(token))
