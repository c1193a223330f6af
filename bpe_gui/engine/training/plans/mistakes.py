"""Errors about the merges of plans."""

from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _


class PlanStepError(TrainingError):
    """A plan gives a merge that cannot be made, at a step that is counted from 1, as the window does."""

    def __init__(self, template: str, *, step: int, **values: object) -> None:
        super().__init__(template, step=step, **values)
        self.step = step


def as_in_file(error: EngineError) -> EngineError:
    """Return the error with the step as a plan file has it, counted from 0, if it is about a step."""
    if not isinstance(error, PlanStepError):
        return error
    return TrainingError(
        _("EngineError", "{reason} In the file, where steps count from 0, this is step {step:,}."),
        reason=error,
        step=error.step - 1,
    )
