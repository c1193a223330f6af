"""The text, the ids and the facts about a token follow one another in the real window."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Recipe, Tokenizer, train
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.tables.replay_view import ReplayColumn
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.id_lists import IdStyle, format_ids
from bpe_gui.gui.views.plain_text_edit import PlainTextEdit
from tests.gui.support.token_edits import cells_of, selected_text
from tests.gui.support.widgets import child, label_text
from tests.gui.support.windows import (
    CONTROL,
    LEFT,
    SHIFT,
    editor,
    ids,
    move_mouse,
    notices,
    open_page,
    point_on_token,
    press,
    summary,
)

TEXT = "lowest newest lowest"  # low est · newest · low est
OUTSIDE = QPoint(5, 150)


@pytest.fixture
def window(window: MainWindow) -> MainWindow:
    window.session.cursor.seek(12)
    window.session.text.set_content(TEXT)
    return window


def tokenizer(window: MainWindow) -> Tokenizer:
    found = window.session.cursor.tokenizer
    assert found is not None
    return found


def spans(window: MainWindow) -> list[tuple[int, int]]:
    encoding = window.session.text.live.encoding
    assert encoding is not None
    return encoding.byte_spans


def painted(widget: QWidget) -> bytes:
    image = widget.grab().toImage()
    return bytes(image.constBits())


def table(window: MainWindow, name: str) -> list[list[str]]:
    """Return the texts of a table, row by row."""
    model = child(window, QTableView, name).model()
    columns, rows = range(model.columnCount()), range(model.rowCount())
    return [[str(model.index(row, column).data()) for column in columns] for row in rows]


def choose_row(window: MainWindow, name: str, row: int) -> None:
    view = child(window, QTableView, name)
    view.scrollTo(view.model().index(row, 0))
    point = view.visualRect(view.model().index(row, 0)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=point)


# -- hover ----------------------------------------------------------------------------------------------------------


def test_hovering_a_token_highlights_its_id_and_inspects_it(qtbot: QtBot, window: MainWindow) -> None:
    idle = painted(ids(window).viewport())
    move_mouse(editor(window).viewport(), point_on_token(window, 1))
    assert painted(ids(window).viewport()) != idle
    assert label_text(window, "inspectorBytes") == "65 73 74 (3 bytes)"
    move_mouse(editor(window).viewport(), OUTSIDE)
    qtbot.waitUntil(lambda: painted(ids(window).viewport()) == idle)
    assert label_text(window, "inspectorBytes").startswith("6c 6f 77")


def test_hovering_an_id_highlights_its_token_and_inspects_it(qtbot: QtBot, window: MainWindow) -> None:
    idle = painted(editor(window).viewport())
    move_mouse(ids(window).viewport(), ids(window).cell_rect(1).center())
    assert painted(editor(window).viewport()) != idle
    assert label_text(window, "inspectorBytes") == "65 73 74 (3 bytes)"
    move_mouse(ids(window).viewport(), QPoint(1, 1))
    qtbot.waitUntil(lambda: painted(editor(window).viewport()) == idle)
    assert label_text(window, "inspectorBytes").startswith("6c 6f 77")


# -- caret ----------------------------------------------------------------------------------------------------------


def test_moving_the_caret_selects_the_id(window: MainWindow) -> None:
    seen = []
    for _ in "lowest new":
        seen.append(ids(window).current)
        press(window, "encodeInput", Qt.Key.Key_Right)
    assert seen == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2], "where no token begins, it is the one that ends"
    assert window.session.cursor.position == 12, "the arrows moved the caret, not the run"


def test_arrow_keys_among_the_ids_move_the_caret(window: MainWindow) -> None:
    press(window, "tokenIdView", Qt.Key.Key_Home)
    press(window, "tokenIdView", Qt.Key.Key_Right)
    assert ids(window).current == 1
    assert label_text(window, "inspectorBytes") == "65 73 74 (3 bytes)"
    assert editor(window).selection.caret == 3


# -- selection ------------------------------------------------------------------------------------------------------


def test_a_selection_in_the_text_is_counted_and_selects_the_ids(window: MainWindow) -> None:
    press(window, "encodeInput", Qt.Key.Key_Right, SHIFT)
    assert summary(window) == "selected: 1 token, 1 character"
    for _ in range(4):
        press(window, "encodeInput", Qt.Key.Key_Right, SHIFT)
    assert summary(window) == "selected: 2 tokens, 5 characters"
    assert ids(window).selection == range(0, 2)
    press(window, "encodeInput", Qt.Key.Key_Right)
    assert summary(window) == ""
    assert len(ids(window).selection) == 0


def test_extending_a_selection_of_ids_by_keys(window: MainWindow) -> None:
    press(window, "tokenIdView", Qt.Key.Key_Home)
    for last in (2, 3, 4):
        press(window, "tokenIdView", Qt.Key.Key_Right, SHIFT)
        assert ids(window).selection == range(0, last)
        assert editor(window).selection.span == (0, spans(window)[last - 1][1])
        assert f"selected: {last} tokens" in summary(window)
    press(window, "tokenIdView", Qt.Key.Key_Left, SHIFT)
    assert ids(window).selection == range(0, 3)


def test_extending_a_selection_of_ids_by_dragging(window: MainWindow) -> None:
    viewport = ids(window).viewport()
    QTest.mousePress(viewport, LEFT, pos=ids(window).cell_rect(1).center())
    for number in (2, 3, 4):
        move_mouse(viewport, ids(window).cell_rect(number).center(), LEFT)
    QTest.mouseRelease(viewport, LEFT, pos=ids(window).cell_rect(4).center())
    assert ids(window).selection == range(1, 5)
    assert editor(window).selection.span == (spans(window)[1][0], spans(window)[4][1])


def test_selecting_all_ids_selects_the_whole_text(window: MainWindow) -> None:
    press(window, "tokenIdView", Qt.Key.Key_A, CONTROL)
    assert selected_text(editor(window)) == TEXT


# -- equal tokens ---------------------------------------------------------------------------------------------------


def test_return_marks_ids_equal_to_the_current_one(window: MainWindow) -> None:
    press(window, "tokenIdView", Qt.Key.Key_Home)
    press(window, "tokenIdView", Qt.Key.Key_Return)
    assert summary(window) == "“low”: 2 times in this text"


# -- decoding, copying, pictures ------------------------------------------------------------------------------------


def decode(qtbot: QtBot, window: MainWindow, text: str) -> QDialog:
    press(window, "decodeIdsButton", Qt.Key.Key_Space)
    dialog = child(window, QDialog, "decodeDialog")
    child(dialog, PlainTextEdit, "decodeInput").setPlainText(text)
    qtbot.waitUntil(lambda: bool(label_text(dialog, "decodeReport")))
    return dialog


def test_decoded_ids_become_the_text(qtbot: QtBot, window: MainWindow) -> None:
    given = tokenizer(window).encode("newest")
    dialog = decode(qtbot, window, str(given))
    qtbot.waitUntil(lambda: label_text(dialog, "decodeReport") == "Encoding this text gives the same ids.")
    press(dialog, "decodeUseButton", Qt.Key.Key_Space)
    assert editor(window).toPlainText() == window.session.text.content == "newest"
    assert window.session.text.live.encoding is not None
    assert window.session.text.live.encoding.ids == given


def test_ids_are_copied_in_each_style(window: MainWindow) -> None:
    for style in (IdStyle.LIST, IdStyle.JSON, IdStyle.PYTHON, IdStyle.NUMPY):
        way = window.findChild(QAction, f"copyIdsAs{style.name.capitalize()}")
        assert way is not None, style
        way.trigger()
        assert QGuiApplication.clipboard().text() == format_ids(tokenizer(window).encode(TEXT), style), style


def test_the_copy_button_copies_all_ids_and_the_keys_copy_the_selection(window: MainWindow) -> None:
    press(window, "copyIdsButton", Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == str(tokenizer(window).encode(TEXT))
    press(window, "tokenIdView", Qt.Key.Key_Home)
    press(window, "tokenIdView", Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == str(tokenizer(window).encode("low"))


def test_a_picture_of_the_selection_can_be_copied(qtbot: QtBot, window: MainWindow) -> None:
    editor(window).set_selection(0, 6)
    press(window, "pictureButton", Qt.Key.Key_Space)
    dialog = child(window, QDialog, "pictureDialog")
    press(dialog, "pictureCopyButton", Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    dialog.reject()


# -- the pages ------------------------------------------------------------------------------------------------------


def test_replay_follows_the_caret_and_steps_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    open_page(window, "Encoding")
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "lowest")
    editor(window).set_caret(7)
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "newest")
    end = len(tokenizer(window).trace("newest")[0].steps)
    for key, position in (
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_End, end),
    ):
        press(window, "replayTable", key)
        assert label_text(window, "replayPositionLabel") == f"merge {position} of {end}"
    assert window.session.cursor.position == 12, "the keys went through the word, not through the run"


def test_a_symbol_that_is_chosen_in_the_replayed_word_leaves_the_word(qtbot: QtBot, window: MainWindow) -> None:
    open_page(window, "Encoding")
    editor(window).set_caret(7)
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "newest")
    replay = child(window, Table, "replayTable")
    replay.scrollToTop()
    cell = replay.visualRect(replay.model().index(0, ReplayColumn.SYMBOLS))
    QTest.mouseClick(replay.viewport(), LEFT, pos=QPoint(cell.left() + 14, cell.center().y()))
    assert window.session.selection.token == b"n"
    window.session.cursor.seek(0)
    qtbot.waitUntil(lambda: replay.model().rowCount() == 1)
    assert label_text(window, "replayWordLabel") == "newest"
    window.session.selection.select_token(b"w")
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "w")


@pytest.mark.parametrize("part", [0.2, 0.9])
def test_the_word_that_was_clicked_is_the_one_explained(qtbot: QtBot, window: MainWindow, part: float) -> None:
    open_page(window, "Token")
    edit = editor(window)
    index = next(number for number, (start, _stop) in enumerate(spans(window)) if start == 3)
    cell = next(cell for cell in cells_of(edit) if cell.index == index).rects[0]
    QTest.mouseClick(edit.viewport(), LEFT, pos=QPointF(cell.x() + part * cell.width(), cell.center().y()).toPoint())
    assert window.session.selection.selected is not None
    open_page(window, "Encoding")
    move_mouse(edit.viewport(), QPoint(-50, -50))
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "lowest")


def test_replay_of_a_word_split_by_the_users_pattern(qtbot: QtBot, window: MainWindow) -> None:
    window.session.corpus.set_recipe(Recipe(splitter=r"\S+"))
    window.restart()
    qtbot.waitUntil(lambda: window.session.text.live.encoding is not None)
    open_page(window, "Encoding")
    editor(window).set_caret(7)
    qtbot.waitUntil(lambda: label_text(window, "replayWordLabel") == "newest")


def test_lineage_shows_the_parts_and_the_words_of_the_corpus(qtbot: QtBot, window: MainWindow) -> None:
    open_page(window, "Lineage")
    editor(window).set_caret(3)
    qtbot.waitUntil(lambda: [row[0] for row in table(window, "lineageTree")] == ["est", "e", "st", "s", "t"])
    words = {row[0]: row[1] for row in table(window, "lineageWordTable")}
    assert words.keys() == {"newest", "widest"}


def test_choosing_a_part_in_the_lineage_marks_its_tokens(qtbot: QtBot, window: MainWindow) -> None:
    window.session.text.set_content("est st")
    open_page(window, "Lineage")
    qtbot.waitUntil(lambda: len(table(window, "lineageTree")) == 5)
    choose_row(window, "lineageTree", 2)
    assert summary(window) == "“st”: once in this text"
    press(window, "lineageTree", Qt.Key.Key_Home)
    press(window, "lineageTree", Qt.Key.Key_Return)
    assert summary(window) == "“est”: once in this text"


def test_the_words_of_a_lineage_are_those_of_the_chosen_part(qtbot: QtBot, window: MainWindow) -> None:
    def words() -> set[str]:
        return {row[0] for row in table(window, "lineageWordTable")}

    window.session.text.set_content("widest")
    open_page(window, "Lineage")
    window.session.selection.select_token(b"widest")
    window.session.cursor.last()
    qtbot.waitUntil(lambda: words() == {"widest"})
    tree = [row[0] for row in table(window, "lineageTree")]
    choose_row(window, "lineageTree", tree.index("est"))
    qtbot.waitUntil(lambda: words() == {"widest", "newest"})
    assert [row[0] for row in table(window, "lineageTree")] == tree


def test_metrics_compare_the_present_step_with_the_last(qtbot: QtBot, window: MainWindow) -> None:
    open_page(window, "Numbers")
    window.session.cursor.seek(4)
    now, final = tokenizer(window).encode(TEXT), window.session.cursor.trainer
    assert final is not None
    qtbot.waitUntil(lambda: label_text(window, "tokensNow") == str(len(now)))
    assert label_text(window, "nowHead") == "step 4"
    assert label_text(window, "finalHead") == "latest 12"
    assert label_text(window, "tokensFinal") == str(len(final.tokenizer(12).encode(TEXT)))


def test_choosing_a_line_among_the_metrics_moves_the_caret(qtbot: QtBot, window: MainWindow) -> None:
    window.session.text.set_content("low\nnewest\n你好\nlowest")
    open_page(window, "Numbers")
    lines = window.session.text.content.splitlines()
    qtbot.waitUntil(lambda: [row[1] for row in table(window, "lineNumbersTable")] == lines)
    choose_row(window, "lineNumbersTable", 3)
    assert editor(window).selection.caret == len("low\nnewest\n你好\n".encode())


# -- looks and steps ------------------------------------------------------------------------------------------------


def test_a_toggle_changes_the_look_and_back(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "encodeInput", Qt.Key.Key_Home)
    for name in ("wordBoundariesButton", "whitespaceButton", "colorModeButton"):
        button = child(window, QAbstractButton, name)
        button.setFocus()
        before, was_checked = painted(editor(window).viewport()), button.isChecked()
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert button.isChecked() is not was_checked, name
        assert painted(editor(window).viewport()) != before, name
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert button.isChecked() is was_checked, name
        qtbot.waitUntil(lambda: painted(editor(window).viewport()) == before)  # noqa: B023


def test_a_step_keeps_the_caret_the_selection_and_the_scroll_position(window: MainWindow) -> None:
    window.session.text.set_content("lowest newest\n" * 300)
    editor(window).set_selection(2_100, 2_106)
    tokens = len(spans(window))
    bar = editor(window).verticalScrollBar()
    bar.setValue(bar.value() + 3)
    before = editor(window).selection, bar.value()
    assert bar.value() > 0
    for step in (window.session.cursor.step_back, window.session.cursor.first, window.session.cursor.last):
        step()
        assert (editor(window).selection, bar.value()) == before
        start, stop = ids(window).selection.start, ids(window).selection.stop
        assert (spans(window)[start][0], spans(window)[stop - 1][1]) == (2_100, 2_106)
    assert len(spans(window)) == tokens
    window.session.cursor.first()
    assert len(spans(window)) > tokens


def test_the_lineage_of_the_token_at_the_caret_as_a_picture(window: MainWindow) -> None:
    press(window, "encodeInput", Qt.Key.Key_Home)
    button = child(window, QAbstractButton, "lineagePictureButton")
    assert not button.isVisible()
    open_page(window, "Lineage")
    QTest.mouseClick(button, LEFT)
    dialog = child(window, QDialog, "lineagePictureDialog")
    assert dialog.isVisible()
    child(dialog, QPushButton, "pictureCopyButton").click()
    assert QGuiApplication.clipboard().image().width() > 2 * 100
    dialog.close()


def test_a_notice_tells_of_copied_symbols_without_an_id(window: MainWindow) -> None:
    window.session.text.set_content("low ✓")
    toy = train("low low low", recipe="cs336-toy", num_merges=2)
    window.session.text.encode_with(toy)
    press(window, "copyIdsButton", Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text().endswith("-1]")
    assert notices(window) == ["1 symbol has no id, so -1 stands for it in what was copied: ✓"]
