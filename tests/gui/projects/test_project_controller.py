"""Saving and opening projects, asking about changes, and files that changed since a project was saved."""

import json
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, Recipe, TextDocument, TokenizerSource, Trainer, save, train
from bpe_gui.engine.projects.project_file import load_project
from bpe_gui.gui.dialogs.boxes import ask_where_to_save
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.projects import project_controller
from bpe_gui.gui.session import corpus as corpus_document
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import default_sample
from tests.gui.support.project_windows import (
    Button,
    answer,
    offers,
    open_from,
    press_in_question,
    recent_actions,
    replace_question,
    save_as,
    save_question,
    save_to,
    wait_until_idle,
    write_corpus,
)
from tests.gui.support.widgets import child
from tests.gui.support.windows import notice_text
from tests.pipes import make_pipe


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Return a function that makes every file dialog return a path."""

    def choose(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
        monkeypatch.setattr(QFileDialog, "exec", lambda dialog: 1)
        monkeypatch.setattr(QFileDialog, "selectedFiles", lambda dialog: [str(path)])

    return choose


def state(window: MainWindow) -> tuple[object, ...]:
    """Return all that a project restores."""
    session = window.session
    return (
        [(document.title, document.content, document.path) for document in session.corpus.documents],
        session.corpus.recipe,
        session.corpus.special_tokens,
        session.corpus.vocab_size,
        session.text.content,
        session.run.trainer.run if session.run.trainer else None,
        session.run.trainer.position if session.run.trainer else None,
        session.opened.tokenizer and (session.opened.tokenizer.source, session.opened.tokenizer.position),
    )


# -- saving and opening ------------------------------------------------------------------------------------------------


def test_a_project_restores_everything(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    (tmp_path / "file.txt").write_text("wide wider widest")
    window.open_paths([tmp_path / "file.txt"])
    window.actions_by_name["add_text"].trigger()
    write_corpus(window, "low lower lowest <|x|> 你好")
    session.corpus.set_recipe(Recipe.of("minbpe"))
    session.corpus.set_special_tokens(["<|x|>"])
    session.corpus.set_vocab_size(270)
    session.text.set_content("lowest widest")
    session.cursor.last()
    session.cursor.seek(6)
    before = state(window)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.new()
    assert session.corpus.documents == () and session.run.trainer is None
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert state(window) == before
    assert window.windowTitle() == "a[*] — bpe-gui"
    assert not window.isWindowModified()
    assert child(window, QWidget, "noticeBar").isHidden()


def test_saving_during_training(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write_corpus(window, " ".join(f"word{number}" for number in range(3_000)))
    window.session.corpus.set_vocab_size(2_000)
    window.session.train()
    assert window.session.work.activity is not Activity.IDLE
    save_as(window.projects, tmp_path / "a.bpe.json")
    qtbot.waitUntil(lambda: (tmp_path / "a.bpe.json").exists() and not window.projects.is_saving)
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    run, trained = load_project(tmp_path / "a.bpe.json").run, window.session.run.trainer
    assert trained is not None
    assert run is None or run.merges == trained.tokenizer(trained.run_length).merges[: len(run.merges)]


def test_saving_asks_for_a_file_only_the_first_time(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, choose: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(tmp_path / "a.bpe.json")
    save_project = window.actions_by_name["save_project"]
    save_project.trigger()
    qtbot.waitUntil((tmp_path / "a.bpe.json").exists)
    qtbot.waitUntil(lambda: not window.projects.is_saving)
    monkeypatch.setattr(QFileDialog, "exec", lambda dialog: pytest.fail("asked again"))
    write_corpus(window, "other words")
    save_project.trigger()
    qtbot.waitUntil(lambda: not window.projects.is_saving)
    assert load_project(tmp_path / "a.bpe.json").documents[0].content == TextDocument("other words")


def test_another_corpus_is_saved_over_a_project_only_if_confirmed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, choose: Callable[[Path], None]
) -> None:
    project, other, corpus = (tmp_path / name for name in ("p.bpe.json", "other.bpe.json", "a.txt"))
    corpus.write_text("wide wider")
    save_to(qtbot, window, project)
    before, save_project = project.read_bytes(), window.actions_by_name["save_project"]
    window.open_paths([corpus])
    save_project.trigger()
    question = replace_question(window)
    assert question is not None
    assert question.text() == "“p” contains a different corpus. Saving replaces it with this one."
    choose(other)
    press_in_question(window, "Save as…")
    wait_until_idle(qtbot, window)
    assert (project.read_bytes(), window.projects.path) == (before, other)
    window.open_sample(default_sample())
    choose(other)
    window.projects.save_as()  # whose dialog has asked already
    assert replace_question(window) is None
    wait_until_idle(qtbot, window)
    window.open_paths([corpus])
    save_project.trigger()
    press_in_question(window, "Replace")
    wait_until_idle(qtbot, window)
    assert load_project(other).documents[0].path == corpus
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "replaceQuestion") is None)
    write_corpus(window, "edited")
    save_project.trigger()
    assert replace_question(window) is None, "it is the same corpus, edited"


def test_an_opening_that_was_undone_is_saved_without_a_question(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("wide wider")
    save_to(qtbot, window, tmp_path / "p.bpe.json")
    window.open_paths([tmp_path / "a.txt"])
    window.session.undo()
    window.projects.save()
    assert replace_question(window) is None
    wait_until_idle(qtbot, window)


def test_a_project_that_cannot_be_saved_stays_modified(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    write_corpus(window, "words")
    (tmp_path / "file").write_text("")
    save_to(qtbot, window, tmp_path / "file" / "a.bpe.json")
    assert "cannot be written" in notice_text(window)
    assert window.isWindowModified()
    save_to(qtbot, window, tmp_path / "mistyped" / "a.bpe.json")
    expected = f"The folder {tmp_path / 'mistyped'} does not exist. Create it first, or choose another one."
    assert notice_text(window) == expected
    assert not (tmp_path / "mistyped").exists()


def test_a_project_that_cannot_be_read_changes_nothing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = state(window)
    (tmp_path / "a.bpe.json").write_text('{"format": "bpe-gui project", "version": 1}')
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert "documents must be a list" in notice_text(window)
    assert state(window) == before


def test_dropping_a_project_on_the_window_or_the_text_opens_it(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    window.session.text.set_content("of the project")
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
        assert window.session.text.content == ""
        drop()
        wait_until_idle(qtbot, window)
        assert window.session.text.content == "of the project"


# -- changes -----------------------------------------------------------------------------------------------------------


def test_what_counts_as_a_change(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    session.cursor.last()
    session.cursor.seek(2)
    session.corpus.set_vocab_size(300)
    assert not window.isWindowModified(), "a sample can be opened again"
    session.text.set_content("typed")
    assert window.isWindowModified()
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    assert not window.isWindowModified()
    session.cursor.seek(1)
    assert not window.isWindowModified(), "moving the cursor is not a change"
    for change in (
        lambda: write_corpus(window, "low lower"),
        lambda: session.corpus.set_recipe(Recipe.of("minbpe")),
        lambda: session.corpus.set_special_tokens(["<a>"]),
        lambda: session.corpus.set_vocab_size(280),
        session.restart,
        session.cursor.last,
    ):
        change()
        assert window.isWindowModified()
        save_to(qtbot, window, tmp_path / "a.bpe.json")
        assert not window.isWindowModified()


def test_a_change_that_is_undone_is_not_a_change(window: MainWindow) -> None:
    before = window.session.corpus.recipe
    window.session.corpus.set_recipe(Recipe.of("minbpe"))
    assert window.isWindowModified()
    window.session.corpus.set_recipe(before)
    assert not window.isWindowModified()


def test_an_unedited_sample_closes_without_a_question(window: MainWindow) -> None:
    window.session.cursor.step()
    assert window.close()
    assert save_question(window) is None


def test_closing_asks_and_cancel_keeps_the_window(window: MainWindow) -> None:
    write_corpus(window, "my words")
    assert not window.close()
    assert save_question(window) is not None
    assert not window.close()
    assert len(window.findChildren(QMessageBox, "saveQuestion")) == 1, "the question is open already"
    answer(window, Button.Cancel)
    assert window.isVisible()


def test_closing_asks_and_discard_closes(window: MainWindow, tmp_path: Path) -> None:
    write_corpus(window, "my words")
    window.projects.autosave.save()  # type: ignore[union-attr]
    window.close()
    answer(window, Button.Discard)
    assert not window.isVisible()
    assert not list((tmp_path / "recovery").iterdir()), "discarded changes are not offered again"


def test_closing_asks_and_save_saves_first(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, choose: Callable[[Path], None]
) -> None:
    choose(tmp_path / "a.bpe.json")
    write_corpus(window, "my words")
    window.close()
    question = save_question(window)
    assert question is not None and question.text().endswith("as a project?"), "the text's own file stays as it is"
    answer(window, Button.Save)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert load_project(tmp_path / "a.bpe.json").documents[0].content == TextDocument("my words")


def test_opening_another_asks_first(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    write_corpus(window, "my words")
    window.projects.open(tmp_path / "a.bpe.json")
    question = save_question(window)
    assert question is not None and question.text() == "Save the changes to “a”?"
    answer(window, Button.Cancel)
    assert window.session.corpus.documents[0].content == TextDocument("my words")
    window.projects.open(tmp_path / "a.bpe.json")
    answer(window, Button.Discard)
    wait_until_idle(qtbot, window)
    assert window.session.corpus.documents[0].content != TextDocument("my words")


# -- recent projects ---------------------------------------------------------------------------------------------------


def test_the_menu_lists_recent_projects(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for name in ("a", "b", "a"):
        save_to(qtbot, window, tmp_path / f"{name}.bpe.json")
    texts = [action.text() for action in recent_actions(window)]
    assert texts == [f"a.bpe.json in {tmp_path}\tproject", f"b.bpe.json in {tmp_path}\tproject", "&Clear list"]
    assert Settings().recent_files == (tmp_path / "a.bpe.json", tmp_path / "b.bpe.json")
    recent_actions(window)[1].trigger()
    wait_until_idle(qtbot, window)
    assert window.windowTitle().startswith("b[*]")
    recent_actions(window)[-1].trigger()
    assert Settings().recent_files == ()


def test_invalid_recent_projects_in_the_settings_are_ignored(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "test.ini")
    for nonsense in ("", "a, b", 7, ["relative", str(tmp_path)]):
        settings.store.setValue("files/recent_projects", nonsense)
        assert settings.recent_files == ((tmp_path,) if isinstance(nonsense, list) else ())


# -- files that changed ------------------------------------------------------------------------------------------------


def test_an_unedited_file_is_saved_as_its_path(project: Path) -> None:
    contents = [document.content for document in load_project(project).documents]
    assert contents == [FileDocument(project.parent / name) for name in ("a.txt", "b.txt")]


def test_an_edited_file_is_saved_as_its_text(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    window.session.corpus.edit_document(0, "edited")
    save_to(qtbot, window, project)
    document = load_project(project).documents[0]
    assert document.content == TextDocument("edited") and document.path == project.parent / "a.txt"


def test_the_text_in_the_editor_is_saved_if_its_file_changed_before_saving(
    qtbot: QtBot, window: MainWindow, project: Path
) -> None:
    before = window.session.corpus.documents[0].content
    (project.parent / "a.txt").write_text("changed by another program")
    save_to(qtbot, window, project)
    assert load_project(project).documents[0].content == before


def merges(window: MainWindow) -> list[tuple[bytes, bytes]]:
    tokenizer = window.session.cursor.tokenizer
    return tokenizer.merges if tokenizer else []


def shown(window: MainWindow) -> tuple[str | None, int, int]:
    """Return the name of the opened tokenizer, the position and the number of steps."""
    session = window.session
    return (
        session.opened.tokenizer.name if session.opened.tokenizer else None,
        session.cursor.position,
        session.cursor.run_length,
    )


def test_a_changed_file_is_named_and_the_saved_merges_are_shown(
    qtbot: QtBot, window: MainWindow, project: Path
) -> None:
    before = merges(window)
    (project.parent / "b.txt").write_text("quite another text, quite another")
    open_from(qtbot, window, project)
    assert notice_text(window) == ("Changed since the project was saved: b.txt. The saved merges are shown.")
    assert shown(window) == ("p.bpe.json", 3, 4) and merges(window) == before
    assert not window.isWindowModified()
    save_to(qtbot, window, project)
    run = load_project(project).run
    assert run is not None and run.merges[:3] == before, "saving again keeps the saved merges"

    (project.parent / "b.txt").write_text("and another one, another one")
    open_from(qtbot, window, project)
    offers(window)["Train on the current files"].click()
    wait_until_idle(qtbot, window)
    assert shown(window) == (None, 3, 4)
    assert merges(window) != before
    assert window.isWindowModified()


def test_a_missing_file_is_named_and_can_be_left_out(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    (project.parent / "a.txt").unlink()
    open_from(qtbot, window, project)
    assert notice_text(window) == "Missing: a.txt. The saved merges are shown."
    assert merges(window) == before
    digest = load_project(project).documents[0].digest
    save_to(qtbot, window, project)
    assert digest is not None and load_project(project).documents[0].digest == digest
    open_from(qtbot, window, project)
    offers(window)["Leave out and retrain"].click()
    wait_until_idle(qtbot, window)
    assert [document.title for document in window.session.corpus.documents] == ["b.txt"]
    assert shown(window)[:2] == (None, 3)


def test_opening_a_project_replaces_an_opened_tokenizer(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    (project.parent / "a.txt").unlink()
    save(train("other words other words", num_merges=3), project.parent / "saved")
    with qtbot.waitSignal(window.session.opened.changed):
        window.session.opened.open(TokenizerSource(project.parent / "saved"))
    window.projects.open(project)
    answer(window, Button.Discard)
    wait_until_idle(qtbot, window)
    assert shown(window) == ("p.bpe.json", 3, 4) and merges(window) == before


def test_opening_a_sample_drops_the_saved_merges(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    open_from(qtbot, window, project)
    window.open_sample(default_sample())
    window.projects.save()
    press_in_question(window, "Replace")
    wait_until_idle(qtbot, window)
    assert load_project(project).run is None


def test_training_the_saved_run_again_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(window, " ".join(f"{number:x}{number:x}" for number in range(1_000)))
    session = window.session
    session.cursor.seek(150)
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE and session.cursor.position == 150)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    begun, release, approach = Event(), Event(), Trainer.approach

    def step_and_wait(trainer: Trainer, position: int) -> bool:
        has_arrived = approach(trainer, min(position, trainer.position + 1)) and trainer.position == position
        begun.set()
        release.wait()
        return has_arrived

    monkeypatch.setattr(Trainer, "approach", step_and_wait)
    window.projects.open(tmp_path / "a.bpe.json")
    qtbot.waitUntil(begun.is_set)
    assert session.work.activity is Activity.MOVING
    assert not window.isWindowModified()
    session.work.cancel()
    release.set()
    wait_until_idle(qtbot, window)
    assert 0 < session.cursor.run_length < 150
    assert child(window, QWidget, "noticeBar").isHidden()


def test_a_pipe_in_place_of_a_file_is_refused(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    (project.parent / "a.txt").unlink()
    make_pipe(project.parent / "a.txt")
    open_from(qtbot, window, project)
    assert "a.txt is not a regular file" in notice_text(window)


def test_a_stale_run_is_restored_as_stale(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    before = merges(window)
    window.session.corpus.set_recipe(Recipe.of("minbpe"))
    assert window.session.run.is_stale
    save_to(qtbot, window, project)
    open_from(qtbot, window, project)
    assert notice_text(window) == "The merges were trained before the corpus or recipe changed."
    assert merges(window) == before
    assert window.session.corpus.recipe == Recipe.of("minbpe")
    offers(window)["Retrain"].click()
    wait_until_idle(qtbot, window)
    assert shown(window) == (None, 3, 4)
    assert not window.session.run.is_stale


def test_a_run_that_differs_from_the_saved_one_is_reported(qtbot: QtBot, window: MainWindow, project: Path) -> None:
    whole = json.loads(project.read_text(encoding="utf-8"))
    whole["run"]["counts"][2] += 1
    project.write_text(json.dumps(whole), encoding="utf-8")
    open_from(qtbot, window, project)
    assert notice_text(window) == "From merge 3 on, the merges differ from the saved ones."
    assert shown(window) == (None, 3, 4)
    offers(window)["Show saved merges"].click()
    wait_until_idle(qtbot, window)
    assert shown(window) == ("p.bpe.json", 3, 4)
    steps = window.session.cursor.steps
    assert steps is not None and steps.counts is not None
    assert steps.counts.tolist() == whole["run"]["counts"]


def test_a_large_file_is_restored_by_its_digest(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus_document, "LARGE_FILE", 1_000)
    (tmp_path / "large.txt").write_text("low lower lowest " * 100)
    window.open_paths([tmp_path / "large.txt"])
    qtbot.waitUntil(lambda: window.session.counts.words is not None and not window.session.run.is_stale)
    window.session.cursor.seek(5)
    before = merges(window)
    save_to(qtbot, window, tmp_path / "a.bpe.json")
    window.projects.new()
    open_from(qtbot, window, tmp_path / "a.bpe.json")
    assert window.session.corpus.documents[0].content == FileDocument(tmp_path / "large.txt")
    assert merges(window) == before
    assert child(window, QWidget, "noticeBar").isHidden()


def test_the_save_dialog_adds_the_suffix(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    shown_dialogs: list[QFileDialog] = []

    def cancel(dialog: QFileDialog) -> int:
        shown_dialogs.append(dialog)
        return 0

    monkeypatch.setattr(QFileDialog, "exec", cancel)
    assert ask_where_to_save(window, "Save", Path.home() / "a.bpe.json", "", "bpe.json") is None
    assert shown_dialogs[0].defaultSuffix() == "bpe.json"
    assert list(map(Path, shown_dialogs[0].selectedFiles())) == [Path.home() / "a.bpe.json"]


def test_the_suggested_name_of_a_project_is_allowed_everywhere(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    suggested: list[str] = []
    monkeypatch.setattr(
        project_controller, "ask_where_to_save", lambda _window, _title, path, *_kind: suggested.append(path.name)
    )
    for title in ('CS336: "low", lower?', "???"):
        window.session.corpus.set_documents([CorpusDocument(title, TextDocument("low"))])
        window.projects.save_as()
    assert suggested == ["CS336 low , lower.bpe.json", "project.bpe.json"]
