"""A branch: one of the runs of a session, with the recipe and the plan that it is trained by."""

from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple

import numpy as np

from bpe_gui.engine import Plan, Recipe, Tokenizer, Trainer

from .run import KeptRun, TrainingGoal


class SavedMerges(NamedTuple):
    """The merges of a branch that has no trainer at present, and the step that it was at."""

    tokenizer: Tokenizer
    position: int


@dataclass(slots=True, eq=False)
class Branch:
    """The main run, which has no name, or a branch.

    While it is not the current one, `kept` is its run; None if that has to be made first, to the merges of `saved`
    if there are any. `paused` is what its training is to reach, which goes on when it becomes the current one.
    """

    name: str
    recipe: Recipe
    plan: Plan
    kept: KeptRun | None = None
    saved: SavedMerges | None = None
    paused: TrainingGoal | None = None


@dataclass(frozen=True, slots=True)
class BranchState:
    """A branch as it is at one moment, apart from its run."""

    branch: Branch
    name: str
    recipe: Recipe
    plan: Plan

    @classmethod
    def of(cls, branch: Branch) -> "BranchState":
        """Return the state of a branch."""
        return cls(branch, branch.name, branch.recipe, branch.plan)


def memory_of(trainer: Trainer) -> int:
    """Return the number of bytes that the arrays of a run take; the words that it shares with others not counted."""
    return _bytes_in(trainer.arrays)


def _bytes_in(value: object) -> int:
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if is_dataclass(value):
        return sum(_bytes_in(getattr(value, field.name)) for field in fields(value))
    return 0
