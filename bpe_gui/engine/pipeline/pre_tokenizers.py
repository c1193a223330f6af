"""Pre-tokenizers: how a text is cut into words, as Hugging Face's `tokenizers` does it."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import regex

from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.runtime.printable import PRINTABLE
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.pipeline.aligned_text import AlignedText, byte_sizes, code_points
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.fast_splits import cut_as_known
from bpe_gui.engine.pipeline.pattern_search import Behavior, cut, found_in, matches_in

Scheme = Literal["always", "never", "first"]
"""Whether something is put in front of each part of a text, of none, or of the one with which the text begins."""

_PRINTABLE: Final = np.array(list(map(ord, PRINTABLE)), "<u2")

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


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Cuts as GPT-2 does, if asked to, and turns each byte into the printable character that GPT-2 has for it."""

    add_prefix_space: bool = False
    use_regex: bool = False

    def split(self, text: CutText) -> CutText:
        """The words, of characters that stand for a byte each.

        >>> ByteLevel(use_regex=True).split(CutText.of(AlignedText.of("low é"))).words()
        ['low', 'ĠÃ©']
        """
        if self.add_prefix_space:
            text = _with_prefix(text, " ")
        if self.use_regex:
            text = _GPT2.split(text)
        if text.text.text.isascii():
            return text._replace(text=text.text.with_text(_printable(text.text.text)))
        sizes = byte_sizes(text.text.text)
        edges = np.append(np.int64(0), np.cumsum(sizes))
        return CutText(_as_bytes(text.text, sizes), edges[text.begins], edges[text.ends], text.parts)


def _with_prefix(text: CutText, prefix: str, *, among: "npt.NDArray[np.bool_] | bool" = True) -> CutText:
    """A character in front of the words that do not begin with it."""
    have_it = code_points(text.text.text)[text.begins] == ord(prefix)
    return text.with_prefix(prefix, np.flatnonzero(~have_it & among))


def _printable(text: str) -> str:
    """The characters that stand for the bytes of a text."""
    return _PRINTABLE[np.frombuffer(text.encode(), np.uint8)].tobytes().decode("utf-16-le")


def _as_bytes(text: AlignedText, sizes: Longs) -> AlignedText:
    """The printable characters of a text's bytes; the first of a changed character's stands for all of it."""
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_itself = np.repeat(text.stops - text.starts == sizes, sizes)
    starts, stops = np.repeat(text.starts, sizes), np.repeat(text.stops, sizes)
    first_starts: Longs = np.where(is_itself, starts + within, np.where(within == 0, starts, stops))
    return AlignedText(
        _printable(text.text),
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

    def split(self, text: CutText) -> CutText:
        """The parts. Raises TokenizerError for a regular expression that takes too long.

        >>> Split("-", "merged_with_previous").split(CutText.of(AlignedText.of("a-b"))).words()
        ['a-', 'b']
        """
        if self.is_regex and self.behavior == "isolated" and (known := cut_as_known(text, self.pattern)) is not None:
            return known
        found = found_in(text, self.pattern, is_regex=self.is_regex)
        return cut(text, found, self.behavior, invert=self.invert)


_GPT2: Final = Split(SPLITTERS["gpt2"], "isolated")


@dataclass(frozen=True, slots=True)
class Digits:
    """Cuts numbers from all else, and, if asked to, each of their digits from the next."""

    individual: bool = False

    def split(self, text: CutText) -> CutText:
        """The parts.

        >>> Digits(individual=True).split(CutText.of(AlignedText.of("a10"))).words()
        ['a', '1', '0']
        """
        behavior: Behavior = "isolated" if self.individual else "contiguous"
        return cut(text, matches_in(text, _NUMBER, is_single=True), behavior)


@dataclass(frozen=True, slots=True)
class Punctuation:
    """Cuts at punctuation: what Unicode 8 and ASCII count as that."""

    behavior: Behavior = "isolated"

    def split(self, text: CutText) -> CutText:
        """The parts.

        >>> Punctuation().split(CutText.of(AlignedText.of("a+b"))).words()
        ['a', '+', 'b']
        """
        return cut(text, matches_in(text, _PUNCTUATION, is_single=True), self.behavior)


@dataclass(frozen=True, slots=True)
class Whitespace:
    """Words of letters, digits and `_`, and of whatever else is no white space, which is dropped."""

    def split(self, text: CutText) -> CutText:
        """The words.

        >>> Whitespace().split(CutText.of(AlignedText.of("don't go"))).words()
        ['don', "'", 't', 'go']
        """
        return text.with_words(*matches_in(text, _WORDS))


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    """What is between white space, which is dropped."""

    def split(self, text: CutText) -> CutText:
        """The words.

        >>> WhitespaceSplit().split(CutText.of(AlignedText.of(" don't  go"))).words()
        ["don't", 'go']
        """
        return cut(text, matches_in(text, _WHITE_SPACE, is_single=True), "removed")


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Another character for each space, also in front of the text; cuts before each of them, if asked to."""

    replacement: str = "▁"
    prepend_scheme: Scheme = "always"
    cuts: bool = True

    def split(self, text: CutText) -> CutText:
        """The parts.

        >>> Metaspace().split(CutText.of(AlignedText.of("low  lower"))).words()
        ['▁low', '▁', '▁lower']
        """
        text = text._replace(text=text.text.with_text(text.text.text.replace(" ", self.replacement)))
        if self.prepend_scheme != "never":
            among = self.prepend_scheme == "always" or text.begins < text.text.opening
            text = _with_prefix(text, self.replacement, among=among)
        if not self.cuts:
            return text
        return text.cut_before(np.flatnonzero(code_points(text.text.text) == ord(self.replacement)))
