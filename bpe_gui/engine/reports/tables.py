"""A report as tables for spreadsheets, and as values for JSON.

Tokens are written for people, in brackets: `[·low]`, so that a spreadsheet never takes one for a formula or a number.
Only their bytes in hexadecimal are exact.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from math import isfinite
from typing import Any, Final

from bpe_gui.engine.runtime.printable import visible

from .contents import Contents
from .costs import CONFIDENCE, RESAMPLES
from .counting import TextMeasures
from .curve import Curve
from .report import Report

_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it, Excel does not recognise UTF-8."""

_MEASURES: Final = (
    *("bytes", "characters", "words", "tokens", "special", "unknown", "whole_words", "single_byte"),
    *("bytes_per_token", "characters_per_token", "fertility", "whole_word_share", "single_byte_share"),
    "renyi_efficiency",
)
"""The names of the measures of a text, in the order of the columns."""

_CURVE: Final = (
    *("steps", "entries", "tokens", "bytes_per_token", "fertility", "whole_word_share", "single_byte_share"),
    "renyi_efficiency",
)
"""The names of the values at each point of a curve, in the order of the columns."""

_COSTS: Final = "lines", "tokens_per_line", "premium", "low", "high", "is_paired", "context_share", "price"
"""The names of what a text costs, in the order of the columns."""

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
    yield ("text", "kind", "documents", *_MEASURES)
    for text in report.texts:
        yield (text.name, "text", text.documents, *_measures(text.measures).values())
    documents = sum(text.documents for text in report.texts)
    yield ("total", "total", documents, *_measures(report.total.measures).values())
    if report.held_out is not None:
        held_out = report.held_out
        yield (held_out.name, "held-out", held_out.documents, *_measures(held_out.measures).values())


def _measures(measures: TextMeasures) -> dict[str, Any]:
    return {name: getattr(measures, name) for name in _MEASURES}


def _cost_rows(report: Report) -> Iterator[_Row]:
    yield ("text", *_COSTS)
    for text, cost in zip(report.texts, report.costs, strict=True):
        yield (text.name, *(getattr(cost, name) for name in _COSTS))


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
    yield ("text", "entries", "following", "bytes_per_token per 1000 entries", "share of tokens saved per 1000 entries")
    for kind, curve in _curves(report):
        for gain in curve.gains:
            yield (kind, gain.entries, gain.following, gain.bytes_per_token, gain.tokens_saved)


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
    vocabulary = report.vocabulary

    id_of: list[int] = vocabulary.ids.tolist()

    def ids(entries: Iterable[int]) -> list[int]:
        return [id_of[entry] for entry in entries]

    entries_by_size, tokens_by_size = vocabulary.lengths
    values = {
        "name": report.name,
        "entries": len(vocabulary),
        "merges": len(report.counter.parts.merges),
        "texts": [
            {"name": text.name, "documents": text.documents, **_measures(text.measures)} for text in report.texts
        ],
        "total": _measures(report.total.measures),
        "costs": _json_costs(report),
        "gini_per_byte": report.gini_per_byte,
        "gini_of_tokens": report.gini_of_tokens,
        "curve": _json_curve(report.curve),
        "held_out": report.held_out
        and {
            "name": report.held_out.name,
            "documents": report.held_out.documents,
            **_measures(report.held_out.measures),
            "curve": _json_curve(report.held_out_curve),
        },
        "vocabulary": {
            **{each.key: ids(each.entries) for each in Contents(report).lists()},
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
        "texts": [
            {"name": text.name, **{name: getattr(cost, name) for name in _COSTS}}
            for text, cost in zip(report.texts, report.costs, strict=True)
        ],
    }


def _json_curve(curve: Curve | None) -> dict[str, Any] | None:
    if curve is None:
        return None
    knee = curve.knee
    return {
        **{name: getattr(curve, name).tolist() for name in _CURVE},
        "knee": knee and {"step": knee.step, "entries": knee.entries, "bytes_per_token": knee.bytes_per_token},
        "gains_per_1000_entries": [
            {
                "entries": gain.entries,
                "following": gain.following,
                "bytes_per_token": gain.bytes_per_token,
                "tokens_saved": gain.tokens_saved,
            }
            for gain in curve.gains
        ],
        "entries_worth": curve.entries_worth(),
    }


def _known(value: Any) -> Any:
    """Return a value with None for each NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {name: _known(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_known(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
