"""A report as tables for spreadsheets, and as values for JSON.

Tokens are written for people, in brackets: `[·low]`, so that a spreadsheet never takes one for a formula or a number.
Only their bytes in hexadecimal are exact.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple, fields
from io import StringIO
from math import isfinite
from typing import Any, Final

from bpe_gui.engine.runtime.printable import visible

from .contents import ALL_MEASURES, Contents
from .costs import CONFIDENCE, RESAMPLES, TextCost
from .curve import Curve
from .report import Report, TextReport

_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it, Excel does not recognise UTF-8."""

_CURVE: Final = "steps", "entries", "tokens", *(measure.name for measure in ALL_MEASURES if measure.chart)
"""The names of the values at each point of a curve, in the order of the columns."""

_Row = tuple[object, ...]


def csv_files(report: Report) -> dict[str, str]:
    """Return the tables of a report by file name: the texts, the curves, the marginal gains and the entries.

    With terms, there is also one of what the texts cost.
    """
    tables = {
        "texts.csv": _text_rows(report),
        **({} if report.terms is None else {"costs.csv": _cost_rows(report)}),
        "curve.csv": _curve_rows(report),
        "gains.csv": _gain_rows(report),
        "entries.csv": _entry_rows(report),
    }
    return {name: _BYTE_ORDER_MARK + _table_text(rows) for name, rows in tables.items()}


def _table_text(rows: Iterable[_Row]) -> str:
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(tuple(map(_cell, row)) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a cell: empty for an unknown number; text so that it is not taken for a formula."""
    if isinstance(value, float):
        return repr(value) if isfinite(value) else ""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _text_rows(report: Report) -> Iterator[_Row]:
    yield ("text", "kind", *(measure.name for measure in ALL_MEASURES))
    for text in report.texts:
        yield (text.name, "text", *_measures(text).values())
    yield ("total", "total", *_measures(Contents(report).total_row()).values())
    if report.held_out is not None:
        yield (report.held_out.name, "held-out", *_measures(report.held_out).values())


def _measures(text: TextReport) -> dict[str, float]:
    return {measure.name: measure.value(text) for measure in ALL_MEASURES}


def _cost_rows(report: Report) -> Iterator[_Row]:
    yield ("text", *(field.name for field in fields(TextCost)))
    for text, cost in zip(report.texts, report.costs, strict=True):
        yield (text.name, *astuple(cost))


def _curves(report: Report) -> Iterator[tuple[str, Curve]]:
    for kind, curve in (("total", report.curve), ("held-out", report.held_out_curve)):
        if curve is not None:
            yield kind, curve


def _curve_rows(report: Report) -> Iterator[_Row]:
    yield ("text", "step", *_CURVE[1:])
    for kind, curve in _curves(report):
        for point in zip(*(getattr(curve, name).tolist() for name in _CURVE), strict=True):
            yield (kind, *point)


def _gain_rows(report: Report) -> Iterator[_Row]:
    yield ("text", "entries", "following", "more bytes_per_token", "share of tokens saved")
    for kind, curve in _curves(report):
        for gain in curve.gains:
            yield (kind, *astuple(gain))


def _entry_rows(report: Report) -> Iterator[_Row]:
    """Yield the entries by id; `step` is 0 for the alphabet and -1 for special tokens."""
    vocabulary = report.vocabulary
    lists = {
        "never used": vocabulary.never_used,
        "scaffold": vocabulary.scaffolds,
        "removable": vocabulary.removable,
        "nearly dead": vocabulary.nearly_dead(),
        "partial characters": vocabulary.partial_characters,
    }
    members = [set(entries.tolist()) for entries in lists.values()]
    group_of = {entry: number for number, group in enumerate(vocabulary.duplicates, 1) for entry in group}
    yield ("id", "token", "hex", "bytes", "step", "occurrences", *lists, "duplicates")
    columns = (vocabulary.ids, vocabulary.steps, vocabulary.occurrences, vocabulary.sizes)
    rows = zip(vocabulary.tokens, *(column.tolist() for column in columns), strict=True)
    for entry, (token, token_id, step, occurrences, size) in enumerate(rows):
        marks = (int(entry in each) for each in members)
        printed = f"[{visible(token)}]", f"0x{token.hex()}"
        yield (token_id, *printed, size, step, occurrences, *marks, group_of.get(entry, ""))


def json_values(report: Report) -> dict[str, Any]:
    """Return a report as values for JSON: null for unknown numbers, ids for entries."""
    vocabulary, contents = report.vocabulary, Contents(report)
    id_of: list[int] = vocabulary.ids.tolist()

    def ids(entries: Iterable[int]) -> list[int]:
        return [id_of[entry] for entry in entries]

    entries_by_size, tokens_by_size = vocabulary.lengths
    total = _measures(contents.total_row())
    del total["documents"]  # the sum of those of the texts
    values = {
        "name": report.name,
        "entries": len(vocabulary),
        "merges": len(report.counter.parts.merges),
        "texts": [{"name": text.name, **_measures(text)} for text in report.texts],
        "total": total,
        "costs": _json_costs(report),
        "gini_per_byte": report.gini_per_byte,
        "gini_of_tokens": report.gini_of_tokens,
        "curve": _json_curve(report.curve),
        "held_out": report.held_out
        and {
            "name": report.held_out.name,
            **_measures(report.held_out),
            "curve": _json_curve(report.held_out_curve),
        },
        "vocabulary": {
            **{each.key: ids(each.entries) for each in contents.lists()},
            "duplicates": list(map(ids, vocabulary.duplicates)),
            "entries_by_size": entries_by_size.tolist(),
            "tokens_by_size": tokens_by_size.tolist(),
        },
        "skipped": [{"name": each.name, "reason": str(each.reason)} for each in report.skipped],
    }
    return {name: _known(value) for name, value in values.items()}


def _json_costs(report: Report) -> dict[str, Any] | None:
    terms = report.terms
    if terms is None:
        return None
    return {
        "reference": None if terms.reference is None else report.texts[terms.reference].name,
        "price_per_million": terms.price,
        "context": terms.context,
        "confidence": CONFIDENCE,
        "resamples": RESAMPLES,
        "texts": [{"name": text.name, **asdict(cost)} for text, cost in zip(report.texts, report.costs, strict=True)],
    }


def _json_curve(curve: Curve | None) -> dict[str, Any] | None:
    if curve is None:
        return None
    return {
        **{name: getattr(curve, name).tolist() for name in _CURVE},
        "knee": curve.knee and asdict(curve.knee),
        "gains": list(map(asdict, curve.gains)),
        "entries_worth": curve.entries_worth(),
    }


def _known(value: Any) -> Any:
    """Return a value with None for each NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {name: _known(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
