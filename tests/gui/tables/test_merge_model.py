"""The table of merges grows with the run, marks the cursor, greys the merges ahead of it, and is filtered by a text."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import Corpus, Parity, Pipeline, Tokenizer, Trainer, visible
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.training.train_to_size import fair_trainer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables.merge_model import MergeColumn, MergeFilter, MergeModel, matching_ranks

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
DISPLAY = Qt.ItemDataRole.DisplayRole
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
FOREGROUND = Qt.ItemDataRole.ForegroundRole
FONT = Qt.ItemDataRole.FontRole


@pytest.fixture
def model(qapp: QApplication) -> Iterator[MergeModel]:
    """A model with a tester that warns when it breaks Qt's rules for models."""
    model = MergeModel(Theme("light"))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    tester.deleteLater()


@pytest.fixture
def trainer() -> Trainer:
    return train(TOY)


def train(text: str) -> Trainer:
    return Trainer(Corpus.from_text(text).count("cs336-toy"), "cs336-toy")


def cell(model: MergeModel, row: int, column: int, role: int = DISPLAY) -> Any:
    return model.index(row, column).data(role)


def test_a_row_reads_as_a_merge_with_its_count(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(12)
    model.refresh(trainer)
    rows = [[cell(model, row, column) for column in MergeColumn] for row in range(model.rowCount())]
    assert rows[0] == ["1", "s + t → st", "×9", "="]
    assert rows[1] == ["2", "e + st → est", "×9", ""]
    assert rows[11] == ["12", "lowe + r → lower", "×2", ""]
    assert len(rows) == 12


def test_a_merge_has_a_tooltip(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(12)
    model.refresh(trainer)
    assert cell(model, 0, 0, TOOL_TIP) == "1  s + t → st  ×9\nid 257\n1 other pair had the same count".replace(
        "257", str(trainer.merges[0].token_id)
    )
    assert cell(model, 1, 0, TOOL_TIP).endswith(f"id {trainer.merges[1].token_id}")


def test_the_tooltip_of_a_merge_says_whose_turn_it_was_and_what_languages_cost(model: MergeModel) -> None:
    fair = fair_trainer({"en": "low low lower", "de": "tief tiefer"}, {}, Parity(), "parity")
    fair.seek(2)
    model.refresh(fair)
    assert "Turn of en: its text is the longest (en 13, de 11)." in cell(model, 0, 0, TOOL_TIP)
    assert "Turn of de: its text is the longest (de 11, en 10)." in cell(model, 1, 0, TOOL_TIP)


def test_the_run_grows_without_a_reset(model: MergeModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    inserted: list[tuple[int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    model.modelReset.connect(lambda: pytest.fail("reset"))
    for position in (1, 4, 0, 5):
        trainer.seek(position)
        model.refresh(trainer)
    assert inserted == [(0, 0), (1, 3), (4, 4)]


def test_the_cursor_is_marked_and_merges_ahead_are_greyed(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(4)
    trainer.seek(2)
    model.refresh(trainer)
    assert model.current_row == 1
    assert [model.rows[row].is_current for row in range(4)] == [False, True, False, False]
    assert [cell(model, row, MergeColumn.STEP, FONT).bold() for row in range(4)] == [False, True, False, False]
    greyed = [cell(model, row, MergeColumn.MERGE, FOREGROUND) is not None for row in range(4)]
    assert greyed == [False, False, True, True]


def test_a_move_reports_the_rows_that_changed(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(5)
    model.refresh(trainer)
    changed: list[tuple[int, int]] = []

    def record(first: QModelIndex, last: QModelIndex) -> None:
        changed.append((first.row(), last.row()))

    model.dataChanged.connect(record)
    trainer.step_back()
    model.refresh(trainer)
    trainer.seek(0)
    model.refresh(trainer)
    assert changed == [(3, 4), (0, 3)]


def test_another_run_resets_the_model(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(3)
    model.refresh(trainer)
    model.refresh(train("ab ab"))
    assert model.rowCount() == 0
    assert model.current_row == -1
    model.refresh(None)
    assert model.rowCount() == 0


def test_a_held_model_is_greyed(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(3)
    model.refresh(trainer)
    model.hold()
    trainer.seek(5)
    assert model.rowCount() == 3
    assert not model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled
    model.refresh(trainer)
    assert model.rowCount() == 5
    assert model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled


@pytest.mark.slow
def test_a_step_in_a_long_run_inserts_one_row(qapp: QApplication) -> None:
    trainer = train("".join(chr(0x4E00 + number) for number in range(5_000)))
    trainer.seek(4_000)
    model = MergeModel(Theme("light"))
    model.refresh(trainer)
    trainer.step()
    inserted: list[tuple[int, int]] = []
    resets: list[bool] = []
    model.rowsInserted.connect(lambda _parent, first, last: inserted.append((first, last)))
    model.modelReset.connect(lambda: resets.append(True))
    model.refresh(trainer)
    assert inserted == [(4_000, 4_000)]
    assert not resets


def test_the_filter_shows_merges_with_a_text(model: MergeModel, trainer: Trainer) -> None:
    trainer.seek(12)
    trainer.seek(5)
    model.refresh(trainer, MergeFilter("we"))
    rows = [cell(model, row, MergeColumn.MERGE) for row in range(model.rowCount())]
    assert rows == [line for line in shown(trainer) if "we" in line.partition("→")[2]]
    assert 1 < len(rows) < 12
    assert model.position_of(0) == shown(trainer).index(rows[0]) + 1
    trainer.seek(model.position_of(1))
    model.refresh(trainer, MergeFilter("we"))
    assert model.current_row == 1
    trainer.seek(0)
    model.refresh(trainer, MergeFilter("we"))
    assert model.current_row == -1
    assert cell(model, 0, MergeColumn.MERGE, FOREGROUND) is not None  # it lies ahead
    model.refresh(trainer)
    assert model.rowCount() == 12


def test_a_filtered_list_grows_with_the_run(model: MergeModel, trainer: Trainer) -> None:
    for step in range(13):
        trainer.seek(step)
        model.refresh(trainer, MergeFilter("st"))
    assert [cell(model, row, MergeColumn.MERGE) for row in range(model.rowCount())] == [
        line for line in shown(trainer) if "st" in line.partition("→")[2]
    ]


def shown(trainer: Trainer) -> list[str]:
    return [f"{visible(m.left)} + {visible(m.right)} → {visible(m.token)}" for m in trainer.run]


MERGES = [(b"l", b"o"), (b" ", b"lo"), (b"\xe4", b"\xbd"), (b"\n", b"\n"), (b"o", b"\xc2\xb7"), (b"lo", b"lo")]
TOKENS = dict.fromkeys([part for pair in MERGES for part in pair] + [left + right for left, right in MERGES])


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("lo", [0, 1, 5]),
        (" lo", [1]),
        ("·lo", [1]),
        ("·", [1, 4]),  # a space as it is shown, and the character itself
        ("↵", [3]),
        ("\n", [3]),
        ("\\xe4", [2]),
        ("o + lo", [5]),
        ("· + l", [1]),
        ("+ lo", []),
        ("none", []),
    ],
)
def test_tokens_are_found_in_plain_and_printable_form(text: str, ranks: list[int]) -> None:
    tokenizer = Tokenizer(dict(enumerate(TOKENS)), MERGES, recipe="cs336")
    assert matching_ranks(tokenizer, text) == ranks


def test_the_prefix_of_a_continued_word_is_not_part_of_the_merged_token() -> None:
    merges = [(b"lo", b"##w"), (b"low", b"##er")]
    vocabulary = dict(enumerate([b"lo", b"##w", b"##er", b"low", b"lower"]))
    tokenizer = Tokenizer(vocabulary, merges, pipeline=Pipeline(model=ModelOptions(prefix="##")))
    assert matching_ranks(tokenizer, "low") == [0, 1]
    assert matching_ranks(tokenizer, "##w") == [0]
    assert matching_ranks(tokenizer, "lo##w") == []
