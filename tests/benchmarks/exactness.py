"""Checks training on large corpora against others: run `python -m tests.benchmarks.exactness CORPORA_FOLDER`.

- With the preset `huggingface`, our merges are those of `tokenizers`, one for one.
- With the preset `cs336`, at steps drawn at random: the words are split anew by a few lines of numpy that know nothing
  of our trainer but its merges, and all their pairs are counted. The next merge then has to have the count that we
  say, as many ties, and the greatest bytes of these.

Corpora: see tests.benchmarks.corpora. Each takes some minutes and gigabytes.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from bpe_gui.engine import Corpus, Merge, Trainer, WordCounts, to_printable
from bpe_gui.engine.training.train_to_size import train_to
from tests.benchmarks.corpora import KINDS
from tests.benchmarks.train import SPECIAL, documents

CORPORA = [f"{kind}_100" for kind in KINDS]
Ints = npt.NDArray[np.int64]

SEPARATOR = 0xFFFF
"""Stands between words."""

HOLE = 0xFFFE
"""Stands where a symbol was merged into the one before it."""

TIDY = 200
"""Merges after which the holes are taken out."""


class DifferenceError(Exception):
    """Two that should be equal are not."""


# -- merge for merge against `tokenizers` -------------------------------------------------------------------------


def check_against_tokenizers(corpus: Path, vocabulary: int) -> str:
    run = our_run(corpus, "huggingface", vocabulary).run
    ours = [(to_printable(merge.left), to_printable(merge.right)) for merge in run]
    theirs = their_merges(corpus, vocabulary)
    for rank, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their:
            raise DifferenceError(f"merge {rank:,}: ours is {our}, theirs {their}")
    if len(ours) != len(theirs):
        raise DifferenceError(f"ours are {len(ours):,} merges, theirs {len(theirs):,}")
    return f"{len(ours):,} merges are those of tokenizers"


def our_run(corpus: Path, recipe: str, vocabulary: int) -> Trainer:
    trainer = Trainer(Corpus.from_files([corpus]).count(recipe, [SPECIAL]), recipe)
    for _done in train_to(trainer, vocab_size=vocabulary):
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


# -- step by step against a recount -------------------------------------------------------------------------------


def check_against_recount(corpus: Path, vocabulary: int, steps: int, seed: int) -> str:
    trainer = our_run(corpus, "cs336", vocabulary)
    if trainer.seek(0) != 0:
        raise DifferenceError("the run did not go back to its start")
    chosen = sorted(random.Random(seed).sample(range(trainer.run_length), min(steps, trainer.run_length)))
    recount = Recount(trainer.word_counts)
    for step in chosen:
        recount.apply(trainer.run[recount.done : step])
        trainer.seek(step)
        check_step(trainer, recount, step)
    return f"{len(chosen)} steps of {trainer.run_length:,} are those of the recount"


def check_step(trainer: Trainer, recount: "Recount", step: int) -> None:
    left, right, counts = recount.pairs()
    most = int(counts.max())
    tied = [(recount.tokens[a], recount.tokens[b]) for a, b in of_count(left, right, counts, most)]
    merge = trainer.peek()
    expected = (*max(tied), most, len(tied) - 1)
    if merge is None or (merge.left, merge.right, merge.count, merge.ties) != expected:
        raise DifferenceError(f"step {step:,}: ours is {merge}, the recount's {expected}")
    if trainer.pair_count != len(counts):
        raise DifferenceError(f"step {step:,}: ours are {trainer.pair_count:,} pairs, the recount's {len(counts):,}")
    if not np.array_equal(np.sort(trainer.counts_of_pairs(trainer.pair_order())), np.sort(counts)):
        raise DifferenceError(f"step {step:,}: the counts of the pairs differ")


def of_count(left: Ints, right: Ints, counts: Ints, count: int) -> Iterator[tuple[int, int]]:
    where = np.flatnonzero(counts == count)
    return zip(left[where].tolist(), right[where].tolist(), strict=True)


class Recount:
    """The words in one row of symbols, on which merges are done by searching all of it."""

    def __init__(self, words: WordCounts) -> None:
        self.tokens = [bytes([byte]) for byte in range(256)]
        self.done = 0
        self._ids = {token: symbol for symbol, token in enumerate(self.tokens)}
        ends = words.starts[1:]
        self._row = np.insert(words.text.astype(np.uint16), ends, SEPARATOR)
        self._weights = np.repeat(words.frequencies, np.diff(words.starts) + 1)

    def apply(self, merges: tuple[Merge, ...]) -> None:
        """Do the merges that come next."""
        for merge in merges:
            self._merge(self._ids[merge.left], self._ids[merge.right], len(self.tokens))
            self._ids[merge.token] = len(self.tokens)
            self.tokens.append(merge.token)
            self.done += 1
            if self.done % TIDY == 0:
                self._tidy()

    def _merge(self, left: int, right: int, new: int) -> None:
        row = self._row
        places = np.flatnonzero(row == left)
        after = self._after(places)
        fits = row[after] == right
        places, after = places[fits], after[fits]
        if left == right:
            keep = without_overlaps(places.tolist(), after.tolist())
            places, after = places[keep], after[keep]
        row[places] = new
        row[after] = HOLE

    def _after(self, places: Ints) -> Ints:
        """Where the next symbols stand. The row ends with a separator, so there always is one."""
        after = places + 1
        while (holes := np.flatnonzero(self._row[after] == HOLE)).size:
            after[holes] += 1
        return after

    def _tidy(self) -> None:
        keep = self._row != HOLE
        self._row, self._weights = self._row[keep], self._weights[keep]

    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """The left and right symbols of all pairs, and their counts."""
        self._tidy()
        row = self._row
        inside = (row[:-1] != SEPARATOR) & (row[1:] != SEPARATOR)
        codes = (row[:-1][inside].astype(np.uint32) << np.uint32(16)) | row[1:][inside]
        order = np.argsort(codes)
        codes, weights = codes[order], self._weights[:-1][inside][order]
        begins = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
        found = codes[begins].astype(np.int64)
        return found >> 16, found & 0xFFFF, np.add.reduceat(weights, begins)


def without_overlaps(places: list[int], after: list[int]) -> list[int]:
    """Which of these places are merged, going from left to right: not those that were the right part just before."""
    keep: list[int] = []
    taken = -1
    for i, place in enumerate(places):
        if place != taken:
            keep.append(i)
            taken = after[i]
    return keep


# -- the command ----------------------------------------------------------------------------------------------------


def main() -> None:
    options = parse()
    failed = False
    for name in options.only:
        corpus = options.folder / f"{name}.txt"
        for check in ("tokenizers", "recount"):
            began = perf_counter()
            try:
                if check == "tokenizers":
                    said = check_against_tokenizers(corpus, options.vocabulary)
                else:
                    said = check_against_recount(corpus, options.vocabulary, options.steps, options.seed)
            except DifferenceError as difference:
                failed, said = True, f"DIFFERENT: {difference}"
            print(f"{name}: {said} ({perf_counter() - began:.0f} s)", flush=True)
    if failed:
        raise SystemExit(1)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the corpora are")
    parser.add_argument("--only", type=lambda names: names.split(","), default=CORPORA, help=f"of {','.join(CORPORA)}")
    parser.add_argument("--vocabulary", type=int, default=32_000)
    parser.add_argument("--steps", type=int, default=50, help="how many are counted anew")
    parser.add_argument("--seed", type=int, default=1, help="for drawing these")
    return parser.parse_args()


if __name__ == "__main__":
    main()
