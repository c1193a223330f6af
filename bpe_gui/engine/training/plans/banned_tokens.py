"""Regular expressions for tokens that training may not make."""

from functools import lru_cache

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import EngineError, TrainingError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.automaton import Automaton
from bpe_gui.engine.text.parser import parse
from bpe_gui.engine.text.syntax import Edge, Expression, Sequence


@checks_arguments(TrainingError)
def check_expression(expression: str) -> None:
    """Raise TrainingError for a regular expression for tokens that is not valid, or that no automaton can stand for."""
    try:
        automaton_of_tokens(expression)
    except EngineError as error:
        raise TrainingError(
            _("EngineError", "The expression {expression!r} for banned tokens cannot be used. {reason}"),
            expression=expression,
            reason=error,
        ) from error


@lru_cache(maxsize=1 << 16)
def is_whole_match(expression: str, token: str) -> bool:
    """Return whether an expression matches a whole token.

    >>> is_whole_match("e?st", "est"), is_whole_match("e?st", "fast")
    (True, False)
    """
    return any(True for _match in automaton_of_tokens(expression).matches(token))


@lru_cache(maxsize=1 << 10)
def automaton_of_tokens(expression: str) -> Automaton:
    """Return the automaton that matches the whole of a text where an expression does. Raise RecipeError."""
    root = parse(expression, may_be_empty=True).root
    return Automaton(Expression(expression, Sequence((Edge(is_end=False), root, Edge(is_end=True))), ()))
