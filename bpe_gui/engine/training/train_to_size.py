"""Train in one call, up to a size."""

from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from pathlib import Path
from types import NoneType
from typing import Final

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.arguments import check_type
from bpe_gui.engine.runtime.errors import TrainingError, VocabularySizeError
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.recipe import DEFAULT_RECIPE, Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .parity import LanguageTurns
from .plan import Plan
from .run_vocabulary import RunVocabulary
from .trainer import Trainer
from .turns import Parity, Variant

Source = str | Path | Iterable[str | Path] | Corpus | WordCounts
"""Text to train on; see `train`."""

_UNLIMITED: Final = 2**62
"""More merges than any run has."""


def train(
    source: "Source",
    *,
    recipe: Recipe | str = DEFAULT_RECIPE,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    special_tokens: Iterable[str] = (),
    plan: Plan | None = None,
    progress: Progress | None = None,
) -> Tokenizer:
    """Count the words of a corpus and return a tokenizer trained on them.

    `source` is text (str), a file (Path), an iterable of either, a corpus, or words that are already counted. Training
    ends at `vocab_size` entries or after `num_merges`, whichever comes first, or when nothing is left to merge. `plan`
    may give merges in advance and veto others; its stages need a corpus rather than counted words. `progress` is
    called with the merges done and to be done. Raise EngineError for a corpus, recipe, size or plan that is not valid,
    and for a size at which the tokenizer that the plan extends would lose entries or merges.

    >>> train("low low lower", recipe="cs336-toy", num_merges=2).merges
    [(b'o', b'w'), (b'l', b'ow')]
    """
    plan = plan or Plan()
    recipe = plan.recipe_of_run(Recipe.of(recipe))
    check_keeps_all(plan, vocab_size=vocab_size, num_merges=num_merges)
    special_tokens = SpecialTokens(special_tokens).tokens
    corpus: Corpus | None = None
    if isinstance(source, WordCounts):
        words = source
    else:
        corpus = source if isinstance(source, Corpus) else Corpus.from_source(source)
        special_tokens = plan.all_special_tokens(special_tokens)
        if plan.base is not None and len(special_tokens) > len(plan.special_ids):
            raise TrainingError(
                "Training continues a tokenizer, so new special tokens must be added to that first, with "
                "surgery.with_special_tokens: {tokens}.",
                tokens=special_tokens[len(plan.special_ids) :],
            )
        words = plan.count(corpus, recipe, special_tokens)
    if special_tokens and special_tokens != words.special_tokens:
        raise TrainingError(
            "The words were counted with the special tokens {counted}, not {asked}. Count them again.",
            counted=list(words.special_tokens),
            asked=list(special_tokens),
        )
    if corpus is None:
        trainer = Trainer(words, recipe, plan=plan)
    else:
        trainer = Trainer.of_corpus(corpus, words, recipe, plan=plan, special_tokens=special_tokens)
    vocabulary, position = _trained(trainer, vocab_size, num_merges, progress)
    del trainer  # frees the arrays of the run before the tables of the tokenizer are built
    return vocabulary.tokenizer(position)


def train_fair(
    languages: Mapping[str, Source],
    *,
    development: Mapping[str, Source] | None = None,
    ratios: Mapping[str, float] | None = None,
    variant: Variant = "base",
    global_merges: int = 0,
    window: int = 100,
    alpha: float = 2.0,
    recipe: Recipe | str = "parity",
    vocab_size: int | None = None,
    num_merges: int | None = None,
    special_tokens: Iterable[str] = (),
    plan: Plan | None = None,
    progress: Progress | None = None,
) -> Tokenizer:
    """Return a tokenizer trained on several languages in turn, so that none needs many more tokens than another.

    `languages` has a source for each, as for `train`. The turn is the language's whose text is longest now, in
    `development`, which should be the same sentences in each language, or in `languages`. With `ratios` instead, see
    `Parity`, as for the next four. The rest is as for `train`. Raise EngineError.

    >>> train_fair({"en": "low low lower", "de": "tief tiefer"}, num_merges=4).merges
    [(b'o', b'w'), (b't', b'i'), (b'l', b'ow'), (b'ti', b'e')]
    """
    parity = Parity(ratios=ratios or {}, variant=variant, global_merges=global_merges, window=window, alpha=alpha)
    plan = plan or Plan()
    check_keeps_all(plan, vocab_size=vocab_size, num_merges=num_merges)
    trainer = fair_trainer(languages, development or {}, parity, recipe, special_tokens, plan)
    vocabulary, position = _trained(trainer, vocab_size, num_merges, progress)
    del trainer
    return vocabulary.tokenizer(position)


def fair_trainer(
    languages: Mapping[str, Source],
    development: Mapping[str, Source],
    parity: Parity,
    recipe: Recipe | str,
    special_tokens: Iterable[str] = (),
    plan: Plan | None = None,
    progress: Progress | None = None,
) -> Trainer:
    """Count the words of each language, and return the trainer in which they take turns. See `train_fair`.

    `progress` is called with the bytes counted and in total. Raise EngineError.
    """
    recipe, plan = Recipe.of(recipe), plan or Plan()
    specials = plan.all_special_tokens(SpecialTokens(special_tokens).tokens)

    def counted(source: Source) -> WordCounts:
        if isinstance(source, WordCounts):
            return source
        corpus = source if isinstance(source, Corpus) else Corpus.from_source(source)
        return corpus.count(recipe, specials, progress)

    turns = LanguageTurns(
        {name: counted(source) for name, source in languages.items()},
        development={name: counted(source) for name, source in development.items()},
        parity=parity,
        recipe=recipe,
        plan=plan,
    )
    return Trainer(turns.word_counts, recipe, plan=plan, turns=turns)


def _trained(
    trainer: Trainer, vocab_size: int | None, num_merges: int | None, progress: Progress | None
) -> tuple[RunVocabulary, int]:
    """Train to a size. Return the vocabulary of the run, and the step reached."""
    for done, goal in train_to(trainer, vocab_size=vocab_size, num_merges=num_merges):
        if progress:
            progress(done, goal)
    return trainer.vocabulary(), trainer.position


def train_to(
    trainer: Trainer, *, vocab_size: int | None = None, num_merges: int | None = None
) -> Iterator[tuple[int, int]]:
    """Step until a size is reached or nothing is left to merge. Yield the merges done and to be done.

    This yields about every ten milliseconds, and at the end. Raise TrainingError immediately for a size that is
    not valid.

    >>> trainer = Trainer(Corpus.from_text("low low lower").count("cs336-toy"), "cs336-toy")
    >>> list(train_to(trainer, num_merges=2))
    [(2, 2)]
    """
    check_type("vocab_size", vocab_size, Integral, NoneType)
    check_type("num_merges", num_merges, Integral, NoneType)
    _check_size(trainer, vocab_size, num_merges)
    return _steps(trainer, vocab_size, num_merges)


def _steps(trainer: Trainer, vocab_size: int | None, num_merges: int | None) -> Iterator[tuple[int, int]]:
    while True:
        # A merge adds at most one entry to the vocabulary, so one merge per missing entry cannot exceed the size.
        by_size = None if vocab_size is None else trainer.position + max(0, vocab_size - trainer.vocab_size)
        goal = min((goal for goal in (by_size, num_merges) if goal is not None), default=None)
        if goal is not None and goal <= trainer.position:
            return
        has_arrived = trainer.approach(_UNLIMITED if goal is None else goal)
        yield trainer.position, goal or trainer.position
        if has_arrived and trainer.position != goal:
            return  # nothing is left to merge


def check_keeps_all(plan: Plan, *, vocab_size: int | None, num_merges: int | None) -> None:
    """Raise TrainingError for a size at which the tokenizer whose ids a plan keeps would lose entries or merges.

    >>> tokenizer = train("low low lower", num_merges=2)
    >>> check_keeps_all(Plan.extending(tokenizer), vocab_size=258, num_merges=None)
    """
    entries, merges = len(plan.ids) + len(plan.special_ids), len(plan.replay)
    if entries and vocab_size is not None and vocab_size < entries:
        raise VocabularySizeError(
            "The vocabulary size {size:,} is too small. It must be at least {least:,} to keep the entries of the "
            "tokenizer that training extends.",
            size=vocab_size,
            least=entries,
        )
    if num_merges is not None and plan.ids and num_merges < merges:
        raise TrainingError(
            "The number of merges must be at least {least:,}, not {merges:,}, to keep those of the tokenizer that "
            "training extends.",
            least=merges,
            merges=num_merges,
        )


def _check_size(trainer: Trainer, vocab_size: int | None, num_merges: int | None) -> None:
    """Raise TrainingError for a size below the initial vocabulary's, or a negative number of merges."""
    if num_merges is not None and num_merges < 0:
        raise TrainingError("The number of merges must be 0 or more, not {merges}.", merges=num_merges)
    if vocab_size is not None and vocab_size < trainer.initial_size:
        raise VocabularySizeError(
            "The vocabulary size {size:,} is too small. It must be at least {least:,} to hold the symbols of the "
            "alphabet ({alphabet:,}) and the special tokens ({specials:,}).",
            size=vocab_size,
            alphabet=trainer.alphabet_size,
            specials=len(trainer.word_counts.special_tokens),
            least=trainer.initial_size,
        )
