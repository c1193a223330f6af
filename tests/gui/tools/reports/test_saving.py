"""Saving a report and its charts, and exporting the pruned tokenizer."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.reports import csv_files, html_page
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tools.reports import report_maker
from bpe_gui.gui.tools.reports.chart_panel import ChartPanel
from tests.gui.support.widgets import child
from tests.gui.tools.comparison.support import CORPUS

from .support import Stage, choose_files, make_session

OpenReport = Callable[[Session], Stage]


def test_the_page_is_that_of_the_engine(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    choose_files(monkeypatch, [tmp_path / "page"])
    stage.press("reportSaveHtml")
    page = tmp_path / "page.html"
    assert page.read_text("utf-8") == html_page(stage.report)
    assert stage.label("reportMessage") == f"Saved: {page}"


def test_tables_are_replaced_only_after_a_question(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    choose_files(monkeypatch, [tmp_path])
    stage.press("reportSaveCsv")
    tables = csv_files(stage.report)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == tables
    (tmp_path / "texts.csv").write_text("mine")
    stage.press("reportSaveCsv")
    box = child(stage.window, QMessageBox, "replaceTablesBox")
    assert "texts.csv" in box.informativeText()
    assert (tmp_path / "texts.csv").read_text() == "mine"
    box.buttons()[0].click()
    stage.settle()
    assert (tmp_path / "texts.csv").read_text("utf-8") == tables["texts.csv"]


def test_a_full_disk_is_told_and_nothing_is_lost(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    before = stage.made
    choose_files(monkeypatch, [tmp_path / "page.html"])

    def fail(contents: object) -> None:
        raise EngineError("No space is left on the device.")

    monkeypatch.setattr(report_maker, "write_files", fail)
    stage.press("reportSaveHtml")
    assert stage.label("reportMessage") == "No space is left on the device."
    assert stage.made is before and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("suffix", "begin"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("csv", b"entries of the vocabulary,")]
)
def test_a_chart_is_saved_in_each_format(open_report: OpenReport, tmp_path: Path, suffix: str, begin: bytes) -> None:
    stage = open_report(make_session())
    path = tmp_path / f"chart.{suffix}"
    panel = stage.window.findChildren(ChartPanel)[0]
    panel.save(path)
    stage.settle()
    assert path.read_bytes().startswith(begin)


def test_the_pruned_tokenizer_gives_the_texts_the_same_tokens(open_report: OpenReport) -> None:
    session = make_session(step=20, text="low lower")
    stage = open_report(session)
    stage.choose("reportTextChoice", "Text to encode")
    preview = stage.made.pruning
    assert preview is not None and preview.is_exact
    assert f"{len(preview.pruning.removed)} of 276 entries" in stage.label("prunePreview")
    exported: list[Tokenizer] = []
    stage.window.export_wanted.connect(exported.append)
    child(stage.window, QPushButton, "pruneExport").click()
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None
    assert exported[0].tokenize("low lower") == tokenizer.tokenize("low lower")


def test_pruning_tells_what_it_costs_on_held_out_text(open_report: OpenReport) -> None:
    stage = open_report(make_session("low lower", text=CORPUS, step=6))
    vocabulary = stage.report.vocabulary
    unused, parts = len(vocabulary.never_used), int((vocabulary.steps[vocabulary.never_used] > 0).sum())
    assert parts > 0
    assert stage.label("prunePreview") == (
        f"These texts need every merge, so there is nothing to leave out. {unused} unused "
        f"(single bytes: {unused - parts}, scaffolds of other tokens: {parts})."
    )
    assert not child(stage.window, QPushButton, "pruneExport").isEnabled()


def test_pruning_by_one_text_costs_tokens_on_another(
    open_report: OpenReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session(step=20, text=CORPUS))
    (tmp_path / "few.txt").write_text("low")
    choose_files(monkeypatch, [tmp_path / "few.txt"])
    stage.choose("reportTextChoice", "Files")
    stage.choose("reportHeldOut", "Text to encode")
    preview = stage.made.pruning
    assert preview is not None and preview.cost is not None
    assert preview.cost.more_tokens > 0
    assert f"+{preview.cost.more_tokens} tokens" in stage.label("prunePreview")
