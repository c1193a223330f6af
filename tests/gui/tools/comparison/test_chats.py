"""One chat with several compared models."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QListWidget, QPlainTextEdit, QPushButton, QTabWidget, QToolButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TokenizerSource
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.chat import Message
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.tools.comparison.chats_panel import ChatsPanel
from bpe_gui.gui.tools.comparison.compare_page import ComparePage
from bpe_gui.gui.tools.comparison.compared import ComparedTokenizers
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from tests.gui.support.chats import MARKED, folder_with
from tests.gui.support.widgets import child, label_text

TEMPLATES = {"default": "{{ messages[-1].content }}", "loud": "{{ messages[-1].content | upper }}"}


@pytest.fixture
def panel(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> ChatsPanel:
    """Return the page for the run on screen and two models, one with two templates."""
    window.actions_by_name["compare"].trigger()
    tokenizers = window.findChildren(ComparedTokenizers)[0]
    add_model(tokenizers, folder_with(tmp_path / "marked", MARKED))
    add_model(tokenizers, folder_with(tmp_path / "two", TEMPLATES, num_merges=1))
    page = child(window, ComparePage, "compareWindow")
    child(page, QTabWidget, "comparisonPages").setCurrentIndex(2)
    panel = child(page, ChatsPanel, "comparedChats")
    wait_for(panel, "<user>Hello!<e><bot>", "Hello!", qtbot)
    return panel


def add_model(tokenizers: ComparedTokenizers, folder: Path) -> None:
    tokenizers.add_opened(OpenedTokenizer(TokenizerSource(folder).read()))


def wait_for(panel: ChatsPanel, second: str, third: str, qtbot: QtBot) -> None:
    """Wait until the models read these texts and their numbers are known."""

    def is_shown() -> bool:
        texts = [child(panel, TokenEdit, f"chatText{letter}").toPlainText() for letter in "BC"]
        return texts == [second, third] and all(label_text(panel, f"chatSummary{letter}") for letter in "BC")

    qtbot.waitUntil(is_shown)


def counts(panel: ChatsPanel) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel, "messageTokens")]


def test_each_model_reads_the_same_messages(panel: ChatsPanel, window: MainWindow, qtbot: QtBot) -> None:
    assert child(panel, QLabel, "chatReasonA").isVisible()  # the run has no template
    child(panel, QPlainTextEdit, "messageText").setPlainText("lowlow")
    wait_for(panel, "<user>lowlow<e><bot>", "lowlow", qtbot)
    assert counts(panel) == ["B 2 · C 4"]
    assert label_text(panel, "chatSummaryB") == "14 tokens: 2 in messages, 12 added by the template"
    assert window.session.chat.messages == [Message("user", "lowlow")]


def test_a_chosen_template_is_used_where_there_is_one(panel: ChatsPanel, qtbot: QtBot) -> None:
    assert not child(panel, QComboBox, "chatTemplateBoxB").isVisible()
    box = child(panel, QComboBox, "chatTemplateBoxC")
    box.setCurrentText("loud")
    box.activated.emit(box.currentIndex())
    wait_for(panel, "<user>Hello!<e><bot>", "HELLO!", qtbot)


def test_both_places_show_the_messages_typed_in_either(panel: ChatsPanel, window: MainWindow, qtbot: QtBot) -> None:
    child(panel, QPushButton, "addMessageButton").click()
    second = panel.findChildren(QPlainTextEdit, "messageText")[1]
    second.setPlainText("low")
    wait_for(panel, "<user>Hello!<e><assistant>low<e><bot>", "low", qtbot)
    window.actions_by_name["explore"].trigger()
    child(window, QToolButton, "chatButton").click()
    explored = [each for each in window.findChildren(QPlainTextEdit, "messageText") if not panel.isAncestorOf(each)]
    assert [each.toPlainText() for each in explored] == ["Hello!", "low"]
    explored[1].setPlainText("lower")
    assert second.toPlainText() == "lower"


def test_a_column_goes_with_its_tokenizer(panel: ChatsPanel, window: MainWindow, qtbot: QtBot) -> None:
    tokenizers = window.findChildren(ComparedTokenizers)[0]
    tokenizers.set_shown(tokenizers.items[1], False)
    tokenizers.remove(tokenizers.items[1])
    qtbot.waitUntil(lambda: child(window, QListWidget, "comparedList").count() == 2)
    assert label_text(panel, "comparedChatTitleC") == "B  two"
    qtbot.waitUntil(lambda: counts(panel) == ["B 6"])
