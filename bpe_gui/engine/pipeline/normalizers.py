"""Normalizers: what is done to a text before it is cut into words, as Hugging Face's `tokenizers` does it."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

import regex

from bpe_gui.engine.pipeline.aligned_text import AlignedText, Change
from bpe_gui.engine.pipeline.pattern_search import found

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

_FOLLOWERS: Final = (
    r"\p{M}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc"  # marks; what becomes a later part of a Hangul syllable, or a mark
    r"\U00016d63-\U00016d6a"
)
_CLUSTER: Final = regex.compile(rf"(?s:.)[{_FOLLOWERS}]*")
"""A stretch of text that is normalized by itself: no character of it reacts with what is before or after."""

_CLUSTERS: Final = regex.compile(rf"(?s:.){{1,64}}[{_FOLLOWERS}]*")
"""Several of them."""


@dataclass(frozen=True, slots=True)
class UnicodeForm:
    """Unicode's normalization forms, as this version of Python knows Unicode."""

    form: Form

    def normalize(self, text: AlignedText) -> AlignedText:
        """The text in this form.

        >>> UnicodeForm("NFKC").normalize(AlignedText.of("ﬁ½")).text
        'fi1⁄2'
        """
        if unicodedata.is_normalized(self.form, text.text):
            return text
        changes: list[Change] = []
        for stretch in _CLUSTERS.finditer(text.text):
            if unicodedata.is_normalized(self.form, stretch.group()):
                continue
            for match in _CLUSTER.finditer(text.text, *stretch.span()):
                new = unicodedata.normalize(self.form, match.group())
                if new != match.group():
                    changes.append((match.start(), match.end(), new))
        return text.with_changes(changes)


@dataclass(frozen=True, slots=True)
class Lowercase:
    """Small letters instead of capitals, each without a look at what is around it."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """The text in small letters.

        >>> Lowercase().normalize(AlignedText.of("ΟΔΟΣ")).text
        'οδοσ'
        """
        lowered = text.text.lower() if "Σ" not in text.text else "".join(map(str.lower, text.text))
        if len(lowered) == len(text.text):
            return text.with_text(lowered)
        # The one capital whose small letter is two characters.
        return text.with_changes([(i, i + 1, c.lower()) for i, c in enumerate(text.text) if c.lower() != c])


@dataclass(frozen=True, slots=True)
class Replace:
    """Other text instead of whatever matches; `pattern` is text, or a regular expression as Oniguruma reads it."""

    pattern: str
    content: str
    is_regex: bool = False

    def normalize(self, text: AlignedText) -> AlignedText:
        """The changed text. Raises TokenizerError for a regular expression that takes too long.

        >>> Replace(" +", "▁", is_regex=True).normalize(AlignedText.of("a  b")).text
        'a▁b'
        """
        if not self.is_regex and len(self.pattern) == len(self.content) == 1:
            return text.with_text(text.text.replace(self.pattern, self.content))
        matches = found(self.pattern, text.text, is_regex=self.is_regex)
        return text.with_changes([(start, stop, self.content) for start, stop in matches], by_last=True)


@dataclass(frozen=True, slots=True)
class Prepend:
    """Text in front of a text, unless that is empty."""

    prefix: str

    def normalize(self, text: AlignedText) -> AlignedText:
        """The longer text.

        >>> Prepend("▁").normalize(AlignedText.of("low")).text
        '▁low'
        """
        return prepended(text, self.prefix)


@dataclass(frozen=True, slots=True)
class Strip:
    """No white space at the beginning, at the end, or both."""

    left: bool
    right: bool

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""The shorter text.

        >>> Strip(left=True, right=False).normalize(AlignedText.of("\u2028 low ")).text
        'low '
        """
        start, stop = 0, len(text.text)
        while self.left and start < stop and is_white_space(text.text[start]):
            start += 1
        while self.right and start < stop and is_white_space(text.text[stop - 1]):
            stop -= 1
        return text.part(start, stop)


def prepended(text: AlignedText, prefix: str) -> AlignedText:
    """A text with another in front, unless it is empty."""
    if not text.text:
        return text
    first = text.text[0]
    return text.with_changes([(0, 1, prefix + first)])


def is_white_space(character: str) -> bool:
    """Whether Unicode has a character for white space. Python counts four controls more.

    >>> is_white_space("\u3000"), is_white_space("\x1f")
    (True, False)
    """
    return character.isspace() and not "\x1c" <= character <= "\x1f"
