"""Normalizers, which change text before it is split into words, as Hugging Face's `tokenizers` does it."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

import regex

from .aligned_text import AlignedText, Replacement
from .pattern_search import find_matches

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

# Marks, and what becomes a mark or a later part of a Hangul syllable.
_FOLLOWERS: Final = r"\p{M}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\U00016d63-\U00016d6a"
_CLUSTER: Final = regex.compile(rf"(?s:.)[{_FOLLOWERS}]*")
"""Characters that can be normalized on their own: none of them reacts with what comes before or after."""

_CLUSTERS: Final = regex.compile(rf"(?s:.){{1,64}}[{_FOLLOWERS}]*")
"""Several clusters, which are checked together for speed."""


@dataclass(frozen=True, slots=True)
class UnicodeForm:
    """A normalizer for one of Unicode's normalization forms, in the version of Unicode that this Python has."""

    form: Form

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text in this form.

        >>> UnicodeForm("NFKC").normalize(AlignedText.of("ﬁ½")).text
        'fi1⁄2'
        """
        if unicodedata.is_normalized(self.form, text.text):
            return text
        replacements: list[Replacement] = []
        for clusters in _CLUSTERS.finditer(text.text):
            if unicodedata.is_normalized(self.form, clusters.group()):
                continue
            for cluster in _CLUSTER.finditer(text.text, *clusters.span()):
                new = unicodedata.normalize(self.form, cluster.group())
                if new != cluster.group():
                    replacements.append((*cluster.span(), new))
        return text.with_replacements(replacements)


@dataclass(frozen=True, slots=True)
class Lowercase:
    """A normalizer that puts each character in lower case, regardless of the characters around it."""

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text in lower case.

        >>> Lowercase().normalize(AlignedText.of("ΟΔΟΣ")).text
        'οδοσ'
        """
        # Python lowers a final Σ to ς.
        lowered = text.text.lower() if "Σ" not in text.text else "".join(map(str.lower, text.text))
        if len(lowered) == len(text.text):
            return text.with_text(lowered)
        # İ is the one character whose lower case has two.
        return text.with_replacements([(i, i + 1, c.lower()) for i, c in enumerate(text.text) if c.lower() != c])


@dataclass(frozen=True, slots=True)
class Replace:
    """A normalizer that replaces each match of `pattern` by `content`.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.
    """

    pattern: str
    content: str
    is_regex: bool = False

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text with the replacements. Raise TokenizerError for a regular expression that takes too long.

        >>> Replace(" +", "▁", is_regex=True).normalize(AlignedText.of("a  b")).text
        'a▁b'
        """
        if not self.is_regex and len(self.pattern) == len(self.content) == 1:
            return text.with_text(text.text.replace(self.pattern, self.content))
        matches = find_matches(self.pattern, text.text, is_regex=self.is_regex)
        return text.with_replacements([(start, stop, self.content) for start, stop in matches], by_last=True)


@dataclass(frozen=True, slots=True)
class Prepend:
    """A normalizer that puts `prefix` before text that is not empty."""

    prefix: str

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text with the prefix.

        >>> Prepend("▁").normalize(AlignedText.of("low")).text
        '▁low'
        """
        if not text.text:
            return text
        return text.with_replacements([(0, 1, self.prefix + text.text[0])])


@dataclass(frozen=True, slots=True)
class Strip:
    """A normalizer that removes white space at the beginning of the text, at its end, or both."""

    left: bool
    right: bool

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""Return the stripped text.

        >>> Strip(left=True, right=False).normalize(AlignedText.of("\u2028 low ")).text
        'low '
        """
        start, stop = 0, len(text.text)
        while self.left and start < stop and is_white_space(text.text[start]):
            start += 1
        while self.right and start < stop and is_white_space(text.text[stop - 1]):
            stop -= 1
        return text.substring(start, stop)


def is_white_space(character: str) -> bool:
    """Return whether `character` is white space in Unicode, which for `str.isspace` four more control characters are.

    >>> is_white_space("\u3000"), is_white_space("\x1f")
    (True, False)
    """
    return character.isspace() and not "\x1c" <= character <= "\x1f"
