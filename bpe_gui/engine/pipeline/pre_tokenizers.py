"""Pre-tokenizers, which split text into words: those of Hugging Face's `tokenizers`, and one for a recipe's splitter.

Source: huggingface/tokenizers src/pre_tokenizers.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar, Final, Literal, get_args

from bpe_gui.engine.runtime.statements import Statement, verbatim
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.character_sets import EVERYTHING
from bpe_gui.engine.text.sentencepiece import SPACE_SYMBOL as SPACE_SYMBOL
from bpe_gui.engine.text.splitter_tables import Behavior, Level
from bpe_gui.engine.text.splitters import SPLITTERS, splitter_statement
from bpe_gui.engine.text.splitters import automaton_of as automaton_of_splitter
from bpe_gui.engine.text.syntax import Characters, Choice, Repeat, Sequence

from .aligned_text import AlignedText
from .levels import automaton_of, automaton_of_pattern, literal, some, word_spans
from .library_classes import Class, characters_in, scripts
from .published_patterns import splitter_of_pattern, step_pattern

BEHAVIORS: Final[tuple[Behavior, ...]] = get_args(Behavior)

PrependScheme = Literal["always", "never", "first"]
"""Whether a prefix is put before every section of a text, before none, or only before one at the start of the text.

Added tokens divide a text into sections."""


class PreTokenizer(ABC):
    """A step that splits text into words, and may change it first."""

    __slots__ = ()

    @property
    @abstractmethod
    def levels(self) -> tuple[Level, ...]:
        """The levels of the equivalent splitter. Raise RecipeError for one that is too large."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """How the step splits text; its name until somebody words it."""
        return (verbatim(type(self).__name__),)

    @property
    def expressions(self) -> tuple[Statement, ...]:
        """The expression or name by which the step splits, or in words what one without any does."""
        return self.statements

    @property
    def changes_text(self) -> bool:
        """Whether `change` may change a text."""
        return False

    def change(self, text: AlignedText) -> AlignedText:
        """Return the text that the levels split in place of this one."""
        return text

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """Return the non-empty words of a text; anything else is dropped.

        Raise TrainingError for an expression that takes too long.
        """
        text = self.change(text)
        return (text.substring(start, stop) for start, stop in word_spans(text.text, self.levels))


# -- splitting at what a pattern matches -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Split(PreTokenizer):
    """A pre-tokenizer that splits at the matches of `pattern`, or between them if `invert` is set.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.

    >>> word_spans("a-b", Split("-", "merged_with_previous").levels)
    [(0, 2), (2, 3)]
    """

    pattern: str
    behavior: Behavior
    invert: bool = False
    is_regex: bool = True

    @property
    def equivalent_splitter(self) -> str | None:
        """The recipe splitter that splits like this step, or None if there is none or the dialects may differ."""
        keeps_everything = self.behavior == "isolated" and not self.invert
        drops_others = self.behavior == "removed" and self.invert
        if not self.is_regex or not (keeps_everything or drops_others):
            return None
        return splitter_of_pattern(self.pattern, keeps_everything=keeps_everything)

    @property
    def statements(self) -> tuple[Statement, ...]:
        if SPACE_SYMBOL in self.pattern:
            return (_("Pipeline", "split at {text}").format(text=SPACE_SYMBOL),)
        if not self.is_regex:
            return (_("Pipeline", "split at {text}").format(text=self.pattern if self.pattern.strip() else "␣"),)
        return (splitter_statement(self.equivalent_splitter or self.pattern),)

    @property
    def expressions(self) -> tuple[Statement, ...]:
        if not self.is_regex:
            return self.statements
        return (verbatim((self.equivalent_splitter or self.pattern).encode()),)

    @property
    def levels(self) -> tuple[Level, ...]:
        if self.is_regex:
            automaton = automaton_of_pattern(self.pattern)
        else:  # an empty text never matches
            automaton = automaton_of(literal(self.pattern) if self.pattern else Characters(~EVERYTHING))
        return (Level(automaton, self.behavior, self.invert),)


_GPT2: Final = Split(SPLITTERS["gpt2"], "isolated")


def equivalent_steps(splitter: str) -> tuple[Split, ...]:
    """Return the steps that split like `splitter`: no step for `none`, else one.

    If the expression matches every character, the step keeps everything, otherwise it drops the text between matches.
    Raise FormatError for a regular expression that Oniguruma may read differently.
    """
    pattern, matches_everything = step_pattern(splitter)
    if not pattern:
        return ()
    return (Split(pattern, "isolated") if matches_everything else keep_matches(pattern),)


def keep_matches(pattern: str) -> Split:
    """Return the step that makes each match of `pattern` a word and drops everything else."""
    return Split(pattern=pattern, behavior="removed", invert=True)


@dataclass(frozen=True, slots=True)
class RecipeSplit(PreTokenizer):
    """A pre-tokenizer that splits like a recipe with this splitter, and drops characters that it does not match.

    With `takes_space`, a word begins with the space that is dropped before it.

    >>> word_spans("low lower", RecipeSplit("gpt2").levels)
    [(0, 3), (3, 9)]
    """

    splitter: str
    takes_space: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (splitter_statement(self.splitter),)

    @property
    def expressions(self) -> tuple[Statement, ...]:
        return (verbatim(self.splitter.encode()),)

    @property
    def levels(self) -> tuple[Level, ...]:
        if self.splitter == "none":
            return ()
        return (Level(automaton_of_splitter(self.splitter), takes_space=self.takes_space),)


# -- splitting by classes of characters --------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _one_of(name: Class) -> Automaton:
    """Return the automaton of one character of a class."""
    return automaton_of(Characters(characters_in(name)))


@dataclass(frozen=True, slots=True)
class Digits(PreTokenizer):
    """A pre-tokenizer that separates numbers from everything else and, if `individual` is set, their digits.

    >>> word_spans("a10", Digits(individual=True).levels)
    [(0, 1), (1, 2), (2, 3)]
    """

    individual: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        if self.individual:
            return (_("Pipeline", "single digits split"),)
        return (_("Pipeline", "numbers split"),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return (Level(_one_of("number"), "isolated" if self.individual else "contiguous", False),)


@dataclass(frozen=True, slots=True)
class Punctuation(PreTokenizer):
    """A pre-tokenizer that splits at punctuation and all ASCII symbols.

    >>> word_spans("a+b", Punctuation().levels)
    [(0, 1), (1, 2), (2, 3)]
    """

    behavior: Behavior = "isolated"

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "punctuation split"),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return (Level(_one_of("punctuation"), self.behavior, False),)


@dataclass(frozen=True, slots=True)
class Whitespace(PreTokenizer):
    """A pre-tokenizer whose words are runs of letters, digits and `_`, or runs of symbols; it drops white space.

    >>> word_spans("don't go", Whitespace().levels)
    [(0, 3), (3, 4), (4, 5), (6, 8)]
    """

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "words and punctuation split"),)

    @property
    def levels(self) -> tuple[Level, ...]:
        word, space = characters_in("word"), characters_in("space")
        return (Level(automaton_of(Choice((some(word), some(~(word | space)))))),)


@dataclass(frozen=True, slots=True)
class WhitespaceSplit(PreTokenizer):
    """A pre-tokenizer that splits at white space, and drops it.

    >>> word_spans(" don't  go", WhitespaceSplit().levels)
    [(1, 6), (8, 10)]
    """

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "split at whitespace"),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return (Level(_one_of("space"), "removed", False),)


@dataclass(frozen=True, slots=True)
class BertPreTokenizer(PreTokenizer):
    """A pre-tokenizer that splits at white space, which it drops, and at each punctuation character.

    >>> word_spans("don't  go", BertPreTokenizer().levels)
    [(0, 3), (3, 4), (4, 5), (7, 9)]
    """

    statements: ClassVar[tuple[Statement, ...]] = WhitespaceSplit.statements + Punctuation.statements

    @property
    def levels(self) -> tuple[Level, ...]:
        return WhitespaceSplit().levels + Punctuation().levels


@dataclass(frozen=True, slots=True)
class UnicodeScripts(PreTokenizer):
    """A pre-tokenizer that splits where the script changes.

    A space, or a character without a script, goes with the text before it. Like the library, this drops them at the
    start of a text.

    >>> word_spans(" Apples are りんご 林檎", UnicodeScripts().levels)
    [(1, 12), (12, 18)]
    """

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "scripts split"),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return _levels_of_scripts()


@cache
def _levels_of_scripts() -> tuple[Level, ...]:
    """Return the levels of `UnicodeScripts`, made once: uniting a hundred sets takes longer than splitting a text."""
    any_script, *others = scripts()
    words = (Sequence((Characters(script), Repeat(Characters(script | any_script), 0, None))) for script in others)
    return (Level(automaton_of(Choice(tuple(words)))),)


@dataclass(frozen=True, slots=True)
class FixedLength(PreTokenizer):
    """A pre-tokenizer that splits into words of `length` characters; the last one may be shorter."""

    length: int = 5

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (_("Pipeline", "words of {number} characters").format(number=str(self.length)),)

    @property
    def levels(self) -> tuple[Level, ...]:
        return (Level(automaton_of(Repeat(Characters(EVERYTHING), 1, self.length))),)

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        """Return the words, even if they are too long for an automaton.

        >>> [word.text for word in FixedLength(2).split(AlignedText.of("lower"))]
        ['lo', 'we', 'r']
        """
        starts = range(0, len(text.text), self.length)
        return (text.substring(start, min(start + self.length, len(text.text))) for start in starts)


# -- changing text -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ByteLevel(PreTokenizer):
    """A pre-tokenizer that turns each byte into GPT-2's printable character for it.

    If `use_regex` is set, it first splits as GPT-2 does.

    >>> [word.text for word in ByteLevel(use_regex=True).split(AlignedText.of("low é"))]
    ['low', 'ĠÃ©']
    """

    add_prefix_space: bool = False
    use_regex: bool = False

    @property
    def statements(self) -> tuple[Statement, ...]:
        return _GPT2.statements if self.use_regex else ()

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the splitter, for text before bytes become characters."""
        return _GPT2.levels if self.use_regex else ()

    @property
    def changes_text(self) -> bool:
        return self.add_prefix_space

    def change(self, text: AlignedText) -> AlignedText:
        return text.with_prefix(" ") if self.add_prefix_space and not text.text.startswith(" ") else text

    def split(self, text: AlignedText) -> Iterable[AlignedText]:
        return (word.as_bytes() for word in PreTokenizer.split(self, text))


@dataclass(frozen=True, slots=True)
class Metaspace(PreTokenizer):
    """A pre-tokenizer that writes spaces as `replacement` and puts one before the text.

    If `splits` is set, it splits before each of them.

    >>> [word.text for word in Metaspace().split(AlignedText.of("low  lower"))]
    ['▁low', '▁', '▁lower']
    """

    replacement: str = SPACE_SYMBOL
    prepend_scheme: PrependScheme = "always"
    splits: bool = True

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (_("Pipeline", "whitespace as {text}").format(text=self.replacement),)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The level of the splitter, for text in which spaces have been replaced."""
        return (Level(automaton_of(literal(self.replacement)), "merged_with_next", False),) if self.splits else ()

    @property
    def changes_text(self) -> bool:
        return True

    def change(self, text: AlignedText) -> AlignedText:
        text = text.with_text(text.text.replace(" ", self.replacement))
        is_prefixed = self.prepend_scheme == "always" or (self.prepend_scheme == "first" and text.origin_length > 0)
        return text.with_prefix(self.replacement) if is_prefixed and text.text[:1] != self.replacement else text
