"""The window, the page and the tables it saves give the same costs as `bpe-gui report`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox, QTabWidget

from bpe_gui.cli.main import main
from bpe_gui.engine import Tokenizer, save
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table
from tests.gui.support.widgets import child

from .support import Stage, choose_files, make_session

OpenReport = Callable[[Session], Stage]
TEXTS = {"de.txt": "tief\nneue Breite\nlow\n", "en.txt": "low\nnewest widest\n", "fr.txt": "bas\nla plus large\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a text for each language."""
    (tmp_path / "texts").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "texts" / name).write_text(text)
    return tmp_path / "texts"


def measured(stage: Stage, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_files(monkeypatch, [folder])
    stage.choose("reportTextChoice", "Folder")
    child(stage.window, QTabWidget, "reportPages").setCurrentIndex(1)


def shown(stage: Stage) -> list[list[str]]:
    """Return the rows of the table without its hidden columns."""
    table = child(stage.window, Table, "reportCosts")
    hidden = [number for number in range(table.model().columnCount()) if table.isColumnHidden(number)]
    return [[cell for number, cell in enumerate(row) if number not in hidden] for row in stage.rows("reportCosts")]


def test_the_window_its_page_and_its_tables_equal_the_command(
    open_report: OpenReport,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    session = make_session(step=20)
    stage = open_report(session)
    measured(stage, folder, monkeypatch)
    stage.choose("reportReference", "en.txt")
    child(stage.window, QDoubleSpinBox, "reportPrice").setValue(2.5)
    child(stage.window, QSpinBox, "reportContext").setValue(100)
    tokenizer = session.cursor.tokenizer
    assert isinstance(tokenizer, Tokenizer)
    save(tokenizer, tmp_path / "t.json", "huggingface")
    terms = ["--reference", "en.txt", "--price", "2.5", "--context", "100"]
    files = ["--html", str(tmp_path / "page.html"), "--csv", str(tmp_path / "command")]
    assert main(["report", str(tmp_path / "t.json"), "--text", str(folder), *terms, *files]) == 0
    printed = [" ".join(line.split()) for line in capfdbinary.readouterr().out.decode().splitlines()]
    rows = shown(stage)
    assert [row[0] for row in rows] == [*TEXTS, "All texts"]
    assert {" ".join(filter(None, row)).replace("All", "all") for row in rows} <= set(printed)
    assert rows[1][3:5] == ["1.000", "reference"]
    assert stage.label("reportCostNotes") in " ".join(printed)
    stage.press("reportSaveHtml")
    choose_files(monkeypatch, [tmp_path / "window"])
    stage.press("reportSaveCsv")
    page, costs = tmp_path / "page.html", "costs.csv"
    made_by_window = (folder / "../texts.html").read_text("utf-8")
    section = page.read_text("utf-8").partition("<h2>Price and fairness</h2>")[2].partition("<h2>")[0]
    assert section and section in made_by_window
    assert (tmp_path / "window" / costs).read_text("utf-8") == (tmp_path / "command" / costs).read_text("utf-8")


def test_the_choices_are_remembered(open_report: OpenReport, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = open_report(make_session())
    measured(stage, folder, monkeypatch)
    stage.choose("reportReference", "de.txt")
    child(stage.window, QDoubleSpinBox, "reportPrice").setValue(0.075)
    child(stage.window, QSpinBox, "reportContext").setValue(8_000)
    before = shown(stage)
    again = open_report(make_session())
    assert child(again.window, QComboBox, "reportReference").currentText() == "None"  # the corpus has one text
    measured(again, folder, monkeypatch)
    assert child(again.window, QComboBox, "reportReference").currentText() == "de.txt"
    assert child(again.window, QDoubleSpinBox, "reportPrice").text() == "0.075"
    assert shown(again) == before
    assert again.report.texts[0].lines is not None
    settings = Settings()
    assert (settings.report_price, settings.report_context) == (0.075, 8_000)


def test_what_can_be_told_is_shown_and_what_is_missing_said(
    open_report: OpenReport, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = open_report(make_session())
    measured(stage, folder, monkeypatch)
    assert [len(row) for row in shown(stage)] == [2] * 4, "the share of the context"
    both = "Choose a reference for the premium, and type a price for the costs."
    assert stage.label("reportCostNotes") == f"A context window of 128,000 tokens is assumed. {both}"
    child(stage.window, QDoubleSpinBox, "reportPrice").setValue(2.5)
    assert stage.label("reportCostNotes").endswith("Choose a reference for the premium.")
    stage.choose("reportReference", "en.txt")
    assert "Choose" not in stage.label("reportCostNotes")
    child(stage.window, QDoubleSpinBox, "reportPrice").setValue(0)
    assert stage.label("reportCostNotes").endswith("Type a price for the costs.")
    assert stage.window.minimumSizeHint().width() <= 960


def test_a_single_text_has_a_price_but_no_premium(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    child(stage.window, QTabWidget, "reportPages").setCurrentIndex(1)
    assert not child(stage.window, QComboBox, "reportReference").isEnabled()
    ((name, share),) = shown(stage)
    assert name == "text 0" and share.endswith("%")
    premium = "The premium needs several texts with the same content"
    assert premium in stage.label("reportCostNotes")
    assert stage.label("reportCostNotes").endswith("Type a price for the costs.")
    child(stage.window, QSpinBox, "reportContext").setValue(stage.report.total.tokens * 4)
    assert shown(stage) == [["text 0", "25.0%"]]
    assert premium in stage.label("reportCostNotes")
    child(stage.window, QDoubleSpinBox, "reportPrice").setValue(1_000_000)
    assert shown(stage) == [["text 0", "25.0%", f"{stage.report.total.tokens}.0000"]]
