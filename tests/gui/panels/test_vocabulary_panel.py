"""The vocabulary table: its contents, search and sorting, and that a hidden one does no work."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Plan, TextDocument, Tokenizer, TokenizerSource, save, train
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.panels.vocabulary_panel import VocabularyPanel
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.vocabulary_model import VocabularyColumn, VocabularyModel
from tests.gui.support.widgets import child

TOOL_TIP = Qt.ItemDataRole.ToolTipRole
ALIGNMENT = Qt.ItemDataRole.TextAlignmentRole
HORIZONTAL = Qt.Orientation.Horizontal
DESCENDING = Qt.SortOrder.DescendingOrder
ID, TOKEN, HEX, BYTES, STEP = VocabularyColumn


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train("low low low lower lower Widest newest", num_merges=6, special_tokens=["<|end|>"])


@pytest.fixture
def model(tokenizer: Tokenizer, qapp: QApplication) -> VocabularyModel:
    model = VocabularyModel(Theme("light"))
    model.set_tokenizer(tokenizer)
    return model


@pytest.fixture
def session() -> Session:
    session = Session()
    session.corpus.add_documents([CorpusDocument("corpus", TextDocument("low low low lower lower widest newest"))])
    session.cursor.seek(4)
    return session


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> VocabularyPanel:
    panel = VocabularyPanel(session, Theme("light"))
    qtbot.addWidget(panel)
    panel.resize(330, 260)
    return panel


def shown(model: VocabularyModel, column: int) -> list[str]:
    return [str(model.data(model.index(row, column))) for row in range(model.rowCount())]


def ids(model: VocabularyModel) -> list[int]:
    return [int(text) for text in shown(model, ID)]


def table(panel: VocabularyPanel) -> QTableView:
    return child(panel, QTableView, "vocabularyTable")


def model_of(panel: VocabularyPanel) -> VocabularyModel:
    model = table(panel).model()
    assert isinstance(model, VocabularyModel)
    return model


def filter_field(panel: VocabularyPanel) -> QLineEdit:
    return child(panel, QLineEdit, "vocabularyFilter")


def footer(panel: VocabularyPanel) -> str:
    label = child(panel, QLabel, "vocabularySummary")
    return label.text()


# -- the model ------------------------------------------------------------------------------------------------------


def test_every_entry_is_a_row(model: VocabularyModel, tokenizer: Tokenizer) -> None:
    assert ids(model) == sorted(tokenizer.vocab)
    row = model.row_of(next(i for i, token in tokenizer.vocab.items() if token == b"low"))
    assert row is not None
    cells = {column: model.data(model.index(row, column)) for column in (TOKEN, HEX, BYTES, STEP)}
    assert cells == {TOKEN: "low", HEX: "6c 6f 77", BYTES: "3", STEP: "2"}


def test_alphabet_and_special_tokens_have_no_step(model: VocabularyModel, tokenizer: Tokenizer) -> None:
    steps = dict(zip(ids(model), shown(model, STEP), strict=True))
    assert steps[0] == "alphabet"
    assert steps[tokenizer.special_tokens["<|end|>"]] == "special"


def test_without_a_tokenizer_there_are_no_rows(model: VocabularyModel) -> None:
    model.set_tokenizer(None)
    assert model.rowCount() == model.size == 0
    assert model.token_id(0) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("low", ["low", "·low"]),
        (" low", ["·low"]),
        ("·low", ["·low"]),
        ("<|e", ["<|end|>"]),
        ("6f 77", ["ow", "low", "·low"]),
        ("6C6F77", ["low", "·low"]),
        ("\\xe4", ["\\xe4"]),
        ("nothing", []),
    ],
)
def test_the_filter_matches_text_and_hex(model: VocabularyModel, text: str, found: list[str]) -> None:
    model.set_filter(text)
    assert shown(model, TOKEN) == found


def test_the_filter_matches_an_id(model: VocabularyModel) -> None:
    model.set_filter("257")
    assert ids(model) == [257]


@pytest.mark.parametrize("text", ["²", "٣", "9" * 5000, "\ud800", "6", "\\"])
def test_unusual_filters_are_harmless(model: VocabularyModel, text: str) -> None:
    model.set_filter(text)
    model.set_filter("")
    assert model.rowCount() == model.size


@pytest.mark.parametrize(
    ("text", "found"),
    [("l + ow", ["low"]), ("o + w", ["ow"]), (" + ow", ["low", "·low"]), ("lo + w", []), ("zz + ", [])],
)
def test_the_filter_matches_the_parts_of_a_token(model: VocabularyModel, text: str, found: list[str]) -> None:
    model.set_filter(text)
    assert shown(model, TOKEN) == found


def test_a_filter_with_upper_case_is_case_sensitive(model: VocabularyModel) -> None:
    model.set_filter("w")
    assert shown(model, TOKEN) == ["W", "w", "ow", "low", "·low"]
    model.set_filter("W")
    assert shown(model, TOKEN) == ["W"]


@pytest.mark.parametrize("column", list(VocabularyColumn))
def test_columns_sort_both_ways(model: VocabularyModel, tokenizer: Tokenizer, column: VocabularyColumn) -> None:
    special = set(tokenizer.special_tokens.values())

    def key(token_id: int) -> object:
        rank = tokenizer.rank(token_id)
        step = -1 if rank is None else rank
        steps = -0.5 if token_id in special else step
        token = tokenizer.vocab[token_id]
        return {ID: token_id, TOKEN: token, HEX: token, BYTES: len(token), STEP: steps}[column]

    model.sort(column)
    ascending = [key(token_id) for token_id in ids(model)]
    assert ascending == sorted(ascending)  # type: ignore[type-var]
    model.sort(column, DESCENDING)
    assert [key(token_id) for token_id in ids(model)] == ascending[::-1]


def test_sorting_keeps_the_filter(model: VocabularyModel) -> None:
    model.set_filter("low")
    model.sort(BYTES, DESCENDING)
    assert shown(model, TOKEN) == ["·low", "low"]


def test_columns_explain_themselves(model: VocabularyModel) -> None:
    for column in range(model.columnCount()):
        assert model.headerData(column, HORIZONTAL)
        assert model.headerData(column, HORIZONTAL, TOOL_TIP)
        assert model.headerData(column, HORIZONTAL, ALIGNMENT) == model.data(model.index(0, column), ALIGNMENT)
    assert model.data(model.index(0, HEX), TOOL_TIP) == "00"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


# -- the panel ------------------------------------------------------------------------------------------------------


def test_a_hidden_panel_does_no_work(panel: VocabularyPanel, session: Session, qtbot: QtBot) -> None:
    session.cursor.step()
    assert model_of(panel).size == 0
    with qtbot.waitExposed(panel):
        panel.show()
    assert model_of(panel).size == 256 + 5
    panel.hide()
    session.cursor.step()
    assert model_of(panel).size == 256 + 5
    panel.show()
    assert model_of(panel).size == 256 + 6


def test_the_table_follows_the_cursor(panel: VocabularyPanel, session: Session) -> None:
    panel.show()
    assert footer(panel) == "260 entries"
    session.cursor.seek(0)
    assert footer(panel) == "256 entries"


def test_the_table_is_empty_without_a_run(panel: VocabularyPanel, session: Session) -> None:
    panel.show()
    session.corpus.remove_document(0)
    session.restart()
    assert footer(panel) == "0 entries"


def test_the_summary_counts_the_rows(panel: VocabularyPanel) -> None:
    panel.show()
    QTest.keyClicks(filter_field(panel), "low")
    assert footer(panel) == "2 of 260 entries · 7 bytes"


def test_the_summary_adds_up_the_selected_rows(panel: VocabularyPanel, session: Session, qtbot: QtBot) -> None:
    panel.show()
    table(panel).sortByColumn(ID, Qt.SortOrder.AscendingOrder)
    session.text.set_content("abc abd")
    table(panel).selectRow(97)  # a
    assert footer(panel) == "260 entries"
    table(panel).setFocus()
    QTest.keyClick(table(panel), Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: footer(panel) == "2 of 260 selected · 2 bytes · 57.1% of your text")
    session.text.set_content("xa")
    qtbot.waitUntil(lambda: footer(panel) == "2 of 260 selected · 2 bytes · 50.0% of your text")
    table(panel).selectAll()
    qtbot.waitUntil(lambda: footer(panel).startswith("260 of 260 selected · "))
    table(panel).clearSelection()
    qtbot.waitUntil(lambda: footer(panel) == "260 entries")


def test_the_selection_stays_with_its_entry(panel: VocabularyPanel, session: Session) -> None:
    panel.show()
    row = model_of(panel).row_of(99)  # the byte of c
    assert row is not None
    table(panel).selectRow(row)
    table(panel).verticalScrollBar().setValue(100)
    session.cursor.step()
    assert table(panel).verticalScrollBar().value() == 101  # below the new entry, nothing moves
    filter_field(panel).setText("c")
    assert table(panel).currentIndex().data() == "99"
    filter_field(panel).setText("")
    assert table(panel).currentIndex().row() == row + 1


def test_the_newest_entries_come_first_and_the_bytes_last(panel: VocabularyPanel, session: Session) -> None:
    panel.show()
    for position in (4, 3, 4):
        session.cursor.seek(position)
        steps = shown(model_of(panel), STEP)
        assert steps == [*map(str, range(position, 0, -1)), *["alphabet"] * 256]
        assert table(panel).verticalScrollBar().value() == 0
    alphabet = shown(model_of(panel), TOKEN)[4:]
    assert alphabet[:2] == ["A", "B"]
    assert alphabet.index("z") < alphabet.index("0") < alphabet.index("~") < alphabet.index("\\x00")


def test_arrow_keys_in_the_filter_move_in_the_table(panel: VocabularyPanel) -> None:
    panel.show()
    field = filter_field(panel)
    QTest.keyClicks(field, "low")
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert table(panel).currentIndex().row() == 0
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert table(panel).currentIndex().row() == 1
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert model_of(panel).rowCount() == 260


def test_tokens_have_the_font_of_the_theme(session: Session, qtbot: QtBot) -> None:
    theme = Theme("light")
    panel = VocabularyPanel(session, theme)
    qtbot.addWidget(panel)
    panel.show()
    theme.set_token_size(24)
    model = model_of(panel)
    font = model.data(model.index(0, TOKEN), Qt.ItemDataRole.FontRole)
    assert font == theme.token_font()
    assert table(panel).rowHeight(0) >= panel.fontMetrics().height()


def test_long_ids_stay_whole_when_the_theme_changes(session: Session, qtbot: QtBot) -> None:
    session.apply_plan(Plan(ids={bytes([byte]): 10_000_000 + byte for byte in range(256)}))
    theme = Theme("light")
    panel = VocabularyPanel(session, theme)
    qtbot.addWidget(panel)
    panel.show()
    needed = child(panel, Table, "vocabularyTable").width_of("10000000")
    assert table(panel).columnWidth(ID) >= needed
    theme.changed.emit()
    assert table(panel).columnWidth(ID) >= needed


def test_numbers_of_late_steps_stay_whole(qtbot: QtBot, tmp_path: Path) -> None:
    pairs = [(bytes([left]), bytes([right])) for left in range(256) for right in range(256)]
    pairs += [(left + right, b"a") for left, right in pairs[:40_000]]
    vocab = [bytes([byte]) for byte in range(256)] + [left + right for left, right in pairs]
    session = Session()
    panel = VocabularyPanel(session, Theme("light"))
    qtbot.addWidget(panel)
    panel.show()
    save(Tokenizer(dict(enumerate(vocab)), pairs), tmp_path, "huggingface")
    session.opened.open(TokenizerSource(tmp_path))
    model = model_of(panel)
    qtbot.waitUntil(lambda: model.data(model.index(0, STEP)) == "105,536")
    assert table(panel).columnWidth(STEP) >= child(panel, Table, "vocabularyTable").width_of("105,536")
