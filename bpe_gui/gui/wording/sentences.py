"""Sentences that contain tokens and steps, painted as chips and links, and read out as plain text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Final

from bpe_gui.engine.runtime import token_in_sentence

from .numbers import number

_MOST_CHARACTERS: Final = 60  # of a token or a text in a sentence
_MOST_TOKENS: Final = 12  # in a row


@dataclass(frozen=True, slots=True)
class ShownToken:
    """A token; `has_marker`: a `</w>` is the end-of-word marker, not text."""

    token: bytes
    is_special: bool = False
    has_marker: bool = False


@dataclass(frozen=True, slots=True)
class ShownStep:
    """The number of a step, shown as a link to it."""

    step: int


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Quoted text, in the font of tokens."""

    text: str


Piece = str | ShownToken | ShownStep | Verbatim


@dataclass(frozen=True, slots=True)
class Sentence:
    """A translated sentence with names in braces, and a piece or a row of tokens for each name.

    >>> Sentence("Step {step} made {token}.", {"step": ShownStep(10), "token": ShownToken(b" a")}).plain
    'Step 10 made ·a.'
    """

    template: str
    values: Mapping[str, Piece | tuple[ShownToken, ...]] = field(default_factory=dict)

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces of the sentence from beginning to end."""
        for text, name, _spec, _conversion in Formatter().parse(self.template):
            yield text
            value = self.values[name] if name is not None else ""
            if isinstance(value, tuple):
                yield from value[:_MOST_TOKENS]
                yield " …" if len(value) > _MOST_TOKENS else ""
            else:
                yield value

    @property
    def plain(self) -> str:
        """The sentence as plain text."""
        shown = {name: _plain_value(value) for name, value in self.values.items()}
        return self.template.format(**shown)


def plain_piece(piece: Piece) -> str:
    """Return a piece of a sentence as plain text."""
    match piece:
        case ShownToken(token):
            return token_in_sentence(token, _MOST_CHARACTERS)
        case ShownStep(step):
            return number(step)
        case Verbatim(text):
            return token_in_sentence(text.encode(), _MOST_CHARACTERS)
    return piece


def _plain_value(value: Piece | tuple[ShownToken, ...]) -> str:
    if isinstance(value, tuple):
        return " + ".join([*map(plain_piece, value[:_MOST_TOKENS]), *(["…"] if len(value) > _MOST_TOKENS else [])])
    return plain_piece(value)
