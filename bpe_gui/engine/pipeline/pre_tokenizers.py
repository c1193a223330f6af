"""Pre-tokenizers: how a text is cut into words, as Hugging Face's `tokenizers` does it."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import regex

from ..kernels.records import Longs
from ..spelling import PRINTABLE
from ..splitters import compile_pattern
from .aligned import AlignedText, byte_sizes
from .normalizers import prepended
from .searching import Behavior, Span, cut, found, matches

Scheme = Literal["always", "never", "first"]
"""Whether something is put in front of each part of a text, of none, or of the one with which the text begins."""

_PRINTABLE: Final = dict(enumerate(PRINTABLE))
_SPACE: Final = PRINTABLE[ord(" ")]

# The library knows punctuation as of Unicode 8: without what came later, with two that are something else by now.
_LATER: Final = (
    "\u061d\u09fd\u0a76\u0c77\u0c84\u1b4e-\u1b4f\u1b7d-\u1b7f\u2e43-\u2e4f\u2e52-\u2e5d\u2e60-\u2e63\U00010d6e"
    "\U00010ead\U00010ed0\U00010f55-\U00010f59\U00010f86-\U00010f89\U000113d4-\U000113d5\U000113d7-\U000113d8"
    "\U0001144b-\U0001144f\U0001145a-\U0001145b\U0001145d\U00011660-\U0001166c\U000116b9\U0001183b"
    "\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2"
    "\U00011b00-\U00011b09\U00011be1\U00011c41-\U00011c45\U00011c70-\U00011c71\U00011ef7-\U00011ef8"
    "\U00011f43-\U00011f4f\U00011fff\U00012ff1-\U00012ff2\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2"
    "\U0001e5ff\U0001e95e-\U0001e95f"
)
_PUNCTUATION: Final = regex.compile(rf"(?V1)[[\p{{P}}!-/\:-@\[-`\{{-\~\u166d\U000111c9]--[{_LATER}]]")
_NUMBER: Final = regex.compile(r"\p{N}")
_WORDS: Final = regex.compile(r"\w+|[^\w\s]+")
_WHITE_SPACE: Final = regex.compile(r"\s")


def _parts(text: AlignedText, spans: list[Span]) -> list[AlignedText]:
    return [text.part(start, stop) for start, stop in spans]


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Cuts as GPT-2 does, if asked to, and turns each byte into the printable character that GPT-2 has for it."""

    add_prefix_space: bool = False
    use_regex: bool = False

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The words, of characters that stand for a byte each.

        >>> [word.text for word in ByteLevel(use_regex=True).split(AlignedText.of("low é"))]
        ['low', 'ĠÃ©']
        """
        if self.add_prefix_space and not text.text.startswith(" "):
            text = prepended(text, " ")
        if not self.use_regex:
            return [_as_bytes(text)] if text.text else []
        spans = cut(matches(compile_pattern("gpt2"), text.text), len(text.text), "isolated")
        if text.text.isascii():
            return _parts(_as_bytes(text), spans)
        edges = [0, *np.cumsum(byte_sizes(text.text)).tolist()]
        return _parts(_as_bytes(text), [(edges[start], edges[stop]) for start, stop in spans])


def _as_bytes(text: AlignedText) -> AlignedText:
    """The printable characters of a text's bytes; the first of a changed character's stands for all of it."""
    if text.text.isascii():
        has_controls = not text.text.isprintable()
        return text.with_text(text.text.translate(_PRINTABLE) if has_controls else text.text.replace(" ", _SPACE))
    sizes = byte_sizes(text.text)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_itself = np.repeat(text.stops - text.starts == sizes, sizes)
    starts, stops = np.repeat(text.starts, sizes), np.repeat(text.stops, sizes)
    first_starts: Longs = np.where(is_itself, starts + within, np.where(within == 0, starts, stops))
    return AlignedText(
        text.text.encode().decode("latin-1").translate(_PRINTABLE),
        first_starts,
        np.where(is_itself, first_starts + 1, stops),
        int(sizes[: text.opening].sum()),
    )


@dataclass(frozen=True, slots=True)
class Split:
    """Cuts where something matches, or where nothing does; `pattern` is text, or a regular expression as Oniguruma
    reads it."""

    pattern: str
    behavior: Behavior
    invert: bool = False
    is_regex: bool = True

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The parts. Raises TokenizerError for a regular expression that takes too long.

        >>> [part.text for part in Split("-", "merged_with_previous").split(AlignedText.of("a-b"))]
        ['a-', 'b']
        """
        spans = found(self.pattern, text.text, is_regex=self.is_regex)
        return _parts(text, cut(spans, len(text.text), self.behavior, invert=self.invert))


@dataclass(frozen=True, slots=True)
class Digits:
    """Cuts numbers from all else, and, if asked to, each of their digits from the next."""

    individual: bool = False

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The parts.

        >>> [part.text for part in Digits(individual=True).split(AlignedText.of("a10"))]
        ['a', '1', '0']
        """
        behavior: Behavior = "isolated" if self.individual else "contiguous"
        return _parts(text, cut(matches(_NUMBER, text.text), len(text.text), behavior))


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Cuts at punctuation: what Unicode 8 and ASCII count as that."""

    behavior: Behavior = "isolated"

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The parts.

        >>> [part.text for part in Punctuation().split(AlignedText.of("a+b"))]
        ['a', '+', 'b']
        """
        return _parts(text, cut(matches(_PUNCTUATION, text.text), len(text.text), self.behavior))


@dataclass(frozen=True, slots=True)
class Whitespace:
    """Words of letters, digits and `_`, and of whatever else is no white space, which is dropped."""

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The words.

        >>> [word.text for word in Whitespace().split(AlignedText.of("don't go"))]
        ['don', "'", 't', 'go']
        """
        return _parts(text, matches(_WORDS, text.text))


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    """What is between white space, which is dropped."""

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The words.

        >>> [word.text for word in WhitespaceSplit().split(AlignedText.of(" don't  go"))]
        ["don't", 'go']
        """
        return _parts(text, cut(matches(_WHITE_SPACE, text.text), len(text.text), "removed"))


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Another character for each space, also in front of the text; cuts before each of them, if asked to."""

    replacement: str = "▁"
    prepend_scheme: Scheme = "always"
    cuts: bool = True

    def split(self, text: AlignedText) -> list[AlignedText]:
        """The parts.

        >>> [part.text for part in Metaspace().split(AlignedText.of("low  lower"))]
        ['▁low', '▁', '▁lower']
        """
        text = text.with_text(text.text.replace(" ", self.replacement))
        is_asked = self.prepend_scheme == "always" or (self.prepend_scheme == "first" and text.opening > 0)
        if is_asked and not text.text.startswith(self.replacement):
            text = prepended(text, self.replacement)
        if not self.cuts:
            return [text] if text.text else []
        spans = found(self.replacement, text.text, is_regex=False)
        return _parts(text, cut(spans, len(text.text), "merged_with_next"))
