"""A report as one HTML page that needs no other file and no script, in light and dark, for the screen and for print."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import isfinite
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import token_label
from bpe_gui.engine.runtime.types import Float64Array

from .charts import Chart, Line, bar_chart, line_chart, number_text
from .curve import GAIN_ENTRIES, LEAST_GAIN, Curve, Gain
from .page_style import STYLE
from .report import Report, TextReport
from .statistics import RENYI_ORDER
from .token_counts import TextMeasures
from .vocabulary import NEARLY_DEAD

Translate = Callable[[str], str]
"""Returns a text of the report in the reader's language; the context is `Report`."""

_SHOWN_ENTRIES: Final = 60
"""The entries of a list that are shown; the tables for spreadsheets have all."""

_SHOWN_GROUPS: Final = 30
_SHOWN_TEXTS: Final = 500
_SHOWN_GAINS: Final = 40
_LONGEST_TOKEN: Final = 60
"""Characters of a token that are shown."""

_MOST_SIZES: Final = 24
"""The sizes of tokens with a bar of their own; longer ones share the last."""

_ZIPF_POINTS: Final = 200
_UNKNOWN: Final = "–"


def html_page(report: Report, translate: Translate = str, language: str = "en") -> str:
    """Return a report as an HTML page, in the language that `translate` and the language's code say.

    >>> from bpe_gui.engine import train
    >>> from bpe_gui.engine.reports.report import make_report
    >>> html_page(make_report(train("low", num_merges=1), name="my-tokenizer")).startswith("<!DOCTYPE html>")
    True
    """
    return _Page(report, translate).html(language)


class _Page:
    """Writes the page of one report."""

    def __init__(self, report: Report, translate: Translate) -> None:
        self._report = report
        self._t = translate

    def html(self, language: str) -> str:
        title = self._t(_("Report", "Tokenizer report"))
        heading = f"{title} · {self._report.name}" if self._report.name else title
        parts = "\n".join(filter(None, self._parts(heading)))
        return (
            f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(heading)}</title><style>{STYLE}</style></head>\n"
            f"<body><main>\n{parts}\n</main></body></html>\n"
        )

    def _parts(self, heading: str) -> Iterator[str]:
        report = self._report
        yield f"<header><h1>{escape(heading)}</h1><p>{self._sizes()}</p></header>"
        if report.has_text:
            yield self._tiles()
        elif report.texts:
            yield _paragraph(self._t(_("Report", "The text is empty, so there is nothing to measure.")), "notice")
        yield from self._notices()
        if report.texts:
            yield self._texts()
        if report.sizing_curve is not None and len(report.sizing_curve) > 1:
            yield self._sizing(report.sizing_curve)
            yield self._curves()
        yield self._vocabulary()
        yield self._pictures()
        yield self._notes()

    def _sizes(self) -> str:
        report = self._report
        special = int(np.count_nonzero(report.counter.parts.special))
        return self._t(_("Report", "entries: {entries} · merges: {merges} · special tokens: {special}")).format(
            entries=f"{len(report.vocabulary):,}",
            merges=f"{len(report.counter.parts.merges):,}",
            special=f"{special:,}",
        )

    # -- numbers -----------------------------------------------------------------------------------------------------

    def _tiles(self) -> str:
        report, measures = self._report, self._report.total.measures
        never = len(report.vocabulary.never_used)
        tiles = [
            (self._t(_("Report", "bytes per token")), _decimal(measures.bytes_per_token)),
            (self._t(_("Report", "tokens per word (fertility)")), _decimal(measures.fertility)),
            (self._t(_("Report", "words that stay whole")), _share(measures.whole_word_share)),
            (self._t(_("Report", "single-byte tokens")), _share(measures.single_byte_share)),
            (self._t(_("Report", "Rényi efficiency")), _decimal(measures.renyi_efficiency)),
            (self._t(_("Report", "entries never used")), _share(never / max(1, len(report.vocabulary)))),
        ]
        if len(report.texts) > 1:
            tiles.append((self._t(_("Report", "Gini coefficient over texts")), _decimal(report.gini_per_byte)))
        cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in tiles)
        return f'<dl class="tiles">{cells}</dl>'

    def _notices(self) -> Iterator[str]:
        report = self._report
        if report.total.unknown:
            one = _("Report", "1 token ({share}) stands for a symbol that has no id in this vocabulary.")
            many = _("Report", "{count} tokens ({share}) stand for symbols that have no id in this vocabulary.")
            template = one if report.total.unknown == 1 else many
            share = _share(report.total.measures.unknown_share)
            yield _paragraph(self._t(template).format(count=f"{report.total.unknown:,}", share=share), "notice")
        if report.skipped:
            template = _("Report", "Documents that could not be read and are left out: {count}")
            items = "".join(f"<li>{escape(str(each.reason))}</li>" for each in report.skipped[:_SHOWN_TEXTS])
            summary = escape(self._t(template).format(count=f"{len(report.skipped):,}"))
            yield f'<details class="notice"><summary>{summary}</summary><ul>{items}</ul></details>'

    def _texts(self) -> str:
        report = self._report
        columns = [
            self._t(_("Report", "text")),
            self._t(_("Report", "documents")),
            self._t(_("Report", "bytes")),
            self._t(_("Report", "words")),
            self._t(_("Report", "tokens")),
            self._t(_("Report", "bytes per token")),
            self._t(_("Report", "tokens per word")),
            self._t(_("Report", "whole words")),
            self._t(_("Report", "single-byte tokens")),
            self._t(_("Report", "Rényi efficiency")),
        ]
        rows = [self._row(text) for text in report.texts[:_SHOWN_TEXTS]]
        if len(report.texts) > 1:
            documents = sum(text.documents for text in report.texts)
            all_texts = self._t(_("Report", "all texts"))
            rows.append(self._row(TextReport(all_texts, documents, report.total.measures), "total"))
        if report.held_out is not None:
            name = self._t(_("Report", "held out: {name}")).format(name=report.held_out.name)
            rows.append(self._row(TextReport(name, report.held_out.documents, report.held_out.measures), "total"))
        more = len(report.texts) - _SHOWN_TEXTS
        left_out = self._more(more) if more > 0 else ""
        gini = ""
        if len(report.texts) > 1:
            template = _(
                "Report",
                "Gini coefficient over the texts: {per_byte} for tokens per byte. Where the texts are translations of "
                "one another: {of_tokens} for their numbers of tokens.",
            )
            values = {"per_byte": _decimal(report.gini_per_byte), "of_tokens": _decimal(report.gini_of_tokens)}
            gini = _paragraph(self._t(template).format(**values))
        return _section(self._t(_("Report", "Texts")), _table(columns, rows) + left_out + gini)

    def _row(self, text: TextReport, style: str = "") -> str:
        measures: TextMeasures = text.measures
        counts = (text.documents, measures.bytes, measures.words, measures.tokens)
        cells = [
            *(f"{count:,}" for count in counts),
            _decimal(measures.bytes_per_token),
            _decimal(measures.fertility),
            _share(measures.whole_word_share),
            _share(measures.single_byte_share),
            _decimal(measures.renyi_efficiency),
        ]
        name = f'<th scope="row"><bdi>{escape(text.name)}</bdi></th>'
        return f'<tr class="{style}">{name}{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'

    # -- curves ------------------------------------------------------------------------------------------------------

    def _sizing(self, curve: Curve) -> str:
        """Write the section that tells how large the vocabulary should be."""
        report = self._report
        on_held_out = curve is report.held_out_curve
        heading = self._t(_("Report", "How large should the vocabulary be?"))
        about = (
            self._t(_("Report", "Measured on held-out text, which was not trained on."))
            if on_held_out
            else self._t(_("Report", "Measured on the texts above. Held-out text would tell more."))
        )
        sentences = [about, *self._sizing_sentences(curve)]
        knee = curve.knee if curve.is_telling else None
        label = self._t(_("Report", "knee"))
        marked = None if knee is None else (float(knee.entries), knee.bytes_per_token, label)
        chart = self._measure_chart(
            self._t(_("Report", "Bytes per token by size of the vocabulary")),
            self._t(_("Report", "bytes per token")),
            lambda each: each.bytes_per_token,
            marked,
        )
        return _section(heading, _paragraph(self._one_after_another(sentences)) + chart + self._gains(curve))

    def _one_after_another(self, sentences: Iterable[str]) -> str:
        """Return sentences as a paragraph: Chinese has no space between them."""
        between = self._t(_("Report", "{sentence} {sentence}")).replace("{sentence}", "")
        return between.join(sentences)

    def _sizing_sentences(self, curve: Curve) -> Iterator[str]:
        if not curve.is_telling:
            template = _(
                "Report", "Too little text to tell (tokens: {tokens}, entries that training added: {entries})."
            )
            yield self._t(template).format(tokens=f"{curve.tokens[-1]:,}", entries=f"{curve.added_entries:,}")
            return
        if (knee := curve.knee) is not None:
            template = _(
                "Report",
                "The knee is at {entries} entries, with {compression} bytes per token: from there on, the curve rises "
                "less than on average.",
            )
            values = {"entries": f"{knee.entries:,}", "compression": _decimal(knee.bytes_per_token)}
            yield self._t(template).format(**values)
        if not curve.gains:
            return
        worth = curve.entries_worth()
        least = {"more": f"{GAIN_ENTRIES:,}", "share": _share(LEAST_GAIN)}
        if worth is None:
            template = _("Report", "Near the last step, {more} more entries still save at least {share} of the tokens.")
            yield self._t(template).format(**least)
        else:
            template = _("Report", "From {entries} entries on, {more} more save less than {share} of the tokens.")
            yield self._t(template).format(entries=f"{worth:,}", **least)

    def _gains(self, curve: Curve) -> str:
        columns = [
            self._t(_("Report", "entries")),
            self._t(_("Report", "up to")),
            self._t(_("Report", "bytes per token gained per 1,000 entries")),
            self._t(_("Report", "tokens saved per 1,000 entries")),
        ]
        gains: Sequence[Gain] = curve.gains
        every = -(-len(gains) // _SHOWN_GAINS) or 1
        rows = [
            f"<tr><td>{gain.entries:,}</td><td>{gain.following:,}</td><td>{gain.bytes_per_token:+.4f}</td>"
            f"<td>{_share(gain.tokens_saved)}</td></tr>"
            for gain in gains[::every]
        ]
        summary = escape(self._t(_("Report", "Marginal gain per 1,000 entries")))
        return f"<details><summary>{summary}</summary>{_table(columns, rows)}</details>" if rows else ""

    def _curves(self) -> str:
        charts = [
            (
                self._t(_("Report", "Tokens per word (fertility)")),
                self._t(_("Report", "tokens per word")),
                lambda each: each.fertility,
            ),
            (
                self._t(_("Report", "Words that stay whole")),
                self._t(_("Report", "% of words")),
                lambda each: 100 * each.whole_word_share,
            ),
            (
                self._t(_("Report", "Single-byte tokens")),
                self._t(_("Report", "% of tokens")),
                lambda each: 100 * each.single_byte_share,
            ),
            (
                self._t(_("Report", "Rényi efficiency")),
                self._t(_("Report", "efficiency")),
                lambda each: each.renyi_efficiency,
            ),
        ]
        drawn = "".join(self._measure_chart(title, label, measure) for title, label, measure in charts)
        return _section(self._t(_("Report", "Over the training")), f'<div class="charts">{drawn}</div>')

    def _measure_chart(
        self,
        title: str,
        y_label: str,
        measure: Callable[[Curve], Float64Array],
        marked: tuple[float, float, str] | None = None,
    ) -> str:
        """Draw a measure by the size of the vocabulary, for all texts and for held-out text."""
        report = self._report
        lines = [
            Line(label, curve.entries.tolist(), measure(curve).tolist(), style)
            for label, curve, style in (
                (self._t(_("Report", "all texts")), report.curve, "first"),
                (self._t(_("Report", "held out")), report.held_out_curve, "second"),
            )
            if curve is not None
        ]
        templates = [
            _("Report", "All texts: from {first} at {fewest} entries to {last} at {most} entries."),
            _("Report", "Held-out text: from {first} at {fewest} entries to {last} at {most} entries."),
        ]
        if len(lines) == 1:
            templates = [_("Report", "From {first} at {fewest} entries to {last} at {most} entries.")]
        described = [
            self._t(template).format(
                first=_decimal(line.ys[0]),
                fewest=f"{line.xs[0]:,}",
                last=_decimal(line.ys[-1]),
                most=f"{line.xs[-1]:,}",
            )
            for template, line in zip(templates, lines, strict=False)
        ]
        chart = Chart(
            title, self._one_after_another(described), self._t(_("Report", "entries of the vocabulary")), y_label
        )
        return line_chart(chart, lines, marked=marked)

    # -- the vocabulary ----------------------------------------------------------------------------------------------

    def _vocabulary(self) -> str:
        vocabulary = self._report.vocabulary
        lists = []
        if self._report.has_text:
            lists += [
                self._list(
                    self._t(_("Report", "Never used")),
                    self._t(_("Report", "Entries that never occur in the text, including symbols of the alphabet.")),
                    vocabulary.never_used.tolist(),
                ),
                self._list(
                    self._t(_("Report", "Scaffolds")),
                    self._t(_("Report", "Never used themselves, but parts of tokens that are.")),
                    vocabulary.scaffolds.tolist(),
                ),
                self._list(
                    self._t(_("Report", "Removable")),
                    self._t(_("Report", "Pruning can leave these out: the text keeps exactly the same tokens.")),
                    vocabulary.removable.tolist(),
                ),
                self._list(
                    self._t(_("Report", "Nearly dead")),
                    self._t(_("Report", "They occur in the text, but at most {count} times.")).format(
                        count=NEARLY_DEAD
                    ),
                    vocabulary.nearly_dead().tolist(),
                ),
            ]
        lists += [
            self._list(
                self._t(_("Report", "Longest")),
                self._t(_("Report", "The longest entries in bytes.")),
                vocabulary.longest(_SHOWN_ENTRIES).tolist(),
                is_open=not self._report.has_text,
            ),
            self._duplicates(),
            self._list(
                self._t(_("Report", "Partial characters")),
                self._t(_("Report", "Their bytes begin or end inside a character.")),
                vocabulary.partial_characters.tolist(),
            ),
        ]
        return _section(self._t(_("Report", "Vocabulary")), "".join(lists))

    def _list(self, title: str, about: str, entries: Sequence[int], *, is_open: bool = False) -> str:
        shown = " ".join(map(self._token, entries[:_SHOWN_ENTRIES]))
        more = self._more(len(entries) - _SHOWN_ENTRIES) if len(entries) > _SHOWN_ENTRIES else ""
        attribute = " open" if is_open else ""
        return (
            f"<details{attribute}><summary>{escape(title)} <b>{len(entries):,}</b></summary>{_paragraph(about)}"
            f'<p class="tokens">{shown}</p>{more}</details>'
        )

    def _duplicates(self) -> str:
        groups = self._report.vocabulary.duplicates
        title = escape(self._t(_("Report", "Duplicates up to case or leading space")))
        about = _paragraph(
            self._t(_("Report", "Groups of entries that differ only in case or in a space before them."))
        )
        rows = "".join(
            f'<p class="tokens group">{" ".join(map(self._token, group))}</p>' for group in groups[:_SHOWN_GROUPS]
        )
        more = self._more(len(groups) - _SHOWN_GROUPS) if len(groups) > _SHOWN_GROUPS else ""
        return f"<details><summary>{title} <b>{len(groups):,}</b></summary>{about}{rows}{more}</details>"

    def _token(self, entry: int) -> str:
        vocabulary = self._report.vocabulary
        label = token_label(vocabulary.tokens[entry][: 4 * _LONGEST_TOKEN])
        shown = label if len(label) <= _LONGEST_TOKEN else label[: _LONGEST_TOKEN - 1] + "…"
        template = _("Report", "id {id}, length in bytes: {bytes}, occurrences in the text: {count}")
        tip = self._t(template).format(
            id=int(vocabulary.ids[entry]),
            bytes=int(vocabulary.sizes[entry]),
            count=f"{int(vocabulary.occurrences[entry]):,}",
        )
        return f'<code title="{escape(tip)}"><bdi>{escape(shown)}</bdi></code>'

    def _more(self, count: int) -> str:
        return _paragraph(self._t(_("Report", "… and {count} more")).format(count=f"{count:,}"), "quiet")

    # -- pictures ----------------------------------------------------------------------------------------------------

    def _pictures(self) -> str:
        charts = self._length_chart() + (self._zipf_chart() if self._report.has_text else "")
        return _section(self._t(_("Report", "Lengths and frequencies")), f'<div class="charts">{charts}</div>')

    def _length_chart(self) -> str:
        entries, tokens = self._report.vocabulary.lengths
        labels = [str(size) for size in range(1, min(len(entries), _MOST_SIZES + 1))]
        series = [(self._t(_("Report", "% of entries")), _by_size(entries.tolist()))]
        if self._report.has_text:
            series.append((self._t(_("Report", "% of tokens")), _by_size(tokens.tolist())))
        if len(entries) > _MOST_SIZES + 1:
            labels.append(f"{_MOST_SIZES + 1}+")
        mean = float(np.average(np.arange(len(entries)), weights=entries)) if entries.any() else 0.0
        description = self._t(_("Report", "Entries have {mean} bytes on average.")).format(mean=number_text(mean))
        title = self._t(_("Report", "Length of tokens"))
        chart = Chart(title, description, self._t(_("Report", "bytes")), self._t(_("Report", "% of all")))
        return bar_chart(chart, labels, series)

    def _zipf_chart(self) -> str:
        counts = self._report.vocabulary.zipf
        if not len(counts):
            return ""
        ranks = np.unique(np.geomspace(1, len(counts), _ZIPF_POINTS).round().astype(np.int64))
        line = Line("", ranks.tolist(), counts[ranks - 1].tolist())
        template = _(
            "Report",
            "Occurrences in the text: {first} of the most frequent token, {last} of the token of rank {rank}.",
        )
        description = self._t(template).format(
            first=f"{int(counts[0]):,}", rank=f"{len(counts):,}", last=f"{int(counts[-1]):,}"
        )
        title = self._t(_("Report", "Frequency by rank (Zipf)"))
        labels = self._t(_("Report", "rank of the token")), self._t(_("Report", "occurrences"))
        return line_chart(Chart(title, description, *labels), [line], logarithmic=True)

    # -- notes -------------------------------------------------------------------------------------------------------

    def _notes(self) -> str:
        notes = [
            self._t(
                _(
                    "Report",
                    "A word is a pre-token: one of the pieces into which the splitter divides the text. "
                    "Special tokens are not part of any word.",
                )
            ),
            self._t(
                _(
                    "Report",
                    "Fertility is the number of tokens per word (Rust et al. 2021). A word stays whole if it is a "
                    "single token.",
                )
            ),
            self._t(_("Report", "A single-byte token stands for one byte, whether that is a whole character or not.")),
            self._t(
                _(
                    "Report",
                    "The Rényi efficiency (Zouhar et al. 2023) has the order {order}; entries that never occur are "
                    "left out, as in the authors’ tokenization-scorer.",
                )
            ).format(order=RENYI_ORDER),
            self._t(
                _(
                    "Report",
                    "The Gini coefficient is 0 if all texts need the same number of tokens per byte, and the nearer to "
                    "1, the more unequal these numbers are.",
                )
            ),
            self._t(
                _(
                    "Report",
                    "The knee is the point farthest above the chord between the ends of the curve, with both axes "
                    "scaled to the same length (Kneedle, Satopää et al. 2011).",
                )
            ),
        ]
        items = "".join(f"<li>{escape(note)}</li>" for note in notes)
        return _section(self._t(_("Report", "How this is measured")), f"<ul>{items}</ul>")


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _paragraph(text: str, style: str = "") -> str:
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def _table(columns: Iterable[str], rows: Iterable[str]) -> str:
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _decimal(value: float) -> str:
    return f"{value:.3f}" if isfinite(value) else _UNKNOWN


def _share(value: float) -> str:
    return f"{value:.1%}" if isfinite(value) else _UNKNOWN


def _by_size(numbers: list[int]) -> list[float]:
    """Return the percentages of sizes from 1 on, those of the longest together."""
    whole = sum(numbers) or 1
    listed, longer = numbers[1 : _MOST_SIZES + 1], numbers[_MOST_SIZES + 1 :]
    return [100 * number / whole for number in ([*listed, sum(longer)] if longer else listed)]
