"""Several opened tokenizers: they stay until they are closed, each at its own step, and are listed as recent."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QProgressBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Progress, ReadTokenizer, TokenizerSource, save, train
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.opened_tokenizers import TokenizerToOpen, read_tokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.samples import default_sample
from tests.gui.support.project_windows import open_from, recent_actions, save_to
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import notice_text

RUN = "Main run"
RUN_STEP = 3
_CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.seek(RUN_STEP)
    return window


def saved(path: Path, merges: int = 8) -> Path:
    """Save a tokenizer with a number of merges."""
    save(train("low lower lowest newer newest wider widest" * 3, num_merges=merges), path, "gpt2")
    return path


def open_all(qtbot: QtBot, session: Session, *paths: Path) -> None:
    """Open tokenizers one after another, as a user does."""
    for path in paths:
        with qtbot.waitSignal(session.opened.tokenizer_read):
            session.opened.open(TokenizerSource(path))


def switcher(window: QWidget) -> QComboBox:
    return child(window, QComboBox, "tokenizerSwitcher")


def choose(window: QWidget, name: str) -> None:
    """Choose an entry of the switcher as a user does."""
    combo = switcher(window)
    index = combo.findText(name)
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def entries(window: QWidget) -> list[str]:
    combo = switcher(window)
    return [combo.itemText(index) for index in range(combo.count())]


def test_opened_tokenizers_stay_each_at_its_own_step(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    session = window.session
    assert child(window, QWidget, "openedTokenizerBar").isHidden()
    open_all(qtbot, session, saved(tmp_path / "one"), saved(tmp_path / "two", 5))
    assert entries(window) == [RUN, "one", "two"]
    assert switcher(window).currentText() == "two"
    assert session.cursor.run_length == 5
    session.cursor.seek(2)
    choose(window, "one")
    assert (session.cursor.position, session.cursor.run_length) == (8, 8)
    session.cursor.seek(6)
    choose(window, RUN)
    assert session.cursor.position == RUN_STEP
    assert child(window, QWidget, "runControls").isVisible()
    assert child(window, QWidget, "openedTokenizerBar").isVisible(), "the way back to the tokenizers"
    assert child(window, QPushButton, "closeTokenizerButton").isHidden()
    assert label_text(window, "openedTokenizerLabel") == "2 open tokenizers"
    for name, step in (("two", 2), ("one", 6)):
        choose(window, name)
        assert session.cursor.position == step
        assert label_text(window, "stepLabel").startswith(f"step {step} of")
    assert session.work.activity is Activity.IDLE, "nothing is read again"


def test_keys_switch_in_a_circle(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_all(qtbot, window.session, saved(tmp_path / "one"), saved(tmp_path / "two"))
    shown = []
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_PageUp):
        QTest.keyClick(window, key, _CONTROL)
        shown.append(switcher(window).currentText())
    assert shown == [RUN, "one", RUN, "two"]


def test_closing_one_goes_to_the_one_shown_before(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_all(qtbot, window.session, *(saved(tmp_path / name) for name in ("one", "two", "three")))
    choose(window, "one")
    QTest.keyClick(window, Qt.Key.Key_W, _CONTROL)
    assert entries(window) == [RUN, "two", "three"]
    assert switcher(window).currentText() == "three"
    child(window, QPushButton, "closeTokenizerButton").click()
    child(window, QPushButton, "closeTokenizerButton").click()
    assert window.session.opened.tokenizers == ()
    assert child(window, QWidget, "openedTokenizerBar").isHidden()
    assert window.session.cursor.position == RUN_STEP
    assert not window.actions_by_name["close_tokenizer"].isEnabled()
    assert not window.actions_by_name["next_tokenizer"].isEnabled()


def test_opening_the_same_file_again_reads_it_again_at_its_step(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    session = window.session
    open_all(qtbot, session, saved(tmp_path / "one"), saved(tmp_path / "two"))
    choose(window, "one")
    session.cursor.seek(4)
    before = session.opened.tokenizer
    choose(window, "two")
    open_all(qtbot, session, tmp_path / "one")
    assert entries(window) == [RUN, "one", "two"]
    assert session.opened.tokenizer is not before
    assert session.cursor.position == 4


def test_all_of_several_files_are_opened(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    one, two = saved(tmp_path / "one"), saved(tmp_path / "two")
    window.open_paths([one / "vocab.json", one / "merges.txt", two])
    qtbot.waitUntil(lambda: entries(window) == [RUN, "one/vocab.json", "two"])
    assert switcher(window).currentText() == "two"


def test_equal_names_have_their_folder(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    open_all(qtbot, window.session, saved(tmp_path / "a" / "it"), saved(tmp_path / "b" / "it"))
    assert entries(window) == [RUN, "a/it", "b/it"]


def test_a_sample_and_training_go_to_the_run_and_close_nothing(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_all(qtbot, window.session, saved(tmp_path / "one"))
    window.open_sample(default_sample())
    assert (switcher(window).currentText(), entries(window)) == (RUN, [RUN, "one"])
    choose(window, "one")
    window.train()
    assert switcher(window).currentText() == RUN
    qtbot.waitUntil(lambda: window.session.work.activity is Activity.IDLE)
    choose(window, "one")
    window.projects.new()
    assert window.session.opened.tokenizers == ()


def test_the_switcher_survives_a_change_of_language(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_all(qtbot, window.session, saved(tmp_path / "one"), saved(tmp_path / "two"))
    choose(window, "one")
    window.choose_language("zh_CN")
    assert entries(window)[1:] == ["one", "two"]
    assert switcher(window).currentText() == "one"
    window.choose_language("en")


def test_one_that_cannot_be_read_does_not_keep_others_from_being_opened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    opened, paths = window.session.opened, (tmp_path / "gone", saved(tmp_path / "one"))
    with qtbot.waitSignal(opened.tokenizer_read):
        opened.open_all([TokenizerToOpen(TokenizerSource(path)) for path in paths], show_last=False)
    assert entries(window) == [RUN, "one"]
    assert switcher(window).currentText() == RUN
    assert "gone" in notice_text(window)


# -- projects ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", [RUN, "one", "two"])
def test_a_project_has_all_opened_tokenizers(qtbot: QtBot, window: MainWindow, tmp_path: Path, shown: str) -> None:
    open_all(qtbot, window.session, saved(tmp_path / "one"), saved(tmp_path / "two"))
    window.session.cursor.seek(5)
    choose(window, shown)
    step = window.session.cursor.position
    save_to(qtbot, window, tmp_path / "p.bpe.json")
    window.projects.new()
    assert window.session.opened.tokenizers == ()
    open_from(qtbot, window, tmp_path / "p.bpe.json")
    assert set(entries(window)) == {RUN, "one", "two"}
    assert switcher(window).currentText() == shown
    assert window.session.cursor.position == step
    choose(window, "two")
    assert window.session.cursor.position == 5
    assert not window.isWindowModified(), "looking at another one is no change"


# -- long reading -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HalfReadSource(TokenizerSource):
    """A source that reports 40 % until it is cancelled."""

    def read(self, progress: Progress = lambda _done, _total: None) -> ReadTokenizer:
        while True:
            progress(40, 100)


def test_reading_is_named_with_its_progress_and_can_be_cancelled(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.opened.open(HalfReadSource(Path("o200k_base.tiktoken")))
    qtbot.waitUntil(lambda: label_text(window, "activityLabel") == "Opening o200k_base.tiktoken… 40%")
    assert child(window, QProgressBar, "activityProgress").value() == 40
    session.cursor.step()  # the window goes on working
    assert session.cursor.position == RUN_STEP + 1
    child(window, QWidget, "cancelButton").setFocus()
    window.actions_by_name["cancel"].trigger()
    assert session.work.activity is Activity.IDLE
    assert session.opened.tokenizers == ()


def test_a_real_file_reports_its_progress(tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    read_tokenizer(TokenizerSource(saved(tmp_path / "it")), lambda done, total: reported.append((done, total)))
    assert reported == sorted(reported)
    assert len(reported) > 2


# -- recent files -----------------------------------------------------------------------------------------------------


def test_recent_tokenizers_are_listed_beside_projects(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    open_all(qtbot, window.session, saved(tmp_path / "one"))
    save_to(qtbot, window, tmp_path / "p.bpe.json")
    texts = [action.text() for action in recent_actions(window)]
    assert texts == [f"p.bpe.json in {tmp_path}\tproject", f"one in {tmp_path}\ttokenizer", "&Clear list"]
    window.session.opened.close()
    with qtbot.waitSignal(window.session.opened.tokenizer_read):
        recent_actions(window)[1].trigger()
    assert entries(window) == [RUN, "one"]
    (tmp_path / "one").rename(tmp_path / "moved")
    assert recent_actions(window)[0].text() == f"one in {tmp_path}\ttokenizer, missing"
    recent_actions(window)[0].trigger()
    assert notice_text(window) == f"{tmp_path / 'one'} cannot be found."
    bar = child(window, QWidget, "noticeBar")
    next(button for button in bar.findChildren(QPushButton) if button.text() == "Remove from list").click()
    assert Settings().recent_files == (tmp_path / "p.bpe.json",)
