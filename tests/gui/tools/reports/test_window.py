"""The page that reports, in its workspace: its action, its language, its charts, and its end."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument
from bpe_gui.engine.reports import Contents
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.reports.report_page import ReportPage
from bpe_gui.gui.views.zoom_chart import ZoomChart
from bpe_gui.gui.wording.phrases import decimal
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import open_window


def measured(window: MainWindow, qtbot: QtBot) -> ReportPage:
    """Open the report, and return its window when everything is measured."""
    window.actions_by_name["report"].trigger()
    report = child(window, ReportPage, "reportWindow")
    qtbot.waitUntil(lambda: child(report, QPushButton, "reportSaveHtml").isEnabled())
    return report


def test_it_reads_the_curve_by_keys_and_outlives_a_change_of_the_language(window: MainWindow, qtbot: QtBot) -> None:
    report = measured(window, qtbot)
    chart = child(report, ZoomChart, "reportChart")
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.chart is not None
    last = float(chart.chart.series[0].values[-1])
    assert label_text(report, "reportChartWords").endswith(f"(step 12): {decimal(last)} bytes per token")
    assert chart.accessibleDescription() == label_text(report, "reportChartWords")
    assert window.session.cursor.position == 12
    kinds = child(report, QComboBox, "reportChartKind")
    assert kinds.itemText(list(Contents.chart_titles).index("gain")) == "Marginal gain per entry"
    for index in range(kinds.count()):
        kinds.setCurrentIndex(index)
        assert chart.isVisible()
        QTest.keyClick(chart, Qt.Key.Key_Right)
        assert chart.accessibleDescription()
    window.choose_theme("dark")
    window.choose_language("zh_CN")
    again = child(window, ReportPage, "reportWindow")
    assert again is not report
    assert child(again, QPushButton, "reportSaveHtml").isEnabled()


def test_it_trains_first_if_there_are_no_merges_yet(window: MainWindow, qtbot: QtBot) -> None:
    window.session.restart()
    report = measured(window, qtbot)
    assert label_text(report, "reportFacts").startswith("Main run, step 12: ")
    assert window.session.cursor.position == 12


def test_without_merges_it_says_what_to_do(window: MainWindow, qtbot: QtBot) -> None:
    window.session.restart()
    trainer = window.session.run.trainer
    assert trainer is not None
    window.session.corpus.set_vocab_size(trainer.vocab_size)
    report = measured(window, qtbot)
    assert label_text(report, "reportMessage") == "No merges yet: step forward or train, then measure again."
    assert label_text(report, "reportChartWords") == "Without merges, there is no curve to draw."
    assert label_text(report, "prunePreview") == "There are no merges to leave out."


def test_the_pruned_tokenizer_goes_to_the_dialog_of_exports(window: MainWindow, qtbot: QtBot) -> None:
    report = measured(window, qtbot)
    box = child(report, QComboBox, "reportTextChoice")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    qtbot.waitUntil(lambda: child(report, QPushButton, "reportButton").isEnabled())
    child(report, QPushButton, "pruneExport").click()
    dialog = child(report, QDialog, "exportDialog")
    assert dialog.isVisible()
    assert label_text(dialog, "exportStep").startswith("Main run, step 12, pruned: ")
    assert "The ids are new" in label_text(dialog, "exportStep")
    assert Path(child(dialog, QLineEdit, "exportFolderEdit").text()).stem.endswith("-pruned")
    dialog.reject()


def test_the_main_window_closes_it_in_the_middle_of_its_work(window: MainWindow) -> None:
    window.actions_by_name["report"].trigger()
    assert child(window, Table, "reportNumbers").hint == "Measuring…"
    window.close()
    assert window.findChild(ReportPage) is None


@pytest.mark.slow
def test_the_chart_library_is_not_loaded_with_the_window() -> None:
    script = "import sys, bpe_gui.gui.app; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_it_measures_as_soon_as_there_is_a_tokenizer(qtbot: QtBot) -> None:
    window = open_window(qtbot)
    window.session.corpus.remove_document(0)
    window.choose_workspace("report")
    message = "There is no tokenizer yet. Type or open a corpus and train on it."
    qtbot.waitUntil(lambda: label_text(window, "reportMessage") == message)
    window.session.corpus.add_documents([CorpusDocument("text", TextDocument("low lower lowest " * 9))])
    table = child(window, Table, "reportNumbers")
    qtbot.waitUntil(lambda: table.table_model.rowCount() > 0)
    assert not child(window, QWidget, "reportMessage").isVisible()
    window.close()
