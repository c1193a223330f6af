"""The Learn workspace shows only what a learner needs, and the first line disappears at the first step."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.widgets import child


def test_one_click_folds_everything_away_but_the_next_merge(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "test.ini")
    window = MainWindow(settings=settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.mouseClick(child(window, QToolButton, "learnButton"), Qt.MouseButton.LeftButton)
    shown = {name: child(window, QWidget, name).isVisible() for name in ("pairTable", "vocabularyTable", "wordTable")}
    assert shown == {"pairTable": False, "vocabularyTable": False, "wordTable": True}
    qtbot.mouseClick(child(window, QPushButton, "nextMergeButton"), Qt.MouseButton.LeftButton)
    assert window.session.cursor.position == 1
    window.choose_language("zh_CN")
    assert child(window, QWidget, "nextMergeButton").isVisible()
    window.choose_language("en")
    again = MainWindow(settings=settings)
    qtbot.addWidget(again)
    again.show()
    assert not child(again, QWidget, "pairTable").isVisible()
    again.actions_by_name["explore"].trigger()
    assert child(again, QWidget, "pairTable").isVisible()
    assert child(again, QWidget, "vocabularyTable").isVisible()
    assert not child(again, QWidget, "nextMergeButton").isVisible()


def test_an_alphabet_that_fills_the_vocabulary_is_said_and_mended(window: MainWindow) -> None:
    line, session = child(window, QLabel, "statusLine"), window.session
    session.cursor.first()
    session.corpus.set_vocab_size(200)
    assert line.text().startswith("The alphabet already has 257 entries, but the vocabulary size is 200.")
    line.linkActivated.emit("size")
    assert session.corpus.vocab_size == 307
    assert "to merge “<b>s</b>” + “<b>t</b>”" in line.text()


def test_lines_stay_short_in_a_wide_window(window: MainWindow) -> None:
    window.resize(1920, 1080)
    window.choose_workspace("learn")
    assert child(window, QWidget, "nextMergeButton").width() <= 320
    assert child(window, QWidget, "wordTable").width() <= 640


def test_the_source_of_the_words_is_named_and_a_click_shows_it(window: MainWindow) -> None:
    window.actions_by_name["learn"].trigger()
    line, corpus = child(window, QLabel, "corpusLine"), child(window, QWidget, "corpusPanel")
    assert line.isVisible()
    assert ">CS336: low, lower, widest, newest</a> · 94 bytes" in line.text()
    assert not corpus.isVisible()
    line.linkActivated.emit("corpus")
    assert corpus.isVisible()
    window.session.corpus.add_documents([CorpusDocument("mine", TextDocument("low"))])
    assert ">2 documents</a> · 97 bytes" in line.text()
    window.actions_by_name["explore"].trigger()
    assert not line.isVisible()


def test_the_status_line_offers_a_tour_and_after_a_step_tells_the_size(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "test.ini")
    window = MainWindow(settings=settings)
    qtbot.addWidget(window)
    window.show()
    line = child(window, QLabel, "statusLine")
    assert "“<b>s</b>” + “<b>t</b>”" in line.text() and "tour" in line.text()
    trainer = window.session.run.trainer
    assert trainer is not None
    for _ in range(2):
        window.step()
    start, saved = trainer.tokens_before[0], sum(trainer.tokens_saved)
    assert line.text() == (
        f"Words of the corpus at this step: {start - saved} tokens, {100 * saved / start:.1f}% fewer than at step 0"
    )
    window.session.cursor.seek(0)
    with qtbot.waitActive(window):
        window.activateWindow()
    child(window, PlainTextEdit, "corpusEditor").setFocus()
    assert line.text() == "Press Alt+→ to merge “<b>s</b>” + “<b>t</b>”."
    child(window, QWidget, "pairTable").setFocus()
    assert line.text() == "Press → to merge “<b>s</b>” + “<b>t</b>”."
    again = MainWindow(settings=settings)
    qtbot.addWidget(again)
    again.show()
    assert child(again, QLabel, "statusLine").text() == line.text()


def test_a_column_without_panels_leaves_no_divider(window: MainWindow, qtbot: QtBot) -> None:
    window.show()
    column, dividers = child(window, QSplitter, "leftSplitter"), child(window, QSplitter, "columnSplitter")
    width = column.width()
    for workspace in ("compare", "report", "learn"):
        window.actions_by_name[workspace].trigger()
        assert not column.isVisible()
        qtbot.waitUntil(lambda: not dividers.handle(1).isVisible())
        window._menus.show_panel("corpus")
        assert column.isVisible()
        window._menus.hide_panels(["corpus"])
        window.actions_by_name["explore"].trigger()
        assert column.isVisible()
        qtbot.waitUntil(lambda: column.width() == width)


def test_the_timeline_is_shown_only_beside_what_follows_the_steps(window: MainWindow) -> None:
    window.show()
    timeline = child(window, QWidget, "timeline")
    for workspace, is_shown in {"report": False, "explore": True, "compare": True, "learn": False}.items():
        window.actions_by_name[workspace].trigger()
        assert timeline.isVisible() is is_shown, workspace


def test_asking_why_not_leaves_the_workspace_that_cannot_answer(window: MainWindow) -> None:
    window.show()
    window.actions_by_name["learn"].trigger()
    assert not child(window, QWidget, "tokenFactsBar").isVisible()
    window.session.selection.why_not_wanted.emit("low")
    assert window.actions_by_name["explore"].isChecked()
    assert child(window, QWidget, "tokenFactsBar").isVisible()
