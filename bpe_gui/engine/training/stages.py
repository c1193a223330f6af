"""Create the stages of a run: one for the recipe's splitter, and one for each splitter that the plan has for later."""

from collections.abc import Mapping

from bpe_gui.engine.corpora.word_counts import WordCounts
from bpe_gui.engine.runtime.errors import TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import Recipe

from .plans.guide import PlanGuide, base_symbols
from .plans.plan import Plan
from .run_arrays import create_run
from .stage import Stage
from .word_units import initial_symbols


def create_stages(
    word_counts: WordCounts, recipe: Recipe, plan: Plan, stage_counts: Mapping[str, WordCounts], report: Progress
) -> tuple[list[Stage], list[bytes], int]:
    """Return the stages at step 0, the alphabet, and how many of its symbols precede the special tokens.

    `stage_counts` has the words for each splitter of the plan's stages. Raise TrainingError as `Trainer` does.
    """
    parts = [
        (start, _counts_for(start, stage_recipe, word_counts, stage_counts) if start else word_counts, stage_recipe)
        for start, stage_recipe in plan.stage_recipes(recipe).items()
    ]
    # The stages have one alphabet, so that their symbols are the same.
    symbols = base_symbols(plan, recipe)
    if len(parts) > 1:
        symbols = symbols.union(*(initial_symbols(counts, stage_recipe) for _start, counts, stage_recipe in parts))
    stages: list[Stage] = []
    for start, counts, stage_recipe in parts:
        run, alphabet, before_specials = create_run(
            counts, stage_recipe, report, symbols=symbols, vetoes=plan.has_vetoes
        )
        guide = PlanGuide(plan, stage_recipe, alphabet)
        stages.append(Stage(start, counts, stage_recipe, guide.begin(run), guide))
    return stages, alphabet, before_specials


def _counts_for(
    start: int, recipe: Recipe, word_counts: WordCounts, stage_counts: Mapping[str, WordCounts]
) -> WordCounts:
    counts = stage_counts.get(recipe.splitter)
    if counts is None or not counts.fits(recipe) or counts.special_tokens != word_counts.special_tokens:
        raise TrainingError(
            _(
                "EngineError",
                "After step {step:,}, the plan splits text with {splitter!r}. Count the corpus with this "
                "splitter, too, and with the same special tokens.",
            ),
            splitter=recipe.splitter,
            step=start,
        )
    return counts
