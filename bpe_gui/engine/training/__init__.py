"""Training: the trainer and its results, and a slow reference implementation."""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy_imports import imported_when_used

from .plans import RULES, Plan, PlanStepError, Rule, Veto, as_in_file, automaton_of_tokens
from .results import ChangedWord, CorpusCount, Merge, PairCount, SplitWord, StepChange
from .token_words import (
    changed_word,
    count_pair,
    count_token,
    last_change,
    most_frequent_first,
    words_with_token,
    words_with_token_now,
)
from .train_to_size import check_keeps_all, train, train_to
from .trainer import Trainer

if TYPE_CHECKING:
    from .run_until import (
        CountBelow,
        NthTie,
        RunStop,
        RunUntil,
        SavesBelow,
        TokenAppears,
        WordIsOneToken,
        train_until,
    )

__all__ = [
    "RULES",
    "ChangedWord",
    "CorpusCount",
    "CountBelow",
    "Merge",
    "NthTie",
    "PairCount",
    "Plan",
    "PlanStepError",
    "Rule",
    "RunStop",
    "RunUntil",
    "SavesBelow",
    "SplitWord",
    "StepChange",
    "TokenAppears",
    "Trainer",
    "Veto",
    "WordIsOneToken",
    "as_in_file",
    "automaton_of_tokens",
    "changed_word",
    "check_keeps_all",
    "count_pair",
    "count_token",
    "last_change",
    "most_frequent_first",
    "train",
    "train_to",
    "train_until",
    "words_with_token",
    "words_with_token_now",
]

__getattr__ = imported_when_used(__name__, __all__, ".run_until")
