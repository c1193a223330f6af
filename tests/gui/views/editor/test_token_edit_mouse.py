"""The editor of the text to encode: selecting with the mouse, and dragging."""

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QClipboard, QDragEnterEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.system.exact_text import mime_of, text_in
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.token_edits import NONE, SHIFT, open_edit

LEFT = Qt.MouseButton.LeftButton
NO_BUTTON = Qt.MouseButton.NoButton
COPY = Qt.DropAction.CopyAction
MOVE = Qt.DropAction.MoveAction

TEXT = "one two three\nfour five six\nseven"


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    return open_edit(qtbot, TEXT)


def point(edit: TokenEdit, place: int) -> QPoint:
    """A point at which the mouse means a place."""
    return edit.caret_rect(place).center().toPoint()


def click(edit: TokenEdit, place: int, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(edit.viewport(), LEFT, modifiers, point(edit, place))


def press(edit: TokenEdit, place: int) -> None:
    QTest.mousePress(edit.viewport(), LEFT, NONE, point(edit, place))


def drag_to(edit: TokenEdit, where: QPoint) -> None:
    """Move the mouse with its left button held, which QTest cannot."""
    viewport = edit.viewport()
    position = QPointF(where)
    event = QMouseEvent(QEvent.Type.MouseMove, position, QPointF(viewport.mapToGlobal(where)), NO_BUTTON, LEFT, NONE)
    QApplication.sendEvent(viewport, event)


def release(edit: TokenEdit, where: QPoint) -> None:
    QTest.mouseRelease(edit.viewport(), LEFT, NONE, where)


# -- selecting --------------------------------------------------------------------------------------------------------


def test_a_click_places_the_caret_and_with_shift_selects_as_far_as_it(edit: TokenEdit) -> None:
    click(edit, 5)
    assert (edit.place, edit.has_selection) == (5, False)
    click(edit, 20, SHIFT)
    assert (edit.anchor, edit.place) == (5, 20)
    click(edit, 2, SHIFT)
    assert (edit.anchor, edit.place) == (5, 2)


def test_the_mouse_selects_in_either_direction(edit: TokenEdit) -> None:
    press(edit, 9)
    drag_to(edit, point(edit, 16))
    assert (edit.anchor, edit.place) == (9, 16)
    drag_to(edit, point(edit, 2))
    assert (edit.anchor, edit.place) == (9, 2)
    release(edit, point(edit, 2))
    drag_to(edit, point(edit, 12))
    assert (edit.anchor, edit.place) == (9, 2)


def test_a_double_click_selects_the_word(edit: TokenEdit) -> None:
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 5))
    assert edit.selected_text() == "two"
    release(edit, point(edit, 5))  # or the button stays pressed for the tests that follow


def test_after_a_double_click_the_mouse_selects_whole_words(edit: TokenEdit) -> None:
    viewport, where = edit.viewport(), point(edit, 5)
    event = QMouseEvent(
        QEvent.Type.MouseButtonDblClick, QPointF(where), QPointF(viewport.mapToGlobal(where)), LEFT, LEFT, NONE
    )
    QApplication.sendEvent(viewport, event)
    drag_to(edit, point(edit, 10))
    assert edit.selected_text() == "two three"
    drag_to(edit, point(edit, 1))
    assert edit.selected_text() == "one two"
    release(edit, point(edit, 1))


def test_the_third_press_selects_the_line(edit: TokenEdit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 60_000)  # however busy the machine is
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 20))
    click(edit, 20)
    assert edit.selected_text() == "four five six"
    QTest.mouseDClick(edit.viewport(), LEFT, NONE, point(edit, 20))
    click(edit, 2)
    assert (edit.place, edit.has_selection) == (2, False)


def test_holding_the_mouse_below_scrolls_and_selects(qtbot: QtBot, edit: TokenEdit) -> None:
    edit.setPlainText("line\n" * 200)
    press(edit, 0)
    drag_to(edit, QPoint(10, edit.viewport().height() + 60))
    reached = edit.place
    qtbot.waitUntil(lambda: edit.place > reached + 50)
    assert edit.verticalScrollBar().value() > 0
    release(edit, QPoint(10, 10))
    assert edit.anchor == 0


def test_a_click_in_the_selection_ends_it(edit: TokenEdit) -> None:
    edit.set_selection(4, 13)
    press(edit, 8)
    assert edit.selected_text() == "two three"
    release(edit, point(edit, 8))
    assert (edit.place, edit.has_selection) == (8, False)


def test_the_right_button_leaves_the_selection(edit: TokenEdit) -> None:
    edit.set_selection(4, 13)
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.RightButton, NONE, point(edit, 20))
    assert edit.selected_text() == "two three"


def test_the_middle_button_inserts_what_was_selected_last(edit: TokenEdit, monkeypatch: pytest.MonkeyPatch) -> None:
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
    """Stands in for the clipboard of what is selected, which only X11 has."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.text = b""
        monkeypatch.setattr(QClipboard, "supportsSelection", lambda _clipboard: True)
        monkeypatch.setattr(QClipboard, "setMimeData", self._set)
        monkeypatch.setattr(QClipboard, "mimeData", lambda _clipboard, _mode: mime_of(self.text))

    def _set(self, data: QMimeData, mode: QClipboard.Mode) -> None:
        assert mode == QClipboard.Mode.Selection
        self.text = text_in(data)


# -- dragging ---------------------------------------------------------------------------------------------------------


def drag_over(edit: TokenEdit, where: QPoint, data: QMimeData, action: Qt.DropAction = COPY) -> None:
    enter = QDragEnterEvent(where, COPY | MOVE, data, LEFT, NONE)
    move = QDragMoveEvent(where, COPY | MOVE, data, LEFT, NONE)
    for event in (enter, move):
        event.setDropAction(action)
        QApplication.sendEvent(edit.viewport(), event)


def drop(edit: TokenEdit, place: int, data: QMimeData, action: Qt.DropAction = COPY) -> QDropEvent:
    drag_over(edit, point(edit, place), data, action)
    event = QDropEvent(QPointF(point(edit, place)), COPY | MOVE, data, LEFT, NONE)
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
    assert [str(path) for path in offered.args[0]] == ["/tmp/a.txt"]
    assert edit.toPlainText() == TEXT


def test_nothing_is_dropped_on_a_text_that_can_only_be_read_nor_anything_but_text(edit: TokenEdit) -> None:
    picture = QMimeData()
    picture.setData("image/png", b"x")
    where = point(edit, 4)
    for data, read_only in ((picture, False), (mime_of(b"x"), True)):
        edit.setReadOnly(read_only)
        event = QDragEnterEvent(where, COPY, data, LEFT, NONE)
        QApplication.sendEvent(edit.viewport(), event)
        assert not event.isAccepted()


def test_while_something_is_dragged_the_caret_shows_where_it_would_go(edit: TokenEdit) -> None:
    edit.set_caret(2)
    data = mime_of(b"x")
    drag_over(edit, point(edit, 9), data)
    assert (edit.caret, edit.place) == (9, 2)
    drop(edit, 9, data)
    assert (edit.caret, edit.place) == (10, 10)


def test_dragging_scrolls_at_the_edges(edit: TokenEdit) -> None:
    edit.setPlainText("line\n" * 200)
    bottom = QPoint(20, edit.viewport().height() - 2)
    top = QPoint(20, 2)
    rows = []
    for where in (bottom, bottom, top):
        drag_over(edit, where, mime_of(b"x"))
        rows.append(edit.verticalScrollBar().value())
    assert rows == [1, 2, 1]


@pytest.mark.parametrize(("place", "expected"), [(0, "two one three"), (8, "one two three"), (13, "one threetwo ")])
def test_the_selection_can_be_moved_in_one_step(
    edit: TokenEdit, monkeypatch: pytest.MonkeyPatch, place: int, expected: str
) -> None:
    edit.set_selection(4, 8)
    monkeypatch.setattr("bpe_gui.gui.views.editor.token_edit.QDrag", make_drag(edit, place))
    drag_selection(edit)
    assert edit.toPlainText() == expected + TEXT[13:]
    edit.undo()
    assert edit.toPlainText() == TEXT


def test_what_is_moved_elsewhere_goes_and_what_is_copied_stays(
    qtbot: QtBot, edit: TokenEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    for result, expected in ((COPY, TEXT), (MOVE, TEXT[8:])):
        edit.set_selection(0, 8)
        monkeypatch.setattr("bpe_gui.gui.views.editor.token_edit.QDrag", make_drag(edit, None, other, result))
        drag_selection(edit)
        assert edit.toPlainText() == expected


def drag_selection(edit: TokenEdit) -> None:
    middle = sum(edit.selection) // 2
    press(edit, middle)
    where = point(edit, middle) + QPoint(QApplication.startDragDistance() + 1, 0)
    drag_to(edit, where)
    release(edit, where)


def make_drag(edit: TokenEdit, place: int | None, target: QWidget | None = None, result: Qt.DropAction = MOVE) -> type:
    """A stand-in for QDrag, which is dropped on the editor, or on another widget."""

    class Drag:
        def __init__(self, _source: QWidget) -> None:
            self.data = QMimeData()

        def setMimeData(self, data: QMimeData) -> None:  # noqa: N802 (Qt's name)
            self.data = data

        def exec(self, _actions: Qt.DropAction, _default: Qt.DropAction) -> Qt.DropAction:
            if place is not None:
                drop(edit, place, self.data, MOVE)
            return result

        def target(self) -> QWidget:
            return target or edit.viewport()

    return Drag


def test_what_the_mouse_selects_does_not_outlive_an_edit(edit: TokenEdit) -> None:
    edit.setPlainText("你好" * 20)
    at = edit.caret_rect(12).center().toPoint()
    QTest.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=at)
    edit.set_caret(0)
    edit.insertPlainText("q")
    QTest.mouseMove(edit.viewport(), at + QPoint(40, 0))
    edit.insertPlainText("z")
    assert edit.toPlainText() == "qz" + "你好" * 20
    release(edit, at)  # or the button stays pressed for the tests that follow
