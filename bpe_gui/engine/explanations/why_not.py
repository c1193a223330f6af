"""Why a stretch of text is not one token: a word boundary, a merge or a missing merge is in its way.

`why_not_one_token` answers for a stretch of a text, `why_not_a_token` for a text regardless of where it occurs.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.text.utf8 import check_surrogates
from bpe_gui.engine.tokenization.allowed_special import AllowedSpecial
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.corpus_search import (
    LetterPlaces,
    count_places,
    letter_places,
    meeting,
    merged_at,
    preference_of_pairs,
)
from bpe_gui.engine.training.results import CorpusCount
from bpe_gui.engine.training.trainer import Trainer
from bpe_gui.engine.vocabulary.numbered_tokens import TokenPair

from .results import (
    Apart,
    CutsUnit,
    Dropped,
    Ending,
    Explanation,
    NeededMerge,
    NoSymbol,
    NotInCorpus,
    OneToken,
    Reason,
    Taken,
    TakenWhole,
    WordBoundary,
)
from .word_history import Ends, Join, Word, WordHistory, ends_of, words_and_phrases, words_of_pipeline, words_of_recipe


def why_not_one_token(
    source: Trainer | Tokenizer,
    text: str | bytes,
    start: int = 0,
    stop: int | None = None,
    *,
    vocab_size: int | None = None,
    allowed_special: AllowedSpecial = "all",
) -> Explanation:
    """Return why the bytes [start, stop) of a text are not one token now, or that they are.

    A trainer answers for its current position, also using the later merges that it knows and the counts of its corpus.
    A tokenizer answers from its merges alone. How text splits into words depends on the context, so `text` should be
    more than the stretch: a string or, to save encoding it, UTF-8. `vocab_size` is the size the run was meant to reach,
    if any. `allowed_special` is as for `Tokenizer.encode`.

    Raise TokenizerError for a stretch that is empty or not in the text, and for a lone surrogate.

    >>> from bpe_gui.engine import Corpus, Trainer
    >>> corpus = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
    >>> trainer = Trainer(Corpus.from_text(corpus).count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(2)
    2
    >>> taken = why_not_one_token(trainer, "newest", 2, 4).reason
    >>> taken.step, taken.left, taken.right, taken.side, taken.parts, taken.corpus_count.words
    (2, b'e', b'st', 'end', (b'w', b'e'), 1)
    >>> apart = why_not_one_token(trainer, "low").reason
    >>> apart.parts, apart.needed[0], apart.pair_count.occurrences, apart.pair_rank, apart.ending
    ((b'l', b'o', b'w'), NeededMerge(left=b'o', right=b'w', step=None), 7, 1, 'open')
    """
    if isinstance(text, str):
        check_surrogates(text, error=TokenizerError)
        text = text.encode()
    stop = len(text) if stop is None else stop
    if not 0 <= start < stop <= len(text):
        raise TokenizerError(
            "Bytes {start:,} to {stop:,} are outside this text, which has {size:,} bytes.",
            start=start,
            stop=stop,
            size=len(text),
        )
    run = _Run(source, vocab_size, allowed_special)
    words = run.words(text, start, stop)
    around = next((word for word in words if word.start <= start and stop <= word.stop), None)
    if around is None:
        return Explanation(start, stop, None, None, _outside(text, start, stop, words))
    if run.superwords_from and not around.is_phrase:
        run = _Run(run.tokenizer, vocab_size, allowed_special)  # the corpus now consists of phrases
    letters = letter_places(run.trainer, text[start:stop]) if run.trainer else None
    count = count_places(run.trainer, letters) if run.trainer and letters else None
    reason = _Stretch(run, around, start, stop, letters).reason()
    return Explanation(start, stop, around.described(), count, reason)


def _outside(text: bytes, start: int, stop: int, words: Sequence[Word]) -> WordBoundary | Dropped:
    """Return the reason for a stretch that is not inside one word."""
    ends = {offset for word in words for offset in (word.start, word.stop) if start < offset < stop}
    if not ends:
        return Dropped()
    specials = (offset for word in words if word.span.is_special for offset in (word.start, word.stop))
    offset = min(ends.intersection(specials) or ends)
    left = next((word for word in words if word.stop == offset), None)
    right = next((word for word in words if word.start == offset), None)
    return WordBoundary(
        offset,
        before=text[max(0, offset - 4) : offset].decode(errors="ignore")[-1:],
        after=text[offset : offset + 4].decode(errors="ignore")[:1],
        left=left.described() if left else None,
        right=right.described() if right else None,
        boundaries=len(ends),
    )


# -- runs ----------------------------------------------------------------------------------------------------------


class _Run:
    """The merges of a trainer or a tokenizer, and the counts of the corpus if there is one."""

    def __init__(self, source: Trainer | Tokenizer, vocab_size: int | None, allowed_special: AllowedSpecial) -> None:
        self._source = source if isinstance(source, Trainer) else source.obeying(allowed_special)
        self._allowed_special = allowed_special
        self.trainer: Final = source if isinstance(source, Trainer) else None
        self._vocab_size = vocab_size
        self.position: Final = source.position
        self.ranks: Mapping[TokenPair, int]
        recipe = source.stage_recipe if isinstance(source, Trainer) else source.recipe
        self.superwords_from: Final = recipe.superwords_from if source.position > recipe.superwords_from else 0
        if isinstance(source, Trainer):
            self.ranks, self.known, self.prefix_size = source.vocabulary().ranks(), source.run_length, 0
        else:
            store = source.store
            self.ranks, self.known, self.prefix_size = store.ranks, store.merge_count, store.prefix_size

    def words(self, text: bytes, start: int, stop: int) -> list[Word]:
        """Return the words of a text that touch the bytes [start, stop)."""
        source = self._source
        if self.superwords_from:
            return words_and_phrases(text, start, stop, self.tokenizer.obeying(self._allowed_special))
        if isinstance(source, Trainer) and (pipeline := self.tokenizer.pipeline) and source.plan.base:
            return words_of_pipeline(text, start, stop, self.tokenizer.obeying(self._allowed_special), pipeline)
        if isinstance(source, Trainer):
            special_ids: Mapping[str, int] = {}
            if source.word_counts.special_tokens:
                special_ids = source.tokenizer().obeying(self._allowed_special).obeyed_special_tokens
            return words_of_recipe(text, start, stop, source.stage_recipe, special_ids)
        if source.pipeline is not None:
            return words_of_pipeline(text, start, stop, source, source.pipeline)
        return words_of_recipe(text, start, stop, source.recipe, source.obeyed_special_tokens)

    def history(self, word: Word, position: int) -> WordHistory:
        """Return the merges below rank `position` that apply to a word."""
        first = self.superwords_from if word.is_phrase else 0
        if not word.is_phrase and self.superwords_from:
            position = min(position, self.superwords_from)
        return WordHistory(word.symbols, self.ranks, position, self.prefix_size, first)

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer as of the position."""
        return self._source.tokenizer() if isinstance(self._source, Trainer) else self._source

    def id_of(self, token: bytes) -> int | None:
        """Return the id of a token at the position, or None."""
        store = self.tokenizer.store
        return store.ids.get(token) if store.exists(token, self.position) else None

    def preference(self, pairs: set[TokenPair]) -> Mapping[TokenPair, int]:
        """Return the current rank of each pair among all pairs; those that do not occur are left out."""
        return preference_of_pairs(self.trainer, pairs) if self.trainer else {}

    def ending(self, count: int | None) -> Ending:
        """Return why the known run does not merge a pair that now occurs `count` times, None if unknown."""
        trainer = self.trainer
        if trainer is None:
            return "finished"
        if count is not None and count < trainer.recipe.min_count:
            return "too-rare"
        if self._vocab_size is not None and trainer.vocabulary().size(self.known) >= self._vocab_size:
            return "full"
        return "exhausted" if self.position == self.known and trainer.peek() is None else "open"


# -- a stretch of a word -------------------------------------------------------------------------------------------


class _Stretch:
    """The bytes [start, stop) of a word, and where its letters occur in the corpus, if there is one."""

    def __init__(self, run: _Run, word: Word, start: int, stop: int, letters: LetterPlaces | None) -> None:
        self._run = run
        self._word = word
        self._start, self._stop = start, stop
        self._letters = letters

    def reason(self) -> Reason:
        """Return why the stretch is, or is not, one token."""
        word = self._word
        if word.token_id is not None:
            if (word.start, word.stop) == (self._start, self._stop):
                return OneToken(word.token, word.token_id, None)
            return TakenWhole(word.token, word.token_id)
        if not word.covers(self._start, self._stop):
            return NoSymbol()
        ends = ends_of(word, self._start, self._stop)
        if ends is None:
            offset = self._start if self._start not in word.starts else self._stop
            index = max(index for index, start in enumerate(word.starts) if start < offset)
            return CutsUnit(word.symbols[index], offset)
        history = self._run.history(word, self._run.position)
        one = self._one_token(history, ends)
        letters_exist = self._letters is None or len(self._letters.words) > 0
        if one is not None and (letters_exist or one.token_id is not None):
            return one
        if not letters_exist:
            return NotInCorpus(self._run.trainer is not None and self._run.trainer.word_counts.weighted)
        return self._taken(history, ends) or self._apart(history, ends)

    def _one_token(self, history: WordHistory, ends: Ends) -> OneToken | None:
        """Return the token of the stretch, or None. Symbols at its ends that cover no text may belong to it or not."""
        for first in filter(history.is_boundary, reversed(ends.starts)):
            for last in filter(history.is_boundary, ends.stops):
                symbols = history.symbols(first, last)
                if len(symbols) == 1:
                    made = history.last_join(first, last)
                    return OneToken(symbols[0], self._run.id_of(symbols[0]), made.rank + 1 if made else 0)
        return None

    def _taken(self, history: WordHistory, ends: Ends, *, is_applied: bool = True) -> Taken | None:
        """Return the first merge of a history that joins an end of the stretch with text beyond it, or None."""
        join = _first_crossing(history, ends)
        if join is None:
            return None
        is_end = join.boundary in ends.stops
        run, counted = self._run, None
        if is_applied and run.trainer and self._letters:
            places_taken = merged_at(run.trainer, join.rank, self._letters, self._units if is_end else 0)
            counted = count_places(run.trainer, places_taken)
        parts = _parts(history.before(join), ends)
        return Taken(join.rank + 1, join.left, join.right, "end" if is_end else "start", parts, counted)

    @property
    def _units(self) -> int:
        """The length of the stretch in initial symbols, each of which has one position in the symbol array."""
        return sum(1 for start in self._word.starts if self._start <= start < self._stop)

    def _apart(self, history: WordHistory, ends: Ends) -> Apart:
        run = self._run
        parts = _parts(history, ends)
        needed = _needed_merges(parts, run)
        first = needed[0]
        met = meeting(run.trainer, first.left, first.right) if run.trainer else None
        missing = next((merge for merge in needed if merge.step is None), None)
        ending = None
        if missing is not None:
            ending = run.ending(met.pair_count.occurrences if met else 0) if missing is first else run.ending(None)
        return Apart(
            parts,
            needed,
            pair_count=met.pair_count if met else CorpusCount() if run.trainer else None,
            pair_rank=met.pair_rank if met else None,
            taken=self._taken_later(ends),
            ending=ending,
        )

    def _taken_later(self, ends: Ends) -> Taken | None:
        """Return the first merge of the known run that takes an end of the stretch before it is one token."""
        run = self._run
        later = run.history(self._word, run.known)
        crossing = _first_crossing(later, ends)
        if crossing is None or len(_parts(later.before(crossing), ends)) == 1:
            return None
        return self._taken(later, ends, is_applied=False)


def _first_crossing(history: WordHistory, ends: Ends) -> Join | None:
    """Return the first merge after which an end of the stretch is inside a symbol, or None."""
    crossings = [
        max(history.joins[boundary] for boundary in side) for side in ends if not any(map(history.is_boundary, side))
    ]
    return min(crossings, default=None)


def _parts(history: WordHistory, ends: Ends) -> tuple[bytes, ...]:
    """Return the symbols of the stretch, if it begins and ends between two.

    A symbol that covers no text counts if it was inserted at the start of the word, or if it is the end-of-word marker.
    If a character became several symbols and only the first covers text, the character ends with the last of them.
    """
    starts = ends.starts if ends.starts[0] == 0 else reversed(ends.starts)
    first = next(filter(history.is_boundary, starts))
    last = next(filter(history.is_boundary, reversed(ends.stops)))
    return history.symbols(first, last)


def _needed_merges(parts: tuple[bytes, ...], run: _Run) -> tuple[NeededMerge, ...]:
    """Return merges that make the parts one token: known ones first, then those that the run would now prefer."""
    history = WordHistory(parts, run.ranks, run.known, run.prefix_size)
    known = [NeededMerge(join.left, join.right, join.rank + 1) for join in history.in_order()]
    rest = history.symbols(0, len(parts))
    preference = run.preference(set(pairwise(rest)))
    by_preference = sorted(
        range(1, len(rest)), key=lambda boundary: preference.get((rest[boundary - 1], rest[boundary]), len(preference))
    )
    segments = {boundary: (boundary, boundary + 1) for boundary in range(len(rest))}
    """The parts [first, last) of each segment joined so far, by its first and by its last part."""
    missing: list[NeededMerge] = []
    for boundary in by_preference:
        (first, _middle), (_boundary, last) = segments[boundary - 1], segments[boundary]
        missing.append(NeededMerge(_joined(rest[first:boundary], run), _joined(rest[boundary:last], run), None))
        segments[first] = segments[last - 1] = first, last
    return (*known, *missing)


def _joined(parts: Sequence[bytes], run: _Run) -> bytes:
    first, *others = parts
    return first + b"".join(part[run.prefix_size :] for part in others)


def why_not_a_token(source: Trainer | Tokenizer, text: str, *, vocab_size: int | None = None) -> Explanation:
    """Return why a text is not a token, as `why_not_one_token` does for a text on its own.

    If its parts never meet, merges have joined them with letters around them. So if the corpus has the text inside
    words, the answer is the one for the most frequent of these words.

    Raise TokenizerError as `why_not_one_token` does.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower newest newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(1)
    1
    >>> found = why_not_a_token(trainer, "es")
    >>> found.word.text, found.reason.left, found.reason.right
    ('newest', b'w', b'e')
    """
    alone = why_not_one_token(source, text, vocab_size=vocab_size)
    if not isinstance(alone.reason, Apart):
        return alone
    token = text.encode()
    store = source.tokenizer().store if isinstance(source, Trainer) else source.store
    step = store.first_step(token)
    if step is not None and 0 <= step <= source.position:  # without the marker that ends a word
        return Explanation(
            alone.start, alone.stop, alone.word, alone.corpus_count, OneToken(token, store.ids[token], step)
        )
    elsewhere = where_taken(source, alone, token, vocab_size=vocab_size) if isinstance(source, Trainer) else None
    return elsewhere or alone


def where_taken(
    trainer: Trainer, explanation: Explanation, letters: bytes, *, vocab_size: int | None = None
) -> Explanation | None:
    """Explain letters in the most frequent word of the corpus that has them, if a merge takes them there.

    Return None if the explanation is something other than that their parts never meet.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower newest newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(1)
    1
    >>> where_taken(trainer, why_not_one_token(trainer, "yes", 1, 3), b"es").word.text
    'newest'
    """
    reason = explanation.reason
    if not isinstance(reason, Apart) or not isinstance(reason.obstacle, NeededMerge):
        return None
    if reason.obstacle is reason.needed[0] and reason.pair_count is not None and reason.pair_count.occurrences > 0:
        return None  # the parts do meet, and their pair only has not been merged yet
    within = _in_most_frequent_word(trainer, letters, vocab_size)
    return within if within is not None and within.taken else None


def explain(
    source: Trainer | Tokenizer,
    text: bytes,
    start: int,
    stop: int,
    *,
    is_alone: bool = False,
    vocab_size: int | None = None,
    allowed_special: AllowedSpecial = "all",
) -> tuple[Explanation, Explanation | None]:
    """Return why a stretch is not one token, and what takes the same letters in the corpus if its parts never meet.

    With `is_alone`, the rest of the text does not count, and the first answer may be the one for a word of the corpus.
    The arguments and errors are those of `why_not_one_token`.

    >>> from bpe_gui.engine import Corpus
    >>> trainer = Trainer(Corpus.from_text("low lower newest newest").count("cs336-toy"), "cs336-toy")
    >>> trainer.seek(1)
    1
    >>> [found.word.text for found in explain(trainer, b"yes", 1, 3)]
    ['yes', 'newest']
    """
    letters = text[start:stop]
    if is_alone:
        return why_not_a_token(source, letters.decode(), vocab_size=vocab_size), None
    found = why_not_one_token(source, text, start, stop, vocab_size=vocab_size, allowed_special=allowed_special)
    return found, where_taken(source, found, letters, vocab_size=vocab_size) if isinstance(source, Trainer) else None


def _in_most_frequent_word(trainer: Trainer, letters: bytes, vocab_size: int | None) -> Explanation | None:
    """Explain letters in the most frequent word of the corpus that has them, or return None if no word has them."""
    counts = trainer.word_counts
    words = letter_places(trainer, letters).words
    if not len(words):
        return None
    number = int(words[counts.frequencies[words].argmax()])
    word = counts.text[counts.starts[number] : counts.starts[number + 1]].tobytes()
    start = word.index(letters)
    return why_not_one_token(trainer, word, start, start + len(letters), vocab_size=vocab_size)
