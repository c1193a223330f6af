"""`bpe-gui train`: train a tokenizer on files, each counted as often as its weight says, and save it."""

import argparse
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Final

from bpe_gui.engine import (
    DEFAULT_RECIPE,
    FORMATS,
    ONCE,
    Corpus,
    EngineError,
    FileDocument,
    Parity,
    Plan,
    Recipe,
    RunUntil,
    Tokenizer,
    Trainer,
    TrainingError,
    load,
    save,
    save_obstacle,
    train_until,
    weight_of,
)
from bpe_gui.engine.opening import recognise
from bpe_gui.engine.training.continuation import separators
from bpe_gui.engine.training.plan_rules import PlanStepError, as_in_file
from bpe_gui.engine.training.train_to_size import check_keeps_all, fair_trainer

from .streams import ProgressLine, documents_of, files_named, fits, quantity, say, say_left_out_records
from .tokenizer_files import (
    check_output,
    check_readers,
    config_changes,
    recipe_named,
    say_caution,
    say_notes,
    with_config,
    written_files,
)

_logger: Final = logging.getLogger(__name__)

_SHOWN: Final = 3
"""How many separators, and how many pieces of them, a caution shows."""


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError."""
    conditions = list(map(RunUntil.parse, arguments.until))
    if arguments.unk_token is not None and arguments.unk_token not in arguments.special_token:
        arguments.special_token = [*arguments.special_token, arguments.unk_token]
    if arguments.vocab_size is None and arguments.num_merges is None and not conditions:
        raise TrainingError("Use --vocab-size N, --num-merges N or --until CONDITION to say when training stops.")
    extended = None if arguments.extend is None else load(arguments.extend)
    recipe, plan = _recipe_and_plan(arguments, extended)
    if extended is not None:
        say_notes((arguments.extend, extended))
    config_changes(arguments, plan.all_special_tokens(arguments.special_token))  # raises
    if arguments.format:
        *_before, last = plan.stage_recipes(recipe).values()
        check_readers(last, arguments.format, is_forced=arguments.force)
    else:  # a folder for bpe-gui, which other programs may read, too
        arguments.format = _usual_format(recipe, plan, arguments)
    arguments.files = list(files_named(arguments.files))
    inputs = [*arguments.files, arguments.extend, arguments.plan]
    check_output(arguments.output, arguments.format, inputs, replaces_any=arguments.force)
    corpus = Corpus(tuple(documents_of(arguments)), tuple(weights_of(arguments)))
    start = time.monotonic()
    with _naming_the_plan(arguments):
        if arguments.language:
            trainer = _fair_trainer(corpus, recipe, plan, arguments)
        else:
            trainer = _trainer(corpus, recipe, plan, arguments)
        words = trainer.word_counts
        _logger.info("counted %d words, %d different, in %.1f s", words.total, len(words), time.monotonic() - start)
        _train(trainer, conditions, arguments)
    _logger.info("trained %d merges after %.1f s", trainer.position, time.monotonic() - start)
    end = _end(trainer, conditions, arguments)
    tokenizer = with_config(trainer.tokenizer(), arguments)
    written = save(tokenizer, arguments.output, arguments.format)
    seconds, word = time.monotonic() - start, "weighted word" if words.weighted else "word"
    for sentence in (*end, _separators_caution(trainer, corpus)):
        if sentence:
            say(sentence)
    if turns := trainer.turns:
        lengths = zip(turns.languages, turns.lengths_at(trainer.position).tolist(), strict=True)
        say(f"Tokens by language: {', '.join(f'{name} {length:,}' for name, length in lengths)}.")
    say(
        f"{written_files(written, tokenizer)} from {quantity(words.total, word, word + 's')} ({len(words):,} unique) "
        f"in {seconds:.1f} seconds."
    )
    say_caution(tokenizer, arguments.format)
    return 0


@contextmanager
def _naming_the_plan(arguments: argparse.Namespace) -> Iterator[None]:
    """Name the plan's file, and the step as written there, in an error about a merge that the plan gives."""
    try:
        yield
    except PlanStepError as error:
        if arguments.plan is None:
            raise
        raise TrainingError("{path}: {reason}", path=arguments.plan, reason=as_in_file(error)) from error


def _trainer(corpus: Corpus, recipe: Recipe, plan: Plan, arguments: argparse.Namespace) -> Trainer:
    """Count the words of a corpus, and return a trainer on them. Raise EngineError."""
    with ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress:
        all_special_tokens = plan.all_special_tokens(arguments.special_token)
        words = plan.count(corpus, recipe, all_special_tokens, progress.show)
        trainer = Trainer.of_corpus(
            corpus, words, recipe, plan=plan, special_tokens=all_special_tokens, counting=progress.show
        )
    say_left_out_records(arguments.inputs, words.skipped)
    return trainer


def _fair_trainer(corpus: Corpus, recipe: Recipe, plan: Plan, arguments: argparse.Namespace) -> Trainer:
    """Count the words of each language, and return a trainer in which they take turns. Raise EngineError."""
    parity = Parity(
        ratios=dict(arguments.ratio),
        variant="window" if arguments.window else "base",
        global_merges=arguments.global_merges,
    )
    groups = _files_by_language(arguments)
    weights = corpus.weights or (ONCE,) * len(corpus.documents)
    languages = {
        name: Corpus(
            tuple(corpus.documents[index] for index in members),
            tuple(weights[index] for index in members) if corpus.weights else (),
        )
        for name, members in groups.items()
    }
    development = {name: Corpus.from_files([path]) for name, path in arguments.development}
    with ProgressLine("Counting words: {:.0%} of {:,} bytes") as progress:
        trainer = fair_trainer(languages, development, parity, recipe, arguments.special_token, plan, progress.show)
    say_left_out_records(arguments.inputs, trainer.word_counts.skipped)
    return trainer


def _files_by_language(arguments: argparse.Namespace) -> dict[str, list[int]]:
    """Return the indices of the files of each language. If several `--language` options match one, the last counts.

    Raise EngineError for a file without a language, and an option that matches no file.
    """
    languages: list[str | None] = [None] * len(arguments.files)
    for name, path in arguments.language:
        for index in _fitting(f"--language {name}={path}", path, arguments.files):
            languages[index] = name
    if None in languages:
        raise EngineError(
            "{path} has no language. Name one with --language NAME={path}.", path=arguments.files[languages.index(None)]
        )
    names = dict.fromkeys(name for name, _path in arguments.language)
    return {name: [index for index, own in enumerate(languages) if own == name] for name in names}


def _train(trainer: Trainer, conditions: Sequence[RunUntil], arguments: argparse.Namespace) -> None:
    """Train to the requested size, or until a condition holds. Raise EngineError."""
    if arguments.extend is not None:  # so that conditions only apply to the merges after its own
        replayed = len(trainer.plan.replay)
        with ProgressLine("Replaying the tokenizer's merges: {:.0%} of {:,}") as progress:
            while not trainer.approach(replayed):
                progress.show(trainer.position, replayed)
    vocab_size, num_merges = arguments.vocab_size, arguments.num_merges
    with ProgressLine("Training: {:.0%} of {:,} merges") as progress:
        steps = train_until(trainer, conditions, vocab_size=vocab_size, num_merges=num_merges)
        for index, (done, goal) in enumerate(steps):
            # A tokenizer that the format cannot represent is refused now rather than after an hour.
            if index == 0 and trainer.position and (error := save_obstacle(trainer.tokenizer(), arguments.format)):
                raise error
            progress.show(done, goal if vocab_size or num_merges else 0)


def _separators_caution(trainer: Trainer, corpus: Corpus) -> str | None:
    """Return a sentence about new tokens that are pieces of what separates texts in the corpus; None without any."""
    base = trainer.plan.base
    if base is None or not all(isinstance(each, FileDocument) and each.is_regular_file for each in corpus.documents):
        return None  # a pipe cannot be read again
    found = separators(corpus.documents, base).most_common(_SHOWN)
    new = [merge.token.decode(errors="replace") for merge in trainer.merges[trainer.plan.merges_before :]]
    pieces = [token for token in new if any(token.strip() in text for text, _count in found)]
    if not pieces:
        return None
    shown = ", ".join(f"{text} {quantity(count, 'time', 'times')}" for text, count in found)
    are_pieces = quantity(len(pieces), "new token is a piece", "new tokens are pieces")
    return (
        f"The corpus has {shown} as plain text, and {are_pieces} of that, such as "
        f"{', '.join(map(repr, pieces[:_SHOWN]))}. To keep it out of training, give it as --special-token."
    )


def _end(trainer: Trainer, conditions: Sequence[RunUntil], arguments: argparse.Namespace) -> list[str]:
    """Return sentences on why the run ended, none if it has the requested size. Raise TrainingError without merges."""
    met = next((condition for condition in conditions if condition.holds(trainer)), None)
    merges = quantity(trainer.position, "merge", "merges")
    if met:
        return [f"Training stopped at {met}, after {merges}."]
    sentences = []
    if conditions:
        sentences.append(f"Not met within {merges}: {', '.join(map(str, conditions))}.")
    least = trainer.recipe.min_count
    vocab_size, num_merges = arguments.vocab_size, arguments.num_merges
    has_merges = num_merges is not None and trainer.position >= num_merges
    if has_merges or (vocab_size is not None and trainer.vocab_size >= vocab_size):
        size = quantity(trainer.vocab_size, "entry", "entries")
        return [*sentences, f"The requested size is reached: {size}."] if conditions else []
    if not trainer.position:
        raise TrainingError(
            "There is nothing to merge in this corpus: no two symbols are adjacent in a word{often}.",
            often=f" at least {least} times" if least > 1 else "",
        )
    reason = "is left" if least == 1 else f"occurs at least {least} times"
    return [*sentences, f"Training stopped early: no pair {reason} after {trainer.position:,} merges."]


def _check_same_symbols(arguments: argparse.Namespace, own: Recipe, recipe: Recipe) -> None:
    """Raise TrainingError for a recipe whose symbols differ from those of the tokenizer to extend."""
    switches = [switch for switch in ("units", "boundary") if getattr(own, switch) != getattr(recipe, switch)]
    if switches:
        raise TrainingError(
            "{path} was trained with {own}, but the recipe {recipe} has {other}, so its merges would not fit. Leave "
            "out --recipe, or use a recipe with {own}.",
            path=arguments.extend,
            own=tuple(f"{switch}={getattr(own, switch)}" for switch in switches),
            recipe=arguments.recipe,
            other=tuple(f"{switch}={getattr(recipe, switch)}" for switch in switches),
        )


def _recipe_and_plan(arguments: argparse.Namespace, extended: Tokenizer | None) -> tuple[Recipe, Plan]:
    """Return the recipe and the plan. Without a recipe of its own, training uses that of the tokenizer it extends.

    Raise EngineError.
    """
    plan = Plan() if arguments.plan is None else Plan.load(arguments.plan)
    recipe = None if arguments.recipe is None else recipe_named(arguments.recipe)
    if extended is not None:
        if plan.replay:
            raise TrainingError("Use --extend or a plan that replays merges, not both.")
        replays = bool(recipe or arguments.language or plan.stages or plan.seeds or plan.parity)
        extending = _replaying(extended, arguments) if replays else _extending(extended, arguments.special_token)
        parts = {name: getattr(extending, name) for name in ("replay", "ids", "special_ids", "base")}
        plan = plan.with_changes(**parts, stages={**extending.stages, **plan.stages})
        recipe = recipe or _own_recipe(extended, replays)
        _check_same_symbols(arguments, extended.recipe, recipe)
    check_keeps_all(plan, vocab_size=arguments.vocab_size, num_merges=arguments.num_merges)
    return recipe or Recipe.of("parity" if arguments.language else DEFAULT_RECIPE), plan


def _own_recipe(extended: Tokenizer, replays: bool) -> Recipe:
    """Return the recipe of a tokenizer to go on from; to replay it, one that splits text as it does."""
    if extended.pipeline is None or not replays:
        return extended.recipe
    from bpe_gui.engine import recipe_to_replay

    return recipe_to_replay(extended)


def _extending(extended: Tokenizer, special_tokens: Sequence[str]) -> Plan:
    """Return the plan that continues a tokenizer through its own steps, with further special tokens."""
    from bpe_gui.engine.surgery import with_special_tokens  # importing pipelines is slow

    added = [token for token in special_tokens if token not in extended.special_tokens]
    return Plan.extending(with_special_tokens(extended, dict.fromkeys(added)) if added else extended)


def _replaying(extended: Tokenizer, arguments: argparse.Namespace) -> Plan:
    """Return the plan that replays a tokenizer's merges on the words of another recipe, and say what gets lost."""
    pipeline = extended.pipeline
    lost = ["adds tokens to each text"] if pipeline and pipeline.ids_before + pipeline.ids_after else []
    lost += ["keeps a word that is a token whole"] if pipeline and pipeline.model.ignores_merges else []
    if lost:
        say(f"{arguments.extend} {' and '.join(lost)}. A run with a recipe of its own does not: that is left out.")
    return Plan.replaying(extended)


def _usual_format(recipe: Recipe, plan: Plan, arguments: argparse.Namespace) -> str:
    """Return the format to write: that of a tokenizer whose steps are kept, if it can be written."""
    if plan.base is not None and plan.base.pipeline is not None:
        own = recognise(arguments.extend)
        return own if FORMATS[own].contents else "huggingface"
    return "gpt2" if recipe.sentencepiece is None else "sentencepiece"


def weights_of(arguments: argparse.Namespace) -> list[Fraction]:
    """Return a weight for each file. If several `--weight` options match a file, the last one counts.

    Raise EngineError for a weight that is not valid, or that matches no file.
    """
    names: Sequence[str] = arguments.files
    weights = [ONCE] * len(names)
    for path, value in arguments.weight:
        try:
            weight = weight_of(value)
        except EngineError as error:
            raise EngineError("--weight {path}={value}: {reason}", path=path, value=value, reason=error) from error
        for index in _fitting(f"--weight {path}={value}", path, names):
            weights[index] = weight
    return weights


def _fitting(option: str, path: str, names: Sequence[str]) -> list[int]:
    """Return the indices of the files that an option's path fits. Raise EngineError if there are none."""
    fitting = [index for index, name in enumerate(names) if fits(path, name)]
    if not fitting:
        raise EngineError(
            "{option} matches none of the files. The path must be one of the files, a folder with some of them, or a "
            "pattern such as 'en/*.txt'.",
            option=option,
        )
    return fitting
