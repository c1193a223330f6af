"""The word table reads the words that it shows, and no others, until a thread takes the run."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bpe_gui.engine import Corpus, Trainer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.session.selection import Selected
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.tables.word_model import WORD_LIMIT, WordColumn, WordModel

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6


@pytest.fixture
def model(qapp: QApplication) -> WordModel:
    return WordModel(Theme("light"))


def run(text: str, recipe: str = "cs336-toy") -> Trainer:
    return Trainer(Corpus.from_text(text).count(recipe), recipe)


def word(model: WordModel, row: int) -> str:
    return str(model.index(row, WordColumn.WORD).data())


def words(model: WordModel) -> list[str]:
    return [word(model, row) for row in range(model.rowCount())]


def test_only_words_that_are_shown_are_read(model: WordModel, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = run(" ".join(f"low{number}" for number in range(2 * WORD_LIMIT)))
    trainer.step()
    read: list[int] = []
    symbols_of_word = Trainer.symbols_of_word

    def record(trainer: Trainer, word: int, limit: int | None = None) -> list[int]:
        read.append(word)
        return symbols_of_word(trainer, word, limit)

    monkeypatch.setattr(Trainer, "symbols_of_word", record)
    model.refresh(trainer)
    assert model.rowCount() == WORD_LIMIT
    assert read == []
    assert word(model, 7) == word(model, 7) == "l o w 7 → l ow 7"
    assert read == [7]


def test_words_that_were_read_stay_while_a_thread_has_the_run(model: WordModel) -> None:
    trainer = run(TOY)
    model.refresh(trainer)
    assert word(model, 1) == "l o w"
    model.hold()
    trainer.seek(3)
    assert words(model) == ["", "l o w", "", ""]
    counts = [model.index(row, WordColumn.COUNT).data() for row in range(4)]
    assert counts == ["", "5", "", ""]  # never a count of 0 for a word that was not read
    model.refresh(trainer)
    before = words(model)
    model.refresh(trainer)
    model.load()
    model.hold()
    trainer.seek(0)
    assert words(model) == before


@pytest.mark.parametrize("position", [0, 2, 6])
def test_a_row_can_be_read_after_the_run_has_moved(model: WordModel, position: int) -> None:
    """A long move repaints the table only now and then."""
    trainer = run(TOY)
    trainer.seek(5)
    model.refresh(trainer)
    trainer.seek(position)
    assert [text.split(" → ")[-1] for text in words(model)].count("") == 0


def test_changed_words_come_first_and_once(model: WordModel) -> None:
    trainer = run(TOY)
    trainer.seek(3)
    model.refresh(trainer)
    assert words(model) == ["l o w → l ow", "l o w e r → l ow e r", "n e w est", "w i d est"]
    model.refresh(trainer, Selected(b"est"))
    assert words(model) == ["n e w est", "w i d est"]
    model.refresh(trainer, Selected(b"ow"))
    assert words(model) == ["l o w → l ow", "l o w e r → l ow e r"]


def texts(model: WordModel) -> list[str]:
    return [model.rows[row].symbols.text for row in range(model.rowCount())]


def test_a_word_that_is_split_within_a_character_can_be_read_beside_it(model: WordModel, qtbot: QtBot) -> None:
    trainer = run("天天", "cs336")
    model.refresh(trainer)
    assert texts(model) == ["天天"]
    table = Table(model, "words", "Words")
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.horizontalHeader().resizeSection(WordColumn.WORD, 500)
    table.show()
    cell = table.visualRect(model.index(0, WordColumn.WORD))
    end = max(x for x in range(cell.width()) if table.symbols.symbol_at(cell, x, 0, WordColumn.WORD)) + 2
    picture = table.viewport().grab(cell.adjusted(end, 1, -1, -1)).toImage()
    colors = {picture.pixel(x, y) for x in range(picture.width()) for y in range(picture.height())}
    assert len(colors) > 1
    trainer.seek(100)
    model.refresh(trainer)
    assert texts(model) == [""]


@pytest.mark.parametrize(
    "selected",
    [Selected(b"l"), Selected(b"ow"), Selected(b"lo", pair=(b"l", b"ow")), Selected(b"7", pair=(b"x", b"7"))],
)
def test_all_words_with_a_token_are_counted(model: WordModel, selected: Selected) -> None:
    trainer = run(" ".join(f"low{number}" for number in range(3 * WORD_LIMIT)))
    trainer.step()
    model.refresh(trainer, selected)
    total = 1_500 if selected.token != b"7" else sum("7" in str(number) for number in range(1_500))
    shown = min(total, WORD_LIMIT)
    assert model.rowCount() == shown
    assert model.summary == (f"{shown} of {total:,}" if total > shown else f"{total} words")
