"""Mistakes in plans, and how those are told that stand in a file."""

from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.splitters import compile_pattern


class PlanStepError(TrainingError):
    """A plan gives a merge that cannot be made. Its sentence has the number of the step, counted from 1."""

    def __init__(self, template: str, *, rank: int, **values: object) -> None:
        """`rank` is the step counted from 0, as plans and their files do; the template may contain {step}."""
        super().__init__(template, step=rank + 1, **values)
        self.rank = rank


def as_in_file(error: EngineError) -> EngineError:
    """Return an error about a plan that stands in a file, where steps count from 0, so that the step is found there."""
    if not isinstance(error, PlanStepError):
        return error
    return TrainingError(
        _("EngineError", "{reason} In the file, where steps count from 0, this is step {step:,}."),
        reason=error,
        step=error.rank,
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
