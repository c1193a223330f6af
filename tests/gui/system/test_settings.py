"""Settings are read as they were written, and as valid values whatever the file contains."""

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from bpe_gui.gui.system.settings import WORKSPACES, Settings

DEFAULTS = {
    "window_geometry": QByteArray(),
    "theme": "system",
    "language": "",
    "font_size": 11,
    "white_space_visible": False,
    "color_mode": "token",
    "play_speed": 4,
    "recent_folder": Path.home(),
}


def values(settings: Settings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in DEFAULTS}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "test.ini"


def test_the_settings_tell_of_recent_files(tmp_path: Path) -> None:
    settings, told = Settings(tmp_path / "settings.ini"), list[Path]()
    settings.recent_added = told.append
    settings.add_recent(tmp_path / "a.bpe.json")
    assert told == [tmp_path / "a.bpe.json"]


def test_defaults(path: Path) -> None:
    assert values(Settings(path)) == DEFAULTS


def test_settings_are_read_as_they_were_written(path: Path, tmp_path: Path) -> None:
    written = {
        "window_geometry": QByteArray(b"\x00\x01geometry\xff"),
        "theme": "dark",
        "language": "zh_CN",
        "font_size": 18,
        "white_space_visible": True,
        "color_mode": "position",
        "play_speed": 60,
        "recent_folder": tmp_path,
    }
    settings = Settings(path)
    for name, value in written.items():
        setattr(settings, name, value)
    assert values(settings) == written
    settings.store.sync()
    assert values(Settings(path)) == written


def test_each_workspace_has_its_own_columns(path: Path) -> None:
    Settings(path).set_columns_state("learn", QByteArray(b"state"))
    settings = Settings(path)
    assert {each: settings.columns_state(each).data() for each in WORKSPACES} == {
        "explore": b"", "learn": b"state", "compare": b"", "report": b""
    }  # fmt: skip


@pytest.mark.parametrize("invalid", ["", "purple", "@Invalid()", "@ByteArray(x", "1e9x", "a, b, c", "\0", "١٢é"])
def test_invalid_values_are_read_as_the_defaults(path: Path, invalid: str) -> None:
    settings = Settings(path)
    for key in (
        "window/geometry",
        "look/theme",
        "look/language",
        "tokens/font_size",
        "tokens/white_space_visible",
        "tokens/color_mode",
        "training/play_speed",
        "files/recent_folder",
    ):
        settings.store.setValue(key, invalid)
    settings.store.sync()
    assert values(Settings(path)) == DEFAULTS


def test_a_damaged_file_is_read_as_the_defaults(path: Path) -> None:
    path.write_bytes(b"[look\ntheme=\xff\xfe dark\n\x00[[=\n%%%tokens\\font_size=@Variant(\x00\x00)\n")
    assert values(Settings(path)) == DEFAULTS


@pytest.mark.parametrize(("stored", "read"), [(-5, 7), (0, 7), (12, 12), (10**30, 32)])
def test_numbers_are_clamped_to_their_limits(path: Path, stored: int, read: int) -> None:
    settings = Settings(path)
    settings.store.setValue("tokens/font_size", str(stored))
    assert settings.font_size == read


def test_files_are_written_where_the_last_ones_were_or_beside_those_that_were_opened(
    path: Path, tmp_path: Path
) -> None:
    settings = Settings(path)
    settings.recent_folder = tmp_path
    assert settings.output_folder == tmp_path
    (tmp_path / "output").mkdir()
    settings.output_folder = tmp_path / "output"
    settings.store.sync()
    assert (Settings(path).recent_folder, Settings(path).output_folder) == (tmp_path, tmp_path / "output")


def test_a_deleted_recent_folder_becomes_the_home_folder(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpora"
    folder.mkdir()
    settings = Settings(path)
    settings.recent_folder = folder
    assert settings.recent_folder == folder
    folder.rmdir()
    assert settings.recent_folder == Path.home()


def test_without_a_home_folder_the_recent_folder_is_the_current_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    assert Settings(path).recent_folder == Path.cwd()


def test_tests_do_not_touch_the_users_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = Path(Settings().store.fileName())
    assert file.is_relative_to(tmp_path_factory.getbasetemp() / "settings")
    assert file.parts[-2:] == ("bpe-gui", "bpe-gui.ini")
    assert not file.exists()
    assert Settings().store.format() == QSettings.Format.IniFormat
