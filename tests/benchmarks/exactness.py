"""Check training on large corpora: run `python -m tests.benchmarks.exactness CORPORA_FOLDER`.

- With the preset `huggingface`, our merges must equal those of `tokenizers`, one by one.
- With the preset `cs336`, randomly chosen steps are recounted: `Recount`, a few lines of numpy that use only the merges
  from our trainer, applies them to the words and counts all pairs. Our next merge must have the count and the number of
  ties found there, and be the tied pair with the greatest bytes.

Corpora: see tests.benchmarks.corpora. Each takes a few minutes and several gigabytes of memory.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from bpe_gui.engine import Corpus, Int64Array, Merge, Trainer, WordCounts, to_printable, train_to

from .corpora import KINDS
from .measuring import one_of, parser_of
from .train import SPECIAL, documents

CORPORA = [f"{kind}_100" for kind in KINDS]

SEPARATOR = 0xFFFF
"""The value between two words."""

HOLE = 0xFFFE
"""Marks the position of a right symbol that has been merged into the left one."""

COMPACT_EVERY = 200
"""The number of merges between removing the holes."""


class DifferenceError(Exception):
    """Our training differs from the reference."""


# -- merge by merge against `tokenizers` -------------------------------------------------------------------------------


def check_against_tokenizers(corpus: Path, vocabulary: int) -> str:
    """Return a sentence with the number of merges that agree. Raise DifferenceError at the first that differs."""
    run = our_trainer(corpus, "huggingface", vocabulary).run
    ours = [(to_printable(merge.left), to_printable(merge.right)) for merge in run]
    theirs = their_merges(corpus, vocabulary)
    for rank, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their:
            raise DifferenceError(f"merge {rank:,}: ours is {our}, theirs is {their}")
    if len(ours) != len(theirs):
        raise DifferenceError(f"we have {len(ours):,} merges, tokenizers has {len(theirs):,}")
    return f"{len(ours):,} merges equal those of tokenizers"


def our_trainer(corpus: Path, recipe: str, vocabulary: int) -> Trainer:
    trainer = Trainer(Corpus.from_files([corpus]).count(recipe, [SPECIAL]), recipe)
    for _position in train_to(trainer, vocab_size=vocabulary):
        pass
    return trainer


def their_merges(corpus: Path, vocabulary: int) -> list[tuple[str, str]]:
    tokenizer = TheirTokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    trainer = BpeTrainer(
        vocab_size=vocabulary,
        min_frequency=2,
        special_tokens=[SPECIAL],
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(documents(corpus), trainer)
    return [(left, right) for left, right in json.loads(tokenizer.to_str())["model"]["merges"]]


# -- step by step against a recount ------------------------------------------------------------------------------------


def check_against_recount(corpus: Path, vocabulary: int, steps: int, seed: int) -> str:
    """Return a sentence with the number of steps that agree. Raise DifferenceError at the first that differs."""
    trainer = our_trainer(corpus, "cs336", vocabulary)
    if trainer.seek(0) != 0:
        raise DifferenceError("the run did not go back to its start")
    chosen = sorted(random.Random(seed).sample(range(trainer.run_length), min(steps, trainer.run_length)))
    recount = Recount(trainer.word_counts)
    for step in chosen:
        recount.apply(trainer.run[recount.merges_done : step])
        trainer.seek(step)
        check_step(trainer, recount, step)
    return f"{len(chosen)} steps of {trainer.run_length:,} equal the recount"


def check_step(trainer: Trainer, recount: "Recount", step: int) -> None:
    """Raise DifferenceError unless both agree on the next merge, the number of pairs and their counts."""
    left, right, counts = recount.pairs()
    largest = int(counts.max())
    tied = [(recount.tokens[a], recount.tokens[b]) for a, b in pairs_with_count(left, right, counts, largest)]
    merge = trainer.peek()
    expected = (*max(tied), largest, len(tied) - 1)
    if merge is None or (merge.left, merge.right, merge.count, merge.ties) != expected:
        raise DifferenceError(f"step {step:,}: ours is {merge}, the recount's is {expected}")
    if trainer.pair_count != len(counts):
        raise DifferenceError(f"step {step:,}: we have {trainer.pair_count:,} pairs, the recount has {len(counts):,}")
    if not np.array_equal(np.sort(trainer.counts_of_pairs(trainer.pair_order())), np.sort(counts)):
        raise DifferenceError(f"step {step:,}: the counts of the pairs differ")


def pairs_with_count(left: Int64Array, right: Int64Array, counts: Int64Array, count: int) -> Iterator[tuple[int, int]]:
    indices = np.flatnonzero(counts == count)
    return zip(left[indices].tolist(), right[indices].tolist(), strict=True)


class Recount:
    """All words in one array of symbols; each merge is applied by searching the whole array.

    Symbols have 16 bits, and two values are reserved, so a vocabulary may have up to 65,534 entries.
    """

    def __init__(self, words: WordCounts) -> None:
        self.tokens = [bytes([byte]) for byte in range(256)]
        self.merges_done = 0
        self._ids = {token: symbol for symbol, token in enumerate(self.tokens)}
        ends = words.starts[1:]
        self._symbols = np.insert(words.text.astype(np.uint16), ends, SEPARATOR)
        self._weights = np.repeat(words.frequencies, np.diff(words.starts) + 1)

    def apply(self, merges: tuple[Merge, ...]) -> None:
        """Apply the next merges."""
        for merge in merges:
            self._merge(self._ids[merge.left], self._ids[merge.right], len(self.tokens))
            self._ids[merge.token] = len(self.tokens)
            self.tokens.append(merge.token)
            self.merges_done += 1
            if self.merges_done % COMPACT_EVERY == 0:
                self._compact()

    def _merge(self, left: int, right: int, new: int) -> None:
        symbols = self._symbols
        indices = np.flatnonzero(symbols == left)
        nexts = self._next_symbols(indices)
        are_pairs = symbols[nexts] == right
        indices, nexts = indices[are_pairs], nexts[are_pairs]
        if left == right:
            kept = without_overlaps(indices.tolist(), nexts.tolist())
            indices, nexts = indices[kept], nexts[kept]
        symbols[indices] = new
        symbols[nexts] = HOLE

    def _next_symbols(self, indices: Int64Array) -> Int64Array:
        """Return the index of the symbol after each of `indices`; there is one, as the array ends with a separator."""
        nexts = indices + 1
        while (holes := np.flatnonzero(self._symbols[nexts] == HOLE)).size:
            nexts[holes] += 1
        return nexts

    def _compact(self) -> None:
        kept = self._symbols != HOLE
        self._symbols, self._weights = self._symbols[kept], self._weights[kept]

    def pairs(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """Return the left symbols, the right symbols and the counts of all pairs."""
        self._compact()
        symbols = self._symbols
        inside = (symbols[:-1] != SEPARATOR) & (symbols[1:] != SEPARATOR)
        codes = (symbols[:-1][inside].astype(np.uint32) << np.uint32(16)) | symbols[1:][inside]
        order = np.argsort(codes)
        codes, weights = codes[order], self._weights[:-1][inside][order]
        starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
        unique_codes = codes[starts].astype(np.int64)
        return unique_codes >> 16, unique_codes & 0xFFFF, np.add.reduceat(weights, starts)


def without_overlaps(lefts: list[int], rights: list[int]) -> list[int]:
    """Return the indices of the pairs that merge from left to right.

    A pair is skipped if its left symbol was the right symbol of the pair merged just before.
    """
    kept: list[int] = []
    merged = -1
    for i, left in enumerate(lefts):
        if left != merged:
            kept.append(i)
            merged = rights[i]
    return kept


# -- command -----------------------------------------------------------------------------------------------------------


def main() -> None:
    options = parse()
    failed = False
    for name in options.only:
        corpus = options.folder / f"{name}.txt"
        for check in ("tokenizers", "recount"):
            began = perf_counter()
            try:
                if check == "tokenizers":
                    result = check_against_tokenizers(corpus, options.vocabulary)
                else:
                    result = check_against_recount(corpus, options.vocabulary, options.steps, options.seed)
            except DifferenceError as difference:
                failed, result = True, f"DIFFERENT: {difference}"
            print(f"{name}: {result} ({perf_counter() - began:.0f} s)", flush=True)
    if failed:
        raise SystemExit(1)


def parse() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--only", type=one_of(CORPORA), default=CORPORA, help=f"of {','.join(CORPORA)}")
    parser.add_argument("--vocabulary", type=int, default=32_000)
    parser.add_argument("--steps", type=int, default=50, help="how many are recounted")
    parser.add_argument("--seed", type=int, default=1, help="for drawing the steps")
    return parser.parse_args()


if __name__ == "__main__":
    main()
