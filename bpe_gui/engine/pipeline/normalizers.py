"""Normalizers, which change text before it is split into words, as in Hugging Face's `tokenizers`.

`encoding/sections.py` applies them, to many sections at once; word by word, `Pipeline.normalized` does.

Sources: huggingface/tokenizers src/normalizers, src/tokenizer/normalizer.rs.
"""

import re
import sys
import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import ClassVar, Final

import numpy as np

from bpe_gui.engine.runtime.statements import Statement, verbatim
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import BoolArray
from bpe_gui.engine.text.character_sets import EVERYTHING
from bpe_gui.engine.text.special_tokens import TEXT_END, bounds_between_marks, with_marks_as_surrogates
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.text.syntax import Characters, Choice, Repeat, Sequence

from .aligned_text import AlignedText, Replacement, common_prefix
from .levels import automaton_of, automaton_of_pattern, can_match_nothing, find_matches, utf8_words, word_spans
from .library_classes import Class, Form, are_in, characters_in, each_is_in, is_in

# Uppercase letters added in Unicode 15 to 17 and their lowercase ones, which not every Python knows.
_NEW_CAPITALS: Final = [0x1C89, 0xA7CB, 0xA7CC, 0xA7CE, 0xA7D2, 0xA7D4, 0xA7DA, 0xA7DC]
_NEW_SMALL_LETTERS: Final = [0x1C8A, 0x264, 0xA7CD, 0xA7CF, 0xA7D3, 0xA7D5, 0xA7DB, 0x19B]
_LOWER: Final[dict[int, int | str]] = {
    **dict(zip(_NEW_CAPITALS, _NEW_SMALL_LETTERS, strict=True)),
    **{code: code + 0x20 for code in range(0x10D50, 0x10D66)},  # Garay
    **{code: code + 0x1B for code in range(0x16EA0, 0x16EB9)},  # Beria Erfe
    ord("Σ"): "σ",  # Python makes it ς at the end of a word
}
_SPECIAL_CAPITAL: Final = re.compile(f"[{''.join(map(chr, _LOWER))}]")

# What BERT takes for ideographs: some later ones are missing, and so are U+2B820 to U+2B91F.
_IDEOGRAPH: Final = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f]"
)

_NMT_REMOVED: Final = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
_NMT_SPACE: Final = re.compile("[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]")
_WHITE_SPACE: Final = re.compile(r"[^\S\x1c-\x1f]")


class Normalizer(ABC):
    """A step that changes text before it is split into words."""

    __slots__ = ()
    touched_class: ClassVar[Class | None] = None
    """The class of the only characters that the step changes, if there is one."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """How the step changes text; its name until somebody words it."""
        return (verbatim(type(self).__name__),)

    @property
    def touched(self) -> BoolArray | None:
        """Whether a text with a character may change, by code point. None if every text may change."""
        return None if self.touched_class is None else are_in(self.touched_class)

    @property
    def growth(self) -> float:
        """How many times as long a text can become; infinite for steps that change texts only one by one."""
        return inf

    @abstractmethod
    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text after this step; its characters still know the bytes of the original.

        Raise TrainingError for an expression that takes too long.
        """

    def normalize_marked(self, texts: bytes) -> bytes:
        """Return texts in UTF-8 with marks (`TEXT_END`) between them, each after this step, if its growth is finite.

        The step must leave surrogates alone, and not look beyond them, because they stand for the marks.
        """
        return with_marks_as_surrogates(texts, lambda whole: self.normalize(AlignedText.of(whole)).text)


@lru_cache(maxsize=4)
def _touched_clusters(form: Form) -> Level:
    """Return the level whose words may not be in a normalization form, and can be normalized on their own.

    Each word is a character with all its followers, so nothing in it combines with the text before or after.
    """
    touched, followers = characters_in(form), characters_in("follower")
    untouched, rest = (Repeat(Characters(each), 0, None) for each in (followers - touched, followers))
    later = Sequence((Characters(EVERYTHING), untouched, Characters(followers & touched), rest))
    return Level(automaton_of(Choice((Sequence((Characters(touched), rest)), later))))


@dataclass(frozen=True, slots=True)
class UnicodeForm(Normalizer):
    """A normalizer for one of Unicode's normalization forms, as of Unicode 9.

    The normalization of a character never changes once it is assigned, so any Python can do it. Only characters added
    after Unicode 9, which the library leaves alone, must be kept apart from the text around them.
    """

    form: Form

    growth: ClassVar[float] = 18

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (verbatim(self.form),)

    @property
    def touched(self) -> BoolArray | None:
        return are_in(self.form)

    def normalize_marked(self, texts: bytes) -> bytes:
        """See `Normalizer`. No alignment is needed, so texts are not searched for what changes."""
        return with_marks_as_surrogates(texts, self._normalized_around_later)

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text in this form.

        >>> UnicodeForm("NFKC").normalize(AlignedText.of("ﬁ½")).text
        'fi1⁄2'
        """
        if unicodedata.is_normalized(self.form, text.text):
            return text
        replacements: list[Replacement] = []
        for start, stop in word_spans(text.text, (_touched_clusters(self.form),)):
            old = text.text[start:stop]
            new = self._normalized_around_later(old)
            if new != old:
                same = len(common_prefix(old, new))
                replacements.append((start + same, stop, new[same:]))
        return text.with_replacements(replacements)

    def _normalized_around_later(self, text: str) -> str:
        """Return `text` with everything normalized except the characters added after Unicode 9."""
        are_later = each_is_in(text, "unassigned")
        if not np.any(are_later):
            return unicodedata.normalize(self.form, text)
        bounds = [0, *(np.flatnonzero(np.diff(are_later)) + 1).tolist(), len(text)]
        return "".join(
            text[begin:end] if are_later[begin] else unicodedata.normalize(self.form, text[begin:end])
            for begin, end in pairwise(bounds)
        )


@dataclass(frozen=True, slots=True)
class Lowercase(Normalizer):
    """A normalizer that lowercases each character, regardless of the characters around it."""

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "lowercase"),)
    touched_class: ClassVar[Class | None] = "capital"
    growth: ClassVar[float] = 2

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text in lower case.

        >>> Lowercase().normalize(AlignedText.of("ΟΔΟΣ")).text
        'οδοσ'
        """
        if not text.text.isascii() and _SPECIAL_CAPITAL.search(text.text):
            text = text.with_text(text.text.translate(_LOWER))
        lowered = text.text.lower()
        if len(lowered) == len(text.text):
            return text.with_text(lowered)
        # İ is the only character whose lower case has two characters.
        return text.with_replacements([(i, i + 1, c.lower()) for i, c in enumerate(text.text) if c.lower() != c])


@dataclass(frozen=True, slots=True)
class StripAccents(Normalizer):
    """A normalizer that removes marks; letters that include their accent keep it."""

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "accents removed"),)
    touched_class: ClassVar[Class | None] = "mark"
    growth: ClassVar[float] = 1

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""Return the text without marks.

        >>> StripAccents().normalize(AlignedText.of("e\u0301te\u0301")).text
        'ete'
        """
        return text if text.text.isascii() else text.without(each_is_in(text.text, "mark"))


@dataclass(frozen=True, slots=True)
class Nmt(Normalizer):
    """A normalizer that removes control characters and turns invisible characters and white space into spaces."""

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "control characters removed"),)

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""Return the cleaned text.

        >>> Nmt().normalize(AlignedText.of("a\u200bb\x01\n")).text
        'a b '
        """
        spaced = text.with_text(_NMT_SPACE.sub(" ", text.text))
        return spaced.with_replacements([(*match.span(), "") for match in _NMT_REMOVED.finditer(spaced.text)])


@dataclass(frozen=True, slots=True)
class ByteLevelNormalizer(Normalizer):
    """A normalizer that turns each byte into GPT-2's printable character for it."""

    statements: ClassVar[tuple[Statement, ...]] = ()

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text as characters that stand for a byte each.

        >>> ByteLevelNormalizer().normalize(AlignedText.of("é ")).text
        'Ã©Ġ'
        """
        return text.as_bytes()


@dataclass(frozen=True, slots=True)
class BertNormalizer(Normalizer):
    """BERT's normalizer, which cleans text, puts spaces around ideographs, strips accents and lowercases letters."""

    cleans_text: bool = True
    separates_ideographs: bool = True
    strips_accents: bool = True
    lowers: bool = True

    @property
    def statements(self) -> tuple[Statement, ...]:
        changes = (
            (self.cleans_text, _("Pipeline", "control characters removed")),
            (self.separates_ideographs, _("Pipeline", "spaces around ideographs")),
            (self.strips_accents, _("Pipeline", "accents removed")),
            (self.lowers, _("Pipeline", "lowercase")),
        )
        return tuple(statement for is_set, statement in changes if is_set)

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the normalized text.

        >>> BertNormalizer().normalize(AlignedText.of("Été 中")).text
        'ete  中 '
        """
        if self.cleans_text:
            text = text.without(each_is_in(text.text, "control"))
            text = text.with_text(_WHITE_SPACE.sub(" ", text.text))
        if self.separates_ideographs and not text.text.isascii():
            spans = [match.span() for match in _IDEOGRAPH.finditer(text.text)]
            spaced = text.with_replacements([(offset, offset, " ") for span in spans for offset in span])
            # Both spaces belong to the ideograph.
            length = text.origin_length + 2 * sum(start < text.origin_length for start, _stop in spans)
            text = AlignedText(spaced.text, lambda: spaced.offsets, length)
        if self.strips_accents and not text.text.isascii():
            decomposed = UnicodeForm("NFD").normalize(text)
            text = decomposed.without(each_is_in(decomposed.text, "nonspacing"))
        return Lowercase().normalize(text) if self.lowers else text


@dataclass(frozen=True, slots=True)
class Replace(Normalizer):
    """A normalizer that replaces each match of `pattern` with `content`.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.
    """

    pattern: str
    content: str
    is_regex: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        if self.pattern in (" ", r"\s", r"\s+", " +", " {1,}"):
            return (_("Pipeline", "whitespace as {text}").format(text=self.content),)
        return (_("Pipeline", "pattern replacements"),)

    @property
    def touched(self) -> BoolArray | None:
        if self.is_regex or not self.pattern:
            return None
        are_touched = np.zeros(sys.maxunicode + 1, bool)
        are_touched[list(map(ord, self.pattern))] = True
        return are_touched

    @property
    def growth(self) -> float:
        if self.is_regex:
            return inf if can_match_nothing(self.pattern) else max(1, len(self.content))
        return max(1, len(self.content) / len(self.pattern)) if self.pattern else inf

    def normalize_marked(self, texts: bytes) -> bytes:
        """See `Normalizer`."""
        content = self.content.encode()
        if not self.is_regex:
            return texts.replace(self.pattern.encode(), content)
        matches = utf8_words(texts, (Level(automaton_of_pattern(self.pattern)),), bounds_between_marks(texts))
        begins, ends = [0, *matches.ends.tolist()], [*matches.starts.tolist(), len(texts)]
        return content.join(texts[begin:end] for begin, end in zip(begins, ends, strict=True))

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text with the replacements. Raise TrainingError for an expression that takes too long.

        >>> Replace(" +", "▁", is_regex=True).normalize(AlignedText.of("a  b")).text
        'a▁b'
        """
        if not self.is_regex and len(self.pattern) == len(self.content) == 1:
            return text.with_text(text.text.replace(self.pattern, self.content))
        matches = find_matches(self.pattern, text.text, is_regex=self.is_regex)
        return text.with_replacements([(start, stop, self.content) for start, stop in matches], by_last=True)


@dataclass(frozen=True, slots=True)
class Prepend(Normalizer):
    """A normalizer that puts `prefix` before any non-empty text."""

    prefix: str

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (_("Pipeline", "{text} prepended").format(text=self.prefix),)

    @property
    def growth(self) -> float:
        return 1 + len(self.prefix)

    def normalize_marked(self, texts: bytes) -> bytes:
        """See `Normalizer`."""
        prefix = self.prefix.encode()
        return TEXT_END.join(prefix + text if text else text for text in texts.split(TEXT_END))

    def normalize(self, text: AlignedText) -> AlignedText:
        """Return the text with the prefix.

        >>> Prepend("▁").normalize(AlignedText.of("low")).text
        '▁low'
        """
        if not text.text:
            return text
        return text.with_replacements([(0, 1, self.prefix + text.text[0])])


@dataclass(frozen=True, slots=True)
class Strip(Normalizer):
    """A normalizer that removes white space at the beginning of the text, at its end, or both."""

    left: bool
    right: bool

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "whitespace trimmed"),)
    touched_class: ClassVar[Class | None] = "space"

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""Return the stripped text.

        >>> Strip(left=True, right=False).normalize(AlignedText.of("\u2028 low ")).text
        'low '
        """
        start, stop = 0, len(text.text)
        while self.left and start < stop and is_in(text.text[start], "space"):
            start += 1
        while self.right and start < stop and is_in(text.text[stop - 1], "space"):
            stop -= 1
        return text.substring(start, stop)
