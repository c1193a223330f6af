"""Difficult texts: whatever the characters and however tokens split them, every token has its cells."""

from collections.abc import Callable

import pytest
import regex
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPalette
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Tokenizer, train
from bpe_gui.gui.look.theme import Theme, ThemeChoice
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.tokens import LiveTokens
from tests.gui.support.token_edits import TokenCells, cells_of
from tests.gui.support.token_sources import one_byte_each, source_of

WIDTH, HEIGHT = 380, 230

TEXTS = {
    "emoji": "a 😀😅 b",
    "family": "👨\u200d👩\u200d👧\u200d👦 and 👩\u200d❤\ufe0f\u200d👨",
    "flags": "🇩🇪🇫🇷 🇨🇳 🇩",
    "flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!",
    "skin tones": "👍🏽👋🏿 ok",
    "keycaps": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "emoji as text": "❤ ❤\ufe0f ☺\ufe0e",
    "professions": "👩🏽\u200d🚀🧑\u200d💻",
    "chinese": "自然语言处理很有趣。",
    "wide signs": "ＡＢＣ，　１２３",
    "rare chinese": "𠮷野家 𪚥𠔻",
    "chosen variant": "葛\U000e0100城",
    "japanese": "日本語のテキストはﾊﾝｶｸ",
    "korean": "한국어 텍스트",
    "jamo": "\u1112\u1161\u11ab\u1100\u116e\u11a8",
    "devanagari": "नमस्ते दुनिया क्षत्रिय",
    "tamil and bengali": "தமிழ் বাংলা",
    "thai": "สวัสดี ก้ำ ที่นี่",
    "tibetan": "བོད་སྐད།",
    "khmer and burmese": "ភាសាខ្មែរ မြန်မာ",
    "arabic": "مرحبا بالعالم، كيف الحال؟",
    "arabic in latin": "abc مرحبا def بالعالم 12",
    "latin in arabic": "مرحبا abc ١٢٣ 45 عالم",
    "arabic with signs": "الْعَرَبِيَّةُ لا إله",
    "hebrew with numbers": "שלום 123-456 עולם (abc)",
    "persian joiners": "می\u200cخواهم نامه\u200dها",
    "marks of direction": "a\u200eb\u200fc \u202eabc\u202c",
    "zalgo": "Z̷̢̛͉̱a̴̡̲͓͛l̸̨̼̑g̵̤̏o̶͙̿!",
    "accents apart": "e\u0301 n\u0303 a\u030a\u0323",
    "mark alone": "\u0301a",
    "ligatures": "fi ffi office ﬁ Ǆ",
    "mathematics": "𝒜𝔅ℂ ∑∫ x²",
    "tabs": "\ta\t\tbc\t.",
    "spaces": "a" + " " * 70 + "b   ",
    "windows lines": "one\r\ntwo\r\n\r\n",
    "old lines": "one\rtwo\r\rthree\r",
    "all lines": "a\n\rb\r\n\nc",
    "no-break": "a\u00a0b \u202f \u2007c\u3000d",
    "separators": "a\u2028b\u2029c\x85d",
    "byte order mark": "\ufefftext\ufeff",
    "no-break space": "a\u00a0b\u2028c",
    "invisible": "soft\u00adhyphen zero\u200bwidth word\u2060joiner",
    "controls": "\x00\x01\x1b[31mred\x1b[0m\x7f\x9f",
    "many controls": "\x00" * 60,
    "controls in arabic": "سلام\x1b\u200bعالم \x00 x",
    "placeholders": "\ufffc \ufffd \ufdd0\uffff",
    "private and unassigned": "\ue000\U000f0000 \u0378",
    "long word": "Donaudampfschifffahrtsgesellschaft" * 4,
    "long word in two scripts": "wordслово" * 14,
    "rows in two directions": "words שלום 123-456 עולם and some words مرحبا abc ١٢٣ 45 عالم " * 2,
    "rows from the right": "مرحبا abc some words 12 بالعالم and words and more words שלום " * 2,
    "scripts side by side": "لا إلهfi தமிழ்مرحباabc自然שלום١٢٣",
    "marks without letters": "่นี่ \u0301a\n\u0301\ufe0f",
    "nothing": "",
}


def in_bytes(text: str) -> LiveTokens:
    return source_of(one_byte_each(text))


def in_clusters(text: str) -> LiveTokens:
    return source_of(regex.findall(r"\X", text))


def in_pairs_of_bytes(text: str) -> LiveTokens:
    octets = text.encode()
    return source_of([octets[at : at + 3] for at in range(0, len(octets), 3)])


def with_markers(text: str) -> LiveTokens:
    """Return a text with a token for every cluster and an end-of-word marker, which covers nothing, after each."""
    return source_of([piece for cluster in regex.findall(r"\X", text) for piece in (cluster, "")])


def trained(text: str) -> LiveTokens:
    live = LiveText(text)
    live.encode_with(TOKENIZER)
    return LiveTokens(live)


TOKENIZER: Tokenizer = train("😀 😅 text and text 自然语言 语言 مرحبا مرحبا नमस्ते नमस्ते one two one two", num_merges=60)
QUICK: list[Callable[[str], LiveTokens]] = [in_bytes, trained]
WAYS = [*QUICK, in_clusters, in_pairs_of_bytes, with_markers]
# Themes differ in colours, ways in cells, so each is seen once with everything.
LOOKS = [
    *(pytest.param("light", way, marks=() if way in QUICK else pytest.mark.slow, id=way.__name__) for way in WAYS),
    pytest.param("dark", in_bytes, marks=pytest.mark.slow, id="dark"),
]


@pytest.fixture
def theme(choice: ThemeChoice) -> Theme:
    return Theme(choice)


def view_in(theme: Theme) -> TokenEdit:
    view = TokenEdit()
    colors = view.palette()
    colors.setColor(QPalette.ColorRole.Base, theme.color("base"))
    view.setPalette(colors)
    view.setFont(theme.token_font())
    view.set_palette_colors(theme.token_palette())
    view.tokens.set_whitespace_visible(True)
    view.resize(WIDTH, HEIGHT)
    return view


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TokenEdit:
    view = view_in(theme)
    qtbot.addWidget(view)
    view.show()
    view.clearFocus()
    return view


def has_color(image: QImage, rect: QRectF, color: QColor) -> bool:
    area = rect.toAlignedRect()
    pixels = ((x, y) for y in range(area.top(), area.bottom() + 1) for x in range(area.left(), area.right() + 1))
    return any(image.pixelColor(*pixel) == color for pixel in pixels)


def check(cells: list[TokenCells], tokens: int, area: QRectF) -> None:
    assert [cell.index for cell in cells] == list(range(tokens)), "every token has cells"
    rects = [rect for cell in cells for rect in cell.rects]
    for number, rect in enumerate(rects):
        assert rect.width() > 0
        assert rect.height() > 0
        assert area.contains(rect), (rect, area)
        for other in rects[number + 1 :]:
            common = rect.intersected(other)
            assert common.width() * common.height() < 0.01, (rect, other)


@pytest.mark.parametrize(("choice", "way"), LOOKS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_every_token_has_its_cells_and_is_found_there_and_none_overlap(
    view: TokenEdit, theme: Theme, text: str, way: Callable[[str], LiveTokens]
) -> None:
    source = way(text)
    view.set_source(source)
    plain = view.grab().toImage()
    tokens = source.overlapping(0, len(source.text))
    check(cells_of(view), len(tokens), QRectF(view.viewport().rect()))
    colors = theme.token_palette().backgrounds
    for cell in cells_of(view):
        rects = [rect for rect in cell.rects if rect.width() >= 4]
        assert all(has_color(plain, rect, colors[cell.index % len(colors)]) for rect in rects)
        assert all(view.tokens.token_at(rect.center()) == cell.index for rect in rects)
