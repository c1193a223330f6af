"""Chatting with a model in the window: messages, what its template makes of them, and how many tokens they take."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QPlainTextEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TokenizerSource
from bpe_gui.gui.chats.chat_view import ChatPage
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.panels.encode_panel import EncodePanel
from bpe_gui.gui.session.chat import Message
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.tokens import ColorMode
from tests.gui.support.chats import MARKED, folder_with
from tests.gui.support.panels import sample_session, shown_encode_panel
from tests.gui.support.widgets import child


def opened(session: Session, folder: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(session.opened.tokenizer_read):
        session.opened.open(TokenizerSource(folder))


@pytest.fixture
def session(qapp: object) -> Session:
    return sample_session()


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> EncodePanel:
    panel = shown_encode_panel(session, qtbot, 400, 640)
    child(panel, QToolButton, "chatButton").click()
    return panel


@pytest.fixture
def page(panel: EncodePanel, session: Session, qtbot: QtBot, tmp_path: Path) -> ChatPage:
    """Return the page for a model whose template marks each message."""
    opened(session, folder_with(tmp_path / "model", MARKED), qtbot)
    page = child(panel, ChatPage, "chatPage")
    wait_for(page, "<user>Hello!<e><bot>", qtbot)
    return page


def wait_for(page: ChatPage, text: str, qtbot: QtBot) -> None:
    """Wait until the page shows a text and its numbers."""
    edit, summary = child(page, TokenEdit, "chatText"), child(page, QLabel, "chatSummary")
    qtbot.waitUntil(lambda: edit.toPlainText() == text and (not text or bool(summary.text())))


def rows(page: ChatPage, kind: type[QWidget], name: str) -> list[QWidget]:
    return page.findChildren(kind, name)


def write(page: ChatPage, index: int, text: str) -> None:
    edit = rows(page, QPlainTextEdit, "messageText")[index]
    assert isinstance(edit, QPlainTextEdit)
    edit.setPlainText(text)


def counts(page: ChatPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel, "messageTokens")]


def test_what_is_typed_is_wrapped_and_counted(page: ChatPage, session: Session, qtbot: QtBot) -> None:
    write(page, 0, "lowlow")
    wait_for(page, "<user>lowlow<e><bot>", qtbot)
    assert counts(page) == ["2 tokens"]
    assert child(page, QLabel, "chatSummary").text() == "14 tokens: 2 in messages, 12 added by the template"
    assert session.chat.messages == [Message("user", "lowlow")]


def test_messages_are_added_and_removed(page: ChatPage, session: Session, qtbot: QtBot) -> None:
    assert not child(page, QToolButton, "removeMessageButton").isEnabled()
    child(page, QPushButton, "addMessageButton").click()
    write(page, 1, "low")
    wait_for(page, "<user>Hello!<e><assistant>low<e><bot>", qtbot)
    assert counts(page) == ["6 tokens", "1 token"]
    role = rows(page, QComboBox, "messageRole")[1]
    assert isinstance(role, QComboBox)
    role.setCurrentText("tool")
    wait_for(page, "<user>Hello!<e><tool>low<e><bot>", qtbot)
    page.findChildren(QToolButton, "removeMessageButton")[0].click()
    wait_for(page, "<tool>low<e><bot>", qtbot)
    assert session.chat.messages == [Message("tool", "low")]
    assert counts(page) == ["1 token"]


def test_the_start_of_an_answer_is_a_choice(page: ChatPage, qtbot: QtBot) -> None:
    child(page, QCheckBox, "chatAnswerBox").click()
    wait_for(page, "<user>Hello!<e>", qtbot)


def test_what_the_template_added_is_grey_and_each_message_has_a_colour(page: ChatPage, qtbot: QtBot) -> None:
    child(page, QPushButton, "addMessageButton").click()
    write(page, 1, "lowlow")
    text = "<user>Hello!<e><assistant>lowlow<e><bot>"
    wait_for(page, text, qtbot)
    source = child(page, TokenEdit, "chatText").tokens.source
    tokens, shades = source.colored(0, len(text), 8, ColorMode.BY_SPLITTER)
    of = {int(start): int(shade) for start, shade in zip(tokens.starts, shades, strict=True)}
    assert {of[text.index("<user>")], of[text.index("<assistant>")], of[text.index("<bot>")]} == {16}
    first, second = text.index("lowlow"), text.index("lowlow") + 3
    assert {of[first], of[second]} == {1, 9}
    assert of[text.index("Hello")] in {0, 8}


def test_a_special_token_in_a_message_is_said(page: ChatPage, qtbot: QtBot) -> None:
    write(page, 0, "x<e>")
    wait_for(page, "<user>x<e><e><bot>", qtbot)
    warning = child(page, QLabel, "chatWarning")
    assert warning.text() == "Message 1 has <e> in its text, which becomes the special token."
    write(page, 0, "x")
    wait_for(page, "<user>x<e><bot>", qtbot)
    assert not warning.isVisible()


def test_a_template_that_fails_says_where_and_the_next_one_is_shown(
    page: ChatPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    templates = {"default": "\n{{ raise_exception('no chats') }}", "plain": "{{ messages[0].content }}"}
    opened(session, folder_with(tmp_path / "other", templates), qtbot)
    reason = child(page, QLabel, "chatReason")
    qtbot.waitUntil(lambda: "line 2" in reason.text())
    assert "no chats" in reason.text()
    assert not child(page, TokenEdit, "chatText").isVisible()
    assert counts(page) == [""]
    box = child(page, QComboBox, "chatTemplateBox")
    assert (box.isVisible(), box.currentText()) == (True, "default")
    box.setCurrentIndex(box.findText("plain"))
    box.activated.emit(box.currentIndex())
    wait_for(page, "Hello!", qtbot)
    assert not reason.isVisible()


def test_without_a_default_the_first_template_is_shown(
    page: ChatPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(session, folder_with(tmp_path / "other", {"one": "1", "two": "2"}), qtbot)
    wait_for(page, "1", qtbot)
    assert child(page, QComboBox, "chatTemplateBox").currentText() == "one"


def test_a_message_that_cannot_be_told_apart_has_no_number(
    page: ChatPage, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(session, folder_with(tmp_path / "other", "{{ messages[0].content | length }}"), qtbot)
    wait_for(page, "6", qtbot)
    assert counts(page) == [""]
    assert "these messages say" in child(page, QLabel, "chatWarning").text()


def test_a_tokenizer_without_a_template_says_so(
    panel: EncodePanel, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    reason = child(panel, QLabel, "chatReason")
    assert reason.isVisible()
    assert "has no chat template" in reason.text()
    assert not child(panel, QWidget, "chatMessages").isVisible()
    opened(session, folder_with(tmp_path / "model", MARKED), qtbot)
    qtbot.waitUntil(lambda: not reason.isVisible())
    assert child(panel, QWidget, "chatMessages").isVisible()


def test_the_button_switches_between_text_and_chat(panel: EncodePanel, session: Session, qtbot: QtBot) -> None:
    button, text = child(panel, QToolButton, "chatButton"), child(panel, QWidget, "tokenView")
    assert not text.isVisible()
    button.click()
    assert text.isVisible()
    assert not session.chat.is_shown
    button.click()
    session.selection.occurrence_wanted.emit()
    assert text.isVisible()


def test_typing_does_not_scroll_the_text(page: ChatPage, qtbot: QtBot) -> None:
    write(page, 0, "low\n" * 100)
    wait_for(page, "<user>" + "low\n" * 100 + "<e><bot>", qtbot)
    bar = child(page, TokenEdit, "chatText").verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    assert before > 0
    write(page, 0, "low\n" * 100 + "lower")
    wait_for(page, "<user>" + "low\n" * 100 + "lower<e><bot>", qtbot)
    assert bar.value() == before


def test_tab_goes_from_message_to_message_to_the_text(page: ChatPage) -> None:
    add, edit = child(page, QPushButton, "addMessageButton"), child(page, TokenEdit, "chatText")
    add.click()
    first, second = rows(page, QPlainTextEdit, "messageText")
    roles = rows(page, QComboBox, "messageRole")
    chain = [first]
    while (following := chain[-1].nextInFocusChain()) is not first and following is not None:
        chain.append(following)
    order = [
        chain.index(each) for each in (first, roles[1], second, add, child(page, QCheckBox, "chatAnswerBox"), edit)
    ]
    assert order == sorted(order)


def test_the_text_can_only_be_read(page: ChatPage) -> None:
    edit = child(page, TokenEdit, "chatText")
    assert edit.isReadOnly()
    assert edit.accessibleName() == "What the model reads"
    assert [each.accessibleName() for each in rows(page, QPlainTextEdit, "messageText")] == ["Text of message 1"]
    assert [each.accessibleName() for each in rows(page, QComboBox, "messageRole")] == ["Role of message 1"]


def test_the_chat_stays_in_another_language(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened(window.session, folder_with(tmp_path / "model", MARKED), qtbot)
    child(window, QToolButton, "chatButton").click()
    page = child(window, ChatPage, "chatPage")
    write(page, 0, "low")
    wait_for(page, "<user>low<e><bot>", qtbot)
    window.choose_language("zh_CN")
    page = child(window, ChatPage, "chatPage")
    assert page.isVisible()
    wait_for(page, "<user>low<e><bot>", qtbot)
    assert child(window, QToolButton, "chatButton").isChecked()


def test_searching_the_text_shows_it(window: MainWindow) -> None:
    child(window, QToolButton, "chatButton").click()
    child(window, QToolButton, "chatButton").setFocus()
    window.actions_by_name["find"].trigger()
    assert child(window, QWidget, "tokenView").isVisible()
