"""“Run until…”: the popup takes five conditions, remembers them, and the run stops where one holds."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import (
    CountBelow,
    LiveText,
    NthTie,
    Plan,
    Recipe,
    RunStop,
    RunUntil,
    TextDocument,
    TokenAppears,
    Trainer,
    WordIsOneToken,
)
from bpe_gui.gui.panels.state_bars import ActivityBar
from bpe_gui.gui.panels.transport_bar import UntilPopup
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.phrases import joined_sentences
from bpe_gui.gui.wording.sentences import said
from tests.gui.support.widgets import child, label_text

TEXT = "low low low lower lower lowest newest newest newest wider"


def stop_text(stop: RunStop) -> str:
    """Return where a run stopped, as the notice says it."""
    return joined_sentences(map(said, stop.statements))


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    made = Session()
    made.load([CorpusDocument("text", TextDocument(TEXT))], Recipe.of("cs336"), (), 300, LiveText(""))
    return made


@pytest.fixture
def popup(qtbot: QtBot, session: Session) -> Iterator[UntilPopup]:
    owner = QWidget()
    qtbot.addWidget(owner)
    made = UntilPopup(session, Settings(), owner)
    made.chosen.connect(session.run_until)
    made.open_below(owner)
    yield made


def enter(popup: UntilPopup, kind: str, text: str) -> None:
    child(popup, QRadioButton, f"until{kind}").click()
    child(popup, QLineEdit, "untilField").setText(text)
    child(popup, QPushButton, "untilRunButton").click()


def trainer_of(session: Session) -> Trainer:
    trainer = session.run.trainer
    assert trainer is not None
    return trainer


def test_it_runs_to_the_step_and_reports_it(popup: UntilPopup, session: Session, qtbot: QtBot) -> None:
    session.cursor.seek(1)
    with qtbot.waitSignal(session.run.stopped) as stopped:
        enter(popup, "TokenAppears", "·low")
    assert not popup.isVisible()
    stop = (stopped.args or [None])[0]
    assert isinstance(stop, RunStop)
    assert (stop.condition, stop.start, stop.holds) == (TokenAppears(b" low"), 1, True)
    trainer = trainer_of(session)
    assert trainer.merge_at(session.cursor.position - 1).token == b" low"
    assert stop_text(stop) == f"Step {trainer.position} made the token “·low”."


def test_a_mistake_stays_in_the_popup(popup: UntilPopup, session: Session) -> None:
    for kind, text, sentence in (
        ("CountBelow", "many", "The count must be an integer of 1 or more, not 'many'."),
        ("SavesBelow", "0", "The share must be above 0% and at most 100%, such as 0.01%, not '0%'."),
        ("TokenAppears", "", "Enter the token at which to stop, such as ing."),
        (
            "WordIsOneToken",
            "two words",
            "The splitter divides 'two words' into 2 words, so it never becomes one token.",
        ),
    ):
        enter(popup, kind, text)
        assert label_text(popup, "untilHint").replace("\u2068", "").replace("\u2069", "") == sentence
    assert popup.isVisible()
    assert not session.run.is_training
    child(popup, QRadioButton, "untilNthTie").click()
    assert label_text(popup, "untilHint").startswith("Stops before the merge, with the tied pairs")


def test_it_remembers_the_last_condition_and_the_values_of_the_others(
    popup: UntilPopup, session: Session, qtbot: QtBot
) -> None:
    for kind, text in (("TokenAppears", "est"), ("SavesBelow", "2.5")):
        with qtbot.waitSignal(session.run.stopped):
            enter(popup, kind, text)
    again = UntilPopup(session, Settings(), child(popup, QWidget, "untilField"))
    field = child(again, QLineEdit, "untilField")
    assert child(again, QRadioButton, "untilSavesBelow").isChecked()
    assert field.text() == "2.5"
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert child(again, QRadioButton, "untilTokenAppears").isChecked()
    assert field.text() == "est"


def test_ties_are_counted_from_here_on(popup: UntilPopup, session: Session, qtbot: QtBot) -> None:
    trainer = trainer_of(session)
    trainer.seek(1000)
    tied = [rank for rank, ties in enumerate(trainer.ties.tolist()) if ties]
    session.cursor.seek(tied[1])
    with qtbot.waitSignal(session.run.stopped):
        enter(popup, "NthTie", "2")
    assert session.cursor.position == tied[3]


Stop = Callable[[RunUntil, int], str]


@pytest.fixture
def stop() -> Stop:
    """Return what is said of a run of the text from its start, up to a number of merges, until a condition holds."""
    session = Session()
    session.load([CorpusDocument("text", TextDocument(TEXT))], Recipe.of("cs336"), (), 300, LiveText(""))
    trainer = trainer_of(session)

    def text(condition: RunUntil, most: int) -> str:
        trainer.seek(most)
        step = condition.first_step(trainer, 0, trainer.position)
        if step is not None:
            trainer.seek(step)
        return stop_text(RunStop.of(condition, trainer, 0))

    return text


def test_given_merges_that_did_not_count_are_told() -> None:
    session = Session()
    session.load([CorpusDocument("text", TextDocument(TEXT))], Recipe.of("cs336"), (), 300, LiveText(""))
    merges = trainer_of(session).approach(9) and trainer_of(session).tokenizer(9).merges
    trainer = Trainer(trainer_of(session).word_counts, plan=Plan(replay=merges or ()))
    trainer.seek(6)
    sentence = "6 earlier merges were given by the plan and were not counted."
    assert stop_text(RunStop.of(CountBelow(9), trainer, 0)).endswith(f"entries. {sentence}")
    assert "given" not in stop_text(RunStop.of(TokenAppears(b"zz"), trainer, 0))
    assert stop_text(RunStop.of(CountBelow(9), trainer, 5)).endswith(
        sentence.replace("6 earlier merges", "1 earlier merge").replace("were", "was")
    )


def test_the_sentences_say_where_and_why(stop: Stop) -> None:
    assert (
        stop(TokenAppears(b"low"), 0)
        == "“low” did not become a token within the target vocabulary size of 256 entries."
    )
    assert stop(TokenAppears(b"l"), 3) == "“l” is already a token."
    assert stop(WordIsOneToken("low"), 12) == "Step 11 made “low” one token."
    assert stop(TokenAppears(b"xyz"), 999).startswith("“xyz” did not become a token: nothing is left to merge after ")
    assert stop(CountBelow(6), 9) == "At step 2, the next pair, · + lo, occurs 5 times."
    assert stop(RunUntil.parse("saves-below=6%"), 30).startswith("At step ")
    assert stop(NthTie(1), 9) == "At step 0, 2 other pairs occur as often as w + e."
    assert stop(NthTie(99), 9) == "There were not enough ties within the target vocabulary size of 265 entries."


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("token= ing", "until “·ing” appears"),
        ("word=low", "until “low” is one token"),
        ("count-below=200", "until a count is below 200"),
        ("saves-below=0.1%", "until a merge saves less than 0.1%"),
        ("ties=3", "until there are enough ties"),
    ],
)
def test_training_says_what_it_waits_for(session: Session, condition: str, expected: str) -> None:
    assert said(RunUntil.parse(condition).statements[0]) == expected
    bar = ActivityBar(session, QAction())
    session.run_until(RunUntil.parse(condition))
    assert label_text(bar, "activityLabel") == f"Training… · {expected}"
    session.work.cancel()
