"""The texts that are measured, and what the window says of them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Plan, Progress, Recipe, TextDocument
from bpe_gui.engine.reports import Contents, ReportText, make_report
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.reports import report_maker
from bpe_gui.gui.wording.phrases import decimal
from tests.gui.support.widgets import child

from .support import Stage, choose_files, make_session

OpenReport = Callable[[Session], Stage]


def test_it_measures_each_document_of_the_corpus_and_all_of_them(open_report: OpenReport) -> None:
    session = make_session("low lower lowest", "newest widest")
    stage = open_report(session)
    assert session.cursor.tokenizer is not None
    texts = [ReportText("a", [TextDocument("low lower lowest")]), ReportText("b", [TextDocument("newest widest")])]
    expected = make_report(session.cursor.tokenizer, texts)
    rows = stage.rows("reportNumbers")
    assert [row[0] for row in rows] == ["All texts", "text 0", "text 1"]
    for row, text in zip(rows, [Contents(expected).total_row(), *expected.texts], strict=True):
        assert row[1:] == [measure.written(measure.value(text)) for measure in Contents.measures]
    assert f"Gini coefficient over the texts: {decimal(expected.gini_per_byte)}" in stage.label("reportFacts")


def test_it_measures_the_text_to_encode_as_of_the_step(open_report: OpenReport) -> None:
    session = make_session(text="low lower")
    stage = open_report(session)
    stage.choose("reportTextChoice", "Text to encode")
    assert stage.rows("reportNumbers")[0][2] == "9"
    tokens = stage.report.total.tokens
    session.cursor.seek(0)
    assert "another step" in stage.why_outdated
    session.cursor.seek(8)
    assert "another step" not in stage.why_outdated
    session.cursor.seek(0)
    stage.press("reportButton")
    assert "another step" not in stage.why_outdated
    assert stage.report.total.tokens == 9 > tokens
    assert "have changed" not in stage.why_outdated
    session.text.set_content("newest")
    assert "These texts have changed since they were measured." in stage.why_outdated
    stage.press("reportButton")
    assert "have changed" not in stage.why_outdated


def test_a_folder_is_measured_by_its_folders_and_files_by_themselves(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("de/a.txt", "low"), ("de/b.txt", "lower"), ("en/a.txt", "newest"), ("c.txt", "wide")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    stage = open_report(make_session())
    choose_files(monkeypatch, [tmp_path])
    stage.choose("reportTextChoice", "Folder")
    rows = stage.rows("reportNumbers")
    assert [(row[0], row[1]) for row in rows] == [
        ("All texts", "4"),
        ("c.txt", "1"),
        ("de", "2"),
        ("en", "1"),
    ]
    choose_files(monkeypatch, [tmp_path / "de" / "a.txt", tmp_path / "c.txt"])
    stage.choose("reportTextChoice", tmp_path.name)  # the chosen folder has its name in the box
    stage.choose("reportTextChoice", "Files")
    assert [row[0] for row in stage.rows("reportNumbers")] == ["All texts", "a.txt", "c.txt"]
    choose_files(monkeypatch, [])
    stage.choose("reportTextChoice", "Folder")  # and cancel
    assert [row[0] for row in stage.rows("reportNumbers")] == ["All texts", "a.txt", "c.txt"]


def test_held_out_text_has_a_row_and_tells_the_size(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session(step=30))
    assert stage.label("reportAnswer").startswith("Measured on the texts above.")
    stage.choose("reportTokenList", "Never used")
    unused, symbols = re.findall(r"\d+", stage.label("reportTokensAbout"))[:2]
    assert len(stage.report.vocabulary.never_used) == int(unused) == len(stage.rows("reportTokens"))
    assert sum(row[3] == "alphabet" for row in stage.rows("reportTokens")) == int(symbols)
    (tmp_path / "other.txt").write_text("low low lower " * 9)
    choose_files(monkeypatch, [tmp_path / "other.txt"])
    stage.choose("reportHeldOut", "Files")
    assert [row[0] for row in stage.rows("reportNumbers")] == ["Held out: other.txt", "text 0"]
    assert stage.label("reportAnswer").startswith("Measured on held-out text")
    curve = stage.report.held_out_curve
    assert curve is not None and curve.knee is not None
    assert f"knee of the curve so far is at {curve.knee.entries} entries" in stage.label("reportAnswer")
    use = child(stage.window, QPushButton, "reportUseKnee")
    assert use.text() == f"Use this size: {curve.knee.entries} (knee so far)"
    use.click()
    assert stage.session.corpus.vocab_size == curve.knee.entries
    assert str(curve.knee.entries) in stage.label("reportMessage")
    assert stage.session.cursor.position == curve.knee.step
    stage.session.undo()
    stage.session.cursor.seek(30)
    assert stage.session.corpus.vocab_size == 300
    (tmp_path / "other.txt").write_text("low low lower")
    stage.press("reportButton")
    too_little = "Too little text to tell (tokens: 3, entries that training added: 24)."
    assert stage.label("reportAnswer") == f"Measured on held-out text, which was not trained on. {too_little}"


def test_a_tenth_of_the_corpus_is_held_out_in_one_choice(open_report: OpenReport) -> None:
    session = make_session("low lower lowest newest " * 30, "widest newer\n" * 20, step=30)
    before = session.corpus.documents
    stage = open_report(session)
    stage.choose("reportHeldOut", "10%")
    stage.bot.waitUntil(lambda: not stage.reporting.maker.busy and stage.report.held_out is not None)
    assert stage.label("reportAnswer").startswith("Measured on held-out text")
    held_out = stage.report.held_out
    assert held_out is not None
    sizes = [document.content.size() for document in before]
    assert sum(sizes) / 12 < held_out.measures.bytes < sum(sizes) / 8
    assert stage.report.total.measures.bytes + held_out.measures.bytes == sum(sizes)
    assert "Undo puts it back" in stage.label("reportFacts")
    session.undo()
    assert session.corpus.documents == before
    stage.settle()
    assert child(stage.window, QComboBox, "reportHeldOut").currentText() == "None"


def test_a_branch_is_measured_under_its_name(open_report: OpenReport, qtbot: QtBot) -> None:
    session = make_session()
    session.branch_off("mine", session.corpus.recipe, Plan(), 3)
    qtbot.waitUntil(lambda: session.branches.current.name == "mine")
    assert open_report(session).label("reportFacts").startswith("mine, step 3: ")


def test_the_curve_is_that_of_the_whole_run_at_any_step(open_report: OpenReport) -> None:
    stage = open_report(make_session(step=12))
    whole = stage.report.curve
    assert whole is not None and whole.steps[-1] == 12
    stage.session.cursor.seek(5)
    stage.press("reportButton")
    curve = stage.report.curve
    assert curve is not None
    assert (curve.knee, curve.tokens.tolist()) == (whole.knee, whole.tokens.tolist())
    assert stage.report.total.tokens == whole.tokens[5]


def test_the_groups_of_doubled_tokens_are_told_apart(open_report: OpenReport) -> None:
    stage = open_report(make_session("low low Low", "the the The", step=12))
    stage.choose("reportTokenList", "Duplicates")
    model = child(stage.window, Table, "reportTokens").model()
    sizes = [len(group) for group in stage.report.vocabulary.duplicates]
    assert len(sizes) > 1
    bands = [model.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) is not None for row in range(model.rowCount())]
    assert bands == [number % 2 == 1 for number, size in enumerate(sizes) for _entry in range(size)]
    stage.choose("reportTokenList", "Longest")
    assert model.index(0, 0).data(Qt.ItemDataRole.BackgroundRole) is None


def test_a_click_on_a_token_selects_it_in_every_panel(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    stage.choose("reportTokenList", "Scaffolds")
    table = child(stage.window, Table, "reportTokens")
    assert table.model().rowCount() == len(stage.report.vocabulary.scaffolds) > 0
    table.clicked.emit(table.model().index(0, 1))
    first = int(stage.rows("reportTokens")[0][0])
    assert stage.session.selection.token == stage.report.tokenizer.token(first)


def test_the_lists_begin_with_learned_tokens(open_report: OpenReport) -> None:
    stage = open_report(make_session("low lower lowest newest " + "".join(map(chr, range(32, 127)))))
    assert child(stage.window, QComboBox, "reportTokenList").currentText() == "Longest"
    assert stage.rows("reportTokens")[0][3] != "alphabet"
    for title in ("Never used", "Scaffolds", "Nearly dead"):
        stage.choose("reportTokenList", title)
        is_learned = [row[3] != "alphabet" for row in stage.rows("reportTokens")]
        assert any(is_learned) and is_learned == sorted(is_learned, reverse=True), title


@pytest.mark.parametrize(
    ("title", "name"),
    [("Never", "never_used"), ("Longest", ""), ("Nearly", ""), ("Duplicates", ""), ("Partial", "partial_characters")],
)
def test_every_list_of_tokens_can_be_chosen(open_report: OpenReport, title: str, name: str) -> None:
    stage = open_report(make_session("Low low low lower é è newest"))
    stage.choose("reportTokenList", title)
    rows = stage.rows("reportTokens")
    assert rows
    if name:
        assert sorted(int(row[0]) for row in rows) == [
            stage.report.vocabulary.ids[entry] for entry in getattr(stage.report.vocabulary, name)
        ]
    assert child(stage.window, Table, "reportTokens").currentIndex() == QModelIndex()


# -- bad input ---------------------------------------------------------------------------------------------------------


def test_an_empty_text_has_nothing_to_measure(open_report: OpenReport) -> None:
    stage = open_report(make_session(text=""))
    stage.choose("reportTextChoice", "Text to encode")
    assert stage.label("reportMessage") == "The text is empty, so there is nothing to measure."
    assert "Without text" in stage.label("prunePreview")
    assert stage.label("reportChartWords") == "Without text, there is nothing to draw."


def test_without_a_tokenizer_it_says_what_to_do(open_report: OpenReport) -> None:
    session = Session()
    session.load([], Recipe.of("cs336"), (), 300, LiveText(""))
    stage = open_report(session)
    assert "Type or open a corpus" in stage.label("reportMessage")


def test_symbols_without_an_id_are_counted(open_report: OpenReport) -> None:
    stage = open_report(make_session(recipe="subword-nmt", text="low é"))
    stage.choose("reportTextChoice", "Text to encode")
    assert stage.report.total.unknown == 1
    assert "no id" in stage.label("reportFacts")


def test_a_document_that_cannot_be_read_is_left_out_and_named(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.txt").write_text("low")
    (tmp_path / "bad.txt").write_bytes(b"low \xff")
    stage = open_report(make_session())
    before = stage.made
    choose_files(monkeypatch, [tmp_path / "bad.txt"])
    stage.choose("reportTextChoice", "Files")
    assert "bad.txt" in stage.label("reportMessage")
    assert stage.made is before
    choose_files(monkeypatch, [tmp_path])
    stage.choose("reportTextChoice", "Folder")
    assert stage.label("reportMessage").startswith("1 document is left out.")
    assert stage.report.total.bytes == 3


def test_a_missing_file_and_an_empty_folder_are_errors(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    before = stage.made
    choose_files(monkeypatch, [tmp_path / "missing.txt"])
    stage.choose("reportTextChoice", "Files")
    assert "missing.txt" in stage.label("reportMessage")
    choose_files(monkeypatch, [tmp_path])
    stage.choose("reportTextChoice", "Folder")
    assert "has no files" in stage.label("reportMessage")
    assert stage.made is before


def test_cancelling_keeps_the_report_of_before(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_for_ever(*_arguments: object, progress: Progress, **_options: object) -> None:
        while True:
            progress(1, 2)

    (tmp_path / "a.txt").write_text("low lower")
    stage = open_report(make_session())
    monkeypatch.setattr(report_maker, "make_report", make_for_ever)
    before = stage.made
    choose_files(monkeypatch, [tmp_path])
    begun: list[None] = []
    stage.reporting.maker.progressed.connect(lambda _done, _total: begun.append(None))
    choice, settle = "Folder", Stage.settle
    monkeypatch.setattr(Stage, "settle", lambda _stage: None)
    stage.choose("reportTextChoice", choice)
    stage.bot.waitUntil(lambda: bool(begun))
    stage.reporting.maker.cancel()
    monkeypatch.setattr(Stage, "settle", settle)
    stage.settle()
    assert stage.label("reportMessage") == "Cancelled."
    assert stage.made is before
    assert child(stage.window, QPushButton, "reportButton").isEnabled()


def test_a_report_is_finished_if_its_page_is_hidden_in_the_middle(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    before = stage.made
    child(stage.window, QPushButton, "reportButton").click()
    stage.reporting.rest()
    stage.settle()
    assert stage.made is not before
    stage.reporting.open()
    assert stage.label("reportMessage") == ""
    assert len(stage.rows("reportNumbers")) == 1
