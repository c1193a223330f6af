"""The arrays of a training run, in records that kernels take as they are.

**The symbol array.** All unique words lie one after another in one array of symbols, each word between two separators.
A *position* is an index into that array. A symbol of n initial symbols covers n positions; its number is stored at the
first and at the last of them, and the positions in between keep whatever they held before. So the neighbours of a
symbol are found from lengths alone, without links, and undoing a merge only writes its two parts back.

*Symbols* are numbered: first the alphabet, then one for each merge of the run.

**Pairs and their occurrences.** *Pairs* are numbered as they come into being. An occurrence of a pair that contains a
symbol comes into being in the step that creates the symbol, or never. So the occurrence list of a pair is written once,
as one ascending run of positions in a common pool, and afterwards its entries only go stale; the pair's count only
falls. A new pair takes its occurrences from one other pair, its *source*: where `x` stood before `left right`, there is
now (x, new) instead of (x, left). So no count is ever recomputed, and a step is undone from what it left in the arrays.

**Plans.** A plan may give the merge of a step, which then need not occur: such a pair is added to the table without
occurrences. It may also veto pairs; whether it does depends on nothing but their tokens. Kernels do not judge that:
when an unjudged pair could be chosen, they return, and the caller judges the frequent ones all at once.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

SEPARATOR: Final = -1
"""The entry of the symbol array before the first word and after each word."""

# Tie rules, and ways of counting pairs.
GREATEST, FIRST_SEEN, SMALLEST_ID = range(3)
OCCURRENCES, ONCE_PER_WORD = range(2)

# Indices into `RunArrays.state`.
PAIR_COUNT = 0  # the number of pairs, including those with a count of 0
POSITION = 1  # the number of merges applied
KNOWN_MERGES = 2  # the number of merges known, applied or undone
HEAP_SIZE = 3
HEAP_THRESHOLD = 4  # the lowest count that puts a pair into the heap; 0 if the heap has to be rebuilt
NEXT_PAIR = 5  # the pair that was chosen to be merged next, or -1
NEXT_TIES = 6  # the number of other pairs with the same count
UNJUDGED_COUNT = 7  # the highest count of a pair in the heap that is not judged yet, or 0
JUDGED_PAIRS = 8  # the pairs before this number that are in the heap are judged
STATE_SIZE: Final = 9

# Entries of `PairTable.verdicts`.
UNJUDGED, ALLOWED, VETOED = range(3)

# Entries of `RunArrays.given`, besides packed pairs of symbols.
CHOSEN: Final = -1  # training chooses
UNRESOLVED: Final = -2  # the plan names a pair whose symbols are not known yet

# Indices into `RunArrays.settings`.
TIE_BREAK, PAIR_COUNTING, ALPHABET_SIZE, MIN_COUNT = range(4)


class CorpusWords(Record):
    """The unique words of the corpus as they are split now."""

    symbols: Int32Array
    """The symbol array. By position: a symbol, or SEPARATOR."""
    word_of: Int32Array
    """By position: the number of its word."""
    starts: Int64Array
    """By word: its first position."""
    frequencies: Int64Array
    """By word: how often it occurs in the corpus."""


class SymbolTable(Record):
    """The symbols known so far, with spare capacity."""

    lengths: Int32Array
    """In positions."""
    starts: Int64Array
    """The offset in `text` of a symbol's bytes; they end where those of the next symbol start."""
    text: UInt8Array
    prefixes: Int64Array
    """The first seven bytes as a big-endian number, which decides most comparisons without a look at the text."""
    occurrences: Int64Array
    """The number of times the symbol occurs in the words now."""


class PairTable(Record):
    """The pairs in the order in which they came into being, with spare capacity."""

    keys: Int64Array
    """The two symbols packed into one number."""
    counts: Int64Array
    """As the recipe counts; 0 once a pair no longer occurs."""
    starts: Int64Array
    """The offset in the pool of the pair's occurrence list, which ends where that of the next pair starts."""
    firsts: Int64Array
    """An offset in the pool before which no occurrence of the pair is live. Only kept for the tie rule FIRST_SEEN."""
    sources: Int32Array
    """The pair from which this one took its occurrences; -1 for the pairs of the initial words."""
    taken: Int64Array
    """By how much the count of the source fell. The same array as `counts` when these are always equal."""
    last_words: Int32Array
    """During a step, the word in which the pair was last seen; -1 between steps. Only kept for ONCE_PER_WORD."""
    verdicts: UInt8Array
    """Whether the plan lets training choose the pair. Empty if the plan vetoes nothing."""
    slots: Int32Array
    """Open-addressing hash table from key to pair, with linear probing; -1 if empty. Its size is a power of two."""


class PairHeap(Record):
    """A max-heap of the frequent pairs, with stale entries, and a histogram of the counts of all pairs.

    Pairs known to be vetoed are in neither.
    """

    pairs: Int32Array
    """By node: a pair whose count was at least `HEAP_THRESHOLD`."""
    counts: Int64Array
    """By node: the count of the pair when it was put there. It may have fallen since, but never risen."""
    histogram: Int64Array
    """By count, for counts below its length: the number of pairs with that count."""


class MergeHistory(Record):
    """The known merges of the run, by rank."""

    pairs: Int32Array
    counts: Int64Array
    ties: Int64Array
    """The number of other pairs that had the same count."""
    first_new_pairs: Int64Array
    """The number of pairs before the step, which is the number of the first pair that it created."""
    saved: Int64Array
    """The number of tokens of the corpus that the step saved: how often it merged the pair, words counted as often as
    they occur."""
    vanished: UInt8Array
    """Which parts no longer occur after the step: 1 for the left, 2 for the right, 3 for both."""


class StepScratch(Record):
    """Scratch buffers of a step."""

    merged: Int32Array
    """The positions at which the pair was merged, ascending."""
    left_pairs: Int32Array
    """For each of them: the new pair that ends there; -1 where a word begins."""
    right_pairs: Int32Array
    """For each of them: the new pair that begins there; -1 where a word ends, or where the next symbol is new, too."""
    pair_of_left: Int32Array
    """By symbol: the pair (symbol, new); -1 if there is none, and between steps."""
    pair_of_right: Int32Array
    """By symbol: the pair (new, symbol); -1 if there is none, and between steps."""


class RunArrays(Record):
    """All arrays of a training run."""

    words: CorpusWords
    symbols: SymbolTable
    pairs: PairTable
    pool: Int32Array
    """The occurrence lists of all pairs: the positions at which each came into being. Some are stale by now."""
    heap: PairHeap
    history: MergeHistory
    scratch: StepScratch
    given: Int64Array
    """By rank, as far as the plan gives merges: the packed pair to merge, or CHOSEN, or UNRESOLVED."""
    state: Int64Array
    settings: Int64Array
    """The tie rule, the way of counting, the number of symbols in the alphabet, and the lowest count that is merged."""
