"""`bpe-gui encode`: turn text into ids."""

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO, Final

from bpe_gui.engine.corpora import ReadingState
from bpe_gui.engine.tokenization import AllowedSpecial

from .streams import NamedFile, chunks_with_progress, documents_of, errors_name, lines_of, output_stream
from .tokenizer_files import open_tokenizer

_BATCH: Final = 1 << 13  # ids written at a time


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer = open_tokenizer(arguments).tokenizer.obeying(_allowed_special(arguments.allowed_special))
    output = output_stream()
    for document in documents_of(arguments, exact=arguments.encoding is None):
        with errors_name(document):
            for text in _texts(document, by_line=arguments.lines):
                _write_ids(output, tokenizer.encode_iterable(text))
    return 0


def _allowed_special(given: list[str]) -> AllowedSpecial:
    """Return what the option means, which may be repeated for several special tokens."""
    match given:
        case []:
            return "all"
        case ["all" | "none" | "none_raise" as choice]:
            return choice
    return given


def _texts(document: NamedFile, *, by_line: bool) -> Iterable[Iterable[str]]:
    """Return what is encoded separately: the records of a file, its lines, or the whole file; each in chunks."""
    if document.has_records:
        return document.texts(ReadingState())
    chunks = chunks_with_progress(document)
    return lines_of(chunks) if by_line else [chunks]


def _write_ids(output: BinaryIO, ids: Iterator[int]) -> None:
    separator = ""
    while batch := list(islice(ids, _BATCH)):
        output.write((separator + " ".join(map(str, batch))).encode())
        separator = " "
    output.write(b"\n")
