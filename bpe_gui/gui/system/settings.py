"""What the window remembers from one run to the next.

Each value is an attribute of `Settings` with a type and a default. The file is the user's: whatever stands in
it, reading gives a value that makes sense, at worst the default.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, Literal, Self, TypeVar, get_args, overload

from PySide6.QtCore import QByteArray, QSettings

from bpe_gui.gui.wording.language import LANGUAGES
from bpe_gui.gui.look.theme import THEME_CHOICES, ThemeChoice

ColorMode = Literal["position", "token"]
COLOR_MODES: tuple[ColorMode, ...] = get_args(ColorMode)

FONT_SIZES = range(7, 33)  # points
PLAY_SPEEDS = range(1, 1001)  # merges a second
RECENT_PROJECTS = 8  # are remembered

_NAME = "bpe-gui"
T = TypeVar("T")


class _Setting(Generic[T]):
    """An attribute kept in a QSettings: `parse` makes a value of what the file holds, or None of nonsense."""

    def __init__(
        self,
        key: str,
        default: T,
        parse: Callable[[object], T | None],
        spell: Callable[[T], object] = lambda value: value,
    ) -> None:
        self._key = key
        self._default = default
        self._parse = parse
        self._spell = spell

    @overload
    def __get__(self, settings: None, owner: type["Settings"]) -> Self: ...
    @overload
    def __get__(self, settings: "Settings", owner: type["Settings"]) -> T: ...
    def __get__(self, settings: "Settings | None", owner: type["Settings"]) -> T | Self:
        if settings is None:
            return self
        value = self._parse(settings.store.value(self._key))
        return self._default if value is None else value

    def __set__(self, settings: "Settings", value: T) -> None:
        settings.store.setValue(self._key, self._spell(value))


def _one_of(options: Sequence[T]) -> Callable[[object], T | None]:
    return lambda stored: next((option for option in options if option == stored), None)


def _within(limits: range) -> Callable[[object], int | None]:
    """A number; one beyond the limits is taken for the nearest that is allowed."""

    def parse(stored: object) -> int | None:
        try:
            number = int(str(stored))
        except ValueError:
            return None
        return min(max(number, limits[0]), limits[-1])

    return parse


def _truth(stored: object) -> bool | None:
    return {"true": True, "false": False}.get(str(stored).lower())


def _bytes(stored: object) -> QByteArray | None:
    return stored if isinstance(stored, QByteArray) else None


def _folder(stored: object) -> Path:
    """A folder that is still there, or else the user's home."""
    if isinstance(stored, str) and stored:
        with suppress(OSError, ValueError):  # a name no file system takes
            if Path(stored).is_dir():
                return Path(stored)
    return _home()


def _paths(stored: object) -> tuple[Path, ...]:
    """Whole paths of files, whether they are still there or not."""
    names = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
    paths = [Path(name) for name in names if isinstance(name, str)]
    return tuple(path for path in paths if path.is_absolute())[:RECENT_PROJECTS]


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a name or a home, as in some containers
        return Path.cwd()


class Settings:
    """The user's settings; written through, and flushed to the disk by Qt within moments.

    `path` names an ini file to use in place of the user's own.
    """

    window_geometry = _Setting("window/geometry", QByteArray(), _bytes)
    columns_state = _Setting("window/columns", QByteArray(), _bytes)
    left_state = _Setting("window/left", QByteArray(), _bytes)
    theme = _Setting[ThemeChoice]("look/theme", "system", _one_of(THEME_CHOICES))
    language = _Setting("look/language", "", _one_of(LANGUAGES))  # empty: the system's
    font_size = _Setting("tokens/font_size", 11, _within(FONT_SIZES))
    white_space_visible = _Setting("tokens/white_space_visible", False, _truth)
    word_boundaries_visible = _Setting("tokens/word_boundaries_visible", False, _truth)
    color_mode = _Setting[ColorMode]("tokens/color_mode", "position", _one_of(COLOR_MODES))
    play_speed = _Setting("training/play_speed", 4, _within(PLAY_SPEEDS))
    recent_folder = _Setting("files/recent_folder", Path(), _folder, str)
    recent_projects = _Setting[tuple[Path, ...]](
        "files/recent_projects", (), _paths, lambda paths: list(map(str, paths))
    )

    def __init__(self, path: Path | None = None) -> None:
        # An ini file on every system: one can read it, mend it, and tests can put it elsewhere.
        ini = QSettings.Format.IniFormat
        if path is None:
            self.store = QSettings(ini, QSettings.Scope.UserScope, _NAME, _NAME)
        else:
            self.store = QSettings(str(path), ini)
