"""A token or pair that is chosen in one panel is marked, counted and inspected in all of them."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QTableView, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import TextDocument, Tokenizer, Trainer
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session import cursor
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.selection import Selected, ids_of
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.views.timeline_view import TimelineView
from bpe_gui.gui.views.token_id_view import TokenIdView
from tests.gui.support.widgets import child, label_text

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.corpus.add_documents([CorpusDocument("toy", TextDocument(TOY))], instead=True)
    window.session.text.set_content("lowest newest low")
    return window


def table(window: MainWindow, name: str) -> QTableView:
    return child(window, QTableView, name)


def click(view: QTableView, row: int, column: int) -> None:
    view.scrollTo(view.model().index(row, column))
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(row, column)).center()
    )


def row_with(view: QTableView, column: int, text: str) -> int:
    return next(row for row in range(view.model().rowCount()) if view.model().index(row, column).data() == text)


def current_text(view: QTableView, column: int) -> str | None:
    index = view.currentIndex()
    return index.siblingAtColumn(column).data() if index.isValid() else None


def marked_texts(window: MainWindow) -> list[str]:
    """Return the text of the tokens that the ids' view would outline as selected."""
    ids, view = child(window, TokenIdView, "tokenIdView"), child(window, TokenEdit, "encodeInput")
    source = ids._source
    assert source is not None
    tokens = source.slice(0, len(source))
    mask = ids._marked(tokens)
    text = view.toPlainText().encode()
    spans = zip(tokens.starts.tolist(), tokens.stops.tolist(), strict=True)
    return [
        text[start:stop].decode() for (start, stop), is_marked in zip(spans, mask.tolist(), strict=True) if is_marked
    ]


def test_a_token_of_the_vocabulary_is_followed_everywhere(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(4)
    vocabulary = table(window, "vocabularyTable")
    click(vocabulary, row_with(vocabulary, VocabularyColumn.TOKEN, "est"), VocabularyColumn.TOKEN)
    assert session.selection.selected == Selected(b"est")
    assert marked_texts(window) == ["est", "est"]
    assert label_text(window, "wordTitle") == "Words with “est” · 2 words"
    assert label_text(window, "inspectorOrigin") == "step 2: e + st, ×9"
    assert child(window, TimelineView, "timeline")._marked == 2
    counts = "2 times in the text · 9 times in the corpus, in 2 words"
    qtbot.waitUntil(lambda: label_text(window, "inspectorOccurs") == counts)
    session.selection.select_token(b"st")
    absorbed = "in the corpus only within larger tokens at this step"
    qtbot.waitUntil(lambda: label_text(window, "inspectorOccurs").endswith(absorbed))


def test_a_token_is_found_before_its_step(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(4)
    session.cursor.seek(1)
    session.selection.select_token(b"low")
    assert marked_texts(window) == []
    assert label_text(window, "inspectorOrigin") == "step 4: l + ow, ×7 · not in the vocabulary yet"
    qtbot.waitUntil(lambda: label_text(window, "inspectorOccurs").endswith("low is not in the corpus at this step"))
    assert current_text(table(window, "vocabularyTable"), VocabularyColumn.TOKEN) is None
    go = child(window, QAbstractButton, "inspectorGoButton")
    assert go.text() == "Go to step 4"
    QTest.mouseClick(go, Qt.MouseButton.LeftButton)
    assert session.cursor.position == 4
    assert marked_texts(window) == ["low", "low"]
    assert current_text(table(window, "vocabularyTable"), VocabularyColumn.TOKEN) == "low"
    assert not go.isVisible()


def test_a_token_that_no_step_makes_says_so(window: MainWindow) -> None:
    window.session.cursor.seek(2)
    window.session.selection.select_pair(b"d", b"est")
    assert label_text(window, "inspectorOrigin") == "no known step yet"
    assert not child(window, QAbstractButton, "inspectorGoButton").isVisible()


def test_a_pair_is_marked_where_it_stands_in_a_word(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.text.set_content("we we ew e")
    pairs = table(window, "pairTable")
    click(pairs, row_with(pairs, PairColumn.MERGED, "we"), PairColumn.MERGED)
    assert session.selection.pair == (b"w", b"e")
    assert marked_texts(window) == ["w", "e", "w", "e"]
    qtbot.waitUntil(lambda: label_text(window, "inspectorOccurs").startswith("2 times in the text · 8 times"))


def test_a_click_on_a_token_of_the_text_selects_it_and_another_click_clears(window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(4)
    view = child(window, TokenEdit, "encodeInput")
    view.token_clicked.emit(0)
    assert session.selection.token == b"low"
    merges = table(window, "mergeTable")
    assert merges.model().rowCount() == 4
    assert current_text(table(window, "vocabularyTable"), VocabularyColumn.TOKEN) == "low"
    view.token_clicked.emit(0)
    assert session.selection.selected is None
    assert label_text(window, "wordTitle").startswith("Words at this step")


@pytest.mark.parametrize("name", ["encodeInput", "tokenIdView"])
def test_the_token_that_was_clicked_stays_whatever_the_step(window: MainWindow, name: str) -> None:
    session, view = window.session, child(window, TokenEdit, "encodeInput")
    session.cursor.seek(12)
    session.cursor.seek(3)
    session.text.set_content("newest")
    view.set_caret(4)
    child(window, QWidget, name).token_clicked.emit(3)  # type: ignore[attr-defined]
    assert session.selection.token == b"est"
    assert label_text(window, "inspectorOrigin") == "step 2: e + st, ×9"
    for step, later in ((12, ""), (1, " · not in the vocabulary yet"), (3, "")):
        session.cursor.seek(step)
        assert label_text(window, "inspectorOrigin") == f"step 2: e + st, ×9{later}"
    session.selection.clear()
    assert label_text(window, "inspectorBytes").startswith("65 73 74")
    session.cursor.seek(12)
    assert label_text(window, "inspectorOrigin").startswith("step 7: ne + west")


def test_escape_in_a_table_clears_the_selection(window: MainWindow) -> None:
    window.session.selection.select_token(b"w")
    QTest.keyClick(table(window, "wordTable"), Qt.Key.Key_Escape)
    assert window.session.selection.selected is None


def test_the_inspector_follows_the_caret_again_after_a_selection(window: MainWindow) -> None:
    session, view = window.session, child(window, TokenEdit, "encodeInput")
    session.cursor.seek(4)
    session.selection.select_token(b"est")
    session.cursor.step_back()
    assert label_text(window, "inspectorOrigin").startswith("step 2: e + st")  # steps do not change that
    view.set_caret(14)
    assert label_text(window, "inspectorBytes").startswith("6c")


def test_a_part_chosen_in_the_lineage_leaves_the_tree_as_it_is(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(4)
    facts = child(window, QTabWidget, "tokenFacts")
    facts.setCurrentIndex(2)
    session.selection.select_token(b"est")
    tree = table(window, "lineageTree")
    qtbot.waitUntil(lambda: tree.model().rowCount() == 5)
    click(tree, row_with(tree, 0, "st"), 0)
    assert session.selection.token == b"st"
    facts.setCurrentIndex(0)
    assert label_text(window, "inspectorOrigin").startswith("step 1: s + t")
    facts.setCurrentIndex(2)
    qtbot.waitUntil(lambda: child(window, QWidget, "lineageView").isVisible())
    assert tree.model().rowCount() == 5


def test_a_symbol_of_the_replay_can_be_selected(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.cursor.seek(4)
    child(window, QTabWidget, "tokenFacts").setCurrentIndex(1)
    session.selection.select_token(b"est")
    replay = table(window, "replayTable")
    qtbot.waitUntil(lambda: replay.model().rowCount() == 3)
    area = replay.visualRect(replay.model().index(0, 1))
    QTest.mouseClick(replay.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(area.left() + 14, area.center().y()))
    assert session.selection.token == b"e"


def test_a_sample_clears_the_selection_but_an_edit_of_the_corpus_does_not(window: MainWindow) -> None:
    session = window.session
    session.selection.select_token(b"w")
    session.corpus.add_documents([CorpusDocument("more", TextDocument("more"))])
    assert session.selection.token == b"w"
    session.load([], session.corpus.recipe, (), 300, session.text.live)
    assert session.selection.selected is None


def test_a_special_token_is_not_the_ordinary_one_with_its_bytes() -> None:
    tokenizer = Tokenizer({0: b"<", 1: b"x", 2: b"<x", 3: b"<x"}, [(b"<", b"x")], {"<x": 3}, recipe="cs336-toy")
    assert ids_of(Selected(b"<x"), tokenizer) == (2,)
    assert ids_of(Selected(b"<x", special=True), tokenizer) == (3,)
    assert ids_of(Selected(b"<x"), tokenizer.at(0)) == ()
    assert ids_of(Selected(b"<x", pair=(b"<", b"x")), tokenizer.at(0)) == (0, 1)
    assert ids_of(Selected(b"xx", pair=(b"x", b"x")), tokenizer) == (1, 1)
    assert ids_of(Selected(b"yx", pair=(b"y", b"x")), tokenizer) == ()


def test_a_step_during_a_long_move_counts_from_where_the_move_ends(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    session.cursor.seek(8)
    monkeypatch.setattr(cursor, "_SLICE", -1.0)  # a slice is a single approach
    approach = Trainer.approach

    def approach_by_one(trainer: Trainer, goal: int) -> bool:
        return approach(trainer, max(goal, trainer.position - 1)) and trainer.position == goal

    monkeypatch.setattr(Trainer, "approach", approach_by_one)
    session.cursor.first()
    assert session.cursor.position == 7
    session.cursor.step()
    session.cursor.step()
    qtbot.waitUntil(lambda: not session.cursor.is_on_long_move)
    assert session.cursor.position == 2


def test_tokens_of_megabytes_are_shown_by_their_beginning(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    session.replace_documents([CorpusDocument("giant", TextDocument("ab" * 200_000))])
    qtbot.waitUntil(lambda: session.cursor.trainer is not None)
    session.cursor.last()
    qtbot.waitUntil(lambda: session.cursor.next_merge is None)
    assert session.cursor.trainer is not None
    longest = max(session.cursor.trainer.tokens, key=len)
    assert len(longest) > 100_000
    session.selection.select_token(longest)
    assert "abab" in label_text(window, "wordTitle")
    assert "abab" in label_text(window, "inspectorOrigin")
    assert len(label_text(window, "wordTitle")) < 300
    assert len(label_text(window, "inspectorOrigin")) < 700
