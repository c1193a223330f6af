"""Tokens of every script: those read from right to left do not reverse a row, and marks stay in their boxes."""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Corpus, EngineError, LiveText, Recipe, Tokenizer, Trainer, isolated, without_isolates
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.tables.lineage_view import LineageView
from bpe_gui.gui.tables.merge_model import MergeColumn, MergeModel
from bpe_gui.gui.tables.replay_view import ReplayColumn, ReplayView
from bpe_gui.gui.tables.symbols_delegate import SymbolsDelegate
from bpe_gui.gui.tables.table import RowStyle, Table
from bpe_gui.gui.tables.table_model import Column, MarkedSymbols, TableModel
from bpe_gui.gui.tables.word_model import WordModel
from bpe_gui.gui.views.editor.token_layer import token_tip
from bpe_gui.gui.views.token_chips import TokenTexts
from bpe_gui.gui.views.token_inspector import InspectedToken, TokenInspector
from bpe_gui.gui.views.tokens import Token
from bpe_gui.gui.wording.run_texts import step_reason
from bpe_gui.gui.wording.sentences import error_message
from tests.gui.support.reading_order import is_in_order, is_in_order_as_markdown, parts_of
from tests.gui.support.widgets import child

DISPLAY = Qt.ItemDataRole.DisplayRole
TOOL_TIP = Qt.ItemDataRole.ToolTipRole

TEXTS = {
    "Hebrew": "שלום שלום שלומות שלום",
    "Arabic": "السلام السلام سلام سلامات السلام",
    "Arabic digits": "١٢٣ ١٢٣٤ ١٢٣ ١٢",
    "mixed": "aבג aבגד 1בג בגa (בג) aבג",
    "points": "נִקּוּד נִקּוּד סَלָامٌ נִקּ",
}


@pytest.fixture(params=list(TEXTS))
def trainer(request: pytest.FixtureRequest) -> Trainer:
    """Return a run on a text that is read from right to left, in characters."""
    recipe = Recipe.of("cs336-toy")
    made = Trainer(Corpus.from_text(TEXTS[request.param]).count(recipe), recipe)
    made.seek(6)
    return made


@pytest.fixture
def tokenizer(trainer: Trainer) -> Tokenizer:
    return trainer.tokenizer()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


def longest_token(tokenizer: Tokenizer) -> int:
    return max(tokenizer.vocab, key=lambda token_id: len(tokenizer.vocab[token_id]))


def cells(model: TableModel[Any], column: int, role: Qt.ItemDataRole = DISPLAY) -> list[str]:
    """Return the texts of a column, of which there is at least one."""
    found = [str(model.index(row, column).data(role) or "") for row in range(model.rowCount(QModelIndex()))]
    assert found
    return found


def in_other_scripts(lines: Iterable[str]) -> list[str]:
    """Return the lines that are not ASCII, of which there is at least one."""
    found = [line for line in lines if not line.isascii()]
    assert found
    return found


def test_without_isolates_a_row_is_turned_around(qapp: QApplication) -> None:
    assert not is_in_order("א + ב → אב")
    assert not is_in_order_as_markdown("`א` + `ב` is next")


# -- rows and sentences -----------------------------------------------------------------------------------------------


def test_merges_are_in_order(theme: Theme, trainer: Trainer) -> None:
    model = MergeModel(theme)
    model.refresh(trainer)
    rows = in_other_scripts(cells(model, MergeColumn.MERGE))
    assert all(len(parts_of(row)) == 5 for row in rows), "left + right → token"
    assert all(map(is_in_order, rows))
    assert all(is_in_order(tip.splitlines()[0]) for tip in cells(model, MergeColumn.MERGE, TOOL_TIP))


def test_the_reason_for_a_step_is_in_order(qapp: QApplication, trainer: Trainer) -> None:
    reasons = [step_reason(trainer)]
    while trainer.step_back():
        reasons.append(step_reason(trainer))
    assert all(map(is_in_order_as_markdown, in_other_scripts(reasons)))


def test_a_replay_is_in_order(qtbot: QtBot, theme: Theme, tokenizer: Tokenizer) -> None:
    view = ReplayView(theme)
    qtbot.addWidget(view)
    view.show_word(tokenizer.trace(tokenizer.token(longest_token(tokenizer)).decode())[0])
    model = child(view, Table, "replayTable").table_model
    assert all(map(is_in_order, in_other_scripts(cells(model, ReplayColumn.MERGE)[:-1])))
    assert is_in_order(cells(model, ReplayColumn.SYMBOLS)[0])


def test_the_facts_about_a_token_are_in_order(qtbot: QtBot, tokenizer: Tokenizer) -> None:
    inspector = TokenInspector()
    qtbot.addWidget(inspector)
    token_id = longest_token(tokenizer)
    text = tokenizer.token(token_id)
    inspector.show_token(InspectedToken(token_id, False, text, 0, len(text), QColor("red")), tokenizer, 6)
    for name in ("inspectorOrigin", "inspectorParts"):
        label = child(inspector, QLabel, name)
        assert all(map(is_in_order, in_other_scripts(label.text().splitlines())))


def test_the_tooltips_of_a_lineage_and_of_words_are_in_order(qtbot: QtBot, theme: Theme, trainer: Trainer) -> None:
    tokenizer = trainer.tokenizer()
    view, words = LineageView(theme), WordModel(theme)
    qtbot.addWidget(view)
    view.show_lineage(tokenizer.lineage(longest_token(tokenizer)))
    words.refresh(trainer, None)
    tips = [*cells(child(view, Table, "lineageTree").table_model, 0, TOOL_TIP), *cells(words, 0, TOOL_TIP)]
    assert all(map(is_in_order, in_other_scripts(line for tip in tips for line in tip.splitlines())))


def test_a_tooltip_and_an_error_are_in_order(qapp: QApplication) -> None:
    tip = token_tip(Token(7, 0, 3, False, False, "אב"), LiveText("אב"), ["ב"])
    assert is_in_order(tip.split("<br>")[-1].removesuffix("</p>"))
    assert is_in_order(error_message(EngineError("{path} and {other} are empty.", path="אב", other="גד")))


# -- boxes ------------------------------------------------------------------------------------------------------------


def test_a_token_has_its_own_direction_in_its_box(theme: Theme) -> None:
    texts = TokenTexts(theme.token_font())

    def shown(symbol: bytes) -> list[str]:
        return [without_isolates(piece.text) for piece in texts[symbol, False].pieces]

    assert shown("א".encode() + b"\xd7") == [r"\xd7", "א"], "from the right, as Hebrew is read"
    assert shown(b"a\xd7") == ["a", r"\xd7"]


def test_an_elided_token_keeps_its_direction(theme: Theme) -> None:
    texts = TokenTexts(theme.token_font())
    text = texts[("שלום" * 20).encode(), False]
    (piece,) = texts.elided(text, text.width / 3)
    assert piece.text == isolated(without_isolates(piece.text))
    assert "…" in piece.text


@pytest.mark.parametrize("token", ["今天天气很好", " Contribution"])
def test_an_elided_token_keeps_as_many_characters_as_fit(theme: Theme, token: str) -> None:
    texts = TokenTexts(theme.token_font())
    text = texts[token.encode(), False]
    for width in range(ceil(4 * texts.ellipsis_width), int(text.width)):
        (piece,) = texts.elided(text, width)
        assert piece.fitted.width <= width < piece.fitted.width + texts.metrics.horizontalAdvance(token[1])


def test_the_seam_of_a_token_from_right_to_left_is_right_of_its_second_part(theme: Theme) -> None:
    delegate = SymbolsDelegate(WordModel(theme))

    def seam(left: str, right: str) -> float:
        """Return where the parts of a symbol meet, from 0 at the left to 1 at the right of its box."""
        pair = (left.encode(), right.encode())
        word = MarkedSymbols((b"".join(pair),), None, False, merged=pair)
        ((x, box),) = delegate._lay_out(word, QRectF(0, 0, 200, 20)).seams
        return (x - box.left()) / box.width()

    assert seam("א", "בגדה") > 0.5 > seam("אבגד", "ה")
    assert seam("a", "bcde") < 0.5 < seam("abcd", "e")


def test_no_line_cuts_through_a_character_whose_bytes_have_joined(theme: Theme) -> None:
    delegate = SymbolsDelegate(WordModel(theme))

    def has_line(*pair: bytes) -> bool:
        word = MarkedSymbols((b"".join(pair),), None, False, merged=(pair[0], pair[1]))
        return delegate._lay_out(word, QRectF(0, 0, 200, 20)).has_line

    assert has_line("一".encode(), "些".encode())
    assert not has_line(*("一".encode()[:2], "一".encode()[2:]))


def test_the_row_of_symbols_stays_from_left_to_right(theme: Theme) -> None:
    symbols = tuple(part.encode() for part in ("של", "ו", "ם"))
    column = Column[MarkedSymbols](title="", text=str, symbols=lambda word: word)
    model = TableModel(theme, [column])
    model.show([MarkedSymbols(symbols, None, False)])
    delegate = SymbolsDelegate(model)
    found = [delegate.symbol_at(QRect(0, 0, 300, 20), x, 0, 0) for x in range(300)]
    assert tuple(dict.fromkeys(symbol for symbol in found if symbol)) == symbols


# -- copies -----------------------------------------------------------------------------------------------------------


def test_rows_are_copied_without_what_keeps_tokens_apart(qtbot: QtBot, theme: Theme) -> None:
    recipe = Recipe.of("cs336-toy")
    trainer = Trainer(Corpus.from_text("אב אב").count(recipe), recipe)
    trainer.seek(1)
    model = MergeModel(theme)
    model.refresh(trainer)
    table = Table(model, "table", "table")
    qtbot.addWidget(table)
    assert table.rows_as_text([0], RowStyle.TSV, titles=False).split("\t")[1] == "א + ב → אב"


@pytest.fixture
def label(qtbot: QtBot) -> Iterator[SentenceLabel]:
    label = SentenceLabel(f"{isolated('אב')} + c", selectable=True)
    qtbot.addWidget(label)
    with qtbot.waitExposed(label):
        label.show()
    yield label


def test_a_sentence_is_copied_without_what_keeps_tokens_apart(label: SentenceLabel) -> None:
    label.setSelection(0, len(label.text()))
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "אב + c"
