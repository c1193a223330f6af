"""Training: choose merges step by step, and make tokenizers from them.

- `trainer`: a run with a cursor that moves forward and back; `train_to_size`: a whole run in one call; `run_until`: a
  run until something happens.
- `stages`: the words as one splitter splits them, and the steps taken on them; `run_arrays`: the arrays that the
  kernels in `engine.kernels.training` work on; `run_vocabulary`: the tokens, their ids, and the tokenizer of each step.
- `plan`, `plan_rules`: merges given in advance, merges that are forbidden, and splitters of later stages.
- `continuation`: words and tokens of a corpus as a tokenizer makes them, from which a run can go on.
- `turns`, `parity`: languages that take turns, and whose merges a trainer then follows.
- `results`: the values that a trainer returns; `corpus_search`: where in the corpus tokens and letters occur.
- `reference`: the algorithm on one page, the oracle that tests compare the trainer with.

The cost of a step is proportional to the number of occurrences of its pair: pairs are counted once, and each merge
updates the counts around it. All stages number their symbols alike: first the alphabet, then one symbol per merge.
Arrays are replaced when they grow, so do not keep one across a step. A lock makes the methods of a trainer take turns.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

if TYPE_CHECKING:
    from .continuation import separators
    from .corpus_search import (
        changed_word,
        count_pair,
        count_token,
        last_change,
        most_frequent_first,
        words_with_token,
        words_with_token_now,
    )
    from .parity import LanguageTurns, turns_of
    from .plan import Plan, Veto
    from .plan_rules import RULES, PlanStepError, Rule, as_in_file, automaton_of_tokens
    from .results import ChangedWord, CorpusCount, Merge, PairCount, SplitWord, StepChange
    from .run_until import CountBelow, NthTie, RunStop, RunUntil, SavesBelow, TokenAppears, WordIsOneToken, train_until
    from .sentencepiece import veto_of
    from .stages import LeftOut, replayable
    from .train_to_size import check_keeps_all, fair_trainer, train, train_fair, train_to
    from .trainer import Trainer
    from .turns import Parity

__all__ = [
    "RULES",
    "ChangedWord",
    "CorpusCount",
    "CountBelow",
    "LanguageTurns",
    "LeftOut",
    "Merge",
    "NthTie",
    "PairCount",
    "Parity",
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
    "fair_trainer",
    "last_change",
    "most_frequent_first",
    "replayable",
    "separators",
    "train",
    "train_fair",
    "train_to",
    "train_until",
    "turns_of",
    "veto_of",
    "words_with_token",
    "words_with_token_now",
]

__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".results",
    ".plan_rules",
    ".plan",
    ".turns",
    ".parity",
    ".sentencepiece",
    ".trainer",
    ".train_to_size",
    ".corpus_search",
    ".run_until",
    ".stages",
    ".continuation",
)
