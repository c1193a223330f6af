"""A bar that switches between the run and the opened tokenizers, with facts about the one that is shown."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from bpe_gui.engine import Tokenizer
from bpe_gui.gui.look.calm_widgets import ComboBox
from bpe_gui.gui.look.qt_constants import TOOL_TIP_ROLE
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.session.tokenizers.opened_tokenizer import OpenedTokenizer
from bpe_gui.gui.wording.numbers import counted
from bpe_gui.gui.wording.pipeline_texts import pipeline_summary
from bpe_gui.gui.wording.recipe_texts import encoding_summary

_SWITCHER_WIDTHS: Final = (120, 280)  # pixels, at least and at most


class OpenedBar(QFrame):
    """A bar across the window, visible while there are opened tokenizers."""

    pattern_requested = Signal()
    """The user wants to enter the pattern and special tokens, which a file of ranks lacks."""

    def __init__(self, session: Session, close: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("openedTokenizerBar")
        set_role(self, "panelHeader")
        self._session = session
        self._switcher = name_widget(ComboBox(), "tokenizerSwitcher", self.tr("Training run and open tokenizers"))
        self._switcher.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._switcher.setMinimumWidth(_SWITCHER_WIDTHS[0])
        self._switcher.setMaximumWidth(_SWITCHER_WIDTHS[1])
        self._switcher.activated.connect(self._switch)
        self._facts = SentenceLabel(name="openedTokenizerLabel")
        set_role(self._facts, "quiet")
        self._close_button = name_widget(QPushButton(self.tr("Close")), "closeTokenizerButton")
        self._close_button.setAccessibleName(self.tr("Close this tokenizer"))
        self._close_button.setToolTip(close.toolTip())
        self._close_button.clicked.connect(close.trigger)
        text = self.tr("Pattern and special tokens…")
        self._pattern_button = name_widget(QPushButton(text), "openedPatternButton", text)
        self._pattern_button.clicked.connect(self.pattern_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        row.setSpacing(GAP)
        row.addWidget(self._switcher)
        row.addWidget(self._facts, 1)
        row.addWidget(self._pattern_button)
        row.addWidget(self._close_button)
        session.opened.list_changed.connect(self._fill)
        session.opened.changed.connect(self._show)
        self._fill()

    def _fill(self) -> None:
        """List the run and all opened tokenizers; the bar is hidden if there are none."""
        tokenizers = self._session.opened.tokenizers
        self.setVisible(bool(tokenizers))
        with QSignalBlocker(self._switcher):
            self._switcher.clear()
            self._switcher.addItem(self.tr("Training run"))
            for index, name in enumerate(self._names(tokenizers), start=1):
                self._switcher.addItem(name)
                source = tokenizers[index - 1].source
                self._switcher.setItemData(index, "" if source.is_internal else str(source.path), TOOL_TIP_ROLE)
        self._show()

    def _names(self, tokenizers: Sequence[OpenedTokenizer]) -> list[str]:
        """Return the names of tokenizers, with the folder of those whose name another one has too."""
        names = [tokenizer.name or self.tr("Untitled") for tokenizer in tokenizers]
        folders = [tokenizer.source.path.absolute().parent.name for tokenizer in tokenizers]
        return [
            f"{folder}/{name}" if names.count(name) > 1 else name for name, folder in zip(names, folders, strict=True)
        ]

    def _switch(self, index: int) -> None:
        opened = self._session.opened
        opened.show(opened.tokenizers[index - 1] if index else None)

    def _show(self) -> None:
        opened = self._session.opened
        tokenizer = opened.tokenizer
        with QSignalBlocker(self._switcher):
            self._switcher.setCurrentIndex(0 if tokenizer is None else 1 + opened.tokenizers.index(tokenizer))
        self._switcher.setToolTip(self._switcher.currentData(TOOL_TIP_ROLE) or "")
        self._facts.setText(self._facts_text(tokenizer) if tokenizer else self._run_text())
        self._pattern_button.setVisible(tokenizer is not None and tokenizer.takes_pattern)
        self._close_button.setVisible(tokenizer is not None)

    def _run_text(self) -> str:
        count = len(self._session.opened.tokenizers)
        return counted(count, self.tr("1 open tokenizer"), self.tr("{count} open tokenizers"))

    def _facts_text(self, opened: OpenedTokenizer) -> str:
        tokenizer = opened.tokenizer(opened.run_length)
        return " · ".join(
            (
                self.tr("tokenizer file ({format})").format(format=opened.format),
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
        forms = self.tr("1 token without a merge"), self.tr("{count} tokens without a merge")
        return (counted(opened.unmerged_count, *forms),) if opened.unmerged_count else ()
