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
    for document in documents_of(arguments):
        with errors_name(document):
            if arguments.lines:
                for line in lines_of(document.chunks()):
                    output.write(tokenizer.decode_bytes(_ids("".join(line).split())) + b"\n")
            else:
                output.writelines(_decode_in_batches(tokenizer, _ids(words_of(document.chunks()))))
    return 0


def _decode_in_batches(tokenizer: Tokenizer, ids: Iterator[int]) -> Iterator[bytes]:
    """Yield the bytes of `ids` in batches, which joined are what decoding them all at once gives.

    A recipe that drops spaces puts one after every word but the last, so a batch is decoded with the id that follows.
    """
    batch = list(islice(ids, _BATCH))
    while batch:
        following = list(islice(ids, 1))
        with_following, rest = tokenizer.decode_bytes(batch + following), tokenizer.decode_bytes(following)
        yield with_following[: len(with_following) - len(rest)]
        batch = following + list(islice(ids, _BATCH)) if following else []


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
