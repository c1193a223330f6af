"""Tokens per line, the premium and its interval are those of a plain recount; the outputs say the same."""

import csv
import json
from dataclasses import replace
from io import StringIO
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Document, FileDocument, TextDocument, Tokenizer, train
from bpe_gui.engine.reports import Report, ReportText, Terms, csv_files, html_page, json_values, make_report
from bpe_gui.engine.reports.costs import count_lines
from tests.engine.support.strategies import letters, mixed

from .plain import tokenizers

ENGLISH = "The low wall\nthe lower house\nnewest\nlow\n\nthe widest of all roads\n"
GERMAN = "Die niedrige Mauer\r\ndas niedrigere Haus\r\nneueste\r\nniedrig\r\n \r\ndie breiteste aller Straßen"
CHINESE = "矮墙\n更矮的房子\n最新的\n矮\n"


@pytest.fixture(scope="module")
def report() -> Report:
    tokenizer = train(ENGLISH, num_merges=20)
    texts = [
        ReportText(name, [TextDocument(text)]) for name, text in (("en", ENGLISH), ("de", GERMAN), ("zh", CHINESE))
    ]
    return make_report(tokenizer, texts, by_line=True)


def tokens_by_line(tokenizer: Tokenizer, text: str) -> list[int]:
    lines = text.replace("\r\n", "\n").split("\n")
    return [len(tokenizer.encode(line)) for line in lines if line.strip()]


def resampled(tokens: list[int]) -> list[float]:
    """Return the average number of tokens per line in each of 1,000 resamples, as the documentation says."""
    generator = np.random.default_rng([2023, len(tokens)])
    resamples = [generator.integers(len(tokens), size=len(tokens)).tolist() for _ in range(1000)]
    return [sum(tokens[line] for line in lines) / len(lines) for lines in resamples]


@given(tokenizers(), st.lists(st.one_of(letters, mixed, st.sampled_from(["", " ", "\r"])), max_size=8))
def test_lines_are_those_of_a_plain_recount(tokenizer: Tokenizer, lines: list[str]) -> None:
    text = "\n".join(lines)
    counts = count_lines(tokenizer, [TextDocument(text)])
    expected = tokens_by_line(tokenizer.with_unknown_id(-1), text)
    assert (counts.lines, counts.tokens) == (len(expected), sum(expected))


def test_premium_and_interval_are_those_of_a_plain_recount(report: Report) -> None:
    costs = replace(report, terms=Terms(reference=0, price=2.5, context=100)).costs
    tokens = [tokens_by_line(report.tokenizer, text) for text in (ENGLISH, GERMAN, CHINESE)]
    for cost, own, text in zip(costs, tokens, report.texts, strict=True):
        ratios = [one / other for one, other in zip(resampled(own), resampled(tokens[0]), strict=True)]
        assert cost.premium == pytest.approx((sum(own) / len(own)) / (sum(tokens[0]) / len(tokens[0])))
        assert (cost.low, cost.high) == pytest.approx(tuple(np.quantile(ratios, [0.025, 0.975])))
        assert cost.context_share == pytest.approx(text.measures.tokens / 100)
        assert cost.price == pytest.approx(text.measures.tokens * 2.5 / 1_000_000)
    assert [(cost.lines, cost.is_paired) for cost in costs] == [(5, True), (5, True), (4, False)]
    assert (costs[0].premium, costs[0].low, costs[0].high) == (1, 1, 1)
    assert costs[1].low < costs[1].premium < costs[1].high


def test_lines_of_several_files_follow_each_other(tmp_path: Path) -> None:
    documents: list[Document] = []
    for name, text in (("a.txt", "low\nlower"), ("b.jsonl", '{"text": "newest\\nlow"}\n{"text": "low low"}\n')):
        (tmp_path / name).write_text(text)
        documents.append(FileDocument(tmp_path / name))
    tokenizer = train(ENGLISH, num_merges=20)
    tokens = tokens_by_line(tokenizer, "low\nlower\nnewest\nlow\nlow low")
    counts = count_lines(tokenizer, documents)
    assert (counts.lines, counts.resampled.tolist()) == (5, pytest.approx(resampled(tokens)))


def test_a_text_without_lines_has_no_premium() -> None:
    texts = [ReportText("a", [TextDocument("low")]), ReportText("b", [TextDocument("\n \n")])]
    report = make_report(train(ENGLISH, num_merges=3), texts, by_line=True)
    for reference in (0, 1):
        assert isnan(replace(report, terms=Terms(reference)).costs[1 - reference].premium)
    assert "nan" not in html_page(replace(report, terms=Terms(0)))


def test_one_line_has_a_premium_but_no_interval() -> None:
    texts = [ReportText(name, [TextDocument(text)]) for name, text in (("en", "low wall"), ("de", "niedrige Mauer"))]
    report = make_report(train(ENGLISH, num_merges=20), texts, by_line=True)
    cost = replace(report, terms=Terms(reference=0)).costs[1]
    assert cost.premium > 0
    assert isnan(cost.low)
    assert isnan(cost.high)


def test_the_outputs_say_what_texts_cost(report: Report) -> None:
    assert "costs.csv" not in csv_files(report)
    assert json_values(report)["costs"] is None
    assert "Price and fairness" not in html_page(report)
    report = replace(report, terms=Terms(reference=0, price=2.5))
    costs = report.costs
    rows = list(csv.DictReader(StringIO(csv_files(report)["costs.csv"][1:])))
    assert [(row["text"], float(row["premium"]), float(row["low"])) for row in rows] == [
        (text.name, cost.premium, cost.low) for text, cost in zip(report.texts, costs, strict=True)
    ]
    values = json.loads(json.dumps(json_values(report), allow_nan=False))["costs"]
    assert (values["reference"], values["context"], values["resamples"]) == ("en", 128_000, 1_000)
    assert [text["high"] for text in values["texts"]] == [cost.high for cost in costs]
    page = html_page(report)
    for shown in (
        f"{costs[1].low:.3f}–{costs[1].high:.3f}",
        "in pairs",
        "separately",
        "NeurIPS 2023",
        "128,000 tokens",
    ):
        assert shown in page
    priced = html_page(replace(report, terms=Terms(price=2.5)))
    assert "95% interval" not in priced and f"{costs[1].price:.6f}" in priced


def test_the_most_used_entries_are_listed(report: Report) -> None:
    used = report.vocabulary.most_used(3)
    occurrences = report.vocabulary.occurrences
    assert occurrences[used].tolist() == sorted(occurrences.tolist(), reverse=True)[:3]
