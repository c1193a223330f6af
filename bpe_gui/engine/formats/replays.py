"""Runs that begin with the merges of a tokenizer."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.plan import Plan
from bpe_gui.engine.training.stages import LeftOut, replayable

from .recipe_pipelines import recipe_to_replay


class Replay(NamedTuple):
    """The recipe and the plan of a run that replays a tokenizer."""

    recipe: Recipe
    plan: Plan
    position: int = 0
    """The step with the merges of the tokenizer at its step."""
    doubled: int = 0
    """The number of merges that make a token an earlier merge already made."""
    left_out: Sequence[LeftOut] = ()
    """The merges that cannot be replayed."""
    adds_ids: bool = False
    """Whether the tokenizer adds tokens to each text, which a run cannot."""

    @classmethod
    def of(cls, tokenizer: Tokenizer, position: int = 0) -> Self:
        """Return the run that replays a tokenizer, which is at a position. Raise FormatError if no recipe can."""
        recipe, plan = recipe_to_replay(tokenizer), Plan.replaying(tokenizer)
        kept, left_out = replayable(plan.replay, recipe)
        before, pipeline = set(tokenizer.merges[:position]), tokenizer.pipeline
        doubled = len(kept) - len({left + right for left, right in kept})
        adds_ids = pipeline is not None and bool(pipeline.ids_before + pipeline.ids_after)
        plan, position = plan.with_changes(replay=kept), sum(pair in before for pair in kept)
        return cls(recipe, plan, position, doubled, left_out, adds_ids)

    @classmethod
    def extending(cls, tokenizer: Tokenizer) -> Self:
        """Return the run that continues a tokenizer. Raise EngineError if that is not possible.

        >>> Replay.extending(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")).position
        1
        """
        if tokenizer.recipe.superwords_from:
            return cls.of(tokenizer)
        plan = Plan.extending(tokenizer)
        return cls(tokenizer.recipe, plan, len(plan.replay))
