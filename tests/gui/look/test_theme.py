"""Colours are readable, icons are visible, and a change of theme reaches everything."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication, QIcon, QImage, QPixmap, QPixmapCache
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

import bpe_gui
from bpe_gui.gui.look.theme import COLOR_ROLES, ColorRole, Theme, ThemeChoice, joining_gap, set_role
from bpe_gui.resources import resource

ICONS = sorted(path.stem for path in resource("icons").glob("*.svg"))
WANTED_ICONS = {
    *("bpe-gui", "first", "step-back", "step", "play", "pause", "last", "open", "save", "export", "copy"),
    *("train", "cancel", "search", "add", "remove", "settings", "whitespace", "warning", "info", "sample"),
    *("recipe", "tokens"),
}
BOTH: tuple[ThemeChoice, ...] = ("light", "dark")


@pytest.fixture(params=BOTH)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    return Theme(request.param)


@pytest.fixture
def plain_app(qapp: QApplication) -> Iterator[QApplication]:
    """The application, whose style and palette are restored after the test."""
    palette, style = qapp.palette(), qapp.style().objectName()
    yield qapp
    qapp.setStyle(style)
    qapp.setPalette(palette)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


def test_token_text_is_readable_on_every_token(theme: Theme) -> None:
    palette = theme.token_palette()
    assert len(palette.second_shades) == palette.hues
    for background in palette.shades:
        assert contrast(palette.text, background) >= 4.5, background.name()


@pytest.mark.parametrize(
    ("text", "background"),
    [
        ("text", "window"),
        ("text", "base"),
        ("text", "hover"),
        ("text", "pressed"),
        ("text", "selection"),
        ("text", "accent_tint"),
        ("text", "warning_tint"),
        ("quiet", "window"),
        ("quiet", "base"),
        ("quiet", "selection"),
        ("accent", "base"),
        ("accent_text", "accent"),
        ("proven", "base"),
        ("proven", "window"),
        ("warning", "base"),
        ("warning", "window"),
        ("warning", "warning_tint"),
        ("token_text", "special"),
    ],
)
def test_text_is_readable(theme: Theme, text: ColorRole, background: ColorRole) -> None:
    assert contrast(theme.color(text), theme.color(background)) >= 4.5


@pytest.mark.parametrize("mark", ["tie", "chart_line", "accent"])
def test_marks_are_visible(theme: Theme, mark: ColorRole) -> None:
    assert contrast(theme.color(mark), theme.color("base")) >= 3


def test_marks_of_objects_are_visible(theme: Theme) -> None:
    for mark in range(6):
        for background in ("base", "window"):
            assert contrast(theme.mark_color(mark), theme.color(background)) >= 4, mark


@pytest.mark.parametrize("role", COLOR_ROLES)
def test_a_color_is_a_copy(theme: Theme, role: ColorRole) -> None:
    before = theme.color(role).name()
    theme.color(role).setRgb(1, 2, 3)
    assert theme.color(role).name() == before


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_draws_something(theme: Theme, name: str) -> None:
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled):
        image = theme.icon(name).pixmap(24, 24, mode).toImage()
        assert 15 < sum(color.alpha() > 128 for color in pixels(image)) < 24 * 24


def test_icons_have_the_colour_of_text_and_are_grey_when_disabled(theme: Theme) -> None:
    colors = {QIcon.Mode.Normal: theme.color("text"), QIcon.Mode.Disabled: theme.color("disabled")}
    for mode, color in colors.items():
        drawn = theme.icon("add").pixmap(24, 24, mode).toImage().pixelColor(12, 12)
        # Edges are smooth and the pixel is not wholly opaque, which costs a little precision.
        for part in (QColor.redF, QColor.greenF, QColor.blueF):
            assert part(drawn) == pytest.approx(part(color), abs=0.02)


def test_icons_are_sharp_on_a_dense_screen(theme: Theme) -> None:
    assert theme.icon("step").pixmap(theme.icon("step").availableSizes()[0], 2.0).devicePixelRatio() == 2


def test_every_icon_named_in_the_code_exists() -> None:
    named = set(WANTED_ICONS)
    for source in Path(bpe_gui.__file__).parent.rglob("*.py"):
        named.update(re.findall(r"\bicon(?:=|\()\"([a-z-]+)\"", source.read_text("utf-8")))
    named.update(re.findall(r"\$icons/([a-z-]+)\.svg", resource("themes", "application.qss").read_text("utf-8")))
    assert named > set(WANTED_ICONS)
    assert named <= set(ICONS)


def test_an_unknown_icon_is_an_error(theme: Theme) -> None:
    with pytest.raises(FileNotFoundError):
        theme.icon("no-such-icon")


def test_a_choice_emits_one_change(qtbot: QtBot) -> None:
    theme = Theme("light")
    light_icon = theme.icon("add").pixmap(24, 24).toImage()
    told: list[str] = []
    theme.changed.connect(lambda: told.append(theme.name))
    theme.set_choice("dark")
    theme.set_choice("dark")
    assert told == ["dark"]
    assert theme.choice == "dark"
    assert theme.icon("add").pixmap(24, 24).toImage() != light_icon
    theme.set_choice("light")
    assert told == ["dark", "light"]


def test_the_theme_follows_the_system_unless_the_user_has_chosen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    theme = Theme("system")
    assert theme.name == "light"
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr(type(hints), "colorScheme", lambda _: Qt.ColorScheme.Dark)
    with qtbot.waitSignal(theme.changed):
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.name == "dark"
    theme.set_choice("light")
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.name == "light"


def test_the_application_changes_with_the_theme(plain_app: QApplication) -> None:
    theme = Theme("light")
    theme.apply(plain_app)
    assert plain_app.palette().window().color() == theme.color("window")
    theme.set_choice("dark")
    assert plain_app.palette().window().color() == theme.color("window")


def test_the_style_sheet_has_the_colors_of_the_theme(qtbot: QtBot) -> None:
    theme, window = Theme("light"), QLabel()
    qtbot.addWidget(window)
    for choice in BOTH:
        theme.set_choice(choice)
        theme.style(window)
        assert theme.color("hairline").name() in window.styleSheet()


def test_a_role_takes_effect_on_a_visible_widget(qtbot: QtBot) -> None:
    theme = Theme("light")
    label = QLabel("out of date")
    qtbot.addWidget(label)
    theme.style(label)
    label.ensurePolished()
    set_role(label, "warning")
    assert label.palette().windowText().color() == theme.color("warning")


def test_the_monospace_font_is_monospaced(theme: Theme) -> None:
    font = theme.monospace_font(13)
    assert font.pointSize() == 13
    # Qt does not call a font with wide Chinese characters one of fixed pitch.
    assert len({QFontMetrics(font).horizontalAdvance(letter) for letter in "iMW0. "}) == 1


def pixels(image: QImage) -> Iterator[QColor]:
    for y in range(image.height()):
        for x in range(image.width()):
            yield image.pixelColor(x, y)


def test_steps_move_at_once_and_above_eight_a_second_nothing_does(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    motion, label, now = theme.motion, QLabel(), [100.0]
    qtbot.addWidget(label)
    monkeypatch.setattr("bpe_gui.gui.look.theme.monotonic", lambda: now[0])
    durations = []
    for pause in (1.0, 0.25, 0.1, 0.1):
        now[0] += pause
        motion.begin(label)
        durations.append(motion.duration() if motion.is_running else 0)
    assert durations == [700, 200, 0, 0]
    now[0] += 1
    with qtbot.waitSignal(motion.finished):
        motion.begin(label)
        assert (motion.left, joining_gap(motion.left) > 0) == (1, True)
        motion.end()
    assert (motion.left, joining_gap(motion.left)) == (0, 0)
    monkeypatch.setattr(motion, "is_allowed", lambda widget: False)
    now[0] += 1
    motion.begin(label)
    assert not motion.is_running


def test_another_theme_forgets_the_pictures_of_the_icons(qapp: QApplication) -> None:
    theme, picture = Theme("light"), QPixmap(1, 1)
    QPixmapCache.insert("an icon", picture)
    theme.set_choice("dark")
    assert not QPixmapCache.find("an icon", picture)
