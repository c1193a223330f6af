"""Training: the trainer and its results, and a slow reference implementation."""

from .results import ChangedWord, CorpusCount, Merge, PairCount, SplitWord, StepChange
from .token_words import count_pair, count_token, last_change, split_words_with, words_with_token
from .train_to_size import train, train_to
from .trainer import Trainer

__all__ = [
    "ChangedWord",
    "CorpusCount",
    "Merge",
    "PairCount",
    "SplitWord",
    "StepChange",
    "Trainer",
    "count_pair",
    "count_token",
    "last_change",
    "split_words_with",
    "train",
    "train_to",
    "words_with_token",
]
