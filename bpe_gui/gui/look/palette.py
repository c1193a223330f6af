"""The colours of the painted widgets; their values are in `resources/themes`."""

from dataclasses import dataclass
from typing import Final
from zlib import crc32

from PySide6.QtGui import QColor, QPalette

_SPREAD: Final = 308_575_065
"""Found by search: with twelve hues, few letters that are often neighbours in English text share one, nor do the parts
of the classic example (low, lower, widest, newest)."""


_HASHED = 1024
"""Bytes of a symbol that its hue depends on: a symbol may have megabytes."""


@dataclass(frozen=True, slots=True)
class TokenPalette:
    """The colours of tokens.

    `backgrounds` has a colour for each hue, and `second_shades` another of the same hue, for a token beside one of that
    hue. Neighbours in `backgrounds` are painted side by side, so they should be easy to tell apart. `neutral` is for
    what has no hue. `text` must be readable on all of them and on the editor's base colour.
    """

    backgrounds: tuple[QColor, ...]
    second_shades: tuple[QColor, ...]
    neutral: QColor
    text: QColor
    special: QColor
    warning: QColor
    accent: QColor
    quiet: QColor

    @property
    def hues(self) -> int:
        """The number of hues."""
        return len(self.backgrounds)

    @property
    def shades(self) -> tuple[QColor, ...]:
        """All colours by their number: the first shades of the hues, then the second ones, then the neutral one."""
        return (*self.backgrounds, *self.second_shades, self.neutral)


@dataclass(frozen=True, slots=True)
class ChartPalette:
    """The colours of the timeline; `accent` is for the playhead and the focus ring only."""

    line: QColor
    fill: QColor
    accent: QColor
    quiet: QColor
    background: QColor


def hue_of(symbol: bytes, hues: int) -> int:
    """Return the number of a symbol's hue: the same in every panel, at every step and each time the program starts."""
    return ((crc32(symbol[:_HASHED]) * _SPREAD & 0xFFFF_FFFF) >> 16) % hues


def shade_after(previous: int, symbol: bytes, hues: int) -> int:
    """Return the number of a symbol's shade, which is the second one if the shade before is the first of its hue."""
    hue = hue_of(symbol, hues)
    return hue + hues if hue == previous else hue


def faded(color: QColor, opacity: float) -> QColor:
    """Return `color` with an `opacity` from 0 to 1."""
    result = QColor(color)
    result.setAlphaF(opacity)
    return result


def plain_token_palette(colors: QPalette) -> TokenPalette:
    """Return shades of the system's colours, for a view without a theme."""
    text = colors.color(QPalette.ColorRole.Text)
    quiet = colors.color(QPalette.ColorRole.PlaceholderText)
    return TokenPalette(
        backgrounds=tuple(faded(text, opacity) for opacity in (0.08, 0.14, 0.2)),
        second_shades=tuple(faded(text, opacity) for opacity in (0.11, 0.17, 0.23)),
        neutral=faded(text, 0.05),
        text=text,
        special=text,
        warning=text,
        accent=colors.color(QPalette.ColorRole.Highlight),
        quiet=quiet,
    )


def plain_chart_palette(colors: QPalette) -> ChartPalette:
    """Return the system's colours, for a view without a theme."""
    quiet = colors.color(QPalette.ColorRole.PlaceholderText)
    return ChartPalette(
        line=colors.color(QPalette.ColorRole.Text),
        fill=faded(quiet, 0.3),
        accent=colors.color(QPalette.ColorRole.Highlight),
        quiet=quiet,
        background=colors.color(QPalette.ColorRole.Base),
    )
