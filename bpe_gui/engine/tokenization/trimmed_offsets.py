"""Take white space out of the offsets of tokens, as the post-processors of Hugging Face's `tokenizers` do."""

from collections.abc import Callable, Container, Iterable
from itertools import accumulate
from typing import Final

from bpe_gui.engine.encoding.results import Encoding
from bpe_gui.engine.pipeline.particulars import ByteLevelProcessing
from bpe_gui.engine.runtime.printable import PRINTABLE

_SPACE: Final = PRINTABLE[ord(" ")]


def with_trimmed_offsets(
    encoding: Encoding,
    steps: Iterable[ByteLevelProcessing],
    token: Callable[[int], bytes],
    added: Container[int],
    around: tuple[int, int] = (0, 0),
) -> Encoding:
    """Return an encoding after steps that trim offsets. As many characters are left out as a token has white space.

    `token` returns the bytes of the token with an id. An added token has the white space of the text that it takes.
    `around` says how many ids before and after the text are left alone.

    >>> encoding = Encoding([0, 1], [(0, 1), (1, 3)], "l l")
    >>> with_trimmed_offsets(encoding, [ByteLevelProcessing()], {0: b"l", 1: b" l"}.__getitem__, ())
    Encoding(ids=[0, 1], byte_spans=[(0, 1), (2, 3)])
    """
    data, starts = encoding.text.encode(), [0, *accumulate(len(each.encode()) for each in encoding.text)]
    changed = list(encoding.byte_spans)
    for index in range(around[0], len(changed) - around[1]):
        token_id, (start, stop) = encoding.ids[index], changed[index]
        space = _white_space(data[start:stop] if token_id in added else token(token_id))
        before = span = encoding.char_spans[index]
        for step in steps:
            span = _trimmed(span, *space, is_first=index == around[0], step=step)
        start = start if before[0] == span[0] else starts[span[0]]
        changed[index] = start, max(stop if before[1] == span[1] else starts[span[1]], start)
    return Encoding(encoding.ids, changed, encoding.text)


def _white_space(token: bytes) -> tuple[int, int]:
    """Return how many characters of white space a token begins and ends with."""
    text = token.decode(errors="replace").replace(_SPACE, " ")
    return len(text) - len(text.lstrip()), len(text) - len(text.rstrip())


def _trimmed(
    span: tuple[int, int], leading: int, trailing: int, *, is_first: bool, step: ByteLevelProcessing
) -> tuple[int, int]:
    start, stop = span
    if leading:
        start = min(start + leading - (step.add_prefix_space and (is_first or start == 0)), stop)
    if trailing and stop >= trailing:
        stop = max(stop - trailing, start)
    return start, stop
