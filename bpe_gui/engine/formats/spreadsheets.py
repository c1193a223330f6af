"""Tables for spreadsheets, as CSV and as TSV: the merges with their counts, and the vocabulary. They are only written.

A token stands in brackets, `[·low]`, spelled for people. So a spreadsheet takes it for text whatever it is: not for a
formula (`=1+1`, `@x`), not for a number or a date (`1e5`, `1/2`), not for nothing (`nan`). Exact are only its bytes in
hexadecimal, which begin with `0x` for the same reason.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

CSV_FILES: Final = ("merges.csv", "vocabulary.csv")
TSV_FILES: Final = ("merges.tsv", "vocabulary.tsv")

_MERGE_COLUMNS: Final = ("rank", "left", "right", "token", "count", "step", "left hex", "right hex")
_VOCABULARY_COLUMNS: Final = ("id", "token", "hex", "bytes", "characters", "rank", "left", "right")
_BYTE_ORDER_MARK: Final = "\ufeff"

Row = tuple[object, ...]


def csv_contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Both tables with commas, in `folder`.

    They begin with a byte-order mark, without which Excel takes UTF-8 for something else.
    """
    return _contents(tokenizer, [folder / name for name in CSV_FILES], ",", _BYTE_ORDER_MARK)


def tsv_contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Both tables with tabs, in `folder`."""
    return _contents(tokenizer, [folder / name for name in TSV_FILES], "\t", "")


def _contents(tokenizer: Tokenizer, files: list[Path], delimiter: str, mark: str) -> dict[Path, str]:
    rows = ([_MERGE_COLUMNS, *_merges(tokenizer)], [_VOCABULARY_COLUMNS, *_vocabulary(tokenizer)])
    return {file: mark + _table(each, delimiter) for file, each in zip(files, rows, strict=True)}


def _table(rows: Iterable[Row], delimiter: str) -> str:
    text = StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _merges(tokenizer: Tokenizer) -> Iterator[Row]:
    """The merges; `count` is how often the pair occurred in training, and empty if that is not known."""
    counts = tokenizer.merge_counts
    for rank, (left, right) in enumerate(tokenizer.merges):
        count = "" if counts is None else counts[rank]
        yield rank, _cell(left), _cell(right), _cell(left + right), count, rank + 1, _hex(left), _hex(right)


def _vocabulary(tokenizer: Tokenizer) -> Iterator[Row]:
    """The entries by id, with the merge that made each; `characters` is empty for bytes that are no text."""
    merges = tokenizer.merges
    for token_id, token in sorted(tokenizer.vocab.items()):
        rank = tokenizer.rank(token_id)
        made = ("", "", "") if rank is None else (rank, *map(_cell, merges[rank]))
        yield (token_id, _cell(token), _hex(token), len(token), _characters(token), *made)


def _cell(token: bytes) -> str:
    return f"[{visible(token)}]"


def _hex(token: bytes) -> str:
    return f"0x{token.hex()}"


def _characters(token: bytes) -> int | str:
    try:
        return len(token.decode())
    except UnicodeDecodeError:
        return ""
