"""The grid of ids: its geometry, keys and mouse, copying; only ids in view are requested."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Tokenizer, train
from bpe_gui.gui.look.theme import Theme, hue_of
from bpe_gui.gui.views import token_id_view
from bpe_gui.gui.views.id_lists import IdStyle
from bpe_gui.gui.views.token_id_view import TokenIdView
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Tokens

LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier

SPECIAL = 7
UNKNOWN = -1


class Ids(LiveTokens):
    """A text of one-byte tokens with these ids, `count` of them known, which notes the longest request."""

    def __init__(self, *ids: int, count: int | None = None) -> None:
        super().__init__(LiveText(), special_tokens={"<x>": SPECIAL}, unknown_ids=(UNKNOWN,))
        self.ids = np.array(ids, np.int32)
        self.known = len(ids) if count is None else count
        self.complete = True
        self.longest_request = 0

    def __len__(self) -> int:
        return self.known

    @property
    def is_complete(self) -> bool:
        return self.complete

    def slice(self, first: int, last: int) -> Tokens:
        numbers = np.arange(first, max(first, min(last, self.known)), dtype=np.int64)
        self.longest_request = max(self.longest_request, len(numbers))
        ids = self.ids[numbers] if len(self.ids) else (numbers % 50_000).astype(np.int32)
        return Tokens(ids, numbers, numbers + 1, ids == SPECIAL, ids == UNKNOWN, str, first)


def source(text: str, tokenizer: Tokenizer) -> LiveTokens:
    live = LiveText(text)
    live.encode_with(tokenizer.with_unknown_id(UNKNOWN))
    live.encode_near(0, len(live))
    return LiveTokens.of(live, tokenizer, UNKNOWN, "unknown")


@pytest.fixture
def view(qtbot: QtBot) -> TokenIdView:
    view = TokenIdView()
    qtbot.addWidget(view)
    view.set_palette_colors(Theme("light").token_palette())
    view.resize(300, 120)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    return view


def center(view: TokenIdView, index: int) -> QPoint:
    return view.cell_rect(index).center()


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_cells_do_not_overlap_and_are_found_by_their_centres(view: TokenIdView) -> None:
    view.set_source(Ids(*range(30)))
    cells = [view.cell_rect(index) for index in range(30)]
    assert not any(one.intersects(other) for one in cells for other in cells if one is not other)
    assert all(view.index_at(center(view, index)) == index for index in range(30))
    assert all(cell.left() >= 0 and cell.right() < view.viewport().width() for cell in cells)


def test_no_token_is_found_beside_the_cells(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3))
    last = view.cell_rect(2)
    assert view.index_at(QPoint(0, 0)) == -1
    assert view.index_at(last.center() + QPoint(last.width() + 5, 0)) == -1
    assert view.index_at(last.center() + QPoint(0, 2 * last.height())) == -1


def test_columns_are_as_wide_as_the_largest_possible_id(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2))
    narrow = view.cell_rect(0).width()
    view.set_source(Ids(1, 2, 260))
    assert view.cell_rect(0).width() == narrow
    view.set_largest_id(100_255)
    assert view.cell_rect(0).width() > narrow


def test_arrow_keys_move_from_cell_to_cell(view: TokenIdView) -> None:
    view.set_source(Ids(*range(30)))
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


def test_page_keys_move_within_the_ids(view: TokenIdView) -> None:
    view.set_source(Ids(*range(500)))
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert 0 < view.current < 499
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert view.current == 0


def test_keys_do_nothing_without_ids(view: TokenIdView) -> None:
    view.set_source(None)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert view.current == -1
    assert clipboard() == "[]"


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Space])
def test_the_view_overrides_only_shortcuts_that_are_its_own_keys(view: TokenIdView, key: Qt.Key) -> None:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    view.event(event)
    assert event.isAccepted() == (key != Qt.Key.Key_Space)


def test_the_selection_is_copied(view: TokenIdView) -> None:
    view.set_source(Ids(5, 262, 7, 9))
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    assert view.selection == range(1, 3)
    QTest.keyClick(view, Qt.Key.Key_C, CONTROL)
    assert clipboard() == "[262, 7]"
    view.set_selection(0, 0)
    view.copy(IdStyle.JSON)
    assert clipboard() == "[5,262,7,9]"


def test_a_selection_begins_at_the_token_of_the_caret(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3, 4))
    view.set_current(2)
    assert not view.selection
    QTest.keyClick(view, Qt.Key.Key_Left, SHIFT)
    assert view.selection == range(1, 3)


def test_a_click_selects_and_is_reported(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_source(Ids(1, 2, 3))
    with qtbot.waitSignals([view.current_changed, view.token_clicked]):
        QTest.mouseClick(view.viewport(), LEFT, pos=center(view, 1))
    assert view.current == 1
    assert view.selection == range(1, 2)


def test_return_is_a_click(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3))
    view.set_current(2)
    clicked: list[int] = []
    view.token_clicked.connect(clicked.append)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert clicked == [2]


def test_a_drag_selects_and_is_not_a_click(view: TokenIdView) -> None:
    view.set_source(Ids(*range(20)))
    clicked: list[int] = []
    view.token_clicked.connect(clicked.append)
    QTest.mousePress(view.viewport(), LEFT, pos=center(view, 1))
    QTest.mouseMove(view.viewport(), center(view, 4))
    QTest.mouseRelease(view.viewport(), LEFT, pos=center(view, 4))
    assert view.selection == range(1, 5)
    assert clicked == []


def test_a_click_with_shift_selects_up_to_the_cell(view: TokenIdView) -> None:
    view.set_source(Ids(*range(20)))
    QTest.mouseClick(view.viewport(), LEFT, pos=center(view, 4))
    QTest.mouseClick(view.viewport(), LEFT, SHIFT, pos=center(view, 2))
    assert view.selection == range(2, 5)


def test_hovering_reports_the_token_once(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3))
    hovered: list[int] = []
    view.token_hovered.connect(hovered.append)
    QTest.mouseMove(view.viewport(), center(view, 2))
    QTest.mouseMove(view.viewport(), center(view, 2) + QPoint(1, 1))
    view.viewportEvent(QEvent(QEvent.Type.Leave))
    assert hovered == [2, -1]


def test_scroll_position_and_marks_return_when_the_tokens_do(view: TokenIdView) -> None:
    ids = Ids(*range(2000))
    view.set_source(ids)
    view.set_current(900)
    view.set_selection(890, 900)
    position = view.verticalScrollBar().value()
    ids.known, ids.complete = 5, False
    view.tokens_changed()
    assert view.verticalScrollBar().value() == 0
    assert view.current == -1
    assert not view.selection
    ids.known, ids.complete = 2000, True
    view.tokens_changed()
    assert view.verticalScrollBar().value() == position
    assert view.current == 900
    assert view.selection == range(890, 900)


def test_an_ellipsis_shows_that_more_ids_will_follow(view: TokenIdView) -> None:
    ids = Ids(*range(5))
    view.set_source(ids)

    def inked_pixels_after_the_last() -> int:
        image = view.viewport().grab(view.cell_rect(5)).toImage()
        colors = [image.pixel(x, y) for x in range(image.width()) for y in range(image.height())]
        return len(colors) - colors.count(colors[0])

    assert inked_pixels_after_the_last() == 0
    ids.complete = False
    view.tokens_changed()
    assert inked_pixels_after_the_last() > 0
    assert view.index_at(center(view, 5)) == -1


def test_the_current_cell_stays_in_view_when_the_view_shrinks(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_source(Ids(*range(500)))
    view.set_current(60)
    view.resize(150, 60)
    qtbot.waitUntil(lambda: view.viewport().rect().contains(view.cell_rect(60)))


def test_cells_have_the_colours_of_their_tokens(view: TokenIdView) -> None:
    view.set_source(Ids(20, 21, 20, 7, -1))
    palette = Theme("light").token_palette()
    view.set_color_mode(ColorMode.BY_TOKEN)
    assert view.color_of(0) == view.color_of(2) == palette.backgrounds[hue_of(b"20", palette.hues)]
    image = view.viewport().grab().toImage()
    for index in range(3):
        cell = view.cell_rect(index)
        assert image.pixelColor(cell.left() + 3, cell.center().y()) == view.color_of(index)
    assert view.color_of(3).rgb() == palette.special.rgb()
    assert view.color_of(4).rgb() == palette.warning.rgb()


def test_marks_and_highlights_are_painted_and_removed(qtbot: QtBot, view: TokenIdView) -> None:
    view.set_source(Ids(20, 21, 20))

    def picture() -> QImage:
        return view.viewport().grab().toImage()

    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    plain = picture()
    view.set_marked_ids([20])
    marked = picture()
    view.set_marked_ids([])
    assert marked != plain
    qtbot.waitUntil(lambda: picture() == plain)
    view.set_highlight(1)
    assert picture() != plain
    view.set_highlight(-1)
    qtbot.waitUntil(lambda: picture() == plain)


def test_of_thirty_million_ids_only_those_in_view_are_requested(view: TokenIdView) -> None:
    ids = Ids(count=30_000_000)
    view.set_source(ids)
    view.set_current(29_999_999)
    view.viewport().grab()
    assert view.viewport().rect().contains(view.cell_rect(29_999_999))
    assert view.index_at(center(view, 29_999_999)) == 29_999_999
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    view.viewport().grab()
    assert 0 < ids.longest_request < 2000


@pytest.mark.parametrize("mode", [ColorMode.BY_POSITION, ColorMode.BY_TOKEN])
def test_neighbours_differ_and_keep_their_colours_while_scrolling(view: TokenIdView, mode: ColorMode) -> None:
    view.set_source(Ids(*[3, 3, 3, 12, 30, 3, 3, 4] * 100, *[5] * 301, *range(10, 510)))
    view.set_color_mode(mode)
    colors = [view.color_of(index) for index in range(1500)]
    assert all(one != other for one, other in pairwise(colors))
    for row in (0, 7, 60, 110):
        view.verticalScrollBar().setValue(row)
        image = view.viewport().grab().toImage()
        shown = [index for index in range(1500) if view.viewport().rect().contains(view.cell_rect(index))]
        assert shown
        for index in shown:
            cell = view.cell_rect(index)
            assert image.pixelColor(cell.left() + 3, cell.center().y()).rgb() == colors[index].rgb()


def test_selections_by_the_user_are_reported(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3, 4))
    reported: list[tuple[int, int]] = []
    view.selection_changed.connect(lambda first, last: reported.append((first, last)))
    QTest.mouseClick(view.viewport(), LEFT, pos=center(view, 1))
    QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Home, SHIFT)
    QTest.keyClick(view, Qt.Key.Key_A, CONTROL)
    assert reported == [(1, 2), (1, 3), (0, 2), (0, 4)]


def test_the_selection_of_the_text_is_shown_and_not_reported(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_source(Ids(1, 2, 3, 4))
    with qtbot.assertNotEmitted(view.selection_changed):
        view.set_current(3)
        view.set_selection(1, 3)
        view.set_selection(1, 3)
    assert view.selection == range(1, 3)
    view.copy()
    assert clipboard() == "[2, 3]"
    image = view.viewport().grab().toImage()
    inside, outside = (view.cell_rect(index) for index in (1, 0))
    gap = image.pixelColor(inside.right() + 1, inside.center().y())
    assert gap != image.pixelColor(outside.right() + 1, outside.center().y())


def copied_in_all_styles(view: TokenIdView) -> list[str]:
    view.copy_menu.aboutToShow.emit()
    copied = []
    for action in view.copy_menu.actions()[1:]:
        if action.isVisible():
            action.trigger()
            copied.append(clipboard())
    return copied


def test_ids_and_tokens_are_copied_in_six_styles(view: TokenIdView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.warned):
        view.set_source(source("low low", train("low low lower", num_merges=2)))
        copied = copied_in_all_styles(view)
    assert copied[:4] == [
        "[257, 32, 257]",
        "[257,32,257]",
        "ids = [257, 32, 257]",
        "np.array([257, 32, 257], dtype=np.int32)",
    ]
    assert copied[4:] == ["['low', 'Ġ', 'low']", "low Ġ low"]


def test_symbols_without_an_id_are_copied_as_their_text_and_told_of(view: TokenIdView, qtbot: QtBot) -> None:
    view.set_source(source("(low)\nlow (", train("low low low", recipe="subword-nmt", num_merges=2)))
    warnings: list[str] = []
    view.warned.connect(warnings.append)
    copied = copied_in_all_styles(view)
    assert copied[0] == "[-1, 0, 1, -1, -1, 4, -1]"
    assert copied[5:] == ["( l o w )</w>\nlow</w> (</w>", "(@@ l@@ o@@ w@@ )\nlow ("]
    said = "4 symbols have no id, so -1 stands for them in what was copied. The first: ("
    assert warnings == 4 * [said]
    view.set_selection(4, 5)
    view.copy()
    assert warnings[4:] == ["1 symbol has no id, so -1 stands for it in what was copied: )"]


def test_the_menu_shows_which_ids_it_copies(view: TokenIdView) -> None:
    ids = Ids(1, 2, 3)
    view.set_source(ids)
    menu = view.copy_menu

    def scope() -> str:
        menu.aboutToShow.emit()
        return menu.actions()[0].text()

    assert scope() == "All ids: 3"
    view.set_selection(0, 1)
    assert scope() == "1 selected id"
    view.set_selection(0, 2)
    assert scope() == "2 selected ids"
    view.set_selection(0, 0)
    ids.complete = False
    view.tokens_changed()
    assert scope() == "Ids known so far: 3"
    view.set_source(None)
    assert scope() == "All ids: 0"
    assert not any(action.isEnabled() for action in menu.actions())


def test_the_context_menu_has_the_copy_menu(view: TokenIdView) -> None:
    view.set_source(Ids(1, 2, 3))
    opened: list[int] = []
    view.menu_opened.connect(lambda _menu, index: opened.append(index))
    point = view.cell_rect(0).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point))
    QGuiApplication.sendEvent(view.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions() == view.copy_menu.actions()
    assert menu.actions()[0].text() == "All ids: 3"
    assert opened == [0]
    menu.close()


def test_ids_are_shown_as_they_become_known(view: TokenIdView) -> None:
    tokenizer = train("low low lower", num_merges=2)
    text = LiveText("low lower")
    text.encode_with(tokenizer)
    view.set_source(LiveTokens(text))
    view.copy()
    assert clipboard() == "[]"
    text.encode_near(0, len(text))
    view.tokens_changed()
    view.copy()
    assert clipboard() == str(tokenizer.encode("low lower"))


def test_copying_reports_the_number_of_ids_and_refuses_too_many(
    view: TokenIdView, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _point, text, _widget: messages.append(text))
    view.set_source(Ids(1, 2, 3))
    view.copy()
    assert QGuiApplication.clipboard().text() == "[1, 2, 3]"
    monkeypatch.setattr(token_id_view, "_MAX_COPIED", 2)
    QGuiApplication.clipboard().clear()
    view.copy()
    assert QGuiApplication.clipboard().text() == ""
    assert messages == ["Copied 3 ids", "3 ids are too many to copy. Select at most 2."]


def test_no_row_is_shown_in_part(view: TokenIdView) -> None:
    view.set_source(Ids(*range(1000)))
    second = next(index for index in range(1000) if view.cell_rect(index).top() > view.cell_rect(0).bottom())
    frame = view.height() - view.viewport().height()
    view.resize(300, view.cell_rect(second).center().y() + frame)
    assert view.index_at(center(view, 0)) == 0
    assert view.index_at(view.cell_rect(second).topLeft() + QPoint(1, 1)) == -1
    picture, x = view.viewport().grab().toImage(), view.cell_rect(0).left() + 1
    below = range(view.cell_rect(0).bottom() + 1, picture.height())
    assert {picture.pixelColor(x, y).name() for y in below} == {picture.pixelColor(0, 0).name()}
    view.resize(300, view.cell_rect(second).bottom() + 1 + frame)
    assert view.index_at(center(view, second)) == second
