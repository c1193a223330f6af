"""Small widgets and helpers used by several parts of the window."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final, TypeVar

import shiboken6
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QTextDocumentFragment,
    QWheelEvent,
    QWindow,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QMenuBar,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QToolButton,
    QWidget,
)

from bpe_gui.engine import END_OF_WORD, without_isolates
from bpe_gui.gui.look.layouts import GAP, keep_space
from bpe_gui.gui.look.lifetime import WeakAttribute, weakly
from bpe_gui.gui.look.qt_constants import (
    COPY,
    ELIDE_RIGHT,
    END_KEYS,
    LINKS,
    PLAIN_TEXT,
    RIGHT_BUTTON,
    SELECTABLE_BY_MOUSE,
    SHORTCUT_OVERRIDE,
    SIDEWAYS_KEYS,
    TOOL_TIP_ROLE,
)
from bpe_gui.gui.look.theme import Theme, line_height, set_role, show_ring, text_width

W = TypeVar("W", bound=QWidget)

_PROGRESS_HEIGHT: Final = 8  # pixels
_ROUNDED_DOWN: Final = QSize(1, 0)  # Qt rounds the width of a text in a combo box down
_MOST_DESCRIBED: Final = 800  # pixels, of a list of names with a description each


def name_widget(widget: W, object_name: str, accessible_name: str = "") -> W:
    """Give `widget` its object name, and the name that screen readers announce; return it.

    Leave out `accessible_name` for a label that shows a value: a screen reader would announce the name instead.
    """
    widget.setObjectName(object_name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    return widget


class PushButton(QPushButton):
    """A button that keeps the focus while it is disabled, as many are while they work.

    Qt would move it on: the next Space would press another button, or the next key change a value.
    """

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: N802 (Qt's name)
        is_working = self.isVisible() and not self.isEnabled()
        return is_working or super().focusNextPrevChild(next)


def push_button(
    name: str, text: str, action: Callable[[], object] | None = None, *, tool_tip: str = "", default: bool = False
) -> QPushButton:
    """Return a dialog button that runs `action`; Return presses it only if it is the default button."""
    button = name_widget(PushButton(text, autoDefault=False, default=default), name, without_mnemonic(text))
    button.setToolTip(tool_tip)
    if action is not None:
        button.clicked.connect(action)
    return button


def label_of(field: QWidget, text: str, role: str = "") -> QLabel:
    """Return a label whose mnemonic gives `field` the focus."""
    label = QLabel(text)
    label.setBuddy(field)
    if role:
        set_role(label, role)
    return label


class MenuButton(QToolButton):
    """A button with a default action; its arrow or the Down key opens a menu of other actions."""

    def __init__(self, text: str, menu: QMenu) -> None:
        super().__init__(autoRaise=True)
        self.setText(text)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu on Down, for which Qt itself has no key."""
        if event.key() == Qt.Key.Key_Down:
            self.showMenu()
        else:
            super().keyPressEvent(event)


def add_action(menu: QMenu, name: str, text: str, act: Callable[[], object]) -> QAction:
    """Add an item with an object name to a menu, and return it; `act` gets no arguments."""
    action = menu.addAction(text)
    action.setObjectName(name)
    action.triggered.connect(lambda: act())
    return action


class CopyButton(QToolButton):
    """A button with a menu. `wanted(as_picture)`: copy what is shown, as a picture or as text."""

    wanted = Signal(bool)

    def __init__(self, name: str) -> None:
        super().__init__(autoRaise=True)
        name_widget(self, name, self.tr("Copy"))
        self.setText(self.tr("Copy"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for text, as_picture in ((self.tr("Copy as &text"), False), (self.tr("Copy as &picture"), True)):
            menu.addAction(text).triggered.connect(weakly(self.wanted.emit, as_picture))
        self.setMenu(menu)


def copy_shown(widget: QWidget, text: str, *, as_picture: bool) -> None:
    """Copy what a widget shows: its picture, or this text."""
    if as_picture:
        QGuiApplication.clipboard().setPixmap(widget.grab())
    else:
        QGuiApplication.clipboard().setText(without_isolates(text))


def icon_button(theme: Theme, icon: str, name: str, text: str, tool_tip: str = "") -> QToolButton:
    """Return a flat icon button; `text` is its name, and its tooltip unless another is given."""
    button = name_widget(QToolButton(autoRaise=True), name, text.rstrip("…"))
    button.setToolTip(tool_tip or text)
    theme.keep_icon(icon, button)
    return button


def quiet_label(name: str = "", text: str = "") -> QLabel:
    """Return a label for a less important value."""
    label = name_widget(QLabel(text), name)
    set_role(label, "quiet")
    return label


def count_label(theme: Theme, name: str) -> QLabel:
    """Return a quiet label in the theme's number font."""
    label = quiet_label(name)
    theme.keep_font(theme.number_font, label)
    return label


class MarkLabel(QLabel):
    """The mark of an object: a small square in its colour, next to its name. Hidden where nothing has a mark."""

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._mark: int | None = None
        theme.keep(MarkLabel._paint, self)

    def show_mark(self, mark: int | None) -> None:
        """Show a mark, by its number; see `object_names.mark_of`."""
        self._mark = mark
        self.setVisible(mark is not None)
        self._paint()

    def _paint(self) -> None:
        if self._mark is not None:
            self.setPixmap(self._theme.mark_pixmap(self._mark))


def progress_line(name: str, accessible_name: str) -> QProgressBar:
    """Return a thin progress bar without text."""
    bar = name_widget(QProgressBar(textVisible=False), name, accessible_name)
    bar.setFixedHeight(_PROGRESS_HEIGHT)
    return bar


def hairline(parent: QWidget) -> QFrame:
    """Return a horizontal line of one pixel."""
    line = QFrame(parent)
    line.setFixedHeight(1)
    set_role(line, "hairline")
    return line


def splitter(
    orientation: Qt.Orientation, name: str, *widgets: QWidget, sizes: Sequence[int] = (), stretch: Sequence[int] = ()
) -> QSplitter:
    """Return a splitter of `widgets`, none of which can be collapsed by dragging.

    `sizes` are their initial sizes, and `stretch` their shares of what a larger window adds.
    """
    result = name_widget(QSplitter(orientation), name)
    result.setChildrenCollapsible(False)
    for widget in widgets:
        result.addWidget(widget)
    for index, factor in enumerate(stretch):
        result.setStretchFactor(index, factor)
    if sizes:
        result.setSizes(sizes)
    return result


def claims(event: QEvent, is_own: Callable[[QKeyEvent], bool]) -> bool:
    """Accept a key of a widget's own, so that it is not the window's while the widget has the focus.

    A widget calls this first in its `event`. Return whether there was such a key.
    """
    is_claimed = isinstance(event, QKeyEvent) and event.type() == SHORTCUT_OVERRIDE and is_own(event)
    if is_claimed:
        event.accept()
    return is_claimed


def offer_clearing(field: QLineEdit, name: str) -> None:
    """Give a field a clear button once it has text: Qt takes 60 ms to create its first such button."""

    def offer(text: str) -> None:
        if text and not field.isClearButtonEnabled():
            field.setClearButtonEnabled(True)
            for clear_button in field.findChildren(QToolButton):
                clear_button.setAccessibleName(name)
                clear_button.setToolTip(name)

    field.textChanged.connect(offer)


class ActionFollower(QObject):
    """Makes a button with a text of its own trigger an action, and be as possible as it, with its tooltip."""

    _button = WeakAttribute[QAbstractButton]()
    _action = WeakAttribute[QAction]()

    def __init__(self, button: QAbstractButton, action: QAction) -> None:
        super().__init__(button)
        self._button = button
        self._action = action
        button.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self._button.setEnabled(self._action.isEnabled())
        self._button.setToolTip(self._action.toolTip())


def without_mnemonic(text: str) -> str:
    """Return the text of an action without ellipsis and mnemonic."""
    return re.sub(r"\(&.\)|&|…$", "", text)


def plain_tool_tip(text: str) -> str:
    """Return markup for a tooltip that shows `text` literally: a token such as `<p>` would be taken for markup."""
    return text and f"<span style='white-space: pre'>{escape(text)}</span>"


class SpinBox(QSpinBox):
    """A spin box that the wheel changes only while it has the focus."""

    def __init__(
        self, parent: QWidget | None = None, *, minimum: int = 0, maximum: int = 99, value: int | None = None
    ) -> None:
        super().__init__(parent, minimum=minimum, maximum=maximum)
        self.setValue(minimum if value is None else value)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def setValue(self, value: int) -> None:  # noqa: N802 (Qt's name)
        """Show another value; Qt would write the same one anew, with separators that displace the caret."""
        if value != self.value():
            super().setValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Unless the box has the focus, leave the wheel to whatever is behind it, which may scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class DecimalBox(QDoubleSpinBox):
    """A box for a number of at most four decimals, shown without zeros at its end, which the wheel leaves alone."""

    def __init__(
        self, parent: QWidget | None = None, *, minimum: float = 0, maximum: float = 99, step: float = 1
    ) -> None:
        super().__init__(parent, decimals=4, minimum=minimum, maximum=maximum, singleStep=step)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, value: float) -> str:  # noqa: N802 (Qt's name)
        return super().textFromValue(value).rstrip("0").rstrip(".,")

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ComboBox(QComboBox):
    """A combo box that the wheel changes only while it has the focus."""

    def __init__(self, parent: QWidget | None = None, *, editable: bool = False) -> None:
        super().__init__(parent, editable=editable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + _ROUNDED_DOWN

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() + _ROUNDED_DOWN

    def showPopup(self) -> None:  # noqa: N802 (Qt's name)
        """Show the list, as wide as descriptions of its items need."""
        if isinstance(self.itemDelegate(), _DescribedItems):
            self.view().setMinimumWidth(min(self.view().sizeHintForColumn(0) + GAP, _MOST_DESCRIBED))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Unless the box has the focus, leave the wheel to whatever is behind it, which may scroll."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _DescribedItems(QStyledItemDelegate):
    """Paints the items of a combo box, each with its tooltip beside it, quietly, as far as that fits."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        area = option.rect.adjusted(_indent(option, index), 0, -GAP, 0)
        painter.setPen(option.palette.placeholderText().color())
        text = option.fontMetrics.elidedText(_described(index), ELIDE_RIGHT, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return a size with room for the whole description."""
        width = _indent(option, index) + text_width(option.fontMetrics, _described(index)) + GAP
        return QSize(width, super().sizeHint(option, index).height())


def _described(index: QModelIndex | QPersistentModelIndex) -> str:
    return QTextDocumentFragment.fromHtml(index.data(TOOL_TIP_ROLE) or "").toPlainText()


def _indent(option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> int:
    """Return where descriptions begin, beside the longest name."""
    names = (index.sibling(row, index.column()).data() or "" for row in range(index.model().rowCount()))
    return max(text_width(option.fontMetrics, name) for name in names) + 3 * GAP


def describe_items(combo: ComboBox) -> None:
    """Show the tooltips of a combo box's items beside their names, too."""
    combo.setItemDelegate(_DescribedItems(combo))
    combo.setMaxVisibleItems(combo.count())


class ListWidget(QListWidget):
    """A list where the right button neither selects nor moves to an item, and Home and End go to its ends."""

    def event(self, event: QEvent) -> bool:
        return claims(event, lambda key: key.key() in END_KEYS) or super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != RIGHT_BUTTON:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != RIGHT_BUTTON:
            super().mouseDoubleClickEvent(event)


_MAX_CHARACTERS: Final = 600  # shown of a sentence; the middle of a longer one is left out
_TOOL_TIP_FROM: Final = 240  # characters from which a sentence may not fit
_MAX_TOOL_TIP_CHARACTERS: Final = 4_000
_MAX_MINIMUM_LINES: Final = 6
_LONG_WORD: Final = re.compile(r"[^\s\u2010-\u2027\u3000-\u9fff\uff00-\uffef]{32,}")
"""A word such as a path. Lines break between Chinese characters and at punctuation anyway."""
_BREAK_INTERVAL: Final = 8  # characters of a long word after which a line may break
_ZERO_WIDTH_SPACE: Final = "\u200b"
_WORD_JOINER: Final = "\u2060"
_WHOLE: Final = END_OF_WORD.decode(), _WORD_JOINER.join(END_OF_WORD.decode())
"""The end-of-word marker, and the same that no line breaks in."""


class LinkLabel(QLabel):
    """A text in HTML with links, which a mouse or the keyboard follows.

    Qt gives links their colour when the text is set, so it is set again when colours change.
    """

    def __init__(self, name: str) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText)
        self.setObjectName(name)
        self.setTextInteractionFlags(LINKS)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and (text := self.text()):
            self.setText("")
            self.setText(text)


class SentenceLabel(QLabel):
    """A sentence in plain text.

    Long words break if they do not fit. A long sentence has its full text as a tooltip, and a very long one is
    shortened in the middle.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        name: str = "",
        role: str = "",
        selectable: bool = False,
        lines: int = 0,
    ) -> None:
        """`lines`: see `reserve_lines`."""
        super().__init__(parent)
        self._full_text = ""
        self._reserved_lines = 1
        self.setObjectName(name)
        if role:
            set_role(self, role)
        if lines:
            self.reserve_lines(lines)
        self.setTextFormat(PLAIN_TEXT)
        self.setWordWrap(True)
        if selectable:
            self.setTextInteractionFlags(SELECTABLE_BY_MOUSE)
        self.setText(text)

    def text(self) -> str:
        """Return the full sentence."""
        return self._full_text

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        if text == self._full_text:
            return
        self._full_text = text
        super().setText(_breakable(_shortened(text, _MAX_CHARACTERS)))
        self.setToolTip(_tool_tip(text) if len(text) > _TOOL_TIP_FROM else "")

    def reserve_lines(self, lines: int) -> None:
        """Take the height of at least `lines` lines, even when hidden, so that a new sentence moves nothing."""
        self._reserved_lines = lines
        keep_space(self)
        self.updateGeometry()

    def say(self, text: str, role: str = "", *, hides: bool = False) -> None:
        """Show another sentence, in the colour of a role; with `hides`, hide the label while it is empty."""
        set_role(self, role)
        self.setText(text)
        if hides:
            self.setVisible(bool(text))

    def selected(self) -> str:
        """Return the selected text without the invisible characters that allow breaks or isolate tokens."""
        return without_isolates(self.selectedText().replace(_ZERO_WIDTH_SPACE, "").replace(_WORD_JOINER, ""))

    @property
    def _reserved_height(self) -> int:
        return self._reserved_lines * line_height(self.font())

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height of the sentence at `width`, or of the reserved lines."""
        return max(super().heightForWidth(width), self._reserved_height)

    def sizeHint(self) -> QSize:
        """Return a size with at least the height of the reserved lines."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self._reserved_height))

    def minimumSizeHint(self) -> QSize:
        """Return the height at the current width, for splitters, which ignore `heightForWidth`; any width will do.

        On a page that is not shown, it has no width yet, in which it would be high, and a window stays that high.
        """
        if not self.isVisibleTo(self.window()):
            return QSize(0, self._reserved_height)
        most = _MAX_MINIMUM_LINES * self._reserved_height // self._reserved_lines
        return QSize(0, min(self.heightForWidth(self.width()), most))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the text without the characters that allow breaks."""
        if event.matches(COPY):
            self._copy()
        else:
            super().keyPressEvent(event)

    @property
    def is_copyable(self) -> bool:
        """Whether the context menu offers to copy the selection."""
        return bool(self.textInteractionFlags() & SELECTABLE_BY_MOUSE)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.is_copyable:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(bool(self.selected()))
        copy.triggered.connect(self._copy)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selected())


def _shortened(text: str, most: int) -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def _breakable(text: str) -> str:
    """Return `text` with zero-width spaces in its long words, and with word joiners in end-of-word markers."""
    return _LONG_WORD.sub(lambda word: _ZERO_WIDTH_SPACE.join(_pieces(word[0])), text).replace(*_WHOLE)


def _pieces(word: str) -> Iterator[str]:
    return (word[start : start + _BREAK_INTERVAL] for start in range(0, len(word), _BREAK_INTERVAL))


def _tool_tip(text: str) -> str:
    shown = html.escape(_breakable(_shortened(text, _MAX_TOOL_TIP_CHARACTERS)))
    return f"<p style='white-space: pre-wrap'>{shown}</p>"


_MAX: Final = 32  # widgets to remember
_PRESSES: Final = QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress
_PASSED_OVER: Final = QAbstractButton | QAbstractSpinBox | QComboBox | QMenu | QMenuBar


class FormerFocus(QObject):
    """Shows where the focus is, after keys only; and where it was: when a widget with the focus is hidden or disabled,
    the one that had it before gets it back.

    Qt would move it to whatever comes next, perhaps a box whose value the next key would change. So it never returns to
    boxes, nor to buttons, since the user has just pressed one. The window calls `give_back` wherever Qt asks it to move
    the focus.
    """

    _window = WeakAttribute[QWidget]()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._widgets: list[QWidget] = []  # most recent first
        self._is_by_key = False  # whether a key was pressed last, not a mouse button
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
            application.focusWindowChanged.connect(self._watch)

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if event.type() in _PRESSES:
            self._is_by_key = event.type() == _PRESSES[0]
            if not self._is_by_key and (focused := QApplication.focusWidget()) is not None:
                show_ring(focused, False)
        return False

    def give_back(self) -> bool:
        """If the widget with the focus can no longer have it, move the focus back, or take it away.

        Return whether that was so.
        """
        focused = self._window.focusWidget()
        if focused is None or _can_have_focus(focused) or (isinstance(focused, PushButton) and focused.isVisible()):
            return False
        former = next((widget for widget in self._widgets if _can_have_focus(widget)), None)
        if former is not None:
            former.setFocus()
        else:
            focused.clearFocus()
        return True

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None and new is not None:  # a return from another program changes nothing
            show_ring(new, self._is_by_key)
        if new is None or new.window() is not self.parent() or isinstance(new, _PASSED_OVER):
            return
        others = [widget for widget in self._widgets if widget is not new and shiboken6.isValid(widget)]
        self._widgets = [new, *others][:_MAX]


def _can_have_focus(widget: QWidget) -> bool:
    return shiboken6.isValid(widget) and widget.isVisible() and widget.isEnabled()


class FocusPasser(QWidget):
    """Passes the focus on to one of its parts, `first`.

    A focus proxy of Qt's would do so for Tab as well, which would pass over what precedes that part, or never leave.
    """

    first: QWidget

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:  # noqa: N802 (Qt's name)
        self.first.setFocus(reason)


class PageBar(QTabBar):
    """A tab bar whose keys do not trigger the window's shortcuts while it has the focus."""

    def event(self, event: QEvent) -> bool:
        return claims(event, lambda key: key.key() in (*SIDEWAYS_KEYS, Qt.Key.Key_Space)) or super().event(event)
