"""Plans of runs: merges given in advance, vetoes and stages."""

from .banned_tokens import automaton_of_tokens
from .mistakes import PlanStepError, as_in_file
from .plan import Plan, Veto
from .rules import RULES, Rule

__all__ = ["RULES", "Plan", "PlanStepError", "Rule", "Veto", "as_in_file", "automaton_of_tokens"]
