"""The tab of a report that audits the tokenizer."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QTabWidget

from bpe_gui.engine import Progress, Tokenizer
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.reports import audit_panel
from tests.gui.support.widgets import child

from .support import Stage, choose_files, make_session

OpenReport = Callable[[Session], Stage]


@pytest.fixture
def audited(open_report: OpenReport) -> Stage:
    """Return a report whose tokenizer has been audited."""
    stage = open_report(make_session())
    child(stage.window, QTabWidget, "reportPages").setCurrentIndex(1)
    _audit(stage)
    return stage


def _audit(stage: Stage) -> None:
    stage.press("auditButton")
    stage.bot.waitUntil(lambda: not stage.reporting.auditor.busy)


def test_the_kinds_of_findings_are_offered_with_their_numbers(audited: Stage) -> None:
    result = audited.reporting.auditor.result
    assert result is not None
    entries, reachable = len(result[0].entries), result[0].counts["reachable"]
    words = f"{entries} entries. Texts produce {reachable} of them, and none produces 13."
    assert audited.label("auditSummary").endswith(words)
    kinds = child(audited.window, QComboBox, "auditKinds")
    assert kinds.itemText(0) == "not in valid UTF-8  (13)"
    assert [row[0] for row in audited.rows("auditTable")][:2] == ["192", "193"]
    kinds.setCurrentIndex(kinds.findText(f"reachable  ({reachable})"))
    assert audited.rows("auditTable")[97] == ["97", "a", "In the text “a”."]


def test_a_text_is_shown_where_it_is_encoded(audited: Stage) -> None:
    kinds = child(audited.window, QComboBox, "auditKinds")
    kinds.setCurrentIndex(kinds.count() - 1)
    table = child(audited.window, Table, "auditTable")
    table.setCurrentIndex(table.model().index(98, 1))
    assert audited.label("auditDetail") == "In the text “b”."
    with audited.bot.waitSignal(audited.session.selection.occurrence_wanted):
        audited.press("auditShow")
    assert audited.session.text.content == "b"
    assert audited.session.selection.token == b"b"


def test_an_audit_of_another_step_is_out_of_date(audited: Stage) -> None:
    assert "another" not in audited.label("auditSummary")
    audited.session.cursor.first()
    assert audited.label("auditSummary").endswith("The window now shows another tokenizer or step.")
    _audit(audited)
    assert "another" not in audited.label("auditSummary")


def test_an_audit_can_be_cancelled(audited: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    before = audited.reporting.auditor.result

    def audit_for_ever(_tokenizer: Tokenizer, progress: Progress) -> None:
        while True:
            progress(1, 2)

    monkeypatch.setattr(audit_panel, "audit", audit_for_ever)
    audited.press("auditButton")
    assert audited.reporting.auditor.busy
    audited.reporting.auditor.cancel()
    audited.bot.waitUntil(lambda: not audited.reporting.auditor.busy)
    assert audited.reporting.auditor.result is before


def test_the_table_is_saved(audited: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_files(monkeypatch, [tmp_path / "audit"])
    audited.press("auditSave")
    audited.bot.waitUntil(lambda: not audited.reporting.auditor.busy)
    rows = list(csv.reader((tmp_path / "audit.csv").read_text("utf-8-sig").splitlines()))
    assert rows[98] == ["97", "[a]", "0x61", "reachable", "[a]", ""]
