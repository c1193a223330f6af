"""A filter that names a token of a later step says which step makes it, and goes there."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import ReadTokenizer, Recipe, TextDocument, TokenizerSource, visible
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.merges_panel import MergesPanel
from bpe_gui.gui.panels.vocabulary_panel import VocabularyPanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from tests.gui.support.widgets import child, label_text

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
NAMES = ("vocabulary", "pair", "merge")


@pytest.fixture
def session(qapp: QApplication) -> Session:
    session = Session()
    session.corpus.set_recipe(Recipe.of("cs336-toy"))
    session.corpus.add_documents([CorpusDocument("text", TextDocument(TOY))])
    session.corpus.set_vocab_size(270)
    return session


@pytest.fixture
def panels(session: Session, qtbot: QtBot) -> QWidget:
    """Both panels with filters, one beside the other."""
    both = QWidget()
    qtbot.addWidget(both)
    for panel in (MergesPanel(session, Theme("light")), VocabularyPanel(session, Theme("light"))):
        panel.setParent(both)
        panel.resize(520, 620)
    both.resize(520, 620)
    both.show()
    return both


def line(panels: QWidget, name: str) -> str | None:
    """Return the text of a line; None while it is hidden."""
    label = child(panels, QLabel, f"{name}FutureLabel")
    return label.text() if label.isVisible() else None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["text", "hex", "pair"])
def test_the_step_is_named_and_reached(panels: QWidget, session: Session, name: str, form: str) -> None:
    session.cursor.seek(9)
    merge = session.cursor.steps.merge_at(6) if session.cursor.steps else None
    assert merge is not None
    session.cursor.seek(2)
    forms = {
        "text": visible(merge.token),
        "hex": merge.token.hex(" "),
        "pair": f"{visible(merge.left)} + {visible(merge.right)}",
    }
    field, go = child(panels, QLineEdit, f"{name}Filter"), child(panels, QPushButton, f"{name}FutureGo")
    assert line(panels, name) is None
    field.setText(forms[form])
    shown = line(panels, name)
    assert shown == f"Step 7 makes {visible(merge.token)} from {visible(merge.left)} + {visible(merge.right)}"
    assert go.isVisible()
    go.click()
    assert session.cursor.position == 7
    assert line(panels, name) is None
    session.cursor.step_back()
    assert line(panels, name) == shown
    field.clear()
    assert line(panels, name) is None


def test_an_id_of_a_later_step(panels: QWidget, session: Session) -> None:
    session.cursor.seek(9)
    merge = session.cursor.steps.merge_at(6) if session.cursor.steps else None
    assert merge is not None
    session.cursor.seek(6)
    for name in ("vocabulary", "merge"):
        child(panels, QLineEdit, f"{name}Filter").setText(str(merge.token_id))
        assert (line(panels, name) or "").startswith(f"Step 7 makes {visible(merge.token)}")


def test_a_token_that_no_step_makes(panels: QWidget, session: Session) -> None:
    session.cursor.seek(3)
    field, go = child(panels, QLineEdit, "vocabularyFilter"), child(panels, QPushButton, "vocabularyFutureGo")
    field.setText("zebra")
    assert line(panels, "vocabulary") == "No step makes zebra yet (further training may)"
    assert not go.isVisible()
    session.corpus.set_vocab_size(260)
    session.cursor.last()
    field.setText("zebra!")
    assert line(panels, "vocabulary") == "No step in this run makes zebra!"
    for text in ("l", "6c", "zz + zz"):  # tokens of the alphabet exist; a pair may not be one at all
        field.setText(text)
        assert line(panels, "vocabulary") is None, text


@pytest.mark.parametrize("name", NAMES)
def test_why_a_token_never_comes_is_asked(panels: QWidget, session: Session, name: str) -> None:
    asked: list[str] = []
    session.selection.why_not_wanted.connect(asked.append)
    child(panels, QLineEdit, f"{name}Filter").setText("zebra")
    why = child(panels, QPushButton, f"{name}FutureWhy")
    assert why.isVisible()
    why.click()
    assert asked == ["zebra"]
    session.cursor.seek(3)
    session.cursor.seek(0)
    child(panels, QLineEdit, f"{name}Filter").setText("est")  # a later step makes it
    assert not why.isVisible()


def test_a_token_that_an_opened_tokenizer_lacks(panels: QWidget, session: Session) -> None:
    session.cursor.seek(3)
    tokenizer = session.cursor.tokenizer
    assert tokenizer is not None
    session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "gpt2")))
    child(panels, QLineEdit, "vocabularyFilter").setText("zebra")
    assert line(panels, "vocabulary") == "No merge in this tokenizer makes zebra"
    child(panels, QLineEdit, "vocabularyFilter").setText("es")
    assert line(panels, "vocabulary") == "No exact match; 1 contains it"
    child(panels, QLineEdit, "vocabularyFilter").setText("a")
    assert line(panels, "vocabulary") is None


def test_the_line_names_what_was_typed_as_tokens_are_shown(panels: QWidget, session: Session) -> None:
    session.cursor.last()
    child(panels, QLineEdit, "vocabularyFilter").setText("a zebra")
    assert line(panels, "vocabulary") == "No step in this run makes a·zebra"


def test_a_search_is_about_one_corpus(panels: QWidget, session: Session) -> None:
    field, other = child(panels, QLineEdit, "vocabularyFilter"), CorpusDocument("more", TextDocument("zebra"))
    field.setText("zebra")
    session.corpus.add_documents([other])
    session.corpus.edit_document(0, "low zebras")
    session.restart()
    assert field.text() == "zebra"
    session.replace_documents([CorpusDocument("other", TextDocument("ab ab"))])
    assert field.text() == ""


def test_nothing_is_said_while_a_thread_trains(panels: QWidget, session: Session, qtbot: QtBot) -> None:
    child(panels, QLineEdit, "vocabularyFilter").setText("zebra")
    assert line(panels, "vocabulary") is not None
    session.train()
    assert session.cursor.is_following_training
    assert line(panels, "vocabulary") is None
    qtbot.waitUntil(lambda: not session.run.is_training)
    assert line(panels, "vocabulary") is not None
    assert label_text(panels, "vocabularyFutureLabel").startswith("No step")
