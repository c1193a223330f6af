"""The texts that `report` and `compare` measure, and the table of several tokenizers on them."""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, FileSearch, ReadTokenizer, TextDocument
from bpe_gui.engine.reports import MEASURES, Contents, Report, ReportText, Wording, make_report, texts_by_folder

from .streams import (
    NamedFile,
    ProgressLine,
    StandardInput,
    document_of,
    documents_of,
    quantity,
    say,
    say_left_out_records,
)
from .tokenizer_files import sizes_of

WORDING: Final = Wording(
    decimal=lambda value: "-" if isnan(value) else f"{value:.3f}",
    share=lambda value: "-" if isnan(value) else f"{value:.1%}",
)
"""How numbers of a report are written in a terminal."""

_LONGEST_NAME: Final = 40  # characters of a text's name in a table
_COMPARED: Final = ("bytes_per_token", "fertility")
"""The measures by which a table compares tokenizers, which would be too wide with all."""


def texts_named(arguments: argparse.Namespace, names: Iterable[str]) -> list[ReportText]:
    """Return the texts to measure: one for a file, or one for each file and folder in a folder. Raise CorpusError."""
    texts: list[ReportText] = []
    for name in names:
        folder = Path(name)
        if name == "-" or not folder.is_dir():
            texts.append(ReportText(name, documents_named(arguments, name)))
            continue
        search = FileSearch(folder, "**/*")
        with ProgressLine("Searching: {:.0%} of up to {:,} files") as progress:
            search.run(progress.show)
        if not search.files:
            raise EngineError("{path} has no files. Name a folder with text, or a file.", path=folder)
        if search.limited:
            files = quantity(len(search.files), "file", "files")
            say(f"{folder} has too many files. Only the first {files} are measured.")
        found = [document_of(arguments, each.path) for each in search.files]
        # As in the search for files: `absolute` would leave `..` in the path.
        texts += texts_by_folder(Path(os.path.abspath(folder)), found)  # noqa: PTH100
    return texts


def documents_named(arguments: argparse.Namespace, name: str) -> list[NamedFile | TextDocument]:
    """Return the document of a file. Read standard input now, since that works only once."""
    arguments.files = [name]
    return [
        TextDocument("".join(document.chunks())) if isinstance(document, StandardInput) else document
        for document in documents_of(arguments)
    ]


def reports_of(
    arguments: argparse.Namespace, files: Sequence[ReadTokenizer], texts: Sequence[ReportText], points: int = 0
) -> list[Report]:
    """Return a report of each tokenizer that the user named on the same texts. Say what was left out."""
    with ProgressLine("Measuring: {:.0%} of {:,} bytes") as progress:
        reports = [
            make_report(each.tokenizer, texts, name=str(path), points=points, progress=progress.show)
            for path, each in zip(arguments.tokenizers, files, strict=True)
        ]
    say_left_out(arguments, reports[0])
    return reports


def say_left_out(arguments: argparse.Namespace, report: Report) -> None:
    """Say which records and documents a report leaves out. Raise EngineError if it leaves out all."""
    say_left_out_records(arguments.inputs)
    if report.skipped and not report.texts:
        raise EngineError("None of the documents can be read. The first: {reason}", reason=report.skipped[0].reason)
    for skipped in report.skipped:
        say(f"Left out: {skipped.reason}")


def letter(index: int) -> str:
    """Return the name of one of several tokenizers in tables and lists."""
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def named_tokenizers(arguments: argparse.Namespace, files: Sequence[ReadTokenizer]) -> Iterator[str]:
    """Yield a line for each tokenizer that the user named: its letter, its path and its sizes."""
    for index, (path, file) in enumerate(zip(arguments.tokenizers, files, strict=True)):
        yield f"{letter(index)}  {path} ({file.format}): {sizes_of(file.tokenizer)}"


def table_by_tokenizer(reports: Sequence[Report]) -> Iterator[str]:
    """Yield a table with a line for each text and a column for each tokenizer, and how unequal the texts are."""
    measures = [measure for measure in MEASURES if measure.name in _COMPARED]
    titles = [f"{measure.short} {letter(index)}" for measure in measures for index in range(len(reports))]
    by_text = list(zip(*(report.texts for report in reports), strict=True))
    if len(by_text) > 1:
        by_text.append(tuple(Contents(report).total_row() for report in reports))
    cells = ([measure.written(measure.value(row), WORDING) for measure in measures for row in rows] for rows in by_text)
    yield from aligned([["", *titles], *([rows[0].name, *row] for rows, row in zip(by_text, cells, strict=True))])
    if len(by_text) > 1:
        unequal = (f"{letter(index)} {WORDING.decimal(each.gini_per_byte)}" for index, each in enumerate(reports))
        yield f"Gini coefficient over these texts, for tokens per byte: {', '.join(unequal)}"


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows as lines: each begins with a name, and the columns after it are as wide as they need."""
    rows = [[row[0] if len(row[0]) <= _LONGEST_NAME else "…" + row[0][1 - _LONGEST_NAME :], *row[1:]] for row in rows]
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    for name, *cells in rows:
        padded = (f"{cell:>{width + 2}}" for cell, width in zip(cells, widths, strict=True))
        yield f"{name:<{first}}{''.join(padded)}".rstrip()
