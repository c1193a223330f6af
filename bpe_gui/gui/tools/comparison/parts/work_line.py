"""The line that tells what is being made for a comparison, with a button to cancel it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QVBoxLayout, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.gui.look.layouts import GAP, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget
from bpe_gui.gui.tools.comparison.compared import Origin, TrainedRecipe
from bpe_gui.gui.tools.comparison.names import origin_name
from bpe_gui.gui.tools.comparison.tokenizer_maker import TokenizerMaker
from bpe_gui.gui.wording.error_messages import error_message
from bpe_gui.gui.wording.joining import labelled
from bpe_gui.gui.wording.numbers import counted, number


class WorkLine(QWidget):
    """Its progress while a tokenizer is being made, and afterwards what went wrong."""

    def __init__(self, maker: TokenizerMaker, theme: Theme) -> None:
        super().__init__()
        self._maker = maker
        self._theme = theme
        self._words: list[str] = []
        self._label = name_widget(QLabel(), "compareWorkLabel")
        self._bar = name_widget(QProgressBar(), "compareProgress", self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(8)
        self._cancel = name_widget(QToolButton(autoRaise=True), "compareCancelButton", self.tr("Cancel"))
        self._cancel.setToolTip(self.tr("Cancel and keep what is already trained"))
        self._cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._cancel.clicked.connect(maker.cancel)
        self._message = SentenceLabel(name="compareMessage")
        set_role(self._message, "warning")
        set_role(self._label, "quiet")
        self._lay_out()
        maker.changed.connect(self._show)
        maker.progressed.connect(self._show_progress)
        maker.failed.connect(self._add_failure)
        maker.cancelled.connect(self._tell_cancelled)
        theme.changed.connect(self.apply_theme)
        self.apply_theme()
        self._show()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self._bar, 1)
        row.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SMALL_GAP)
        column.addWidget(self._message)
        column.addWidget(self._label)
        column.addLayout(row)

    def clear_words(self) -> None:
        """Forget what went wrong, because something else is begun."""
        self._words.clear()
        self._show()

    def _show(self) -> None:
        origin = self._maker.present
        for widget in (self._label, self._bar, self._cancel):
            widget.setVisible(origin is not None)
        self._bar.setRange(0, 0)
        if origin is not None:
            self._label.setText(self._text(origin))
        self._message.setText("\n".join(self._words))
        self._message.setVisible(bool(self._words))

    def _text(self, origin: Origin) -> str:
        if not isinstance(origin, TrainedRecipe):
            return self.tr("Reading {name}…").format(name=origin_name(origin))
        name = origin_name(origin)
        index, count = self._maker.position
        if count == 1:
            return self.tr("Training: {name}…").format(name=name)
        template = self.tr("Training {index} of {count}: {name}…")
        return template.format(index=number(index), count=number(count), name=name)

    def _show_progress(self, done: int, total: int) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)

    def _add_failure(self, origin: Origin, error: EngineError) -> None:
        self._words.append(labelled(origin_name(origin), error_message(error)))
        self._show()

    def _tell_cancelled(self, left: int) -> None:
        one, many = (
            self.tr("Cancelled. 1 tokenizer was not made."),
            self.tr("Cancelled. {count} tokenizers were not made."),
        )
        self._words.append(counted(left, one, many))
        self._show()

    def apply_theme(self) -> None:
        """Use the icons of the theme."""
        self._cancel.setIcon(self._theme.icon("cancel"))
