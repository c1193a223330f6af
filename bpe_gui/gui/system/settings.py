"""The user's settings, which persist between runs of the program.

Each setting is an attribute of `Settings` with a type and a default. The user may edit the file: a nonsensical value is
read as the default, or as the nearest valid value.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, Literal, TypeVar, get_args

from PySide6.QtCore import QByteArray, QLocale, QSettings

from bpe_gui.gui.look.theme import THEME_CHOICES, ThemeChoice
from bpe_gui.gui.wording.language import LANGUAGES

_ColorMode = Literal["position", "token"]
Workspace = Literal["explore", "learn", "compare", "report"]
COLOR_MODES: tuple[_ColorMode, ...] = get_args(_ColorMode)

WORKSPACES: tuple[Workspace, ...] = get_args(Workspace)

FONT_SIZES = range(7, 33)  # points
PLAY_SPEEDS = range(1, 1001)  # merges a second
RECENT_FILES = 8  # entries of the list
_SPLITTERS: Final = 64  # files whose splitters are remembered

_NAME: Final = "bpe-gui"
_logger: Final = logging.getLogger(__name__)
T = TypeVar("T")


def _unchanged(value: T) -> T:
    return value


class _Setting(Generic[T]):
    """A descriptor for a setting. `parse` converts a stored object to a value, or returns None if it is invalid."""

    def __init__(
        self,
        key: str,
        default: T,
        parse: Callable[[object], T | None],
        serialise: Callable[[T], object] = _unchanged,
    ) -> None:
        self._key = key
        self._default = default
        self._parse = parse
        self._serialise = serialise

    def __get__(self, settings: "Settings", owner: type["Settings"]) -> T:
        stored = settings.store.value(self._key)
        value = self._parse(stored)
        if value is not None:
            return value
        if stored not in (None, ""):
            _logger.warning("the setting %s is invalid; the default is used", self._key)
        return self._default

    def __set__(self, settings: "Settings", value: T) -> None:
        settings.store.setValue(self._key, self._serialise(value))


def _one_of(options: Sequence[T]) -> Callable[[object], T | None]:
    return lambda stored: next((option for option in options if option == stored), None)


def _within(limits: range) -> Callable[[object], int | None]:
    """Return a parser of integers that clamps to the limits."""

    def parse(stored: object) -> int | None:
        try:
            number = int(str(stored))
        except ValueError:
            return None
        return min(max(number, limits[0]), limits[-1])

    return parse


def _bool(stored: object) -> bool | None:
    return {"true": True, "false": False}.get(str(stored).lower())


def _bytes(stored: object) -> QByteArray | None:
    return stored if isinstance(stored, QByteArray) else None


def _folder(stored: object) -> Path:
    """Return a folder if it still exists, and otherwise the home folder."""
    if isinstance(stored, str) and stored:
        try:
            if Path(stored).is_dir():
                return Path(stored)
        except (OSError, ValueError) as error:  # not a valid name in this file system
            _logger.debug("the recent folder cannot be looked up: %s", error)
    return _home()


def _paths(stored: object) -> tuple[Path, ...]:
    """Return the absolute paths among those stored, whether or not they exist."""
    return tuple(path for path in map(Path, _texts(stored)) if path.is_absolute())[:RECENT_FILES]


def _texts(stored: object) -> tuple[str, ...]:
    """Return the texts among the stored objects; Qt stores a list of one as a plain text."""
    texts = [stored] if isinstance(stored, str) else stored if isinstance(stored, list) else []
    return tuple(text for text in texts if isinstance(text, str))


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:  # a user without a home, as in some containers
        _logger.debug("there is no home folder: %s", error)
        return Path.cwd()


def _columns_key(workspace: Workspace) -> str:
    return "window/columns" if workspace == "explore" else f"window/{workspace}_columns"


class Settings:
    """The settings. Qt writes changes to disk within moments."""

    window_geometry = _Setting("window/geometry", QByteArray(), _bytes)
    left_state = _Setting("window/left", QByteArray(), _bytes)
    workspace = _Setting[Workspace]("window/workspace", "explore", _one_of(WORKSPACES))
    has_stepped = _Setting("window/has_stepped", False, _bool)  # if ever, `StatusLine` offers no tour
    theme = _Setting[ThemeChoice]("look/theme", "system", _one_of(THEME_CHOICES))
    language = _Setting("look/language", "", _one_of(LANGUAGES))  # empty: the system's language
    font_size = _Setting("tokens/font_size", 11, _within(FONT_SIZES))
    white_space_visible = _Setting("tokens/white_space_visible", False, _bool)
    word_boundaries_visible = _Setting("tokens/word_boundaries_visible", False, _bool)
    splitter_colors_visible = _Setting("tokens/splitter_colors_visible", False, _bool)
    special_tokens_plain = _Setting("tokens/special_tokens_plain", False, _bool)
    color_mode = _Setting[_ColorMode]("tokens/color_mode", "token", _one_of(COLOR_MODES))
    play_speed = _Setting("training/play_speed", 4, _within(PLAY_SPEEDS))
    run_until = _Setting[tuple[str, ...]]("training/run_until", (), _texts, list)  # conditions, most recent first
    report_reference = _Setting("report/reference", "", lambda stored: stored if isinstance(stored, str) else None)
    report_price = _Setting("report/price", 0.0, lambda stored: QLocale.c().toDouble(str(stored))[0])  # 0: none
    report_context = _Setting("report/context", 0, _within(range(1_000_000_000)))  # tokens; 0 for the usual ones
    append_token = _Setting("files/append_token", "", lambda stored: stored if isinstance(stored, str) else None)
    recent_folder = _Setting("files/recent_folder", Path(), _folder, str)
    _output_folder = _Setting("files/output_folder", Path(), lambda stored: _folder(stored) if stored else Path(), str)
    recent_files = _Setting[tuple[Path, ...]](  # projects and tokenizers, most recent first
        "files/recent_projects", (), _paths, lambda paths: list(map(str, paths))
    )
    splitters = _Setting[tuple[str, ...]]("files/splitters", (), _texts, list)  # “name path”, most recent first

    def __init__(self, path: Path | None = None) -> None:
        """Open the ini file at `path`, by default the user's own."""
        # An ini file even where Qt would use the registry, so that users can edit it and tests can put it elsewhere.
        ini = QSettings.Format.IniFormat
        self.recent_added: Callable[[Path], object] = lambda _path: None
        """Called with each file that becomes a recent one."""
        if path is None:
            self.store = QSettings(ini, QSettings.Scope.UserScope, _NAME, _NAME)
        else:
            self.store = QSettings(str(path), ini)
        if self.store.status() != QSettings.Status.NoError:
            _logger.warning("the settings in %s cannot be read: %s", self.store.fileName(), self.store.status().name)

    def add_recent(self, path: Path) -> None:
        """Put a project or a tokenizer at the top of the recent files."""
        path = path.absolute()
        others = (other for other in self.recent_files if other != path)
        self.recent_files = (path, *others)[:RECENT_FILES]
        self.recent_folder = path.parent
        self.recent_added(path)

    @property
    def output_folder(self) -> Path:
        """Where files were last written; before any were, the folder of the files last opened."""
        return self.recent_folder if self._output_folder == Path() else self._output_folder

    @output_folder.setter
    def output_folder(self, folder: Path) -> None:
        self._output_folder = folder

    def columns_state(self, workspace: Workspace) -> QByteArray:
        """Return the widths of the columns in a workspace; empty if they were never saved."""
        return _bytes(self.store.value(_columns_key(workspace))) or QByteArray()

    def set_columns_state(self, workspace: Workspace, state: QByteArray) -> None:
        self.store.setValue(_columns_key(workspace), state)

    def splitter_of(self, path: Path) -> str:
        """Return the splitter that the user chose for a tokenizer's file; empty if none."""
        chosen = (each.partition(" ") for each in self.splitters)
        return next((name for name, _space, file in chosen if file == str(path.absolute())), "")

    def remember_splitter(self, path: Path, name: str) -> None:
        """Remember the splitter of a tokenizer's file."""
        file = str(path.absolute())
        others = (each for each in self.splitters if each.partition(" ")[2] != file)
        self.splitters = (f"{name} {file}", *others)[:_SPLITTERS]

    def forget_recent(self, path: Path) -> None:
        """Remove a file from the recent files."""
        self.recent_files = tuple(other for other in self.recent_files if other != path.absolute())

    def reached_stop(self, tour: str) -> int:
        """Return how many stops of a tour are behind the reader; all of them once it was taken to its end."""
        return _within(range(1_000_001))(self.store.value(f"tours/{tour}", 0)) or 0

    def set_reached_stop(self, tour: str, stop: int) -> None:
        """Remember how many stops of a tour are behind the reader."""
        self.store.setValue(f"tours/{tour}", stop)
