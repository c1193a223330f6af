"""Hash words that lie one after another, and copy them in another order."""

from bpe_gui.engine.compilation.kernel import kernel
from bpe_gui.engine.runtime.arrays import Int64Array, UInt8Array

from .word_keys import mix, word_key


@kernel
def hash_words(text: UInt8Array, starts: Int64Array, hashes: Int64Array) -> None:
    """Write a hash of each word to `hashes`; none is negative, and all 63 bits are well mixed. `text` is padded."""
    for i in range(len(hashes)):
        low, high = word_key(text, starts[i], starts[i + 1] - starts[i])
        hashes[i] = mix(low, high)


@kernel
def gather_words(
    text: UInt8Array, starts: Int64Array, order: Int64Array, gathered: UInt8Array, gathered_starts: Int64Array
) -> None:
    """Copy the words with the numbers in `order` one after another, and write where each starts and the last ends."""
    at = 0
    gathered_starts[0] = 0
    for i in range(len(order)):
        start = starts[order[i]]
        size = starts[order[i] + 1] - start
        for j in range(size):
            gathered[at + j] = text[start + j]
        at += size
        gathered_starts[i + 1] = at
