"""Painting a frame of the editor from plain values, without a widget."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QFontDatabase, QImage, QPainter
from pytestqt.qtbot import QtBot

from bpe_gui.gui.views.editor.painting import Frame, TokenPainter, paint_frame
from bpe_gui.gui.views.editor.text_rows import Row, TextRows
from bpe_gui.gui.views.editor.token_page import PageBuilder
from bpe_gui.gui.views.tokens import ColorMode
from tests.gui.support.token_sources import PALETTE, source_of

WIDTH, HEIGHT = 300, 100
TOOLS = TokenPainter(PALETTE)


@pytest.fixture
def frame(qtbot: QtBot) -> Frame:
    """Return a frame of three tokens on two rows, with nothing else shown."""
    source = source_of(["low", "er", "\n"], [1, 2, 3])
    source.all_word_starts = np.array([3])
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    rows = TextRows(source.text, font, WIDTH)
    page = PageBuilder(rows, source).build(Row(0, 0), HEIGHT, TOOLS.hues, ColorMode.BY_POSITION, words=True)
    return Frame(
        page=page,
        metrics=rows.metrics,
        font=font,
        selection=(0, 0),
        caret=None,
        pointed=frozenset(),
        marked=np.zeros(len(page.tokens), np.bool_),
        flashing=frozenset(),
        flash_strength=1.0,
        seam=None,
        gap=0.0,
        background=QBrush(Qt.GlobalColor.white),
        shows_white_space=False,
        shows_word_starts=False,
        hint="",
    )


def painted(frame: Frame) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    with QPainter(image) as painter:
        paint_frame(painter, TOOLS, frame, QRectF(0, 0, WIDTH, HEIGHT), WIDTH)
    return image


def changed_columns(frame: Frame, **values: object) -> set[int]:
    """Return the x of the pixels of the first row that change with some values of a frame."""
    before, after = painted(frame), painted(replace(frame, **values))  # type: ignore[arg-type]
    rows = range(int(frame.metrics.height))
    return {x for x in range(WIDTH) for y in rows if before.pixel(x, y) != after.pixel(x, y)}


def columns_of(frame: Frame, token: int) -> range:
    rect = next(cell.cell.rect for cell in frame.page.cells() if cell.index == token)
    return range(int(rect.left()) - 4, int(rect.right()) + 5)  # a mark at its edge may reach beyond it


def test_cells_have_the_colours_of_their_tokens(frame: Frame) -> None:
    image = painted(frame)
    for cell in frame.page.cells():
        top = cell.cell.rect.top() + cell.segment.top
        color = image.pixelColor(round(cell.cell.rect.center().x()), round(top) + 1)
        assert color == PALETTE.backgrounds[cell.index]


def test_a_selection_covers_its_characters_only(frame: Frame) -> None:
    changed = changed_columns(frame, selection=(3, 5))
    assert changed
    assert changed <= set(columns_of(frame, 1))


def test_the_caret_is_a_thin_line(frame: Frame) -> None:
    changed = changed_columns(frame, caret=QPointF(100, 0))
    assert changed
    assert changed <= {98, 99, 100, 101}


@pytest.mark.parametrize(
    "values",
    [{"pointed": frozenset({1})}, {"marked": np.array([False, True, False])}, {"flashing": frozenset({(3, 5)})}],
    ids=["pointed at", "marked", "flashing"],
)
def test_tokens_stand_out_by_index_id_or_span(frame: Frame, values: dict[str, object]) -> None:
    changed = changed_columns(frame, **values)
    assert changed
    assert changed <= set(columns_of(frame, 1))


def test_the_parts_of_a_new_token_draw_together_at_their_seam(frame: Frame) -> None:
    new = replace(frame, flashing=frozenset({(0, 3)}), seam=1)
    columns = columns_of(frame, 0)
    seam = columns[4] + (len(columns) - 9) / 3
    changed = changed_columns(new, gap=6.0)
    assert changed
    assert changed <= set(range(int(seam) - 5, int(seam) + 6))
    assert changed_columns(new, gap=0.0) == set()


@pytest.mark.parametrize(("name", "token"), [("shows_white_space", 2), ("shows_word_starts", 1)])
def test_glyphs_and_word_starts_are_painted_on_request(frame: Frame, name: str, token: int) -> None:
    changed = changed_columns(frame, **{name: True})
    assert changed
    assert changed <= set(columns_of(frame, token))


def test_a_hint_is_painted(frame: Frame) -> None:
    assert changed_columns(frame, hint="Type here")
