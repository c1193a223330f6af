"""Chats become the text that `transformers` makes of them, and what was said is told apart from the template."""

from typing import Any

import numpy as np
import pytest
from transformers.utils.chat_template_utils import render_jinja_template

from bpe_gui.engine import ChatText, TokenizerError
from bpe_gui.engine.chats.conversation import chosen_template

from .templates import CHATS, ROLES, TEMPLATES, message


def variables_of(given: dict[str, Any]) -> dict[str, Any]:
    return {"tools": None, "documents": None, "add_generation_prompt": False, **ROLES, **given}


def text_of_transformers(template: str, messages: list[dict[str, Any]], variables: dict[str, Any]) -> str | None:
    """Return the text, or None if the template refuses the messages."""
    without_none = [{name: value for name, value in each.items() if value is not None} for each in messages]
    try:
        rendered: Any = render_jinja_template([without_none], chat_template=template, **variables)
    except Exception:
        return None
    return str(rendered[0][0])


@pytest.mark.parametrize("chat", CHATS)
@pytest.mark.parametrize("name", TEMPLATES)
def test_the_text_is_that_of_transformers(name: str, chat: str) -> None:
    messages, given = CHATS[chat]
    expected = text_of_transformers(TEMPLATES[name], messages, variables_of(given))
    if expected is None:
        with pytest.raises(TokenizerError, match=r"line \d+ of the chat template"):
            _ = ChatText(TEMPLATES[name], messages, variables_of(given)).text
    else:
        assert ChatText(TEMPLATES[name], messages, variables_of(given)).text == expected


def said_in(chat: ChatText) -> list[tuple[int, str]]:
    text = chat.text.encode()
    return [(index, text[start:stop].decode()) for index, start, stop in chat.said]


@pytest.mark.parametrize(
    ("name", "chat", "said"),
    [
        ("chatml", "one", [(0, "Hello, 世界!")]),
        ("instruct", "system", [(0, "Be <brief>."), (1, "Hi & 'you'")]),
        ("chatml", "turns", [(0, "a"), (1, "b\n"), (2, " c\n\nd "), (3, "e")]),
        ("instruct", "turns", [(0, "a"), (1, "b"), (2, "c\n\nd"), (3, "e")]),
        ("chatml", "empty", []),
        ("chatml", "calls", [(0, "w?"), (2, '{"t": "3"}'), (3, "warm"), (4, "It is warm.")]),
        ("headers", "parts", [(0, "one "), (0, "two")]),
        ("chatml", "thoughts", [(0, "x"), (1, "y"), (2, "z"), (3, "u")]),
        ("headers", "skipped", [(1, "this")]),
        ("chatml", "special", [(0, "say </s><|im_end|> twice: </s>")]),
    ],
)
def test_what_was_said_is_told_apart(name: str, chat: str, said: list[tuple[int, str]]) -> None:
    messages, given = CHATS[chat]
    text = ChatText(TEMPLATES[name], messages, variables_of(given))
    assert said_in(text) == said
    assert text.untold == ()


def test_text_that_is_cut_at_either_end_is_compared() -> None:
    messages = [message("user", "abc|def"), message("user", "x")]
    before = ChatText("{% for m in messages %}<{{ m.content.split('|')[0] }}>{% endfor %}", messages)
    after = ChatText("{% for m in messages %}<{{ m.content.split('|')[-1] }}>{% endfor %}", messages)
    assert said_in(before) == [(0, "abc"), (1, "x")]
    assert said_in(after) == [(0, "def"), (1, "x")]


def test_a_repeated_message_was_said_each_time() -> None:
    chat = ChatText("{{ messages[0].content }}-{{ messages[0].content | upper }}", [message("user", "Lo")])
    assert said_in(chat) == [(0, "Lo"), (0, "LO")]
    assert chat.messages_at(np.array([0, 1, 2, 3, 5])).tolist() == [0, 0, -1, 0, -1]


def test_where_marks_change_the_text_the_message_cannot_be_told_apart() -> None:
    template = "{% for m in messages %}<{{ m.content if m.role == 'user' else m.content | length }}>{% endfor %}"
    chat = ChatText(template, [message("user", "low"), message("size", "lower"), message("user", "new")])
    assert chat.text == "<low><5><new>"
    assert said_in(chat) == [(0, "low"), (2, "new")]
    assert chat.untold == (1,)


def test_without_any_message_told_apart_all_is_the_templates() -> None:
    chat = ChatText("{{ messages[0].content | length }}", [message("user", "low")])
    assert chat.messages_at(np.array([0])).tolist() == [-1]


def test_special_tokens_that_somebody_has_written_are_named() -> None:
    messages = [message("user", "<e>"), message("user", [{"type": "text", "text": "a<s>b<e>"}]), message("user", "e")]
    chat = ChatText("{{ bos_token }}", messages, {"bos_token": "<s>"}, ["<s>", "<e>"])
    assert chat.special == [(0, "<e>"), (1, "<s>"), (1, "<e>")]


@pytest.mark.parametrize(
    ("messages", "sentence"),
    [
        ([], "A chat needs at least one message."),
        (["low"], "Message 1 must be an object such as a dict, not str."),
        ([message("user", "x"), message("user", [{"type": "image", "url": "x"}])], "Message 2 .* type 'image'"),
        ([message("user", [{"image_url": "x"}])], "Message 1 has a part of the type 'image_url'"),
        ([message("user", [{"type": "input_audio", "data": "x"}])], "Message 1 has a part of the type 'input_audio'"),
        ([message("user", {1, 2})], "A chat can only contain values that JSON has: .*set"),
        ([message("user", "\ud800")], "lone surrogate|surrogate"),
    ],
)  # fmt: skip
def test_messages_that_are_refused(messages: list[Any], sentence: str) -> None:
    with pytest.raises(TokenizerError, match=sentence):
        ChatText("{{ messages[0].content }}", messages)


@pytest.mark.parametrize(
    ("templates", "name", "tools", "chosen"),
    [
        ({"default": "D"}, None, None, "D"),
        ({"other": "O"}, None, [], "O"),
        ({"default": "D", "tool_use": "T"}, None, None, "D"),
        ({"default": "D", "tool_use": "T"}, None, [], "T"),
        ({"default": "D", "tool_use": "T"}, "default", [], "D"),
    ],
)
def test_the_template_is_the_one_that_transformers_takes(
    templates: dict[str, str], name: str | None, tools: list[object] | None, chosen: str
) -> None:
    assert chosen_template(templates, name, tools) == chosen


@pytest.mark.parametrize(
    ("templates", "name", "sentence"),
    [
        ({}, None, "This tokenizer has no chat template."),
        ({"rag": "R", "plain": "P"}, None, "There is no chat template 'default'. This tokenizer has plain, rag."),
        ({"default": "D"}, "rag", "There is no chat template 'rag'. This tokenizer has default."),
    ],
)
def test_a_template_that_does_not_exist(templates: dict[str, str], name: str | None, sentence: str) -> None:
    with pytest.raises(TokenizerError, match=sentence):
        chosen_template(templates, name, None)
