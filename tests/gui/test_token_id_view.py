"""The grid of ids: where cells are, what keys and mouse do, what is copied, and that only what is seen is painted."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.theme import Theme
from bpe_gui.gui.views.token_id_view import TokenIdView
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, Tokens

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def tokens(*ids: int, special: int = 7, unknown: int = -1) -> Tokens:
    spans = [(place, place + 1) for place in range(len(ids))]
    return Tokens.of(ids, spans, special_ids=(special,), unknown_ids=(unknown,))


@pytest.fixture
def view(qtbot: QtBot) -> TokenIdView:
    view = TokenIdView()
    qtbot.addWidget(view)
    view.set_palette_colors(Theme("light").token_palette())
    view.resize(300, 120)
    with qtbot.waitExposed(view):
        view.show()
    return view


def center(view: TokenIdView, index: int) -> QPoint:
    return view.cell_rect(index).center()


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_cells_do_not_overlap_and_are_found_again(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(30)))
    cells = [view.cell_rect(index) for index in range(30)]
    assert not any(one.intersects(other) for one in cells for other in cells if one is not other)
    assert all(view.index_at(center(view, index)) == index for index in range(30))
    assert all(cell.left() >= 0 and cell.right() < view.viewport().width() for cell in cells)


def test_there_is_no_token_beside_the_cells(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2, 3))
    last = view.cell_rect(2)
    assert view.index_at(QPoint(0, 0)) == -1
    assert view.index_at(last.center() + QPoint(last.width() + 5, 0)) == -1
    assert view.index_at(last.center() + QPoint(0, 2 * last.height())) == -1


def test_long_ids_get_wider_cells(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2))
    narrow = view.cell_rect(0).width()
    view.set_tokens(tokens(1, 2, 100_255))
    assert view.cell_rect(0).width() > narrow


def test_arrow_keys_move_from_cell_to_cell(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(30)))
    columns = next(index for index in range(30) if view.cell_rect(index).top() > view.cell_rect(0).top())
    visited: list[int] = []
    view.current_changed.connect(visited.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
    assert visited == [0, 1, 0, columns, 0]
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert visited[-3:] == [29, 29, 0]


def test_pages_move_and_stay_within(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(500)))
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert 0 < view.current < 499
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert view.current == 0


def test_keys_do_nothing_without_ids(view: TokenIdView) -> None:
    view.set_tokens(NO_TOKENS)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert view.current == -1
    assert clipboard() == "[]"


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End])
def test_keys_that_move_here_are_no_shortcuts_of_the_window(view: TokenIdView, key: Qt.Key) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    view.event(event)
    assert event.isAccepted()


def test_other_keys_stay_shortcuts_of_the_window(view: TokenIdView) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    view.event(event)
    assert not event.isAccepted()


def test_everything_is_copied_without_a_selection(view: TokenIdView) -> None:
    view.set_tokens(tokens(5, 262, 7))
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert clipboard() == "[5, 262, 7]"


def test_the_selection_is_copied(view: TokenIdView) -> None:
    view.set_tokens(tokens(5, 262, 7, 9))
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    assert view.selection == range(1, 3)
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert clipboard() == "[262, 7]"
    view.copy_all()
    assert clipboard() == "[5, 262, 7, 9]"


def test_a_selection_begins_at_the_carets_token(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2, 3, 4))
    view.set_current(2)
    assert not view.selection
    QTest.keyClick(view, Qt.Key.Key_Left, SHIFT)
    assert view.selection == range(1, 3)


def test_all_can_be_selected(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2, 3))
    QTest.keyClick(view, Qt.Key.Key_A, CONTROL)
    assert view.selection == range(3)


def test_a_click_selects_and_says_so(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_tokens(tokens(1, 2, 3))
    with qtbot.waitSignals([view.current_changed, view.token_clicked]):
        QTest.mouseClick(view.viewport(), LEFT, pos=center(view, 1))
    assert view.current == 1
    assert view.selection == range(1, 2)


def test_return_is_a_click(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2, 3))
    view.set_current(2)
    clicked: list[int] = []
    view.token_clicked.connect(clicked.append)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert clicked == [2]


def test_a_drag_selects_and_is_no_click(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(20)))
    clicked: list[int] = []
    view.token_clicked.connect(clicked.append)
    QTest.mousePress(view.viewport(), LEFT, pos=center(view, 1))
    QTest.mouseMove(view.viewport(), center(view, 4))
    QTest.mouseRelease(view.viewport(), LEFT, pos=center(view, 4))
    assert view.selection == range(1, 5)
    assert clicked == []


def test_shift_and_click_select_up_to_a_cell(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(20)))
    QTest.mouseClick(view.viewport(), LEFT, pos=center(view, 4))
    QTest.mouseClick(view.viewport(), LEFT, SHIFT, pos=center(view, 2))
    assert view.selection == range(2, 5)


def test_hovering_says_where(view: TokenIdView) -> None:
    view.set_tokens(tokens(1, 2, 3))
    hovered: list[int] = []
    view.token_hovered.connect(hovered.append)
    QTest.mouseMove(view.viewport(), center(view, 2))
    QTest.mouseMove(view.viewport(), center(view, 2) + QPoint(1, 1))
    view.viewportEvent(QEvent(QEvent.Type.Leave))
    assert hovered == [2, -1]


def test_the_carets_token_is_scrolled_to(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(2000)))
    view.set_current(1500)
    assert view.viewport().rect().contains(view.cell_rect(1500))
    view.set_current(3)
    assert view.viewport().rect().contains(view.cell_rect(3))


def test_the_place_scrolled_to_stays_when_the_tokens_change(view: TokenIdView) -> None:
    view.set_tokens(tokens(*range(2000)))
    view.verticalScrollBar().setValue(333)
    view.set_tokens(tokens(*range(1, 1990)))
    assert view.verticalScrollBar().value() == 333


def test_the_current_cell_stays_in_view_when_the_view_shrinks(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_tokens(tokens(*range(500)))
    view.set_current(60)
    view.resize(150, 60)
    qtbot.waitUntil(lambda: view.viewport().rect().contains(view.cell_rect(60)))


def test_cells_have_the_colours_of_their_tokens(view: TokenIdView) -> None:
    view.set_tokens(tokens(20, 21, 20, 7, -1))
    palette = Theme("light").token_palette()
    view.set_color_mode(ColorMode.BY_TOKEN)
    assert view.color_of(0) == view.color_of(2) == palette.backgrounds[20 % 9]
    image = view.viewport().grab().toImage()
    for index in range(3):
        cell = view.cell_rect(index)
        assert image.pixelColor(cell.left() + 3, cell.center().y()) == view.color_of(index)
    assert view.color_of(3).rgb() == palette.special.rgb()
    assert view.color_of(4).rgb() == palette.warning.rgb()


def test_marks_and_highlights_are_seen(view: TokenIdView) -> None:
    view.set_tokens(tokens(20, 21, 20))

    def picture() -> bytes:
        return bytes(view.viewport().grab().toImage().constBits())

    plain = picture()
    view.set_marked_ids(20)
    marked = picture()
    view.set_marked_ids(None)
    assert picture() == plain != marked
    view.set_highlight(1)
    assert picture() != plain
    view.set_highlight(-1)
    assert picture() == plain


def test_the_last_of_a_third_of_a_million_ids_is_brought_into_view(view: TokenIdView) -> None:
    count = 300_000
    ids = np.arange(count, dtype=np.int32) % 50_000
    spans = np.stack([np.arange(count), np.arange(1, count + 1)], axis=1)
    view.set_tokens(Tokens.of(ids, spans))
    view.set_current(count - 1)
    assert view.viewport().rect().contains(view.cell_rect(count - 1))
