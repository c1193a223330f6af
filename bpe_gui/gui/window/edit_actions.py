"""The actions of the menu Edit, for the widget with the focus or the whole window, and notices that offer to undo."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from bpe_gui.engine import translatable as _
from bpe_gui.gui.look.lifetime import WeakAttribute, reference_to, weakly
from bpe_gui.gui.look.qt_constants import CONTROL, SHORTCUT_OVERRIDE
from bpe_gui.gui.panels.notice_bar import Notice, Words
from bpe_gui.gui.session.history import Change, ChangeKind
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import MANY_SELECTED, Table
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.token_id_view import TokenIdView

from .part import Surroundings, WindowPart


class FocusedWidget(QObject):
    """Tracks the focus in a window, ignoring menus, whose actions apply to the widget that had the focus before.

    `changed(before, now)`: the focus moved to another widget, or left the window.
    """

    _window = WeakAttribute[QWidget]()

    changed = Signal(object, object)

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self.widget: QWidget | None = None
        """The widget with the focus; None if it is outside the window."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
        self._follow(None, QApplication.focusWidget())

    @property
    def editor(self) -> QWidget | None:
        """The widget with the focus, or the edit field inside it if it has one."""
        widget = self.widget
        return widget.lineEdit() if isinstance(widget, QAbstractSpinBox | QComboBox) else widget

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QMenuBar | QMenu):
            return
        before, self.widget = self.widget, new if new is not None and new.window() is self._window else None
        if before is not None:
            before.destroyed.disconnect(self._forget)
        if self.widget is not None:
            self.widget.destroyed.connect(self._forget)
        self.changed.emit(before, self.widget)

    def _forget(self) -> None:
        self.widget = None


EDIT_ACTIONS: Final = ("cut", "copy", "paste", "select_all")
"""The names of the actions."""

_Commands = Mapping[str, Callable[[], object]]


class EditActions(QObject):
    """Makes the actions work on the widget that had the focus before a menu was opened.

    While a widget has the focus, it handles the keys itself.
    """

    def __init__(self, actions: Mapping[str, QAction], focused: FocusedWidget) -> None:
        super().__init__(actions[EDIT_ACTIONS[0]])  # deleted with the actions
        self._actions = {name: actions[name] for name in EDIT_ACTIONS}
        self._focused = focused
        for name, action in self._actions.items():
            action.triggered.connect(weakly(self._run, name))
        focused.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Enable the actions that the widget with the focus supports."""
        commands = self._commands()
        for name, action in self._actions.items():
            action.setEnabled(name in commands)

    def _run(self, name: str) -> None:
        command = self._commands().get(name)
        if command is not None:
            command()

    def _commands(self) -> _Commands:
        """Return the commands that the widget with the focus supports."""
        widget = self._focused.editor
        if isinstance(widget, TokenEdit | QPlainTextEdit | QLineEdit):
            reading: _Commands = {"copy": widget.copy, "select_all": widget.selectAll}
            return reading if widget.isReadOnly() else {**reading, "cut": widget.cut, "paste": widget.paste}
        if isinstance(widget, TokenIdView):
            return {"copy": widget.copy, "select_all": widget.select_all}
        if not isinstance(widget, Table):
            return {}
        has_many = widget.selectionMode() == MANY_SELECTED
        return {"copy": widget.copy, "select_all": widget.selectAll} if has_many else {"copy": widget.copy}


_Key = QKeySequence.StandardKey
_TYPING: Final = _("History", "&Undo typing"), _("History", "&Redo typing")
_TYPING_IN_CORPUS: Final = _("History", "&Undo typing in the corpus"), _("History", "&Redo typing in the corpus")
_TYPING_IN_TEXT: Final = _("History", "&Undo typing in the text"), _("History", "&Redo typing in the text")
_NOTHING: Final = _("Actions", "&Undo"), _("Actions", "&Redo")
_TEXTS: Final[Mapping[ChangeKind, tuple[str, str]]] = {
    ChangeKind.RECIPE: (_("History", "&Undo recipe change"), _("History", "&Redo recipe change")),
    ChangeKind.VOCAB_SIZE: (_("History", "&Undo vocabulary size change"), _("History", "&Redo vocabulary size change")),
    ChangeKind.SPECIAL_TOKENS: (_("History", "&Undo special token change"), _("History", "&Redo special token change")),
    ChangeKind.OPENING: (_("History", "&Undo opening"), _("History", "&Redo opening")),
    ChangeKind.ADDING: (_("History", "&Undo adding to the corpus"), _("History", "&Redo adding to the corpus")),
    ChangeKind.REMOVAL: (
        _("History", "&Undo removing from the corpus"),
        _("History", "&Redo removing from the corpus"),
    ),
    ChangeKind.DOCUMENTS: (_("History", "&Undo corpus change"), _("History", "&Redo corpus change")),
    ChangeKind.WEIGHTS: (_("History", "&Undo weight change"), _("History", "&Redo weight change")),
    ChangeKind.SAMPLE: (_("History", "&Undo opening the sample"), _("History", "&Redo opening the sample")),
    ChangeKind.TEXT: (_("History", "&Undo replacing the text"), _("History", "&Redo replacing the text")),
    ChangeKind.RESTART: (_("History", "&Undo starting over"), _("History", "&Redo starting over")),
    ChangeKind.PLAN: (_("History", "&Undo plan change"), _("History", "&Redo plan change")),
    ChangeKind.BRANCH: (_("History", "&Undo starting the branch"), _("History", "&Redo starting the branch")),
    ChangeKind.DROP_BRANCH: (_("History", "&Undo deleting the branch"), _("History", "&Redo deleting the branch")),
    ChangeKind.RENAME_BRANCH: (_("History", "&Undo renaming the branch"), _("History", "&Redo renaming the branch")),
    ChangeKind.TYPING: _TYPING_IN_CORPUS,
    ChangeKind.RETURN: (_("History", "&Undo the tour"), _("History", "&Redo the tour")),
}


class _Typing(NamedTuple):
    """What an editor can undo and redo, and what does that, each for undo and redo."""

    can: tuple[bool, bool] = (False, False)
    acts: tuple[Callable[[], object], ...] = ()
    texts: tuple[str, str] = _TYPING


class UndoActions(QObject):
    """Labels two actions with the change they would undo and redo, and makes them do it.

    An editor with the focus handles the keys itself as long as it has typing to undo; after that, the window does. What
    was typed since the last change is undone before that change, also from where no editor has the focus.
    """

    def __init__(self, undo: QAction, redo: QAction, session: Session, focused: FocusedWidget) -> None:
        super().__init__(undo)  # deleted with the actions
        self._actions = undo, redo
        self._session = session
        self._focused = focused
        self._typed_in: Callable[[], QWidget | None] = lambda: None  # the editor left last with typing since a change
        self._steps_before = WeakKeyDictionary[QWidget, int]()  # how many steps of typing editors had then
        undo.triggered.connect(weakly(self._act, 0))
        redo.triggered.connect(weakly(self._act, 1))
        session.history.recorded.connect(self._forget_typing)
        session.history.changed.connect(self.refresh)
        focused.changed.connect(self._watch_keys)
        self._watch_keys(None, focused.widget)

    def refresh(self) -> None:
        """Update the texts of the actions, and enable those that can do something."""
        history = self._session.history
        for index, (action, change) in enumerate(zip(self._actions, (history.last, history.last_undone), strict=True)):
            typing = self._typing(index)
            if typing is not None:
                action.setText(QCoreApplication.translate("History", typing.texts[index]))
            elif change is not None:
                action.setText(QCoreApplication.translate("History", _TEXTS[change.kind][index]))
            else:
                action.setText(QCoreApplication.translate("Actions", _NOTHING[index]))
            action.setEnabled(typing is not None or change is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Take the keys from an editor that has nothing to undo or redo but would still claim them.

        Ctrl+E exports everywhere; in a field, Qt would have it move to the end.
        """
        if event.type() != SHORTCUT_OVERRIDE or not isinstance(event, QKeyEvent) or not event.modifiers() & CONTROL:
            return False
        self.refresh()
        own = _typing_in(self._focused.editor)
        idle = [key for key, can in zip((_Key.Undo, _Key.Redo), own.can, strict=True) if not can]
        is_end = event.key() == Qt.Key.Key_E and event.modifiers() == CONTROL
        is_idle = is_end or any(map(event.matches, idle))
        if is_idle:
            event.ignore()
        return is_idle

    def _act(self, index: int) -> None:
        """Undo, or redo for 1."""
        typing = self._typing(index)
        (typing.acts if typing is not None else (self._session.undo, self._session.redo))[index]()
        self.refresh()

    def _watch_keys(self, before: QWidget | None, now: QWidget | None) -> None:
        """Watch the keys of the widget with the focus, and of no other."""
        if before is not None:
            before.removeEventFilter(self)
            if _steps_in(before) > self._steps_before.get(before, 0):
                self._typed_in = reference_to(before)
        if now is not None:
            now.installEventFilter(self)
        if isinstance(now, TokenEdit | QPlainTextEdit):
            self._steps_before.setdefault(now, _steps_in(now))
        self.refresh()

    def _forget_typing(self) -> None:
        """Leave what was typed before a change to the editor's own keys."""
        self._typed_in = lambda: None
        self._steps_before.clear()
        if isinstance(widget := self._focused.widget, TokenEdit | QPlainTextEdit):
            self._steps_before[widget] = _steps_in(widget)

    def _typing(self, index: int) -> _Typing | None:
        """Return where typing can be undone, or redone for 1; None if nowhere.

        That is the editor with the focus. If it has none, it is one that was typed in since a change, the last first.
        """
        typing = _typing_in(self._focused.editor)
        if any(typing.can):
            return typing if typing.can[index] else None
        for editor in (self._typed_in(), *self._steps_before):
            if editor is None or not isValid(editor):  # it is deleted
                continue
            typing, had = _typing_in(editor), self._steps_before.get(editor, 0)
            if typing.can[index] and (index or _steps_in(editor) > had):
                return typing
        return None


def _steps_in(widget: QWidget) -> int:
    """Return how many steps of typing an editor of a text can undo."""
    if isinstance(widget, TokenEdit):
        return widget.document.history.steps
    return widget.document().availableUndoSteps() if isinstance(widget, QPlainTextEdit) else 0


def _typing_in(widget: QWidget | None) -> _Typing:
    """Return the typing history of an editor."""
    if isinstance(widget, TokenEdit) and not widget.isReadOnly():
        text = widget.document
        can = text.history.can_undo, text.history.can_redo
        return _Typing(can, (text.undo, text.redo), _TYPING_IN_TEXT)
    if isinstance(widget, QPlainTextEdit) and not widget.isReadOnly():
        document = widget.document()
        texts = _TYPING_IN_CORPUS if widget.objectName() == "corpusEditor" else _TYPING
        can = document.isUndoAvailable(), document.isRedoAvailable()
        return _Typing(can, (widget.undo, widget.redo), texts)
    if isinstance(widget, QLineEdit) and not widget.isReadOnly():
        return _Typing((widget.isUndoAvailable(), widget.isRedoAvailable()), (widget.undo, widget.redo))
    return _Typing()


class UndoOffers(WindowPart):
    """Notices about the last change, with an offer to undo it, until there is another change or the user steps on."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._change: Change | None = None
        self._offered: list[Notice] = []
        self._position = 0  # the step at the last offer
        self._session.cursor.moved.connect(self._follow_cursor)
        self._session.history.changed.connect(self._follow_history)
        self._session.text.edited.connect(self._follow_text)
        self._session.opened.changed.connect(self.withdraw)
        self._session.training_lost.connect(self._tell_lost)

    def show_message(self, message: Words) -> None:
        """Report the last change."""
        self._follow_history()
        self._change = self._session.history.last
        if self._change is None:
            self._notices.show_message(message)
            return
        offer = lambda: self.tr("Undo"), self._session.undo
        self._offered.append(self._notices.show_message(message, [offer]))
        self._position = self._session.cursor.position

    def _tell_lost(self) -> None:
        """Say that what was undone is back without its run, until the user goes on."""
        self.withdraw()
        self._change, self._position = self._session.history.last, self._session.cursor.position
        offer = lambda: self.tr("Train again"), self._session.train
        notice = self._notices.show_message(
            lambda: self.tr("Its training did not come back: only the last three runs are kept."), [offer]
        )
        self._offered.append(notice)

    def _follow_cursor(self) -> None:
        """Withdraw the offer when the user moves on; a change of the run itself goes back to its start."""
        position = self._session.cursor.position
        is_of_text = self._change is not None and self._change.kind is ChangeKind.TEXT
        if position > self._position or (is_of_text and position != self._position):
            self.withdraw()
        self._position = min(self._position, position)

    def _follow_history(self) -> None:
        if self._offered and self._session.history.last is not self._change:
            self.withdraw()

    def _follow_text(self) -> None:
        """Withdraw the offer to bring back another text, because it would take away what is typed."""
        if self._change is not None and self._change.concerns_text:
            self.withdraw()

    def withdraw(self) -> None:
        """Dismiss the offers, because the user has gone on to something else."""
        while self._offered:
            self._notices.dismiss(self._offered.pop())
