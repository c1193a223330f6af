"""Adding to a comparison: steps of the run, files, and recipes that are trained on the corpus."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QInputDialog,
    QListWidget,
    QMenu,
    QProgressBar,
    QTabWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, Plan, Progress, ReadTokenizer, TextDocument, TokenizerSource, compare, save, train
from bpe_gui.engine.formats import downloads
from bpe_gui.engine.formats.downloads import Download
from bpe_gui.gui.session.corpus import CorpusDocument, RunInputs
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.comparison import adding
from bpe_gui.gui.tools.comparison.compared import TrainedRecipe
from tests.gui.support.widgets import child

from .support import CORPUS, TEXT, Stage, make_session, open_stage, session_with_a_ban

Open = Callable[[Session], Stage]


@pytest.fixture
def stage(open_comparison: Open) -> Stage:
    """Return a comparison of step 12 of a run with nothing else."""
    return open_comparison(make_session(step=12))


def menu(stage: Stage) -> QMenu:
    """Return the menu of what can be added, filled."""
    found = child(stage.window, QMenu, "addComparedMenu")
    found.aboutToShow.emit()
    return found


def trigger(stage: Stage, name: str) -> None:
    """Choose an action of the menu by its name."""
    top = menu(stage)
    actions = [*top.actions(), *(each for sub in top.findChildren(QMenu) for each in sub.actions())]
    next(action for action in actions if action.objectName() == name).trigger()


def names(stage: Stage) -> list[str]:
    """Return the rows of the list."""
    rows = child(stage.window, QListWidget, "comparedList")
    return [rows.item(row).text() for row in range(rows.count())]


def click(stage: Stage, name: str) -> None:
    QTest.mouseClick(child(stage.window, QToolButton, name), Qt.MouseButton.LeftButton)


def test_steps_of_the_run(stage: Stage) -> None:
    trigger(stage, "addThisStepAction")
    trigger(stage, "addStepAction")
    dialog = child(stage.window, QInputDialog, "compareStepDialog")
    dialog.setIntValue(5)
    dialog.accept()
    stage.session.cursor.seek(3)
    stage.settle()
    assert names(stage) == ["A  Current: Main run, step 3", "B  Main run, step 12", "C  Main run, step 5"]
    trigger(stage, "addLastStepAction")
    assert len(names(stage)) == 3


def test_a_file(stage: Stage, tmp_path: Path) -> None:
    other = train(CORPUS, recipe="minbpe", num_merges=9)
    save(other, tmp_path / "other.json", "huggingface")
    stage.session.opened.open_beside(TokenizerSource(tmp_path / "other.json"))
    stage.settle()
    expected = compare([stage.session.run.trainer.tokenizer(12), other], TEXT)  # type: ignore[union-attr]
    assert names(stage)[1] == "B  other.json"
    assert [row[1] for row in stage.table()] == [str(text.metrics.tokens) for text in expected.texts]


def test_the_likeliest_come_first(
    open_comparison: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save(train(CORPUS, num_merges=9), tmp_path / "recent.json", "huggingface")
    save(train(CORPUS, num_merges=8), tmp_path / "opened.json", "huggingface")
    cached = [Download("hf:me/mine", tmp_path / "recent.json"), Download("a&b.gguf", tmp_path / "a.gguf")]
    monkeypatch.setattr(adding, "gets_encodings", lambda: True)
    monkeypatch.setattr(downloads, "cached_tokenizers", lambda: cached)
    session = session_with_a_ban(qtbot)
    session.opened.open(TokenizerSource(tmp_path / "opened.json"))
    qtbot.waitUntil(lambda: session.opened.tokenizer is not None)
    for name in ("project.bpe.json", "settings.ini", "opened.json", "gone.json", "recent.json"):
        if name != "gone.json":
            (tmp_path / name).touch()
        Settings().add_recent(tmp_path / name)
    stage = open_comparison(session)
    texts = [action.text() or "-" for action in menu(stage).actions()]
    assert texts == [
        *("recent.json", "-"),
        *("opened.json", "-"),
        *("hf:me/mine", "a&&b.gguf", "-"),
        *("Download &GPT-4 (cl100k_base)", "&Download by name…", "Tokenizer &file…", "-"),
        *("Run at &this step (2)", "Run at its &last step (12)", "Run at &step…"),
        "Main run",
        "&Recipe on this corpus",
    ]


def test_a_cached_tokenizer_is_added_by_its_name(stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = train(CORPUS, num_merges=9)
    save(other, tmp_path / "tokenizer.json", "huggingface")
    monkeypatch.setattr(downloads, "cached_tokenizers", lambda: [Download("hf:me/mine", tmp_path / "tokenizer.json")])
    next(action for action in menu(stage).actions() if action.text() == "hf:me/mine").trigger()
    stage.settle()
    assert names(stage)[1] == "B  hf:me/mine"


def test_gpt_4_is_in_the_menu_whether_or_not_it_is_cached(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save(train(CORPUS, recipe="tiktoken", num_merges=9), tmp_path / "ranks.tiktoken", "tiktoken")
    download = Download("tiktoken:cl100k_base", tmp_path / "ranks.tiktoken", "cl100k", {})
    asked: list[str] = []

    def fetch(name: str, _progress: Progress) -> Download:
        asked.append(name)
        cached.append(download)
        return download

    cached: list[Download] = []
    monkeypatch.setattr(adding, "gets_encodings", lambda: True)
    monkeypatch.setattr(downloads, "cached_tokenizers", lambda: cached)
    monkeypatch.setattr(downloads, "fetch_published", fetch)
    for text in ("Download &GPT-4 (cl100k_base)", "&GPT-4 (cl100k_base)"):
        assert [action.text() for action in menu(stage).actions() if "cl100k" in action.text()] == [text]
        trigger(stage, "addGpt4Action")
        stage.settle()
        assert names(stage)[1:] == ["B  tiktoken:cl100k_base"]
        assert "addGpt4Action" not in [action.objectName() for action in menu(stage).actions()]
        stage.session.opened.close_one(stage.session.opened.tokenizers[0])
    assert asked == ["tiktoken:cl100k_base"]


def test_a_file_that_is_not_a_tokenizer(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", "utf-8")
    with stage.bot.waitSignal(stage.session.opened.failed):
        stage.session.opened.open_beside(TokenizerSource(tmp_path / "bad.json"))
    stage.settle()
    assert len(names(stage)) == 1


def test_what_is_opened_beside_is_in_the_switcher_and_follows_its_file(stage: Stage, tmp_path: Path) -> None:
    opened = stage.session.opened
    for name, merges in (("one.json", 9), ("two.json", 5)):
        save(train(CORPUS, num_merges=merges), tmp_path / name, "huggingface")
        opened.open_beside(TokenizerSource(tmp_path / name))  # before the other is read
    stage.settle()
    assert {each.name for each in opened.tokenizers} == {"one.json", "two.json"}
    assert opened.tokenizer is None, "the window goes on showing the run"
    assert sorted(name[3:] for name in names(stage)[1:]) == ["one.json", "two.json"]
    save(train(CORPUS, num_merges=7), tmp_path / "one.json", "huggingface")
    opened.open_beside(TokenizerSource(tmp_path / "one.json"))
    stage.settle()
    (item,) = (each for each in stage.comparing.tokenizers.items if each.origin in opened.tokenizers[:1])
    assert item.tokenizer is not None and len(item.tokenizer.merges) == 7
    opened.close_one(opened.tokenizers[0])
    assert len(names(stage)) == 2


def test_all_published_recipes_at_once(stage: Stage) -> None:
    trigger(stage, "addAllRecipesAction")
    stage.settle()
    assert names(stage)[1:] == [f"{chr(66 + index)}  {name} recipe" for index, name in enumerate(PRESETS)]
    assert [item.is_shown for item in stage.comparing.tokenizers.items] == [True] * 4 + [False] * (len(PRESETS) - 3)
    expected = [train(CORPUS, recipe=name, vocab_size=300) for name in PRESETS]
    rows = stage.table()[1:]
    for row, tokenizer, item in zip(rows, expected, stage.comparing.tokenizers.items[1:], strict=True):
        assert row[1] == str(len(tokenizer.encode(TEXT)))
        assert row[4] == str(len(tokenizer.vocab))
        assert item.tokenizer is not None
        assert item.tokenizer.merges == tokenizer.merges


def test_no_button_moves_while_tokenizers_are_added(stage: Stage) -> None:
    """A second click must not meet something else."""
    stage.parent.resize(960, 529)  # as in the smallest window
    buttons = [child(stage.window, QWidget, name) for name in ("addComparedButton", "removeComparedButton")]
    pages = child(stage.window, QTabWidget, "comparisonPages")
    places = set()
    for name in list(PRESETS)[:4]:
        trigger(stage, f"addRecipe_{name}")
        for _when in ("while it is trained", "afterwards"):
            QApplication.processEvents()  # lay out
            QApplication.processEvents()
            places.add(tuple(part.mapTo(stage.window, QPoint()).y() for part in (*buttons, pages)))
            stage.settle()
    assert len(places) == 1, places


def test_what_was_trained_is_kept(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    trigger(stage, "addRecipe_minbpe")
    stage.settle()
    item = stage.comparing.tokenizers.items[1]
    stage.comparing.tokenizers.remove(item)
    monkeypatch.setattr(RunInputs, "count", None)
    trigger(stage, "addRecipe_minbpe")
    assert stage.comparing.tokenizers.items[1].tokenizer is item.tokenizer


def test_tooltips_tell_what_names_do_not(stage: Stage) -> None:
    trigger(stage, "addRecipe_minbpe")
    stage.settle()
    tip = child(stage.window, QListWidget, "comparedList").item(1).toolTip()
    assert "ties go to the pair seen first in the corpus · vocabulary size 300" in tip


def test_another_corpus_trains_again(stage: Stage) -> None:
    trigger(stage, "addThisStepAction")
    trigger(stage, "addRecipe_minbpe")
    stage.settle()
    stage.session.corpus.edit_document(0, "completely different words, different words")
    assert names(stage)[1:] == ["B  Main run, step 12", "C  minbpe recipe, earlier corpus"]
    stage.session.restart()
    trigger(stage, "addRecipe_minbpe")
    stage.settle()
    assert names(stage)[1:] == [
        "B  corpus · cs336 · step 12 (earlier)",
        "C  minbpe recipe, earlier corpus",
        "D  minbpe recipe",
    ]
    before, after = (item.tokenizer for item in stage.comparing.tokenizers.items[2:])
    assert before is not None and after is not None
    assert after.merges != before.merges
    stage.session.corpus.edit_document(0, CORPUS)
    assert names(stage)[2:] == ["C  minbpe recipe", "D  minbpe recipe, earlier corpus"]


def test_a_plan_makes_no_other_corpus(stage: Stage) -> None:
    trigger(stage, "addRecipe_minbpe")
    stage.settle()
    stage.session.corpus.set_training(stage.session.corpus.recipe, Plan(banned=[(b"e", b"r")]))
    assert names(stage)[1:] == ["B  minbpe recipe"]


def test_an_opened_tokenizer_without_a_name_is_not_called_the_run(stage: Stage) -> None:
    tokenizer = train("low lower", recipe="cs336", num_merges=4)
    opened = OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it"), is_internal=True), "gpt2"))
    stage.session.opened.show(opened)
    stage.settle()
    assert names(stage) == ["A  Main run, step 12", "B  Current: Untitled"]
    stage.session.cursor.seek(2)
    stage.settle()
    assert names(stage) == ["A  Main run, step 12", "B  Current: Untitled, step 2"]


def test_it_opens_with_the_run_and_the_opened_files_and_each_can_be_removed(qtbot: QtBot) -> None:
    session = make_session(step=12)
    for name in ("one", "two"):
        tokenizer = train("low lower", recipe="cs336", num_merges=4)
        session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path(name)), "gpt2")))
    stage = open_stage(qtbot, session)
    stage.settle()
    assert names(stage) == ["A  Current: two", "B  Main run, step 12", "C  one"]
    stage.comparing.tokenizers.remove(stage.comparing.tokenizers.items[2])
    stage.comparing.rest()
    stage.comparing.open()
    stage.settle()
    assert names(stage) == ["A  Current: two", "B  Main run, step 12"], "what was removed does not come back"


def test_cancelling_keeps_what_is_trained(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, count = Event(), RunInputs.count

    def count_slowly(inputs: RunInputs, progress: Progress) -> object:
        while inputs.recipe == PRESETS["worked-example"]:
            begun.set()
            progress(1, 2)
        return count(inputs, progress)

    monkeypatch.setattr(RunInputs, "count", count_slowly)
    trigger(stage, "addAllRecipesAction")
    stage.bot.waitUntil(begun.is_set)
    stage.bot.waitUntil(lambda: child(stage.window, QProgressBar, "compareProgress").maximum() == 2)
    assert stage.label("compareWorkLabel") == f"Training 3 of {len(PRESETS)}: worked-example recipe…"
    click(stage, "compareCancelButton")
    stage.settle()
    assert names(stage)[1:] == ["B  cs336 recipe", "C  cs336-toy recipe"]
    assert stage.label("compareMessage") == f"Cancelled. {len(PRESETS) - 2} tokenizers were not made."
    assert not child(stage.window, QProgressBar, "compareProgress").isVisible()


def test_a_recipe_that_cannot_be_trained_leaves_the_others(stage: Stage) -> None:
    stage.session.corpus.set_vocab_size(20)
    trigger(stage, "addAllRecipesAction")
    stage.settle()
    origins = [item.origin for item in stage.comparing.tokenizers.items[1:]]
    trained = {origin.inputs.recipe.preset for origin in origins if isinstance(origin, TrainedRecipe)}
    message = stage.label("compareMessage")
    assert {name for name in PRESETS if f"{name} recipe: " in message} == set(PRESETS) - trained
    assert "cs336" not in trained


def test_at_most_four_texts(stage: Stage) -> None:
    trigger(stage, "addAllRecipesAction")
    stage.settle()
    rows = child(stage.window, QListWidget, "comparedList")
    rows.item(6).setCheckState(Qt.CheckState.Checked)
    assert rows.item(6).checkState() == Qt.CheckState.Unchecked
    assert stage.label("shownTextsLabel") == "4 of at most 4 shown"
    assert stage.label("comparisonNote") == "At most four texts fit side by side. Hide one of them first."
    rows.item(1).setCheckState(Qt.CheckState.Unchecked)
    rows.item(6).setCheckState(Qt.CheckState.Checked)
    assert [item.is_shown for item in stage.comparing.tokenizers.items][:7] == [1, 0, 1, 1, 0, 0, 1]
    rows.setCurrentRow(2)
    click(stage, "removeComparedButton")
    assert len(names(stage)) == len(PRESETS)


def test_runs_of_different_corpora_are_named_and_known_to_be(open_comparison: Open) -> None:
    stage = open_comparison(make_session(step=12))
    session, tokenizers = stage.session, stage.comparing.tokenizers
    for title, text in (("taylor swift.txt", "low lower lowest slow slower"), ("b.txt", "new newer newest sewer")):
        trigger(stage, "addThisStepAction")
        session.replace_documents([CorpusDocument(title, TextDocument(text))])
        session.cursor.seek(5)
    assert names(stage)[1:] == [
        "B  corpus · cs336 · step 12 (earlier)",
        "C  taylor swift.txt · cs336 · step 5 (earlier)",
    ]
    stage.window.compare_runs(tokenizers.items[2])
    stage.settle()
    assert stage.label("pairReason") == (
        "Their merges differ from merge 1 on. The reason: they were trained on different corpora."
    )
    session.corpus.set_recipe(session.corpus.recipe.with_changes(splitter="cl100k"))
    session.restart()
    session.cursor.seek(5)
    stage.settle()
    assert stage.label("pairReason").endswith(
        "They were trained on different corpora, and with different settings: Splitter (A cl100k, C gpt2)."
    )
