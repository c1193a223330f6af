"""The page of numbers shows none of another tokenizer, whose steps have the same numbers."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine import ReadTokenizer, Recipe, TextDocument, TokenizerSource, train
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.encode_parts import NumbersPage
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.session import Session
from tests.gui.support.widgets import child

TEXT = "low lower lowest newest"


@pytest.fixture
def page(qtbot: QtBot) -> tuple[NumbersPage, Session]:
    session = Session()
    session.corpus.set_recipe(Recipe.of("cs336"))
    session.corpus.add_documents([CorpusDocument("text", TextDocument(TEXT))])
    session.text.set_content(TEXT)
    session.cursor.seek(4)
    page = NumbersPage(session, Theme("light"))
    qtbot.addWidget(page)
    page.show()
    return page, session


def test_numbers_of_another_tokenizer_are_not_shown(page: tuple[NumbersPage, Session], qtbot: QtBot) -> None:
    numbers, session = page
    tokens = child(numbers, QLabel, "tokensNow")
    qtbot.waitUntil(lambda: tokens.text() != "…")
    run = tokens.text()
    tokenizer = train("newest newest", recipe="cs336", num_merges=4)
    session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "gpt2")))
    assert tokens.text() == "…"
    qtbot.waitUntil(lambda: tokens.text() != "…")
    opened = tokens.text()
    assert opened != run
    session.cursor.seek(3)
    assert tokens.text() == opened, "the heads name the step until its numbers are known"
    qtbot.waitUntil(lambda: tokens.text() != opened)
    session.opened.show_run()
    assert tokens.text() == "…"
    qtbot.waitUntil(lambda: tokens.text() == run)
