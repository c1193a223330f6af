"""The page that says why a text is not one token: what it answers, and where its buttons go."""

import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import ReadTokenizer, Recipe, TextDocument, Tokenizer, TokenizerSource, without_isolates
from bpe_gui.engine.explanations import Explanation, explain
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels import why_not_page
from bpe_gui.gui.panels.why_not_page import WhyNotPage
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.cursor import Cursor
from bpe_gui.gui.session.opened_tokenizers import OpenedTokenizer
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.views.chip_text import ChipText
from bpe_gui.gui.wording.sentences import ShownStep, ShownToken
from tests.gui.support.widgets import box_of, child, label_text

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
BUTTONS = ("Step", "Border", "Pair", "Lineage")


@pytest.fixture
def session(qapp: QApplication) -> Session:
    """A run of st, est, ow, low, west, ne at step 2."""
    session = Session()
    session.corpus.set_recipe(Recipe.of("cs336-toy"))
    session.corpus.add_documents([CorpusDocument("text", TextDocument(TOY))])
    session.corpus.set_vocab_size(270)
    session.text.set_content("newest lower")
    session.cursor.seek(6)
    session.cursor.seek(2)
    return session


@pytest.fixture
def page(session: Session, qtbot: QtBot) -> WhyNotPage:
    page = WhyNotPage(session, Theme("light"))
    qtbot.addWidget(page)
    page.resize(420, 400)
    page.show()
    return page


def answer(page: QWidget) -> list[str]:
    return child(page, ChipText, "whyNotAnswer").text().splitlines()


def ask(qtbot: QtBot, page: WhyNotPage, text: str) -> list[str]:
    child(page, QLineEdit, "whyNotInput").setText(text)
    return settled(qtbot, page)


def settled(qtbot: QtBot, page: WhyNotPage) -> list[str]:
    qtbot.waitUntil(lambda: not page.is_asking)
    return answer(page)


def buttons(page: QWidget) -> dict[str, str]:
    """Return the texts of the buttons that are shown."""
    found = {name: child(page, QPushButton, f"whyNotGo{name}") for name in BUTTONS}
    return {name: button.text() for name, button in found.items() if button.isVisible()}


def click(page: QWidget, name: str) -> None:
    child(page, QPushButton, f"whyNotGo{name}").click()


def test_without_a_text_it_says_what_to_do(page: WhyNotPage, qtbot: QtBot) -> None:
    assert settled(qtbot, page)[0].startswith("Select part of the text to encode, or type text here")
    assert not child(page, QWidget, "whyNotQuestion").isVisible()
    assert buttons(page) == {}


def test_a_merge_that_took_an_end(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    page.set_selection(2, 4)
    assert settled(qtbot, page) == [
        "No: e was merged with the st after it at step 2, before we could be one token.",
        "Just before step 2, it was w + e.",
        "These letters occur 8 times in the corpus, in 2 words. That merge took them 6 times, in 1 word.",
    ]
    assert label_text(page, "whyNotQuestion") == "Is “we” in “newest” one token?"
    assert buttons(page) == {}  # it is the current step
    session.cursor.seek(5)
    settled(qtbot, page)
    assert buttons(page) == {"Step": "Go to step 2"}
    click(page, "Step")
    assert session.cursor.position == 2


def test_text_that_is_selected_later_replaces_what_was_typed(page: WhyNotPage, qtbot: QtBot) -> None:
    page.set_selection(2, 4)
    assert ask(qtbot, page, "zebra")[0].startswith("No: no word in the corpus contains zebra")
    page.set_selection(4, 4)  # a click selects nothing
    assert settled(qtbot, page)[0].startswith("No: no word in the corpus contains zebra")
    page.set_selection(3, 6)
    assert settled(qtbot, page)[0] == "Yes: est is one token, made at step 2 from e and st."
    assert child(page, QLineEdit, "whyNotInput").text() == ""


def test_the_answer_follows_the_step_and_the_selection(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    page.set_selection(3, 6)
    assert settled(qtbot, page)[0] == "Yes: est is one token, made at step 2 from e and st."
    session.cursor.seek(1)
    assert settled(qtbot, page) == [
        "Not yet: step 2 makes it one token.",
        "Step 2 merges e and st.",
        "At this step, e + st occurs 9 times (rank 1 among all pairs).",
    ]
    assert buttons(page) == {"Step": "Go to step 2"}
    page.set_selection(2, 4)
    assert settled(qtbot, page)[0] == ("No: step 2 will merge e with the st after it, before we could be one token.")
    session.cursor.seek(5)
    page.set_selection(3, 6)
    assert settled(qtbot, page)[0] == "No longer: est was one token until step 5 merged w with it."


def test_nothing_is_asked_while_the_page_is_hidden(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    page.set_selection(3, 6)
    before = settled(qtbot, page)
    page.hide()
    session.cursor.seek(0)
    assert not page.is_asking
    assert answer(page) == before
    page.show()
    assert settled(qtbot, page) != before


def test_a_pair_whose_turn_has_not_come(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.cursor.seek(6)
    assert ask(qtbot, page, "er") == [
        "Not yet: e + r occurs 2 times (rank 6 among all pairs).",
        "If the order stayed the same, that pair’s turn would come at about step 12.",
        "These letters occur 2 times in the corpus, in 1 word.",
    ]
    assert buttons(page) == {"Step": "Go to step 12", "Pair": "Show the pair"}
    click(page, "Pair")
    assert session.selection.pair == (b"e", b"r")
    session.corpus.set_vocab_size(265)
    assert "That pair’s turn might come at about step 12, but the vocabulary is full at about step" in "".join(
        settled(qtbot, page)
    )
    session.corpus.set_vocab_size(260)
    assert settled(qtbot, page)[0] == "No: the vocabulary was full before e and r were merged."


def test_letters_that_a_merge_took_everywhere(page: WhyNotPage, qtbot: QtBot) -> None:
    assert ask(qtbot, page, "es")[0] == "No: s was merged with the t after it at step 1, before es could be one token."
    assert label_text(page, "whyNotQuestion") == "Is “es” in “newest” one token?"
    assert (
        answer(page)[-1]
        == "These letters occur 9 times in the corpus, in 2 words, and that merge took them every time."
    )


def test_letters_that_a_merge_took_in_other_words(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.text.set_content("xes")
    session.cursor.seek(3)
    page.set_selection(1, 3)
    assert settled(qtbot, page) == [
        "No: e and s are not next to each other in any word at this step.",
        "These letters occur 9 times in the corpus, in 2 words.",
        "In newest, the most frequent word with these letters, s was merged with the t after it at step 1.",
    ]
    assert buttons(page) == {"Step": "Go to step 1"}


def test_letters_that_the_corpus_lacks(page: WhyNotPage, qtbot: QtBot) -> None:
    assert ask(qtbot, page, "zebra") == [
        "No: no word in the corpus contains zebra, so training never made it one token."
    ]
    assert ask(qtbot, page, "שלום")[0].startswith("No: no word in the corpus contains")
    assert ask(qtbot, page, "👍🏽")[0].startswith("No: no word in the corpus contains")


def test_a_word_border_and_the_way_to_it(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    found: list[tuple[int, int]] = []
    page.border_chosen.connect(lambda start, stop: found.append((start, stop)))
    page.set_selection(4, 9)
    assert settled(qtbot, page) == [
        "No: there is a word boundary between t and ·, and merges never cross one.",
        "The word newest ends there. It matches "
        r"[^\s\x1c-\x1f]+ (everything but whitespace) in the splitter's expression.",
        "The splitter drops the text after it.",
        "It is one of 2 boundaries in this text.",
    ]
    click(page, "Border")
    assert found == [(5, 7)]
    field = child(page, QLineEdit, "whyNotInput")
    field.setText("👍 low low")
    settled(qtbot, page)
    click(page, "Border")
    assert field.selectedText() == "👍 "


def test_a_very_long_stretch(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.text.set_content("low " * 100_000)
    page.set_selection(1, 300_000)
    assert settled(qtbot, page)[0].startswith("No: there is a word boundary between w and ·")
    assert not any("boundaries" in line for line in answer(page))
    session.text.set_content("l" * 50_000)
    page.set_selection(0, 50_000)
    assert settled(qtbot, page) == ["This is too long to be one token. Select less."]


def test_special_tokens(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.corpus.set_special_tokens(["<|end|>"])
    session.restart()
    assert ask(qtbot, page, "<|end|>")[0] == "Yes: <|end|> is a special token, which is taken whole before any merge."
    session.text.set_content("low<|end|>")
    page.ask_about("")
    page.set_selection(5, 8)
    assert settled(qtbot, page)[0] == "No: it is part of <|end|>, which is always taken whole."
    session.text.allow_special("none")
    assert settled(qtbot, page)[0] != "No: it is part of <|end|>, which is always taken whole."


def test_a_character_that_is_one_symbol(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    # a · stands for a space, as tokens show it
    assert ask(qtbot, page, "·low")[0].startswith("No: there is a word boundary")
    assert ask(qtbot, page, "w")[0] == "Yes: w is one token, in the alphabet from the start."
    assert buttons(page) == {"Lineage": "Show its lineage"}
    wanted: list[Selected | None] = []
    session.selection.lineage_wanted.connect(lambda: wanted.append(session.selection.selected))
    click(page, "Lineage")
    assert wanted == [Selected(b"w")]


def test_tokens_and_steps_of_the_answer_can_be_chosen(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.cursor.seek(4)
    page.set_selection(2, 4)
    settled(qtbot, page)
    text = child(page, ChipText, "whyNotAnswer")
    text.repaint()
    point = box_of(text, ShownToken(b"st")).center()
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, pos=QPointF(point).toPoint())
    assert session.selection.selected == Selected(b"st")
    text.setFocus()
    for _token in range(3):
        QTest.keyClick(text, Qt.Key.Key_Right)
    QTest.keyClick(text, Qt.Key.Key_Left)
    QTest.keyClick(text, Qt.Key.Key_Return)
    assert session.selection.selected == Selected(b"st")
    point = box_of(text, ShownStep(2)).center()
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, pos=QPointF(point).toPoint())
    assert session.cursor.position == 2


def test_an_opened_tokenizer_answers_what_it_knows(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.cursor.seek(6)
    made = session.cursor.tokenizer
    assert made is not None
    tokenizer = Tokenizer(made.vocab, made.merges, recipe="cs336-toy")
    session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "gpt2")))
    page.set_selection(2, 4)
    assert settled(qtbot, page) == [
        "No: e was merged with the st after it at step 2, before we could be one token.",
        "Just before step 2, it was w + e.",
    ]
    assert ask(qtbot, page, "xy") == ["No: this tokenizer has no merge of x and y."]
    session.cursor.seek(0)
    assert ask(qtbot, page, "low")[:3] == [
        "Not yet: step 4 makes it one token.",
        "At this step, it is l + o + w.",
        "Step 3 merges o and w.",
    ]


def test_the_answer_of_another_step_is_dimmed_and_its_border_not_shown(
    page: WhyNotPage, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = session.cursor.tokenizer
    assert made is not None
    tokenizer = Tokenizer(made.vocab, made.merges, recipe="cs336-toy")
    session.opened.show(OpenedTokenizer(ReadTokenizer(tokenizer, TokenizerSource(Path("it")), "gpt2")))
    page.set_selection(5, 8)
    settled(qtbot, page)
    assert list(buttons(page)) == ["Border"]
    shown: list[tuple[int, int]] = []
    page.border_chosen.connect(lambda start, stop: shown.append((start, stop)))
    dimmer, may_go_on, unhindered = child(page, Dimmer, "dimmer"), threading.Event(), explain
    assert dimmer.isHidden()

    def wait(*arguments: Any, **options: Any) -> tuple[Explanation, Explanation | None]:
        assert may_go_on.wait(60)
        return unhindered(*arguments, **options)

    monkeypatch.setattr(why_not_page, "explain", wait)
    session.text.set_content("lower newest")
    qtbot.waitUntil(lambda: not dimmer.isHidden())
    click(page, "Border")
    assert not shown
    may_go_on.set()
    settled(qtbot, page)
    assert dimmer.isHidden()
    click(page, "Border")
    assert shown


def test_while_a_thread_trains_the_answer_follows(
    page: WhyNotPage, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Cursor, "is_following_training", True)
        assert ask(qtbot, page, "est") == ["The answer will appear when training is done."]
    session.train()
    qtbot.waitUntil(lambda: not session.run.is_training)
    assert settled(qtbot, page)[0].startswith(("Yes", "No longer"))


def test_a_users_own_expression_is_tried_in_a_thread(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.corpus.set_recipe(Recipe(splitter=r"\w+|\s"))
    session.restart()
    child(page, QLineEdit, "whyNotInput").setText("low low")
    qtbot.waitUntil(lambda: len(answer(page)) > 1)
    assert (
        answer(page)[1]
        == r"The word low ends there. It matches \w+ (letters, digits and _) in the splitter's expression."
    )


def test_there_is_nothing_to_ask_while_words_are_counted(page: WhyNotPage, session: Session, qtbot: QtBot) -> None:
    session.run.replace(None)
    assert ask(qtbot, page, "low") == ["Counting the words in the corpus…"]


def test_an_answer_is_copied_as_text_and_as_a_picture(qtbot: QtBot, page: WhyNotPage) -> None:
    said = ask(qtbot, page, "lowest")
    as_text, as_picture = child(page, QToolButton, "whyNotCopy").menu().actions()
    as_text.trigger()
    copied = QApplication.clipboard().text()
    assert "lowest" in copied.splitlines()[0]
    assert copied.splitlines()[1:] == [without_isolates(line) for line in said]
    as_picture.trigger()
    assert QApplication.clipboard().pixmap().width() > 200
