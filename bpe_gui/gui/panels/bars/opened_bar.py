"""What is known of the tokenizer that was opened from a file, and the way back to the run."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.wording.numbers import number
from bpe_gui.gui.session.opened_tokenizer import OpenedTokenizer
from bpe_gui.gui.wording.pipeline_texts import pipeline_summary
from bpe_gui.gui.wording.recipe_texts import encoding_summary
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.headers import SectionTitle
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.widgets import named

_SPACE: Final = 8  # the grid of the window


class OpenedBar(QFrame):
    """A line across the window while it shows an opened tokenizer instead of the run."""

    pattern_asked = Signal()
    """The user wants to say what a file of ranks does not."""

    closed = Signal()
    """The user went back to the run, and with that the button is gone that had the focus."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("openedTokenizerBar")
        set_role(self, "panelHeader")
        self._session = session
        self._name = SectionTitle("", "openedTokenizerName")
        self._facts = SentenceLabel(name="openedTokenizerLabel")
        set_role(self._facts, "quiet")
        self._close = named(QPushButton(), "closeTokenizerButton")
        self._close.clicked.connect(self._go_back)
        words = self.tr("Pattern and special tokens…")
        self._pattern = named(QPushButton(words), "openedPatternButton", words)
        self._pattern.clicked.connect(self.pattern_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(_SPACE, _SPACE // 2, _SPACE, _SPACE // 2)
        row.setSpacing(_SPACE)
        row.addWidget(self._name)
        row.addWidget(self._facts, 1)
        row.addWidget(self._pattern)
        row.addWidget(self._close)
        session.tokenizer_opened.connect(self._show)
        session.counts_changed.connect(self._name_way_back)
        self._show()

    def _show(self) -> None:
        opened = self._session.opened
        self.setVisible(opened is not None)
        if opened is not None:
            self._name.say(opened.name or self.tr("Untitled"))
            self._name.setToolTip("" if opened.source.is_internal else str(opened.source.path))
            self._facts.setText(self._facts_text(opened))
            self._pattern.setVisible(opened.takes_pattern)
        self._name_way_back()

    def _go_back(self) -> None:
        self._session.close_tokenizer()
        self.closed.emit()

    def _facts_text(self, opened: OpenedTokenizer) -> str:
        tokenizer = opened.tokenizer(opened.run_length)
        return " · ".join(
            (
                self.tr("opened tokenizer ({format})").format(format=opened.kind),
                self._counted(opened.entry_count, self.tr("1 entry"), self.tr("{count} entries")),
                self._counted(opened.run_length, self.tr("1 merge"), self.tr("{count} merges")),
                *self._special_tokens_text(tokenizer),
                *self._unmerged_text(opened),
                self._encoding_text(tokenizer),
            )
        )

    def _encoding_text(self, tokenizer: Tokenizer) -> str:
        """What happens to text before anything is merged."""
        pipeline = tokenizer.pipeline
        return encoding_summary(tokenizer.recipe) if pipeline is None else pipeline_summary(pipeline)

    def _special_tokens_text(self, tokenizer: Tokenizer) -> tuple[str, ...]:
        count = len(tokenizer.special_tokens)
        words = self._counted(count, self.tr("1 special token"), self.tr("{count} special tokens"))
        return (words,) if count else ()

    def _unmerged_text(self, opened: OpenedTokenizer) -> tuple[str, ...]:
        """Some files have tokens that are found only where they are a whole word."""
        words = self.tr("1 token that no merge makes"), self.tr("{count} tokens that no merge makes")
        return (self._counted(opened.unmerged, *words),) if opened.unmerged else ()

    def _counted(self, count: int, one: str, many: str) -> str:
        return one if count == 1 else many.format(count=number(count))

    def _name_way_back(self) -> None:
        words = self.tr("Back to the run") if self._session.has_run else self.tr("Close")
        self._close.setText(words)
        self._close.setAccessibleName(self.tr("Close the opened tokenizer"))
        self._close.setToolTip(self.tr("Close the opened tokenizer and go on where the run was"))
