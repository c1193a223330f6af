"""Opening files replaces the corpus, adding adds to it, and dropping offers both: the second time as the first."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.samples import default_sample, samples
from tests.gui.support.project_windows import answer_open_question, offers, open_question
from tests.gui.support.widgets import child
from tests.gui.support.windows import notice_text


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Write the files a.txt and b.txt."""
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path, text in zip(paths, ("low lower lowest", "wide wider widest"), strict=True):
        path.write_text(text * 3)
    return paths


def choose(monkeypatch: pytest.MonkeyPatch, window: MainWindow, action: str, path: Path) -> None:
    """Trigger an action that asks for files, and choose `path`."""
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_arguments: ([str(path)], ""))
    window.actions_by_name[action].trigger()


def drop(widget: QWidget, *paths: Path) -> None:
    """Drop files on a widget."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), copy, data, left, none))


def default_answer(window: MainWindow) -> str:
    """Return the answer that Return gives."""
    question = open_question(window)
    assert question is not None
    return question.defaultButton().text()


def titles(window: MainWindow) -> list[str]:
    return [document.title for document in window.session.corpus.documents]


def test_opening_asks_before_it_replaces_the_users_corpus(
    window: MainWindow, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(monkeypatch, window, "open_files", files[0])
    assert titles(window) == ["a.txt"], "the sample is nobody's work"
    window.session.cursor.seek(3)
    choose(monkeypatch, window, "open_files", files[1])
    assert titles(window) == ["a.txt"]
    assert default_answer(window) == "Replace"
    answer_open_question(window, "Replace")
    assert titles(window) == ["b.txt"]
    assert (window.session.cursor.position, window.session.run.is_stale) == (0, False)


@pytest.mark.parametrize(("answer", "expected"), [("Add", ["a.txt", "b.txt"]), ("Cancel", ["a.txt"])])
def test_the_question_can_be_answered_otherwise(
    window: MainWindow, files: list[Path], monkeypatch: pytest.MonkeyPatch, answer: str, expected: list[str]
) -> None:
    choose(monkeypatch, window, "open_files", files[0])
    window.session.cursor.step()
    choose(monkeypatch, window, "open_files", files[1])
    answer_open_question(window, answer)
    assert titles(window) == expected


def test_adding_adds_and_can_be_undone(window: MainWindow, files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    before = titles(window)
    for path in files:
        choose(monkeypatch, window, "add_files", path)
        assert open_question(window) is None
    assert titles(window) == [*before, "a.txt", "b.txt"]
    assert notice_text(window) == "Added b.txt to the corpus."
    offers(window)["Undo"].click()
    assert titles(window) == [*before, "a.txt"]


@pytest.mark.parametrize("name", ["corpusPanel", "corpusEditor"])
@pytest.mark.parametrize("answer", ["Replace", "Add"])
def test_dropping_offers_both(window: MainWindow, files: list[Path], name: str, answer: str) -> None:
    before = titles(window)
    widget = child(window, QWidget, name)
    drop(getattr(widget, "viewport", lambda: widget)(), *files)
    assert titles(window) == before
    assert default_answer(window) == "Add"
    answer_open_question(window, answer)
    assert titles(window) == [*(before if answer == "Add" else ()), "a.txt", "b.txt"]


def test_a_file_opened_over_a_sample_starts_its_run_over(window: MainWindow, files: list[Path]) -> None:
    window.open_sample(next(sample for sample in samples() if sample.recipe != "cs336"))
    before = window.session.corpus.documents, window.session.corpus.recipe, window.session.corpus.vocab_size
    window.session.cursor.seek(2)
    window.open_paths(files[:1])
    session = window.session
    assert (session.cursor.position, session.run.is_stale, session.corpus.recipe) == (0, False, Recipe.of("cs336"))
    assert notice_text(window).startswith(
        "Opened a.txt as the new corpus. The run starts over with the cs336 recipe and a vocabulary size of 1,000."
    )
    offers(window)["Undo"].click()
    assert (session.corpus.documents, session.corpus.recipe, session.corpus.vocab_size) == before


def test_a_file_opened_over_a_sample_says_which_special_tokens_went(window: MainWindow, files: list[Path]) -> None:
    told = "Special tokens removed: <|endoftext|>."
    window.open_sample(default_sample())
    window.open_paths(files[:1])
    assert window.session.corpus.special_tokens == ()
    assert notice_text(window).endswith(told)
    window.open_paths(files[1:])
    assert "Opened b.txt" in notice_text(window) and told not in notice_text(window)


def test_a_file_opened_while_a_thread_trains_has_a_run_of_its_own(
    qtbot: QtBot, window: MainWindow, files: list[Path]
) -> None:
    window.session.corpus.edit_document(0, "low lower lowest " * 100)
    window.train()
    window.open_paths(files[:1])
    answer_open_question(window, "Replace")
    qtbot.waitUntil(lambda: window.session.run.trainer is not None)
    assert not window.session.run.is_stale
    assert window.session.cursor.position == 0


def test_files_can_be_dropped_anywhere_on_the_encode_panel(window: MainWindow, files: list[Path]) -> None:
    drop(child(window, QWidget, "encodePanel"), files[0])
    assert window.session.text.content == "low lower lowest" * 3
