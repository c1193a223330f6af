"""Pre-tokenizers, which split text into words: those of Hugging Face's `tokenizers`, and one for a recipe's splitter.

Source: huggingface/tokenizers src/pre_tokenizers.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

import numpy as np

from bpe_gui.engine.runtime.arrays import BoolArray
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.stream_splitter import StreamSplitter
from bpe_gui.engine.text.text_stream import iter_chunks

from .aligned_text import AlignedText, byte_sizes, code_points  # noqa: F401  # doctests need AlignedText
from .fast_splits import split_fast
from .library_classes import NUMBER, PUNCTUATION, SPACE, WORD, flags_of, scripts_of
from .pattern_search import Behavior, characters_with, find_in_words, split_at_matches
from .split_text import SplitText

PrependScheme = Literal["always", "never", "first"]
"""Whether a prefix is put before every section of a text, before none, or before the one that the text begins with.

Added tokens divide a text into sections."""


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
        offsets = np.append(np.int64(0), np.cumsum(byte_sizes(text.text.text)))
        return SplitText(text.text.as_bytes(), offsets[text.begins], offsets[text.ends], text.sources)


def _with_prefix(text: SplitText, prefix: str, *, among: BoolArray | bool = True) -> SplitText:
    """Insert the character `prefix` before the words that do not begin with it, if they are selected by `among`."""
    have_prefix = code_points(text.text.text)[text.begins] == ord(prefix)
    return text.with_prefix(prefix, np.flatnonzero(~have_prefix & among))


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
        return split_at_matches(text, characters_with(text, NUMBER), behavior)


@dataclass(frozen=True, slots=True)
class Punctuation:
    """A pre-tokenizer that splits at punctuation, and at all of ASCII's signs."""

    behavior: Behavior = "isolated"

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Punctuation().split(SplitText.of(AlignedText.of("a+b"))).words()
        ['a', '+', 'b']
        """
        return split_at_matches(text, characters_with(text, PUNCTUATION), self.behavior)


@dataclass(frozen=True, slots=True)
class Whitespace:
    """A pre-tokenizer that makes words of letters, digits and `_`, and others of all signs; it drops white space."""

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> Whitespace().split(SplitText.of(AlignedText.of("don't go"))).words()
        ['don', "'", 't', 'go']
        """
        kinds = flags_of(text.text.text) & (WORD | SPACE)
        words = text.split_before(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1)
        return words.select(kinds[words.begins] != SPACE)


@dataclass(frozen=True, slots=True)
class WhitespaceSplit:
    """A pre-tokenizer that splits at white space, and drops it."""

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> WhitespaceSplit().split(SplitText.of(AlignedText.of(" don't  go"))).words()
        ["don't", 'go']
        """
        return split_at_matches(text, characters_with(text, SPACE), "removed")


@dataclass(frozen=True, slots=True)
class BertPreTokenizer:
    """A pre-tokenizer that splits at white space, which it drops, and at each sign of punctuation."""

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> BertPreTokenizer().split(SplitText.of(AlignedText.of("don't  go"))).words()
        ['don', "'", 't', 'go']
        """
        return Punctuation().split(WhitespaceSplit().split(text))


@dataclass(frozen=True, slots=True)
class UnicodeScripts:
    """A pre-tokenizer that splits where the script changes.

    A space, or a character without a script, belongs to what is before it. The library drops those that a text begins
    with.
    """

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> UnicodeScripts().split(SplitText.of(AlignedText.of(" Apples are りんご 林檎"))).words()
        ['Apples are ', 'りんご 林檎']
        """
        scripts = scripts_of(text.text.text)
        known = np.flatnonzero(scripts)
        firsts = np.append(known, len(scripts))[np.searchsorted(known, text.begins)]
        words = text.with_words(np.minimum(firsts, text.ends), text.ends, np.arange(len(text.ends)))
        return words.split_before(known[1:][scripts[known[1:]] != scripts[known[:-1]]])


@dataclass(frozen=True, slots=True)
class FixedLength:
    """A pre-tokenizer that splits into words of `length` characters; the last one may be shorter."""

    length: int = 5

    def split(self, text: SplitText) -> SplitText:
        """Return the words.

        >>> FixedLength(2).split(SplitText.of(AlignedText.of("lower"))).words()
        ['lo', 'we', 'r']
        """
        counts = -(-(text.ends - text.begins) // self.length)
        parents = np.repeat(np.arange(len(counts)), counts)
        indices = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
        begins = text.begins[parents] + self.length * indices
        return text.with_words(begins, np.minimum(begins + self.length, text.ends[parents]), parents)


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
