"""`bpe-gui decode`: turn ids into text."""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from bpe_gui.engine import FormatError, Tokenizer

from .streams import MAX_ID_LENGTH, documents_of, errors_name, lines_of, output_stream, words_of
from .tokenizer_files import open_tokenizer

_BATCH: Final = 1 << 13  # ids decoded at a time


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer = open_tokenizer(arguments).tokenizer
    output = output_stream()
    skips = arguments.skip_special_tokens
    for document in documents_of(arguments):
        with errors_name(document):
            if arguments.lines:
                for line in lines_of(document.chunks()):
                    output.write(tokenizer.decode_bytes(_ids("".join(line).split()), skips) + b"\n")
            else:
                output.writelines(_decoded(tokenizer, _ids(words_of(document.chunks())), skips))
    return 0


def _decoded(tokenizer: Tokenizer, ids: Iterator[int], skips: bool) -> Iterator[bytes]:
    """Return the bytes of `ids` in pieces: by batches, which is faster, where each token has bytes of its own."""
    if not tokenizer.joins_bytes:
        return tokenizer.decode_bytes_iterable(ids, skips)
    batches = iter(lambda: list(islice(ids, _BATCH)), [])
    return (tokenizer.decode_bytes(batch, skips) for batch in batches)


def _ids(words: Iterable[str]) -> Iterator[int]:
    """Yield the ids that `words` are written as. Raise FormatError for one that is not a number."""
    for number, word in enumerate(words, start=1):
        if not (word.isascii() and word.isdigit()) or len(word) > MAX_ID_LENGTH:
            raise FormatError(
                "{word!r} is not a valid id (number {number:,} in the input). Ids are integers separated by "
                "whitespace.",
                word=word if len(word) <= MAX_ID_LENGTH else word[:MAX_ID_LENGTH] + "...",
                number=number,
            )
        yield int(word)
