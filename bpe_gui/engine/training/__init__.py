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
