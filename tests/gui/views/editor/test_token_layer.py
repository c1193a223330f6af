"""The tokens in view: what is painted of them, and what flashes."""

import gc
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from weakref import ref

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QVariantAnimation
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import EngineError, LiveText, train
from bpe_gui.gui.look.theme import hue_of
from bpe_gui.gui.views.editor.text_rows import TextRows
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.editor.token_page import SegmentCells
from bpe_gui.gui.views.tokens import NO_TOKENS, ColorMode, LiveTokens, Tokens
from tests.gui.support.token_edits import cells_of, is_flashing, shows_caret
from tests.gui.support.token_sources import PALETTE, GivenTokens, one_byte_each, source_of, tokens_at, tokens_of

WIDTH, HEIGHT = 420, 300
TOKENIZER = train("some words and some other words of a text, low lowest", num_merges=30)


@pytest.fixture
def edit(qtbot: QtBot) -> TokenEdit:
    edit = TokenEdit()
    qtbot.addWidget(edit)
    edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    edit.set_palette_colors(PALETTE)
    edit.resize(WIDTH, HEIGHT)
    with qtbot.waitExposed(edit):
        edit.show()
    edit.clearFocus()
    return edit


def show(edit: TokenEdit, pieces: list[str]) -> GivenTokens:
    source = source_of(pieces)
    edit.set_source(source)
    return source


def test_cells_do_not_keep_the_layout_by_which_they_are_kept(qtbot: QtBot) -> None:
    rows = TextRows(LiveText("low lower"), QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont), WIDTH)
    cells, layout = SegmentCells(rows.layout(0), NO_TOKENS), ref(rows.layout(0))
    del rows
    gc.collect()
    assert layout() is None and cells.fit(NO_TOKENS)


# -- which tokens -----------------------------------------------------------------------------------------------------


class ThreeBytesEach(LiveTokens):
    """A text whose tokens have three bytes each."""

    def overlapping(self, start: int, stop: int) -> Tokens:
        first, last = start // 3, -(-min(stop, len(self.text)) // 3)
        starts = np.arange(first, last, dtype=np.int64) * 3
        spans = np.column_stack((starts, np.minimum(starts + 3, len(self.text))))
        return replace(tokens_at(np.arange(first, last, dtype=np.int32), spans), first=first)


@pytest.mark.parametrize("text", ["line of words\n" * 20_000, "x" * 500_000, "\n" * 100_000])
def test_every_token_in_view_has_a_cell(edit: TokenEdit, text: str) -> None:
    edit.set_source(ThreeBytesEach(LiveText(text)))
    for _ in range(5):
        edit.rows.scroll_page(down=True)
        start, stop = edit.rows.visible_span()
        shown = {cells.index for cells in cells_of(edit)}
        assert shown >= set(range(start // 3, -(-stop // 3)))


def test_only_tokens_in_view_are_requested(edit: TokenEdit) -> None:
    class Counting(LiveTokens):
        longest_request = 0

        def overlapping(self, start: int, stop: int) -> Tokens:
            self.longest_request = max(self.longest_request, stop - start)
            return super().overlapping(start, stop)

    live = LiveText("".join(f"line {number} ".ljust(100, "x") + "\n" for number in range(20_000)))
    live.encode_with(TOKENIZER)
    source = Counting(live)
    edit.set_source(source)
    for mode in ColorMode:
        edit.tokens.set_color_mode(mode)
        edit.grab()
    edit.rows.scroll_page(down=True)
    edit.grab()
    assert 0 < source.longest_request < 10_000


def test_other_tokens_of_the_same_text_do_not_scroll(edit: TokenEdit) -> None:
    live = LiveText("some words\n" * 500)
    live.encode_with(TOKENIZER)
    edit.set_source(LiveTokens(live))
    edit.verticalScrollBar().setValue(200)
    span = edit.rows.visible_span()
    live.encode_with(TOKENIZER.at(3))
    edit.tokens.tokens_changed()
    assert edit.rows.visible_span() == span
    edit.set_source(LiveTokens(live))
    assert edit.rows.visible_span() == span


def test_tokens_at_unknown_indices_are_shown_but_not_reported(edit: TokenEdit, qtbot: QtBot) -> None:
    source = source_of(["ab", "cd"])
    source.tokens = replace(source.tokens, first=None)
    edit.set_source(source)
    first = cells_of(edit)[0].rects[0].center().toPoint()
    plain = edit.grab().toImage()
    edit.tokens.set_highlight(0)
    assert edit.grab().toImage() == plain
    with qtbot.assertNotEmitted(edit.token_hovered):
        QTest.mouseMove(edit.viewport(), first)
    assert edit.tokens.token_at(QPointF(first)) == -1


def test_text_that_cannot_be_encoded_is_shown_without_tokens(edit: TokenEdit) -> None:
    class Failing(LiveTokens):
        def overlapping(self, start: int, stop: int) -> Tokens:
            raise EngineError("no")

    edit.set_source(Failing(LiveText("abc")))
    assert cells_of(edit) == []
    assert edit.rows.offset_at(QPointF(WIDTH, 20)) == 3


@pytest.mark.parametrize("text", ["ab cd ", "ab cd  ", " ab\u00a0cd "])
def test_a_space_is_as_wide_at_the_end_as_elsewhere(edit: TokenEdit, text: str) -> None:
    show(edit, list(text))
    widths = [cells.rects[0].width() for cells in cells_of(edit)]
    spaces = [width for width, character in zip(widths, text, strict=True) if character.isspace()]
    assert spaces == pytest.approx([spaces[0]] * len(spaces), abs=0.1)


# -- painting ---------------------------------------------------------------------------------------------------------


def test_a_selection_keeps_the_colours_of_tokens_apart(edit: TokenEdit) -> None:
    show(edit, ["abcd", "efgh"])
    plain = edit.grab().toImage()
    edit.set_selection(0, 4)
    selected = edit.grab().toImage()
    assert selected != plain
    edit.set_selection(0, 8)
    assert edit.grab().toImage() not in (plain, selected)
    one, other = (
        edit.grab().toImage().pixelColor(int(cells.rects[0].left()) + 2, 12).rgb() for cells in cells_of(edit)
    )
    assert one != other
    edit.set_selection(0, 0)
    assert edit.grab().toImage() == plain


def test_the_caret_is_painted_while_it_is_visible(edit: TokenEdit, qtbot: QtBot) -> None:
    show(edit, ["abcd", "efgh"])
    plain = edit.grab().toImage()
    edit.set_caret(4)
    assert edit.grab().toImage() == plain
    edit.activateWindow()
    edit.setFocus()
    qtbot.waitUntil(lambda: shows_caret(edit, 4))
    assert edit.grab().toImage() != plain


def test_an_empty_text_shows_a_hint(edit: TokenEdit) -> None:
    show(edit, [])
    hint = edit.grab().toImage()
    show(edit, ["a"])
    assert edit.grab().toImage() != hint
    edit.setPlainText("")
    assert edit.grab().toImage() == hint


def changed_columns(edit: TokenEdit, change: Callable[[TokenEdit], object]) -> set[int]:
    """Return x of the pixels of the first row that a change of an editor of three tokens changes."""
    source = show(edit, ["low", "er", "\n"])
    source.all_word_starts = np.array([3])
    before = edit.grab().toImage()
    change(edit)
    after = edit.grab().toImage()
    rows = range(int(edit.rows.margin), int(edit.rows.margin + edit.rows.all_rows.metrics.height))
    return {x for x in range(WIDTH) for y in rows if before.pixel(x, y) != after.pixel(x, y)}


@pytest.mark.parametrize(
    ("change", "token"),
    [
        (lambda edit: edit.set_selection(3, 5), 1),
        (lambda edit: edit.tokens.set_highlight(1), 1),
        (lambda edit: edit.tokens.set_marked_ids([1]), 1),
        (lambda edit: edit.tokens.set_found(lambda _start, _stop: [(3, 5)]), 1),
        (lambda edit: edit.tokens.set_whitespace_visible(True), 2),
        (lambda edit: edit.tokens.set_word_boundaries_visible(True), 1),
    ],
    ids=["selected", "pointed at", "marked", "found", "white space", "word start"],
)
def test_what_stands_out_is_painted_at_its_token_only(
    edit: TokenEdit, change: Callable[[TokenEdit], object], token: int
) -> None:
    changed = changed_columns(edit, change)
    rect = cells_of(edit)[token].rects[0]
    assert changed
    assert changed <= set(range(int(rect.left()) - 4, int(rect.right()) + 5))  # a mark may reach beyond its edge


# -- what is repainted -------------------------------------------------------------------------------------------------

LINES = "some words\nxyz\nand some other\n\nwords of a text, low lowest 👨‍👩‍👧‍👦 lowest\nnew\n"


@pytest.mark.parametrize("mode", ColorMode)
@pytest.mark.parametrize("marked", [(), (ord("o"),), (ord("o"), ord("w"))])
def test_no_row_is_out_of_date_after_steps(edit: TokenEdit, mode: ColorMode, marked: tuple[int, ...]) -> None:
    live = LiveText(LINES)
    edit.tokens.set_color_mode(mode)
    for position in [*range(TOKENIZER.position + 1), *range(TOKENIZER.position)[::-1]]:
        live.encode_with(TOKENIZER.at(position))
        edit.set_source(LiveTokens(live, symbol=TOKENIZER.token))
        edit.tokens.set_marked_ids(marked)
        if position % 5 == 0:
            edit.tokens.set_highlight(position)
        QApplication.processEvents()
        on_screen = edit.screen().grabWindow(edit.winId()).toImage()
        anew = edit.grab().toImage()
        assert on_screen.convertToFormat(anew.format()) == anew


def test_only_rows_that_look_otherwise_are_repainted(edit: TokenEdit, qtbot: QtBot) -> None:
    source = show(edit, ["ab\n", "cd\n", "ef\n"])
    edit.grab()
    source.tokens = tokens_of(["ab\n", "cd\n", "e", "f\n"])
    with qtbot.waitSignal(edit.tokens.area_changed) as change, qtbot.assertNotEmitted(edit.tokens.changed):
        edit.tokens.tokens_changed()
    area = change.args[0].boundingRect()
    unchanged, split = (cells_of(edit)[index].rects[0] for index in (1, 2))
    assert unchanged.bottom() <= area.top() <= split.top()
    assert area.bottom() < HEIGHT / 2


# -- the flash --------------------------------------------------------------------------------------------------------


def test_the_parts_of_a_new_token_draw_together_at_their_seam(edit: TokenEdit) -> None:
    def join(seam: int | None) -> QImage:
        source = show(edit, ["l", "ow", "er"])
        edit.grab()
        source.tokens = tokens_of(["low", "er"])
        edit.tokens.tokens_changed(flash=True, seam=seam)
        return edit.grab().toImage()

    whole, joining = join(None), join(1)
    rect = cells_of(edit)[0].rects[0]
    seam = rect.left() + rect.width() / 3
    changed = {x for x in range(WIDTH) if whole.pixel(x, int(rect.top()) + 1) != joining.pixel(x, int(rect.top()) + 1)}
    assert changed
    assert changed <= set(range(int(seam) - 5, int(seam) + 6))


def test_new_tokens_flash_and_fade(edit: TokenEdit, qtbot: QtBot) -> None:
    source = show(edit, ["ab", "cd", "ef"])
    edit.grab()
    source.tokens = tokens_of(["abcd", "ef"])
    edit.tokens.tokens_changed(flash=True)
    flashing = edit.grab().toImage()
    new, old = (cells.rects[0].center().toPoint() for cells in cells_of(edit))
    qtbot.waitUntil(lambda: not is_flashing(edit))
    still = edit.grab().toImage()
    assert flashing.pixelColor(new) != still.pixelColor(new)
    assert flashing.pixelColor(old) == still.pixelColor(old)


def test_tokens_that_were_in_view_before_do_not_flash(edit: TokenEdit) -> None:
    show(edit, ["ab", "cd"])
    edit.grab()
    edit.tokens.tokens_changed(flash=True)
    assert not is_flashing(edit)


def test_parts_begin_in_their_own_colours_where_colours_show_tokens(
    edit: TokenEdit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.gui.look.theme._JOINING_GAP", 0.0)
    live = LiveText("low low lower")
    edit.tokens.set_color_mode(ColorMode.BY_TOKEN)
    for step, tokenizer in enumerate((TOKENIZER.at(3), TOKENIZER)):
        live.encode_with(tokenizer)
        source = LiveTokens(live, symbol=tokenizer.token)
        edit.set_source(source, flash=bool(step), seam=1 if step else None)
        if not step:
            edit.grab()
    clock = edit.findChild(QVariantAnimation)
    assert clock is not None
    clock.pause()
    clock.setCurrentTime(0)
    rect = cells_of(edit)[0].rects[0].toRect()
    image = edit.grab().toImage()
    hues = edit.tokens.painter.hues
    expected = PALETTE.shades[hue_of(b"l", hues)].name(), PALETTE.shades[hue_of(b"ow", hues)].name()
    at = rect.top() + 3
    assert (image.pixelColor(rect.left() + 4, at).name(), image.pixelColor(rect.right() - 3, at).name()) == expected


def test_old_tokens_stay_until_new_ones_are_known(edit: TokenEdit) -> None:
    live = LiveText("lowest" * 20_000)  # a single word, too long to be encoded while painting
    plain = edit.grab().toImage()
    live.encode_with(TOKENIZER)
    live.encode(live.unencoded_blocks()[0])
    edit.set_source(LiveTokens(live))
    old = edit.grab().toImage()
    other = train("lowest lowest", num_merges=1)
    live.encode_with(other)
    edit.set_source(LiveTokens(live))
    assert edit.grab().toImage() == old != plain
    live.encode(live.unencoded_blocks()[0])
    edit.tokens.tokens_changed()
    new = edit.grab().toImage()
    assert new != old
    live.encode_with(TOKENIZER)
    edit.set_source(LiveTokens(live))
    edit.tokens.forget_tokens()  # because of an error
    assert edit.grab().toImage() not in (old, new)


def test_an_edit_ends_the_flash(edit: TokenEdit) -> None:
    source = show(edit, ["ab", "cd", "ef"])
    edit.grab()
    source.tokens = tokens_of(["abcd", "ef"])
    edit.tokens.tokens_changed(flash=True)
    assert is_flashing(edit)
    edit.insertPlainText("x")
    assert not is_flashing(edit)


@pytest.mark.parametrize("emoji", ["👨\u200d👩\u200d👧\u200d👦", "☺\u200d☺\u200d☺\u200d☺"])
@pytest.mark.parametrize("before", ["a", "b" + "\u0301" * 9])
def test_the_cells_of_the_bytes_of_a_joined_emoji_can_be_told_apart(qtbot: QtBot, before: str, emoji: str) -> None:
    edit = TokenEdit()
    qtbot.addWidget(edit)
    edit.resize(400, 100)
    edit.set_source(source_of(one_byte_each(f"{before} {emoji}b")))
    edit.show()
    rects = [cell.rects[0] for cell in cells_of(edit)[len(before.encode()) + 1 : -1]]
    assert len(rects) == len(emoji.encode())
    assert min(rect.width() for rect in rects) > 1
    assert all(left.right() <= right.left() for left, right in pairwise(rects))
    # No wider than that needs, whether or not a font has the emoji as one glyph.
    unspaced = QFontMetricsF(edit.font()).horizontalAdvance(emoji)
    assert rects[-1].right() - rects[0].left() <= max(unspaced, 2.5 * len(rects))
