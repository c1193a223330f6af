"""The parts of the corpus panel: its statistics, its special tokens, and the card over the empty editor."""

import re
from collections.abc import Callable
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from bpe_gui.engine import EngineError, check_special_tokens
from bpe_gui.gui.look.layouts import GAP, MARGIN, SMALL_GAP, column_of, grid_of, row_of
from bpe_gui.gui.look.lifetime import weakly
from bpe_gui.gui.look.qt_constants import ELIDE_MIDDLE
from bpe_gui.gui.look.theme import Theme, set_role, text_width
from bpe_gui.gui.look.widgets import LinkLabel, SentenceLabel, label_of, name_widget, push_button
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import SpecialTokensEdit
from bpe_gui.gui.wording.language import language_in_force
from bpe_gui.gui.wording.phrases import labelled, number, short_number, size_text, weight_sign
from bpe_gui.gui.wording.sentences import error_message
from bpe_gui.samples import Sample, samples


def add_samples(menu: QMenu, choose: Callable[[Sample], object]) -> None:
    """Add an item for each sample with a note as its tooltip. `choose` is a bound method, or a signal's `emit`."""
    menu.setToolTipsVisible(True)
    language = language_in_force()
    for sample in samples():
        action = menu.addAction(sample.title(language))
        action.setToolTip(sample.note(language))
        action.triggered.connect(weakly(choose, sample))


_OBJECT_NAMES: Final = ("corpusCharacters", "corpusBytes", "corpusWords", "corpusUniqueWords")
_NAME_WIDTH: Final = 240  # pixels


class CorpusStatistics(QWidget):
    """The numbers of characters, bytes, words and unique words, or a message that says why they are unknown."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("corpusStatistics")
        self._session = session
        self._values = [name_widget(FittedNumber(self), name) for name in _OBJECT_NAMES]
        self._weights = SentenceLabel(parent=self, name="corpusWeights", role="quiet")
        self._numbers = self._lay_out_numbers(theme)
        self._message = SentenceLabel(parent=self, name="corpusMessage")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._numbers)
        self._pages.addWidget(self._message)
        session.counts.changed.connect(self._refresh)
        session.work.changed.connect(self._refresh)
        self._refresh()

    def _lay_out_numbers(self, theme: Theme) -> QWidget:
        pieces = self.tr(
            "Pieces (pre-tokens) into which the splitter divides the corpus. Merges never cross their boundaries."
        )
        distinct = self.tr("Distinct words. Training processes each one once, weighted by its count.")
        texts = (
            (self.tr("characters"), self.tr("Unicode code points in the whole corpus")),
            (self.tr("bytes"), self.tr("UTF-8 bytes in the whole corpus")),
            (self.tr("words"), pieces),
            (self.tr("unique"), distinct),
        )
        page = QWidget(self)
        grid = grid_of(page, row_gap=0, column_gap=GAP)
        for column, (value, (caption, explanation)) in enumerate(zip(self._values, texts, strict=True)):
            value.setFont(theme.number_font())
            value.explanation = explanation
            label = label_of(value, caption, "quiet")
            label.setToolTip(explanation)
            grid.addWidget(value, 0, column)
            grid.addWidget(label, 1, column)
            grid.setColumnStretch(column, 1)
        self._weights.setToolTip(
            self.tr("As if each document were repeated as often as its weight says. The count of each word is rounded.")
        )
        grid.addWidget(self._weights, 2, 0, 1, len(_OBJECT_NAMES))
        return page

    def _refresh(self) -> None:
        counts, error = self._session.counts.words, self._session.counts.error
        if error is not None:
            is_beginning = self._session.corpus.is_empty and not self._session.run.exists
            message = "" if is_beginning else error_message(error)  # then the middle of the window says so
            self._show_message(message, "quiet" if self._session.corpus.is_empty else "warning")
        elif counts is not None:
            self._show_weights(counts.weighted)
            numbers = counts.characters, counts.bytes, counts.total, len(counts)
            for label, value in zip(self._values, numbers, strict=True):
                label.show_number(value)
            self._message.setText("")  # a stacked layout reserves space for its hidden page
            self._pages.setCurrentWidget(self._numbers)
        else:
            self._show_message(self.tr("Counting…") if self._session.corpus.documents else "", "quiet")

    def _show_weights(self, are_weighted: bool) -> None:
        """Say whether documents are weighted, because the numbers then differ from those of the plain texts."""
        self._weights.setVisible(are_weighted)
        if are_weighted:
            weights = [document.weight for document in self._session.corpus.documents]
            least, most = min(weights), max(weights)
            template = self.tr("Document weights: {least} to {most}.")
            if least == most:
                template = self.tr("Document weights: all {most}.")
            self._weights.setText(template.format(least=weight_sign(least), most=weight_sign(most)))

    def _show_message(self, message: str, role: str) -> None:
        self._message.say(message, role)
        self._pages.setCurrentWidget(self._message)


class CorpusLine(LinkLabel):
    """The source of the words, for a window that hides the corpus: its name, which is a link, and its size."""

    wanted = Signal()
    """The user wants to see the corpus."""

    def __init__(self, session: Session) -> None:
        super().__init__("corpusLine")
        self.setWordWrap(True)
        self._session = session
        set_role(self, "quiet")
        self.setContentsMargins(MARGIN, 0, MARGIN, SMALL_GAP)
        self.setToolTip(self.tr("Show the corpus"))
        self.linkActivated.connect(self.wanted)
        session.counts.changed.connect(self._show)
        session.corpus.documents_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        documents, words = self._session.corpus.documents, self._session.counts.words
        name = self.tr("empty")
        if len(documents) == 1:
            name = self.fontMetrics().elidedText(documents[0].shown_title, ELIDE_MIDDLE, _NAME_WIDTH)
        elif documents:
            name = self.tr("{count} documents").format(count=number(len(documents)))
        link = f'<a href="corpus">{escape(name)}</a>'
        facts = (self.tr("Corpus: {corpus}").format(corpus=link), size_text(words.bytes) if words else "")
        self.setText(" · ".join(filter(None, facts)))


class FittedNumber(QLabel):
    """A number that needs little width: if it does not fit, it is shown in millions, and in full in the tooltip."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.explanation = ""
        self._value = 0

    def show_number(self, value: int) -> None:
        self._value = value
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        whole, short = number(self._value), short_number(self._value)
        fits = text_width(self.fontMetrics(), whole) <= self.width()
        self.setMinimumWidth(text_width(self.fontMetrics(), short))
        self.setText(whole if fits else short)
        self.setToolTip(self.explanation if fits else labelled(whole, self.explanation))


_LIKE_SPECIAL: Final = re.compile(r"<\|[^\s<>|]{1,40}\|>")
_SEARCHED: Final = 1 << 16  # characters of a text
_NAMED: Final = 2  # tokens that a link names


class SpecialTokensField(QWidget):
    """A labelled editor. Valid input goes to the session immediately; invalid input stays, with its error below.

    While it is empty, a link offers what looks like a special token in the text of the corpus.
    """

    files_dropped = Signal(list)
    """The paths of files that were dropped here."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._tokens: tuple[str, ...] = ()  # last taken from the session or given to it
        self._edit = SpecialTokensEdit(self)
        self._edit.setAccessibleName(self.tr("Special tokens, one per line"))
        self._edit.set_hint(self.tr("None (one per line)"))
        self._error = SentenceLabel(parent=self, name="specialTokensError", role="warning")
        self._offered: tuple[str, ...] = ()
        self._offer = LinkLabel("offeredSpecialTokens")
        self._offer.setWordWrap(True)
        self._offer.linkActivated.connect(self._take_offer)
        label = label_of(self._edit, self.tr("Special tokens"), "quiet")
        caption = column_of(label, margins=(0, SMALL_GAP, 0, 0), spacing=None)
        grid = grid_of(self, row_gap=SMALL_GAP, column_gap=GAP)
        grid.addLayout(caption, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._edit, 0, 1)
        grid.addWidget(self._error, 1, 0, 1, 2)
        grid.addWidget(self._offer, 2, 0, 1, 2)
        self._edit.textChanged.connect(self._apply_edit)
        self._edit.files_dropped.connect(self.files_dropped)
        session.corpus.recipe_changed.connect(self._follow_session)
        session.corpus.documents_changed.connect(self._explain)
        session.corpus.recipe_changed.connect(self._explain)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._explain()
        self._load()

    def _apply_theme(self) -> None:
        self._edit.setFont(self._theme.token_font())

    def _explain(self) -> None:
        """Say what training does with the tokens, and allow editing them, unless a counts file was made with them."""
        document = self._session.corpus.counts
        self._edit.setReadOnly(document is not None)
        if document is not None:
            text = self.tr("Fixed: {name} contains word counts made with these special tokens.")
            self._edit.setToolTip(text.format(name=document.title))
        elif self._session.corpus.recipe.special_text == "kept":
            self._edit.setToolTip(self.tr("This recipe trains on them like on any other text; they also get ids."))
        else:
            self._edit.setToolTip(self.tr("Cut out before the text is split. Merges never cross them."))
        self._show_offer()

    def _apply_edit(self) -> None:
        tokens = self._edit.tokens()
        try:
            check_special_tokens(tokens)
        except EngineError as error:
            self._error.setText(error_message(error))
            self._error.show()
            return
        self._error.hide()
        self._tokens = tokens
        self._show_offer()
        self._session.corpus.set_special_tokens(tokens)

    def show_text(self, text: str) -> None:
        """Offer what looks like a special token in a text of the corpus."""
        self._offered = tuple(dict.fromkeys(_LIKE_SPECIAL.findall(text[:_SEARCHED])))
        names = ", ".join(self._offered[:_NAMED]) + ("…" if len(self._offered) > _NAMED else "")
        sentence = self.tr("Make {tokens} special").format(tokens=names)
        self._offer.setText(f'<a href="special">{escape(sentence)}</a>')
        self._show_offer()

    def _show_offer(self) -> None:
        self._offer.setVisible(bool(self._offered) and not self._tokens and not self._edit.isReadOnly())

    def _take_offer(self) -> None:
        self._edit.setFocus()
        self._edit.set_tokens(self._offered)

    def _follow_session(self) -> None:
        if self._session.corpus.special_tokens != self._tokens:
            self._load()

    def _load(self) -> None:
        self._tokens = self._session.corpus.special_tokens
        with QSignalBlocker(self._edit):
            self._edit.set_tokens(self._tokens)
        self._error.hide()
        self._show_offer()


_ONE_ROW: Final = QBoxLayout.Direction.LeftToRight
_TWO_ROWS: Final = QBoxLayout.Direction.TopToBottom


class StartCard(QFrame):
    """A sentence, and buttons to open files, open a sample or paste, at the bottom of the `area` it covers.

    A click in the middle is meant for the text.
    """

    open_requested = Signal()
    paste_requested = Signal()
    placed = Signal()
    """The card has been laid out again and may have a different height."""

    def __init__(self, samples: QMenu, area: QWidget) -> None:
        super().__init__(area)
        self.setObjectName("startCard")
        self.setFont(QApplication.font())  # not in the one of the text that it covers
        text = SentenceLabel(self.tr("Type or paste text to train on, or drop files here."), self, role="quiet")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        open_files = push_button("startOpenButton", self.tr("Open…"))
        sample = push_button("startSampleButton", self.tr("Samples"))
        sample.setMenu(samples)
        paste = push_button("startPasteButton", self.tr("Paste"))
        open_files.clicked.connect(self.open_requested)
        paste.clicked.connect(self.paste_requested)
        others = row_of(sample, paste)
        self._buttons = open_files, sample, paste
        self._rows = QBoxLayout(_ONE_ROW)
        self._rows.addStretch(1)
        self._rows.addWidget(open_files)
        self._rows.addLayout(others)
        self._rows.addStretch(1)
        self._rows.setSpacing(GAP)
        column_of(text, self._rows, of=self, margins=(MARGIN,) * 4)
        self._area = area
        area.installEventFilter(self)
        self._place()

    @property
    def least_height(self) -> int:
        """The height in pixels of an area that has the card and, in its middle, no button."""
        return max(self.height(), 2 * (self._rows.sizeHint().height() + MARGIN + GAP))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        """Place the card again, now that the style sheet has given the buttons their widths."""
        super().showEvent(event)
        self._place()

    def _place(self) -> None:
        """Cover the bottom of the area; if it is too narrow, put the buttons in two rows."""
        width = self._area.width()
        needed = sum(button.sizeHint().width() + GAP for button in self._buttons) - GAP + 2 * MARGIN
        self._rows.setDirection(_ONE_ROW if needed <= width else _TWO_ROWS)
        height = self.heightForWidth(width)
        self.setGeometry(0, max(0, self._area.height() - height), width, height)
        self.placed.emit()
