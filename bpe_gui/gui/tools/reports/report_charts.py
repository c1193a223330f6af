"""The charts of a report, and in words the answer to the question how large a vocabulary should be."""

from enum import Enum
from typing import Final

import numpy as np
from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.reports import GAIN_ENTRIES, LEAST_GAIN, Curve, Report
from bpe_gui.engine.runtime import Float64Array, Int64Array
from bpe_gui.gui.views.chart import Chart, Mark, Series
from bpe_gui.gui.wording.joining import joined_sentences, listed
from bpe_gui.gui.wording.numbers import decimal, number, share

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MOST_SIZES: Final = 24
"""The lengths of tokens with a bar of their own; longer ones share the last."""

_ZIPF_POINTS: Final = 200


class ChartKind(Enum):
    """The charts to choose from."""

    COMPRESSION = "compression"
    GAIN = "gain"
    LENGTHS = "lengths"
    ZIPF = "zipf"


def chart_title(kind: ChartKind) -> str:
    """Return the title of a chart."""
    return {
        ChartKind.COMPRESSION: translate("Reporting", "Compression over vocabulary size"),
        ChartKind.GAIN: translate("Reporting", "Gain per 1,000 entries"),
        ChartKind.LENGTHS: translate("Reporting", "Token lengths"),
        ChartKind.ZIPF: translate("Reporting", "Frequencies by rank (Zipf)"),
    }[kind]


def chart_of(kind: ChartKind, report: Report) -> Chart | None:
    """Return a chart of a report; None if the report has nothing to draw."""
    match kind:
        case ChartKind.COMPRESSION:
            return _compression(report)
        case ChartKind.GAIN:
            return _gains(report)
        case ChartKind.LENGTHS:
            return _lengths(report)
    return _zipf(report)


def sizing_answer(report: Report) -> str:
    """Return how large a vocabulary should be by the report, in sentences; empty without text."""
    curve = report.sizing_curve
    if curve is None or len(curve) < 2:
        return ""
    if curve is report.held_out_curve:
        begin = translate("Reporting", "Judging by the held-out text:")
    else:
        begin = translate("Reporting", "Judging by these texts (held-out text would tell more):")
    if not curve.is_telling:
        return joined_sentences([begin, _too_little_sentence(curve)])
    sentences = [begin, _knee_sentence(curve)]
    if curve.gains:
        sentences.append(_worth_sentence(curve))
    return joined_sentences(sentences)


def _too_little_sentence(curve: Curve) -> str:
    template = translate(
        "Reporting", "Too little text to tell (tokens: {tokens}, entries that training added: {entries})."
    )
    return template.format(tokens=number(int(curve.tokens[-1])), entries=number(curve.added_entries))


def _knee_sentence(curve: Curve) -> str:
    if curve.knee is None:
        return translate("Reporting", "The curve has no knee.")
    template = translate("Reporting", "The knee is at {entries} entries, with {ratio} bytes per token.")
    return template.format(entries=number(curve.knee.entries), ratio=decimal(curve.knee.bytes_per_token))


def _worth_sentence(curve: Curve) -> str:
    worth, least = curve.entries_worth(), share(LEAST_GAIN, 0)
    if worth is None:
        template = translate(
            "Reporting", "Near the last step, {more} more entries still save at least {share} of the tokens."
        )
    else:
        template = translate(
            "Reporting", "From {entries} on, {more} more entries save less than {share} of the tokens."
        )
    return template.format(entries=number(worth or 0), more=number(GAIN_ENTRIES), share=least)


# -- over the size of the vocabulary -----------------------------------------------------------------------------------


def _compression(report: Report) -> Chart | None:
    curves = _curves(report)
    if not curves:
        return None
    first = curves[0][1]
    ratio = translate("Reporting", "bytes per token")

    def words(point: int) -> str:
        ratios = [decimal(float(curve.bytes_per_token[point])) for _name, curve in curves]
        values = listed(f"{name} {ratio}" for (name, _curve), ratio in zip(curves, ratios, strict=True))
        template = translate("Reporting", "{entries} entries (step {step}): {values} bytes per token")
        entries, step = number(int(first.entries[point])), number(int(first.steps[point]))
        return template.format(entries=entries, step=step, values=values if len(curves) > 1 else ratios[0])

    return Chart(
        chart_title(ChartKind.COMPRESSION),
        translate("Reporting", "entries"),
        ratio,
        first.entries.astype(np.float64),
        [Series(name, curve.bytes_per_token) for name, curve in curves],
        words,
        _knee_mark(first),
    )


def _curves(report: Report) -> list[tuple[str, Curve]]:
    """Return the curves with their names: that which tells the size first. Both have the same steps."""
    named = [
        (translate("Reporting", "held-out text"), report.held_out_curve),
        (translate("Reporting", "all texts"), report.curve),
    ]
    return [(name, curve) for name, curve in named if curve is not None]


def _knee_mark(curve: Curve) -> Mark | None:
    knee = curve.knee
    if knee is None or not curve.is_telling:
        return None
    label = translate("Reporting", "knee: {entries}").format(entries=number(knee.entries))
    return Mark(int(np.searchsorted(curve.steps, knee.step)), label)


def _gains(report: Report) -> Chart | None:
    curve = report.sizing_curve
    if curve is None or not curve.gains:
        return None
    gains = curve.gains
    saved = translate("Reporting", "% of the tokens saved")

    def words(point: int) -> str:
        gain = gains[point]
        template = translate(
            "Reporting",
            "From {entries} to {following} entries: per {more} entries, {share} of the tokens saved, "
            "{ratio} more bytes per token",
        )
        return template.format(
            entries=number(gain.entries),
            following=number(gain.following),
            more=number(GAIN_ENTRIES),
            share=share(gain.tokens_saved),
            ratio=decimal(gain.bytes_per_token),
        )

    return Chart(
        chart_title(ChartKind.GAIN),
        translate("Reporting", "entries"),
        saved,
        np.array([gain.following for gain in gains], np.float64),
        [Series(saved, np.array([100 * gain.tokens_saved for gain in gains]))],
        words,
        has_bars=True,
        begins=np.array([gain.entries for gain in gains], np.float64),
    )


# -- the entries -------------------------------------------------------------------------------------------------------


def _lengths(report: Report) -> Chart | None:
    entries, tokens = (_by_size(counts) for counts in report.vocabulary.lengths)
    if not entries.sum():
        return None
    shares = [_percentages(entries), _percentages(tokens)]

    def words(point: int) -> str:
        last = len(entries) == _MOST_SIZES + 1 == point + 1
        if last:
            template = translate("Reporting", "{size} bytes or more: {entries} of the entries, {tokens} of the tokens")
        elif point:
            template = translate("Reporting", "{size} bytes: {entries} of the entries, {tokens} of the tokens")
        else:
            template = translate("Reporting", "1 byte: {entries} of the entries, {tokens} of the tokens")
        values = [share(float(each[point]) / 100) for each in shares]
        return template.format(size=number(point + 1), entries=values[0], tokens=values[1])

    names = translate("Reporting", "% of the entries"), translate("Reporting", "% of the tokens")
    series = [Series(name, values) for name, values in zip(names, shares, strict=True)]
    return Chart(
        chart_title(ChartKind.LENGTHS),
        translate("Reporting", "bytes"),
        translate("Reporting", "% of all"),
        np.arange(1, len(entries) + 1, dtype=np.float64),
        series if report.has_text else series[:1],
        words,
        has_bars=True,
    )


def _by_size(counts: Int64Array) -> Int64Array:
    """Return counts by size from 1 on, with one for all large sizes."""
    counts = counts[1:]
    if len(counts) <= _MOST_SIZES:
        return counts
    return np.append(counts[:_MOST_SIZES], counts[_MOST_SIZES:].sum())


def _percentages(counts: Int64Array) -> Float64Array:
    return 100 * counts / max(1, int(counts.sum()))


def _zipf(report: Report) -> Chart | None:
    frequencies = report.vocabulary.zipf
    if not len(frequencies):
        return None
    ranks = np.unique(np.geomspace(1, len(frequencies), _ZIPF_POINTS).round().astype(np.int64))

    def words(point: int) -> str:
        rank = int(ranks[point])
        template = translate("Reporting", "rank {rank}, occurrences in the texts: {count}")
        return template.format(rank=number(rank), count=number(int(frequencies[rank - 1])))

    return Chart(
        chart_title(ChartKind.ZIPF),
        translate("Reporting", "rank"),
        translate("Reporting", "occurrences"),
        ranks.astype(np.float64),
        [Series(translate("Reporting", "occurrences"), frequencies[ranks - 1].astype(np.float64))],
        words,
        logarithmic=True,
    )
