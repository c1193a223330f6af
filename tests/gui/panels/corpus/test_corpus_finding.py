"""Find goes through all documents of the corpus, also those that are read from disk, without holding up the window."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, TextDocument
from bpe_gui.gui.panels.corpus_panel import CorpusPanel
from bpe_gui.gui.search import document_search, text_search
from bpe_gui.gui.search.document_search import PAGE_BYTES
from bpe_gui.gui.session.corpus import CorpusDocument, read_file
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.plain_text_edit import MAX_LINE_LENGTH, PlainTextEdit
from tests.gui.support.widgets import child, label


@pytest.fixture(autouse=True)
def searches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search in the editor be complete before a call returns, however busy the machine is."""
    monkeypatch.setattr(text_search, "_SLICE", 60.0)


def documents(*texts: str) -> list[CorpusDocument]:
    return [CorpusDocument(f"{number}.txt", TextDocument(text)) for number, text in enumerate(texts)]


class Searched:
    """A corpus panel in which one types what to find and goes from match to match."""

    def __init__(self, panel: CorpusPanel, qtbot: QtBot) -> None:
        self.panel = panel
        self.editor = child(panel, PlainTextEdit, "corpusEditor")
        self._qtbot = qtbot

    def find(self, text: str) -> str:
        """Type what to find and return what is said about it."""
        self.panel.finder.begin_search()
        child(self.panel, QLineEdit, "findField").setText(text)
        return self.said()

    def said(self) -> str:
        count = label(self.panel, "findCount")
        self._qtbot.waitUntil(lambda: count.text() not in ("", "searching…"))
        return count.text()

    def go(self, *, back: bool = False) -> tuple[int, int, str]:
        """Go to the next or previous match; return the selected row, the position in it and what is said."""
        (self.panel.finder.find_previous if back else self.panel.finder.find_next)()
        said = self.said()
        row = child(self.panel, QTableView, "documentList").currentIndex().row()
        return row, self.editor.textCursor().selectionStart(), said


@pytest.fixture
def searched(panel: CorpusPanel, qtbot: QtBot) -> Searched:
    return Searched(panel, qtbot)


def test_the_next_match_is_in_the_next_document_that_has_one(searched: Searched, session: Session) -> None:
    session.corpus.set_documents(documents("low newer", "wide", "slow Low", "x low"))
    assert searched.find("low") == "1 of 4 in 3 documents"
    assert searched.go() == (2, 1, "2 of 4 in 3 documents")
    assert searched.go() == (2, 5, "3 of 4 in 3 documents")
    assert searched.go() == (3, 2, "4 of 4 in 3 documents")
    assert searched.go() == (0, 0, "1 of 4 in 3 documents")
    assert searched.go(back=True) == (3, 2, "4 of 4 in 3 documents")
    assert searched.go(back=True) == (2, 5, "3 of 4 in 3 documents")
    assert searched.go(back=True) == (2, 1, "2 of 4 in 3 documents")
    assert searched.go(back=True) == (0, 0, "1 of 4 in 3 documents")


def test_typing_stays_in_the_document_and_says_where_there_are_matches(searched: Searched, session: Session) -> None:
    session.corpus.set_documents(documents("wide", "low", "wide"))
    assert searched.find("low") == "1 match in 1 document"
    assert searched.editor.text() == "wide"
    assert searched.go() == (1, 0, "1 of 1 in 1 document")
    assert searched.go() == (1, 0, "1 of 1 in 1 document")
    assert searched.find("lower") == "no match"
    assert searched.go() == (1, 0, "no match")


def test_an_edit_counts_at_once(searched: Searched, session: Session) -> None:
    session.corpus.set_documents(documents("low", "low"))
    assert searched.find("low") == "1 of 2 in 2 documents"
    searched.editor.appendPlainText("wide")
    assert searched.said() == "2 matches in 2 documents"  # none is selected any longer
    searched.editor.appendPlainText("slow")
    assert searched.said() == "3 matches in 2 documents"
    searched.editor.setPlainText("")
    assert searched.said() == "1 match in 1 document"
    assert searched.go() == (1, 0, "1 of 1 in 1 document")
    session.corpus.set_documents([*session.corpus.documents, *documents("low low")])
    assert searched.said() == "3 matches in 2 documents"  # a new document is selected
    assert searched.go() == (2, 0, "2 of 3 in 2 documents")


def test_without_the_bar_the_key_goes_on(searched: Searched, session: Session, qtbot: QtBot) -> None:
    session.corpus.set_documents(documents("low", "wide", "low"))
    searched.find("low")
    searched.panel.finder.bar.close_bar()
    searched.panel.finder.find_next()
    qtbot.waitUntil(lambda: searched.panel.finder.place == (2, 0))
    searched.editor.setPlainText("wide")
    searched.panel.finder.find_next()
    qtbot.waitUntil(lambda: searched.panel.finder.place == (0, 0))
    searched.panel.finder.find_previous()
    assert searched.panel.finder.place == (0, 0)  # not to what the edit removed


def test_later_pages_of_a_file_are_shown_when_they_match(
    searched: Searched, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.gui.session.corpus.LARGE_FILE", 100)
    path = tmp_path / "large.txt"
    path.write_text("low\n" + "wide\n" * PAGE_BYTES + "slow 你\n" + "wide\n" * PAGE_BYTES, encoding="utf-8")
    session.corpus.set_documents([read_file(FileDocument(path))])
    assert searched.find("low") == "1 of 2 in 1 document"
    _row, position, said = searched.go()
    assert said == "2 of 2 in 1 document"
    assert searched.editor.text()[position:].startswith("low 你\n")
    assert "Shown from 320" in label(searched.panel, "corpusNotice").text()
    assert len(searched.editor.text().encode()) <= PAGE_BYTES
    assert searched.go()[1:] == (0, "1 of 2 in 1 document")
    assert "First 64 kB shown" in label(searched.panel, "corpusNotice").text()


def test_a_text_of_long_lines_is_searched_in_pages(searched: Searched, session: Session) -> None:
    session.corpus.set_documents(documents("wide", "x" * MAX_LINE_LENGTH + "x low"))
    assert searched.find("low") == "1 match in 1 document"
    assert searched.go()[2] == "1 of 1 in 1 document"
    assert searched.editor.textCursor().selectedText() == "low"


def test_not_all_pages_of_a_common_word_are_kept(
    searched: Searched, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.gui.session.corpus.LARGE_FILE", 100)
    monkeypatch.setattr(document_search, "_MAX_PAGES", 2)
    path = tmp_path / "large.txt"
    path.write_text("low\n" * PAGE_BYTES)
    session.corpus.set_documents([read_file(FileDocument(path)), *documents("low")])
    kept = 2 * PAGE_BYTES // len("low\n") + 1
    assert searched.find("low") == f"1 of {kept:,}+ in 2 documents"


def test_a_file_that_is_gone_is_left_out(
    searched: Searched, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bpe_gui.gui.session.corpus.LARGE_FILE", 1)
    path = tmp_path / "large.txt"
    path.write_text("low low")
    session.corpus.set_documents([*documents("low"), read_file(FileDocument(path))])
    path.unlink()
    assert searched.find("low") == "1 of 1 in 1 document"


def test_a_document_that_the_filter_hides_is_shown(searched: Searched, session: Session) -> None:
    session.corpus.set_documents(documents(*["wide"] * 40, "low"))
    child(searched.panel, QLineEdit, "documentFilter").setText("0.txt")
    assert searched.find("wide") == "1 of 40 in 40 documents"
    assert searched.go()[2] == "2 of 40 in 40 documents"
    assert searched.editor.text() == "wide"
    assert child(searched.panel, QLineEdit, "documentFilter").text() == ""


def test_a_new_search_ends_the_one_before(searched: Searched, session: Session, qtbot: QtBot) -> None:
    session.corpus.set_documents(documents(*["low wide"] * 500))
    field = child(searched.panel, QLineEdit, "findField")
    searched.panel.finder.begin_search()
    for text in ("l", "lo", "low", "w", "wi", "slow"):
        field.setText(text)
    assert searched.said() == "no match"
    field.setText("wide")
    searched.panel.finder.find_previous()  # waits for all documents
    qtbot.waitUntil(lambda: searched.panel.finder.place == (499, 0))
    assert searched.said() == "500 of 500 in 500 documents"
