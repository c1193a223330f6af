"""The field for the special tokens of the corpus."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from bpe_gui.engine import EngineError
from bpe_gui.engine.text import SpecialTokens
from bpe_gui.gui.look.sentence_label import SentenceLabel
from bpe_gui.gui.look.spacing import GAP, SMALL_GAP
from bpe_gui.gui.look.theme import Theme, set_role
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import SpecialTokensEdit
from bpe_gui.gui.wording.error_messages import error_message


class SpecialTokensField(QWidget):
    """A labelled editor. Valid input goes to the session at once; invalid input stays, with its error below."""

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
        self._error = SentenceLabel(parent=self, name="specialTokensError")
        set_role(self._error, "warning")
        self._lay_out()
        self._edit.textChanged.connect(self._apply_edit)
        self._edit.files_dropped.connect(self.files_dropped)
        session.corpus.recipe_changed.connect(self._follow_session)
        session.corpus.documents_changed.connect(self._show_whether_fixed)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self._show_whether_fixed()
        self._load()

    def _lay_out(self) -> None:
        label = QLabel(self.tr("Special tokens"), self)
        label.setBuddy(self._edit)
        set_role(label, "quiet")
        caption = QVBoxLayout()
        caption.setContentsMargins(0, SMALL_GAP, 0, 0)
        caption.addWidget(label)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP)
        grid.setVerticalSpacing(SMALL_GAP)
        grid.addLayout(caption, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._edit, 0, 1)
        grid.addWidget(self._error, 1, 0, 1, 2)

    def _apply_theme(self) -> None:
        self._edit.setFont(self._theme.token_font())

    def _show_whether_fixed(self) -> None:
        """Let the tokens be edited, unless a file of counts was made with them."""
        document = self._session.corpus.counts
        self._edit.setReadOnly(document is not None)
        self._edit.setToolTip(
            self.tr("Cut out before the text is split. Merges never cross them.")
            if document is None
            else self.tr("Fixed: {name} contains word counts made with these special tokens.").format(
                name=document.title
            )
        )

    def _apply_edit(self) -> None:
        tokens = self._edit.tokens()
        try:
            SpecialTokens(tokens)
        except EngineError as error:
            self._error.setText(error_message(error))
            self._error.show()
            return
        self._error.hide()
        self._tokens = tokens
        self._session.corpus.set_special_tokens(tokens)

    def _follow_session(self) -> None:
        if self._session.corpus.special_tokens != self._tokens:
            self._load()

    def _load(self) -> None:
        self._tokens = self._session.corpus.special_tokens
        with QSignalBlocker(self._edit):
            self._edit.set_tokens(self._tokens)
        self._error.hide()
