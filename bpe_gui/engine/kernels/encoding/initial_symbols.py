"""Merging words that are symbols already: for tokenizers whose words are cut and spelled by more than a recipe."""

from bpe_gui.engine.runtime.jit import kernel
from bpe_gui.engine.kernels.encoding.merge_table import PairTable
from bpe_gui.engine.kernels.training.records import Ints, Longs
from bpe_gui.engine.kernels.encoding.word_merging import Bench, merge_word


@kernel
def merge_each(symbols: Ints, begins: Longs, pairs: PairTable, bench: Bench, limit: int, counts: Longs) -> int:
    """Merge words that lie one after another, and put what is left of them in their place, without gaps.

    The bench has room for the longest. `counts` says by word how many symbols are left. Returns how many in all.
    """
    made = 0
    for word in range(len(begins) - 1):
        begin, size = begins[word], begins[word + 1] - begins[word]
        for i in range(size):
            bench.symbols[i] = symbols[begin + i]
        count = merge_word(pairs, bench, size, limit)
        for i in range(count):
            symbols[made + i] = bench.symbols[i]
        counts[word] = count
        made += count
    return made
