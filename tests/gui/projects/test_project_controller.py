"""Projects in the window: saved and opened, marked and asked about, with files that changed meanwhile."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, Recipe, TextDocument, save, train
from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.session import corpus_document
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.opened_tokenizer import TokenizerSource
from bpe_gui.gui.projects import project_dialogs as dialogs
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import default_sample

from tests.gui.support.project_windows import Button, answer, asked, offers, open_from, save_to, wait_for_it, window, write
from tests.gui.support.windows import child, said

__all__ = ["window"]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Have a person choose a file wherever one is asked for."""

    def choose(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
        monkeypatch.setattr(QFileDialog, "exec", lambda dialog: 1)
        monkeypatch.setattr(QFileDialog, "selectedFiles", lambda dialog: [str(path)])

    return choose


def held(window: MainWindow) -> tuple[object, ...]:
    """All that a project is to bring back."""
    session = window.session
    return (
        [(document.title, document.content, document.path) for document in session.documents],
        session.recipe,
        session.special_tokens,
        session.vocab_size,
        session.text,
        session.run.run if session.run else None,
        session.run.position if session.run else None,
        session.opened and (session.opened.source, session.opened.position),
    )


# -- saving and opening ------------------------------------------------------------------------------------------------


def test_everything_is_as_it_was(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    (tmp_path / "file.txt").write_text("wide wider widest")
    window.open_paths([tmp_path / "file.txt"])
    window.add_text()
    write(window, "low lower lowest <|x|> 你好")
    session.set_recipe(Recipe.of("minbpe"))
    session.set_special_tokens(["<|x|>"])
    session.set_vocab_size(270)
    session.set_text("lowest widest")
    session.last()
    session.seek(6)
    before = held(window)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.new()
    assert session.documents == () and session.run is None
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert held(window) == before
    assert window.windowTitle() == "a[*] — bpe-gui"
    assert not window.isWindowModified()
    assert child(window, QWidget, "noticeBar").isHidden()


def test_an_opened_tokenizer_comes_back_at_its_step(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save(train("low lower lowest", num_merges=5), tmp_path / "saved")
    session = window.session
    session.seek(3)
    with qtbot.waitSignal(session.tokenizer_opened):
        session.open_tokenizer(TokenizerSource(tmp_path / "saved"), 2)
    before = held(window)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.new()
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert session.opened is not None and session.opened.position == 2
    assert held(window) == before
    assert not window.isWindowModified()


def test_a_project_is_saved_while_it_trains(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write(window, " ".join(f"word{number}" for number in range(3_000)))
    window.session.set_vocab_size(2_000)
    window.session.train()
    assert window.session.activity is not Activity.IDLE
    window.projects._save_to(tmp_path / "a.bpe.json", None)
    qtbot.waitUntil(lambda: (tmp_path / "a.bpe.json").exists() and not window.projects._saving.busy)
    qtbot.waitUntil(lambda: window.session.activity is Activity.IDLE)
    run, trained = load_project(tmp_path / "a.bpe.json").run, window.session.run
    assert trained is not None
    assert run is None or run.merges == trained.tokenizer(trained.run_length).merges[: len(run.merges)]


def test_save_asks_where_to_at_first_only(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, choose: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(tmp_path / "a.bpe.json")
    save_project = child_action(window, "save_project")
    save_project.trigger()
    qtbot.waitUntil((tmp_path / "a.bpe.json").exists)
    qtbot.waitUntil(lambda: not window.projects._saving.busy)
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: pytest.fail("it was asked again"))
    write(window, "other words")
    save_project.trigger()
    qtbot.waitUntil(lambda: not window.projects._saving.busy)
    assert load_project(tmp_path / "a.bpe.json").documents[0].content == TextDocument("other words")


def child_action(window: MainWindow, name: str) -> QAction:
    return window.actions_by_name[name]


def test_what_cannot_be_saved_stays_modified(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write(window, "words")
    (tmp_path / "file").write_text("")
    save_to(qtbot, window, tmp_path / "file" / "a.bpe.json")
    assert "cannot be written" in said(window, "noticeLabel")
    assert window.isWindowModified()


def test_a_project_that_cannot_be_read_changes_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = held(window)
    (tmp_path / "a.bpe.json").write_text('{"format": "bpe-gui project", "version": 1}')
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert "documents must be a list" in said(window, "noticeLabel")
    assert held(window) == before


def test_a_project_is_dropped_on_the_window_and_on_the_text(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.session.set_text("of the project")
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.bpe.json"))])
    for drop in (
        lambda: window.dropEvent(
            QDropEvent(
                QPointF(5, 5),
                Qt.DropAction.CopyAction,
                data,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
        ),
        lambda: window._encode.files_dropped.emit([tmp_path / "a.bpe.json"]),
    ):
        window.projects.new()
        assert window.session.text == ""
        drop()
        wait_for_it(qtbot, window)
        assert window.session.text == "of the project"


# -- changes -----------------------------------------------------------------------------------------------------------


def test_only_work_is_marked(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.last()
    session.seek(2)
    session.set_vocab_size(300)
    assert not window.isWindowModified(), "a sample can be watched again"
    session.set_text("typed")
    assert window.isWindowModified()
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    assert not window.isWindowModified()
    session.seek(1)
    assert not window.isWindowModified(), "to look around is no change"
    for change in (
        lambda: write(window, "low lower"),
        lambda: session.set_recipe(Recipe.of("minbpe")),
        lambda: session.set_special_tokens(["<a>"]),
        lambda: session.set_vocab_size(280),
        session.restart,
        session.last,
    ):
        change()
        assert window.isWindowModified()
        save_to(qtbot, window, tmp_path / "a.bpe.json")
        assert not window.isWindowModified()


def test_what_is_undone_is_no_change(window: MainWindow) -> None:
    before = window.session.recipe
    window.session.set_recipe(Recipe.of("minbpe"))
    assert window.isWindowModified()
    window.session.set_recipe(before)
    assert not window.isWindowModified()


def test_an_untouched_sample_is_closed_unasked(window: MainWindow) -> None:
    window.session.step()
    assert window.close()
    assert asked(window) is None


def test_closing_asks_and_cancel_stays(window: MainWindow) -> None:
    write(window, "my words")
    assert not window.close()
    assert asked(window) is not None
    assert not window.close()
    assert len(window.findChildren(QMessageBox, "saveQuestion")) == 1, "asking once is enough"
    answer(window, Button.Cancel)
    assert window.isVisible()


def test_closing_asks_and_discard_closes(window: MainWindow, tmp_path: Path) -> None:
    write(window, "my words")
    window.projects._autosave.save()  # type: ignore[union-attr]
    window.close()
    answer(window, Button.Discard)
    assert not window.isVisible()
    assert not list((tmp_path / "recovery").iterdir()), "who discards is not offered it again"


def test_closing_asks_and_save_saves_first(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, choose: Callable[[Path], None]
) -> None:
    choose(tmp_path / "a.bpe.json")
    write(window, "my words")
    window.close()
    answer(window, Button.Save)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert load_project(tmp_path / "a.bpe.json").documents[0].content == TextDocument("my words")


def test_opening_another_asks_first(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    write(window, "my words")
    window.projects.open(tmp_path / "a.bpe.json")
    assert asked(window) == "Save the changes to “a”?"
    answer(window, Button.Cancel)
    assert window.session.documents[0].content == TextDocument("my words")
    window.projects.open(tmp_path / "a.bpe.json")
    answer(window, Button.Discard)
    wait_for_it(qtbot, window)
    assert window.session.documents[0].content != TextDocument("my words")


# -- recent projects ---------------------------------------------------------------------------------------------------


def recent(window: MainWindow) -> list[QAction]:
    menu = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "Open &recent")
    parent = menu.parent()
    assert isinstance(parent, QMenu)
    parent.aboutToShow.emit()
    return [action for action in menu.actions() if action.text()]


def test_recent_projects_are_offered(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        save_to(qtbot, window, tmp_path / f"{name}.bpe.json")
    texts = [action.text() for action in recent(window)]
    assert texts == [f"a.bpe.json in {tmp_path}", f"b.bpe.json in {tmp_path}", "&Clear the list"]
    assert Settings().recent_projects == (tmp_path / "a.bpe.json", tmp_path / "b.bpe.json")
    recent(window)[1].trigger()
    wait_for_it(qtbot, window)
    assert window.windowTitle().startswith("b[*]")
    recent(window)[-1].trigger()
    assert Settings().recent_projects == ()


def test_a_recent_project_that_is_gone_is_said(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    (tmp_path / "a.bpe.json").unlink()
    recent(window)[0].trigger()
    wait_for_it(qtbot, window)
    assert "is no file that can be read" in said(window, "noticeLabel")
    offers(window)["Remove from the list"].click()
    assert Settings().recent_projects == ()


def test_nonsense_in_the_settings_is_no_project(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "test.ini")
    for nonsense in ("", "a, b", 7, ["relative", str(tmp_path)]):
        settings.store.setValue("files/recent_projects", nonsense)
        assert settings.recent_projects == ((tmp_path,) if isinstance(nonsense, list) else ())


# -- files that changed ------------------------------------------------------------------------------------------------


@pytest.fixture
def project(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> Path:
    """A project with two files and a run of four merges, at the third."""
    for name, text in (("a.txt", "low lower lowest"), ("b.txt", "wide wider widest")):
        (tmp_path / name).write_text(text * 3)
    window.open_paths([tmp_path / "a.txt", tmp_path / "b.txt"])
    window.session.seek(4)
    window.session.seek(3)
    save_to(qtbot, window, tmp_path / "p.bpe.json")
    return tmp_path / "p.bpe.json"


def test_small_files_are_named_not_embedded(project: Path) -> None:
    contents = [document.content for document in load_project(project).documents]
    assert contents == [FileDocument(project.parent / name) for name in ("a.txt", "b.txt")]


def test_an_edited_file_is_embedded(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    window.session.edit_document(0, "edited")
    save_to(qtbot, window, project)
    document = load_project(project).documents[0]
    assert document.content == TextDocument("edited") and document.path == project.parent / "a.txt"


def test_what_the_editor_holds_is_kept_when_its_file_changed_before_saving(
    qtbot: QtBot, window: MainWindow, project: Path
) -> None:
    before = window.session.documents[0].content
    (project.parent / "a.txt").write_text("by somebody else")
    save_to(qtbot, window, project)
    assert load_project(project).documents[0].content == before


def merges(window: MainWindow) -> list[tuple[bytes, bytes]]:
    tokenizer = window.session.tokenizer
    return tokenizer.merges if tokenizer else []


def shown(window: MainWindow) -> tuple[str | None, int, int]:
    """The opened tokenizer, if there is one, and where the cursor is among how many steps."""
    session = window.session
    return session.opened.name if session.opened else None, session.position, session.run_length


def test_a_changed_file_is_named_and_the_merges_stay(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    (project.parent / "b.txt").write_text("quite another text, quite another")
    open_from(qtbot, window, project)
    assert said(window, "noticeLabel") == (
        "Changed since the project was saved: b.txt. The merges are shown as they were saved."
    )
    assert shown(window) == ("p.bpe.json", 3, 4) and merges(window) == before
    assert not window.isWindowModified()
    save_to(qtbot, window, project)
    run = load_project(project).run
    assert run is not None and run.merges[:3] == before, "what was saved is not lost by saving again"

    (project.parent / "b.txt").write_text("and another one, another one")
    open_from(qtbot, window, project)
    offers(window)["Train on the files as they are"].click()
    wait_for_it(qtbot, window)
    assert shown(window) == (None, 3, 4)
    assert merges(window) != before
    assert window.isWindowModified()


def test_a_missing_file_is_named_and_can_be_left_out(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    (project.parent / "a.txt").unlink()
    open_from(qtbot, window, project)
    assert said(window, "noticeLabel") == "Missing: a.txt. The merges are shown as they were saved."
    assert merges(window) == before
    digest = load_project(project).documents[0].digest
    save_to(qtbot, window, project)
    assert digest is not None and load_project(project).documents[0].digest == digest
    open_from(qtbot, window, project)
    offers(window)["Leave out and train again"].click()
    wait_for_it(qtbot, window)
    assert [document.title for document in window.session.documents] == ["b.txt"]
    assert shown(window)[:2] == (None, 3)


def test_another_tokenizer_that_is_open_makes_room(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    (project.parent / "a.txt").unlink()
    save(train("other words other words", num_merges=3), project.parent / "saved")
    with qtbot.waitSignal(window.session.tokenizer_opened):
        window.session.open_tokenizer(TokenizerSource(project.parent / "saved"))
    window.projects.open(project)
    answer(window, Button.Discard)
    wait_for_it(qtbot, window)
    assert shown(window) == ("p.bpe.json", 3, 4) and merges(window) == before


def test_a_sample_makes_room_for_no_merges_of_before(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    open_from(qtbot, window, project)
    window.open_sample(default_sample())
    save_to(qtbot, window, project)
    assert load_project(project).run is None


@pytest.mark.usefixtures("step_by_step")
def test_making_the_run_again_can_be_stopped(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write(window, " ".join(f"{number:x}{number:x}" for number in range(2_500)))
    session = window.session
    session.seek(3_000)
    qtbot.waitUntil(lambda: session.activity is Activity.IDLE and session.position == 3_000)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.open(tmp_path / "a.bpe.json")
    qtbot.waitUntil(lambda: session.activity is Activity.MOVING)
    assert not window.isWindowModified()
    session.cancel()
    wait_for_it(qtbot, window)
    assert 0 < session.run_length < 3_000
    assert child(window, QWidget, "noticeBar").isHidden()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_in_the_place_of_a_file_is_refused(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    os.mkfifo(project.parent / "a.txt")
    open_from(qtbot, window, project)
    assert "a.txt is no file: it may never end" in said(window, "noticeLabel")


def test_a_stale_run_comes_back_as_what_it_is(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    window.session.set_recipe(Recipe.of("minbpe"))
    assert window.session.stale
    save_to(qtbot, window, project)
    open_from(qtbot, window, project)
    assert said(window, "noticeLabel") == "The merges were trained before the corpus or the recipe changed."
    assert merges(window) == before
    assert window.session.recipe == Recipe.of("minbpe")
    offers(window)["Train again"].click()
    wait_for_it(qtbot, window)
    assert shown(window) == (None, 3, 4)
    assert not window.session.stale


def test_merges_that_come_out_otherwise_are_said(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    whole = json.loads(project.read_text())
    whole["run"]["counts"][2] += 1
    project.write_text(json.dumps(whole))
    open_from(qtbot, window, project)
    assert said(window, "noticeLabel") == "From merge 3 on, the merges are not those that were saved."
    assert shown(window) == (None, 3, 4)
    offers(window)["Show the saved ones"].click()
    wait_for_it(qtbot, window)
    assert shown(window) == ("p.bpe.json", 3, 4)
    steps = window.session.steps
    assert steps is not None and steps.counts is not None
    assert steps.counts.tolist() == whole["run"]["counts"]


def test_a_large_file_is_hashed_and_listed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 1_000)
    (tmp_path / "large.txt").write_text("low lower lowest " * 100)
    window.open_paths([tmp_path / "large.txt"])
    qtbot.waitUntil(lambda: window.session.word_counts is not None and not window.session.stale)
    window.session.seek(5)
    before = merges(window)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.new()
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert window.session.documents[0].content == FileDocument(tmp_path / "large.txt")
    assert merges(window) == before
    assert child(window, QWidget, "noticeBar").isHidden()


def test_a_dialog_suggests_the_ending(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[QFileDialog] = []

    def cancel(dialog: QFileDialog) -> int:
        asked.append(dialog)
        return 0

    monkeypatch.setattr(QFileDialog, "exec", cancel)
    assert dialogs.ask_where_to_save(window, Path.home() / "a.bpe.json") is None
    assert asked[0].defaultSuffix() == "bpe.json"
    assert asked[0].selectedFiles() == [str(Path.home() / "a.bpe.json")]
