"""Mistakes in plans, and how those are told that stand in a file."""

from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.splitters import compile_pattern


class PlanStepError(TrainingError):
    """A plan gives a merge that cannot be made, at a step that is counted from 1, as the window does."""

    def __init__(self, template: str, *, step: int, **values: object) -> None:
        super().__init__(template, step=step, **values)
        self.step = step


def as_in_file(error: EngineError) -> EngineError:
    """Return an error about a plan that stands in a file, where steps count from 0, so that the step is found there."""
    if not isinstance(error, PlanStepError):
        return error
    return TrainingError(
        _("EngineError", "{reason} In the file, where steps count from 0, this is step {step:,}."),
        reason=error,
        step=error.step - 1,
    )


def check_expression(expression: str) -> None:
    """Raise TrainingError for a regular expression for tokens that is not valid."""
    try:
        compile_pattern(expression)
    except EngineError as error:
        raise TrainingError(
            _("EngineError", "The expression {expression!r} for banned tokens cannot be used. {reason}"),
            expression=expression,
            reason=error,
        ) from error
