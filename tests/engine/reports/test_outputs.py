"""The page, the tables and the JSON say what the report says, and the page needs nothing but itself."""

import csv
import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from io import StringIO
from math import log10, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import FileDocument, TextDocument, train
from bpe_gui.engine.reports.charts import linear_axis, log_axis, svg_chart
from bpe_gui.engine.reports.contents import Chart, Contents, Mark, Series
from bpe_gui.engine.reports.page import html_page
from bpe_gui.engine.reports.report import Report, ReportText, make_report
from bpe_gui.engine.reports.tables import csv_files, json_values

CORPUS = "low low low lower lower widest widest newest LOW"
VOID = {"meta", "br"}


@pytest.fixture(scope="module")
def report() -> Report:
    tokenizer = train(CORPUS, num_merges=12, special_tokens=["<|e|>"])
    texts = [ReportText("<a>.txt", [TextDocument(CORPUS)]), ReportText("=b", [TextDocument("newest<|e|>你")])]
    return make_report(tokenizer, texts, ReportText("held", [TextDocument("lowest")]), name="my & <tokenizer>")


class Checker(HTMLParser):
    """Checks that tags are closed in order, and collects tags, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_is_well_formed_and_needs_no_other_file(report: Report) -> None:
    page = html_page(report)
    checker = Checker(page)
    assert not {"script", "link", "img", "iframe"} & set(checker.tags)
    assert not any(name in ("src", "href", "onload") for name, _value in checker.attributes)
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme:dark" in page
    assert ("lang", "en") in checker.attributes
    assert checker.tags.count("svg") == 7
    assert page.count("<svg") == page.count('role="img"><title>') == page.count("<desc>")


def test_the_page_has_the_numbers_and_the_names(report: Report) -> None:
    texts = Checker(html_page(report)).texts
    measures = report.total.measures
    for shown in (
        "Tokenizer report · my & <tokenizer>",
        "<a>.txt",
        f"{measures.bytes_per_token:.3f}",
        f"{measures.fertility:.3f}",
        f"{measures.whole_piece_share:.1%}",
        f"{measures.single_byte_share:.1%}",
        f"{measures.renyi_efficiency:.3f}",
        f"{len(report.vocabulary.never_used):,}",
        "held out: held",
        "·low",
    ):
        assert shown in texts
    assert "All texts: from " in html_page(report) and "Held-out text: from " in html_page(report)


def test_every_text_of_the_page_can_be_translated(report: Report) -> None:
    texts = Checker(html_page(report, lambda text: "Æ" + text, "zh-CN")).texts
    own = {"<a>.txt", "=b"}
    plain = [text for text in texts if re.search("[A-Za-z]{3}", text) and "Æ" not in text and text not in own]
    tokens = {unescape(text) for text in re.findall(r"<bdi>([^<]*)</bdi>", html_page(report))}
    assert [text for text in plain if text not in tokens and not text.startswith(":root") and "{" not in text] == []


def test_a_report_without_text_is_about_the_vocabulary() -> None:
    page = html_page(make_report(train(CORPUS, num_merges=3)))
    Checker(page)
    assert "Longest" in page
    assert "Never used" not in page
    assert page.count("<svg") == 1


def test_an_empty_text_is_said_to_be_empty() -> None:
    page = html_page(make_report(train(CORPUS, num_merges=3), [ReportText("a", [TextDocument("")])]))
    Checker(page)
    assert "The text is empty" in page
    assert "nan" not in page


def test_what_could_not_be_encoded_or_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    tokenizer = train("low", recipe="cs336-toy", num_merges=1)
    text = ReportText("a", [TextDocument("你好"), FileDocument(tmp_path / "bad.txt")], skips_unreadable=True)
    page = html_page(make_report(tokenizer, [text]))
    Checker(page)
    assert "2 tokens (100.0%) stand for symbols that have no id" in page
    assert "bad.txt is not valid UTF-8" in page


def rows_of(table: str) -> list[dict[str, str]]:
    assert table.startswith("\ufeff")
    return list(csv.DictReader(StringIO(table[1:])))


def test_tables_for_spreadsheets(report: Report) -> None:
    files = {name: rows_of(table) for name, table in csv_files(report).items()}
    assert [(row["text"], row["kind"]) for row in files["texts.csv"]] == [
        ("<a>.txt", "text"),
        ("'=b", "text"),
        ("total", "total"),
        ("held", "held-out"),
    ]
    total = files["texts.csv"][2]
    assert int(total["tokens"]) == report.total.tokens
    assert float(total["fertility"]) == report.total.measures.fertility
    curve = [row for row in files["curve.csv"] if row["text"] == "total"]
    assert report.curve is not None
    assert [int(row["tokens"]) for row in curve] == report.curve.tokens.tolist()
    assert [float(row["bytes_per_token"]) for row in curve] == report.curve.bytes_per_token.tolist()
    entries = files["entries.csv"]
    assert [int(row["occurrences"]) for row in entries] == report.vocabulary.occurrences.tolist()
    assert sum(int(row["never used"]) for row in entries) == len(report.vocabulary.never_used)
    assert [bytes.fromhex(row["hex"][2:]) for row in entries] == report.vocabulary.tokens
    assert len({row["duplicates"] for row in entries} - {""}) == len(report.vocabulary.duplicates)


def test_json_has_no_number_that_json_lacks(report: Report) -> None:
    values = json.loads(json.dumps(json_values(report), allow_nan=False))
    assert values["total"]["tokens"] == report.total.tokens
    assert values["curve"]["tokens"][-1] == report.total.tokens
    assert values["held_out"]["curve"]["entries"] == report.held_out_curve.entries.tolist()  # type: ignore[union-attr]
    assert len(values["vocabulary"]["never_used"]) == len(report.vocabulary.never_used)
    empty = make_report(train(CORPUS, num_merges=3), [ReportText("a", [TextDocument("")])])
    assert json.loads(json.dumps(json_values(empty), allow_nan=False))["total"]["fertility"] is None


numbers = st.floats(-1e9, 1e9, allow_nan=False, allow_infinity=False)


@given(numbers, numbers)
def test_linear_axes_span_their_values_with_few_even_ticks(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    ticks, place = linear_axis(low, high)
    assert 2 <= len(ticks) <= 9
    if high - low > 1e-3:
        assert -1e-6 <= place(low) <= place(high) <= 1 + 1e-6
        assert place(ticks[0]) == pytest.approx(0, abs=1e-6)
        assert place(ticks[-1]) == pytest.approx(1, abs=1e-6)


@given(st.floats(1e-6, 1e9), st.floats(1e-6, 1e9))
def test_logarithmic_axes_have_powers_of_ten(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    ticks, place = log_axis(low, high)
    assert all(log10(tick) == pytest.approx(round(log10(tick))) for tick in ticks)
    assert -1e-6 <= place(low) <= place(high) <= 1 + 1e-6


def chart_of(points: list[float], *values: list[float], has_bars: bool = False) -> Chart:
    series = [Series(f"s{number}", np.array(each, np.float64)) for number, each in enumerate(values)]
    return Chart("k", "a <b>", "x", "y", np.array(points), series, str, "c & d", has_bars=has_bars)


def test_charts_leave_out_what_is_not_known() -> None:
    drawn = svg_chart(chart_of([1, 2, 3], [nan, 5, 6]))
    Checker(drawn)
    assert drawn.count('class="hit"') == 2
    assert "nan" not in drawn
    assert svg_chart(chart_of([1], [nan])) == ""
    assert svg_chart(chart_of([], [], has_bars=True)) == ""
    Checker(svg_chart(chart_of([1, 2], [0, 0], [1, 2], has_bars=True)))


def test_words_are_not_called_as_the_words_of_a_corpus_are(report: Report) -> None:
    page = Checker(html_page(report)).texts
    assert "words" not in page
    assert "words between spaces" in page and "tokens per word between spaces (fertility)" in page
    (chart,) = (chart for chart in Contents(report).charts() if chart.key == "fertility")
    assert chart.y_label == "tokens per word between spaces"
    assert "words" in csv_files(report)["texts.csv"].splitlines()[0].split(",")


def test_a_marked_point_has_its_label() -> None:
    chart = replace(chart_of([1, 2, 3], [4, 5, 6]), marks=[Mark(1, "enough & <more>")])
    (place,) = re.findall('<circle class="mark" (cx="[^"]*" cy="[^"]*")', svg_chart(chart))
    assert f'class="hit" fill="none" {place}' in svg_chart(chart)
    assert "enough & <more>" in Checker(svg_chart(chart)).texts


def test_a_point_of_a_chart_says_its_values_in_words(report: Report) -> None:
    charts = {chart.key: chart for chart in Contents(report).charts()}
    curve, held_out = report.curve, report.held_out_curve
    assert curve is not None and held_out is not None
    ratios = f"all texts {curve.bytes_per_token[-1]:.3f}, held out {held_out.bytes_per_token[-1]:.3f} bytes per token"
    assert charts["bytes_per_token"].words(len(curve) - 1) == f"{curve.entries[-1]} entries (step 12): {ratios}"
    assert charts["lengths"].words(0).startswith("1 byte: 9")
    assert charts["zipf"].words(0) == f"rank 1, occurrences in the texts: {report.vocabulary.zipf[0]}"
    rows = list(csv.reader(StringIO(charts["whole_piece_share"].as_csv())))
    assert rows[0] == ["entries of the vocabulary", "all texts", "held out"]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx((100 * curve.whole_piece_share).tolist())


def test_the_chart_of_gains_says_what_each_interval_saved() -> None:
    text = "the quick brown fox jumps over the lazy dog. " * 30
    report = make_report(train(text, num_merges=23), [ReportText("a", [TextDocument(text)])])
    curve = report.curve
    assert curve is not None and curve.gain_size == 2
    (chart,) = (chart for chart in Contents(report).charts() if chart.key == "gain")
    assert chart.title == "Marginal gain per 2 entries"
    first, last = curve.gains[0], curve.gains[-1]
    saved, ratio = f"{first.tokens_saved:.1%} of the tokens saved", f"{first.bytes_per_token:.3f} more bytes per token"
    assert chart.words(0) == f"From 256 to 258 entries (2 more): {saved}, {ratio}"
    assert chart.words(len(chart.points) - 1).startswith("From 278 to 279 entries (1 more): ")
    rows = list(csv.reader(StringIO(chart.as_csv())))
    assert rows[0] == ["from", "entries of the vocabulary", "% of the tokens saved"]
    assert rows[1] == ["256", "258", repr(100 * first.tokens_saved)]
    assert rows[-1] == ["278", "279", repr(100 * last.tokens_saved)]
    table = csv_files(report)["gains.csv"].splitlines()
    assert table[0] == "\ufefftext,entries,following,more bytes_per_token,share of tokens saved"
    assert table[1].startswith("total,256,258,")
    assert "bytes per token gained" in Checker(html_page(report)).texts
    values = json_values(report)["curve"]["gains"]
    assert (values[0]["entries"], values[0]["following"]) == (256, 258)
    assert values[0]["tokens_saved"] == first.tokens_saved
