"""The popup of “Run until…”: five conditions and a field, of which the last ones are remembered."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.engine import EngineError, RunUntil, Trainer
from bpe_gui.engine.training import CountBelow, NthTie, SavesBelow, TokenAppears, WordIsOneToken
from bpe_gui.gui.look.layouts import DIALOG_MARGIN, GAP
from bpe_gui.gui.look.theme import set_role
from bpe_gui.gui.look.widgets import SentenceLabel, name_widget
from bpe_gui.gui.search.token_filter import exact_tokens
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.error_messages import error_message

_WIDTH: Final = 300  # pixels
_HINT_LINES: Final = 3
_KINDS: Final = (TokenAppears, WordIsOneToken, CountBelow, SavesBelow, NthTie)
_DEFAULTS: Final[Mapping[str, str]] = {CountBelow.name: "50", SavesBelow.name: "0.01%", NthTie.name: "1"}


class UntilPopup(QFrame):
    """A small window below a button, which closes when anything else is clicked.

    - `chosen(condition)`: the run is to go on until this RunUntil holds, which is possible.
    """

    chosen = Signal(object)

    def __init__(self, session: Session, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        name_widget(self, "untilPopup", self.tr("Run until"))
        set_role(self, "popup")
        self._session = session
        self._settings = settings
        self._values = dict(_DEFAULTS)
        for text in reversed(settings.run_until):
            name, _equals, value = text.partition("=")
            self._values[name] = value
        self._kinds = QButtonGroup(self)
        for number, label in enumerate(self._labels()):
            button = name_widget(QRadioButton(label), f"until{_KINDS[number].__name__}")
            self._kinds.addButton(button, number)
        self._field = name_widget(QLineEdit(), "untilField")
        self._run = name_widget(
            QPushButton(self.tr("Run")), "untilRunButton", self.tr("Run until the condition is met")
        )
        self._hint = SentenceLabel(name="untilHint")
        self._hint.reserve_lines(_HINT_LINES)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._kind = 0
        self._lay_out()
        names = [kind.name for kind in _KINDS]
        last = next(iter(settings.run_until), "").partition("=")[0]
        self._show_kind(names.index(last) if last in names else 0)
        self._kinds.idClicked.connect(self._choose_kind)
        self._field.textEdited.connect(self._show_hint)
        self._field.returnPressed.connect(self._begin)
        self._run.clicked.connect(self._begin)

    def open_below(self, button: QWidget) -> None:
        """Show the popup below a button, with the focus in its field."""
        self._show_hint()
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(0, button.height()))
        room = button.window().mapToGlobal(QPoint(button.window().width() - self.width(), 0))
        self.move(min(corner.x(), room.x()), corner.y())
        self.show()
        self._field.setFocus()
        self._field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another condition with Up and Down, which the field leaves alone, and close on Esc."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif step is not None:
            self._choose_kind((self._kind + step) % len(_KINDS))
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN, DIALOG_MARGIN)
        column.setSpacing(GAP)
        title = QLabel(self.tr("Run until"))
        set_role(title, "title")
        column.addWidget(title)
        for button in self._kinds.buttons():
            column.addWidget(button)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self._field, 1)
        row.addWidget(self._run)
        column.addSpacing(GAP)
        column.addLayout(row)
        column.addWidget(self._hint)
        self.setFixedWidth(_WIDTH)

    def _labels(self) -> tuple[str, ...]:
        return (
            self.tr("A token appears"),
            self.tr("A word is one token"),
            self.tr("A pair occurs less often than"),
            self.tr("A merge saves less than"),
            self.tr("A tie for the most frequent pair"),
        )

    def _hints(self) -> tuple[str, ...]:
        return (
            self.tr("Stops after the merge that makes the token. A space may be typed as ·."),
            self.tr("Stops after the merge that makes it one token, at the beginning of a text or after a space."),
            self.tr("Stops before the first merge whose pair occurs less often."),
            self.tr("Stops before the first merge that saves a smaller share of the tokens of the corpus."),
            self.tr("Stops before the merge, with the tied pairs in view. 1 is the next tie, 2 the one after it."),
        )

    def _choose_kind(self, kind: int) -> None:
        self._values[_KINDS[self._kind].name] = self._field.text()
        self._show_kind(kind)
        self._field.setFocus()
        self._field.selectAll()

    def _show_kind(self, kind: int) -> None:
        self._kind = kind
        button = self._kinds.button(kind)
        button.setChecked(True)
        self._field.setText(self._values.get(_KINDS[kind].name, ""))
        self._field.setPlaceholderText(("ing", "learning", "50", "0.01%", "1")[kind])
        self._field.setAccessibleName(button.text())
        self._show_hint()

    def _show_hint(self) -> None:
        set_role(self._hint, "quiet")
        self._hint.setText(self._hints()[self._kind])

    def _begin(self) -> None:
        """Choose the condition, or say why it is not one."""
        trainer = self._session.cursor.trainer
        if trainer is None:
            self.close()
            return
        try:
            condition = _condition(_KINDS[self._kind].name, self._field.text(), trainer)
            condition.check(trainer)
        except EngineError as error:
            set_role(self._hint, "warning")
            self._hint.setText(error_message(error))
            return
        self._remember()
        self.close()
        self.chosen.emit(condition)

    def _remember(self) -> None:
        """Remember the condition as the last one, and the last value of each other."""
        name = _KINDS[self._kind].name
        self._values = {name: self._field.text(), **{k: v for k, v in self._values.items() if k != name}}
        self._settings.run_until = tuple(f"{name}={value}" for name, value in self._values.items())


def _condition(name: str, text: str, trainer: Trainer) -> RunUntil:
    """Return the condition that was typed: tokens as they are shown, per cent with or without the sign, ties from here.

    Raise EngineError.
    """
    if name == TokenAppears.name:
        return TokenAppears(next(iter(exact_tokens(text)), b""))
    if name == WordIsOneToken.name:
        return WordIsOneToken(next(iter(exact_tokens(text)), b"").decode(errors="replace"))
    if name == SavesBelow.name:
        return SavesBelow.of(text.strip().removesuffix("%").rstrip() + "%")
    condition = RunUntil.parse(f"{name}={text}")
    return NthTie.from_here(trainer, condition.number) if isinstance(condition, NthTie) else condition
