"""The merges panel follows the session's cursor, and moves it by mouse and keys."""

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.engine import FileDocument, Recipe, TextDocument
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.panels import merges_panel
from bpe_gui.gui.panels.merges_panel import MergesPanel
from bpe_gui.gui.session.corpus import CorpusDocument, RunInputs
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.merge_model import MergeColumn
from bpe_gui.gui.tables.pair_model import PairColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.table_model import MarkedSymbols
from bpe_gui.gui.views.reason_label import ReasonLabel
from bpe_gui.gui.views.token_chips import Chips, TokenChips, stretches
from bpe_gui.gui.wording.phrases import number
from tests.gui.support.panels import wait_to_be_cancelled
from tests.gui.support.widgets import child, label_text

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
W = TypeVar("W", bound=QWidget)
LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def session(qapp: QApplication) -> Session:
    session = Session()
    session.corpus.set_recipe(Recipe.of("cs336-toy"))
    return session


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> MergesPanel:
    panel = MergesPanel(session, Theme("light"))
    qtbot.addWidget(panel)
    panel.resize(520, 620)
    panel.show()
    return panel


def open_text(session: Session, text: str = TOY) -> None:
    session.corpus.add_documents([CorpusDocument("text", TextDocument(text))], instead=True)


def table(panel: MergesPanel, name: str) -> Table:
    return child(panel, Table, name)


def rows(panel: MergesPanel, name: str) -> list[list[str]]:
    model = table(panel, name).model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def colors_of_first_word(panel: MergesPanel) -> int:
    """Return in how many colours the first word in the table of words is painted, with its background."""
    view = table(panel, "wordTable")
    image = view.viewport().grab(view.visualRect(view.model().index(0, 0)).adjusted(2, 2, -2, -2)).toImage()
    return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())})


def select_pair(panel: MergesPanel, merged: str) -> None:
    names = [row[PairColumn.MERGED] for row in rows(panel, "pairTable")]
    table(panel, "pairTable").selectRow(names.index(merged))


def selected_pair(panel: MergesPanel) -> str | None:
    selected = table(panel, "pairTable").selectionModel().selectedRows(PairColumn.MERGED)
    return selected[0].data() if selected else None


def click(view: QAbstractItemView, row: int) -> None:
    area = view.visualRect(view.model().index(row, 1))
    QTest.mouseClick(view.viewport(), LEFT_BUTTON, pos=area.center())


def test_a_new_run_shows_its_first_step(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    assert label_text(panel, "reasonLabel") == (
        "`s` + `t` is next: it occurs 9 times. Tied with `e` + `s` (ties go to the pair that sorts last)."
    )
    assert rows(panel, "pairTable")[0][:5] == ["1", "s", "t", "st", "9"]
    assert rows(panel, "wordTable") == [["n e w e s t", "6"], ["l o w", "5"], ["w i d e s t", "3"], ["l o w e r", "2"]]
    assert rows(panel, "mergeTable") == []
    assert label_text(panel, "wordTitle") == "Words at this step · 4 words"


def test_a_step_updates_every_table_at_once(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.step()
    session.cursor.step()
    assert rows(panel, "pairTable")[0][:5] == ["1", "o", "w", "ow", "7"]
    assert rows(panel, "wordTable") == [
        ["n e w e st → n e w est", "6"],
        ["w i d e st → w i d est", "3"],
        ["l o w", "5"],
        ["l o w e r", "2"],
    ]
    assert label_text(panel, "stepChangeLabel") == "Changed: 2 words, 9 places"
    assert [row[1] for row in rows(panel, "mergeTable")] == ["s + t → st", "e + st → est"]
    assert label_text(panel, "mergeCountLabel") == "2 of 2"
    session.cursor.step_back()
    assert rows(panel, "wordTable")[0] == ["n e w e s t → n e w e st", "6"]
    assert label_text(panel, "mergeCountLabel") == "1 of 2"


def test_keys_in_the_merges_move_the_cursor(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(6)
    QTest.keyClick(table(panel, "mergeTable"), Qt.Key.Key_Up)
    QTest.keyClick(table(panel, "mergeTable"), Qt.Key.Key_Up)
    assert session.cursor.position == 4
    QTest.keyClick(table(panel, "mergeTable"), Qt.Key.Key_Down)
    assert session.cursor.position == 5


def test_the_current_merge_stays_in_view(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session, "".join(map(chr, range(0x4E00, 0x4E50))))
    view = table(panel, "mergeTable")
    for position in (60, 5, 40):
        session.cursor.seek(position)
        qtbot.waitUntil(lambda position=position: session.cursor.position == position)  # type: ignore[misc]
        area = view.visualRect(view.model().index(position - 1, 1))
        assert view.viewport().rect().contains(area), position
    session.cursor.seek(0)
    assert not view.currentIndex().isValid()


def test_a_selected_pair_shows_the_words_that_contain_it(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    select_pair(panel, "lo")
    assert rows(panel, "wordTable") == [["l o w", "5"], ["l o w e r", "2"]]
    assert label_text(panel, "wordTitle") == "Words with “l” + “o” · 2 words"
    marked = table(panel, "wordTable").table_model.rows[0].symbols
    assert marked == MarkedSymbols((b"l", b"o", b"w"), (b"l", b"o"), False, token=b"lo")
    button = child(panel, QToolButton, "allWordsButton")
    QTest.mouseClick(button, LEFT_BUTTON)
    assert selected_pair(panel) is None
    assert len(rows(panel, "wordTable")) == 4
    assert not button.isVisible()


def test_the_selection_stays_with_its_pair(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    select_pair(panel, "we")
    session.cursor.step()
    assert selected_pair(panel) == "we"
    session.cursor.step()
    assert selected_pair(panel) == "we"
    assert rows(panel, "wordTable") == [["l o w e r", "2"]]
    session.cursor.step()  # o + w: no w stands before e any more
    assert selected_pair(panel) is None
    assert len(rows(panel, "wordTable")) == 4
    assert label_text(panel, "wordTitle") == "All words: no “w” + “e” side by side at this step"
    session.cursor.step_back()
    assert selected_pair(panel) == "we"


def test_words_that_are_not_listed_are_not_counted_as_changed(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.step()
    assert label_text(panel, "stepChangeLabel") == "Changed: 2 words, 9 places"
    session.selection.select_token(b"l")
    assert rows(panel, "wordTable") == [["l o w", "5"], ["l o w e r", "2"]]
    assert label_text(panel, "stepChangeLabel") == ""
    session.selection.select_token(b"st")
    assert label_text(panel, "stepChangeLabel") == "Changed: 2 words, 9 places"


def test_a_token_that_was_merged_further_is_not_said_to_be_missing(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(2)
    session.selection.select_token(b"st")
    assert label_text(panel, "wordTitle") == "All words: no token “st” at this step"


def test_a_step_scrolls_to_the_words_that_it_changes(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session, " ".join(f"ab{chr(0x4E00 + index)}" for index in range(100)))
    bar = table(panel, "wordTable").verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    session.cursor.step()
    assert bar.value() == 0


def test_a_filter_of_pairs_goes_with_its_corpus(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    field = child(panel, QLineEdit, "pairFilter")
    field.setText("o + w")
    session.corpus.edit_document(0, "low lower slow")
    assert field.text() == "o + w"
    session.replace_documents([CorpusDocument("other", TextDocument("hug pug hug"))])
    assert field.text() == ""
    assert len(rows(panel, "pairTable")) > 1


def test_before_its_step_a_token_is_not_there_yet(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(4)
    session.selection.select_token(b"est")
    session.cursor.seek(1)
    assert label_text(panel, "wordTitle") == "All words: “est” comes at step 2"
    session.cursor.seek(2)
    assert label_text(panel, "wordTitle") == "Words with “est” · 2 words"


def test_a_pair_that_is_merged_gives_way_to_its_token(panel: MergesPanel, session: Session) -> None:
    """Its words are what the user wants to see just then."""
    open_text(session)
    select_pair(panel, "st")
    assert rows(panel, "wordTable") == [["n e w e s t", "6"], ["w i d e s t", "3"]]
    session.cursor.step()
    assert session.cursor.position == 1
    assert rows(panel, "wordTable") == [["n e w e s t → n e w e st", "6"], ["w i d e s t → w i d e st", "3"]]


def test_a_click_on_a_merge_selects_its_token(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(4)
    click(table(panel, "mergeTable"), 1)
    assert (session.cursor.position, session.selection.token) == (2, b"est")
    assert label_text(panel, "wordTitle") == "Words with “est” · 2 words"
    assert table(panel, "mergeTable").table_model.marked == b"est"


def test_a_click_on_a_symbol_of_a_word_selects_it(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(2)
    view = table(panel, "wordTable")
    panel.resize(1200, 620)  # so that the word is shown before and after the step
    area = view.visualRect(view.model().index(0, 0))
    found = {view.symbols.symbol_at(area, x, 0, 0): x for x in range(area.left(), area.right())}
    assert set(found) == {b"n", b"e", b"w", b"est", None}
    QTest.mouseClick(view.viewport(), LEFT_BUTTON, pos=QPoint(found[b"est"], area.center().y()))
    assert session.selection.token == b"est"


def test_escape_shows_all_words_again(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    select_pair(panel, "we")
    QTest.keyClick(table(panel, "pairTable"), Qt.Key.Key_Escape)
    assert selected_pair(panel) is None
    assert len(rows(panel, "wordTable")) == 4


def test_a_step_keeps_the_scroll_position_and_the_widths(panel: MergesPanel, session: Session) -> None:
    open_text(session, "the quick brown fox jumps over the lazy dog and then over the lazy fox " * 3)
    view = table(panel, "pairTable")
    view.selectRow(0)
    view.verticalScrollBar().setValue(5)
    widths = [view.columnWidth(column) for column in range(view.model().columnCount())]
    for _ in range(5):
        session.cursor.step()
        assert view.verticalScrollBar().value() == 5
    select_pair(panel, rows(panel, "pairTable")[20][PairColumn.MERGED])
    scroll_position = view.verticalScrollBar().value()
    session.cursor.step()
    session.cursor.step_back()
    assert view.verticalScrollBar().value() == scroll_position
    assert widths == [view.columnWidth(column) for column in range(view.model().columnCount())]


def test_the_filter_keeps_the_focus_while_keys_move_the_selection(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    field = child(panel, QLineEdit, "pairFilter")
    QTest.keyClicks(field, "w")
    assert label_text(panel, "pairCountLabel") == "4 of 11 pairs"
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert selected_pair(panel) == "we"
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert selected_pair(panel) == "ow"
    assert label_text(panel, "wordTitle").startswith("Words with “o” + “w”")
    QTest.keyClicks(field, "e")  # hides the selected pair; its words stay
    assert selected_pair(panel) is None
    assert label_text(panel, "wordTitle").startswith("Words with “o” + “w”")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert selected_pair(panel) == "ow"


def test_many_pairs_are_filtered_after_a_pause(
    panel: MergesPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merges_panel, "_MANY_PAIRS", 5)
    open_text(session)
    before = rows(panel, "pairTable")
    QTest.keyClicks(child(panel, QLineEdit, "pairFilter"), "ne")
    assert rows(panel, "pairTable") == before, "typing is not held up"
    qtbot.waitUntil(lambda: [row[PairColumn.MERGED] for row in rows(panel, "pairTable")] == ["ne"])


def test_the_merges_of_a_run_are_filtered(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.cursor.seek(8)
    QTest.keyClicks(child(panel, QLineEdit, "mergeFilter"), "ES")
    assert rows(panel, "mergeTable") == []
    child(panel, QLineEdit, "mergeFilter").setText("es")
    found = [row[MergeColumn.MERGE] for row in rows(panel, "mergeTable")]
    assert found[0] == "e + st → est"
    assert found[-1].endswith("newest")
    assert label_text(panel, "mergeCountLabel") == f"{len(found)} of 8"
    child(panel, QLineEdit, "mergeFilter").setText("E + st")
    assert not rows(panel, "mergeTable")
    child(panel, QLineEdit, "mergeFilter").setText("e + st")
    assert [row[MergeColumn.MERGE] for row in rows(panel, "mergeTable")] == [
        "e + st → est",
        "ne + west → newest",
    ]
    merge = session.cursor.steps.merge_at(3) if session.cursor.steps else None
    assert merge is not None
    child(panel, QLineEdit, "mergeFilter").setText(str(merge.token_id))
    assert [row[MergeColumn.STEP] for row in rows(panel, "mergeTable")] == ["4"]


def test_all_ties_of_a_run_are_listed_with_the_winner_and_the_reason(panel: MergesPanel, session: Session) -> None:
    button = child(panel, QToolButton, "mergeTiesButton")
    open_text(session)
    assert button.isHidden()
    session.cursor.seek(12)
    trainer, merges = session.run.trainer, table(panel, "mergeTable")
    assert trainer is not None
    tied = [merge for merge in trainer.run if merge.ties]
    assert 1 < len(tied) < 12
    button.click()
    texts = [(row[MergeColumn.STEP], row[MergeColumn.TIE]) for row in rows(panel, "mergeTable")]
    assert texts == [(str(merge.rank + 1), f"={merge.ties}") for merge in tied]
    assert label_text(panel, "mergeSum") == (
        "“=2” means that 2 other pairs were as frequent; ties go to the pair that sorts last"
    )

    click(merges, 1)  # goes to where the pairs tie
    assert session.cursor.position == tied[1].rank
    assert session.selection.pair == (tied[1].left, tied[1].right)
    marks = [row[PairColumn.TIE] for row in rows(panel, "pairTable")]
    assert marks.count("=") == tied[1].ties + 1
    assert child(panel, ReasonLabel, "reasonLabel").text().count("Tied with") == 1
    merges.setFocus()
    QTest.keyClick(merges, Qt.Key.Key_Up)
    assert session.cursor.position == tied[0].rank
    button.click()
    assert merges.table_model.rowCount() == 12
    assert child(panel, SentenceLabel, "mergeSum").isHidden()


def test_selected_merges_and_those_that_match_are_summed_up(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session)
    session.text.set_content("lowest low\n")
    session.cursor.seek(12)
    merges, line = table(panel, "mergeTable"), child(panel, SentenceLabel, "mergeSum")
    made = [row[MergeColumn.MERGE].partition("→ ")[2] for row in rows(panel, "mergeTable")[:4]]
    assert made == ["st", "est", "ow", "low"]
    click(merges, 0)
    assert merges.chosen_rows == []  # the model marks the cursor's
    last = merges.visualRect(merges.model().index(3, 0)).center()
    QTest.mouseClick(merges.viewport(), LEFT_BUTTON, Qt.KeyboardModifier.ShiftModifier, last)
    assert (session.cursor.position, merges.chosen_rows) == (4, [0, 1, 2, 3])
    qtbot.waitUntil(lambda: line.text() == "4 of 12 selected · 10 bytes · 81.8% of your text")  # est and low twice
    merges.copy()
    assert QApplication.clipboard().text().count("\n") == 4
    session.cursor.step()
    qtbot.waitUntil(line.isHidden)
    child(panel, QLineEdit, "mergeFilter").setText("ow")
    session.cursor.seek(4)
    assert line.text() == "4 shown · 14 bytes · 54.5% of your text"  # ow, low, lowe, lower


def test_a_click_on_a_header_sorts(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    header = table(panel, "pairTable").horizontalHeader()
    x = header.sectionViewportPosition(PairColumn.LEFT) + 10
    QTest.mouseClick(header.viewport(), LEFT_BUTTON, pos=QPoint(x, 10))
    assert [row[PairColumn.LEFT] for row in rows(panel, "pairTable")][:2] == ["d", "e"]


def test_a_change_of_the_corpus_shows_the_banner(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session)
    banner = child(panel, QFrame, "staleBanner")
    session.cursor.step()
    assert not banner.isVisible()
    session.corpus.edit_document(0, "ab ab abc")
    assert banner.isVisible()
    assert rows(panel, "pairTable")[0][PairColumn.MERGED] == "est"
    QTest.mouseClick(child(panel, QPushButton, "trainAgainButton"), LEFT_BUTTON)
    qtbot.waitUntil(lambda: not session.run.is_stale and session.work.activity is Activity.IDLE)
    assert not banner.isVisible()
    assert len(rows(panel, "mergeTable")) == session.cursor.position > 1


def test_the_pairs_say_which_step_they_are_for_and_why_there_are_none(panel: MergesPanel, session: Session) -> None:
    open_text(session, "low low")
    session.cursor.seek(1)
    assert label_text(panel, "pairTitle") == "Pairs for step 2"
    session.cursor.last()
    assert rows(panel, "pairTable") == [] and label_text(panel, "pairTitle") == "Pairs"
    assert table(panel, "pairTable").hint == "No pairs are left: every word is a single token."


def test_the_words_are_filtered_and_all_of_them_are_counted(panel: MergesPanel, session: Session) -> None:
    open_text(session, " ".join(f"w{number}" for number in range(1_200)) + " low lower")
    session.cursor.seek(3)
    words, field = table(panel, "wordTable"), child(panel, QLineEdit, "wordFilter")
    assert label_text(panel, "wordTitle") == "Words at this step · 500 of 1,202"
    field.setText("LOW")
    assert words.table_model.rowCount() == 0 and words.hint == "No words match the filter."
    field.setText("w11")
    assert label_text(panel, "wordTitle") == "Words at this step · 111 words"
    session.cursor.step()
    shown = [row[0] for row in rows(panel, "wordTable")]
    assert len(shown) == 111 and all("w11" in word.replace(" ", "") for word in shown)
    words.setFocus()
    panel.begin_search()
    assert panel.window().focusWidget() is field
    session.replace_documents([CorpusDocument("other", TextDocument("another"))])
    assert field.text() == "" and words.table_model.rowCount() == 1


def test_an_empty_corpus_shows_a_hint(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    session.corpus.edit_document(0, "")
    assert label_text(panel, "reasonLabel").startswith("The corpus is empty")
    assert rows(panel, "pairTable") == rows(panel, "wordTable") == rows(panel, "mergeTable") == []


def test_the_end_of_a_run_has_a_reason(panel: MergesPanel, session: Session) -> None:
    open_text(session, "ab")
    session.cursor.step()
    stopped = "Stopped at 257 of 1,000 entries."
    assert label_text(panel, "reasonLabel") == f"{stopped} There is nothing left to merge: no pairs remain."
    session.corpus.set_vocab_size(257)
    assert label_text(panel, "reasonLabel") == "There is nothing left to merge: no pairs remain."
    assert rows(panel, "pairTable") == []


def test_the_last_state_stays_while_training(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session)
    session.cursor.step()
    select_pair(panel, "we")
    before = rows(panel, "pairTable")
    session.corpus.set_vocab_size(262)
    session.train()
    assert session.work.activity is Activity.TRAINING
    assert "Training… Cancel keeps" in label_text(panel, "reasonLabel")
    assert rows(panel, "pairTable") == before
    child(panel, QLineEdit, "pairFilter").setText("zz")
    table(panel, "pairTable").sortByColumn(PairColumn.LEFT, Qt.SortOrder.AscendingOrder)
    QTest.mouseClick(child(panel, QToolButton, "allWordsButton"), LEFT_BUTTON)
    click(table(panel, "mergeTable"), 0)
    assert rows(panel, "pairTable") == before
    child(panel, QLineEdit, "pairFilter").clear()
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)
    assert len(rows(panel, "mergeTable")) == session.cursor.position == 6
    assert rows(panel, "pairTable")[0][PairColumn.LEFT] == min(row[PairColumn.LEFT] for row in rows(panel, "pairTable"))


def test_a_run_that_is_trained_before_it_is_painted_shows_its_words(
    panel: MergesPanel, session: Session, qtbot: QtBot
) -> None:
    """As when the window shows another run, whose training then goes on."""
    open_text(session)
    session.corpus.set_vocab_size(262)
    session.train()
    assert session.cursor.steps is None
    assert rows(panel, "wordTable") == [["n e w e s t", "6"], ["l o w", "5"], ["w i d e s t", "3"], ["l o w e r", "2"]]
    qtbot.waitUntil(lambda: session.work.activity is Activity.IDLE)


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_words_of_every_kind_can_be_painted(qtbot: QtBot, session: Session, choice: str) -> None:
    panel = MergesPanel(session, Theme("dark" if choice == "dark" else "light"))
    qtbot.addWidget(panel)
    panel.resize(520, 620)
    panel.show()
    session.corpus.set_recipe(Recipe.of("char-eow"))
    open_text(session, "play plays 你好 😀😀 " + "x" * 5000 + "y")
    session.cursor.step()
    select_pair(panel, "xxy")
    assert colors_of_first_word(panel) > 2
    session.corpus.set_recipe(Recipe.of("cs336"))
    session.restart()
    session.cursor.seek(3)
    table(panel, "pairTable").selectRow(0)
    assert colors_of_first_word(panel) > 2
    panel.resize(60, 100)
    assert not panel.grab().isNull(), "at least, nothing fails"


def test_a_symbol_has_the_same_colour_after_itself(qapp: QApplication) -> None:
    theme = Theme("light")
    chips, picture = TokenChips(theme.token_palette()), QImage(60, 20, QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        chips.paint(painter, [(b"a", QRectF(20 * place, 0, 18, 20)) for place in range(3)], has_marker=False)
    assert len({picture.pixelColor(20 * place + 9, 1).name() for place in range(3)}) == 1


def test_bytes_are_split_from_text() -> None:
    assert list(stretches("é".encode() + b"\xf0\x9f x")) == [("é", False), (r"\xf0\x9f", True), ("·x", False)]


# -- what fits --------------------------------------------------------------------------------------------------------


def test_the_parts_of_a_pair_are_never_elided_where_the_result_can_be(panel: MergesPanel, session: Session) -> None:
    session.corpus.set_recipe(Recipe.of("cs336"))
    open_text(session, "tokenizer tokenizes tokenized " * 4)
    session.cursor.seek(6)
    view = table(panel, "pairTable")
    for column in (PairColumn.LEFT, PairColumn.RIGHT, PairColumn.MERGED):
        assert view.columnWidth(column) >= view.chips.needed_width(
            [view.table_model.rows[row] for row in range(3)], column
        )


@pytest.mark.parametrize("parts", [(b" Emmy", b"lou"), ("\u05d0\u05d1".encode(), "\u05d2".encode())])
@pytest.mark.usefixtures("qapp")
def test_a_merge_that_does_not_nearly_fit_is_its_token_with_a_seam(parts: tuple[bytes, bytes]) -> None:
    chips, token = TokenChips(Theme("light").token_palette()), b"".join(parts)
    merge = Chips((*parts, token))
    image = QImage(400, 20, QImage.Format.Format_ARGB32)
    with QPainter(image) as painter:
        boxes = chips.paint_row(painter, QRectF(0, 0, chips.row_width(merge), 20), merge)
        assert [box.width() for box in boxes] == pytest.approx([chips.width(each, False) for each in merge.tokens])
        nearly = chips.paint_row(painter, QRectF(0, 0, 0.9 * chips.row_width(merge), 20), merge)
        assert len(nearly) == 3 and nearly[-1].right() == pytest.approx(0.9 * chips.row_width(merge))
        (box,) = chips.paint_row(painter, QRectF(0, 0, 0.7 * chips.row_width(merge), 20), merge)
        (narrow,) = chips.paint_row(painter, QRectF(0, 0, 20, 20), merge)
    assert box.width() > chips.width(token, False)
    assert narrow.width() == 20
    seam = chips.seam(merge)
    assert seam is not None and 0 < seam < chips.width(token, False)


@pytest.mark.usefixtures("qapp")
def test_bytes_that_make_a_character_have_no_seam() -> None:
    chips = TokenChips(Theme("light").token_palette())
    assert chips.seam(Chips((b"\xe4\xbd", b"\xa0", b"\xe4\xbd\xa0"))) is None


def test_the_largest_counts_fit_their_columns(panel: MergesPanel, session: Session, qtbot: QtBot) -> None:
    open_text(session, "a " * 176_012)
    view = table(panel, "wordTable")
    qtbot.waitUntil(lambda: view.model().rowCount() == 1)
    assert view.model().index(0, 1).data() == number(176_012)
    assert view.columnWidth(1) >= view.fontMetrics().horizontalAdvance(number(176_012)) + 12


def test_the_first_row_is_never_clipped(panel: MergesPanel, session: Session) -> None:
    open_text(session, "the quick brown fox jumps over the lazy dog and then over the lazy fox " * 3)
    for position in (1, 9, 14, 20, 6):
        session.cursor.seek(position)
        view = table(panel, "mergeTable")
        assert view.rowViewportPosition(view.rowAt(0)) == 0


def test_the_reason_paints_the_merge_and_tells_the_sentence(panel: MergesPanel, session: Session) -> None:
    open_text(session)
    label = child(panel, ReasonLabel, "reasonLabel")
    assert "is next" in label.text()
    assert "most frequent" in label.toolTip() or "Tied with" in label.toolTip()
    height = label.height()
    painted = label.grab().toImage()
    session.cursor.step()
    assert label.grab().toImage() != painted
    session.cursor.last()
    assert "There is nothing left to merge" in label.text() or "is next" in label.text()
    assert label.height() == height


def test_tables_say_whether_words_are_counted_or_were_not(
    panel: MergesPanel, session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints = [child(panel, Table, name) for name in ("wordTable", "mergeTable")]
    assert [each.hint for each in hints] == ["No words yet.", "No merges yet."]
    with monkeypatch.context() as patch:
        patch.setattr(RunInputs, "count", wait_to_be_cancelled)
        document = CorpusDocument("gone.txt", FileDocument(tmp_path / "gone.txt"))
        session.corpus.add_documents([document], instead=True)
        qtbot.waitUntil(lambda: session.work.activity is Activity.COUNTING)
        assert {each.hint for each in hints} == {"Counting the words in the corpus…"}
        session.work.cancel()
        qtbot.waitUntil(lambda: session.counts.error is not None)
        assert {each.hint for each in hints} == {"No words: the corpus was not counted."}
    session.restart()
    assert {each.hint for each in hints} == {"Counting the words in the corpus…"}
    qtbot.waitUntil(lambda: session.counts.error is not None)
    assert {each.hint for each in hints} == {"No words: the corpus was not counted."}
    assert "No such file or directory" in label_text(panel, "reasonLabel")
