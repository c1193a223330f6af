"""The contents of a report: its measures, sentences, lists of entries and charts, with all their texts.

The page, the window and the command line only render these contents. Texts are templates of the context `Report`;
`Wording` translates them and formats the numbers in them.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite, nan
from typing import ClassVar, Final, Literal

import numpy as np

from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.types import Float64Array, Int64Array

from .curve import GAIN_ENTRIES, LEAST_GAIN, Curve
from .report import Report, TextReport
from .vocabulary import NEARLY_DEAD

LISTED: Final = 100
"""How many of the longest and the most used entries are listed."""

_MAX_SIZES: Final = 24
"""How many sizes of tokens have separate bars; longer tokens share the last one."""

_ZIPF_POINTS: Final = 200
_UNKNOWN: Final = "–"


# -- texts and numbers -------------------------------------------------------------------------------------------------


def _decimal(value: float) -> str:
    return f"{value:.3f}" if isfinite(value) else _UNKNOWN


def _share(value: float) -> str:
    return f"{value:.1%}" if isfinite(value) else _UNKNOWN


def number_text(value: float) -> str:
    """Return a number for people: integers with commas, others with four digits.

    >>> number_text(12345.0), number_text(0.12345), number_text(3.14159)
    ('12,345', '0.1235', '3.142')
    """
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


@dataclass(frozen=True, slots=True)
class Wording:
    """How to translate the texts of a report, and how to write numbers, shares from 0 to 1, and lists."""

    translate: Callable[[str], str] = str
    number: Callable[[int], str] = "{:,}".format
    decimal: Callable[[float], str] = _decimal
    share: Callable[[float], str] = _share
    listed: Callable[[Iterable[str]], str] = ", ".join

    def text(self, template: str, **values: str) -> str:
        """Return a translated template with its values filled in."""
        text = self.translate(template)
        return text.format(**values) if values else text

    def paragraph(self, sentences: Iterable[str]) -> str:
        """Return sentences as a paragraph. In Chinese, there is no space between them."""
        between = self.translate(_("Report", "{sentence} {sentence}")).replace("{sentence}", "")
        return between.join(sentences)


ENGLISH: Final = Wording()


# -- measures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a text, by its name in `TextMeasures` and in `Curve`, with its texts.

    `title` is a few words, `about` a phrase that explains the measure, `short` fits the header of a narrow column, and
    `full` is for wider places; without a title, it is only in files. Measures of a tokenizer's quality also have a
    `chart` over the size of the vocabulary, given by its title, with the vertical label `axis`.
    """

    name: str
    format: Literal["number", "decimal", "share"]
    title: str = ""
    about: str = ""
    short: str = ""
    full: str = ""
    axis: str = ""
    chart: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "short", self.short or self.title)

    def value(self, text: TextReport) -> float:
        """Return the measure of a text; NaN if it is not known."""
        value: float | None = getattr(text if self.name == "documents" else text.measures, self.name)
        return nan if value is None else value

    def written(self, value: float, wording: Wording = ENGLISH) -> str:
        """Return a value of this measure as a text."""
        if self.format == "number":
            return wording.number(int(value)) if isfinite(value) else wording.decimal(value)
        write: Callable[[float], str] = getattr(wording, self.format)
        return write(value)

    def over(self, curve: Curve) -> Float64Array:
        """Return the measure at each point of a curve; shares are in percent."""
        values: Float64Array = getattr(curve, self.name)
        return 100 * values if self.format == "share" else values


ALL_MEASURES: Final = (
    Measure("documents", "number", _("Report", "documents"), _("Report", "Number of documents")),
    Measure("bytes", "number", _("Report", "bytes"), _("Report", "Size in UTF-8 bytes")),
    Measure("characters", "number"),
    Measure(
        "words",
        "number",
        _("Report", "words between spaces"),
        _(
            "Report",
            "Number of words between white space, the same for every tokenizer; other pages count the splitter’s "
            "pieces",
        ),
    ),
    Measure("pieces", "number"),
    Measure("tokens", "number", _("Report", "tokens"), _("Report", "Number of tokens")),
    Measure("special", "number"),
    Measure("unknown", "number"),
    Measure("whole_pieces", "number"),
    Measure("single_byte", "number"),
    Measure(
        "bytes_per_token",
        "decimal",
        _("Report", "bytes per token"),
        _("Report", "Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens"),
        _("Report", "bytes/token"),
        axis=_("Report", "bytes per token"),
        chart=_("Report", "Bytes per token by size of the vocabulary"),
    ),
    Measure("characters_per_token", "decimal"),
    Measure(
        "fertility",
        "decimal",
        _("Report", "tokens per word between spaces"),
        _(
            "Report",
            "Fertility: average number of tokens per word between white space. It says nothing about Chinese, Japanese "
            "or Thai, where a whole clause is such a word.",
        ),
        _("Report", "tokens/word"),
        full=_("Report", "tokens per word between spaces (fertility)"),
        axis=_("Report", "tokens per word between spaces"),
        chart=_("Report", "Tokens per word (fertility)"),
    ),
    Measure(
        "whole_piece_share",
        "share",
        _("Report", "whole pieces"),
        _("Report", "Share of the splitter’s pieces (pre-tokens) that are a single token"),
        full=_("Report", "pieces that stay whole"),
        axis=_("Report", "% of pieces"),
        chart=_("Report", "Pieces of the splitter that stay whole"),
    ),
    Measure(
        "single_byte_share",
        "share",
        _("Report", "single-byte tokens"),
        _("Report", "Share of tokens that stand for a single byte"),
        _("Report", "single bytes"),
        axis=_("Report", "% of tokens"),
        chart=_("Report", "Single-byte tokens"),
    ),
    Measure(
        "renyi_efficiency",
        "decimal",
        _("Report", "Rényi efficiency"),
        _("Report", "Rényi efficiency of order 2.5: how evenly the vocabulary is used, at most 1"),
        _("Report", "Rényi eff."),
        axis=_("Report", "efficiency"),
        chart=_("Report", "Rényi efficiency"),
    ),
)
"""The measures of a text, in the order of the columns. Curves have those with a chart."""

MEASURES: Final = tuple(measure for measure in ALL_MEASURES if measure.title)
"""The measures that people read."""

_of_measures: Final = {measure.name: measure.chart for measure in MEASURES if measure.chart}
CHART_TITLES: Final = {
    "bytes_per_token": _of_measures["bytes_per_token"],  # before its gain
    "gain": _("Report", "Marginal gain"),
    **_of_measures,
    "lengths": _("Report", "Length of tokens"),
    "zipf": _("Report", "Frequency by rank (Zipf)"),
}
"""The titles of the charts by their keys, in the order in which they are offered."""

LIST_TITLES: Final = {
    "never_used": _("Report", "Never used"),
    "scaffolds": _("Report", "Scaffolds"),
    "removable": _("Report", "Removable"),
    "nearly_dead": _("Report", "Nearly dead"),
    "most_used": _("Report", "Most used"),
    "longest": _("Report", "Longest"),
    "duplicates": _("Report", "Duplicates up to case or leading space"),
    "partial_characters": _("Report", "Partial characters"),
}
"""The titles of the lists of entries by their keys, in the order in which they are shown."""

_LISTS_ABOUT: Final = {
    "scaffolds": _("Report", "Never used themselves, but parts of tokens that are."),
    "removable": _("Report", "Pruning can leave these out: the text keeps exactly the same tokens."),
    "nearly_dead": _("Report", "They occur in the text, but at most {count} times."),
    "most_used": _("Report", "The entries that occur most often in the text."),
    "longest": _("Report", "The longest entries in bytes."),
    "duplicates": _("Report", "Groups of entries that differ only in case or in a space before them."),
    "partial_characters": _("Report", "Their bytes begin or end inside a character."),
}
_NEED_TEXT: Final = ("never_used", "scaffolds", "removable", "nearly_dead", "most_used")


# -- lists and charts as values ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class EntryList:
    """Entries of the vocabulary that stand out, numbered as in `VocabularyReport`; some are in groups.

    `needs_text` says that the list is meaningless without text. `key` names the list in files.
    """

    key: str
    title: str
    about: str
    entries: Sequence[int]
    groups: Sequence[Sequence[int]] = ()
    needs_text: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A line or bars: the name, the values at the points of the chart (NaN if missing), and the style."""

    name: str
    values: Float64Array
    style: Literal["first", "second"] = "first"


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked point of a series, given by its index, and its label."""

    point: int
    label: str
    series: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A chart with one or more series over the same ascending `points`. `key` names it in files.

    `description` describes the chart in words, and `words` a point, given by its index. `logarithmic` says that both
    axes are logarithmic and all values above 0.
    """

    key: str
    title: str
    x_label: str
    y_label: str
    points: Float64Array
    series: Sequence[Series]
    words: Callable[[int], str]
    description: str = ""
    marks: Sequence[Mark] = ()
    logarithmic: bool = False
    has_bars: bool = False
    begins: Float64Array | None = None
    """The start of each bar, which ends at its point; None for bars of equal width centred on their points."""
    begins_label: str = ""
    is_open: bool = False
    """Whether the last bar also stands for all larger points."""

    def as_csv(self) -> str:
        """Return the points and their values as comma-separated values, with a line of titles.

        Where bars begin at different points, these come first.
        """
        text = StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        titles = [self.x_label, *(series.name or self.y_label for series in self.series)]
        columns = [self.points.tolist(), *(series.values.tolist() for series in self.series)]
        if self.begins is not None:
            titles, columns = [self.begins_label, *titles], [self.begins.tolist(), *columns]
        writer.writerow(titles)
        writer.writerows([_plain(value) for value in row] for row in zip(*columns, strict=True))
        return text.getvalue()


def _plain(value: float) -> str:
    """Return a number without a decimal point if it needs none; empty for an unknown one.

    >>> _plain(3.0), _plain(0.5), _plain(float("nan"))
    ('3', '0.5', '')
    """
    if value != value:
        return ""
    return str(int(value)) if value == int(value) else repr(value)


# -- the contents ------------------------------------------------------------------------------------------------------


class Contents:
    """The contents of a report in a wording.

    >>> from bpe_gui.engine import train
    >>> from bpe_gui.engine.reports import make_report
    >>> [each.title for each in Contents(make_report(train("low", num_merges=1))).lists()][-1]
    'Partial characters'
    """

    measures: ClassVar = MEASURES
    chart_titles: ClassVar = CHART_TITLES
    list_titles: ClassVar = LIST_TITLES
    least_gain: ClassVar = LEAST_GAIN
    """What every report has: measures, charts and lists with templates of titles, and a gain worth its entries."""

    def __init__(self, report: Report, wording: Wording = ENGLISH) -> None:
        self._report = report
        self._wording = wording
        self._t = wording.text

    # -- texts -------------------------------------------------------------------------------------------------------

    def total_row(self) -> TextReport:
        """Return the measures of all texts together."""
        documents = sum(text.documents for text in self._report.texts)
        return TextReport(self._t(_("Report", "all texts")), documents, self._report.total.measures)

    def held_out_row(self) -> TextReport | None:
        """Return the measures of held-out text, with its title; None if there is none."""
        text = self._report.held_out
        if text is None:
            return None
        return TextReport(self._t(_("Report", "held out: {name}"), name=text.name), text.documents, text.measures)

    def empty_sentence(self) -> str:
        """Return the sentence for a report on empty texts."""
        return self._t(_("Report", "The text is empty, so there is nothing to measure."))

    def unknown_sentence(self) -> str:
        """Return the sentence about tokens for symbols without an id; empty if there are none."""
        total, wording = self._report.total, self._wording
        if not total.unknown:
            return ""
        one = _("Report", "1 token ({share}) stands for a symbol that has no id in this vocabulary.")
        many = _("Report", "{count} tokens ({share}) stand for symbols that have no id in this vocabulary.")
        share = wording.share(total.measures.unknown_share)
        return self._t(one if total.unknown == 1 else many, count=wording.number(total.unknown), share=share)

    def gini_sentence(self) -> str:
        """Return the sentence about inequality between the texts; empty for fewer than two."""
        if len(self._report.texts) < 2:
            return ""
        template = _(
            "Report",
            "Gini coefficient over the texts: {per_byte} for tokens per byte. Where the texts are translations of "
            "one another: {of_tokens} for their numbers of tokens.",
        )
        decimal = self._wording.decimal
        per_byte, of_tokens = decimal(self._report.gini_per_byte), decimal(self._report.gini_of_tokens)
        return self._t(template, per_byte=per_byte, of_tokens=of_tokens)

    def sizing_sentences(self, curve: Curve) -> Iterator[str]:
        """Yield the sentences about how large the vocabulary should be, judging by a curve of the report."""
        number, share = self._wording.number, self._wording.share
        if curve is self._report.held_out_curve:
            yield self._t(_("Report", "Measured on held-out text, which was not trained on."))
        else:
            template = _("Report", "Measured on the texts above. If they were trained on, held-out text tells more.")
            yield self._t(template)
        if not curve.is_telling:
            template = _(
                "Report", "Too little text to tell (tokens: {tokens}, entries that training added: {entries})."
            )
            yield self._t(template, tokens=number(int(curve.tokens[-1])), entries=number(curve.added_entries))
            return
        if (knee := curve.knee) is not None:
            template = _(
                "Report",
                "The knee of the curve so far is at {entries} entries, with {compression} bytes per token: from there "
                "to its end, it rises more slowly than up to there. In a longer run, the knee comes later.",
            )
            compression = self._wording.decimal(knee.bytes_per_token)
            yield self._t(template, entries=number(knee.entries), compression=compression)
        if not curve.tells_worth:
            return
        worth, least = curve.entries_worth(), {"more": number(GAIN_ENTRIES), "share": share(LEAST_GAIN)}
        if worth is None:
            template = _("Report", "Up to the last step, {more} more entries save at least {share} of the tokens.")
            yield self._t(template, **least)
        else:
            template = _("Report", "From {entries} entries on, {more} more save less than {share} of the tokens.")
            yield self._t(template, entries=number(worth), **least)

    # -- lists -------------------------------------------------------------------------------------------------------

    def lists(self, listed: int = LISTED) -> list[EntryList]:
        """Return the lists of entries that stand out, with up to `listed` of the most used and of the longest ones.

        Of the entries that are never or rarely used, those that were learned come first. The first call may take a
        second.
        """
        vocabulary = self._report.vocabulary

        def learned_first(entries: Int64Array) -> list[int]:
            found: list[int] = entries[np.argsort(vocabulary.steps[entries] == 0, kind="stable")].tolist()
            return found

        groups = vocabulary.duplicates
        entries: dict[str, Sequence[int]] = {
            "never_used": learned_first(vocabulary.never_used),
            "scaffolds": vocabulary.scaffolds.tolist(),
            "removable": vocabulary.removable.tolist(),
            "nearly_dead": learned_first(vocabulary.nearly_dead()),
            "most_used": vocabulary.most_used(listed).tolist(),
            "longest": vocabulary.longest(listed).tolist(),
            "duplicates": [entry for group in groups for entry in group],
            "partial_characters": vocabulary.partial_characters.tolist(),
        }
        return [
            EntryList(
                key,
                self._t(title),
                self.unused_sentence() if key == "never_used" else self._t(_LISTS_ABOUT[key], count=str(NEARLY_DEAD)),
                entries[key],
                groups if key == "duplicates" else (),
                key in _NEED_TEXT,
            )
            for key, title in LIST_TITLES.items()
        ]

    def unused_sentence(self) -> str:
        """Return the sentence that says what the entries that never occur are for."""
        vocabulary, number = self._report.vocabulary, self._wording.number
        alphabet = vocabulary.never_used[vocabulary.steps[vocabulary.never_used] == 0]
        symbols = _("Report", "symbols of the alphabet: {count}")
        if len(alphabet) and (vocabulary.sizes[alphabet] == 1).all():
            symbols = _("Report", "single bytes: {count}")
        kinds = [
            (symbols, len(alphabet)),
            (_("Report", "scaffolds of other tokens: {count}"), len(vocabulary.scaffolds)),
            (_("Report", "needed by nothing: {count}"), len(vocabulary.removable)),
        ]
        listed = self._wording.listed(self._t(kind, count=number(count)) for kind, count in kinds if count)
        total = number(len(vocabulary.never_used))
        template = _("Report", "{count} unused ({kinds}).") if listed else _("Report", "Every entry is used.")
        return self._t(template, count=total, kinds=listed)

    # -- charts ------------------------------------------------------------------------------------------------------

    def charts(self) -> list[Chart]:
        """Return the charts: measures over the size of the vocabulary, the gain, lengths, and frequencies.

        A chart with nothing to draw has no points.
        """
        charts = {measure.name: self._measure_chart(measure) for measure in MEASURES if measure.chart}
        charts |= {"gain": self._gain_chart(), "lengths": self._length_chart(), "zipf": self._zipf_chart()}
        return [charts[key] for key in CHART_TITLES]

    def _measure_chart(self, measure: Measure) -> Chart:
        """Return the chart of a measure over the size of the vocabulary, for all texts and for held-out text."""
        report, wording = self._report, self._wording
        named: list[tuple[str, Curve | None, Literal["first", "second"]]] = [
            (self._t(_("Report", "all texts")), report.curve, "first"),
            (self._t(_("Report", "held out")), report.held_out_curve, "second"),
        ]
        curves = [(name, curve, style) for name, curve, style in named if curve is not None and len(curve) > 1]
        steps = curves[0][1].steps if curves else np.empty(0, np.int64)  # both have the same steps
        entries = curves[0][1].entries if curves else steps
        title = self._t(measure.title)

        def words(point: int) -> str:
            written = [measure.written(float(getattr(curve, measure.name)[point]), wording) for _n, curve, _s in curves]
            if len(curves) > 1:
                written = [f"{name} {value}" for (name, _curve, _style), value in zip(curves, written, strict=True)]
            value = self._t(_("Report", "{value} {measure}"), value=wording.listed(written), measure=title)
            template = _("Report", "{entries} entries (step {step}): {value}")
            where = {"entries": wording.number(int(entries[point])), "step": wording.number(int(steps[point]))}
            return self._t(template, value=value, **where)

        return Chart(
            measure.name,
            self._t(measure.chart),
            self._t(_("Report", "entries of the vocabulary")),
            self._t(measure.axis),
            entries.astype(np.float64),
            [Series(name, measure.over(curve), style) for name, curve, style in curves],
            words,
            self._description([(curve, measure.over(curve)) for _name, curve, _style in curves]),
            self._marks(measure, [curve for _name, curve, _style in curves]),
        )

    def _description(self, lines: Sequence[tuple[Curve, Float64Array]]) -> str:
        """Return a description of where the lines of a measure begin and end."""
        templates = [
            _("Report", "All texts: from {first} at {fewest} entries to {last} at {most} entries."),
            _("Report", "Held-out text: from {first} at {fewest} entries to {last} at {most} entries."),
        ]
        if len(lines) == 1:
            templates = [_("Report", "From {first} at {fewest} entries to {last} at {most} entries.")]
        decimal, number = self._wording.decimal, self._wording.number
        return self._wording.paragraph(
            self._t(
                template,
                first=decimal(float(values[0])),
                fewest=number(int(curve.entries[0])),
                last=decimal(float(values[-1])),
                most=number(int(curve.entries[-1])),
            )
            for template, (curve, values) in zip(templates, lines, strict=False)
        )

    def _marks(self, measure: Measure, curves: Sequence[Curve]) -> list[Mark]:
        """Return a mark at the knee of the last curve, which is the one that suggests a size, and one at the step."""
        marks: list[Mark] = []
        if not curves:
            return marks
        last, step = curves[-1], self._report.tokenizer.position
        if measure.name == "bytes_per_token" and last.is_telling and last.knee is not None:
            point = int(np.searchsorted(last.steps, last.knee.step))
            marks.append(Mark(point, self._t(_("Report", "knee")), len(curves) - 1))
        if step < last.steps[-1]:
            marks.append(Mark(int(np.searchsorted(curves[0].steps, step)), self._t(_("Report", "this step"))))
        return marks

    def _gain_chart(self) -> Chart:
        curve, wording = self._report.sizing_curve, self._wording
        gains = () if curve is None else curve.gains

        def words(point: int) -> str:
            gain = gains[point]
            template = _(
                "Report",
                "From {entries} to {following} entries ({added} more): {share} of the tokens saved, "
                "{ratio} more bytes per token",
            )
            return self._t(
                template,
                entries=wording.number(gain.entries),
                following=wording.number(gain.following),
                added=wording.number(gain.following - gain.entries),
                share=wording.share(gain.tokens_saved),
                ratio=wording.decimal(gain.bytes_per_token),
            )

        title = CHART_TITLES["gain"]
        if gains and curve is not None:
            one, many = _("Report", "Marginal gain per entry"), _("Report", "Marginal gain per {size} entries")
            title = one if curve.gain_size == 1 else many
        size = "" if curve is None else wording.number(curve.gain_size)
        return Chart(
            "gain",
            self._t(title, size=size),
            self._t(_("Report", "entries of the vocabulary")),
            self._t(_("Report", "% of the tokens saved")),
            np.array([gain.following for gain in gains], np.float64),
            [Series("", np.array([100 * gain.tokens_saved for gain in gains], np.float64))],
            words,
            has_bars=True,
            begins=np.array([gain.entries for gain in gains], np.float64),
            begins_label=self._t(_("Report", "from")),
        )

    def _length_chart(self) -> Chart:
        report, wording = self._report, self._wording
        sizes = report.vocabulary.lengths
        shares: list[Float64Array] = []
        for counts in sizes:
            listed, longer = counts[1 : _MAX_SIZES + 1], counts[_MAX_SIZES + 1 :]
            by_size = np.append(listed, longer.sum()) if len(longer) else listed  # the longest share the last one
            shares.append(100 * by_size / max(1, int(counts.sum())))
        is_open = len(sizes[0]) > _MAX_SIZES + 1

        def words(point: int) -> str:
            if is_open and point == _MAX_SIZES:
                template = _("Report", "{size} bytes or more: {entries} of the entries, {tokens} of the tokens")
            elif point:
                template = _("Report", "{size} bytes: {entries} of the entries, {tokens} of the tokens")
            else:
                template = _("Report", "1 byte: {entries} of the entries, {tokens} of the tokens")
            entries, tokens = (wording.share(float(each[point]) / 100) for each in shares)
            return self._t(template, size=wording.number(point + 1), entries=entries, tokens=tokens)

        mean = float(np.average(np.arange(len(sizes[0])), weights=sizes[0])) if sizes[0].any() else 0.0
        series = [
            Series(self._t(_("Report", "% of entries")), shares[0]),
            Series(self._t(_("Report", "% of tokens")), shares[1], "second"),
        ]
        return Chart(
            "lengths",
            self._t(CHART_TITLES["lengths"]),
            self._t(_("Report", "bytes")),
            self._t(_("Report", "% of all")),
            np.arange(1, len(shares[0]) + 1, dtype=np.float64),
            series if report.has_text else series[:1],
            words,
            self._t(_("Report", "Entries have {mean} bytes on average."), mean=number_text(mean)),
            has_bars=True,
            is_open=is_open,
        )

    def _zipf_chart(self) -> Chart:
        counts, number = self._report.vocabulary.zipf, self._wording.number
        last = len(counts)
        ranks = np.unique(np.geomspace(1, max(last, 1), _ZIPF_POINTS).round().astype(np.int64))[: last or 0]
        description = ""
        if last:
            template = _(
                "Report",
                "Occurrences in the text: {first} of the most frequent token, {last} of the token of rank {rank}.",
            )
            first, fewest = number(int(counts[0])), number(int(counts[-1]))
            description = self._t(template, first=first, last=fewest, rank=number(last))

        def words(point: int) -> str:
            rank = int(ranks[point])
            template = _("Report", "rank {rank}, occurrences in the texts: {count}")
            return self._t(template, rank=number(rank), count=number(int(counts[rank - 1])))

        return Chart(
            "zipf",
            self._t(CHART_TITLES["zipf"]),
            self._t(_("Report", "rank of the token")),
            self._t(_("Report", "occurrences")),
            ranks.astype(np.float64),
            [Series("", counts[ranks - 1].astype(np.float64))],
            words,
            description,
            logarithmic=True,
        )
