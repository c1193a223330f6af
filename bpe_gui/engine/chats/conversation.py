"""The messages of a chat: check and render them, and find in the rendered text what was said in which message."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from os.path import commonprefix
from secrets import randbelow
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int64Array, IntegerArray
from bpe_gui.engine.text.utf8 import check_surrogates

from .renderer import Allowance, rendered

_MEDIA: Final = ("image", "video", "audio", "file")
_REASONING: Final = ("reasoning_content", "thinking", "reasoning")
"""The names of what a model thought before it answered; a template knows the first, or the second."""

_DEFAULT: Final = "default"
_FOR_TOOLS: Final = "tool_use"
_MOST_SINGLY: Final = 100  # messages that are marked one by one, if marks in all of them change the text
_CORE: Final = re.compile(r"\S(?:.*\S)?", re.DOTALL)

Message = dict[str, Any]


def chosen_template(templates: Mapping[str, str], name: str | None, tools: object) -> str:
    """Return the template with this name, or for None the one that `transformers` takes.

    Raise TokenizerError, also for tools that are not a list, as a file of messages may have them.

    >>> chosen_template({"default": "D", "tool_use": "T"}, None, tools=[{}])
    'T'
    """
    if not templates:
        raise TokenizerError(
            "This tokenizer has no chat template. A model's folder has one in chat_template.jinja or "
            "tokenizer_config.json."
        )
    if tools is not None and not isinstance(tools, list | tuple):
        raise TokenizerError("The tools must be a list of JSON schemas, not {given}.", given=type(tools).__name__)
    if name is None:
        name = _FOR_TOOLS if tools is not None and _FOR_TOOLS in templates else _DEFAULT
        name = next(iter(templates)) if len(templates) == 1 else name
    if name not in templates:
        raise TokenizerError(
            "There is no chat template {name!r}. This tokenizer has {names}.", name=name, names=tuple(sorted(templates))
        )
    return templates[name]


class Said(NamedTuple):
    """The bytes [`start`, `stop`) of a rendered chat, which were said in the message with this index."""

    message: int
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class ChatText:
    """The text that a chat template makes of messages and other variables.

    Raise TokenizerError for messages that are not text, and for a template that fails; see `renderer`.

    >>> template = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    >>> chat = ChatText(template, [{"role": "u", "content": "low"}, {"role": "bot", "content": "lower"}])
    >>> chat.text, chat.said
    ('<u>low<bot>lower', (Said(message=0, start=3, stop=6), Said(message=1, start=11, stop=16)))
    """

    template: str
    messages: Sequence[Any]
    variables: Mapping[str, Any] = field(default_factory=dict)
    special_tokens: Collection[str] = ()

    def __post_init__(self) -> None:
        check_surrogates(self.text, error=TokenizerError)

    @cached_property
    def text(self) -> str:
        return self._rendered(self._checked)

    @cached_property
    def special(self) -> list[tuple[int, str]]:
        """The special tokens that somebody has written in a message, each after the index of the message."""
        said = [(index, text) for index, message in enumerate(self._checked) for text in _texts_of(message)]
        return [(index, token) for index, text in said for token in self.special_tokens if token in text]

    @property
    def said(self) -> tuple[Said, ...]:
        """The parts of the text that come from messages, in order; the template added the rest."""
        return self._told_apart[0]

    @property
    def untold(self) -> tuple[int, ...]:
        """The indices of messages that cannot be told apart from what the template added."""
        return self._told_apart[1]

    def messages_at(self, offsets: IntegerArray) -> Int64Array:
        """Return for each byte offset the index of the message that was said there, or -1 for the template."""
        if not self.said:
            return np.full(len(offsets), -1, np.int64)
        messages, starts, stops = np.array(self.said, np.int64).T
        index = np.searchsorted(starts, offsets, "right") - 1
        return np.where((index >= 0) & (offsets < stops[index]), messages[index], -1)

    def _rendered(self, messages: list[Message], allowance: Allowance | None = None) -> str:
        return rendered(self.template, {**self.variables, "messages": messages}, allowance)

    @cached_property
    def _checked(self) -> list[Message]:
        """The messages as templates get them."""
        if not self.messages:
            raise TokenizerError("A chat needs at least one message.")
        return [_checked(message, number) for number, message in enumerate(self.messages, start=1)]

    @cached_property
    def _told_apart(self) -> tuple[tuple[Said, ...], tuple[int, ...]]:
        """The parts of the text that come from messages, and the indices of messages that cannot be told apart.

        The messages are rendered again, with marks around what they say that nobody can guess. If the text without the
        marks is the same, they have changed nothing, so what is between them was said. A template may trim what is
        said, so marks are put around all of it, or else around all but the white space at its ends.
        """
        allowance, untold = Allowance(), list[int]()
        wanted = [index for index, message in enumerate(self._checked) if any(map(str.strip, _texts_of(message)))]

        def found(among: Collection[int]) -> list[Said] | None:
            for trims in (False, True):
                marks = _Marks(trims)
                marked = [marks.around(m, i) if i in among else m for i, m in enumerate(self._checked)]
                try:
                    text = self._rendered(marked, allowance)
                except TokenizerError:  # such as a template that refuses what it does not know
                    continue
                if (spans := marks.spans(text, self.text)) is not None:
                    return spans
            return None

        spans = found(wanted)
        if spans is None:
            singly = {index: found([index]) if len(wanted) <= _MOST_SINGLY else None for index in wanted}
            untold = [index for index, own in singly.items() if own is None]
            spans = [each for own in singly.values() for each in own or ()]
        sizes = [0, *accumulate(len(character.encode()) for character in self.text)]
        said = (Said(message, sizes[start], sizes[stop]) for message, start, stop in spans)
        return tuple(sorted(said, key=lambda each: each.start)), tuple(untold)


def _checked(message: Any, number: int) -> Message:
    """Return a message as templates get it. Raise TokenizerError for what is not a message of text."""
    if not isinstance(message, Mapping):
        given = type(message).__name__
        raise TokenizerError(
            "Message {number} must be an object such as a dict, not {given}.", number=number, given=given
        )
    kept: Message = {name: value for name, value in message.items() if value is not None}
    content = kept.get("content")
    for part in content if isinstance(content, list | tuple) else ():
        is_text = not isinstance(part, Mapping) or "text" in part
        names = [] if is_text else [str(part.get("type", "")), *map(str, part)]
        if kind := next((name for name in names if any(media in name for media in _MEDIA)), None):
            raise TokenizerError(
                "Message {number} has a part of the type {kind!r}. Only text can be rendered, since the tokens of "
                "anything else are not the tokenizer's.",
                number=number,
                kind=kind,
            )
    thought = next((kept[name] for name in _REASONING if name in kept), None)
    return kept if thought is None else {"thinking": thought, **kept, _REASONING[0]: thought}


def _texts_of(message: Message) -> Iterator[str]:
    """Yield what a message says: its content, or the parts of it that are text."""
    content = message.get("content")
    for part in content if isinstance(content, list | tuple) else (content,):
        text = part.get("text") if isinstance(part, Mapping) else part
        if isinstance(text, str):
            yield text


class _Marks:
    """Marks of digits, which survive what templates usually do to a text, such as upper case and escapes."""

    def __init__(self, trims: bool) -> None:
        self._nonce = f"7{randbelow(10**24):024}"
        self._trims = trims
        self._marked: list[tuple[int, str]] = []
        """The message and the text of each pair of marks."""

    def around(self, message: Message, index: int) -> Message:
        """Return a message with marks in its content."""

        def marked(said: Any) -> Any:
            if isinstance(said, Mapping):
                return {**said, "text": marked(said.get("text"))} if "text" in said else said
            core = _CORE.search(said) if isinstance(said, str) else None
            if core is None:  # templates tell an empty text from others
                return said
            start, stop = core.span() if self._trims else (0, len(said))
            mark = f"{self._nonce}{len(self._marked):06}"
            self._marked.append((index, said[start:stop]))
            return f"{said[:start]}{mark}0{said[start:stop]}{mark}1{said[stop:]}"

        content = message["content"]
        is_whole = isinstance(content, str)
        return message | {"content": marked(content) if is_whole else [marked(part) for part in content]}

    def spans(self, marked: str, text: str) -> list[Said] | None:
        """Return what is between the marks, in characters of `text`; None if that differs from `marked` without marks.

        Where a template has cut off one mark of a pair, what is left of the content is compared with the text.
        """
        pieces = re.split(rf"{self._nonce}(\d{{6}})([01])", marked)
        if "".join(pieces[::3]) != text:
            return None
        spans, opened, place = list[Said](), dict[int, int](), 0
        for piece, number, side in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False):
            place += len(piece)
            message, said = self._marked[int(number)]
            if side == "0":
                opened[int(number)] = place
            elif (start := opened.pop(int(number), None)) is not None:
                spans.append(Said(message, start, place))
            else:
                spans.append(Said(message, place - _common(text[:place][::-1], said[::-1]), place))
        for number, place in opened.items():
            message, said = self._marked[number]
            spans.append(Said(message, place, place + _common(text[place:], said)))
        return spans


def _common(*texts: str) -> int:
    """Return how many characters texts have in common at their beginning, without white space at the end of these."""
    return len(commonprefix(texts).rstrip())  # noqa: RUF071 (it is not about paths)
