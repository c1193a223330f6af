"""Training: the trainer and its results, and a slow reference implementation."""

from .results import Merge, PairCount, SplitWord
from .token_words import words_with_token
from .train_to_size import train, train_to
from .trainer import Trainer

__all__ = ["Merge", "PairCount", "SplitWord", "Trainer", "train", "train_to", "words_with_token"]
