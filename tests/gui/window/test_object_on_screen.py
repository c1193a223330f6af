"""Every part of the window calls what is on the screen by the same name, and shows nothing of another object."""

from pathlib import Path

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QComboBox, QListWidget, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Plan, Recipe, TokenizerSource, save, train
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.widgets import MarkLabel
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.object_names import ShownObject, mark_of
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.timeline_view import TimelineView
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import editor, notice_text


def open_other(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    save(train("low lower lowest", num_merges=5), path, "huggingface")
    window.session.opened.open(TokenizerSource(path))
    qtbot.waitUntil(lambda: window.session.opened.tokenizer is not None)


def tool(qtbot: QtBot, name: str) -> QWidget:
    """Return a tool or dialog as soon as it is open."""
    found: list[QWidget] = []

    def is_open() -> bool:
        found[:] = [each for each in QApplication.allWidgets() if each.objectName() == name and each.isVisible()]
        return bool(found)

    qtbot.waitUntil(is_open)
    return found[0]


def test_an_export_says_that_the_run_is_out_of_date(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    told = "\nThe corpus or recipe has changed since this run. To export with the changes, train again first."

    def said() -> str:
        window.actions_by_name["export"].trigger()
        dialog = tool(qtbot, "exportDialog")
        text = label_text(dialog, "exportStep")
        dialog.close()
        qtbot.waitUntil(lambda: not dialog.isVisible())
        return text

    window.session.cursor.seek(3)
    assert told not in said()
    window.session.corpus.set_recipe(Recipe.of("minbpe"))
    assert said().endswith(told)
    open_other(qtbot, window, tmp_path / "other.json")
    assert told not in said()


def test_all_parts_use_one_name(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.session.cursor.seek(3)
    window.actions_by_name["export"].trigger()
    dialog = tool(qtbot, "exportDialog")
    assert label_text(dialog, "exportStep").startswith(f"Main run, step 3 of {window.session.cursor.last_step}: ")
    dialog.close()
    window.actions_by_name["report"].trigger()
    report = tool(qtbot, "reportWindow")
    qtbot.waitUntil(lambda: label_text(report, "reportFacts").startswith("Main run, step 3: "))
    open_other(qtbot, window, tmp_path / "other.json")
    assert window.windowTitle().startswith("other.json · ")
    assert child(window, QComboBox, "tokenizerSwitcher").currentText() == "other.json"
    assert label_text(window, "recipeSummary").startswith("Main run · ")
    window.actions_by_name["report"].trigger()
    qtbot.waitUntil(lambda: label_text(report, "reportFacts").startswith("other.json: "))
    window.actions_by_name["compare"].trigger()
    compared = child(tool(qtbot, "compareWindow"), QListWidget, "comparedList").item(0)
    assert compared is not None and "Current: other.json" in compared.text()
    window.actions_by_name["export"].trigger()
    dialog = tool(qtbot, "exportDialog")
    assert label_text(dialog, "exportStep") == "other.json: 261 entries, 5 merges"
    dialog.close()


def mark_color(window: MainWindow, name: str) -> QColor:
    return child(window, MarkLabel, name).pixmap().toImage().pixelColor(0, 0)


def test_an_object_has_one_colour_everywhere_and_keeps_it(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    session, theme = window.session, window._theme
    open_other(qtbot, window, tmp_path)
    session.opened.show(None)
    for name in ("first", "second"):
        session.branch_off(name, session.corpus.recipe, Plan(), 0, 1)
        qtbot.waitUntil(lambda name=name: session.branches.current.name == name)  # type: ignore[misc]
    first, second = session.branches.all[1:]
    objects: list[ShownObject] = [session.branches.main, *session.opened.tokenizers, first, second]
    marks = [mark_of(session, each) for each in objects]
    assert marks == [0, 1, 2, 3]
    timeline = child(window, TimelineView, "timeline")
    assert timeline._colors.line == theme.mark_color(3)
    session.show_branch(first)
    assert timeline._colors.line == theme.mark_color(2)
    assert session.overlay.branch is not None
    other = theme.mark_color(mark_of(session, session.overlay.branch))
    assert timeline._colors.overlay == mark_color(window, "overlayMark") == other
    assert editor(window).tokens._other_color == other
    switcher = child(window, QComboBox, "tokenizerSwitcher")
    icons = [switcher.itemIcon(index).pixmap(4).toImage().pixelColor(0, 0) for index in range(4)]
    assert icons == [theme.mark_color(mark) for mark in (0, 2, 3, 1)]
    window.actions_by_name["compare"].trigger()
    compared = child(tool(qtbot, "compareWindow"), QListWidget, "comparedList")
    qtbot.waitUntil(lambda: compared.count() >= 2)
    assert compared.item(0).icon().pixmap(4).toImage().pixelColor(0, 0) == theme.mark_color(2)
    assert mark_color(window, "comparedMarkA") == theme.mark_color(2)
    numbers = child(window, Table, "comparisonTable")
    qtbot.waitUntil(lambda: numbers.viewport().width() > 10)
    cell = numbers.visualRect(numbers.table_model.index(0, 0))
    picture = numbers.viewport().grab().toImage()
    assert picture.pixelColor(cell.left() + 10, cell.center().y()) == theme.mark_color(2)
    window.actions_by_name["report"].trigger()
    report = child(tool(qtbot, "reportWindow"), MarkLabel, "reportMark")
    qtbot.waitUntil(report.isVisible)
    assert mark_color(window, "reportMark") == theme.mark_color(2)
    theme.set_choice("dark" if theme.name == "light" else "light")
    assert mark_color(window, "overlayMark") == editor(window).tokens._other_color != other
    session.branches.remove(first)
    assert mark_of(session, second) == 3


def test_a_new_corpus_shows_its_run(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    open_other(qtbot, window, tmp_path / "other.json")
    (tmp_path / "new.txt").write_text("newest widest")
    window.open_paths([tmp_path / "new.txt"])
    qtbot.waitUntil(lambda: window.session.run.exists)
    assert notice_text(window).startswith("Opened new.txt as the new corpus.")
    assert window.session.opened.tokenizer is None and window.session.cursor.position == 0
    assert label_text(window, "recipeSummary").startswith("cs336: ")


def test_training_asked_for_while_a_branch_is_made_trains_the_branch(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    main_length = session.branches.length_of(session.branches.main)
    session.corpus.set_vocab_size(session.corpus.vocab_size + 4)
    session.branch_off("mine", session.corpus.recipe, Plan(), 2)
    window.actions_by_name["train"].trigger()
    assert label_text(window, "activityLabel") == "Creating the branch “mine”, then training it…"
    qtbot.waitUntil(lambda: session.branches.current.name == "mine" and session.work.activity is Activity.IDLE)
    assert session.cursor.position == session.cursor.target_position > 2
    assert session.branches.length_of(session.branches.main) == main_length


def test_an_assumed_splitter_is_said_chosen_and_remembered(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened = window.session.opened
    save(train("low 12345 lower", recipe="huggingface", num_merges=3), tmp_path / "mine", "gpt2")
    window.open_paths([tmp_path / "mine"])
    qtbot.waitUntil(lambda: opened.tokenizer is not None)
    button = child(window, QToolButton, "openedSplitterButton")
    assert not button.isVisible(), "the file says how text is split"
    (tmp_path / "mine" / "training.json").unlink()
    window.open_paths([tmp_path / "mine" / "vocab.json"])
    qtbot.waitUntil(button.isVisible)
    assert button.text() == "Splitter assumed: gpt2"
    menu = button.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()][:3] == ["llama3", "qwen2", "gpt2"]
    next(action for action in menu.actions() if action.text() == "qwen2").trigger()
    qtbot.waitUntil(lambda: button.text() == "Splitter: qwen2")
    tokenizer = window.session.cursor.tokenizer
    assert tokenizer is not None and r"|\p{N}|" in tokenizer.recipe.splitter
    window.actions_by_name["close_tokenizer"].trigger()
    window.open_paths([tmp_path / "mine"])
    qtbot.waitUntil(lambda: opened.tokenizer is not None)
    assert button.text() == "Splitter: qwen2", "remembered, whichever of the files is opened"
