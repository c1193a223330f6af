"""`bpe-gui train`: train a tokenizer on files and save it."""

import argparse
import logging
import time
from collections.abc import Iterator
from typing import Final

from bpe_gui.engine import Corpus, Plan, Recipe, RunUntil, Tokenizer, Trainer, TrainingError, load, save, train_until
from bpe_gui.engine.formats import save_obstacle

from .streams import ProgressLine, documents_of, files_named, prepare_engine, quantity, say, say_skipped
from .tokenizer_files import check_output, recipe_named
from .weights import weights_of

_logger: Final = logging.getLogger(__name__)


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError."""
    vocab_size, num_merges = arguments.vocab_size, arguments.num_merges
    conditions = list(map(RunUntil.parse, arguments.until))
    if vocab_size is None and num_merges is None and not conditions:
        raise TrainingError("Use --vocab-size N, --num-merges N or --until CONDITION to say when training stops.")
    recipe, plan = _recipe_and_plan(arguments)
    check_output(arguments.output, arguments.format)
    arguments.files = list(files_named(arguments.files))
    documents = documents_of(arguments)
    start = time.monotonic()
    corpus = Corpus(tuple(documents), tuple(weights_of(arguments)))
    prepare_engine(corpus.size())
    with ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress:
        special_tokens = plan.all_special_tokens(arguments.special_token)
        words = corpus.count(recipe, special_tokens, progress.show)
        stage_counts = plan.count_stages(corpus, recipe, special_tokens, progress.show)
    say_skipped(words.skipped)
    _logger.info("counted %d words, %d different, in %.1f s", words.total, len(words), time.monotonic() - start)
    trainer = Trainer(words, recipe, plan=plan, stage_counts=stage_counts)
    if arguments.extend is not None:
        _repeat_merges(trainer)
    with ProgressLine("Training: {:.0%} of {:,} merges") as progress:
        steps = train_until(trainer, conditions, vocab_size=vocab_size, num_merges=num_merges)
        for done, goal in _checked_at_first_merge(steps, trainer, arguments.format):
            progress.show(done, goal if vocab_size or num_merges else 0)
    _logger.info("trained %d merges after %.1f s", trainer.position, time.monotonic() - start)
    met = next((condition for condition in conditions if condition.holds(trainer)), None)
    ended_early = (
        not met
        and (num_merges is None or trainer.position < num_merges)
        and (vocab_size is None or trainer.vocab_size < vocab_size)
    )
    if ended_early and not trainer.position:
        raise TrainingError(
            "There is nothing to merge in this corpus: no two symbols are adjacent in a word{often}.",
            often=f" at least {recipe.min_count} times" if recipe.min_count > 1 else "",
        )
    tokenizer = trainer.tokenizer()
    written = save(tokenizer, arguments.output, arguments.format)
    seconds, word = time.monotonic() - start, "weighted word" if words.weighted else "word"
    if met:
        say(f"Training stopped at {met}, after {quantity(trainer.position, 'merge', 'merges')}.")
    elif conditions:
        asked = " nor ".join(map(str, conditions))
        say(f"Training did not come to {asked} within {quantity(trainer.position, 'merge', 'merges')}.")
    if ended_early:
        reason = "is left" if recipe.min_count == 1 else f"occurs at least {recipe.min_count} times"
        say(f"Training stopped early: no pair {reason} after {trainer.position:,} merges.")
    elif conditions and not met:
        say(f"The size that was asked for is reached: {quantity(trainer.vocab_size, 'entry', 'entries')}.")
    say(
        f"Wrote {', '.join(map(str, written))}: {quantity(len(tokenizer.vocab), 'entry', 'entries')} and "
        f"{quantity(trainer.position, 'merge', 'merges')} from {quantity(words.total, word, word + 's')} "
        f"({len(words):,} unique) in {seconds:.1f} seconds."
    )
    return 0


def _checked_at_first_merge(
    steps: Iterator[tuple[int, int]], trainer: Trainer, format: str
) -> Iterator[tuple[int, int]]:
    """Yield the items of `steps`.

    Raise FormatError after the first, not after an hour, if files of this format cannot hold such a tokenizer.
    """
    for index, step in enumerate(steps):
        if index == 0 and trainer.position and (error := save_obstacle(trainer.tokenizer(), format)):
            raise error
        yield step


def _repeat_merges(trainer: Trainer) -> None:
    """Repeat the merges of the tokenizer to go on from, so that conditions are for the merges after them."""
    goal = len(trainer.plan.replay)
    with ProgressLine("Repeating the tokenizer's merges: {:.0%} of {:,}") as progress:
        while not trainer.approach(goal):
            progress.show(trainer.position, goal)


def _check_keeps_all(arguments: argparse.Namespace, tokenizer: Tokenizer) -> None:
    """Raise TrainingError for a size at which the tokenizer to go on from would lose merges."""
    entries, merges = len(tokenizer.vocab), len(tokenizer.merges)
    for option, size, least, has in (
        ("--vocab-size", arguments.vocab_size, entries, quantity(entries, "entry", "entries")),
        ("--num-merges", arguments.num_merges, merges, quantity(merges, "merge", "merges")),
    ):
        if size is not None and size < least:
            raise TrainingError(
                "{path} has {has} already, which are kept. Let {option} be more than that, not {size:,}.",
                path=arguments.extend,
                has=has,
                option=option,
                size=size,
            )


def _recipe_and_plan(arguments: argparse.Namespace) -> tuple[Recipe, Plan]:
    """Return what training follows. Without a recipe of its own, it goes on by that of the tokenizer it extends.

    Raise EngineError.
    """
    plan = Plan() if arguments.plan is None else Plan.load(arguments.plan)
    recipe = None if arguments.recipe is None else recipe_named(arguments.recipe)
    if arguments.extend is not None:
        tokenizer = load(arguments.extend)
        _check_keeps_all(arguments, tokenizer)
        if plan.replay:
            raise TrainingError("Use --extend or a plan that replays merges, not both.")
        extending = Plan.extending(tokenizer)
        plan = plan.with_changes(replay=extending.replay, ids=extending.ids, special_ids=extending.special_ids)
        recipe = recipe or tokenizer.recipe
    return recipe or Recipe.of("cs336"), plan
