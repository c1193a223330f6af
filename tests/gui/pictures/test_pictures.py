"""Pictures of tokens: HTML, images, SVG and PDF have the whole text in the colours of its tokens."""

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, train
from bpe_gui.gui.look.theme import SchemeName, Theme, background_and_tokens
from bpe_gui.gui.pictures.html_output import html_mime, html_of
from bpe_gui.gui.pictures.svg_output import svg_of
from bpe_gui.gui.pictures.text_picture import (
    MARGIN,
    PictureLook,
    TextPicture,
    beginning,
    image_of,
    max_rows,
    page_picture,
    pdf_of,
    png_of,
)
from bpe_gui.gui.system.exact_text import text_in
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from tests.gui.support.token_sources import SPECIAL_ID, UNKNOWN_ID, one_byte_each, source_of

WIDTH = 400
SVG = "{http://www.w3.org/2000/svg}"

TEXTS = {
    "plain": "Hello <world> & 'you' \"there\"\n",
    "chinese": "自然语言处理很有趣。",
    "emoji": "a 😀😅 b 👨\u200d👩\u200d👧 e\u0301",
    "right to left": "مرحبا abc بالعالم\nשלום 123",
    "tabs and spaces": "\ta\t b   c \t",
    "lines": "\n\none\r\ntwo\rthree\n\r\n",
    "no-break": "a\u00a0b\u3000c",
    "long": "word and word, " * 300 + "\n" + "x" * 5_000,
    "nothing": "",
}
HIDDEN = "a\x00b\x1b[31m\u202ec\u2028d\ufeff"


@pytest.fixture
def look(qtbot: QtBot) -> PictureLook:
    return look_in("light")


def look_in(name: SchemeName, *, white_space: bool = False) -> PictureLook:
    return PictureLook(*background_and_tokens(name), Theme(name).monospace_font(11), ColorMode.BY_POSITION, white_space)


def in_characters(text: str) -> LiveTokens:
    return source_of(list(text))


def in_bytes(text: str) -> LiveTokens:
    return source_of(one_byte_each(text))


def in_three_bytes(text: str) -> LiveTokens:
    octets = text.encode()
    return source_of([octets[at : at + 3] for at in range(0, len(octets), 3)])


def without_tokens(text: str) -> LiveTokens:
    return LiveTokens(LiveText(text))


WAYS: list[Callable[[str], LiveTokens]] = [in_characters, in_bytes, in_three_bytes, without_tokens]


def no_progress(done: int, whole: int) -> None:
    assert 0 <= done <= whole


def picture_of(source: LiveTokens, look: PictureLook, width: float = WIDTH) -> TextPicture:
    return TextPicture(source, (0, len(source.text)), look, width, MARGIN)


# -- HTML -------------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """The text and the spans, with their styles, titles and texts, that a document has after pasting."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.spans: list[dict[str, str]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "span":
            self.spans.append({name: value or "" for name, value in attrs} | {"text": ""})
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "span" in self.open:
            self.spans[-1]["text"] += data


def read(source: LiveTokens, look: PictureLook) -> Reader:
    reader = Reader(html_of(source, 0, len(source.text), look))
    assert not reader.open
    return reader


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_html_contains_the_text(text: str, way: Callable[[str], LiveTokens], look: PictureLook) -> None:
    assert read(way(text), look).text == re.sub("\r\n?", "\n", text)


def test_html_escapes_invisible_characters(look: PictureLook) -> None:
    assert read(in_characters(HIDDEN), look).text == r"a\x00b\x1b[31m\u202ec\u2028d\ufeff"


def test_html_colours_each_token_as_the_view_does(look: PictureLook) -> None:
    spans = read(source_of(["low", "er", " <"], [300, 301, 302]), look).spans
    colors = [color.name() for color in look.palette.backgrounds]
    assert [span["text"] for span in spans] == ["low", "er", " <"]
    assert [span["title"] for span in spans] == ["id 300", "id 301", "id 302"]
    for span, color in zip(spans, colors, strict=False):
        assert f"background-color:{color}" in span["style"]


def test_html_shows_a_shared_character_once_in_the_colours_of_its_tokens(look: PictureLook) -> None:
    spans = read(source_of([b"a\xf0", b"\x9f\x98", b"\x80b"], [5, 6, 7]), look).spans
    assert [span["text"] for span in spans] == ["a", "😀", "b"]
    assert [span["title"] for span in spans] == ["id 5", "ids 5, 6, 7", "id 7"]
    first, second, third = (color.name() for color in look.palette.backgrounds[:3])
    assert f"background-color:{first}" in spans[1]["style"]
    assert f"{first} 0%,{first} 25%,{second} 25%,{second} 75%,{third} 75%,{third} 100%" in spans[1]["style"]


def test_html_keeps_a_letter_and_its_accent_in_one_span(look: PictureLook) -> None:
    assert [span["text"] for span in read(in_characters("e\u0301x"), look).spans] == ["e\u0301", "x"]


def test_html_outlines_special_and_unknown_tokens_differently(look: PictureLook) -> None:
    special, unknown, plain = read(source_of(["<s>", "?", "a"], [SPECIAL_ID, UNKNOWN_ID, 3]), look).spans
    assert f"border:1px solid {look.palette.special.name()}" in special["style"]
    assert f"border:1px dotted {look.palette.warning.name()}" in unknown["style"]
    assert "border:" not in plain["style"]


def test_html_has_a_span_for_empty_tokens_and_for_line_breaks(look: PictureLook) -> None:
    reader = read(source_of(["a", "", "\n", "b"], [1, 2, 3, 4]), look)
    assert [span["title"] for span in reader.spans] == ["id 1", "id 2", "id 3", "id 4"]
    assert all("background-color" in span["style"] for span in reader.spans)


def test_html_of_a_stretch_may_begin_inside_a_token(look: PictureLook) -> None:
    reader = Reader(html_of(source_of(["lower", " case"], [300, 301]), 3, 7, look))
    assert [(span["text"], span["title"]) for span in reader.spans] == [("er", "id 300"), (" c", "id 301")]


def test_the_clipboard_gets_html_and_the_exact_text(look: PictureLook) -> None:
    source = in_characters("\ufeffa\u00a0b\r\n")
    data = html_mime(source, (0, len(source.text)), look)
    assert text_in(data) == "\ufeffa\u00a0b\r\n".encode()
    assert "background-color" in data.html()


# -- images -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["light", "dark"])
def test_an_image_has_the_colours_of_the_tokens_in_their_cells(name: SchemeName, qtbot: QtBot) -> None:
    look = look_in(name)
    picture = picture_of(source_of(["aaaa", "bbbb\n", "cccc"]), look)
    image = QImage.fromData(QByteArray(png_of(image_of(picture, no_progress))))
    metrics = picture.rows.metrics
    assert (image.width(), image.height()) == (2 * WIDTH, round(2 * (2 * metrics.height + 2 * MARGIN)))
    assert image.pixelColor(2, 2) == look.paper

    def color(column: float, row: int) -> QColor:
        x, y = MARGIN + column * metrics.column, MARGIN + row * metrics.height + metrics.cell_top + 1.5
        return image.pixelColor(round(2 * x), round(2 * y))

    assert [color(2, 0), color(6, 0), color(2, 1)] == list(look.palette.backgrounds[:3])
    assert color(12, 0) == look.paper


def test_an_image_shows_white_space_on_request(qtbot: QtBot) -> None:
    source = in_characters("a b")
    plain, with_glyphs = (
        image_of(picture_of(source, look_in("light", white_space=on)), no_progress) for on in (False, True)
    )
    assert plain.size() == with_glyphs.size()
    assert plain != with_glyphs


def test_an_image_of_a_long_text_shows_the_beginning(look: PictureLook) -> None:
    text = "line\n" * 2_000
    picture = picture_of(in_characters(text), look, 240)
    image = image_of(picture, no_progress)
    rows, shown = picture.fit(max_rows(picture))
    assert image.height() <= 20_000
    assert image.height() > 20_000 - 4 * picture.rows.metrics.height
    assert shown == 5 * rows < len(text)


def test_strips_contain_every_row_once_without_an_empty_last_one(look: PictureLook) -> None:
    picture = picture_of(in_characters(TEXTS["long"] + "\n"), look)
    rows = [(id(segment.layout), row) for strip in picture.strips(7) for segment in strip for row in segment.rows]
    assert len(rows) == len(set(rows)) == picture.fit()[0]
    assert [sum(len(segment.rows) for segment in strip) for strip in picture.strips(7, max_rows=10)] == [7, 3]


def test_painting_can_be_cancelled(look: PictureLook) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, whole: int) -> None:
        raise StopError

    source = in_characters("text")
    for make in (image_of, svg_of):
        with pytest.raises(StopError):
            make(picture_of(source, look), stop)
    with pytest.raises(StopError):
        pdf_of(page_picture(source, (0, 4), look), stop)


@pytest.mark.parametrize(
    ("text", "max_bytes", "expected"),
    [("abc", 3, "abc"), ("ab\ncd", 4, "ab\n"), ("ab\r\ncd", 4, "ab\r\n"), ("ab\ncd", 2, "ab"), ("a😀😀", 7, "a😀")],
)
def test_a_long_text_is_shortened_to_whole_lines_or_at_least_characters(
    text: str, max_bytes: int, expected: str
) -> None:
    live = LiveText(text)
    start, stop = beginning(live, (0, len(live)), max_bytes)
    assert live.read(start, stop).decode() == expected


# -- SVG --------------------------------------------------------------------------------------------------------------


def parsed(svg: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_svg_contains_the_text_as_text(text: str, way: Callable[[str], LiveTokens], look: PictureLook) -> None:
    svg = svg_of(picture_of(way(text), look), no_progress)
    shown = "".join(element.text or "" for element in parsed(svg).iter(f"{SVG}text"))
    assert shown == re.sub(r"[\r\n]", "", text)
    assert QSvgRenderer(QByteArray(svg)).isValid()


def test_svg_has_a_cell_with_its_id_for_each_token(look: PictureLook) -> None:
    source = source_of([b"low", b"\xf0\x9f", b"\x98\x80", b"<s>"], [1, 2, 3, SPECIAL_ID])
    root = parsed(svg_of(picture_of(source, look), no_progress))
    cells = {title.text: rect.attrib for rect in root.iter(f"{SVG}rect") for title in rect}
    assert set(cells) == {"1", "2", "3", str(SPECIAL_ID)}
    assert [cells[number]["fill"] for number in "123"] == [color.name() for color in look.palette.backgrounds[:3]]
    assert cells[str(SPECIAL_ID)]["stroke"] == look.palette.special.name()


def test_svg_looks_like_the_image(look: PictureLook) -> None:
    picture = picture_of(source_of(["aaaa", "bbbb\n", "cccc"]), look)
    image = image_of(picture, no_progress)
    drawn = QImage(image.size(), QImage.Format.Format_RGB32)
    with QPainter(drawn) as painter:
        QSvgRenderer(QByteArray(svg_of(picture, no_progress))).render(painter, QRectF(drawn.rect()))
    for segment in next(picture.strips()):
        for cell in (cell for row in segment.rows for cell in segment.cells.row(row).cells):
            rect = cell.rect.translated(MARGIN, MARGIN + segment.top)
            point = (QRectF(rect).center().x() * 2, (rect.top() + 1.5) * 2)
            assert drawn.pixelColor(*map(round, point)) == image.pixelColor(*map(round, point))


# -- PDF --------------------------------------------------------------------------------------------------------------


def test_pdf_has_as_many_pages_as_the_rows_need(look: PictureLook) -> None:
    def pages(text: str) -> int:
        picture = page_picture(in_characters(text), (0, len(text)), look)
        return len(re.findall(rb"/Type\s*/Page\b", pdf_of(picture, no_progress)))

    assert pages("line\n") == 1
    rows = int((1122 - 2 * 56.7) / picture_of(in_characters(""), look).rows.metrics.height)
    assert [pages("x\n" * rows), pages("x\n" * (rows + 1)), pages("x\n" * 3 * rows)] == [1, 2, 3]


def test_a_trained_tokenizer_colours_all_kinds_of_pictures(look: PictureLook) -> None:
    live = LiveText("low lower lowest")
    live.encode_with(train("low low lower", num_merges=5))
    source = LiveTokens(live)
    assert len(read(source, look).spans) == len(source)
    assert svg_of(picture_of(source, look), no_progress).count(b"<title>") == len(source)


def test_pictures_have_the_colours_of_the_parts_of_the_splitter(look: PictureLook) -> None:
    live = LiveText("low 12")
    live.encode_with(train("low low lower", num_merges=5))
    by_splitter = replace(look, color_mode=ColorMode.BY_SPLITTER)
    spans = read(LiveTokens(live), by_splitter).spans
    letters, digits = (look.palette.backgrounds[hue].name() for hue in (1, 2))
    assert [span["text"] for span in spans] == ["low", " ", "1", "2"]
    for span, color in zip(spans, (letters, digits, digits, digits), strict=True):
        assert f"background-color:{color}" in span["style"]
    assert svg_of(picture_of(LiveTokens(live), by_splitter), no_progress).count(digits.encode()) == 3
