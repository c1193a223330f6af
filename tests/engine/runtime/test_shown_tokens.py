"""Tokens that a notebook or a terminal shows: the whole text, each token once, and nothing a page could misread."""

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Corpus, Encoding, TextDocument, Tokenizer, Trainer, compare, train
from bpe_gui.engine.audits import KINDS, audit
from bpe_gui.engine.reports import MEASURES, ReportText, make_report
from bpe_gui.engine.reports import report as report_module
from bpe_gui.engine.runtime import shown_tokens
from bpe_gui.engine.runtime.shown_tokens import tokens_in_html, tokens_in_terminal

TEXTS = st.text(st.sampled_from("ab <&'\"\n你é😀"), max_size=20)
TOKENIZER = train("ab <b> 你 " * 5, num_merges=6)
WORDS = train("ab ba", recipe="char-eow", num_merges=2).with_unknown_id(0)


@given(TEXTS)
def test_a_notebook_shows_the_text_and_each_token_once(text: str) -> None:
    encoding = TOKENIZER.encoding(text)
    html = encoding._repr_html_()
    assert re.findall(r"title='(\d+)'", html) == [str(i) for i in encoding.ids]
    assert html.count("<span") == html.count("</span>") == len(encoding.ids)
    if all(text.encode()[a:b].decode(errors="ignore").encode() == text.encode()[a:b] for a, b in encoding.byte_spans):
        shown = re.sub(r"<[^>]*>", "", html.partition("<div>")[0])
        assert unescape(shown) == text.replace("\n", "↵\n")


@given(TEXTS)
def test_a_terminal_shows_the_text(text: str) -> None:
    for tokenizer in (TOKENIZER, WORDS):
        spans = tokenizer.encoding(text).byte_spans
        colored = tokens_in_terminal(text, spans, has_color=True)
        plain = tokens_in_terminal(text, spans, has_color=False)
        if all(text.encode()[a:b].decode(errors="ignore").encode() == text.encode()[a:b] for a, b in spans):
            assert re.sub("\x1b\\[[0-9;]*m|↵", "", colored) == plain.replace("|", "") == text
        assert colored.count("\x1b[0m") == len(spans) + colored.count("↵")


def test_the_end_of_a_long_text_is_counted_only() -> None:
    size = shown_tokens._MOST_SHOWN
    html = tokens_in_html("a" * (size + 5), [(i, i + 1) for i in range(size + 5)], [7] * (size + 5))
    assert html.count("<span") == size
    assert "… 5 more tokens" in html and "10,005 tokens" in html


def test_a_trainer_shows_its_last_merges() -> None:
    trainer = Trainer(Corpus.from_text("low low <b> <b>").count("cs336-toy"), "cs336-toy")
    trainer.seek(3)
    html = trainer._repr_html_()
    assert html.count("<tr>") == 4
    assert "&lt;" in html or "ow" in html
    assert Encoding([], [])._repr_html_().endswith("<div>0 tokens</div>")
    assert Tokenizer({}, [])._repr_html_().startswith("<table>")


HOSTILE = "<script>alert('x')</script>\N{RIGHT-TO-LEFT OVERRIDE}low\N{RIGHT-TO-LEFT ISOLATE}'\"&\0\x1b\u200f lower"


def check_harmless(html: str) -> None:
    """Check that no text becomes a tag or reorders the page, and that colours suit dark and light pages."""
    assert set(re.findall(r"<(\w+)", html)) <= {"table", "tr", "th", "td", "div", "pre", "span"}
    assert re.sub(r"<(div|pre|span|th|table|tr|td)( style='[^'<>]*')?( title='\d+')?>|</\w+>", "", html).count("<") == 0
    assert not re.search("[\0\x1b\u200f\u202e]", html)
    assert "\u2067" not in html.partition("<pre")[2]  # a cell of a table is a paragraph, beyond which it does nothing
    assert not re.search(r"[;'](color|background):(?!rgba\([\d,]+,\.4\))", html)  # else unreadable if dark or light


def test_hostile_text_is_shown_as_text() -> None:
    few, many = (train(HOSTILE * 3, num_merges=n, special_tokens=["<b>\N{RIGHT-TO-LEFT OVERRIDE}"]) for n in (2, 9))
    report = make_report(many, [ReportText(HOSTILE, [TextDocument(HOSTILE)])])
    trainer = Trainer(Corpus.from_text(HOSTILE * 3).count("cs336-toy"), "cs336-toy")
    trainer.seek(9)
    shown = (many, many.encoding(HOSTILE), trainer, compare([few, many], HOSTILE), audit(many), report)
    for value in shown:
        check_harmless(value._repr_html_())
    whole = tokens_in_html(HOSTILE, [(0, len(HOSTILE.encode()))], [1])
    check_harmless(whole)
    for html in (whole, report._repr_html_()):
        assert "\\u202elow" in html


@given(TEXTS)
def test_a_comparison_shows_all_tokens_and_underlines_those_in_differing_spans(text: str) -> None:
    comparison = compare([TOKENIZER, TOKENIZER.at(2), WORDS], text)
    html = comparison._repr_html_()
    assert [int(i) for i in re.findall(r"title='(\d+)'", html)] == [i for t in comparison.texts for i in t.tokens.ids]
    differing = [
        (start, stop)
        for index in comparison.aligned
        for begin, end in comparison.differences or ()
        for _id, start, stop in zip(*comparison.texts[index].tokens_in(begin, end), strict=True)
        if start < stop
    ]
    assert html.count("border-bottom") >= len(differing)
    same = compare([TOKENIZER, TOKENIZER], text)
    assert "border-bottom" not in same._repr_html_()


def test_the_end_of_a_long_comparison_is_counted_only() -> None:
    html = compare([TOKENIZER, TOKENIZER.at(0)], "你" * 10_000)._repr_html_()
    assert html.endswith(f"<div>… {30_000 - 16_383:,} more bytes</div>")
    assert "<td>30,000</td>" in html


def test_an_audit_shows_its_counts_and_first_findings() -> None:
    audited = audit(Tokenizer({**{i: bytes([i]) for i in range(256)}, 256: b"<low>"}, []))
    html = audited._repr_html_()
    for kind, count in audited.counts.items():
        assert f"{KINDS[kind].title}</th><td>{count:,}</td>" in html
    assert html.count("<tr>") == len(audited.counts) + 12
    assert f"… {len(audited.findings) - 10:,} more findings" in html
    assert audit(Tokenizer({}, []))._repr_html_().startswith("<table>")


def test_a_report_shows_the_measures_that_people_read() -> None:
    text = ReportText("a", [TextDocument("low <b>")])
    html = make_report(TOKENIZER, [text, text], text)._repr_html_()
    assert html.count("<tr>") == 5
    assert tuple(measure.name for measure in MEASURES[1:]) == report_module._SHOWN
    assert "<td>7</td>" in html
    assert "–" in make_report(TOKENIZER)._repr_html_()
