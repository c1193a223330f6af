"""Tokenizer files of every format that is read, as other programs write them, can be dropped on the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FORMATS, load
from bpe_gui.gui.main_window import MainWindow
from tests.fuzzing.seeds import TEXT, seeds_of
from tests.gui.support.widgets import child

_READABLE_FORMATS = [name for name, format in FORMATS.items() if format.load]
_MAX_SEEDS = 3  # the last ones: files of other programs follow our own


def drop(window: MainWindow, path: Path) -> None:
    """Drop a file or folder on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def wait_until_open(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    session = window.session
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None and session.opened.tokenizer.source.path == path)


def test_a_dropped_tokenizer_is_opened_and_encodes(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.session.text.set_content(TEXT)
    for format_name in _READABLE_FORMATS:
        assert_files_are_opened(qtbot, window, tmp_path, format_name)


def assert_files_are_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path, format_name: str) -> None:
    session = window.session
    seeds = seeds_of(format_name)[-_MAX_SEEDS:]
    assert seeds, format_name
    for index, seed in enumerate(seeds):
        folder = tmp_path / f"{format_name} {index}"
        folder.mkdir()
        for file_name, content in seed.files.items():
            (folder / file_name).write_bytes(content)
        path = folder / (seed.opened or next(iter(seed.files)))
        expected = load(path, pattern="gpt2" if format_name == "tiktoken" else None)
        drop(window, path)
        wait_until_open(qtbot, window, path)
        assert child(window, QTableView, "mergeTable").model().rowCount() == len(expected.merges), path
        assert child(window, QTableView, "vocabularyTable").model().rowCount() == len(expected.vocab), path
        qtbot.waitUntil(lambda: session.text.live.encoding is not None)
        assert session.text.live.encoding is not None
        # The window gives symbols without an id an id of its own instead of refusing the text.
        in_window = expected.with_unknown_id(-1) if expected.unknown_id is None else expected
        assert session.text.live.encoding.ids == in_window.encode(TEXT), path
