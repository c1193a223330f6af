"""The special tokens of the corpus, and what is wrong with them while it is."""

from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.gui.wording.error_messages import sentence
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.views.special_tokens_edit import SpecialTokensEdit

_GRID: Final = 8
_TOP: Final = Qt.AlignmentFlag.AlignTop


class SpecialTokensField(QWidget):
    """A labelled editor. What is typed goes to the session as soon as it is valid, and otherwise stays as typed."""

    files_dropped = Signal(list)
    """Paths of files that were dropped here."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._tokens: tuple[str, ...] = ()  # the session's, as last heard
        self._edit = SpecialTokensEdit(self)
        self._edit.setAccessibleName(self.tr("Special tokens, one a line"))
        self._edit.setPlaceholderText(self.tr("None; one a line"))
        self._edit.setToolTip(self.tr("Cut out of the text before it is split; nothing merges across them."))
        self._error = SentenceLabel(parent=self, name="specialTokensError")
        set_role(self._error, "warning")
        self._lay_out()
        self._edit.textChanged.connect(self._edited)
        self._edit.files_dropped.connect(self.files_dropped)
        session.recipe_changed.connect(self._recipe_changed)
        theme.changed.connect(self._take_theme)
        self._take_theme()
        self._load()

    def _lay_out(self) -> None:
        label = QLabel(self.tr("Special tokens"), self)
        label.setContentsMargins(0, _GRID // 2, 0, 0)
        label.setBuddy(self._edit)
        set_role(label, "quiet")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_GRID)
        grid.setVerticalSpacing(_GRID // 2)
        grid.addWidget(label, 0, 0, _TOP)
        grid.addWidget(self._edit, 0, 1)
        grid.addWidget(self._error, 1, 0, 1, 2)

    def _take_theme(self) -> None:
        self._edit.setFont(self._theme.token_font())

    def _edited(self) -> None:
        tokens = self._edit.tokens()
        try:
            SpecialTokens(tokens)
        except EngineError as error:
            self._error.setText(sentence(error))
            self._error.show()
            return
        self._error.hide()
        self._tokens = tokens
        self._session.set_special_tokens(tokens)

    def _recipe_changed(self) -> None:
        if self._session.special_tokens != self._tokens:
            self._load()

    def _load(self) -> None:
        self._tokens = self._session.special_tokens
        with QSignalBlocker(self._edit):
            self._edit.set_tokens(self._tokens)
        self._error.hide()
