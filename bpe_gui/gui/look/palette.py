"""The colours of the painted widgets; their values are in `resources/themes`."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True, slots=True)
class TokenPalette:
    """The colours of the token view.

    Neighbours in `backgrounds` are painted side by side, so they should be easy to tell apart. There must be at least
    three: with two, a token that is coloured by its id could not differ from both of its neighbours. `text` must be
    readable on all of them and on the editor's base colour.
    """

    backgrounds: tuple[QColor, ...]
    text: QColor
    special: QColor
    warning: QColor
    accent: QColor
    quiet: QColor


@dataclass(frozen=True, slots=True)
class ChartPalette:
    """The colours of the timeline; `accent` is for the playhead and the focus ring only."""

    line: QColor
    fill: QColor
    accent: QColor
    quiet: QColor
    background: QColor


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
