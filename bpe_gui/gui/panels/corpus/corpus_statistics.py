"""The size of the corpus in characters, bytes and words."""

from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QStackedLayout, QWidget

from bpe_gui.gui.look.layouts import GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import labelled
from bpe_gui.gui.wording.numbers import number, short_number, weight_sign

_OBJECT_NAMES: Final = ("corpusCharacters", "corpusBytes", "corpusWords", "corpusUniqueWords")


class CorpusStatistics(QWidget):
    """The numbers of characters, bytes, words and unique words; or a message that says why they are unknown."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("corpusStatistics")
        self._session = session
        self._values = [name_widget(FittedNumber(self), name) for name in _OBJECT_NAMES]
        self._captions = [QLabel(self) for _ in _OBJECT_NAMES]
        self._weights = SentenceLabel(parent=self, name="corpusWeights")
        set_role(self._weights, "quiet")
        self._numbers = self._lay_out_numbers(theme)
        self._message = SentenceLabel(parent=self, name="corpusMessage")
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._numbers)
        self._pages.addWidget(self._message)
        session.counts.changed.connect(self._refresh)
        session.work.changed.connect(self._refresh)
        self._set_texts()
        self._refresh()

    def _lay_out_numbers(self, theme: Theme) -> QWidget:
        page = QWidget(self)
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(0)
        for column, (value, caption) in enumerate(zip(self._values, self._captions, strict=True)):
            value.setFont(theme.number_font())
            set_role(caption, "quiet")
            grid.addWidget(value, 0, column)
            grid.addWidget(caption, 1, column)
            grid.setColumnStretch(column, 1)
        grid.addWidget(self._weights, 2, 0, 1, len(_OBJECT_NAMES))
        return page

    def _set_texts(self) -> None:
        texts = (
            (self.tr("characters"), self.tr("Unicode code points in the whole corpus")),
            (self.tr("bytes"), self.tr("UTF-8 bytes in the whole corpus")),
            (
                self.tr("words"),
                self.tr(
                    "Pieces (pre-tokens) into which the splitter divides the corpus. Merges never cross their "
                    "boundaries."
                ),
            ),
            (
                self.tr("unique words"),
                self.tr("Distinct words. Training processes each one once, weighted by its count."),
            ),
        )
        self._weights.setToolTip(
            self.tr("As if each document were repeated as often as its weight says. The count of each word is rounded.")
        )
        for (caption, explanation), label, value in zip(texts, self._captions, self._values, strict=True):
            label.setText(caption)
            label.setToolTip(explanation)
            value.explanation = explanation

    def _refresh(self) -> None:
        counts, error = self._session.counts.words, self._session.counts.error
        if error is not None:
            is_beginning = self._session.corpus.is_empty and not self._session.run.exists
            message = "" if is_beginning else error_message(error)  # the middle of the window says it then
            self._show_message(message, "quiet" if self._session.corpus.is_empty else "warning")
        elif counts is not None:
            self._show_weights(counts.weighted)
            self._show_numbers((counts.characters, counts.bytes, counts.total, len(counts)))
        else:
            self._show_message(self.tr("Counting…") if self._session.corpus.documents else "", "quiet")

    def _show_weights(self, are_weighted: bool) -> None:
        """Say that these are not the numbers of the texts as they are."""
        self._weights.setVisible(are_weighted)
        if are_weighted:
            weights = [document.weight for document in self._session.corpus.documents]
            least, most = min(weights), max(weights)
            template = self.tr("Document weights: {least} to {most}.")
            if least == most:
                template = self.tr("Document weights: all {most}.")
            self._weights.setText(template.format(least=weight_sign(least), most=weight_sign(most)))

    def _show_numbers(self, values: tuple[int, ...]) -> None:
        for label, value in zip(self._values, values, strict=True):
            label.show_number(value)
        self._message.setText("")  # a stacked layout reserves space for its hidden page
        self._pages.setCurrentWidget(self._numbers)

    def _show_message(self, message: str, role: str) -> None:
        self._message.setText(message)
        set_role(self._message, role)
        self._pages.setCurrentWidget(self._message)


class FittedNumber(QLabel):
    """A number that asks for little width: where it does not fit, it is shown in millions, and whole in the tooltip."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.explanation = ""
        self._value = 0

    def show_number(self, value: int) -> None:
        """Show another number."""
        self._value = value
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the number as the new width allows."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        whole, short = number(self._value), short_number(self._value)
        fits = self.fontMetrics().horizontalAdvance(whole) <= self.width()
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(short))
        self.setText(whole if fits else short)
        self.setToolTip(self.explanation if fits else labelled(whole, self.explanation))
