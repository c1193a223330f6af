"""The colours, icons and fonts of the window, and the clock of its animations.

The colours are data (`resources/themes/*.toml`), and so is the style sheet that uses them
(`resources/themes/application.qss`, which lists the properties that panels may set). One `Theme` object serves the
whole window. It follows the system's light or dark mode unless the user has chosen one. When it emits `changed`,
widgets fetch their icons and palettes again.
"""

import re
import sys
import tomllib
from cmath import phase, rect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import tau
from string import Template, digits
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args

from PySide6.QtCore import QByteArray, QEasingCurve, QEvent, QObject, QRectF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
    QPixmapCache,
    QShowEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QStyle, QWidget

from bpe_gui.resources import resource

from .lifetime import WeakAttribute
from .qt_constants import NO_PEN

if TYPE_CHECKING:
    from .desktop_motion import DesktopMotion

_TURN: Final = 1_507_636_010
"""The hue of a byte is its value times this, in turns / 2^32.

Found by search: in English and Chinese text at any step, neighbouring tokens share a hue no more often than with random
hues, the parts of the classic example (low, lower, widest, newest) never do, and all hues are used about equally.
"""

_WHITE_SPACE_WEIGHT: Final = 0.4  # of a letter: " of" looks similar to "of", but need not have its colour
_HUE_STRIDE: Final = 5
"""How far apart in a palette similar hues are; hues with neighbouring numbers look different."""

_BYTES_FOR_HUE: Final = 1024
"""Only this many bytes of a symbol determine its hue, since it may have megabytes."""

_BYTES_FOR_PARTS: Final = 16
"""Up to this many, all the parts that a symbol may have been merged of are looked at."""

_CACHED_HUES: Final = 1 << 16

_TOO_FAST: Final = 0.12  # seconds between steps; nothing moves if they follow each other more quickly
_LONGEST: Final = 700  # milliseconds
_FRAME: Final = 33  # milliseconds; more frames would look the same, and take the time from other work
_SHARE: Final = 0.8  # of the time between two steps, for the first one's animation
_JOINED: Final = 0.6  # the share of the animation after which two parts have met
_JOINING_GAP: Final = 8.0  # pixels between the parts at the start
MARK: Final = 10
"""The width and height of an object's mark, in pixels."""

_HAS_FONT: Final = Qt.WidgetAttribute.WA_SetFont
_ANIMATION_TIME: Final = QStyle.StyleHint.SH_Widget_Animation_Duration


@dataclass(frozen=True, slots=True, eq=False)
class TokenPalette:
    """The colours of tokens; each theme has one palette.

    `backgrounds` has a colour for each hue, and `second_shades` another shade of it, for a token next to one of the
    same hue. Neighbouring entries of `backgrounds` appear side by side, so they should be easy to tell apart. `neutral`
    is for anything without a hue. `text` must be readable on all of them and on the editor's base colour.
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
        return len(self.backgrounds)

    @property
    def shades(self) -> tuple[QColor, ...]:
        """All colours by number: the first shades of the hues, then the second shades, then the neutral colour."""
        return (*self.backgrounds, *self.second_shades, self.neutral)


@dataclass(frozen=True, slots=True)
class ChartPalette:
    """The colours of the timeline; `accent` is for the playhead and the focus ring only."""

    line: QColor
    fill: QColor
    accent: QColor
    quiet: QColor
    background: QColor
    overlay: QColor


def hue_of(symbol: bytes, hues: int) -> int:
    """Return the hue number of a symbol: the same in every panel, at every step, and in every run of the program.

    Each byte is a point on the colour wheel, and a symbol is the sum of its bytes, so its hue is near a mixture of
    those of its parts, whichever merges made it; uppercase letters count as lowercase ones. Since a merge should show,
    it is the nearest hue that no two parts have which could make the symbol: there is one up to half as many bytes as
    there are hues. Of a longer symbol, it is a hue that few and short parts have, and beyond `_BYTES_FOR_PARTS`, the
    mixture.
    """
    return _place_of(symbol[:_BYTES_FOR_HUE].lower(), hues) * _HUE_STRIDE % hues


@lru_cache(_CACHED_HUES)
def _place_of(symbol: bytes, hues: int) -> int:
    """Return the place of a symbol's hue on the colour wheel."""
    mixture = int(phase(sum(map(_BYTE_COLORS.__getitem__, symbol))) / tau % 1 * hues)
    size = len(symbol)
    if not 1 < size <= _BYTES_FOR_PARTS:
        return mixture
    taken = [0] * hues
    for cut in range(1, size):
        taken[_place_of(symbol[:cut], hues)] += cut
        taken[_place_of(symbol[cut:], hues)] += size - cut
    return min(range(hues), key=lambda place: (taken[place], min((place - mixture) % hues, (mixture - place) % hues)))


def _byte_color(byte: int) -> complex:
    """Return the point of a byte on the colour wheel, in whole numbers, so that sums are exact on every machine."""
    point = rect(1000 * (_WHITE_SPACE_WEIGHT if bytes((byte,)).isspace() else 1), tau * (byte * _TURN % 2**32) / 2**32)
    return complex(round(point.real), round(point.imag))


_BYTE_COLORS: Final = tuple(map(_byte_color, range(256)))


def faded(color: QColor, opacity: float) -> QColor:
    """Return `color` with an `opacity` from 0 to 1."""
    result = QColor(color)
    result.setAlphaF(opacity)
    return result


def scaled_font(font: QFont, scale: float) -> QFont:
    """Return a font that is this many times as large."""
    scaled = QFont(font)
    scaled.setPointSizeF(font.pointSizeF() * scale)
    return scaled


def paint_box(painter: QPainter, box: QRectF, color: QBrush | QColor, corner: float) -> None:
    """Fill a box with rounded corners."""
    painter.setPen(NO_PEN)
    painter.setBrush(color)
    painter.drawRoundedRect(box, corner, corner)


_SAMPLE = "Ag词元"  # where a font lacks one of these scripts, Qt uses another font, which may be taller


def line_height(font: QFont) -> int:
    """Return the line height of `font` in pixels, with Latin letters, Chinese characters or both.

    Qt measures a line by the fonts of its characters, so it would become taller as soon as there is a Chinese one.
    Anything that should not move reserves this height from the start.
    """
    return _height(font.key())


@lru_cache(maxsize=64)
def _height(key: str) -> int:
    font = QFont()
    font.fromString(key)
    metrics = QFontMetrics(font)
    return max(metrics.lineSpacing(), metrics.size(0, _SAMPLE).height())


def text_width(metrics: QFontMetrics, text: str) -> int:
    """Return the width of a text on one line as it is painted: whole pixels, rounded up.

    `horizontalAdvance` rounds to the nearest pixel, so a label of that width may cut its last letter off.
    """
    return metrics.size(Qt.TextFlag.TextSingleLine, text).width()


def with_widest_digits(metrics: QFontMetrics, text: str) -> str:
    """Return a text with all digits replaced by a font's widest one, so that other numbers of this length fit too.

    In some fonts, 111 is wider than 999.
    """
    return re.sub(r"\d", max(digits, key=metrics.horizontalAdvance), text)


W = TypeVar("W", bound=QWidget)

SchemeName = Literal["light", "dark"]
ThemeChoice = Literal["system", "light", "dark"]
THEME_CHOICES: tuple[ThemeChoice, ...] = get_args(ThemeChoice)

_QT_SCHEMES: dict[ThemeChoice, Qt.ColorScheme] = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}

ColorRole = Literal[
    "window", "base", "text", "quiet", "disabled", "hairline", "outline", "hover", "pressed", "selection",
    "accent", "accent_text", "accent_tint", "warning", "warning_tint", "proven", "tie", "token_text", "special",
    "chart_line", "chart_fill",
]  # fmt: skip
COLOR_ROLES: tuple[ColorRole, ...] = get_args(ColorRole)

ROW_HEIGHT = 24  # pixels
DEFAULT_TOKEN_SIZE = 11  # points

# Icons are rendered in these sizes (logical pixels) and pixel ratios; otherwise Qt scales the nearest one.
_ICON_SIZES = (16, 20, 24)
_ICON_RATIOS = (1, 2)

_BAR_OPACITY = 0.2
_STYLE: Final = "fusion"

# The first installed family draws the text, the later ones any characters it lacks.
_MONOSPACE = (
    "JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas", "DejaVu Sans Mono", "Noto Sans Mono",
    "Noto Sans Mono CJK SC", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
    "Noto Sans Symbols", "Noto Sans Symbols 2", "Segoe UI Symbol",
    "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji",
)  # fmt: skip


@dataclass(frozen=True)
class _Scheme:
    """The contents of a theme file: the colours of roles, of marks and of tokens."""

    colors: Mapping[ColorRole, QColor]
    marks: tuple[QColor, ...]
    tokens: TokenPalette


class Motion(QVariantAnimation):
    """The clock of everything that moves on a step, so that all of it starts and ends together.

    Repaint on `valueChanged`, and once more on `finished`; in between, nothing moves. Nothing moves at all if steps
    follow each other quickly, or if the system asks for less motion.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._begun = 0.0
        self._desktop: DesktopMotion | None = None
        self.setStartValue(0)

    def follow_desktop(self) -> None:
        """Ask a Linux desktop whether it wants less motion; it answers a moment later."""
        if sys.platform == "linux":
            from .desktop_motion import DesktopMotion  # D-Bus is of no use elsewhere

            self._desktop = DesktopMotion(self)

    def begin(self, widget: QWidget) -> None:
        """Start from the beginning, for as long as the time since the last step allows."""
        begun, self._begun = self._begun, monotonic()
        interval = self._begun - begun
        self.stop()
        if interval >= _TOO_FAST and self.is_allowed(widget):
            self.setDuration(int(min(_LONGEST, 1000 * _SHARE * interval)))
            self.setEndValue(max(1, self.duration() // _FRAME))
            self.start()

    def is_allowed(self, widget: QWidget) -> bool:
        """Return whether the system allows animations; on Linux, Qt says no on most desktops without asking them."""
        if self._desktop is not None and self._desktop.is_reduced:
            return False
        return sys.platform == "linux" or widget.style().styleHint(_ANIMATION_TIME, None, widget) > 0

    def end(self) -> None:
        """Show the end at once."""
        if self.is_running:
            self.setCurrentTime(self.duration())

    @property
    def is_running(self) -> bool:
        return self.state() != QVariantAnimation.State.Stopped

    @property
    def left(self) -> float:
        """How much of the animation is left, from 1 at the start down to 0; 0 unless it is running."""
        if self.state() == QVariantAnimation.State.Stopped:
            return 0.0
        return 1.0 - _EASING.valueForProgress(self.currentValue() / self.endValue())


def paint_joining(
    painter: QPainter, box: QRectF, x: float, fills: Sequence[QBrush], background: QBrush, left: float, corner: float
) -> None:
    """Paint the two parts of a new token, which meet at `x` of its box, drawing together, in their `fills` if any.

    `left`: how much is left of the animation.
    """
    before = painter.opacity()
    painter.setOpacity(before * left)
    for fill, start, stop in zip(fills, (box.left(), x), (x, box.right()), strict=False):
        paint_box(painter, QRectF(start, box.top(), stop - start, box.height()), fill, corner)
    painter.setOpacity(before)
    if gap := joining_gap(left):
        painter.fillRect(QRectF(x - gap / 2, box.top(), gap, box.height()), background)


def joining_gap(left: float) -> float:
    """Return the pixels between the two parts of a new token, from how much is `left` of the animation."""
    return _JOINING_GAP * max(0.0, (left - 1 + _JOINED) / _JOINED)


_EASING: Final = QEasingCurve(QEasingCurve.Type.InOutQuad)


class Theme(QObject):
    """The colours, icons and fonts of the chosen theme, and the clock of the window's animations."""

    changed = Signal()
    """Colours, icons or the size of tokens have changed."""

    def __init__(
        self, choice: ThemeChoice = "system", parent: QObject | None = None, *, token_size: int = DEFAULT_TOKEN_SIZE
    ) -> None:
        super().__init__(parent)
        self.motion: Final = Motion(self)
        self._token_size = token_size
        self.choice: ThemeChoice = choice
        """The user's choice; `name` is the theme that it stands for now."""
        self._app: QApplication | None = None
        hints = QGuiApplication.styleHints()
        # The system draws the title bar; some systems follow this hint.
        hints.setColorScheme(_QT_SCHEMES[choice])
        self._name = self._current_name()
        hints.colorSchemeChanged.connect(self._refresh)

    @property
    def name(self) -> str:
        """`light` or `dark`, chosen by the user or the system."""
        return self._name

    def set_choice(self, choice: ThemeChoice) -> None:
        """Show the `light` or the `dark` theme, or follow the `system`."""
        self.choice = choice
        QGuiApplication.styleHints().setColorScheme(_QT_SCHEMES[choice])
        self._refresh()

    def apply(self, app: QApplication) -> None:
        """Set the style and palette of `app`, now and whenever the theme changes."""
        self._app = app
        if app.style().objectName() != _STYLE:  # setting it again would style every widget again
            app.setStyle(_STYLE)
        self._apply_palette()

    def style(self, window: QWidget) -> None:
        """Set the style sheet of a window and of all that belongs to it; call this again whenever the theme changes.

        A style sheet of the application would make building a window twice as slow. Qt goes through all that a
        styled widget contains whenever that widget is put into another, once for every level of the window; a sheet of
        the window reaches its parts once, when they are put into the window.
        """
        template = Template(resource("themes", "application.qss").read_text("utf-8"))
        colors = {str(role): color.name() for role, color in _load_scheme(self._name).colors.items()}
        height, icons = line_height(QApplication.font()), resource("icons").as_posix()
        sheet = template.substitute(colors, scheme=self._name, line_height=height, icons=icons)
        if window.styleSheet() != sheet:  # setting it again would style everything again
            window.setStyleSheet(sheet)

    def color(self, role: ColorRole) -> QColor:
        """Return a copy of a role's colour."""
        return QColor(_load_scheme(self._name).colors[role])

    def icon(self, name: str) -> QIcon:
        """Return the icon `resources/icons/<name>.svg` in the colour of text, and greyed for a disabled action.

        Raise FileNotFoundError for an unknown name.
        """
        return _tinted_icon(name, self._name)

    def token_palette(self) -> TokenPalette:
        return token_palette_of(self._name)

    def bar_color(self) -> QColor:
        """Return the colour of bars behind numbers, which is translucent."""
        return faded(self.color("chart_line"), _BAR_OPACITY)

    def chart_palette(self) -> ChartPalette:
        return chart_palette_of(self._name)

    def mark_color(self, mark: int) -> QColor:
        """Return the colour of an object's mark, by its number; see `object_names.mark_of`."""
        marks = _load_scheme(self._name).marks
        return QColor(marks[mark % len(marks)])

    def mark_pixmap(self, mark: int) -> QPixmap:
        """Return a small square in the colour of an object's mark."""
        pixmap = QPixmap(MARK, MARK)
        pixmap.fill(self.mark_color(mark))
        return pixmap

    def monospace_font(self, size: int) -> QFont:
        """Return the font of tokens, bytes and ids in `size` points, with CJK, symbols and emoji if installed."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setFamilies([*_installed_monospace_families(), font.family()])
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSize(size)
        return font

    def token_font(self) -> QFont:
        """Return the monospace font in the token size that the user chose."""
        return self.monospace_font(self._token_size)

    def set_token_size(self, size: int) -> None:
        """Set the size of tokens, in points."""
        self._token_size = size
        self.changed.emit()

    def number_font(self) -> QFont:
        """Return the interface font with tabular figures, so that changing numbers do not wobble."""
        font = QFont(QApplication.font())
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def keep_font(self, font: Callable[[], QFont], *widgets: QWidget) -> None:
        """Keep widgets in the font that `font` returns, such as `number_font`, now and whenever the theme changes."""
        self.keep(lambda widget: widget.setFont(font()), *widgets)

    def keep(self, apply: Callable[[W], object], *widgets: W) -> None:
        """Call `apply` with widgets now, whenever the theme changes, and when they are shown.

        `apply` must not close over a widget, or the widget would never be freed.
        """
        for widget in widgets:
            widget.installEventFilter(_ThemeFollower(self, apply, widget))

    def keep_icon(self, name: str, button: QAbstractButton) -> None:
        """Show the icon `resources/icons/<name>.svg` on a button, in the colours of the theme."""
        _ThemeFollower(self, lambda button: button.setIcon(self.icon(name)), button)

    def _current_name(self) -> SchemeName:
        if self.choice != "system":
            return self.choice
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _refresh(self) -> None:
        if (name := self._current_name()) != self._name:
            self._name = name
            QPixmapCache.clear()  # of icons in the colours of the other theme
            self._apply_palette()
            self.changed.emit()

    def _apply_palette(self) -> None:
        if self._app is not None:
            self._app.setPalette(_application_palette(_load_scheme(self._name).colors))


class _ThemeFollower(QObject):
    """Applies a theme to a widget whenever the theme changes.

    As an event filter, it does so when the widget is shown, too: a style sheet has reset its font by then.
    """

    _widget = WeakAttribute[QWidget]()

    def __init__(self, theme: Theme, apply: Callable[[W], object], widget: W) -> None:
        super().__init__(widget)
        self._apply: Callable[[Any], object] = apply
        self._widget = widget
        theme.changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        self._apply(self._widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if isinstance(event, QShowEvent):  # quicker than to ask for the type of each of a thousand events
            self._renew()
        return False


def background_and_tokens(name: SchemeName) -> tuple[QColor, TokenPalette]:
    """Return the background and the token colours of a theme, not necessarily the current one."""
    return QColor(_load_scheme(name).colors["base"]), token_palette_of(name)


def token_palette_of(name: SchemeName) -> TokenPalette:
    return _load_scheme(name).tokens


def chart_palette_of(name: SchemeName) -> ChartPalette:
    colors = _load_scheme(name).colors
    return ChartPalette(
        line=colors["chart_line"],
        fill=colors["chart_fill"],
        accent=colors["accent"],
        quiet=colors["quiet"],
        background=colors["base"],
        overlay=colors["warning"],
    )


def set_role(widget: QWidget, role: str) -> None:
    """Set the `role` property of a widget (see application.qss), even if it is already on the screen."""
    _set_property(widget, "role", role)


def show_ring(widget: QWidget, is_shown: bool) -> None:
    """Let a widget draw a ring while it has the focus, or not; fields always do."""
    if is_shown != has_ring(widget):
        _set_property(widget, "focusRing", is_shown)


def has_ring(widget: QWidget) -> bool:
    """Return whether a widget draws a ring while it has the focus."""
    return bool(widget.property("focusRing"))


def _set_property(widget: QWidget, name: str, value: object) -> None:
    if widget.property(name) == value:
        return
    own = [each for each in (widget, *widget.findChildren(QLineEdit)) if each.testAttribute(_HAS_FONT)]
    fonts = [(each, QFont(each.font())) for each in own]
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    for each, font in fonts:  # which the style sheet has taken away, and a combo box from its field
        each.setFont(font)


@cache
def _load_scheme(name: SchemeName) -> _Scheme:
    data = tomllib.loads(resource("themes", f"{name}.toml").read_text("utf-8"))
    colors: dict[ColorRole, QColor] = {role: QColor(data["colors"][role]) for role in COLOR_ROLES}
    tokens = TokenPalette(
        backgrounds=tuple(map(QColor, data["tokens"]["backgrounds"])),
        second_shades=tuple(map(QColor, data["tokens"]["second_shades"])),
        neutral=colors["hairline"],
        text=colors["token_text"],
        special=colors["special"],
        warning=colors["warning"],
        accent=colors["accent"],
        quiet=colors["quiet"],
    )
    return _Scheme(colors, tuple(map(QColor, data["marks"]["colors"])), tokens)


def _application_palette(colors: Mapping[ColorRole, QColor]) -> QPalette:
    palette = QPalette()
    for role, name in _PALETTE_ROLES.items():
        palette.setColor(role, colors[name])
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, colors["disabled"])
    return palette


# Links are underlined and need no colour; bevels get the shades of flat edges.
_PALETTE_ROLES: dict[QPalette.ColorRole, ColorRole] = {
    QPalette.ColorRole.Window: "window",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "base",
    QPalette.ColorRole.AlternateBase: "window",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "quiet",
    QPalette.ColorRole.Button: "window",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "accent_text",
    QPalette.ColorRole.ToolTipBase: "base",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "text",
    QPalette.ColorRole.LinkVisited: "text",
    QPalette.ColorRole.Light: "base",
    QPalette.ColorRole.Midlight: "hairline",
    QPalette.ColorRole.Mid: "outline",
    QPalette.ColorRole.Dark: "outline",
    QPalette.ColorRole.Shadow: "hairline",
}


@cache
def _tinted_icon(name: str, scheme: SchemeName) -> QIcon:
    """Return an icon in the colour of text, and of disabled text; all windows share it: drawing it takes a while."""
    normal, disabled = (_load_scheme(scheme).colors[role] for role in ("text", "disabled"))
    svg = resource("icons", f"{name}.svg").read_text("utf-8")
    icon = QIcon()
    for mode, color in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(svg.replace("currentColor", color.name()).encode()))
        for size in _ICON_SIZES:
            for ratio in _ICON_RATIOS:
                icon.addPixmap(_render(renderer, size, ratio), mode)
    return icon


def _render(renderer: QSvgRenderer, size: int, ratio: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


@cache
def _installed_monospace_families() -> tuple[str, ...]:
    # Name only these: macOS searches all of its fonts for a family that is not installed.
    installed = set(QFontDatabase.families())
    return tuple(family for family in _MONOSPACE if family in installed)
