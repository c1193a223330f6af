"""The page of reports without the main window, and its parts by their object names."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Recipe, TextDocument
from bpe_gui.engine.reports import Report
from bpe_gui.gui.look.overlays import RenewCard
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tools.reports.report_maker import MadeReport
from bpe_gui.gui.tools.reports.report_page import ReportPage
from bpe_gui.gui.tools.reports.reporting import Reporting
from tests.gui.support.widgets import child, label_text
from tests.gui.tools.comparison.support import CORPUS, rows_of


@dataclass
class Stage:
    """A session with a report, and the bot that waits for it."""

    bot: QtBot
    session: Session
    reporting: Reporting
    parent: QWidget

    @property
    def window(self) -> ReportPage:
        """The window of the report."""
        return child(self.parent, ReportPage, "reportWindow")

    @property
    def made(self) -> MadeReport:
        """The report that was made last."""
        made = self.reporting.maker.result
        assert made is not None
        return made

    @property
    def report(self) -> Report:
        """The report that was made last."""
        return self.made.report

    def settle(self) -> None:
        """Wait until nothing is being made."""
        self.bot.waitUntil(lambda: not self.reporting.maker.busy)

    def label(self, name: str) -> str:
        """Return the text of a label of the window."""
        return label_text(self.window, name)

    @property
    def why_outdated(self) -> str:
        """What the cards over the report say, all the same; empty if it is not out of date."""
        (text,) = {card.sentence.text() for card in self.window.findChildren(RenewCard, "reportOutdated")}
        return text

    def rows(self, name: str) -> list[list[str]]:
        """Return the texts of a table, row by row."""
        return rows_of(child(self.window, Table, name))

    def choose(self, name: str, text: str) -> None:
        """Choose an item of a box by the beginning of its text, as a user does, and wait for what follows."""
        box = child(self.window, QComboBox, name)
        texts = [box.itemText(index) for index in range(box.count())]
        index = next(index for index, item in enumerate(texts) if item.startswith(text))
        box.setCurrentIndex(index)
        box.activated.emit(index)
        self.settle()

    def press(self, name: str) -> None:
        """Press a button, and wait for what follows."""
        child(self.window, QPushButton, name).click()
        self.settle()


def choose_files(monkeypatch: pytest.MonkeyPatch, paths: Sequence[Path]) -> None:
    """Let the next dialogs for files or a folder return these."""
    names = [str(path) for path in paths]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_args, **_options: (names, ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_options: names[0] if names else "")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_options: (names[0] if names else "", ""))


def make_session(*corpus: str, recipe: str = "cs336", text: str = "low lower newest", step: int = 8) -> Session:
    """Return a session with a corpus and a run at a step."""
    session = Session()
    documents = [CorpusDocument(f"text {index}", TextDocument(each)) for index, each in enumerate(corpus or (CORPUS,))]
    session.load(documents, Recipe.of(recipe), (), 300, LiveText(text))
    session.cursor.seek(step)
    return session


def open_stage(bot: QtBot, session: Session) -> Stage:
    """Open the window, which measures the corpus."""
    parent = QWidget()
    bot.addWidget(parent)
    reporting = Reporting(session, Theme("light"), Settings(), parent)
    parent.resize(1160, 740)
    parent.show()
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    reporting.page_made.connect(column.addWidget)
    reporting.open()
    stage = Stage(bot, session, reporting, parent)
    stage.settle()
    return stage
