"""The arrays of a training run, in records that are passed to kernels.

**The symbol array.** All unique words are in one array of symbols, with a separator before and after each word. A
*position* is an index into this array. A symbol of n initial symbols covers n positions. Its number is stored at the
first and last of them, and the positions in between keep their old values. So lengths alone are enough to find the
neighbours of a symbol, without links, and undoing a merge only writes its two parts back.

*Symbols* are numbered: first the alphabet, then one for each merge of the run.

**Pairs and their occurrences.** *Pairs* are numbered in the order in which they are created. An occurrence of a pair is
created in the same step as the newer of its symbols, or never. So the occurrence list of a pair is written once, as an
ascending run of positions in a shared pool; later, its entries only go stale, and the pair's count only falls. A new
pair takes its occurrences from one other pair, its *source*: where `x` stood before `left right`, there is now (x, new)
instead of (x, left). So no count is ever recomputed, and a step can be undone from what it left in the arrays.

**Plans.** A plan may give the merge of a step, even of a pair that does not occur, which is then added to the table
without occurrences. It may also veto pairs, depending only on their tokens. Kernels do not judge pairs: when an
unjudged pair could be chosen, they return, and the caller judges the frequent ones all at once.

**Recipes that forbid pairs.** SentencePiece's rules depend only on the lengths of the two symbols and on the classes of
the characters where they meet, so kernels decide as they add a pair. A forbidden pair is like a vetoed one.
"""

from typing import Final

from bpe_gui.engine.compilation.kernel import Record
from bpe_gui.engine.runtime.types import Int32Array, Int64Array, UInt8Array

SEPARATOR: Final = -1
"""The entry of the symbol array before the first word and after each word."""

# Tie rules, and ways of counting pairs.
GREATEST, FIRST_SEEN, SMALLEST_ID, SHORTEST, LEAST = range(5)
OCCURRENCES, ONCE_PER_WORD, WITHOUT_OVERLAP = range(3)

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
OVER: Final = -3  # the run ends here
UNRESOLVED: Final = -2  # the plan names a pair whose symbols are not known yet

# Indices into `RunArrays.settings`.
TIE_BREAK, PAIR_COUNTING, ALPHABET_SIZE, MIN_COUNT = range(4)
NEW_VERDICT = 4  # the verdict on a new pair that the recipe does not forbid
MAX_LENGTH = 5  # the longest symbol that the recipe allows, in positions
NEVER_RIGHT = 6  # a symbol that the recipe never merges with the one before it, or -1
NEVER_LEFT = 7  # a symbol that the recipe never merges with the one after it, or -1


class CorpusWords(Record):
    """The unique words of the corpus as split now."""

    symbols: Int32Array
    """The symbol array: a symbol, or SEPARATOR, at each position."""
    word_of: Int32Array
    """The number of the word at each position."""
    starts: Int64Array
    """The first position of each word."""
    frequencies: Int64Array
    """How often each word occurs in the corpus."""


class SymbolTable(Record):
    """The symbols known so far, with spare capacity."""

    lengths: Int32Array
    """The length of each symbol in positions."""
    starts: Int64Array
    """The offset of a symbol's bytes in `text`; they end where the next symbol's start."""
    text: UInt8Array
    prefixes: Int64Array
    """The first seven bytes as a big-endian number, which settles most comparisons without reading the text."""
    occurrences: Int64Array
    """How often the symbol occurs in the words now."""
    first_classes: Int32Array
    """The class of the symbol's first character that has one, or else 0. Empty if the recipe forbids no pairs."""
    last_classes: Int32Array
    """The same for the last one."""


class PairTable(Record):
    """The pairs in the order of their creation, with spare capacity."""

    keys: Int64Array
    """The two symbols packed into one number."""
    counts: Int64Array
    """Counted as the recipe says; 0 once a pair no longer occurs."""
    starts: Int64Array
    """The offset of the pair's occurrence list in the pool; it ends where the next pair's starts."""
    firsts: Int64Array
    """An offset in the pool before which no occurrence of the pair is live. Only kept for the tie rule FIRST_SEEN."""
    sources: Int32Array
    """The pair from which this one took its occurrences; -1 for the pairs of the initial words."""
    taken: Int64Array
    """How much the source's count fell. This is the array `counts` itself when the two are always equal."""
    last_words: Int32Array
    """During a step, the word in which the pair was last seen; -1 between steps. Only kept for ONCE_PER_WORD."""
    verdicts: UInt8Array
    """Whether the recipe and the plan let training choose the pair. Empty if they veto nothing."""
    slots: Int32Array
    """A hash table from key to pair, with linear probing; empty slots are -1. Its size is a power of two."""


class PairHeap(Record):
    """A max-heap of the frequent pairs, with stale entries, and a histogram of the counts of all pairs.

    Pairs known to be vetoed are in neither.
    """

    pairs: Int32Array
    """The pair at each node; its count was at least `HEAP_THRESHOLD`."""
    counts: Int64Array
    """The count of each node's pair when it was put there. It may have fallen since, but never risen."""
    histogram: Int64Array
    """The number of pairs with each count below the array's length."""


class MergeHistory(Record):
    """The known merges of the run, by rank."""

    pairs: Int32Array
    counts: Int64Array
    ties: Int64Array
    """The number of other pairs that had the same count."""
    first_new_pairs: Int64Array
    """The number of pairs before the step, and so the number of the first pair that it created."""
    saved: Int64Array
    """How many tokens of the corpus the step saved: how often it merged the pair, counting each word as often as it
    occurs."""
    vanished: UInt8Array
    """Which parts no longer occur after the step: 1 for the left, 2 for the right, 3 for both."""


class StepScratch(Record):
    """Scratch buffers of a step."""

    merged: Int32Array
    """The positions at which the pair was merged, ascending."""
    left_pairs: Int32Array
    """The new pair that ends at each of them, or -1 at the beginning of a word."""
    right_pairs: Int32Array
    """The new pair that begins at each of them, or -1 at the end of a word or if the next symbol is new, too."""
    pair_of_left: Int32Array
    """The pair (symbol, new) for each symbol; -1 if there is none, and between steps."""
    pair_of_right: Int32Array
    """The pair (new, symbol) for each symbol; -1 if there is none, and between steps."""


class RunArrays(Record):
    """All arrays of a training run."""

    words: CorpusWords
    symbols: SymbolTable
    pairs: PairTable
    pool: Int32Array
    """The occurrence lists of all pairs: the positions where each was created. Some are stale by now."""
    heap: PairHeap
    history: MergeHistory
    scratch: StepScratch
    given: Int64Array
    """The packed pair to merge at each rank, or CHOSEN, or UNRESOLVED; only for merges that the plan gives."""
    state: Int64Array
    settings: Int64Array
    """The tie rule, the way of counting, the size of the alphabet, the lowest count to merge, and what is forbidden."""
