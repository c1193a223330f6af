"""Training from start to end in one call."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.trainer import Trainer
from bpe_gui.engine.corpora.word_counts import WordCounts

_NO_GOAL: Final = 2**62
"""A step that no run has."""


def train(
    source: str | Path | Iterable[str | Path] | WordCounts,
    *,
    recipe: Recipe | str = "cs336",
    vocab_size: int | None = None,
    num_merges: int | None = None,
    special_tokens: Iterable[str] = (),
    progress: Progress | None = None,
) -> Tokenizer:
    """Count the corpus and train a tokenizer on it.

    `source` is text (str), a file (Path), many of either, or words already counted. Training ends at `vocab_size`
    entries or after `num_merges`, whichever comes first, or when nothing is left to merge. `progress` gets merges done
    and merges to do. Raises EngineError for what is wrong with the corpus, the recipe or the size.

    >>> train("low low lower", recipe="cs336-toy", num_merges=2).merges
    [(b'o', b'w'), (b'l', b'ow')]
    """
    recipe = Recipe.of(recipe)
    special_tokens = tuple(special_tokens)
    words = source if isinstance(source, WordCounts) else Corpus.from_source(source).count(recipe, special_tokens)
    if special_tokens and special_tokens != words.special_tokens:
        raise TrainingError(
            _(
                "EngineError",
                "The words were counted with the special tokens {counted}, not {asked}; count them again.",
            ),
            counted=list(words.special_tokens),
            asked=list(special_tokens),
        )
    trainer = Trainer(words, recipe)
    for done, goal in train_to(trainer, vocab_size=vocab_size, num_merges=num_merges):
        if progress:
            progress(done, goal)
    naming, position = trainer.naming(), trainer.position
    del trainer  # the arrays of the run make room for the tokenizer's tables
    return naming.tokenizer(position)


def train_to(
    trainer: Trainer, *, vocab_size: int | None = None, num_merges: int | None = None
) -> Iterator[tuple[int, int]]:
    """Step until a size is reached or nothing is left; gives (merges done, expected at the end) every now and then.

    That is at least at the end, and else about every hundredth of a second. Raises TrainingError at once for a size
    that cannot be.

    >>> trainer = Trainer(Corpus.from_text("low low lower").count("cs336-toy"), "cs336-toy")
    >>> list(train_to(trainer, num_merges=2))
    [(2, 2)]
    """
    check_size(trainer, vocab_size, num_merges)
    return _steps(trainer, vocab_size, num_merges)


def _steps(trainer: Trainer, vocab_size: int | None, num_merges: int | None) -> Iterator[tuple[int, int]]:
    while True:
        goal = _goal(trainer, vocab_size, num_merges)
        if goal is not None and goal <= trainer.position:
            return
        arrived = trainer.approach(_NO_GOAL if goal is None else goal)
        yield trainer.position, goal or trainer.position
        if arrived and trainer.position != goal:
            return  # nothing is left to merge


def _goal(trainer: Trainer, vocab_size: int | None, num_merges: int | None) -> int | None:
    """The step to go to. A merge makes the vocabulary larger by one at most, so that is never beyond the size."""
    by_size = None if vocab_size is None else trainer.position + max(0, vocab_size - trainer.vocab_size)
    return min((goal for goal in (by_size, num_merges) if goal is not None), default=None)


def check_size(trainer: Trainer, vocab_size: int | None, num_merges: int | None) -> None:
    """Raise TrainingError for a size below what the vocabulary begins with, or a negative number of merges."""
    if num_merges is not None and num_merges < 0:
        raise TrainingError(
            _("EngineError", "The number of merges is {merges}; it must be 0 or more."), merges=num_merges
        )
    if vocab_size is not None and vocab_size < trainer.initial_size:
        raise TrainingError(
            _(
                "EngineError",
                "The vocabulary size {size:,} is too small: the alphabet has {alphabet:,} symbols and there are "
                "{specials:,} special tokens, so it must be at least {least:,}.",
            ),
            size=vocab_size,
            alphabet=trainer.alphabet_size,
            specials=len(trainer.word_counts.special_tokens),
            least=trainer.initial_size,
        )
