"""`bpe-gui encode`: turn text into ids."""

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, Final

from .streams import chunks_with_progress, documents_of, errors_name, lines_of, output_stream, prepare_engine
from .tokenizer_files import open_tokenizer

_BATCH: Final = 1 << 13  # ids written at a time


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer = open_tokenizer(arguments).tokenizer
    output = output_stream()
    for document in documents_of(arguments, exact=arguments.encoding is None):
        with errors_name(document):
            prepare_engine(document.size())
            chunks = chunks_with_progress(document)
            for text in lines_of(chunks) if arguments.lines else [chunks]:
                _write_ids(output, tokenizer.encode_iterable(text))
    return 0


def _write_ids(output: BinaryIO, ids: Iterator[int]) -> None:
    separator = ""
    while batch := list(islice(ids, _BATCH)):
        output.write((separator + " ".join(map(str, batch))).encode())
        separator = " "
    output.write(b"\n")
