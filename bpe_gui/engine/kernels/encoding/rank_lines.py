"""Read the lines of a file of ranks: a token's bytes in Base64, a space, and its rank in decimal digits."""

from typing import Final

from bpe_gui.engine.compilation.kernel import kernel
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

NOT_PLAIN: Final = -1
"""Returned for lines that `read_rank_lines` cannot read."""

NO_DIGIT: Final = 64
"""The value of a byte that is not a digit of Base64."""

_SPACE, _EQUALS, _ZERO, _LINE_END, _RETURN = b" =0\n\r"
_MOST_DIGITS: Final = 10


@kernel
def read_rank_lines(
    data: UInt8Array,
    values: UInt8Array,
    max_size: int,
    max_rank: int,
    text: UInt8Array,
    starts: Int64Array,
    ranks: Int64Array,
) -> int:
    """Write the tokens to `text`, concatenated; where each starts and the last one ends; and their ranks.

    Return how many there are, or NOT_PLAIN unless each line is exactly a token of at most `max_size` bytes and a rank
    that is above that of the line before and at most `max_rank`. The last line ends with a line end, and padding
    follows. `values` has the value of each byte as a digit of Base64, or NO_DIGIT. A lone `=` is a token without bytes.
    """
    at, end = 0, len(data) - PADDING
    count, size, last = 0, 0, -1
    while at < end:
        starts[count] = start = size
        while True:
            first, second = values[data[at]], values[data[at + 1]]
            third, fourth = values[data[at + 2]], values[data[at + 3]]
            if (first | second | third | fourth) >= NO_DIGIT:
                break
            text[size] = (first << 2) | (second >> 4)
            text[size + 1] = ((second & 15) << 4) | (third >> 2)
            text[size + 2] = ((third & 3) << 6) | fourth
            size += 3
            at += 4
        if data[at + 3] == _EQUALS and (first | second) < NO_DIGIT:
            text[size] = (first << 2) | (second >> 4)
            size += 1
            if third < NO_DIGIT and third & 3 == 0:
                text[size] = ((second & 15) << 4) | (third >> 2)
                size += 1
            elif data[at + 2] != _EQUALS or second & 15 != 0:
                return NOT_PLAIN
            at += 4
        elif size == start:
            if data[at] != _EQUALS:
                return NOT_PLAIN
            at += 1
        if data[at] != _SPACE or size - start > max_size:
            return NOT_PLAIN
        at += 1
        rank, first_digit = 0, at
        while _ZERO <= data[at] <= _ZERO + 9 and at - first_digit < _MOST_DIGITS:
            rank = 10 * rank + data[at] - _ZERO
            at += 1
        if at == first_digit or rank <= last or rank > max_rank:
            return NOT_PLAIN
        at += data[at] == _RETURN
        if data[at] != _LINE_END:
            return NOT_PLAIN
        at += 1
        ranks[count] = last = rank
        count += 1
    starts[count] = size
    return count
