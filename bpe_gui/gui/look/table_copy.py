"""Copy the rows of a table as text: as tab-separated values, or as a Markdown table."""

from collections.abc import Iterable, Sequence
from enum import Enum, auto

from PySide6.QtCore import QAbstractItemModel
from PySide6.QtWidgets import QTableView

from bpe_gui.engine.runtime import without_isolates

from .qt_constants import DISPLAY_ROLE, HORIZONTAL

_TSV_ESCAPES = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})
_MARKDOWN_ESCAPES = str.maketrans({character: f"\\{character}" for character in "\\|`*_<"} | {"\n": " ", "\r": " "})


class RowStyle(Enum):
    """A way to write rows."""

    TSV = auto()
    MARKDOWN = auto()


def rows_as_text(table: QTableView, rows: Iterable[int], style: RowStyle, *, titles: bool) -> str:
    """Return rows of a table as text, a line each, with the columns that are shown in the order in which they are.

    With `titles`, which Markdown always has, the first line has the titles of the columns.
    """
    model, columns = table.model(), _shown_columns(table)
    lines = [[_cell(model, row, column) for column in columns] for row in rows]
    names = [str(model.headerData(column, HORIZONTAL, DISPLAY_ROLE) or "") for column in columns]
    if style is RowStyle.MARKDOWN:
        return _markdown(names, lines)
    shown = [names, *lines] if titles else lines
    return "".join("\t".join(cell.translate(_TSV_ESCAPES) for cell in line) + "\n" for line in shown)


def _shown_columns(table: QTableView) -> list[int]:
    header = table.horizontalHeader()
    in_order = (header.logicalIndex(place) for place in range(header.count()))
    return [column for column in in_order if not table.isColumnHidden(column)]


def _cell(model: QAbstractItemModel, row: int, column: int) -> str:
    value = model.index(row, column).data(DISPLAY_ROLE)
    return "" if value is None else without_isolates(str(value))


def _markdown(names: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    escaped = ([cell.translate(_MARKDOWN_ESCAPES) for cell in line] for line in lines)
    return "".join(f"| {' | '.join(row)} |\n" for row in (names, ["---"] * len(names), *escaped))
