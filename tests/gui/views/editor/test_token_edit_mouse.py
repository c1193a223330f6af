"""The editor of the text to encode: selecting with the mouse, drag and drop."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QClipboard, QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.edit_history import TextSelection
from bpe_gui.gui.system.exact_text import mime_of, text_in
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.token_edits import NONE, SHIFT, open_edit, selected_text, shows_caret

LEFT = Qt.MouseButton.LeftButton
QDRAG = "bpe_gui.gui.views.editor.mouse.QDrag"
NO_BUTTON = Qt.MouseButton.NoButton
COPY = Qt.DropAction.CopyAction
MOVE = Qt.DropAction.MoveAction

TEXT = "one two three\nfour five six\nseven"


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot, TEXT)


def point(edit: TokenEdit, offset: int) -> QPoint:
    """Return the point of the viewport at which a caret would be."""
    return edit.rows.caret_rect(offset).center().toPoint()


def click(edit: TokenEdit, offset: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(edit.viewport(), LEFT, modifiers, point(edit, offset))


def press(edit: TokenEdit, offset: int) -> None:
    QTest.mousePress(edit.viewport(), LEFT, NONE, point(edit, offset))


def drag_to(edit: TokenEdit, target: QPoint) -> None:
    """Move the mouse with its left button held, which QTest cannot."""
    viewport = edit.viewport()
    position = QPointF(target)
    event = QMouseEvent(QEvent.Type.MouseMove, position, QPointF(viewport.mapToGlobal(target)), NO_BUTTON, LEFT, NONE)
    QApplication.sendEvent(viewport, event)


def release(edit: TokenEdit, target: QPoint) -> None:
    QTest.mouseRelease(edit.viewport(), LEFT, NONE, target)


# -- selecting --------------------------------------------------------------------------------------------------------


def test_a_click_moves_the_caret_and_selects_with_shift(edit: TokenEdit) -> None:
    click(edit, 5)
    assert edit.selection == TextSelection.at(5)
    click(edit, 20, SHIFT)
    assert edit.selection == TextSelection(5, 20)
    click(edit, 2, SHIFT)
    assert edit.selection == TextSelection(5, 2)


def test_dragging_the_mouse_selects_in_either_direction(edit: TokenEdit) -> None:
    press(edit, 9)
    drag_to(edit, point(edit, 16))
    assert edit.selection == TextSelection(9, 16)
    drag_to(edit, point(edit, 2))
    assert edit.selection == TextSelection(9, 2)
    release(edit, point(edit, 2))
    drag_to(edit, point(edit, 12))
    assert edit.selection == TextSelection(9, 2)


def test_a_double_click_selects_the_word(edit: TokenEdit) -> None:
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 5))
    assert selected_text(edit) == "two"
    release(edit, point(edit, 5))  # or the button stays pressed in later tests


def test_dragging_after_a_double_click_selects_whole_words(edit: TokenEdit) -> None:
    viewport, target = edit.viewport(), point(edit, 5)
    event = QMouseEvent(
        QEvent.Type.MouseButtonDblClick, QPointF(target), QPointF(viewport.mapToGlobal(target)), LEFT, LEFT, NONE
    )
    QApplication.sendEvent(viewport, event)
    drag_to(edit, point(edit, 10))
    assert selected_text(edit) == "two three"
    drag_to(edit, point(edit, 1))
    assert selected_text(edit) == "one two"
    release(edit, point(edit, 1))


def test_a_third_press_selects_the_line(edit: TokenEdit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 60_000)  # however busy the machine is
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 20))
    click(edit, 20)
    assert selected_text(edit) == "four five six"
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 20))
    click(edit, 2)
    assert edit.selection == TextSelection.at(2)


def test_holding_the_mouse_below_the_viewport_scrolls_and_selects(qtbot: QtBot, edit: TokenEdit) -> None:
    edit.setPlainText("line\n" * 200)
    press(edit, 0)
    drag_to(edit, QPoint(10, edit.viewport().height() + 60))
    reached = edit.selection.caret
    qtbot.waitUntil(lambda: edit.selection.caret > reached + 50)
    assert edit.verticalScrollBar().value() > 0
    release(edit, QPoint(10, 10))
    assert edit.selection.anchor == 0


def test_a_click_in_the_selection_deselects(edit: TokenEdit) -> None:
    edit.set_selection(4, 13)
    press(edit, 8)
    assert selected_text(edit) == "two three"
    release(edit, point(edit, 8))
    assert edit.selection == TextSelection.at(8)


def test_the_right_button_keeps_the_selection(edit: TokenEdit) -> None:
    edit.set_selection(4, 13)
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.RightButton, NONE, point(edit, 20))
    assert selected_text(edit) == "two three"


def test_the_middle_button_inserts_the_primary_selection(edit: TokenEdit, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = SelectionClipboard(monkeypatch)
    press(edit, 0)
    drag_to(edit, point(edit, 3))
    assert offered.text == b""
    release(edit, point(edit, 3))
    assert offered.text == b"one"
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.MiddleButton, NONE, point(edit, 13))
    assert edit.toPlainText().startswith("one two threeone\n")
    edit.selectAll()
    assert offered.text == edit.toPlainText().encode()


class SelectionClipboard:
    """A stand-in for the primary selection, which only X11 has."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.text = b""
        monkeypatch.setattr(QClipboard, "supportsSelection", lambda _clipboard: True)
        monkeypatch.setattr(QClipboard, "setMimeData", self._set)
        monkeypatch.setattr(QClipboard, "mimeData", lambda _clipboard, _mode: mime_of(self.text))

    def _set(self, data: QMimeData, mode: QClipboard.Mode) -> None:
        assert mode == QClipboard.Mode.Selection
        self.text = text_in(data)


# -- dragging ---------------------------------------------------------------------------------------------------------


def drag_over(edit: TokenEdit, target: QPoint, data: QMimeData, action: Qt.DropAction = COPY) -> None:
    enter = QDragEnterEvent(target, COPY | MOVE, data, LEFT, NONE)
    move = QDragMoveEvent(target, COPY | MOVE, data, LEFT, NONE)
    for event in (enter, move):
        event.setDropAction(action)
        QApplication.sendEvent(edit.viewport(), event)


def drop(edit: TokenEdit, offset: int, data: QMimeData, action: Qt.DropAction = COPY) -> QDropEvent:
    drag_over(edit, point(edit, offset), data, action)
    event = QDropEvent(QPointF(point(edit, offset)), COPY | MOVE, data, LEFT, NONE)
    event.setDropAction(action)
    QApplication.sendEvent(edit.viewport(), event)
    return event


def test_dropped_text_is_inserted_exactly(edit: TokenEdit) -> None:
    assert drop(edit, 4, mime_of("\ufeffa\r\n\u00a0".encode())).isAccepted()
    assert edit.toPlainText() == "one \ufeffa\r\n\u00a0" + TEXT[4:]


def test_dropped_files_are_offered(qtbot: QtBot, edit: TokenEdit) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/a.txt")])
    with qtbot.waitSignal(edit.files_dropped) as offered:
        drop(edit, 4, data)
    assert offered.args[0] == [Path("/tmp/a.txt")]
    assert edit.toPlainText() == TEXT


def test_a_read_only_text_accepts_no_drop_and_no_text_accepts_a_picture(edit: TokenEdit) -> None:
    picture = QMimeData()
    picture.setData("image/png", b"x")
    target = point(edit, 4)
    for data, read_only in ((picture, False), (mime_of(b"x"), True)):
        edit.setReadOnly(read_only)
        event = QDragEnterEvent(target, COPY, data, LEFT, NONE)
        QApplication.sendEvent(edit.viewport(), event)
        assert not event.isAccepted()


def test_the_painted_caret_follows_a_drag_and_the_caret_stays(edit: TokenEdit) -> None:
    edit.set_caret(2)
    data = mime_of(b"x")
    drag_over(edit, point(edit, 9), data)
    assert shows_caret(edit, 9)
    assert edit.selection.caret == 2
    drop(edit, 9, data)
    assert shows_caret(edit, 10)
    assert edit.selection.caret == 10


def test_dragging_scrolls_at_the_edges(edit: TokenEdit) -> None:
    edit.setPlainText("line\n" * 200)
    bottom = QPoint(20, edit.viewport().height() - 2)
    top = QPoint(20, 2)
    rows = []
    for target in (bottom, bottom, top):
        drag_over(edit, target, mime_of(b"x"))
        rows.append(edit.verticalScrollBar().value())
    assert rows == [1, 2, 1]


@pytest.mark.parametrize(("offset", "expected"), [(0, "two one three"), (8, "one two three"), (13, "one threetwo ")])
def test_the_selected_text_can_be_dragged_elsewhere_in_one_undoable_step(
    edit: TokenEdit, monkeypatch: pytest.MonkeyPatch, offset: int, expected: str
) -> None:
    edit.set_selection(4, 8)
    monkeypatch.setattr(QDRAG, make_drag(edit, offset))
    drag_selection(edit)
    assert edit.toPlainText() == expected + TEXT[13:]
    edit.document.undo()
    assert edit.toPlainText() == TEXT


def test_text_dragged_to_another_widget_is_removed_if_moved_and_stays_if_copied(
    qtbot: QtBot, edit: TokenEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    for result, expected in ((COPY, TEXT), (MOVE, TEXT[8:])):
        edit.set_selection(0, 8)
        monkeypatch.setattr(QDRAG, make_drag(edit, None, other, result))
        drag_selection(edit)
        assert edit.toPlainText() == expected


def drag_selection(edit: TokenEdit) -> None:
    middle = sum(edit.selection.span) // 2
    press(edit, middle)
    target = point(edit, middle) + QPoint(QApplication.startDragDistance() + 1, 0)
    drag_to(edit, target)
    release(edit, target)


def make_drag(edit: TokenEdit, offset: int | None, target: QWidget | None = None, result: Qt.DropAction = MOVE) -> type:
    """Return a stand-in for QDrag that is dropped on the editor at `offset`, or on another widget."""

    class Drag:
        def __init__(self, _source: QWidget) -> None:
            self.data = QMimeData()

        def setMimeData(self, data: QMimeData) -> None:  # noqa: N802 (Qt's name)
            self.data = data

        def exec(self, _actions: Qt.DropAction, _default: Qt.DropAction) -> Qt.DropAction:
            if offset is not None:
                drop(edit, offset, self.data, MOVE)
            return result

        def target(self) -> QWidget:
            return target or edit.viewport()

    return Drag


def test_an_edit_ends_selecting_with_the_mouse(edit: TokenEdit) -> None:
    edit.setPlainText("你好" * 20)
    at = edit.rows.caret_rect(12).center().toPoint()
    QTest.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=at)
    edit.set_caret(0)
    edit.insertPlainText("q")
    QTest.mouseMove(edit.viewport(), at + QPoint(40, 0))
    edit.insertPlainText("z")
    assert edit.toPlainText() == "qz" + "你好" * 20
    release(edit, at)  # or the button stays pressed in later tests
