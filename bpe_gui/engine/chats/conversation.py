"""Check the messages of a chat, render them, and find in the rendered text what was said in which message."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from os.path import commonprefix
from secrets import randbelow
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.arguments import type_name
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.utf8 import check_surrogates

from .renderer import SECONDS, rendered

_MEDIA: Final = ("image", "video", "audio", "file")
_REASONING: Final = ("reasoning_content", "thinking", "reasoning")
"""The names of what a model thought before it answered; templates know the first, or the second."""

_DEFAULT: Final = "default"
_FOR_TOOLS: Final = "tool_use"
_MOST_SINGLY: Final = 100  # messages that are marked one by one, if marking all changes the text
_NONCE: Final = 10**24
_CORE: Final = re.compile(r"\S(?:.*\S)?", re.DOTALL)

Messages = list[dict[str, Any]]


class Said(NamedTuple):
    """The bytes [`start`, `stop`) of a rendered chat, which are what was said in the message with this index."""

    message: int
    start: int
    stop: int


@dataclass(frozen=True)
class ChatText:
    """A rendered chat. `said` is in the order of the text, and all else was added by the template."""

    text: str
    said: tuple[Said, ...] = ()
    untold: tuple[int, ...] = ()
    """The indices of messages that cannot be told apart from what the template added."""
    special: tuple[tuple[int, str], ...] = ()
    """The special tokens that somebody has written in a message, each after the index of the message."""

    def messages_at(self, offsets: Int64Array) -> Int64Array:
        """Return for each byte offset the index of the message that was said there, or -1 for the template.

        >>> ChatText("<u>low</u>", (Said(0, 3, 6),)).messages_at(np.array([0, 3, 6])).tolist()
        [-1, 0, -1]
        """
        if not self.said:
            return np.full(len(offsets), -1, np.int64)
        messages, starts, stops = np.array(self.said, np.int64).T
        index = np.searchsorted(starts, offsets, "right") - 1
        return np.where((index >= 0) & (offsets < stops[index]), messages[index], -1)


def chosen_template(templates: Mapping[str, str], name: str | None, tools: object) -> str:
    """Return the template with this name, or for None the one that `transformers` takes. Raise TokenizerError.

    >>> chosen_template({"default": "D", "tool_use": "T"}, None, tools=[{}])
    'T'
    """
    if not templates:
        raise TokenizerError(
            "This tokenizer has no chat template. Its folder needs a chat_template.jinja, or a tokenizer_config.json "
            "with one."
        )
    if name is None:
        name = _FOR_TOOLS if tools is not None and _FOR_TOOLS in templates else _DEFAULT
        name = next(iter(templates)) if len(templates) == 1 else name
    if name not in templates:
        raise TokenizerError(
            "There is no chat template {name!r}. The chat templates of this tokenizer are {names}.",
            name=name,
            names=tuple(sorted(templates)),
        )
    return templates[name]


def render_chat(
    template: str, messages: Sequence[Any], variables: Mapping[str, Any], special_tokens: Sequence[str] | None = None
) -> ChatText:
    """Return the text that a template makes of messages and other variables.

    With `special_tokens`, say what of it was said, and which of these tokens somebody has written.

    Raise TokenizerError for messages that are none, and for a template that fails; see `renderer`.

    >>> chat = render_chat("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}", [
    ...     {"role": "user", "content": "low"}, {"role": "bot", "content": "lower"}], {}, [])
    >>> chat.text, [chat.text[said.start : said.stop] for said in chat.said]
    ('<user>low<bot>lower', ['low', 'lower'])
    """
    checked = _checked(messages)
    text = rendered(template, {**variables, "messages": checked})
    check_surrogates(text, error=TokenizerError)
    if special_tokens is None:
        return ChatText(text)
    end = monotonic() + SECONDS

    def render(marked: Messages) -> str | None:
        try:
            return rendered(template, {**variables, "messages": marked}, end - monotonic())
        except TokenizerError:
            return None

    written = ((i, t) for i, m in enumerate(checked) for t in special_tokens if any(t in said for said in _texts_of(m)))
    return replace(_told_apart(text, checked, render), special=tuple(written))


# -- messages ----------------------------------------------------------------------------------------------------------


def _checked(messages: Sequence[Any]) -> Messages:
    """Return messages as templates get them. Raise TokenizerError for what is not a message of text."""
    if not messages:
        raise TokenizerError("A chat has at least one message.")
    checked: Messages = []
    for number, given in enumerate(messages, start=1):
        if not isinstance(given, Mapping):
            raise TokenizerError(
                "Message {number} must be an object with a role and a content, not {given}.",
                number=number,
                given=type_name(given),
            )
        kept = {name: value for name, value in given.items() if value is not None}
        _check_is_text(kept.get("content"), number)
        thought = next((kept[name] for name in _REASONING if name in kept), None)
        checked.append(kept if thought is None else {"thinking": thought, **kept, _REASONING[0]: thought})
    return checked


def _check_is_text(content: object, number: int) -> None:
    """Refuse images and other media, whose tokens depend on more than the tokenizer."""
    for part in content if isinstance(content, list) else ():
        kind = str(part.get("type", "")) if isinstance(part, dict) else ""
        names = [kind, *part] if isinstance(part, dict) and "text" not in part else [kind]
        if any(media in str(name) for name in names for media in _MEDIA):
            raise TokenizerError(
                "Message {number} has a part of the type {kind!r}. Only text can be rendered: how many tokens others "
                "take is not up to the tokenizer.",
                number=number,
                kind=kind or str(next(iter(part))),
            )


# -- what was said -----------------------------------------------------------------------------------------------------


def _told_apart(text: str, messages: Messages, render: Callable[[Messages], str | None]) -> ChatText:
    """Find what was said: render the messages again, with marks around it that nobody can guess.

    If the text without the marks is the same, they have changed nothing, so what is between them was said.
    """
    wanted = [index for index, message in enumerate(messages) if any(map(str.strip, _texts_of(message)))]
    spans, untold = _found(text, messages, wanted, render), list[int]()
    if spans is None:
        spans = []
        for index in wanted:
            found = _found(text, messages, [index], render) if len(wanted) <= _MOST_SINGLY else None
            untold += [index] if found is None else []
            spans += found or []
    sizes = [0, *accumulate(len(character.encode()) for character in text)]
    said = sorted(Said(message, sizes[start], sizes[stop]) for message, start, stop in spans)
    return ChatText(text, tuple(sorted(said, key=lambda each: each.start)), tuple(untold))


def _texts_of(message: Mapping[str, Any]) -> list[str]:
    """Return what a message says: its content, or the parts of it that are text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return [text for text in texts if isinstance(text, str)]


def _found(
    text: str, messages: Messages, wanted: Sequence[int], render: Callable[[Messages], str | None]
) -> list[Said] | None:
    """Return what some messages say in the text, in characters; None if marks around it change the text.

    Marks are put around all of it, or if a template trims it, around all but the white space at its ends.
    """
    for trims in (False, True):
        marks = _Marks(trims)
        marked = render([marks.around(message, i) if i in wanted else message for i, message in enumerate(messages)])
        if marked is not None and (spans := marks.spans(marked, text)) is not None:
            return spans
    return None


class _Marks:
    """Marks of digits, which survive all that templates usually do to a text, such as upper case and escapes."""

    def __init__(self, trims: bool) -> None:
        self._nonce = f"7{randbelow(_NONCE):024}"
        self._trims = trims
        self._marked: list[tuple[int, str]] = []
        """The message and the text of each pair of marks."""

    def around(self, message: dict[str, Any], index: int) -> dict[str, Any]:
        """Return a message with marks in its content."""
        mark, content = partial(self._mark, index), message["content"]
        if isinstance(content, str):
            return message | {"content": mark(content)}
        parts = [
            part | {"text": mark(part["text"])} if isinstance(part, dict) and isinstance(part.get("text"), str)
            else mark(part) if isinstance(part, str) else part
            for part in content
        ]  # fmt: skip
        return message | {"content": parts}

    def _mark(self, index: int, text: str) -> str:
        core = _CORE.search(text)
        if core is None:  # templates tell an empty text from others
            return text
        start, stop = core.span() if self._trims else (0, len(text))
        pair = f"{self._nonce}{len(self._marked):06}"
        self._marked.append((index, text[start:stop]))
        return f"{text[:start]}{pair}0{text[start:stop]}{pair}1{text[stop:]}"

    def spans(self, marked: str, text: str) -> list[Said] | None:
        """Return what is between the marks of a text; None if it differs from the text without marks.

        Where a template has cut off what is before or after one mark of a pair, what is left is compared.
        """
        pieces = re.split(rf"{self._nonce}(\d{{6}})([01])", marked)
        if "".join(pieces[::3]) != text:
            return None
        spans, opened = list[Said](), dict[int, int]()
        places = accumulate(map(len, pieces[::3]))
        for place, pair, is_end in zip(places, map(int, pieces[1::3]), map("1".__eq__, pieces[2::3]), strict=False):
            message, said = self._marked[pair]
            if not is_end:
                opened[pair] = place
            elif pair in opened:
                spans.append(Said(message, opened.pop(pair), place))
            else:
                common = commonprefix([text[:place][::-1], said[::-1]])  # noqa: RUF071 (of characters)
                spans.append(Said(message, place - len(common), place))
        for pair, place in opened.items():
            message, said = self._marked[pair]
            common = commonprefix([text[place:], said])  # noqa: RUF071
            spans.append(Said(message, place, place + len(common)))
        return spans
