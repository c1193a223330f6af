"""Make the fonts that tests see from Debian's `fonts-dejavu-core`: `python -m tests.fonts.make`, with fontTools.

Latin, Greek and Cyrillic letters and symbols are DejaVu's, without hints. Every other character that tests show, such
as Chinese ones and emoji, is a box of one em. The licence wants changed fonts to have other names.
"""

from pathlib import Path
from typing import Final

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

DEJAVU: Final = Path("/usr/share/fonts/truetype/dejavu")
FILES: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
KEPT: Final = (range(0x600), range(0x2000, 0x2E80))
BOXES: Final = (
    *(range(0x2E80, 0x2FE0), range(0x3000, 0xA4D0), range(0xAC00, 0xD7A4), range(0xF900, 0xFB00)),
    *(range(0xFE30, 0xFE50), range(0xFF00, 0xFF61), range(0x1F300, 0x1FB00), range(0x20000, 0x20100)),
)


def make(source: Path, target: Path) -> None:
    """Write the font for tests that is made from a font of DejaVu."""
    font = TTFont(source)
    options = Options(hinting=False, notdef_outline=True, layout_features=["*"], name_IDs=["*"])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[each for each in font.getBestCmap() if any(each in kept for kept in KEPT)])
    subsetter.subset(font)
    em = font["head"].unitsPerEm
    font["glyf"]["box"], font["hmtx"]["box"] = box_of(em), (em, 100)
    font.setGlyphOrder([*(name for name in font.getGlyphOrder() if name != "box"), "box"])
    font["maxp"].numGlyphs = len(font.getGlyphOrder())
    characters = {each: "box" for boxes in BOXES for each in boxes} | font.getBestCmap()
    in_latin = {each: glyph for each, glyph in characters.items() if each < BOXES[0].start}
    font["cmap"].tables = [table_of(4, 1, in_latin), table_of(13, 10, characters)]
    for record in font["name"].names:
        record.string = record.toUnicode().replace("DejaVu", "Test").replace("Bitstream Vera", "Test")
    font.save(target)


def box_of(em: int) -> object:
    """Return a glyph that fills most of one em."""
    pen = TTGlyphPen(None)
    pen.moveTo((100, -200))
    for point in ((100, 1500), (em - 100, 1500), (em - 100, -200)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def table_of(kind: int, encoding: int, characters: dict[int, str]) -> object:
    """Return a table from characters to glyphs; kind 13 has one entry for many characters with the same glyph."""
    table = CmapSubtable.newSubtable(kind)
    table.platformID, table.platEncID, table.language, table.cmap = 3, encoding, 0, characters
    table.format, table.reserved, table.length, table.nGroups = kind, 0, 0, 0
    return table


if __name__ == "__main__":
    for name in FILES:
        make(DEJAVU / name, Path(__file__).with_name(name.replace("DejaVu", "Test")))
