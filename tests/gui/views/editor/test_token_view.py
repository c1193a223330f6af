"""The token view: the cells of tokens, and its signals for typing, hovering and clicking."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.editor.token_view import TokenView
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens, Tokens
from tests.gui.support.token_sources import (
    PALETTE,
    SPECIAL_ID,
    UNKNOWN_ID,
    GivenTokens,
    one_byte_each,
    source_of,
    tokens_of,
)

WIDTH, HEIGHT = 420, 300


@pytest.fixture
def view(qtbot: QtBot) -> TokenView:
    view = TokenView()
    qtbot.addWidget(view)
    view.set_palette_colors(PALETTE)
    view.resize(WIDTH, HEIGHT)
    with qtbot.waitExposed(view):
        view.show()
    return view


@pytest.fixture
def edit(view: TokenView) -> TokenEdit:
    edit = view.findChild(TokenEdit, "encodeInput")
    assert edit is not None
    return edit


def show(view: TokenView, pieces: list[str] | list[bytes], ids: list[int] | None = None) -> dict[int, list[QRectF]]:
    """Show the concatenation of the pieces, a token each; return the rectangles of each token's cells."""
    view.set_source(source_of(pieces, ids))
    view.grab()
    return {cell.index: cell.rects for cell in view.cells()}


def center(rect: QRectF) -> QPoint:
    return rect.center().toPoint()


ZWJ_FAMILY = "👨\u200d👩\u200d👧"
TEXTS: dict[str, list[str] | list[bytes]] = {
    "plain": ["The", " quick", " br", "own", " fox"],
    "several lines": ["a", "\n", "b\n", "\n", "c"],
    "wrapped": [" word"] * 60,
    "one word longer than a line": ["abc"] * 60,
    "chinese": ["自然", "语言", "处", "理", "很有趣", "!"],
    "emoji in four bytes": [b"a", *one_byte_each("😀"), b"b"],
    "chinese in bytes": one_byte_each("处理"),
    "token over two halves": [b"a\xe5\xa4", b"\x84\xe7\x90", b"\x86b"],
    "combining mark apart": ["e", "\u0301", "x"],
    "combining mark in bytes": [b"e\xcc", b"\x81", b"x"],
    "family": [*ZWJ_FAMILY, "x"],
    "family in bytes": one_byte_each(ZWJ_FAMILY),
    "arabic in latin": ["abc ", "مر", "حبا", " def"],
    "latin in arabic": ["مرحبا", " ", "abc", "!", " ١٢٣", " 45", "\n", "x"],
    "arabic in letters": list("مرحبا abc السلام"),
    "arabic in bytes": one_byte_each("لا x"),
    "tabs": ["\t", "a", "\t\t", "b"],
    "markers": ["low", "", " ", "er", "", "", "x"],
    "marker at the end of a line": ["low", "", "\n", "er", ""],
    "marker before a line break in two directions": ["abc", " مر", "", "\n", "مر ", "abc", "", "\n", ""],
    "marker in front": ["", "low"],
    "zero-width space": ["a", "\u200b", "b"],
    "zero-width space in bytes": [b"a", *one_byte_each("\u200b"), b"b"],
    "controls": ["a", "\x1b", "\x00", "b"],
    "no-break space and line separator": ["a\u00a0", "b", "\u2028", "c"],
    "nothing": [],
}


@pytest.mark.parametrize("pieces", TEXTS.values(), ids=TEXTS.keys())
def test_every_token_has_a_cell_and_none_overlap(view: TokenView, pieces: list[str] | list[bytes]) -> None:
    cells = show(view, pieces)
    assert sorted(cells) == list(range(len(pieces)))
    rects = [rect for rects in cells.values() for rect in rects]
    assert all(rect.width() > 0 and rect.height() > 0 for rect in rects)
    for number, rect in enumerate(rects):
        for other in rects[number + 1 :]:
            common = rect.intersected(other)
            assert common.width() * common.height() < 0.01, (rect, other)


@pytest.mark.parametrize("pieces", TEXTS.values(), ids=TEXTS.keys())
def test_every_token_is_found_at_its_cells(view: TokenView, pieces: list[str] | list[bytes]) -> None:
    for index, rects in show(view, pieces).items():
        for rect in rects:
            if rect.width() >= 4:
                assert view.token_at(center(rect)) == index


def test_cells_are_side_by_side_from_left_to_right(view: TokenView) -> None:
    cells = show(view, ["The", " quick", " fox"])
    for left, right in pairwise(cells[index][0] for index in range(3)):
        assert left.right() < right.left() < left.right() + 3
        assert left.top() == right.top()


def test_a_shared_character_has_strips_below_it_in_the_order_of_its_bytes(view: TokenView) -> None:
    cells = show(view, [b"a", *one_byte_each("😀"), b"b"])
    strips = [cells[index][0] for index in range(1, 5)]
    assert [strip.left() for strip in strips] == sorted(strip.left() for strip in strips)
    assert all(strip.top() > cells[0][0].center().y() for strip in strips)
    assert all(strip.bottom() == cells[0][0].bottom() for strip in strips)
    assert cells[0][0].right() < strips[0].left()
    assert strips[-1].right() < cells[5][0].left()


def test_a_strip_is_as_wide_as_its_share_of_the_character(view: TokenView) -> None:
    cells = show(view, [b"\xe5\xa4", b"\x84"])
    assert cells[0][0].width() == pytest.approx(2 * cells[1][0].width(), rel=0.25)


def test_arabic_cells_go_from_right_to_left_between_latin(view: TokenView) -> None:
    cells = show(view, ["abc ", "مر", "حبا", " def"])
    assert cells[0][0].right() < cells[2][0].left() < cells[1][0].left() < cells[3][0].left()


def test_a_token_in_two_directions_has_two_cells(view: TokenView) -> None:
    cells = show(view, ["ab", "c مر", "حبا", " def"])
    assert len(cells[1]) == 2


def test_an_end_of_word_marker_is_a_thin_bar_after_its_word(view: TokenView) -> None:
    cells = show(view, ["low", "", " ", "er"])
    bar = cells[1][0]
    assert bar.width() < 5
    assert cells[0][0].right() <= bar.left() < cells[3][0].left()
    assert view.token_at(center(bar)) == 1


def test_a_wrapped_token_has_a_cell_on_each_row(view: TokenView) -> None:
    cells = show(view, ["x" * 200])
    assert len(cells[0]) > 1
    assert len({rect.top() for rect in cells[0]}) == len(cells[0])


def test_rows_are_equally_high_whatever_they_contain(view: TokenView, edit: TokenEdit) -> None:
    text = "a\n自\n😀\nمر\n\u0e01\u0e49\nb"
    show(view, [text])
    starts = [0, *(offset + 1 for offset, octet in enumerate(text.encode()) if octet == ord("\n"))]
    tops = [edit.rows.caret_rect(start).top() for start in starts]
    assert len({below - above for above, below in pairwise(tops)}) == 1


def test_only_tokens_in_view_have_cells(view: TokenView) -> None:
    cells = show(view, ["line\n"] * 5000)
    assert 0 < len(cells) < 50


def test_text_without_a_token_has_no_cell(view: TokenView) -> None:
    view.set_source(GivenTokens("low er", Tokens.of([1, 2], [(0, 3), (4, 6)])))
    low, er = view.cells()
    gap = (low.rects[0].right() + er.rects[0].left()) / 2
    assert view.token_at(QPoint(round(gap), center(low.rects[0]).y())) == -1


def test_color_modes_paint_differently(view: TokenView) -> None:
    show(view, ["a", "b", "a", "b"], [7, 3, 7, 3])
    by_position = view.grab().toImage()
    view.set_color_mode(ColorMode.BY_TOKEN)
    assert view.grab().toImage() != by_position


def painted_colors(view: TokenView, rect: QRectF) -> set[str]:
    edit = view.findChild(TokenEdit)
    assert edit is not None
    image = edit.viewport().grab(rect.toAlignedRect().adjusted(0, 0, 1, 1)).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_cells_are_painted_in_the_colours_of_the_palette(view: TokenView) -> None:
    cells = show(view, ["The", " fox", "", " x", *"yz"])
    for index in (0, 1, 3):
        assert PALETTE.backgrounds[index].name() in painted_colors(view, cells[index][0])


def test_special_and_unknown_tokens_are_outlined_in_their_own_colours(view: TokenView) -> None:
    cells = show(view, ["<|end|>", "¶¶", "x"], [SPECIAL_ID, UNKNOWN_ID, 0])
    assert PALETTE.special.name() in painted_colors(view, cells[0][0])
    assert PALETTE.backgrounds[0].name() not in painted_colors(view, cells[0][0])
    assert PALETTE.backgrounds[1].name() not in painted_colors(view, cells[1][0])
    assert PALETTE.backgrounds[2].name() in painted_colors(view, cells[2][0])


def test_special_tokens_have_cells_like_others(view: TokenView) -> None:
    cells = show(view, ["<|end|>", "<|end|>", "x"], [SPECIAL_ID, SPECIAL_ID, 0])
    assert cells[0][0].right() < cells[1][0].left()


@pytest.mark.parametrize(
    "text",
    [
        "no-break\u00a0space",
        "line\u2028separator",
        "two\nlines\n",
        "a \ufeff mark",
        "tab\t",
        "😀",
        "a\x00\x1bb",
        "a\rb\r\nc\n\rd",
        "",
    ],
)
def test_no_character_is_changed(view: TokenView, text: str) -> None:
    view.set_source(LiveTokens(LiveText(text)))
    assert view.text() == text


def test_text_is_copied_exactly(view: TokenView, edit: TokenEdit) -> None:
    view.set_source(LiveTokens(LiveText("a\u00a0b\r\nc")))
    edit.selectAll()
    edit.copy()
    assert QGuiApplication.clipboard().text() == "a\u00a0b\r\nc"
    QGuiApplication.clipboard().clear()


def test_typing_is_reported_and_set_source_is_not(view: TokenView, edit: TokenEdit) -> None:
    edits: list[tuple[int, int, int]] = []
    view.text_edited.connect(lambda *edit: edits.append(edit))
    view.set_source(LiveTokens(LiveText("自")))
    view.set_caret(3)
    QTest.keyClicks(edit, "bc")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QTest.keyClick(edit, Qt.Key.Key_Backspace)
    assert edits == [(3, 0, 1), (4, 0, 1), (5, 0, 1), (5, 1, 0)]
    assert view.text() == "自bc"


def test_typing_can_be_undone(view: TokenView, edit: TokenEdit) -> None:
    QTest.keyClicks(edit, "abc")
    edit.undo()
    assert view.text() == ""


def test_new_tokens_after_an_edit_are_shown(view: TokenView, edit: TokenEdit) -> None:
    source = source_of([])
    view.set_source(source)

    def tokenize() -> None:
        source.tokens = tokens_of(list(view.text()))
        view.tokens_changed()

    view.text_edited.connect(tokenize)
    QTest.keyClicks(edit, "abc")
    assert [cell.index for cell in view.cells()] == [0, 1, 2]


def test_caret_and_selection_can_be_set_and_are_reported(view: TokenView, qtbot: QtBot) -> None:
    show(view, ["line\n"] * 500)
    with qtbot.waitSignal(view.caret_moved) as moved:
        view.set_caret(2000)
    assert moved.args == [2000]
    assert view.caret == 2000
    assert view.visible_span()[0] < 2000 < view.visible_span()[1]
    with qtbot.waitSignal(view.selection_changed) as selected:
        view.set_selection(5, 9)
    assert selected.args == [5, 9]
    assert view.selection == (5, 9)
    assert view.visible_span()[0] <= 5


def test_composing_keeps_the_tokens_and_moves_those_that_follow(qtbot: QtBot, view: TokenView, edit: TokenEdit) -> None:
    before = show(view, ["ab", "cd"])
    view.set_caret(2)
    with qtbot.assertNotEmitted(view.text_edited):
        QApplication.sendEvent(edit, QInputMethodEvent("nihao", []))
    during = {cell.index: cell.rects for cell in view.cells()}
    assert during[0] == before[0]
    assert during[1][0].left() > before[1][0].right()
    assert during[1][0].width() == pytest.approx(before[1][0].width())

    committed = QInputMethodEvent("", [])
    committed.setCommitString("你好")
    with qtbot.waitSignal(view.text_edited):
        QApplication.sendEvent(edit, committed)
    assert view.text() == "ab你好cd"


def test_hovering_reports_the_token_and_leaving_reports_none(qtbot: QtBot, view: TokenView, edit: TokenEdit) -> None:
    cells = show(view, ["The", " quick", " fox"])
    reported: list[int] = []
    view.token_hovered.connect(reported.append)
    for index in (1, 2):
        QTest.mouseMove(edit.viewport(), center(cells[index][0]))
    QTest.mouseMove(edit.viewport(), QPoint(WIDTH - 20, HEIGHT - 20))
    assert reported == [1, 2, -1]


def test_clicking_reports_the_token_and_dragging_does_not(qtbot: QtBot, view: TokenView, edit: TokenEdit) -> None:
    cells = show(view, ["The", " quick", " fox"])
    reported: list[int] = []
    view.token_clicked.connect(reported.append)
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[1][0]))
    assert reported == [1]
    QTest.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[0][0]))
    QTest.mouseMove(edit.viewport(), center(cells[2][0]))
    QTest.mouseRelease(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[2][0]))
    assert reported == [1]


def test_a_click_between_two_rows_moves_the_caret_to_the_upper(view: TokenView, edit: TokenEdit) -> None:
    cells = show(view, ["abc", "def", "\n", "ghi"])
    below = QPoint(round(cells[1][0].left()), round(cells[1][0].bottom()))
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert view.caret == 3


def test_highlight_and_marks_are_painted_and_removed(view: TokenView) -> None:
    show(view, ["a", "b", "a"], [1, 2, 1])
    plain = view.grab().toImage()
    view.set_highlight(1)
    highlighted = view.grab().toImage()
    view.set_highlight(-1)
    assert view.grab().toImage() == plain
    view.set_marked_ids([1])
    marked = view.grab().toImage()
    view.set_marked_ids([])
    assert view.grab().toImage() == plain
    assert highlighted != plain
    assert marked not in (plain, highlighted)


def test_white_space_glyphs_leave_text_and_cells_alone(view: TokenView) -> None:
    cells = show(view, ["a b", "\t\u00a0", "\n", "مر حبا\u3000x"])
    plain = view.grab().toImage()
    view.set_whitespace_visible(True)
    assert view.grab().toImage() != plain
    assert {cell.index: cell.rects for cell in view.cells()} == cells
    assert view.text() == "a b\t\u00a0\nمر حبا\u3000x"
    view.set_whitespace_visible(False)
    assert view.grab().toImage() == plain


def hover_tooltip(edit: TokenEdit, rect: QRectF) -> str:
    point = center(rect)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, point, edit.viewport().mapToGlobal(point))
    QApplication.sendEvent(edit.viewport(), event)
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_tooltips_show_id_bytes_and_kind_of_token(qtbot: QtBot, view: TokenView, edit: TokenEdit) -> None:
    cells = show(
        view, [b"low ", b"", b" \xe5", b"\xa4\x84", b"<e>", b"?"], [300, 301, 302, 303, SPECIAL_ID, UNKNOWN_ID]
    )
    tips = [hover_tooltip(edit, cells[index][-1]) for index in range(6)]
    assert "token-300" in tips[0]
    assert "id 300" in tips[0]
    assert "6c 6f 77 20" in tips[0]
    assert "covers no text" in tips[1]
    assert "bytes 20 e5" in tips[2]
    assert "part of 处 (e5 a4 84)" in tips[2]
    assert "part of 处" in tips[3]
    assert "special" in tips[4]
    assert "no id" in tips[5]
    assert "id 9001" not in tips[5]


def test_tooltips_escape_control_characters_and_markup(qtbot: QtBot, view: TokenView, edit: TokenEdit) -> None:
    view.set_source(GivenTokens("ab", Tokens.of([1], [(0, 2)], label=lambda _id: "<b>\x1b</b>")))
    tip = hover_tooltip(edit, view.cells()[0].rects[0])
    assert "&lt;b&gt;\\x1b&lt;/b&gt;" in tip


def test_a_larger_font_makes_larger_cells(view: TokenView) -> None:
    before = show(view, ["a"])[0][0].height()
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    view.setFont(font)
    assert view.cells()[0].rects[0].height() > 1.5 * before


def test_cells_stay_inside_the_view_when_it_is_narrow(view: TokenView, edit: TokenEdit) -> None:
    view.resize(150, HEIGHT)
    show(view, [" word"] * 20 + ["\n"])
    inside = QRectF(QRect(QPoint(), edit.viewport().size()))
    assert all(inside.contains(rect) for cell in view.cells() for rect in cell.rects if rect.bottom() < HEIGHT)


def test_the_view_and_its_editor_have_accessible_names(view: TokenView, edit: TokenEdit) -> None:
    assert view.objectName() == "tokenView"
    assert view.accessibleName()
    assert edit.accessibleName()
