"""The plans of branches: the merges of a run up to a step, and what is to be different from there on."""

from bpe_gui.engine import Plan, Trainer
from bpe_gui.engine.tokenization import TokenPair


def plan_from(trainer: Trainer, step: int) -> Plan:
    """Return the plan that repeats the first `step` merges of a run, and then bans and forces as the run's own plan."""
    forced = {rank: pair for rank, pair in trainer.plan.forced.items() if rank >= step}
    return trainer.plan.with_changes(replay=trainer.tokenizer(step).merges, forced=forced)


def banning(plan: Plan, pair: TokenPair) -> Plan:
    """Return a plan by which training never chooses a pair."""
    forced = {rank: each for rank, each in plan.forced.items() if each != pair}
    return plan.with_changes(banned=plan.banned | {pair}, forced=forced)


def forcing(plan: Plan, step: int, pair: TokenPair) -> Plan:
    """Return a plan by which the merge that follows `step` merges is that of a pair."""
    return plan.with_changes(banned=plan.banned - {pair}, forced={**plan.forced, step: pair})
