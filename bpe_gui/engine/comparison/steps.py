"""Which steps of two tokenizers differ, from normalizing to the roles of special tokens, and a text that shows it.

Steps are compared by what they do: splitters are the same if their tables are, however their expressions are written.
If they are not, the text on which they part is taken from the compared text, or else found by trying short texts: some
that are hard to split, and walks through both automata, which come to all pairs of their states.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import chain, islice, product
from typing import Final, Literal, get_args

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.levels import automaton_of_pattern, splitter_of_levels
from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import PreTokenizer, RecipeSplit
from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.errors import EngineError, TokenizerError
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.text.automaton import DEAD, Automaton
from bpe_gui.engine.text.splitter_tables import Level
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

Step = Literal[
    "normalizer",
    "splitter",
    "added_tokens",
    "roles",
    "chat_templates",
    "ids_before",
    "ids_after",
    "model",
    "decoder",
    "merges",
    "vocabulary",
]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
"""The steps in which tokenizers may differ, in the order in which differences are said."""

_HARD_TEXTS: Final = (
    *(
        "don't",
        "DON'T",
        "we'll",
        "x's",
        "1234567",
        "12a",
        "snake_case",
        "CamelCase",
        "HTTPServer",
        "a-b",
        "a.b",
        "...!",
    ),
    *(" a", "  a", " a ", "a  b", "\n", "\r\n\n", " \n a", "\ta", "a\u00a0b", "   ", "1 000", "é", "e\u0301", "ǅ", "ß"),
    *(
        "ﬁ",
        "İ",
        "Ａ１",
        "①",
        "Ω",
        "가각",
        "你好吗",
        "你好, ok",
        "ひらカタ",
        "a\u200bb",
        "\u2028",
        "▁a",
        "🙂👍🏽",
        "²",
        "a/b\n",
    ),
    *("\x00", "\x1c", "\ufeffa", "\u2581", "_", "'s", "low<e>", "\u0915\u093f", "\u0e01\u0e33", "\u0627\u064e"),
)
_MOST_WALKS: Final = 10_000
_CHOICES: Final = "ax1 .!\nA-z(\t9'/éÀ中\u0301²\r_"  # characters that stand for their class rather than others
_CODE_POINTS: Final = 0x110000
_SURROGATES: Final = slice(0xD800, 0xE000)
_PER_NORMALIZER: Final = 300  # characters that a normalizer may change, of which each is tried
_SAME_TABLES: Final = ("ascii", "pages", "classes", "moves", "matches", "firsts", "backward", "pairs", "settings")


@dataclass(frozen=True, slots=True)
class PartingText:
    """A text for which a step does one thing or another: the words, or the normalized text as the only one."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepDifference:
    """A step in which two tokenizers differ, and what each has there.

    - `normalizer`, `splitter`, `decoder`: the steps. There is no `text` only if none was found that shows it.
    - `added_tokens`: those that the other lacks, or has with another id or flags.
    - `roles`, `chat_templates`, `model`: pairs of a name and a value that differ; a value is None if there is none.
    - `ids_before`, `ids_after`: the ids put around each text, each with its token.
    - `merges`, `vocabulary`: how many there are; `MergeDifference` and `PairComparison` say how they differ.
    """

    step: Step
    first: tuple[object, ...]
    second: tuple[object, ...]
    text: PartingText | None = None


@checks_arguments(TokenizerError)
def step_differences(first: Tokenizer, second: Tokenizer, texts: Iterable[str] = ()) -> tuple[StepDifference, ...]:
    """Return the steps in which two tokenizers differ, in the order of `STEPS`, but for merges and vocabulary.

    `texts` are tried first for one on which normalizers or splitters part.

    >>> from bpe_gui.engine import Recipe
    >>> one, other = (Tokenizer({0: b"1"}, [], recipe=Recipe(splitter=name)) for name in ("gpt2", "cl100k"))
    >>> [(each.step, each.text) for each in step_differences(one, other, ["1", "12345"])]
    [('splitter', PartingText(text='1234', first=('1234',), second=('123', '4')))]
    """
    sides = _Side(first), _Side(second)
    kept = list(texts)
    return tuple(chain(_text_differences(*sides, kept), _other_differences(*sides)))


class _Side:
    """The steps of one tokenizer, whether a recipe or a pipeline describes them."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.pipeline = tokenizer.pipeline
        nothing = Pipeline(pre_tokenizers=(RecipeSplit(tokenizer.recipe.splitter),))
        self.steps = self.pipeline or nothing

    @property
    def splits(self) -> tuple[PreTokenizer, ...]:
        return self.steps.pre_tokenizers

    def normalized(self, text: str) -> tuple[str, ...]:
        """Return a normalized text, as the only one of a tuple. Raise EngineError."""
        return (self.steps.normalize(text),)

    def words(self, text: str) -> tuple[str, ...]:
        """Return the words of a normalized text as one reads them. Raise EngineError."""
        words: Iterable[AlignedText] = [AlignedText.of(text)]
        for step in self.splits:
            words = chain.from_iterable(map(step.split, words))
        return tuple(self.steps.word_text(word.text) for word in words)

    def words_of(self, text: str) -> tuple[str, ...]:
        """Return the words of a text as given. Raise EngineError."""
        return self.words(self.steps.normalize(text))

    def added_tokens(self, *, are_normalized: bool) -> set[AddedToken]:
        """Return the added tokens with the flags that make a difference."""
        ids = self.tokenizer.special_tokens
        known = self.steps.added_tokens or [AddedToken(id=i, content=token) for token, i in ids.items()]
        return {replace(t, in_vocabulary=True, normalized=t.normalized and are_normalized) for t in known}

    def model(self) -> dict[str, object]:
        """Return how words become symbols and merge, by the keys of a recipe and of a `tokenizer.json`."""
        tokenizer, recipe = self.tokenizer, self.tokenizer.recipe
        unknown = tokenizer.unknown_id
        values: dict[str, object] = {switch: getattr(recipe, switch) for switch in ("units", "boundary", "seeds")}
        values["unk_token"] = None if unknown is None else tokenizer.vocab.get(unknown, b"").decode(errors="replace")
        values |= {each.name: getattr(self.steps.model, each.name) for each in fields(self.steps.model)}
        return values | {"is_byte_level": recipe.units == "bytes", "suffix": ""}  # as `units` and `boundary` say

    def around(self, ids: Sequence[int]) -> tuple[tuple[int, str], ...]:
        return tuple((i, self.tokenizer.vocab.get(i, b"").decode(errors="replace")) for i in ids)


def _text_differences(one: _Side, other: _Side, texts: Sequence[str]) -> Iterator[StepDifference]:
    """Yield the difference of the normalizers, and that of the splitters."""
    normalizers = one.steps.normalizers, other.steps.normalizers
    if normalizers[0] != normalizers[1]:
        found = _parting_text(one.normalized, other.normalized, chain(texts, _HARD_TEXTS, _touched(one, other)))
        yield StepDifference("normalizer", *normalizers, found)
    if not _split_alike(one.splits, other.splits):
        are_same = normalizers[0] == normalizers[1]  # if not, a splitter would part on what a normalizer makes
        words = (one.words_of, other.words_of) if are_same else (one.words, other.words)
        walks = _walks(level.automaton for level in _levels((*one.splits, *other.splits)))
        found = _parting_text(*words, chain(texts, _HARD_TEXTS, islice(walks, _MOST_WALKS)))
        yield StepDifference("splitter", one.splits, other.splits, found)


def _other_differences(one: _Side, other: _Side) -> Iterator[StepDifference]:
    """Yield the differences of what does not depend on a text."""
    are_normalized = bool(one.steps.normalizers or other.steps.normalizers)
    mine, theirs = (side.added_tokens(are_normalized=are_normalized) for side in (one, other))
    if mine != theirs:
        yield StepDifference("added_tokens", _by_id(mine - theirs), _by_id(theirs - mine))
    configs = one.tokenizer.config, other.tokenizer.config
    yield from _named("roles", configs[0].roles, configs[1].roles)
    yield from _named("chat_templates", configs[0].chat_templates, configs[1].chat_templates)
    yield from _differing("ids_before", one.around(one.steps.ids_before), other.around(other.steps.ids_before))
    yield from _differing("ids_after", one.around(one.steps.ids_after), other.around(other.steps.ids_after))
    yield from _named("model", one.model(), other.model())
    if one.pipeline is not None and other.pipeline is not None:
        yield from _differing("decoder", one.pipeline.decoders, other.pipeline.decoders)


def _differing(step: Step, first: tuple[object, ...], second: tuple[object, ...]) -> Iterator[StepDifference]:
    if first != second:
        yield StepDifference(step, first, second)


def _named(step: Step, first: Mapping[str, object], second: Mapping[str, object]) -> Iterator[StepDifference]:
    """Yield the difference of two mappings, with the names for which they differ."""
    names = [name for name in dict.fromkeys([*first, *second]) if first.get(name) != second.get(name)]
    pairs = [tuple((name, each.get(name)) for name in names) for each in (first, second)]
    yield from _differing(step, pairs[0], pairs[1])


def _by_id(tokens: Iterable[AddedToken]) -> tuple[AddedToken, ...]:
    return tuple(sorted(tokens, key=lambda token: token.id))


# -- texts -------------------------------------------------------------------------------------------------------------


def _split_alike(first: tuple[PreTokenizer, ...], second: tuple[PreTokenizer, ...]) -> bool:
    """Return whether steps surely split all texts alike: their tables are equal, and they change texts alike."""
    if first == second:
        return True
    changes = [[step for step in steps if step.changes_text] for steps in (first, second)]
    one, other = (splitter_of_levels(tuple(_levels(steps))) for steps in (first, second))
    return changes[0] == changes[1] and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in _SAME_TABLES
    )


def _levels(steps: Iterable[PreTokenizer]) -> Iterator[Level]:
    return (level for step in steps for level in step.levels)


def _parting_text(
    first: Callable[[str], tuple[str, ...]], second: Callable[[str], tuple[str, ...]], texts: Iterable[str]
) -> PartingText | None:
    """Return the shortest part that tells two functions apart of the first text that does; None if none does."""

    def part(text: str) -> bool:
        with suppress(EngineError):  # an expression may take too long
            return first(text) != second(text)
        return False

    text = next(filter(part, texts), None)
    if text is None:
        return None
    same, end = 0, len(text)
    while same + 1 < end:
        middle = (same + end) // 2
        same, end = (same, middle) if part(text[:middle]) else (middle, end)
    begin, same = 0, end
    while begin + 1 < same:
        middle = (begin + same) // 2
        begin, same = (middle, same) if part(text[middle:end]) else (begin, middle)
    text = text[begin:end]
    return PartingText(text, first(text), second(text))


def _touched(one: _Side, other: _Side) -> Iterator[str]:
    """Yield characters and texts that a normalizer may change: those of just one of the two first."""
    steps = (*one.steps.normalizers, *other.steps.normalizers)
    replaced = [step.pattern for step in steps if isinstance(step, Replace) and step.is_regex]
    touched = [side.steps.touched for side in (one, other)]
    known = [each for each in touched if each is not None]
    for each in ([known[0] ^ known[1]] if len(known) > 1 else []) + known:
        points = np.flatnonzero(each)
        points = points[(points < _SURROGATES.start) | (points >= _SURROGATES.stop)]
        yield from map(chr, points[:: len(points) // _PER_NORMALIZER + 1].tolist())
    for step in steps:
        yield from (value for name in getattr(step, "__slots__", ()) if isinstance(value := getattr(step, name), str))
    if replaced:
        yield from islice(_walks(map(automaton_of_pattern, replaced)), _MOST_WALKS)


def _walks(automata: Iterable[Automaton]) -> Iterator[str]:
    """Yield texts that together lead automata to all combinations of their states, shortest first.

    Where a match ends, this only guesses in which state the next one begins, since each text is tried anyway.
    """
    readers = [_Reader(automaton) for automaton in automata]
    points = np.append([*map(ord, _CHOICES)], np.delete(np.arange(_CODE_POINTS), _SURROGATES))
    kinds = np.zeros(len(points), np.int64)
    for each in readers:
        kinds = kinds * each.size + each.classes_of(points)
    _kinds, firsts = np.unique(kinds, return_index=True)  # one character for all those that nothing tells apart
    characters = points[np.sort(firsts)]
    classes = np.array([each.classes_of(characters) for each in readers]).T.tolist()
    begin = tuple(each.size for each in readers)  # the class of the start of a text
    queue = deque([("", tuple(each.starts[-1] for each in readers), begin)])
    seen = {queue[0][1]}
    while queue:
        text, states, before = queue.popleft()
        for character, read in zip(map(chr, characters.tolist()), classes, strict=True):
            yield text + character
            ways = (each.after(*place) for each, *place in zip(readers, states, before, read, strict=True))
            for after in product(*ways):
                if after not in seen:
                    seen.add(after)
                    queue.append((text + character, after, tuple(read)))


class _Reader:
    """An automaton that reads a text character by character, given by their classes."""

    def __init__(self, automaton: Automaton) -> None:
        self._classes = automaton.classes
        self.size = automaton.classes.size
        self.starts: list[int] = automaton.starts.tolist()
        self._following: list[list[int]] = automaton.following.tolist()
        self._symbols: dict[int, list[int]] = {}
        for symbol, class_ in enumerate(automaton.class_of_symbol.tolist()):
            self._symbols.setdefault(class_, []).append(symbol)

    def classes_of(self, points: Int64Array) -> Int64Array:
        """Return the classes of code points."""
        return self._classes.by_code_point[self._classes.pages[points >> 8] + (points & 255)].astype(np.int64)

    def after(self, state: int, before: int, read: int) -> set[int]:
        """Return the possible states after a character of one class that follows one of another."""
        for begin in (state, self.starts[before]):
            if live := {self._following[begin][symbol] for symbol in self._symbols[read]} - {DEAD}:
                return live
        return {self.starts[read]}
