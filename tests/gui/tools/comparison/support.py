"""A comparison without the main window, and its parts by their object names."""

from dataclasses import dataclass

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import LiveText, Recipe, TextDocument, Tokenizer
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.branches import banning, plan_from
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import TableModel
from bpe_gui.gui.tools.comparison.compare_page import ComparePage
from bpe_gui.gui.tools.comparison.comparing import Comparing
from tests.gui.support.widgets import child, label_text

CORPUS = "low low lower newest newest widest low newer wider the other the others"
STEP = 2
TEXT = "low lower newest the widest others"


@dataclass
class Stage:
    """A session with a comparison, and the bot that waits for it."""

    bot: QtBot
    session: Session
    comparing: Comparing
    parent: QWidget

    @property
    def window(self) -> ComparePage:
        """The window of the comparison."""
        return child(self.parent, ComparePage, "compareWindow")

    def settle(self) -> None:
        """Wait until all results are those of the current text and tokenizers."""
        self.bot.waitUntil(lambda: self.comparing.is_settled)

    def label(self, name: str) -> str:
        """Return the text of a label of the window."""
        return label_text(self.window, name)

    def table(self) -> list[list[str]]:
        """Return the table of numbers, row by row."""
        return rows_of(child(self.window, Table, "comparisonTable"))

    def type(self, text: str, at: int = 0, removed: int = 0) -> None:
        """Edit the text to encode as its editor does."""
        data = text.encode()
        self.session.text.live.replace(at, at + removed, data)
        self.session.text.encode_edit(at, removed, len(data))


def rows_of(table: Table) -> list[list[str]]:
    """Return what a table shows, row by row."""
    model = table.model()
    assert isinstance(model, TableModel)
    columns = range(model.columnCount())
    return [[str(model.index(row, column).data() or "") for column in columns] for row in range(model.rowCount())]


def make_session(recipe: str = "cs336", corpus: str = CORPUS, text: str = TEXT, step: int = 0) -> Session:
    """Return a session with a corpus and a run at a step."""
    session = Session()
    session.load([CorpusDocument("corpus", TextDocument(corpus))], Recipe.of(recipe), (), 300, LiveText(text))
    session.cursor.seek(step)
    return session


def session_with_a_ban(qtbot: QtBot) -> Session:
    """Return a session with a branch that leaves out the merge after step 2."""
    session = make_session(step=12)
    session.cursor.seek(STEP)
    trainer = session.run.trainer
    assert trainer is not None
    merge = trainer.merge_at(STEP)
    plan = banning(plan_from(trainer, STEP), (merge.left, merge.right))
    session.branch_off("ban", trainer.recipe, plan, STEP, 12)
    qtbot.waitUntil(lambda: session.branches.current.name == "ban" and session.work.activity is Activity.IDLE)
    return session


def open_stage(bot: QtBot, session: Session) -> Stage:
    """Open the page that compares."""
    parent = QWidget()
    bot.addWidget(parent)
    comparing = Comparing(session, Theme("light"), Settings(), lambda _window: None, parent)
    parent.resize(1160, 740)
    parent.show()
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    comparing.page_made.connect(column.addWidget)
    comparing.open()
    return Stage(bot, session, comparing, parent)


def run_tokenizer(session: Session, step: int) -> Tokenizer:
    """Return the tokenizer of a step of the run."""
    trainer = session.run.trainer
    assert trainer is not None
    return trainer.tokenizer(step)
