"""Take white space out of the offsets of tokens, as the post-processors of Hugging Face's `tokenizers` do."""

from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from bpe_gui.engine.pipeline.particulars import ByteLevelProcessing
from bpe_gui.engine.runtime.printable import PRINTABLE

from .results import Encoding

if TYPE_CHECKING:
    from .tokenizer import Tokenizer

_SPACE: Final = PRINTABLE[ord(" ")]


def with_trimmed_offsets(encoding: Encoding, tokenizer: "Tokenizer", steps: Iterable[ByteLevelProcessing]) -> Encoding:
    """Return an encoding after steps that trim offsets. As many characters are left out as a token has white space.

    >>> from .tokenizer import Tokenizer
    >>> tokenizer = Tokenizer({0: b"l", 1: b" ", 2: b" l"}, [(b" ", b"l")])
    >>> with_trimmed_offsets(tokenizer.encoding("l l"), tokenizer, [ByteLevelProcessing()])
    Encoding(ids=[0, 2], byte_spans=[(0, 1), (2, 3)])
    """
    pipeline = tokenizer.pipeline
    first = len(pipeline.ids_before) if pipeline else 0
    last = len(encoding.ids) - (len(pipeline.ids_after) if pipeline else 0)
    spaces = _white_space(encoding, tokenizer)[first:last]
    spans = encoding.char_spans[first:last]
    for step in steps:
        spans = [_trimmed(span, *spaces[i], is_first=i == 0, step=step) for i, span in enumerate(spans)]
    offsets = [0, *accumulate(len(character.encode()) for character in encoding.text)]
    changed = list(encoding.byte_spans)
    for index, (before, after) in enumerate(zip(encoding.char_spans[first:last], spans, strict=True), first):
        start, stop = changed[index]
        start = start if before[0] == after[0] else offsets[after[0]]
        changed[index] = start, max(stop if before[1] == after[1] else offsets[after[1]], start)
    return Encoding(encoding.ids, changed, encoding.text)


def _white_space(encoding: Encoding, tokenizer: "Tokenizer") -> list[tuple[int, int]]:
    """Return how many characters of white space each token begins and ends with, as it is written in the vocabulary.

    An added token is written with the white space of the text that belongs to it.
    """
    pipeline, data = tokenizer.pipeline, encoding.text.encode()
    added = {token.id for token in pipeline.added_tokens} if pipeline else set(tokenizer.special_tokens.values())
    are_bytes = tokenizer.recipe.units == "bytes"
    found = []
    for token_id, (start, stop) in zip(encoding.ids, encoding.byte_spans, strict=True):
        if are_bytes and token_id not in added:
            token = tokenizer.token(token_id)
            found.append((len(token) - len(token.lstrip(b" ")), len(token) - len(token.rstrip(b" "))))
            continue
        text = (data[start:stop] if token_id in added else tokenizer.token(token_id)).decode(errors="replace")
        text = text.replace(_SPACE, " ")
        found.append((len(text) - len(text.lstrip()), len(text) - len(text.rstrip())))
    return found


def _trimmed(
    span: tuple[int, int], leading: int, trailing: int, *, is_first: bool, step: ByteLevelProcessing
) -> tuple[int, int]:
    start, stop = span
    if leading:
        start = min(start + leading - (step.add_prefix_space and (is_first or start == 0)), stop)
    if trailing and stop >= trailing:
        stop = max(stop - trailing, start)
    return start, stop
