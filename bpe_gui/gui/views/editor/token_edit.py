"""The text editor that shows tokens."""

from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QFontDatabase,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from bpe_gui.engine import LiveText
from bpe_gui.gui.edit_history import EditHistory, TextSelection
from bpe_gui.gui.look.layouts import gapless_column
from bpe_gui.gui.look.qt_constants import ANTIALIASING, FONT_CHANGE, LEAVE, TOOL_TIP
from bpe_gui.gui.look.theme import TokenPalette
from bpe_gui.gui.look.widgets import claims, name_widget
from bpe_gui.gui.system.exact_text import utf8_of
from bpe_gui.gui.views.tokens import LiveTokens

from .accessibility import AccessibleText, install_accessibility
from .edited_text import EditedText
from .input_method import CaretBlink, InputMethod
from .keys import TextCommands
from .mouse import EditorMouse
from .token_layer import TokenLayer
from .visible_rows import VisibleRows

_BESIDE_CARET: Final = 3.0  # pixels from the caret into the token after it
_HINT_FLAGS: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap)


class TokenEdit(QAbstractScrollArea):
    """A plain-text editor that paints the tokens of its text; the text may have any size and any characters.

    Every byte is preserved on the way in and out. Methods with Qt's names behave as in QPlainTextEdit; offsets are
    bytes of the text's UTF-8; tokens are identified by their index in the text, -1 for none.
    """

    text_edited = Signal(int, int, int)
    """(start, removed, added) in bytes."""

    caret_moved = Signal(int)
    """To this offset."""

    selection_changed = Signal(int, int)
    """(start, stop); both the caret's offset if nothing is selected now."""

    files_dropped = Signal(list)
    """Paths of local files that were dropped or pasted."""

    token_hovered = Signal(int)
    """The token under the mouse."""

    token_clicked = Signal(int)
    """The token that was clicked."""

    menu_opened = Signal(QMenu, int)
    """A menu that is about to be shown, and the token it is for."""

    def __init__(self, parent: QWidget | None = None, *, name: str = "encodeInput") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        text, viewport = LiveText(), self.viewport()
        self.document: Final = EditedText(text, self)
        self.rows: Final = VisibleRows(text, self.verticalScrollBar(), self.font(), viewport.size(), self)
        self.tokens: Final = TokenLayer(self.rows, LiveTokens(text), self)
        self._blink = CaretBlink(self)
        self._caret_offset = 0  # of the caret, or where dragged text would be dropped
        self._painted_caret = QRect()  # empty while it is off the screen
        self._commands = TextCommands(self.document, self.rows, self)
        self._mouse = EditorMouse(self.document, self.rows, self.tokens, self._commands, viewport)
        self._input_method = InputMethod(self.document, self.rows, self._blink, viewport)
        self._accessible_text = AccessibleText(self.document, self.rows, self.tokens, self)
        install_accessibility()
        self._connect()
        self._set_up()

    def _connect(self) -> None:
        self.document.replaced.connect(self._follow_edit)
        self.document.selected.connect(self._follow_caret)
        self.document.edited.connect(self.text_edited)
        self.document.caret_moved.connect(self.caret_moved)
        self.document.selection_changed.connect(self.viewport().update)
        self.document.selection_changed.connect(self.selection_changed)
        self.tokens.changed.connect(self.viewport().update)
        self.tokens.area_changed.connect(self._repaint)
        self.tokens.token_hovered.connect(self.token_hovered)
        self._mouse.token_clicked.connect(self.token_clicked)
        self._mouse.drop_target_changed.connect(self._show_drop_target)
        self._commands.files_offered.connect(self.files_dropped)
        self._blink.toggled.connect(self._update_caret)
        self._input_method.preedit_changed.connect(self.updateMicroFocus)

    def _set_up(self) -> None:
        self.setAccessibleName(self.tr("Text to encode"))
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setInputMethodHints(Qt.InputMethodHint.ImhMultiLine)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # nothing behind it is painted
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.viewport().setMouseTracking(True)
        self.viewport().setAcceptDrops(True)

    # -- the text ---------------------------------------------------------------------------------------------------

    def set_source(
        self,
        source: LiveTokens,
        history: EditHistory | None = None,
        *,
        flash: bool = False,
        seam: int | None = None,
    ) -> None:
        """Show the text and tokens of `source`.

        For a different text, scroll to the start, clear the marks, and take its `history`. For the same text, `flash`
        makes tokens flash that were not in view before, and `seam` makes their two parts draw together, where the left
        one has that many bytes.
        """
        is_other_text = source.text is not self.document.text
        if is_other_text:
            self._mouse.cancel()
            self.rows.set_text(source.text)
        self.tokens.set_source(source, flash=flash, seam=seam)
        if is_other_text:
            self.document.set_text(source.text, history)

    def _follow_edit(self, start: int, removed: int, added: int) -> None:
        self._mouse.cancel()
        self.tokens.end_flash()
        self.rows.replaced(start, removed, added)

    def follow_edit(self, start: int, removed: int, added: int) -> None:
        """Show an edit made by another editor, without scrolling."""
        self.document.follow(start, removed, added)

    def toPlainText(self) -> str:  # noqa: N802 (Qt's name)
        return str(self.document.text)

    def setPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Replace the whole text and forget the undo history."""
        self.document.reset(utf8_of(text))

    def insertPlainText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        self.document.insert(utf8_of(text))

    def replace_text(self, text: str) -> None:
        """Replace the whole text in one undo step."""
        self.document.replace(0, len(self.document.text), utf8_of(text))

    def isReadOnly(self) -> bool:  # noqa: N802 (Qt's name)
        return self.document.read_only

    def setReadOnly(self, read_only: bool) -> None:  # noqa: N802 (Qt's name)
        """Let the user only read and copy, or edit as well."""
        self.document.read_only = read_only
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, not read_only)
        self.viewport().update()

    def cut(self) -> None:
        """Move the selected text to the clipboard."""
        self._commands.cut()

    def copy(self) -> None:
        """Copy the selected text to the clipboard."""
        self._commands.copy()

    def paste(self) -> None:
        """Insert the text on the clipboard, or offer its files."""
        self._commands.paste()

    # -- caret and selection ----------------------------------------------------------------------------------------

    @property
    def selection(self) -> TextSelection:
        """The anchor and the caret."""
        return self.document.selection

    def set_caret(self, offset: int) -> None:
        """Move the caret and scroll to it."""
        self.document.set_caret(offset)

    def set_selection(self, start: int, stop: int) -> None:
        """Select from `start` to `stop`, put the caret at `stop`, and scroll to it."""
        self.document.select_span(start, stop)

    def selectAll(self) -> None:  # noqa: N802 (Qt's name)
        self._commands.select_all()

    def _follow_caret(self) -> None:
        self._paint_caret_at(self.document.caret)
        self._blink.restart()
        self.updateMicroFocus()
        self.rows.ensure_visible(self.document.caret)

    def _show_drop_target(self, offset: int) -> None:
        self._paint_caret_at(offset)
        self._blink.show()

    def _paint_caret_at(self, offset: int) -> None:
        self._caret_offset = offset
        self._update_caret()

    def _update_caret(self) -> None:
        """Repaint the caret at its new position, and erase it at the old one."""
        self.viewport().update(self._painted_caret)
        self.viewport().update(_area_of(self.rows.caret_rect(self._caret_offset)))

    # -- painting ---------------------------------------------------------------------------------------------------

    def set_palette_colors(self, palette: TokenPalette) -> None:
        """Use the colours of a theme."""
        colors = self.palette()
        colors.setColor(QPalette.ColorRole.Text, palette.text)
        self.setPalette(colors)
        self.tokens.set_palette(palette)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows in view, the caret, and if the text is empty, a hint."""
        margin, metrics, brushes = self.rows.margin, self.rows.all_rows.metrics, self.tokens.painter
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), self.palette().base())
            painter.translate(margin, margin)
            painter.setFont(self.font())
            painter.setRenderHint(ANTIALIASING)
            self.tokens.paint(painter, event.region().translated(-margin, -margin), self.document.selection)
            if self._painted_caret.isEmpty() or event.region().intersects(self._painted_caret):
                self._paint_caret(painter)
            if not len(self.document.text) and not self.rows.all_rows.is_composing and not self.isReadOnly():
                painter.setPen(brushes.quiet_color)
                top = metrics.baseline - painter.fontMetrics().ascent()
                hint = QRectF(0, top, self.viewport().width() - 2 * margin, self.viewport().height())
                painter.drawText(hint, _HINT_FLAGS, self.tr("Type or paste text to see its tokens."))

    def _repaint(self, area: QRegion) -> None:
        """Repaint an area; a signal with an area connected to `QWidget.update` itself repaints everything."""
        self.viewport().update(area)

    def _paint_caret(self, painter: QPainter) -> None:
        self._painted_caret = QRect()
        if self._blink.visible:
            caret, metrics = self.rows.caret_rect(self._caret_offset), self.rows.all_rows.metrics
            self._painted_caret = _area_of(caret) & self.viewport().rect()
            x, top = caret.x() - self.rows.margin, caret.y() - self.rows.margin
            self.tokens.painter.paint_caret(painter, x, top + metrics.cell_top, top + metrics.cell_bottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.rows.set_size(self.viewport().size())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == FONT_CHANGE:
            self.rows.set_font(self.font())
        super().changeEvent(event)

    # -- keys and input methods -------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the editor's keys, so that they are not the window's shortcuts while the editor has the focus."""
        return claims(event, lambda key: self._commands.of_key(key) is not None) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if command := self._commands.of_key(event):
            command()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._blink.restart()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._blink.restart()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._input_method.handle(event)

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:  # noqa: N802 (Qt's name)
        answer = self._input_method.answer(query)
        return super().inputMethodQuery(query) if answer is None else answer

    # -- the mouse --------------------------------------------------------------------------------------------------

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == LEAVE:
            self.tokens.hover(None)
        if event.type() == TOOL_TIP and isinstance(event, QHelpEvent):
            self._mouse.show_tip(event)
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._mouse.double_click(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._mouse.drag_enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._mouse.drag_move(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Show the caret itself again."""
        self._paint_caret_at(self.document.caret)
        self._blink.restart()

    def dropEvent(self, event: QDropEvent) -> None:
        self._mouse.drop(event)

    # -- the menu ---------------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the menu at the mouse, or below the caret if it was opened by a key."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        caret = self.rows.caret_rect(self.document.caret)
        menu = self.context_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        point = caret.center() + QPointF(_BESIDE_CARET, 0) if by_key else QPointF(event.pos())
        self.menu_opened.emit(menu, self.tokens.token_at(point))
        below_caret = self.viewport().mapToGlobal(caret.bottomLeft().toPoint())
        menu.popup(below_caret if by_key else event.globalPos())

    def context_menu(self) -> QMenu:
        return self._commands.menu(self)


def _area_of(caret: QRectF) -> QRect:
    """Return the pixels that a caret may cover."""
    return caret.adjusted(-2, 0, 2, 0).toAlignedRect()


def token_view(edit: TokenEdit, name: str, title: str = "") -> QWidget:
    """Return a widget that contains an editor and passes it the focus; `title` is what screen readers announce."""
    view = name_widget(QWidget(), name, title)
    view.setFocusProxy(edit)
    gapless_column(view, edit)
    return view
