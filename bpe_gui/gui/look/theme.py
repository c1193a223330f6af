"""Colours, icons and fonts: everything that makes the window look the way it does.

The colours are data (`resources/themes/*.toml`), and so is the style sheet that uses them
(`resources/themes/application.qss`, which lists the properties that panels may set). One `Theme` object
serves the whole window. It follows the system's light or dark unless the user has chosen, and says so by
`changed`: whoever holds an icon or a palette of this theme fetches it anew then.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Literal, get_args

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractItemView, QApplication, QTableView, QWidget

from bpe_gui.gui.look.palette import ChartPalette, TokenPalette
from bpe_gui.resources import resource

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
    "accent", "accent_text", "accent_tint", "warning", "warning_tint", "tie", "token_text", "special",
    "chart_line", "chart_fill",
]  # fmt: skip
COLOR_ROLES: tuple[ColorRole, ...] = get_args(ColorRole)

ROW_HEIGHT = 24
USUAL_TOKEN_SIZE = 11  # points

# Pixmaps are made for these sizes (logical pixels) and ratios; Qt scales the nearest one for any other.
_ICON_SIZES = (16, 20, 24)
_ICON_RATIOS = (1, 2)

# The first family that the machine has draws the text, the later ones the characters it lacks.
_MONOSPACE = (
    "JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas", "DejaVu Sans Mono", "Noto Sans Mono",
    "Noto Sans Mono CJK SC", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei",
    "Noto Sans Symbols", "Noto Sans Symbols 2", "Segoe UI Symbol",
    "Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji",
)  # fmt: skip


@dataclass(frozen=True)
class _Scheme:
    """One theme file: a colour for every role, and the token backgrounds in their order."""

    colors: Mapping[ColorRole, QColor]
    token_backgrounds: tuple[QColor, ...]


class Theme(QObject):
    """The colours, icons and fonts in force."""

    changed = Signal()

    def __init__(
        self, choice: ThemeChoice = "system", parent: QObject | None = None, *, token_size: int = USUAL_TOKEN_SIZE
    ) -> None:
        super().__init__(parent)
        self._token_size = token_size
        self._choice: ThemeChoice = choice
        self._app: QApplication | None = None
        self._icons: dict[str, QIcon] = {}
        hints = QGuiApplication.styleHints()
        # The title bar is the system's to draw: tell it, where it listens.
        hints.setColorScheme(_QT_SCHEMES[choice])
        self._name = self._wanted_name()
        self._scheme = _load_scheme(self._name)
        hints.colorSchemeChanged.connect(self._refresh)

    @property
    def name(self) -> str:
        """`light` or `dark`: what is shown, whoever chose it."""
        return self._name

    @property
    def choice(self) -> ThemeChoice:
        """What the user chose."""
        return self._choice

    def set_choice(self, choice: ThemeChoice) -> None:
        """Show `light` or `dark` from now on, or follow the `system`."""
        self._choice = choice
        QGuiApplication.styleHints().setColorScheme(_QT_SCHEMES[choice])
        self._refresh()

    def apply(self, app: QApplication) -> None:
        """Dress the application, now and whenever the theme changes."""
        self._app = app
        app.setStyle("Fusion")
        self._dress(app)

    def color(self, role: ColorRole) -> QColor:
        """A colour by its role; a copy, free to be changed."""
        return QColor(self._scheme.colors[role])

    def icon(self, name: str) -> QIcon:
        """The icon `resources/icons/<name>.svg` in the text colour; greyed where its action is disabled.

        Raises FileNotFoundError where there is no such icon.
        """
        if name not in self._icons:
            self._icons[name] = _tinted_icon(name, self.color("text"), self.color("disabled"))
        return self._icons[name]

    def token_palette(self) -> TokenPalette:
        """The colours that tokens are painted with."""
        return _token_palette(self._scheme)

    def chart_palette(self) -> ChartPalette:
        """The colours that charts are painted with."""
        return ChartPalette(
            line=self.color("chart_line"),
            fill=self.color("chart_fill"),
            accent=self.color("accent"),
            quiet=self.color("quiet"),
            background=self.color("base"),
        )

    def monospace_font(self, size: int) -> QFont:
        """The font of tokens, bytes and ids, `size` in points; with CJK, symbols and emoji as far as installed."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setFamilies([*_installed_monospace_families(), font.family()])
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSize(size)
        return font

    def token_font(self) -> QFont:
        """The monospace font in the size that the user chose for tokens."""
        return self.monospace_font(self._token_size)

    def set_token_size(self, size: int) -> None:
        """Show tokens in another size, in points."""
        self._token_size = size
        self.changed.emit()

    def number_font(self) -> QFont:
        """The interface font with figures of one width, so that a changing number does not wobble."""
        font = QFont(QApplication.font())
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def _wanted_name(self) -> str:
        if self._choice != "system":
            return self._choice
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _refresh(self) -> None:
        name = self._wanted_name()
        if name == self._name:
            return
        self._name = name
        self._scheme = _load_scheme(name)
        self._icons.clear()
        if self._app is not None:
            self._dress(self._app)
        self.changed.emit()

    def _dress(self, app: QApplication) -> None:
        app.setPalette(_application_palette(self._scheme.colors))
        app.setStyleSheet(_style_sheet(self._name, self._scheme.colors))


def paper_and_tokens(name: SchemeName) -> tuple[QColor, TokenPalette]:
    """The colour behind tokens and those of the tokens in one theme, whichever is in force."""
    scheme = _load_scheme(name)
    return QColor(scheme.colors["base"]), _token_palette(scheme)


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget its `role` property (see application.qss), also when it is on screen already."""
    widget.setProperty("role", role)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def prepare_table(table: QTableView, font: QFont | None = None) -> None:
    """Make a table look and behave like every table here: rows of 24 px (more where `font` needs more), no
    grid, whole rows selected one at a time."""
    if font is not None:
        table.setFont(font)
    rows = table.verticalHeader()
    rows.hide()
    rows.setMinimumSectionSize(ROW_HEIGHT)
    rows.setDefaultSectionSize(max(ROW_HEIGHT, table.fontMetrics().height() + 6))
    columns = table.horizontalHeader()
    columns.setHighlightSections(False)
    columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    # Widths are guessed from the rows in view and a few more: reading a million of them would take seconds.
    columns.setResizeContentsPrecision(50)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)  # Tab leaves the table; the arrows move in it
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    # `selectAll` on a million rows freezes for seconds.
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)


def _load_scheme(name: str) -> _Scheme:
    data = tomllib.loads(resource("themes", f"{name}.toml").read_text("utf-8"))
    return _Scheme(
        colors={role: QColor(data["colors"][role]) for role in COLOR_ROLES},
        token_backgrounds=tuple(QColor(color) for color in data["tokens"]["backgrounds"]),
    )


def _token_palette(scheme: _Scheme) -> TokenPalette:
    def color(role: ColorRole) -> QColor:
        return QColor(scheme.colors[role])

    return TokenPalette(
        backgrounds=tuple(QColor(color) for color in scheme.token_backgrounds),
        text=color("token_text"),
        special=color("special"),
        warning=color("warning"),
        accent=color("accent"),
        quiet=color("quiet"),
    )


def _style_sheet(scheme: str, colors: Mapping[ColorRole, QColor]) -> str:
    sheet = Template(resource("themes", "application.qss").read_text("utf-8"))
    names = {str(role): color.name() for role, color in colors.items()}
    return sheet.substitute(names, scheme=scheme, icons=resource("icons").as_posix())


def _application_palette(colors: Mapping[ColorRole, QColor]) -> QPalette:
    palette = QPalette()
    for role, name in _PALETTE_ROLES.items():
        palette.setColor(role, colors[name])
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, colors["disabled"])
    return palette


# Links are underlined already, so they need no colour; the shades of bevels are those of thin, flat edges.
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


def _tinted_icon(name: str, normal: QColor, disabled: QColor) -> QIcon:
    svg = resource("icons", f"{name}.svg").read_text("utf-8")
    icon = QIcon()
    for mode, color in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Disabled, disabled)):
        renderer = QSvgRenderer(QByteArray(svg.replace("currentColor", color.name()).encode()))
        for size in _ICON_SIZES:
            for ratio in _ICON_RATIOS:
                icon.addPixmap(_rendered(renderer, size, ratio), mode)
    return icon


def _rendered(renderer: QSvgRenderer, size: int, ratio: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


@cache
def _installed_monospace_families() -> tuple[str, ...]:
    # Naming a family that is missing costs macOS a search through all of its fonts.
    installed = set(QFontDatabase.families())
    return tuple(family for family in _MONOSPACE if family in installed)
