"""Errors about the merges and expressions of plans."""

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.expressions.nfa import Graph
from bpe_gui.engine.text.expressions.parser import parse


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


@checks_arguments(TrainingError)
def check_expression(expression: str) -> None:
    """Raise TrainingError for a regular expression for tokens that is not valid."""
    try:
        Graph.of(parse(expression, may_be_empty=True))  # which refuses what would take `regex` gigabytes
    except EngineError as error:
        raise TrainingError(
            _("EngineError", "The expression {expression!r} for banned tokens cannot be used. {reason}"),
            expression=expression,
            reason=error,
        ) from error
