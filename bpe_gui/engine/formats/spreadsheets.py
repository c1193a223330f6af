"""Tables for spreadsheets, as CSV or TSV: the merges with their counts, and the vocabulary. They are only written.

A token is printed for people, in brackets: `[·low]`. So a spreadsheet always takes it for text, never for a formula
(`=1+1`, `@x`), a number or date (`1e5`, `1/2`) or a missing value (`nan`). Only the bytes in hexadecimal are exact;
they begin with `0x` for the same reason.
"""

from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Final

from bpe_gui.engine.runtime.printable import visible
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

_MERGE_COLUMNS: Final = ("rank", "left", "right", "token", "count", "step", "left hex", "right hex")
_VOCABULARY_COLUMNS: Final = ("id", "token", "hex", "bytes", "characters", "rank", "left", "right")
_BYTE_ORDER_MARK: Final = "\ufeff"

_Row = tuple[object, ...]


def csv_contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Return the content of both tables in `folder`, separated by commas.

    They begin with a byte-order mark, since Excel does not recognise UTF-8 without one.
    """
    return _contents(tokenizer, folder, "csv", ",", _BYTE_ORDER_MARK)


def tsv_contents(tokenizer: Tokenizer, folder: Path) -> dict[Path, str]:
    """Return the content of both tables in `folder`, separated by tabs."""
    return _contents(tokenizer, folder, "tsv", "\t", "")


def _contents(tokenizer: Tokenizer, folder: Path, suffix: str, delimiter: str, mark: str) -> dict[Path, str]:
    merges, vocabulary = [_MERGE_COLUMNS, *_merge_rows(tokenizer)], [_VOCABULARY_COLUMNS, *_vocabulary_rows(tokenizer)]
    tables = {f"merges.{suffix}": merges, f"vocabulary.{suffix}": vocabulary}
    return {folder / name: mark + _table_text(rows, delimiter) for name, rows in tables.items()}


def _table_text(rows: Iterable[_Row], delimiter: str) -> str:
    import csv

    text = StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _merge_rows(tokenizer: Tokenizer) -> Iterator[_Row]:
    """Yield the merges by rank; `count`, the pair's count when it was merged, is empty if unknown."""
    counts = tokenizer.merge_counts
    for rank, (left, right) in enumerate(tokenizer.merges):
        count = "" if counts is None else counts[rank]
        yield rank, _cell(left), _cell(right), _cell(left + right), count, rank + 1, _hex(left), _hex(right)


def _vocabulary_rows(tokenizer: Tokenizer) -> Iterator[_Row]:
    """Yield the tokens by id with the merge that makes each; `characters` is empty for bytes that are not UTF-8."""
    merges = tokenizer.merges
    for token_id, token in sorted(tokenizer.vocab.items()):
        rank = tokenizer.rank(token_id)
        merge = ("", "", "") if rank is None else (rank, *map(_cell, merges[rank]))
        yield (token_id, _cell(token), _hex(token), len(token), _character_count(token), *merge)


def _cell(token: bytes) -> str:
    return f"[{visible(token)}]"


def _hex(token: bytes) -> str:
    return f"0x{token.hex()}"


def _character_count(token: bytes) -> int | str:
    try:
        return len(token.decode())
    except UnicodeDecodeError:
        return ""
