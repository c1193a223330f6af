"""Nothing is cut off or clipped on any page: in narrow and wide fonts, in either language, in small windows."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from PySide6.QtWidgets import QLabel, QMenu, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import PRESETS, ReadTokenizer, TextDocument, TokenizerSource, load, save, train
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.chat import Message
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.tools.comparison.compared import ComparedTokenizers
from bpe_gui.samples import default_sample, samples
from tests.gui.support.fitting import assert_fits, each_font, enough_for
from tests.gui.support.widgets import child, label_text

SIZES = ((960, 720), (1280, 800))

Show = Callable[[MainWindow], None]


def first(window: MainWindow) -> None:
    """Show what the window opens with."""
    window.choose_workspace("explore")
    window.open_sample(default_sample())


def learn(window: MainWindow) -> None:
    window.choose_workspace("learn")


def splitter_and_notice(window: MainWindow) -> None:
    window.choose_workspace("explore")
    window.session.corpus.set_recipe(PRESETS["minbpe"])
    window.session.restart()
    child(window, QToolButton, "splitterColorsButton").setChecked(True)
    window.copy_diagnostics()


def empty_corpus(window: MainWindow) -> None:
    child(window, QToolButton, "splitterColorsButton").setChecked(False)
    window.actions_by_name["new_project"].trigger()
    window.session.corpus.set_documents([])


def step_180(window: MainWindow) -> None:
    window.choose_workspace("explore")
    window.session.show_branch(window.session.branches.main)
    window.session.cursor.seek(180)


def branches(window: MainWindow) -> None:
    window.session.show_branch(window.session.branches.all[-1])


def opened_tokenizer(window: MainWindow) -> None:
    window.session.opened.show(window.session.opened.tokenizers[0])


def chat(window: MainWindow) -> None:
    child(window, QToolButton, "chatButton").setChecked(True)


def compare(window: MainWindow) -> None:
    step_180(window)
    window.actions_by_name["compare"].trigger()
    child(window, QTabWidget, "comparisonPages").setCurrentIndex(0)


def report(window: MainWindow) -> None:
    window.actions_by_name["report"].trigger()


def assert_fits_in_each_font_and_language(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, states: tuple[Show, ...]
) -> None:
    for font in each_font(monkeypatch):
        for language in ("zh_CN", "en"):
            window.choose_workspace("explore")
            window.choose_language(language)
            for show in states:
                show(window)
                assert_fits_on_every_page(window, f"{show.__name__}, {font} font, {language}")


def test_nothing_is_cut(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_fits_in_each_font_and_language(window, monkeypatch, (first, learn, splitter_and_notice, empty_corpus))


def test_nothing_is_cut_where_there_is_a_lot(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, actions = window.session, window.actions_by_name
    window.open_sample(next(each for each in samples() if each.path.stem == "how-machines-read"))
    window.train()
    qtbot.waitUntil(lambda: session.cursor.run_length >= 500 and not session.run.is_training)
    actions["compare"].trigger()
    menu = child(window, QMenu, "addComparedMenu")
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.objectName() == "addLastStepAction").trigger()
    window.choose_workspace("explore")
    for number in (2, 3):
        session.show_branch(session.branches.main)
        session.cursor.seek(20)
        actions["ban_pair"].trigger()
        qtbot.waitUntil(lambda: len(session.branches.all) == number)  # noqa: B023
    actions["compare_branch"].trigger()
    qtbot.waitUntil(lambda: all(child(window, QLabel, f"comparedNumbers{letter}").text() for letter in "ABCD"))
    save(train("low lower lowest newer newest wider widest " * 3, num_merges=8), tmp_path / "gpt2", "gpt2")
    with qtbot.waitSignal(session.opened.tokenizer_read):
        session.opened.open(TokenizerSource(tmp_path / "gpt2"))

    def compare_all(window: MainWindow) -> None:
        compare(window)
        qtbot.waitUntil(child(window, SentenceLabel, "pairSteps").isVisible)

    states = (step_180, branches, opened_tokenizer, compare_all, report)
    assert_fits_in_each_font_and_language(window, monkeypatch, states)


def test_nothing_is_cut_in_a_chat(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_fits_in_each_font_and_language(window, monkeypatch, (chat,))
    templates = {"default": "{{ raise_exception('system messages are not known to this model') }}", "tool_use": "x"}
    tokenizer = train("low lower", num_merges=2).with_config(TokenizerConfig({"chat_template": templates}))
    save(tokenizer, tmp_path / "model", "transformers")
    window.session.chat.messages.append(Message("developer", "low lower lowest " * 30))
    with qtbot.waitSignal(window.session.opened.tokenizer_read):
        window.session.opened.open(TokenizerSource(tmp_path / "model"))
    model = load(tmp_path / "model")

    def chat_that_fails(window: MainWindow) -> None:
        chat(window)
        qtbot.waitUntil(lambda: "system" in label_text(window, "chatReason"))

    def compare_chats(window: MainWindow) -> None:
        window.actions_by_name["compare"].trigger()
        for name in "bcd":
            source = TokenizerSource(tmp_path / name)
            opened = OpenedTokenizer(ReadTokenizer(model, source, "transformers"))
            window.findChildren(ComparedTokenizers)[0].add_opened(opened)
        child(window, QTabWidget, "comparisonPages").setCurrentIndex(2)
        qtbot.waitUntil(lambda: all("system" in label_text(window, f"chatReason{letter}") for letter in "ABCD"))

    assert_fits_in_each_font_and_language(window, monkeypatch, (chat_that_fails, compare_chats))


def test_nothing_is_cut_with_large_numbers(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    letters = Random(1)
    words = ("".join(letters.choices("abcdefghijklmnop", k=12)) for _ in range(60_000))
    text = TextDocument(f"{' '.join(words)}{' th' * 100_000}")
    corpus, cursor = window.session.corpus, window.session.cursor
    corpus.set_recipe(PRESETS["cs336"])
    corpus.set_vocab_size(100_257)
    corpus.set_documents([CorpusDocument("Random words", text, weight=Fraction(1000))])
    window.session.restart()
    qtbot.waitUntil(lambda: cursor.next_merge is not None and cursor.next_merge.count == 100_000_000)
    window.train()
    qtbot.waitUntil(lambda: cursor.run_length == 100_000 and not window.session.run.is_training)
    for font in each_font(monkeypatch):
        window.choose_language("en")
        for position in (0, 99_999):
            cursor.seek(position)
            assert_fits_on_every_page(window, f"{font} font, step {position}")


def assert_fits_on_every_page(window: MainWindow, case: str) -> None:
    for size in SIZES:
        window.resize(*size)
        for page in pages(window):
            assert_fits(window, f"{case}, {size[0]}×{size[1]}, {page}")
            assert window.size() == enough_for(window, size), case


def pages(window: MainWindow) -> Iterator[str]:
    """Show each page of each visible tab widget once, and yield its title; at least once in all."""
    yield "as it is"
    for tabs in window.findChildren(QTabWidget):
        if tabs.isVisible():
            before = tabs.currentIndex()
            for index in range(tabs.count()):
                tabs.setCurrentIndex(index)
                yield tabs.tabText(index)
            tabs.setCurrentIndex(before)
