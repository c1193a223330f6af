"""Pre-tokenizers, which split text into words: those of Hugging Face's `tokenizers`, and one for a recipe's splitter.

Source: huggingface/tokenizers src/pre_tokenizers.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

import numpy as np
import regex

from bpe_gui.engine.runtime.arrays import BoolArray, Int64Array
from bpe_gui.engine.runtime.printable import PRINTABLE
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.stream_splitter import StreamSplitter
from bpe_gui.engine.text.text_stream import iter_chunks

from .aligned_text import AlignedText, byte_sizes, code_points
from .fast_splits import split_fast
from .pattern_search import Behavior, find_in_words, search_words, split_at_matches
from .split_text import SplitText

PrependScheme = Literal["always", "never", "first"]
"""Whether a prefix is put before every section of a text, before none, or before the one that the text begins with.

Added tokens divide a text into sections."""

_PRINTABLE: Final = np.array(list(map(ord, PRINTABLE)), "<u2")

# The library has the punctuation of Unicode 8: without later additions, and with two that were reclassified since.
_ADDED_AFTER_UNICODE_8: Final = (
    "\u061d\u09fd\u0a76\u0c77\u0c84\u1b4e-\u1b4f\u1b7d-\u1b7f\u2e43-\u2e4f\u2e52-\u2e5d\u2e60-\u2e63\U00010d6e"
    "\U00010ead\U00010ed0\U00010f55-\U00010f59\U00010f86-\U00010f89\U000113d4-\U000113d5\U000113d7-\U000113d8"
    "\U0001144b-\U0001144f\U0001145a-\U0001145b\U0001145d\U00011660-\U0001166c\U000116b9\U0001183b"
    "\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2"
    "\U00011b00-\U00011b09\U00011be1\U00011c41-\U00011c45\U00011c70-\U00011c71\U00011ef7-\U00011ef8"
    "\U00011f43-\U00011f4f\U00011fff\U00012ff1-\U00012ff2\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2"
    "\U0001e5ff\U0001e95e-\U0001e95f"
)
_PUNCTUATION: Final = regex.compile(rf"(?V1)[[\p{{P}}!-/\:-@\[-`\{{-\~\u166d\U000111c9]--[{_ADDED_AFTER_UNICODE_8}]]")
_NUMBER: Final = regex.compile(r"\p{N}")
_WORDS: Final = regex.compile(r"\w+|[^\w\s]+")
_WHITE_SPACE: Final = regex.compile(r"\s")


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """A pre-tokenizer that turns each byte into GPT-2's printable character for it.

    It splits as GPT-2 does before if `use_regex` is set.
    """

    add_prefix_space: bool = False
    use_regex: bool = False

    def split(self, text: SplitText) -> SplitText:
        """Return the words, of characters that stand for a byte each.

        >>> ByteLevel(use_regex=True).split(SplitText.of(AlignedText.of("low é"))).words()
        ['low', 'ĠÃ©']
        """
        if self.add_prefix_space:
            text = _with_prefix(text, " ")
        if self.use_regex:
            text = _GPT2.split(text)
        if text.text.text.isascii():
            return text._replace(text=text.text.with_text(_to_printable(text.text.text)))
        sizes = byte_sizes(text.text.text)
        offsets = np.append(np.int64(0), np.cumsum(sizes))
        return SplitText(_as_bytes(text.text, sizes), offsets[text.begins], offsets[text.ends], text.sources)


def _with_prefix(text: SplitText, prefix: str, *, among: BoolArray | bool = True) -> SplitText:
    """Insert the character `prefix` before the words that do not begin with it, if they are selected by `among`."""
    have_prefix = code_points(text.text.text)[text.begins] == ord(prefix)
    return text.with_prefix(prefix, np.flatnonzero(~have_prefix & among))


def _to_printable(text: str) -> str:
    """Return the characters that stand for the bytes of `text`."""
    return _PRINTABLE[np.frombuffer(text.encode(), np.uint8)].tobytes().decode("utf-16-le")


def _as_bytes(text: AlignedText, sizes: Int64Array) -> AlignedText:
    """Replace each character by the printable characters of its bytes; `sizes` are the numbers of bytes.

    Each printable character stands for its byte of the original. If a normalizer changed the character, so that the
    original does not have that byte, the first of them stands for all that the character stood for.
    """
    index_in_character = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_unchanged = np.repeat(text.stops - text.starts == sizes, sizes)
    starts, stops = np.repeat(text.starts, sizes), np.repeat(text.stops, sizes)
    new_starts: Int64Array = np.where(
        is_unchanged, starts + index_in_character, np.where(index_in_character == 0, starts, stops)
    )
    return AlignedText(
        _to_printable(text.text),
        new_starts,
        np.where(is_unchanged, new_starts + 1, stops),
        int(sizes[: text.origin_length].sum()),
    )


@dataclass(frozen=True, slots=True)
class Split:
    """A pre-tokenizer that splits at the matches of `pattern`, or between them if `invert` is set.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.
    """

    pattern: str
    behavior: Behavior
    invert: bool = False
    is_regex: bool = True

    def split(self, text: SplitText) -> SplitText:
        """Return the words. Raise TokenizerError for a regular expression that takes too long.

        >>> Split("-", "merged_with_previous").split(SplitText.of(AlignedText.of("a-b"))).words()
        ['a-', 'b']
        """
        if self.is_regex and self.behavior == "isolated" and (words := split_fast(text, self.pattern)) is not None:
            return words
        matches = find_in_words(text, self.pattern, is_regex=self.is_regex)
        return split_at_matches(text, matches, self.behavior, invert=self.invert)


_GPT2: Final = Split(SPLITTERS["gpt2"], "isolated")


@dataclass(frozen=True, slots=True)
class RecipeSplit:
    """A pre-tokenizer that splits as a recipe with this splitter does, and drops characters that it does not match."""

    splitter: str

    def split(self, text: SplitText) -> SplitText:
        """Return the words. Raise TrainingError for a regular expression that takes too long.

        >>> RecipeSplit("gpt2").split(SplitText.of(AlignedText.of("low lower"))).words()
        ['low', ' lower']
        """
        spans_by_word = [self._spans(word) for word in text.words()]
        parents = np.repeat(np.arange(len(spans_by_word)), list(map(len, spans_by_word)))
        spans = np.array(list(chain.from_iterable(spans_by_word)), np.int64).reshape(-1, 2)
        begins, ends = spans.T + text.begins[parents]
        return text.with_words(begins, ends, parents)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        stream = StreamSplitter(self.splitter)
        words = [word for chunk in iter_chunks(text) for word in stream.feed(chunk)] + stream.finish()
        return [(word.start, word.stop) for word in words]


@dataclass(frozen=True, slots=True)
class Digits:
    """A pre-tokenizer that separates numbers from everything else and, if `individual` is set, their digits."""

    individual: bool = False

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Digits(individual=True).split(SplitText.of(AlignedText.of("a10"))).words()
        ['a', '1', '0']
        """
        behavior: Behavior = "isolated" if self.individual else "contiguous"
        return split_at_matches(text, search_words(text, _NUMBER, is_single=True), behavior)


@dataclass(frozen=True, slots=True)
class Punctuation:
    """A pre-tokenizer that splits at punctuation: Unicode 8's, and all of ASCII's signs."""

    behavior: Behavior = "isolated"

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Punctuation().split(SplitText.of(AlignedText.of("a+b"))).words()
        ['a', '+', 'b']
        """
        return split_at_matches(text, search_words(text, _PUNCTUATION, is_single=True), self.behavior)


@dataclass(frozen=True, slots=True)
class Whitespace:
    """A pre-tokenizer that makes words of letters, digits and `_`, and others of all signs; it drops white space."""

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Whitespace().split(SplitText.of(AlignedText.of("don't go"))).words()
        ['don', "'", 't', 'go']
        """
        return text.with_words(*search_words(text, _WORDS))


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    """A pre-tokenizer that splits at white space, and drops it."""

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> WhitespaceSplit().split(SplitText.of(AlignedText.of(" don't  go"))).words()
        ["don't", 'go']
        """
        return split_at_matches(text, search_words(text, _WHITE_SPACE, is_single=True), "removed")


@dataclass(frozen=True, slots=True)
class Metaspace:
    """A pre-tokenizer that writes spaces as `replacement` and puts one before the text.

    It splits before each of them if `splits` is set.
    """

    replacement: str = "▁"
    prepend_scheme: PrependScheme = "always"
    splits: bool = True

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Metaspace().split(SplitText.of(AlignedText.of("low  lower"))).words()
        ['▁low', '▁', '▁lower']
        """
        text = text._replace(text=text.text.with_text(text.text.text.replace(" ", self.replacement)))
        if self.prepend_scheme != "never":
            among = self.prepend_scheme == "always" or text.begins < text.text.origin_length
            text = _with_prefix(text, self.replacement, among=among)
        if not self.splits:
            return text
        return text.split_before(np.flatnonzero(code_points(text.text.text) == ord(self.replacement)))
