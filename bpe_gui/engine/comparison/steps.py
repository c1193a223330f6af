"""Which steps of two tokenizers differ, from normalizing to the roles of special tokens, and a text that shows it.

Steps are compared by what they do: splitters are the same if their tables are, however their expressions are written.
If they are not, a text on which they differ is taken from the compared text, or else found by trying short texts: some
that are hard to split, and some that lead both automata through all pairs of their states.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import chain, islice, product
from typing import Final
from unicodedata import normalize

import numpy as np

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.levels import automaton_of_pattern, splitter_of_levels
from bpe_gui.engine.pipeline.normalizers import Replace
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import PreTokenizer
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.text.automaton import DEAD, Automaton
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_HARD_TEXTS: Final = (
    "don't", "DON'T", "we'll", "1234567", "12a", "snake_case", "CamelCase", "a-b", "...!", " a", "  a", " a ", "a  b",
    "\n", "\r\n\n", " \n a", "a\u00a0b", "   ", "1 000", "é", "e\u0301", "ß", "ﬁ", "İ", "Ａ１", "①", "가각", "你好, ok",
    "a\u200bb", "\u2028", "▁a", "🙂👍🏽", "²", "a/b\n", "\x00", "\x1c", "\ufeffa", "<e>",
)  # fmt: skip
_MOST_WALKS: Final = 10_000
_CHOICES: Final = "ax1 .!\nA-z(\t9'/éÀ中\u0301²\r_"  # characters that stand for their class in preference to others
_POINTS: Final = np.append([*map(ord, _CHOICES)], np.delete(np.arange(0x110000), slice(0xD800, 0xE000)))
_PER_NORMALIZER: Final = 300  # about how many of the characters that a normalizer may change are tried
_TABLES: Final = ("ascii", "pages", "classes", "moves", "matches", "firsts", "backward", "pairs", "settings")
_SEQUENCES: Final = ("ids_before", "ids_after", "decoder")


@dataclass(frozen=True, slots=True)
class DifferenceExample:
    """A text on which a step of two tokenizers differs, and what each makes of it: words, or one normalized text."""

    text: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def told_apart(self) -> "DifferenceExample":
        r"""Return the text with escapes where both sides look alike: an accent may be a character of its own.

        >>> DifferenceExample("\u00e9", ("e\u0301",), ("\u00e9",)).told_apart().first
        ('e\\u0301',)
        """
        looks = {normalize("NFC", "|".join(words)) for words in (self.first, self.second)}
        escape = (lambda text: text.encode("unicode_escape").decode()) if len(looks) == 1 else str
        return DifferenceExample(escape(self.text), tuple(map(escape, self.first)), tuple(map(escape, self.second)))


@dataclass(frozen=True, slots=True)
class StepDifference:
    """A step in which two tokenizers differ, and what each has there.

    - `normalizer`, `splitter`, `decoder`: the steps. `text` is None only if none was found that shows the difference.
    - `added_tokens`: those that the other lacks, or has with another id or flags.
    - `roles`, `chat_templates`, `model`: pairs of a name and a value that the other lacks.
    - `ids_before`, `ids_after`: the ids put around each text, each with its token.
    - `merges`, `vocabulary`: how many there are; `MergeDifference` and `PairComparison` say how they differ.
    """

    step: str
    first: tuple[object, ...]
    second: tuple[object, ...]
    text: DifferenceExample | None = None

    @property
    def other_ids(self) -> tuple[tuple[str, int, int], ...]:
        """The tokens that both have in this step, but with different ids: each with its id in the first and the second.

        >>> StepDifference("ids_before", ((1, "<s>"),), ((0, "<s>"), (2, "<x>"))).other_ids
        (('<s>', 1, 0),)
        """
        first, second = (_ids_of(values) for values in (self.first, self.second))
        return tuple((token, i, second[token]) for token, i in first.items() if second.get(token, i) != i)


def _ids_of(values: Iterable[object]) -> dict[str, int]:
    """Return the ids of the tokens among the values of a step."""
    ids: dict[str, int] = {}
    for each in values:
        match each:
            case AddedToken(id=token_id, content=token) | (int(token_id), str(token)):
                ids[token] = token_id
    return ids


def step_differences(first: Tokenizer, second: Tokenizer, texts: Iterable[str] = ()) -> tuple[StepDifference, ...]:
    """Return the steps in which two tokenizers differ, in the order above, except merges and vocabulary.

    `texts` are tried first, to find one on which normalizers or splitters differ.

    >>> from bpe_gui.engine import Recipe
    >>> one, other = (Tokenizer({0: b"1"}, [], recipe=Recipe(splitter=name)) for name in ("gpt2", "cl100k"))
    >>> [(each.step, each.text) for each in step_differences(one, other, ["1", "12345"])]
    [('splitter', DifferenceExample(text='1234', first=('1234',), second=('123', '4')))]
    """
    one, other = first.as_pipeline, second.as_pipeline
    found = [*_text_differences(one, other, list(texts))]
    are_normalized = bool(one.normalizers or other.normalizers)
    parts = [_parts(*each, are_normalized) for each in ((first, one), (second, other))]
    for step, mine in parts[0].items():
        theirs = parts[1][step]
        if step in _SEQUENCES and mine != theirs and (step != "decoder" or (first.pipeline and second.pipeline)):
            found.append(StepDifference(step, mine, theirs))
        elif step not in _SEQUENCES and (one_has := set(mine)) != (other_has := set(theirs)):
            only_first, only_second = ([x for x in mine if x not in other_has], [x for x in theirs if x not in one_has])
            found.append(StepDifference(step, tuple(only_first), tuple(only_second)))
    return tuple(found)


def _parts(tokenizer: Tokenizer, steps: Pipeline, are_normalized: bool) -> dict[str, tuple[object, ...]]:
    """Return what a tokenizer has for each step that is compared without a text, leaving out what does not matter."""

    def with_token(token_id: int) -> tuple[int, str]:
        return token_id, tokenizer.vocab.get(token_id, b"").decode(errors="replace")

    recipe, unknown_id, config = tokenizer.recipe, tokenizer.unknown_id, tokenizer.config
    model = {each.name: getattr(steps.model, each.name) for each in fields(steps.model)}
    model = {name: value for name, value in model.items() if value and name not in ("is_byte_level", "suffix")}
    model |= {switch: getattr(recipe, switch) for switch in ("units", "boundary", "seeds")}
    model |= {} if unknown_id is None else {"unk_token": with_token(unknown_id)[1]}
    added = (replace(t, in_vocabulary=True, normalized=t.normalized and are_normalized) for t in steps.added_tokens)
    return {
        "added_tokens": tuple(sorted(added, key=lambda token: token.id)),
        "roles": tuple(config.roles.items()),
        "chat_templates": tuple(config.chat_templates.items()),
        "ids_before": tuple(map(with_token, steps.ids_before)),
        "ids_after": tuple(map(with_token, steps.ids_after)),
        "model": tuple(model.items()),
        "decoder": steps.decoders,
    }


# -- texts -------------------------------------------------------------------------------------------------------------


def _text_differences(one: Pipeline, other: Pipeline, texts: list[str]) -> Iterator[StepDifference]:
    """Yield the difference of the normalizers, and that of the splitters."""
    are_same = one.normalizers == other.normalizers  # if not, compare splitters on unnormalized text

    def words(steps: Pipeline, text: str) -> tuple[str, ...]:
        found: Iterable[AlignedText] = [AlignedText.of(steps.normalize(text) if are_same else text)]
        for step in steps.pre_tokenizers:
            found = chain.from_iterable(map(step.split, found))
        return tuple(steps.word_text(word.text) for word in found)

    def example(way: Callable[[Pipeline, str], tuple[str, ...]], more: Iterable[str]) -> DifferenceExample | None:
        tried = chain(texts, _HARD_TEXTS, more)
        return _example_of(lambda text: way(one, text), lambda text: way(other, text), tried)

    if not are_same:
        found = example(lambda steps, text: (steps.normalize(text),), _touched(one, other))
        yield StepDifference("normalizer", one.normalizers, other.normalizers, found)
    splits = one.pre_tokenizers, other.pre_tokenizers
    if not _split_alike(*splits):
        walks = _walks([level.automaton for step in chain(*splits) for level in step.levels])
        yield StepDifference("splitter", *splits, example(words, islice(walks, _MOST_WALKS)))


def _split_alike(*splits: tuple[PreTokenizer, ...]) -> bool:
    """Return whether steps surely split all texts alike: their tables are equal, and they change texts alike."""
    first, second = ([step for step in steps if step.changes_text] for steps in splits)
    one, other = (splitter_of_levels(tuple(level for step in steps for level in step.levels)) for steps in splits)
    return first == second and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in _TABLES)


def _example_of(
    first: Callable[[str], tuple[str, ...]], second: Callable[[str], tuple[str, ...]], texts: Iterable[str]
) -> DifferenceExample | None:
    """Return a short part of the first text that tells two functions apart; None if none does."""

    def differ(text: str) -> bool:
        with suppress(EngineError):  # an expression may take too long
            return first(text) != second(text)
        return False

    text = next(filter(differ, texts), None)
    if text is None:
        return None
    for from_end in (False, True):
        alike, size = 0, len(text)
        while alike + 1 < size:
            middle = (alike + size) // 2
            alike, size = (alike, middle) if differ(text[-middle:] if from_end else text[:middle]) else (middle, size)
        text = text[-size:] if from_end else text[:size]
    return DifferenceExample(text, first(text), second(text))


def _touched(one: Pipeline, other: Pipeline) -> Iterator[str]:
    """Yield characters and texts that a normalizer may change: first those that only one of the two touches."""
    known = [steps.touched for steps in (one, other) if steps.touched is not None]
    for touched in ([known[0] ^ known[1]] if len(known) > 1 else []) + known:
        points = _POINTS[touched[_POINTS]]
        yield from map(chr, points[:: len(points) // _PER_NORMALIZER + 1].tolist())
    replaced = [step for step in (*one.normalizers, *other.normalizers) if isinstance(step, Replace)]
    yield from (step.pattern for step in replaced)
    if automata := [automaton_of_pattern(step.pattern) for step in replaced if step.is_regex]:
        yield from islice(_walks(automata), _MOST_WALKS)


def _walks(automata: list[Automaton]) -> Iterator[str]:
    """Yield texts that together lead automata to all combinations of their states, shortest first.

    Where a match ends, this only guesses in which state the next one begins, since each text is tried anyway.
    """
    classes = [each.classes.by_code_point[each.classes.pages[_POINTS >> 8] + (_POINTS & 255)] for each in automata]
    kinds = np.zeros(len(_POINTS), np.int64)
    for each, class_of in zip(automata, classes, strict=True):
        kinds = kinds * each.classes.size + class_of
    _kinds, firsts = np.unique(kinds, return_index=True)  # one character for all that no automaton tells apart
    characters = [(chr(_POINTS[i]), tuple(int(class_of[i]) for class_of in classes)) for i in np.sort(firsts)]
    begin = tuple(each.classes.size for each in automata)  # the class of the start of a text
    queue = deque([("", tuple(int(each.starts[-1]) for each in automata), begin)])
    seen = {queue[0][1]}
    while queue:
        text, states, before = queue.popleft()
        for character, read in characters:
            yield text + character
            for after in product(*map(_states_after, automata, states, before, read)):
                if after not in seen:
                    seen.add(after)
                    queue.append((text + character, after, read))


def _states_after(automaton: Automaton, state: int, before: int, read: int) -> list[int]:
    """Return the possible states after a character of the class `read` that follows one of the class `before`."""
    symbols = np.flatnonzero(automaton.class_of_symbol == read)
    for begin in (state, automaton.starts[before]):
        after = automaton.following[begin, symbols]
        if np.any(after != DEAD):
            return [int(each) for each in after if each != DEAD]
    return [int(automaton.starts[read])]
