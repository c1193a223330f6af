"""The token view: the cells of tokens, and its signals for typing, hovering and clicking."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Tokenizer
from bpe_gui.gui.views.editor.token_edit import TokenEdit, token_view
from bpe_gui.gui.views.tokens import LiveTokens
from tests.gui.support.token_edits import cells_of
from tests.gui.support.token_sources import (
    PALETTE,
    SPECIAL_ID,
    UNKNOWN_ID,
    GivenTokens,
    one_byte_each,
    source_of,
    tokens_at,
    tokens_of,
)

WIDTH, HEIGHT = 420, 300


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    edit = TokenEdit()
    qtbot.addWidget(edit)
    edit.set_palette_colors(PALETTE)
    edit.resize(WIDTH, HEIGHT)
    with qtbot.waitExposed(edit):
        edit.show()
    return edit


def show(edit: TokenEdit, pieces: list[str] | list[bytes], ids: list[int] | None = None) -> dict[int, list[QRectF]]:
    """Show the concatenation of the pieces, a token each; return the rectangles of each token's cells."""
    edit.set_source(source_of(pieces, ids))
    edit.grab()
    return {cell.index: cell.rects for cell in cells_of(edit)}


def center(rect: QRectF) -> QPoint:
    return rect.center().toPoint()


def test_cells_are_side_by_side_from_left_to_right(edit: TokenEdit) -> None:
    cells = show(edit, ["The", " quick", " fox"])
    for left, right in pairwise(cells[index][0] for index in range(3)):
        assert left.right() < right.left() < left.right() + 3
        assert left.top() == right.top()


def test_a_special_token_is_on_one_row_as_soon_as_it_is_known(edit: TokenEdit) -> None:
    live = LiveText("some words before it, and then " + "<|a special token|>" * 2)
    live.encode_with(Tokenizer({i: bytes([i]) for i in range(256)}, [], ["<|a special token|>"]))
    assert live.tokenizer is not None
    edit.set_source(LiveTokens(live))
    edit.grab()
    assert any(len(cell.rects) > 1 for cell in cells_of(edit))
    edit.set_source(LiveTokens.of(live, live.tokenizer, -1, ""))
    edit.grab()
    assert all(len(cell.rects) == 1 for cell in cells_of(edit))


def test_a_shared_character_has_strips_below_it_in_the_order_of_its_bytes(edit: TokenEdit) -> None:
    cells = show(edit, [b"a", *one_byte_each("😀"), b"b"])
    strips = [cells[index][0] for index in range(1, 5)]
    assert [strip.left() for strip in strips] == sorted(strip.left() for strip in strips)
    assert all(strip.top() > cells[0][0].center().y() for strip in strips)
    assert all(strip.bottom() == cells[0][0].bottom() for strip in strips)
    assert cells[0][0].right() < strips[0].left()
    assert strips[-1].right() < cells[5][0].left()


def test_a_strip_is_as_wide_as_its_share_of_the_character(edit: TokenEdit) -> None:
    cells = show(edit, [b"\xe5\xa4", b"\x84"])
    assert cells[0][0].width() == pytest.approx(2 * cells[1][0].width(), rel=0.25)


def test_arabic_cells_go_from_right_to_left_between_latin(edit: TokenEdit) -> None:
    cells = show(edit, ["abc ", "مر", "حبا", " def"])
    assert cells[0][0].right() < cells[2][0].left() < cells[1][0].left() < cells[3][0].left()


def test_a_token_in_two_directions_has_two_cells(edit: TokenEdit) -> None:
    cells = show(edit, ["ab", "c مر", "حبا", " def"])
    assert len(cells[1]) == 2


def test_an_end_of_word_marker_is_a_thin_bar_after_its_word(edit: TokenEdit) -> None:
    cells = show(edit, ["low", "", " ", "er"])
    bar = cells[1][0]
    assert bar.width() < 5
    assert cells[0][0].right() <= bar.left() < cells[3][0].left()
    assert edit.tokens.token_at(bar.center()) == 1


def test_a_wrapped_token_has_a_cell_on_each_row(edit: TokenEdit) -> None:
    cells = show(edit, ["x" * 200])
    assert len(cells[0]) > 1
    assert len({rect.top() for rect in cells[0]}) == len(cells[0])


def test_rows_are_equally_high_whatever_they_contain(edit: TokenEdit) -> None:
    text = "a\n自\n😀\nمر\n\u0e01\u0e49\nb"
    show(edit, [text])
    starts = [0, *(offset + 1 for offset, octet in enumerate(text.encode()) if octet == ord("\n"))]
    tops = [edit.rows.caret_rect(start).top() for start in starts]
    assert len({below - above for above, below in pairwise(tops)}) == 1


def test_only_tokens_in_view_have_cells(edit: TokenEdit) -> None:
    cells = show(edit, ["line\n"] * 5000)
    assert 0 < len(cells) < 50


def test_text_without_a_token_has_no_cell(edit: TokenEdit) -> None:
    edit.set_source(GivenTokens("low er", tokens_at([1, 2], [(0, 3), (4, 6)])))
    low, er = cells_of(edit)
    gap = (low.rects[0].right() + er.rects[0].left()) / 2
    assert edit.tokens.token_at(QPointF(gap, low.rects[0].center().y())) == -1


def painted_colors(edit: TokenEdit, rect: QRectF) -> set[str]:
    image = edit.viewport().grab(rect.toAlignedRect().adjusted(0, 0, 1, 1)).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_cells_are_painted_in_the_colours_of_the_palette(edit: TokenEdit) -> None:
    cells = show(edit, ["The", " fox", "", " x", *"yz"])
    for index in (0, 1, 3):
        assert PALETTE.backgrounds[index].name() in painted_colors(edit, cells[index][0])


def test_special_and_unknown_tokens_are_outlined_in_their_own_colours(edit: TokenEdit) -> None:
    cells = show(edit, ["<|end|>", "¶¶", "x"], [SPECIAL_ID, UNKNOWN_ID, 0])
    assert PALETTE.special.name() in painted_colors(edit, cells[0][0])
    assert PALETTE.backgrounds[0].name() not in painted_colors(edit, cells[0][0])
    assert PALETTE.backgrounds[1].name() not in painted_colors(edit, cells[1][0])
    assert PALETTE.backgrounds[2].name() in painted_colors(edit, cells[2][0])


def test_typing_is_reported_and_set_source_is_not(edit: TokenEdit) -> None:
    edits: list[tuple[int, int, int]] = []
    edit.text_edited.connect(lambda *edit: edits.append(edit))
    edit.set_source(LiveTokens(LiveText("自")))
    edit.set_caret(3)
    QTest.keyClicks(edit, "bc")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    QTest.keyClick(edit, Qt.Key.Key_Backspace)
    assert edits == [(3, 0, 1), (4, 0, 1), (5, 0, 1), (5, 1, 0)]
    assert edit.toPlainText() == "自bc"


def test_new_tokens_after_an_edit_are_shown(edit: TokenEdit) -> None:
    source = source_of([])
    edit.set_source(source)

    def tokenize() -> None:
        source.tokens = tokens_of(list(edit.toPlainText()))
        edit.tokens.tokens_changed()

    edit.text_edited.connect(tokenize)
    QTest.keyClicks(edit, "abc")
    assert [cell.index for cell in cells_of(edit)] == [0, 1, 2]


def test_caret_and_selection_can_be_set_and_are_reported(edit: TokenEdit, qtbot: QtBot) -> None:
    show(edit, ["line\n"] * 500)
    with qtbot.waitSignal(edit.caret_moved) as moved:
        edit.set_caret(2000)
    assert moved.args == [2000]
    assert edit.selection.caret == 2000
    assert edit.rows.visible_span()[0] < 2000 < edit.rows.visible_span()[1]
    with qtbot.waitSignal(edit.selection_changed) as selected:
        edit.set_selection(5, 9)
    assert selected.args == [5, 9]
    assert edit.selection.span == (5, 9)
    assert edit.rows.visible_span()[0] <= 5


def test_composing_keeps_the_tokens_and_moves_those_that_follow(qtbot: QtBot, edit: TokenEdit) -> None:
    before = show(edit, ["ab", "cd"])
    edit.set_caret(2)
    with qtbot.assertNotEmitted(edit.text_edited):
        QApplication.sendEvent(edit, QInputMethodEvent("nihao", []))
    during = {cell.index: cell.rects for cell in cells_of(edit)}
    assert during[0] == before[0]
    assert during[1][0].left() > before[1][0].right()
    assert during[1][0].width() == pytest.approx(before[1][0].width())

    committed = QInputMethodEvent("", [])
    committed.setCommitString("你好")
    with qtbot.waitSignal(edit.text_edited):
        QApplication.sendEvent(edit, committed)
    assert edit.toPlainText() == "ab你好cd"


def test_hovering_reports_the_token_and_leaving_reports_none(qtbot: QtBot, edit: TokenEdit) -> None:
    cells = show(edit, ["The", " quick", " fox"])
    reported: list[int] = []
    edit.token_hovered.connect(reported.append)
    for index in (1, 2):
        QTest.mouseMove(edit.viewport(), center(cells[index][0]))
    QTest.mouseMove(edit.viewport(), QPoint(WIDTH - 20, HEIGHT - 20))
    assert reported == [1, 2, -1]


def test_clicking_reports_the_token_and_dragging_does_not(qtbot: QtBot, edit: TokenEdit) -> None:
    cells = show(edit, ["The", " quick", " fox"])
    reported: list[int] = []
    edit.token_clicked.connect(reported.append)
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[1][0]))
    assert reported == [1]
    QTest.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[0][0]))
    QTest.mouseMove(edit.viewport(), center(cells[2][0]))
    QTest.mouseRelease(edit.viewport(), Qt.MouseButton.LeftButton, pos=center(cells[2][0]))
    assert reported == [1]


def test_a_click_between_two_rows_moves_the_caret_to_the_upper(edit: TokenEdit) -> None:
    cells = show(edit, ["abc", "def", "\n", "ghi"])
    below = QPoint(round(cells[1][0].left()), round(cells[1][0].bottom()))
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=below)
    assert edit.selection.caret == 3


def test_white_space_glyphs_leave_text_and_cells_alone(edit: TokenEdit) -> None:
    cells = show(edit, ["a b", "\t\u00a0", "\n", "مر حبا\u3000x"])
    plain = edit.grab().toImage()
    edit.tokens.set_whitespace_visible(True)
    assert edit.grab().toImage() != plain
    assert {cell.index: cell.rects for cell in cells_of(edit)} == cells
    assert edit.toPlainText() == "a b\t\u00a0\nمر حبا\u3000x"
    edit.tokens.set_whitespace_visible(False)
    assert edit.grab().toImage() == plain


def hover_tooltip(edit: TokenEdit, rect: QRectF) -> str:
    point = center(rect)
    event = QHelpEvent(QHelpEvent.Type.ToolTip, point, edit.viewport().mapToGlobal(point))
    QApplication.sendEvent(edit.viewport(), event)
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_tooltips_show_id_bytes_and_kind_of_token(qtbot: QtBot, edit: TokenEdit) -> None:
    cells = show(
        edit, [b"low ", b"", b" \xe5", b"\xa4\x84", b"<e>", b"?"], [300, 301, 302, 303, SPECIAL_ID, UNKNOWN_ID]
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


def test_tooltips_escape_control_characters_and_markup(qtbot: QtBot, edit: TokenEdit) -> None:
    edit.set_source(GivenTokens("ab", tokens_at([1], [(0, 2)], label=lambda _id: "<b>\x1b</b>")))
    tip = hover_tooltip(edit, cells_of(edit)[0].rects[0])
    assert "&lt;b&gt;\\x1b&lt;/b&gt;" in tip


def test_a_larger_font_makes_larger_cells(edit: TokenEdit) -> None:
    before = show(edit, ["a"])[0][0].height()
    font = edit.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    edit.setFont(font)
    assert cells_of(edit)[0].rects[0].height() > 1.5 * before


def test_cells_stay_inside_the_view_when_it_is_narrow(edit: TokenEdit) -> None:
    edit.resize(150, HEIGHT)
    show(edit, [" word"] * 20 + ["\n"])
    inside = QRectF(QRect(QPoint(), edit.viewport().size()))
    rects = [rect for cell in cells_of(edit) for rect in cell.rects if rect.bottom() < HEIGHT]
    assert len(rects) > 5
    assert all(inside.contains(rect) for rect in rects)


def test_an_editor_is_held_by_a_view_that_passes_it_the_focus(qtbot: QtBot) -> None:
    edit = TokenEdit()
    view = token_view(edit, "tokenView", "Tokens in the text")
    qtbot.addWidget(view)
    assert (view.objectName(), view.accessibleName()) == ("tokenView", "Tokens in the text")
    assert view.focusProxy() is edit
    assert edit.accessibleName()
