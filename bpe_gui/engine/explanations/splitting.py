"""Try another splitter on texts: the words that change, and the text that it leaves out."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from bpe_gui.engine.text.compiled_splitters import scanner_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.text.text_stream import iter_chunks, split_stream
from bpe_gui.engine.text.time_limit import TimeLimit

from .changed_words import MOST_LEFT_OUT, ChangedWords, SplitterChange
from .split_comparison import compare_by_automata

_EXAMPLES: Final = 15

Span = tuple[int, int]


def splitter_change(
    texts: Iterable[str | Iterable[str]],
    before: Recipe,
    after: Recipe,
    special_tokens: Collection[str] = (),
    *,
    limit: TimeLimit | None = None,
    report: Callable[[], object] = lambda: None,
) -> SplitterChange:
    """Return what changes in texts when they are split by another recipe, with the most frequent changes first.

    A text may come in chunks, of which few are in memory at a time if `compares_quickly`. `report` is called every few
    milliseconds. Raise TrainingError for an expression that takes more time than `limit` allows, or too much memory.

    >>> change = splitter_change(["don't stop, don't"], Recipe(), Recipe(splitter="whitespace"))
    >>> change.changed, change.words, change.unique_before, change.unique_after, change.left_out
    (6, 6, 5, 2, 2)
    >>> change.examples[0]
    ChangedWords(before=('don', "'t"), after=("don't",), count=1)
    """
    specials = SpecialTokens(special_tokens)
    old, new = scanner_of(before), scanner_of(after)
    if old is None or new is None:
        whole_texts = (text if isinstance(text, str) else "".join(text) for text in texts)
        return _compare_one_by_one(whole_texts, before, after, specials, limit or TimeLimit(), report)
    return compare_by_automata(
        (iter_chunks(text) if isinstance(text, str) else text for text in texts),
        (old, specials.cut_from_corpus(before)),
        (new, specials.cut_from_corpus(after)),
        _EXAMPLES,
        report,
    )


def compares_quickly(before: Recipe, after: Recipe) -> bool:
    r"""Return whether `splitter_change` takes seconds for 100 MB, for both splitters are automata.

    >>> compares_quickly(Recipe(), Recipe(splitter=r"(\w)\1|\S"))
    False
    """
    return scanner_of(before) is not None and scanner_of(after) is not None


def _compare_one_by_one(
    texts: Iterable[str],
    before: Recipe,
    after: Recipe,
    specials: SpecialTokens,
    limit: TimeLimit,
    report: Callable[[], object],
) -> SplitterChange:
    unique_before: set[str] = set()
    unique_after: set[str] = set()
    changes: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    words = changed = characters = left_out = 0
    left_out_spaces = 0
    left_out_text = ""
    for text in texts:
        old, _special_spans = _spans(text, before, specials.cut_from_corpus(before), limit, report)
        new, special_spans = _spans(text, after, specials.cut_from_corpus(after), limit, report)
        unique_before.update(text[start:stop] for start, stop in old)
        unique_after.update(text[start:stop] for start, stop in new)
        kept = set(new)
        words += len(old)
        changed += sum(1 for span in old if span not in kept)
        for old_words, new_words in _differences(old, new):
            changes[_texts(text, old_words), _texts(text, new_words)] += 1
        for start, stop in _between(sorted([*new, *special_spans]), len(text)):
            visible = text[start:stop].strip()
            left_out += stop - start
            left_out_spaces += sum(map(str.isspace, text[start:stop]))
            left_out_text = left_out_text or visible[:MOST_LEFT_OUT]
        characters += len(text) - sum(stop - start for start, stop in special_spans)
        report()
    return SplitterChange(
        words,
        changed,
        len(unique_before),
        len(unique_after),
        tuple(ChangedWords(*change, count) for change, count in changes.most_common(_EXAMPLES)),
        characters,
        left_out,
        left_out_spaces,
        left_out_text,
    )


def _spans(
    text: str, recipe: Recipe, specials: SpecialTokens, limit: TimeLimit, report: Callable[[], object]
) -> tuple[list[Span], list[Span]]:
    """Return start and stop of the words of a text, and of its special tokens."""
    words: list[Span] = []
    for part in split_stream(iter_chunks(text), recipe, specials, limit=limit):
        report()
        if isinstance(part, list):
            words += [(word.stop - len(word.text), word.stop) for word in part]
    special_spans: list[Span] = []
    at = 0
    for section, is_special in specials.split(text):
        if is_special:
            special_spans.append((at, at + len(section)))
        at += len(section)
    return words, special_spans


def _texts(text: str, spans: Iterable[Span]) -> tuple[str, ...]:
    return tuple(text[start:stop] for start, stop in spans)


def _between(spans: Sequence[Span], size: int) -> Iterator[Span]:
    """Yield the stretches of a text that none of its spans covers."""
    for (_start, stop), (start, _stop) in pairwise([(0, 0), *spans, (size, size)]):
        if stop < start:
            yield stop, start


def _differences(old: Sequence[Span], new: Sequence[Span]) -> Iterator[tuple[list[Span], list[Span]]]:
    """Yield the words that overlap each other and are not the same before and after, stretch by stretch."""
    same = set(old) & set(new)
    marked = sorted(
        [(*span, False) for span in old if span not in same] + [(*span, True) for span in new if span not in same]
    )
    sides: tuple[list[Span], list[Span]] = [], []
    end = 0
    for start, stop, is_new in marked:
        if start >= end and (sides[0] or sides[1]):
            yield sides
            sides = [], []
        sides[is_new].append((start, stop))
        end = max(end, stop)
    if sides[0] or sides[1]:
        yield sides
