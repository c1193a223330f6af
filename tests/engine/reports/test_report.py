"""A whole report: its rows add up, its curves are those of its texts, and it can be ended without a trace."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import CorpusError, FileDocument, TextDocument, Tokenizer, UndecodableFileError, train
from bpe_gui.engine.reports.contents import Contents
from bpe_gui.engine.reports.counting import gini_coefficient
from bpe_gui.engine.reports.report import Report, ReportText, make_report, texts_by_folder
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, letters, mixed

from .plain import PlainCounts, tokenizers
from .test_curve import check

texts = st.lists(st.lists(st.one_of(letters, mixed, corpora), min_size=1, max_size=3), max_size=3)


def report_of(tokenizer: Tokenizer, groups: list[list[str]]) -> Report:
    sources = [ReportText(str(number), [*map(TextDocument, group)]) for number, group in enumerate(groups)]
    return make_report(tokenizer, sources)


@given(tokenizers(), texts)
def test_rows_add_up_and_the_curve_is_that_of_all_texts(tokenizer: Tokenizer, groups: list[list[str]]) -> None:
    report = report_of(tokenizer, groups)
    plain = [PlainCounts(tokenizer, group) for group in groups]
    assert [(row.documents, row.measures.tokens) for row in report.texts] == [
        (len(group), counts.tokens) for group, counts in zip(groups, plain, strict=True)
    ]
    assert report.total.tokens == sum(counts.tokens for counts in plain)
    assert report.has_text == (report.total.tokens > 0)
    costs = [counts.tokens / counts.bytes for counts in plain if counts.bytes]
    assert report.gini_per_byte == pytest.approx(gini_coefficient(costs), nan_ok=True)
    assert report.gini_of_tokens == pytest.approx(gini_coefficient([counts.tokens for counts in plain]), nan_ok=True)
    if report.curve is None:
        assert not report.has_text
    else:
        check(report.curve, tokenizer, [text for group in groups for text in group])


@given(tokenizers(), texts, corpora, st.data())
def test_curves_can_go_on_to_the_last_step(
    tokenizer: Tokenizer, groups: list[list[str]], held_out: str, data: st.DataObject
) -> None:
    at_step = tokenizer.at(data.draw(st.integers(0, len(tokenizer.merges))))
    report = make_report(
        at_step,
        [ReportText(str(number), [*map(TextDocument, group)]) for number, group in enumerate(groups)],
        ReportText("held out", [TextDocument(held_out)]),
        to_last=True,
    )
    plain = [PlainCounts(at_step, group) for group in groups]
    assert [row.measures.tokens for row in report.texts] == [counts.tokens for counts in plain]
    assert len(report.vocabulary) == len(at_step.vocab)
    for curve, documents in (
        (report.curve, [text for group in groups for text in group]),
        (report.held_out_curve, [held_out]),
    ):
        if curve is not None:
            assert curve.steps[-1] == tokenizer.store.merge_count
            check(curve, tokenizer, documents)


def test_the_step_is_marked_on_curves_that_go_on() -> None:
    text = "low low low lower lower widest widest newest LOW"
    tokenizer = train(text * 40 + " ".join(map(str, range(2_000))), num_merges=500)
    texts, points = [ReportText("a", [TextDocument(text)])], 50
    for step, to_last in ((3, True), (123, True), (500, True), (123, False)):
        report = make_report(tokenizer.at(step), texts, points=points, to_last=to_last)
        assert report.curve is not None and len(report.curve) <= points + 1
        marks = {
            mark.label: (chart.points[mark.point], report.curve.steps[mark.point])
            for chart in Contents(report).charts()
            if chart.key in ("bytes_per_token", "fertility")
            for mark in chart.marks
        }
        if step == 500 or not to_last:
            assert set(marks) <= {"knee"}
        else:
            assert marks["this step"] == (256 + step, step), "it is a point of the curve"
            assert report.curve.knee == make_report(tokenizer, texts, points=points).curve.knee  # type: ignore[union-attr]


@given(tokenizers(), corpora, corpora)
def test_words_that_were_counted_give_the_same_report(tokenizer: Tokenizer, corpus: str, held_out: str) -> None:
    recipe = tokenizer.recipe.with_changes(special_text="apart")
    words = counted(corpus, recipe, tuple(tokenizer.special_tokens))
    report = make_report(
        tokenizer, [ReportText("corpus", words=words)], ReportText("held out", [TextDocument(held_out)])
    )
    plain = PlainCounts(tokenizer, [corpus])
    assert report.total.tokens == plain.tokens - plain.special
    assert report.total.whole_pieces == plain.whole_pieces
    if PlainCounts(tokenizer, [held_out]).tokens:
        assert report.held_out_curve is not None
        assert report.sizing_curve is (report.held_out_curve if len(report.held_out_curve) > 1 else None)
        check(report.held_out_curve, tokenizer, [held_out])


def test_without_merges_no_curve_is_drawn() -> None:
    report = report_of(train("low low", recipe="cs336-toy", num_merges=0), [["low lower"]])
    assert report.has_text
    assert report.sizing_curve is None
    assert [len(chart.points) for chart in Contents(report).charts() if chart.key == "bytes_per_token"] == [0]


def test_a_folder_is_reported_by_language(tmp_path: Path) -> None:
    for name, text in (("de/a.txt", "tief"), ("de/b.txt", "tiefer"), ("zh/a.txt", "低"), ("c.txt", "low")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    documents = [FileDocument(path) for path in sorted(tmp_path.rglob("*.txt"))]
    report = make_report(train("low", num_merges=1), texts_by_folder(tmp_path, documents))
    assert [(row.name, row.documents, row.measures.bytes) for row in report.texts] == [
        ("c.txt", 1, 3),
        ("de", 2, 10),
        ("zh", 1, 3),
    ]


def test_documents_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_bytes(b"low")
    (tmp_path / "bad.txt").write_bytes(b"low\xff")
    documents = [FileDocument(tmp_path / name) for name in ("bad.txt", "good.txt")]
    tokenizer = train("low", num_merges=1)
    report = make_report(tokenizer, [ReportText("both", documents, skips_unreadable=True)])
    assert (report.texts[0].documents, report.total.bytes) == (1, 3)
    assert [Path(each.name).name for each in report.skipped] == ["bad.txt"]
    assert isinstance(report.skipped[0].reason, UndecodableFileError)
    with pytest.raises(UndecodableFileError):
        make_report(tokenizer, [ReportText("both", documents)])


def test_a_folder_of_which_nothing_can_be_read_has_no_row(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff")
    sources = texts_by_folder(tmp_path, [FileDocument(tmp_path / "bad.txt")])
    report = make_report(train("low", num_merges=1), sources)
    assert (report.texts, len(report.skipped), report.curve) == ((), 1, None)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        make_report(train("low", num_merges=1), [ReportText("a", [FileDocument(tmp_path / "missing")])])


def test_progress_goes_from_nothing_to_everything_over_thousands_of_documents() -> None:
    sources = [ReportText(str(number), [TextDocument("low lower")]) for number in range(500)]
    calls: list[tuple[int, int]] = []
    report = make_report(train("low", num_merges=1), sources, progress=lambda *call: calls.append(call))
    assert len(report.texts) == 500
    done = [done for done, _total in calls]
    assert done == sorted(done)
    assert calls[-1] == (4_500, 4_500)
    assert len(set(done)) >= 500


def test_a_report_that_is_cancelled_half_way_can_be_made_again() -> None:
    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        if 2 * done >= total:
            raise Cancelled

    tokenizer = train("low low lower", num_merges=3)
    sources = [ReportText(str(number), [TextDocument("low lower")]) for number in range(4)]
    with pytest.raises(Cancelled):
        make_report(tokenizer, sources, progress=cancel)
    assert make_report(tokenizer, sources).total.tokens == 16
