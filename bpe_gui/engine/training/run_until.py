"""Train until something happens: a token appears, a word is one token, or merges save too little.

Whether a condition holds at a step follows from the merges alone. So training runs at full speed, and numpy then finds
the exact step among the new merges. Conditions on counts ignore merges that a plan gives.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final, Self

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import CorpusError, TrainingError
from bpe_gui.engine.runtime.statements import Statement, counted
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.runtime.types import BoolArray
from bpe_gui.engine.text.alphabet import symbols_of
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.utf8 import check_surrogates
from bpe_gui.engine.vocabulary.tracing import merge_steps

from .results import Merge
from .train_to_size import train_to
from .trainer import Trainer

_MAX_DIGITS: Final = 18  # of a number that fits into 64 bits
_PER_CENT: Final = 100


class RunUntil(ABC):
    """A condition at which training stops, as a value; the subclasses say exactly when each one holds.

    Its text, as on the command line, is a name and a value: `token=ing`.
    """

    name: ClassVar[str]

    @staticmethod
    def parse(text: str) -> "RunUntil":
        """Return the condition that a text states. Raise TrainingError.

        >>> RunUntil.parse("count-below=50"), str(RunUntil.parse("saves-below=0.01%"))
        (CountBelow(number=50), 'saves-below=0.01%')
        """
        name, equals, value = text.partition("=")
        kind = _KINDS.get(name)
        if kind is None or not equals:
            raise TrainingError(
                "Unknown condition {text!r}. The conditions are token=TEXT, word=TEXT, count-below=N, saves-below=N% "
                "and ties=N.",
                text=text,
            )
        return kind.of(value)

    @classmethod
    @abstractmethod
    def of(cls, value: str) -> Self:
        """Return the condition of this kind with a value from text. Raise TrainingError."""

    @property
    @abstractmethod
    def value(self) -> str:
        """The value as text."""

    def __str__(self) -> str:
        """Return the text that `parse` takes."""
        return f"{self.name}={self.value}"

    def check(self, trainer: Trainer) -> None:  # noqa: B027 (most kinds have nothing to check)
        """Raise TrainingError if the condition can never hold in a run like this one."""

    def from_here(self, trainer: Trainer) -> "RunUntil":
        """Return the condition as one means it who looks at this step. Raise TrainingError."""
        return self

    @property
    @abstractmethod
    def statements(self) -> tuple[Statement, Statement]:
        """The condition as a phrase that can stand alone, and what did not happen, as the first part of a sentence."""

    @abstractmethod
    def met(self, stop: "RunStop") -> Statement:
        """Return how the condition was met where a run stopped."""

    @abstractmethod
    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        """Return the first step, from `start`, at which it holds, judging by the merges of ranks below `stop`.

        `stop` is at least `start`, and at most the number of known merges.
        """

    def holds(self, trainer: Trainer) -> bool:
        """Return whether it holds at the current step, judging by known merges only."""
        position = trainer.position
        return self.first_step(trainer, position, min(position + 1, trainer.run_length)) == position


@dataclass(frozen=True, slots=True)
class TokenAppears(RunUntil):
    """Holds once a token exists: from the step after the merge that makes it, or from step 0 for an initial symbol."""

    token: bytes
    name = "token"

    def __post_init__(self) -> None:
        if not self.token:
            raise TrainingError("Enter the token at which to stop, such as ing.")

    @classmethod
    def of(cls, value: str) -> Self:
        try:
            return cls(value.encode(errors="surrogateescape"))
        except UnicodeEncodeError:
            check_surrogates(value, error=TrainingError)
            raise

    @property
    def value(self) -> str:
        return self.token.decode(errors="surrogateescape")

    @property
    def statements(self) -> tuple[Statement, Statement]:
        until, failed = _("Until", "until “{token}” appears"), _("Until", "“{token}” did not become a token")
        return until.format(token=self.token), failed.format(token=self.token)

    def met(self, stop: "RunStop") -> Statement:
        new = _("Until", "Step {step} made the token “{token}”.")
        old = _("Until", "“{token}” is already a token.")
        return (new if stop.position > stop.start else old).format(step=stop.position, token=self.token)

    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        symbols = trainer.vocabulary().symbols_of(self.token)
        if not symbols or symbols[0] >= trainer.alphabet_size + stop:
            return None
        return max(start, symbols[0] - trainer.alphabet_size + 1)


@dataclass(frozen=True, slots=True)
class WordIsOneToken(RunUntil):
    """Holds from the step after a word's last merge: when it is one token at the beginning of a text or after a space.

    A text that begins with a space is used as it is.
    """

    word: str
    name = "word"

    def __post_init__(self) -> None:
        if not self.word:
            raise TrainingError("Enter the word at which to stop, such as learning.")

    @classmethod
    def of(cls, value: str) -> Self:
        return cls(value)

    @property
    def value(self) -> str:
        return self.word

    def check(self, trainer: Trainer) -> None:
        recipes = trainer.plan.stage_recipes(trainer.recipe).values()
        count = min(filter(None, (len(_words(self.word, recipe)) for recipe in recipes)), default=0)
        if count == 0:
            raise TrainingError("The splitter drops all of {word!r}, so it never becomes a token.", word=self.word)
        forms = [form for recipe in recipes for form in self._forms(recipe)]
        if not forms:
            raise TrainingError(
                "The splitter divides {word!r} into {count} words, so it never becomes one token.",
                count=count,
                word=self.word,
            )
        alphabet = set(trainer.tokens[: trainer.alphabet_size])
        if not any(map(alphabet.issuperset, forms)):
            raise TrainingError(
                "The word {word!r} has characters that are not in the corpus, so it never becomes one token.",
                word=self.word,
            )

    @property
    def statements(self) -> tuple[Statement, Statement]:
        until, failed = _("Until", "until “{word}” is one token"), _("Until", "“{word}” did not become one token")
        return until.format(word=self.word), failed.format(word=self.word)

    def met(self, stop: "RunStop") -> Statement:
        new = _("Until", "Step {step} made “{word}” one token.")
        old = _("Until", "“{word}” is already one token.")
        return (new if stop.position > stop.start else old).format(step=stop.position, word=self.word)

    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        steps = [
            max(start, stage_start, step)
            for stage_start, recipe in trainer.plan.stage_recipes(trainer.recipe).items()
            for symbols in self._forms(recipe)
            if stage_start <= stop and (step := self._step_of(symbols, trainer, stop)) is not None
        ]
        return min(steps, default=None)

    def _forms(self, recipe: Recipe) -> list[list[bytes]]:
        """Return the initial symbols of the word, and of the word after a space, unless the splitter splits them."""
        texts = [self.word] if self.word.startswith(" ") else [self.word, f" {self.word}"]
        return [symbols_of(words[0], recipe) for words in (_words(text, recipe) for text in texts) if len(words) == 1]

    def _step_of(self, symbols: list[bytes], trainer: Trainer, stop: int) -> int | None:
        """Return the first step, up to `stop`, at which a word is one token."""
        vocabulary = trainer.vocabulary()
        if not vocabulary.symbols_of(b"".join(symbols)):
            return None  # the usual case, decided quickly
        merges = [step.rank for step in merge_steps(symbols, vocabulary.ranks(), stop)]
        return max(merges, default=-1) + 1 if len(merges) == len(symbols) - 1 else None


@dataclass(frozen=True, slots=True)
class _FromOneOn(RunUntil):
    """A condition whose value is an integer of 1 or more."""

    number: int

    def __post_init__(self) -> None:
        if not 1 <= self.number < 10**_MAX_DIGITS:
            raise self._error(self.value if abs(self.number) < 10**_MAX_DIGITS else "…")

    @classmethod
    def of(cls, value: str) -> Self:
        digits = value.strip()
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
            raise cls._error(value)
        return cls(int(digits))

    @staticmethod
    @abstractmethod
    def _error(value: str) -> TrainingError:
        """Return the error for a text that is not such an integer."""

    @property
    def value(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class CountBelow(_FromOneOn):
    """Holds before a merge whose pair occurs less than `number` times, as the recipe counts.

    The run stops before that merge, so the vocabulary has only merges whose pairs occurred often enough.
    """

    name = "count-below"

    @staticmethod
    def _error(value: str) -> TrainingError:
        return TrainingError("The count must be an integer of 1 or more, not {value!r}.", value=value)

    @property
    def statements(self) -> tuple[Statement, Statement]:
        until, failed = _("Until", "until a count is below {count}"), _("Until", "No merge had a count below {count}")
        return until.format(count=self.number), failed.format(count=self.number)

    def met(self, stop: "RunStop") -> Statement:
        text = _("Until", "At step {step}, the next pair, {pair}, occurs {times}.")
        count = stop.next_merge.count if stop.next_merge else 0
        times = counted(count, _("Until", "once"), _("Until", "{count} times"))
        return text.format(step=stop.position, pair=stop.next_pair, times=times)

    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        start, stop = _known(trainer, start, stop)
        below = np.flatnonzero((trainer.counts[start:stop] < self.number) & _are_chosen(trainer, start, stop))
        return start + int(below[0]) if len(below) else None


@dataclass(frozen=True, slots=True)
class SavesBelow(RunUntil):
    """Holds before a merge that saves less than `percent` % of the tokens that the corpus has before it.

    The run stops before that merge, so the vocabulary has only merges that saved enough. A merge saves a token wherever
    it joins its pair; special tokens are not counted.
    """

    percent: float
    name = "saves-below"

    def __post_init__(self) -> None:
        if not 0 < self.percent <= _PER_CENT:  # false for NaN, too
            is_long = isinstance(self.percent, int) and abs(self.percent) > 10**_MAX_DIGITS
            raise self._error("…" if is_long else self.value)

    @classmethod
    def of(cls, value: str) -> Self:
        number = value.removesuffix("%").strip()
        try:
            if not value.endswith("%"):
                raise cls._error(value)
            return cls(float(number))
        except ValueError:
            raise cls._error(value) from None

    @staticmethod
    def _error(value: str) -> TrainingError:
        return TrainingError("The share must be above 0% and at most 100%, such as 0.01%, not {value!r}.", value=value)

    @property
    def value(self) -> str:
        return f"{self.percent:.15g}%"

    @property
    def statements(self) -> tuple[Statement, Statement]:
        until = _("Until", "until a merge saves less than {share}")
        failed = _("Until", "No merge saved less than {share} of the tokens")
        return until.format(share=self.value), failed.format(share=self.value)

    def met(self, stop: "RunStop") -> Statement:
        text = _("Until", "At step {step}, the next merge, {pair}, would save {percent}% of the tokens.")
        return text.format(step=stop.position, pair=stop.next_pair, percent=stop.percent_saved or 0.0)

    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        start, stop = _known(trainer, start, stop)
        saved, tokens = trainer.tokens_saved[start:stop], trainer.tokens_before[start:stop]
        below = np.flatnonzero((_PER_CENT * saved < self.percent * tokens) & _are_chosen(trainer, start, stop))
        return start + int(below[0]) if len(below) else None


@dataclass(frozen=True, slots=True)
class NthTie(_FromOneOn):
    """Holds from the step before the n-th merge that the tie rule decides, counted from the start of the run.

    At that step, the table of pairs shows which ones occur equally often.
    """

    name = "ties"
    statements = (_("Until", "until there are enough ties"), _("Until", "There were not enough ties"))

    @staticmethod
    def _error(value: str) -> TrainingError:
        return TrainingError("The number of ties must be an integer of 1 or more, not {value!r}.", value=value)

    def from_here(self, trainer: Trainer) -> "NthTie":
        """Return the condition for the n-th tie after the next merge, whose own ties are already visible."""
        following = trainer.peek()
        ties = [*trainer.ties[: trainer.position].tolist(), *([] if following is None else [following.ties])]
        passed = np.flatnonzero((np.array(ties, np.int64) > 0) & _are_chosen(trainer, 0, len(ties)))
        return NthTie(self.number + len(passed))

    def met(self, stop: "RunStop") -> Statement:
        singular = _("Until", "At step {step}, 1 other pair occurs as often as {pair}.")
        plural = _("Until", "At step {step}, {count} other pairs occur as often as {pair}.")
        ties = stop.next_merge.ties if stop.next_merge else 0
        return (singular if ties == 1 else plural).format(step=stop.position, count=ties, pair=stop.next_pair)

    def first_step(self, trainer: Trainer, start: int, stop: int) -> int | None:
        start, stop = _known(trainer, start, stop)
        tied = np.flatnonzero((trainer.ties[:stop] > 0) & _are_chosen(trainer, 0, stop))
        return max(start, int(tied[self.number - 1])) if len(tied) >= self.number else None


@dataclass(frozen=True, slots=True)
class RunStop:
    """Where a run from step `start` stopped: where a condition holds, or where nothing was left to merge."""

    condition: RunUntil
    start: int
    position: int
    vocab_size: int
    holds: bool
    """Whether the condition holds at the position."""
    next_merge: Merge | None
    """The merge that follows; None at the end of the run."""
    percent_saved: float | None
    """The percentage of the tokens that the next merge saves; None if it is unknown, because it was never applied."""
    given: int
    """The number of merges from `start` up to the position that the plan gave."""

    @classmethod
    def of(cls, condition: RunUntil, trainer: Trainer, start: int) -> Self:
        """Return where a trainer has stopped."""
        position, percent = trainer.position, None
        if position < trainer.run_length:
            percent = _PER_CENT * int(trainer.tokens_saved[position]) / int(trainer.tokens_before[position])
        holds, merge = condition.holds(trainer), trainer.peek()
        given = int(np.count_nonzero(~_are_chosen(trainer, start, max(start, position))))
        return cls(condition, start, position, trainer.vocab_size, holds, merge, percent, given)

    @property
    def next_pair(self) -> Statement:
        """The pair of the next merge."""
        merge = self.next_merge
        assert merge is not None  # the merge at which the condition holds
        return Statement("", "{left} + {right}", {"left": merge.left, "right": merge.right})

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Where and why the run stopped, and how many merges a condition on counts passed over."""
        reason = self.condition.met(self) if self.holds else self._end
        if isinstance(self.condition, TokenAppears | WordIsOneToken) or not self.given:
            return (reason,)
        singular = _("Until", "1 earlier merge was given by the plan and was not counted.")
        plural = _("Until", "{count} earlier merges were given by the plan and were not counted.")
        return reason, counted(self.given, singular, plural)

    @property
    def _end(self) -> Statement:
        """That the condition was not met, and what ended the run."""
        if self.next_merge is None:
            end = _("Until", "{text}: nothing is left to merge after step {steps}.")
        else:
            end = _("Until", "{text} within the target vocabulary size of {size} entries.")
        return end.format(text=self.condition.statements[1], steps=self.position, size=self.vocab_size)


_KINDS: Final[dict[str, type[RunUntil]]] = {
    kind.name: kind for kind in (TokenAppears, WordIsOneToken, CountBelow, SavesBelow, NthTie)
}


def _known(trainer: Trainer, start: int, stop: int) -> tuple[int, int]:
    """Return the part of a range of ranks whose merges are known."""
    stop = max(0, min(stop, trainer.run_length))
    return max(0, min(start, stop)), stop


def _are_chosen(trainer: Trainer, start: int, stop: int) -> BoolArray:
    """Return for each of these ranks whether training, not the plan, chose the merge."""
    are_chosen = np.arange(start, stop) >= len(trainer.plan.replay)
    are_chosen[[rank - start for rank in trainer.plan.forced if start <= rank < stop]] = False
    return are_chosen


@lru_cache(maxsize=16)  # called after every bit of training
def _words(text: str, recipe: Recipe) -> tuple[str, ...]:
    """Return the pre-tokens of a short text."""
    try:
        counts = Corpus.from_text(text).count(recipe)
    except CorpusError:  # there are none
        return ()
    return tuple(word for word, count in counts.items() for _time in range(count))


def train_until(
    trainer: Trainer,
    conditions: Sequence[RunUntil],
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
) -> Iterator[tuple[int, int]]:
    """Move to the first step, from the current one, at which a condition holds. Yield as `train_to` does.

    If none holds up to the given size or the end of the run, the trainer stops there. Merges beyond the size are not
    considered. Raise TrainingError immediately for a size that is not valid and a condition that can never
    hold.

    >>> trainer = Trainer(Corpus.from_text("low low lower").count("cs336-toy"), "cs336-toy")
    >>> list(train_until(trainer, [TokenAppears(b"low")]))[-1], trainer.merges[-1].token
    ((2, 2), b'low')
    """
    for condition in conditions:
        check_type("a condition", condition, RunUntil)
        condition.check(trainer)
    return _steps(trainer, conditions, train_to(trainer, vocab_size=vocab_size, num_merges=num_merges))


def _steps(
    trainer: Trainer, conditions: Sequence[RunUntil], training: Iterator[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    found = _first_step(trainer, conditions, trainer.position)
    while found is None:
        start = trainer.position
        progress = next(training, None)
        if progress is None:
            return
        found = _first_step(trainer, conditions, start)
        if found is None:
            yield progress  # only now, so that a caller who stops here and continues later misses no step
    while not trainer.approach(found):
        yield trainer.position, found
    yield found, found


def _first_step(trainer: Trainer, conditions: Sequence[RunUntil], start: int) -> int | None:
    """Return the first step from `start` to the current one at which a condition holds."""
    steps = (condition.first_step(trainer, start, trainer.position) for condition in conditions)
    return min((step for step in steps if step is not None), default=None)
