"""A bar with facts about the tokenizer that was opened from a file, and a button that leads back to the run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.opened_tokenizer import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import counted
from bpe_gui.gui.wording.pipeline_texts import pipeline_summary
from bpe_gui.gui.wording.recipe_texts import encoding_summary


class OpenedBar(QFrame):
    """A bar across the window, visible while the window shows an opened tokenizer instead of the run."""

    pattern_requested = Signal()
    """The user wants to enter the pattern and special tokens, which a file of ranks lacks."""

    closed = Signal()
    """The user went back to the run. The button that had the focus is now hidden, so the focus has to move on."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("openedTokenizerBar")
        set_role(self, "panelHeader")
        self._session = session
        self._name = SectionTitle("", "openedTokenizerName")
        self._facts = SentenceLabel(name="openedTokenizerLabel")
        set_role(self._facts, "quiet")
        self._close_button = name_widget(QPushButton(), "closeTokenizerButton")
        self._close_button.clicked.connect(self._go_back)
        text = self.tr("Pattern and special tokens…")
        self._pattern_button = name_widget(QPushButton(text), "openedPatternButton", text)
        self._pattern_button.clicked.connect(self.pattern_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        row.setSpacing(GAP)
        row.addWidget(self._name)
        row.addWidget(self._facts, 1)
        row.addWidget(self._pattern_button)
        row.addWidget(self._close_button)
        session.opened.changed.connect(self._show)
        session.counts.changed.connect(self._set_close_text)
        self._show()

    def _show(self) -> None:
        opened = self._session.opened.tokenizer
        self.setVisible(opened is not None)
        if opened is not None:
            self._name.setText(opened.name or self.tr("Untitled"))
            self._name.setToolTip("" if opened.source.is_internal else str(opened.source.path))
            self._facts.setText(self._facts_text(opened))
            self._pattern_button.setVisible(opened.takes_pattern)
        self._set_close_text()

    def _go_back(self) -> None:
        self._session.opened.close()
        self.closed.emit()

    def _facts_text(self, opened: OpenedTokenizer) -> str:
        tokenizer = opened.tokenizer(opened.run_length)
        return " · ".join(
            (
                self.tr("opened tokenizer ({format})").format(format=opened.format),
                counted(opened.entry_count, self.tr("1 entry"), self.tr("{count} entries")),
                counted(opened.run_length, self.tr("1 merge"), self.tr("{count} merges")),
                *self._special_tokens_text(tokenizer),
                *self._unmerged_text(opened),
                self._encoding_text(tokenizer),
            )
        )

    def _encoding_text(self, tokenizer: Tokenizer) -> str:
        """Describe in a few clauses what happens to text before it is merged."""
        pipeline = tokenizer.pipeline
        return encoding_summary(tokenizer.recipe) if pipeline is None else pipeline_summary(pipeline)

    def _special_tokens_text(self, tokenizer: Tokenizer) -> tuple[str, ...]:
        count = len(tokenizer.special_tokens)
        text = counted(count, self.tr("1 special token"), self.tr("{count} special tokens"))
        return (text,) if count else ()

    def _unmerged_text(self, opened: OpenedTokenizer) -> tuple[str, ...]:
        """Return the number of tokens that no merge makes, which only match whole words, or nothing if it is 0."""
        forms = self.tr("1 token that no merge makes"), self.tr("{count} tokens that no merge makes")
        return (counted(opened.unmerged_count, *forms),) if opened.unmerged_count else ()

    def _set_close_text(self) -> None:
        text = self.tr("Back to the run") if self._session.run.exists else self.tr("Close")
        self._close_button.setText(text)
        self._close_button.setAccessibleName(self.tr("Close the opened tokenizer"))
        self._close_button.setToolTip(self.tr("Close the opened tokenizer and go on where the run was"))
