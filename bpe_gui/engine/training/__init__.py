"""Training: the trainer and its results, and a slow reference implementation."""

from .plans import RULES, Plan, Rule, Veto
from .results import ChangedWord, CorpusCount, Merge, PairCount, SplitWord, StepChange
from .run_until import CountBelow, NthTie, RunStop, RunUntil, SavesBelow, TokenAppears, WordIsOneToken, train_until
from .token_words import (
    changed_word,
    count_pair,
    count_token,
    last_change,
    most_frequent_first,
    words_with_token,
    words_with_token_now,
)
from .train_to_size import train, train_to
from .trainer import Trainer

__all__ = [
    "RULES",
    "ChangedWord",
    "CorpusCount",
    "CountBelow",
    "Merge",
    "NthTie",
    "PairCount",
    "Plan",
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
    "changed_word",
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
