"""A report as a single HTML page without other files or scripts, in light and dark, for screen and print."""

from collections.abc import Callable, Iterable, Iterator
from html import escape
from itertools import islice
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import token_label

from .charts import svg_chart
from .contents import MEASURES, Contents, EntryList, Wording
from .cost_table import CostTable
from .counting import RENYI_ORDER
from .curve import Curve
from .report import Report, TextReport

Translate = Callable[[str], str]
"""Translates a text of the report, in the context `Report`."""

_SHOWN_ENTRIES: Final = 60
"""How many entries of a list are shown; the tables for spreadsheets have all of them."""

_SHOWN_GROUPS: Final = 30
_SHOWN_TEXTS: Final = 500
_LONGEST_TOKEN: Final = 60
"""How many characters of a token are shown."""


def html_page(report: Report, translate: Translate = str, language: str = "en", notice: str = "") -> str:
    """Return a report as an HTML page, translated with `translate`; `language` is the code of the language.

    `notice` is a remark on the whole report, shown below its heading.

    >>> from bpe_gui.engine import train
    >>> from bpe_gui.engine.reports.report import make_report
    >>> html_page(make_report(train("low", num_merges=1), name="my-tokenizer")).startswith("<!DOCTYPE html>")
    True
    """
    return _Page(report, translate, notice).html(language)


class _Page:
    """Writes the page of one report."""

    def __init__(self, report: Report, translate: Translate, notice: str) -> None:
        self._report = report
        self._notice = notice
        self._wording = Wording(translate)
        self._t = self._wording.text
        self._contents = Contents(report, self._wording)
        self._charts = {chart.key: chart for chart in self._contents.charts()}

    def html(self, language: str) -> str:
        title = self._t(_("Report", "Tokenizer report"))
        heading = f"{title} · {self._report.name}" if self._report.name else title
        parts = "\n".join(filter(None, self._parts(heading)))
        return (
            f'<!DOCTYPE html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(heading)}</title><style>{_STYLE}</style></head>\n"
            f"<body><main>\n{parts}\n</main></body></html>\n"
        )

    def _parts(self, heading: str) -> Iterator[str]:
        report = self._report
        yield f"<header><h1>{escape(heading)}</h1><p>{self._sizes()}</p></header>"
        if self._notice:
            yield _paragraph(self._notice, "notice")
        if report.has_text:
            yield self._tiles()
        elif report.texts:
            yield _paragraph(self._contents.empty_sentence(), "notice")
        yield from self._notices()
        if report.texts:
            yield self._texts()
        if report.texts and report.terms is not None:
            yield self._costs()
        if report.sizing_curve is not None:
            sizing = _paragraph(self._wording.paragraph(self._contents.sizing_sentences(report.sizing_curve)))
            sizing += svg_chart(self._charts["bytes_per_token"]) + self._gains(report.sizing_curve)
            yield _section(self._t(_("Report", "How large should the vocabulary be?")), sizing)
            drawn = self._drawn(*(each.name for each in MEASURES if each.chart and each.name != "bytes_per_token"))
            yield _section(self._t(_("Report", "During training")), drawn)
        lists = [each for each in self._contents.lists(_SHOWN_ENTRIES) if report.has_text or not each.needs_text]
        yield _section(self._t(_("Report", "Vocabulary")), "".join(map(self._list, lists)))
        drawn = self._drawn("lengths", "zipf") if report.has_text else self._drawn("lengths")
        yield _section(self._t(_("Report", "Lengths and frequencies")), drawn)
        yield self._notes()

    def _drawn(self, *charts: str) -> str:
        return f'<div class="charts">{"".join(svg_chart(self._charts[key]) for key in charts)}</div>'

    def _sizes(self) -> str:
        report, number = self._report, self._wording.number
        return self._t(
            _("Report", "entries: {entries} · merges: {merges} · special tokens: {special}"),
            entries=number(len(report.vocabulary)),
            merges=number(len(report.counter.parts.merges)),
            special=number(int(np.count_nonzero(report.counter.parts.special))),
        )

    # -- numbers -----------------------------------------------------------------------------------------------------

    def _tiles(self) -> str:
        report, wording = self._report, self._wording
        total = self._contents.total_row()
        tiles = [
            (self._t(measure.full or measure.title), measure.written(measure.value(total), wording))
            for measure in MEASURES
            if measure.chart
        ]
        never = len(report.vocabulary.never_used) / max(1, len(report.vocabulary))
        tiles.append((self._t(_("Report", "entries never used")), wording.share(never)))
        if len(report.texts) > 1:
            gini = wording.decimal(report.gini_per_byte)
            tiles.append((self._t(_("Report", "Gini coefficient over texts")), gini))
        cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in tiles)
        return f'<dl class="tiles">{cells}</dl>'

    def _notices(self) -> Iterator[str]:
        if unknown := self._contents.unknown_sentence():
            yield _paragraph(unknown, "notice")
        if skipped := self._report.skipped:
            template = _("Report", "Documents that could not be read and are left out: {count}")
            items = "".join(f"<li>{escape(str(each.reason))}</li>" for each in skipped[:_SHOWN_TEXTS])
            summary = escape(self._t(template, count=self._wording.number(len(skipped))))
            yield f'<details class="notice"><summary>{summary}</summary><ul>{items}</ul></details>'

    def _texts(self) -> str:
        report = self._report
        columns = [self._t(_("Report", "text")), *(self._t(measure.title) for measure in MEASURES)]
        rows = [self._row(text) for text in report.texts[:_SHOWN_TEXTS]]
        if len(report.texts) > 1:
            rows.append(self._row(self._contents.total_row(), "total"))
        if (held_out := self._contents.held_out_row()) is not None:
            rows.append(self._row(held_out, "total"))
        more = len(report.texts) - _SHOWN_TEXTS
        left_out = self._more(more) if more > 0 else ""
        gini = self._contents.gini_sentence()
        table = _table(columns, rows) + left_out + (_paragraph(gini) if gini else "")
        return _section(self._t(_("Report", "Texts")), table)

    def _costs(self) -> str:
        table = CostTable(self._report, self._wording)
        columns = [self._t(_("Report", "text")), *(self._t(column.title) for column in table.columns)]
        rows = [_text_row(name, cells) for name, *cells in islice(table.rows(), _SHOWN_TEXTS)]
        notes = _paragraph(self._wording.paragraph(table.notes()))
        return _section(self._t(_("Report", "Price and fairness")), _table(columns, rows) + notes)

    def _row(self, text: TextReport, style: str = "") -> str:
        return _text_row(text.name, (each.written(each.value(text), self._wording) for each in MEASURES), style)

    # -- the size of the vocabulary ----------------------------------------------------------------------------------

    def _gains(self, curve: Curve) -> str:
        columns = [
            self._t(_("Report", "entries")),
            self._t(_("Report", "up to")),
            self._t(_("Report", "bytes per token gained")),
            self._t(_("Report", "tokens saved")),
        ]
        number, share = self._wording.number, self._wording.share
        rows = [
            f"<tr><td>{number(gain.entries)}</td><td>{number(gain.following)}</td><td>{gain.bytes_per_token:+.4f}</td>"
            f"<td>{share(gain.tokens_saved)}</td></tr>"
            for gain in curve.gains
        ]
        summary = escape(self._charts["gain"].title)
        return f"<details><summary>{summary}</summary>{_table(columns, rows)}</details>" if rows else ""

    # -- the vocabulary ----------------------------------------------------------------------------------------------

    def _list(self, entries: EntryList) -> str:
        is_open = entries.key == "longest" and not self._report.has_text
        if entries.key == "duplicates":
            count, shown = len(entries.groups), _SHOWN_GROUPS
            listed = "".join(
                f'<p class="tokens group">{" ".join(map(self._token, group))}</p>' for group in entries.groups[:shown]
            )
        else:
            count, shown = len(entries.entries), _SHOWN_ENTRIES
            listed = f'<p class="tokens">{" ".join(map(self._token, entries.entries[:shown]))}</p>'
        return (
            f"<details{' open' if is_open else ''}><summary>{escape(entries.title)} "
            f"<b>{self._wording.number(count)}</b></summary>{_paragraph(entries.about)}{listed}"
            f"{self._more(count - shown) if count > shown else ''}</details>"
        )

    def _token(self, entry: int) -> str:
        vocabulary = self._report.vocabulary
        label = token_label(vocabulary.tokens[entry][: 4 * _LONGEST_TOKEN])
        shown = label if len(label) <= _LONGEST_TOKEN else label[: _LONGEST_TOKEN - 1] + "…"
        tip = self._t(
            _("Report", "id {id}, length in bytes: {bytes}, occurrences in the text: {count}"),
            id=str(vocabulary.ids[entry]),
            bytes=str(vocabulary.sizes[entry]),
            count=self._wording.number(int(vocabulary.occurrences[entry])),
        )
        return f'<code title="{escape(tip)}"><bdi>{escape(shown)}</bdi></code>'

    def _more(self, count: int) -> str:
        return _paragraph(self._t(_("Report", "… and {count} more"), count=self._wording.number(count)), "quiet")

    # -- notes -------------------------------------------------------------------------------------------------------

    def _notes(self) -> str:
        notes = [
            _(
                "Report",
                "A word is what stands between white space, so it is the same for every tokenizer. In Chinese, "
                "Japanese or Thai, it may be a whole clause, and tokens per word say nothing.",
            ),
            _(
                "Report",
                "Fertility is the number of tokens per word (Rust et al. 2021), without special tokens. A piece is "
                "what the splitter makes (a pre-token); it stays whole if it is a single token.",
            ),
            _("Report", "A single-byte token stands for one byte, whether that is a whole character or not."),
            _(
                "Report",
                "The Rényi efficiency (Zouhar et al. 2023) has the order {order}; entries that never occur are "
                "left out, as in the authors’ tokenization-scorer.",
            ),
            _(
                "Report",
                "The Gini coefficient is 0 if all texts need the same number of tokens per byte, and the nearer to "
                "1, the more unequal these numbers are.",
            ),
            _(
                "Report",
                "The knee is the point farthest above the chord between the ends of the curve, with both axes "
                "scaled to the same length (Kneedle, Satopää et al. 2011).",
            ),
        ]
        items = "".join(f"<li>{escape(self._t(note, order=str(RENYI_ORDER)))}</li>" for note in notes)
        return _section(self._t(_("Report", "How this is measured")), f"<ul>{items}</ul>")


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _paragraph(text: str, style: str = "") -> str:
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def _text_row(name: str, cells: Iterable[str], style: str = "") -> str:
    head = f'<th scope="row"><bdi>{escape(name)}</bdi></th>'
    return f'<tr class="{style}">{head}{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'


def _table(columns: Iterable[str], rows: Iterable[str]) -> str:
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


_STYLE: Final = """
:root{color-scheme:light dark;--window:#f5f5f3;--base:#fff;--text:#1d2023;--quiet:#5f6469;--hairline:#deded9;
--accent:#5a3fc8;--line:#5f7386;--fill:#a9b6c3;--notice:#fdf1dc;--warning:#9a4a00}
@media(prefers-color-scheme:dark){:root{--window:#1c1d1f;--base:#242628;--text:#e6e6e3;--quiet:#a8acb0;
--hairline:#37393c;--accent:#b3a1ff;--line:#8ea3b5;--fill:#566674;--notice:#3b3020;--warning:#f0b063}}
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);
font:15px/1.55 system-ui,"Segoe UI","Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:24px;font-weight:600;margin:0;overflow-wrap:anywhere}
h2{font-size:17px;font-weight:600;margin:0 0 12px}
header p{color:var(--quiet);margin:4px 0 0}
section{background:var(--base);border:1px solid var(--hairline);border-radius:8px;padding:20px 24px;margin-top:20px}
p{margin:0 0 12px}
.quiet{color:var(--quiet)}
.notice{background:var(--notice);color:var(--warning);border-radius:8px;padding:10px 16px;margin:20px 0 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:20px 0 0}
.tiles div{background:var(--base);border:1px solid var(--hairline);border-radius:8px;padding:12px 16px;
display:flex;flex-direction:column-reverse;justify-content:flex-end}
.tiles dt{color:var(--quiet);font-size:13px;line-height:1.35}
.tiles dd{margin:0;font-size:22px;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
th,td{padding:5px 10px;text-align:right;border-bottom:1px solid var(--hairline);white-space:nowrap}
thead th{color:var(--quiet);font-weight:400;font-size:13px;white-space:normal;vertical-align:bottom}
th:first-child,td:first-child{text-align:left;padding-left:0}
tbody th{font-weight:400}
tr.total>*{font-weight:600}
table+p,.wide+p{margin-top:12px}
details{border-top:1px solid var(--hairline);padding:8px 0}
section>details:first-of-type{margin-top:8px}
details.notice{border:0;padding:10px 16px}
summary{cursor:pointer}
summary b{color:var(--quiet);font-weight:400;margin-left:6px}
details p,details .wide{margin-top:8px}
.tokens{line-height:2}
.group{display:inline-block;margin:0 24px 0 0}
code{background:var(--window);border:1px solid var(--hairline);border-radius:4px;padding:1px 5px;white-space:pre;
font:13px ui-monospace,"Cascadia Mono","DejaVu Sans Mono","Noto Sans Mono CJK SC",monospace}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:20px}
figure{margin:0;max-width:760px}
figcaption{font-size:14px;margin-bottom:4px}
svg{width:100%;height:auto;display:block}
svg text{font-size:11px;fill:var(--quiet)}
svg .grid{stroke:var(--hairline)}
svg .tick{stroke:var(--quiet)}
svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
svg .line.first{stroke:var(--line)}
svg .line.second{stroke:var(--accent)}
svg .bar.first{fill:var(--fill)}
svg .bar.second{fill:var(--accent)}
svg .hit{pointer-events:all}
svg .hit:hover{fill:var(--text)}
svg .mark{fill:var(--text)}
svg text.mark{font-size:12px}
.key{color:var(--quiet);margin-left:14px;white-space:nowrap}
.key::before{content:"";display:inline-block;width:14px;height:4px;border-radius:2px;margin-right:5px;
vertical-align:middle;background:var(--line)}
.key.second::before{background:var(--accent)}
ul{margin:0;padding-left:20px}
@media print{body{background:none}section,.tiles div{break-inside:avoid}}
"""
