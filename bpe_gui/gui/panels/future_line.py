"""A line under the header of a table: the token that its filter names is not there, and which step makes it, if one."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy

from bpe_gui.engine.runtime import token_in_sentence
from bpe_gui.gui.look.qt_constants import PLAIN_TEXT
from bpe_gui.gui.look.spacing import GAP, MARGIN, SMALL_GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import name_widget
from bpe_gui.gui.search.token_filter import TokenFuture, future_of
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.wording.numbers import number


class FutureLine(QFrame):
    """Visible while the text of a filter is a token that a later step makes, or none.

    A button goes to that step; another asks why no step does.

    Nothing is shown while a thread trains.
    """

    def __init__(self, session: Session, field: QLineEdit, name: str, *, has_ids: bool) -> None:
        """`name` begins the object names; `has_ids`: the text may also be an id."""
        super().__init__()
        self._session = session
        self._field = field
        self._has_ids = has_ids
        self._step = 0
        self._label = name_widget(QLabel(), f"{name}FutureLabel")
        self._label.setTextFormat(PLAIN_TEXT)
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # tokens may be long
        set_role(self._label, "quiet")
        self._go = name_widget(
            QPushButton(self.tr("Go")), f"{name}FutureGo", self.tr("Go to the step that makes this token")
        )
        set_role(self._go, "quiet")
        self._why = name_widget(
            QPushButton(self.tr("Why not?")), f"{name}FutureWhy", self.tr("Why is this not one token?")
        )
        self._why.setToolTip(self.tr("Why is this not one token?"))
        set_role(self._why, "quiet")
        self._label.setMinimumHeight(self._go.sizeHint().height())
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, SMALL_GAP, MARGIN, SMALL_GAP)
        row.setSpacing(GAP)
        row.addWidget(self._label, 1)
        row.addWidget(self._go)
        row.addWidget(self._why)
        self._go.clicked.connect(self._seek)
        self._why.clicked.connect(self._ask)
        field.textChanged.connect(self._show_future)
        for changed in (session.cursor.moved, session.cursor.steps_changed, session.work.changed):
            changed.connect(self._show_future)
        self._show_future()

    def _show_future(self) -> None:
        future = self._future()
        self.setVisible(future is not None)
        if future is not None:
            self._step = future.merge.rank + 1 if future.merge else 0
            self._label.setText(self._text(future))
            self._label.setToolTip(self._label.text())
            self._go.setVisible(self._step > 0)
            self._why.setVisible(self._step == 0)

    def _future(self) -> TokenFuture | None:
        text, cursor = self._field.text(), self._session.cursor
        if not text or cursor.steps is None or cursor.is_following_training:
            return None
        return future_of(text, cursor.steps, has_ids=self._has_ids)

    def _text(self, future: TokenFuture) -> str:
        if (merge := future.merge) is not None:
            return self.tr("Step {step} makes {token} from {left} + {right}").format(
                token=token_in_sentence(merge.token),
                step=number(merge.rank + 1),
                left=token_in_sentence(merge.left),
                right=token_in_sentence(merge.right),
            )
        if self._session.opened.tokenizer is not None:
            return self.tr("No merge in this tokenizer makes it")
        if self._session.cursor.may_go_on:
            return self.tr("No step makes it yet (further training may)")
        return self.tr("No step in this run makes it")

    def _seek(self) -> None:
        self._field.setFocus()  # the button disappears
        self._session.cursor.pause()
        self._session.cursor.seek(self._step)

    def _ask(self) -> None:
        self._session.selection.ask_why_not(self._field.text())
