"""The tab of a report that audits the tokenizer."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QTabWidget

from bpe_gui.engine import EngineError, Progress, Tokenizer
from bpe_gui.gui.look.overlays import Dimmer
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
    child(stage.window, QTabWidget, "reportPages").setCurrentIndex(2)
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
    kinds = child(audited.window, QComboBox, "auditKinds")
    kinds.setCurrentIndex(kinds.count() - 1)
    table, show = child(audited.window, Table, "auditTable"), child(audited.window, QPushButton, "auditShow")
    table.setCurrentIndex(table.model().index(98, 1))
    assert show.isEnabled()
    audited.session.cursor.first()
    assert audited.label("auditSummary").endswith("The window now shows another tokenizer or step.")
    audited.bot.waitUntil(child(table, Dimmer, "dimmer").isVisible)
    assert not show.isEnabled()
    table.doubleClicked.emit(table.currentIndex())
    assert audited.session.text.content == "low lower newest"
    _audit(audited)
    assert "another" not in audited.label("auditSummary")
    assert child(table, Dimmer, "dimmer").isHidden()
    assert kinds.currentText().startswith("reachable")


def test_before_an_audit_there_is_nothing_to_show(open_report: OpenReport) -> None:
    stage = open_report(make_session())
    assert child(stage.window, QPushButton, "auditShow").isHidden()


def test_entries_are_found_by_token_id_or_hexadecimal_bytes(audited: Stage) -> None:
    kinds = child(audited.window, QComboBox, "auditKinds")
    kinds.setCurrentIndex(kinds.count() - 1)
    audited.window.begin_search()
    field = child(audited.window, QLineEdit, "auditFilter")
    assert field.hasFocus()
    for text, tokens in (("lo", ["low"]), ("0x", []), ("6f77", ["low", "ow"]), ("97", ["\\x97", "a"])):
        field.setText(text)
        assert sorted(row[1] for row in audited.rows("auditTable")) == tokens


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
    assert audited.label("auditMessage") == f"Saved: {tmp_path / 'audit.csv'}"


def test_a_full_disk_is_told(audited: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(contents: object) -> None:
        raise EngineError("No space is left on the device.")

    monkeypatch.setattr(audit_panel, "write_files", fail)
    choose_files(monkeypatch, [tmp_path / "audit"])
    audited.press("auditSave")
    audited.bot.waitUntil(lambda: not audited.reporting.auditor.busy)
    assert audited.label("auditMessage") == "No space is left on the device."
    _audit(audited)
    assert audited.label("auditMessage") == ""


def test_special_tokens_are_counted_apart(open_report: OpenReport) -> None:
    session = make_session()
    session.corpus.set_special_tokens(["<a>", "<b>"])
    session.restart()
    session.cursor.seek(8)
    stage = open_report(session)
    _audit(stage)
    assert stage.label("auditSummary").endswith("none produces 13. 2 are special tokens.")
