"""Plans of runs: merges given in advance, vetoes and stages."""

from .plan import Plan, Veto
from .rules import RULES, Rule

__all__ = ["RULES", "Plan", "Rule", "Veto"]
