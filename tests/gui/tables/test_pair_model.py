"""The pair table shows, sorts and filters all pairs, and marks the next one and its ties."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from bpe_gui.engine import Corpus, Int32Array, Recipe, Trainer
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.tables import pair_model
from bpe_gui.gui.tables.pair_model import PairColumn, PairModel

TOY = "low " * 5 + "lower " * 2 + "widest " * 3 + "newest " * 6
DISPLAY = Qt.ItemDataRole.DisplayRole
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
ASCENDING = Qt.SortOrder.AscendingOrder
DESCENDING = Qt.SortOrder.DescendingOrder


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme("light")


@pytest.fixture
def model(theme: Theme) -> Iterator[PairModel]:
    """A model with a tester that warns when it breaks Qt's rules for models."""
    model = PairModel(theme)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    yield model
    tester.deleteLater()


@pytest.fixture
def trainer() -> Trainer:
    return train(TOY)


def train(text: str, recipe: Recipe | str = "cs336-toy") -> Trainer:
    return Trainer(Corpus.from_text(text).count(recipe), recipe)


def row(model: PairModel, number: int) -> list[str]:
    return [cell(model, number, column) for column in PairColumn]


def cell(model: PairModel, number: int, column: int, role: int = DISPLAY) -> Any:
    return model.index(number, column).data(role)


def column(model: PairModel, number: int) -> list[str]:
    return [cell(model, row, number) for row in range(model.rowCount())]


def test_the_next_pair_is_first_and_its_ties_are_marked(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    assert row(model, 0) == ["1", "s", "t", "st", "9", "", "="]
    assert row(model, 1) == ["2", "e", "s", "es", "9", "", "="]
    assert row(model, 2) == ["3", "w", "e", "we", "8", "", ""]
    assert [model.rows[row].is_next for row in range(3)] == [True, False, False]
    assert cell(model, 0, PairColumn.TIE, TOOL_TIP) == "wins the tie with pairs of the same count"
    assert cell(model, 1, PairColumn.TIE, TOOL_TIP) == "same count as s + t, which wins the tie"
    assert model.summary == "11 pairs"


def test_the_next_row_has_the_tint_of_the_accent_in_every_theme(
    model: PairModel, theme: Theme, trainer: Trainer
) -> None:
    model.refresh(trainer)
    for choice in ("light", "dark"):
        theme.set_choice("dark" if choice == "dark" else "light")
        brush = cell(model, 0, 0, Qt.ItemDataRole.BackgroundRole)
        assert QColor(brush.color()) == theme.color("accent_tint")
        assert cell(model, 1, 0, Qt.ItemDataRole.BackgroundRole) is None
    theme.set_choice("light")


def test_a_step_changes_the_rows_in_place(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    resets: list[None] = []
    model.modelReset.connect(lambda: resets.append(None))
    trainer.step()
    model.refresh(trainer)
    assert row(model, 0) == ["1", "e", "st", "est", "9", "new", ""]
    assert model.rowCount() == trainer.pair_count
    trainer.step_back()
    model.refresh(trainer)
    assert row(model, 0) == ["1", "s", "t", "st", "9", "", "="]
    assert not resets


def test_the_change_by_the_last_step_is_shown(model: PairModel, trainer: Trainer) -> None:
    trainer.seek(2)
    model.refresh(trainer)
    change = dict(zip(column(model, PairColumn.MERGED), column(model, PairColumn.CHANGE), strict=True))
    assert change["we"] == "−6"
    assert change["west"] == "new"
    assert change["lo"] == ""
    index = column(model, PairColumn.MERGED).index("we")
    assert cell(model, index, PairColumn.CHANGE, TOOL_TIP) == "8 before the last step, 2 now"


@pytest.mark.parametrize(("page", "first_pages"), [(1, 3), (2, 4), (4, 0), (256, 1024)])
def test_pages_together_have_all_pairs_in_order(
    model: PairModel, trainer: Trainer, monkeypatch: pytest.MonkeyPatch, page: int, first_pages: int
) -> None:
    monkeypatch.setattr(pair_model, "PAGE_ROWS", page)
    monkeypatch.setattr(pair_model, "_TOP_ROWS", first_pages)
    model.refresh(trainer)
    expected = [pair.left + pair.right for pair in trainer.pairs()]
    for index in (10, 0, 5, *range(11)):
        assert cell(model, index, PairColumn.MERGED).encode() == expected[index]
        assert cell(model, index, PairColumn.RANK) == str(index + 1)
    model.sort(PairColumn.LEFT, DESCENDING)
    assert column(model, PairColumn.LEFT)[:3] == ["w", "w", "s"]
    model.sort(PairColumn.RANK, DESCENDING)
    assert column(model, PairColumn.RANK) == [str(rank) for rank in range(11, 0, -1)]


def test_typing_sorts_the_pairs_only_once_at_a_step(
    model: PairModel, trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders: list[int] = []
    pair_order = Trainer.pair_order

    def counted_order(trainer: Trainer) -> Int32Array:
        orders.append(trainer.position)
        return pair_order(trainer)

    monkeypatch.setattr(Trainer, "pair_order", counted_order)
    model.refresh(trainer)
    for text in ("e", "es", "est"):
        model.set_filter(text)
    assert orders == [0]
    trainer.seek(2)
    model.set_filter("e")
    assert orders == [0, 2]
    assert all("e" in merged for merged in column(model, PairColumn.MERGED))


def test_the_filter_may_name_both_tokens(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    for text, merged in (("w + e", ["we"]), ("w + ", ["we", "wi"]), (" + w", ["ow", "ew"]), ("x + ", [])):
        model.set_filter(text)
        assert sorted(column(model, PairColumn.MERGED)) == sorted(merged), text


def test_rows_that_were_not_looked_up_are_empty_while_held(
    model: PairModel, trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_model, "PAGE_ROWS", 4)
    monkeypatch.setattr(pair_model, "_TOP_ROWS", 4)
    model.refresh(trainer)
    before = row(model, 0)
    model.hold()
    assert row(model, 0) == before
    assert row(model, 8) == [""] * len(PairColumn)


@pytest.mark.parametrize("order", [ASCENDING, DESCENDING])
@pytest.mark.parametrize("number", list(PairColumn))
def test_every_column_sorts_stably(model: PairModel, trainer: Trainer, number: PairColumn, order: Qt.SortOrder) -> None:
    trainer.seek(2)
    model.refresh(trainer)
    model.sort(number, order)
    ranks = [int(rank) for rank in column(model, PairColumn.RANK)]
    assert sorted(ranks) == list(range(1, trainer.pair_count + 1))
    keys = [sort_key(trainer, number, rank) for rank in ranks]
    assert keys == sorted(keys, reverse=order == DESCENDING)
    if number is not PairColumn.RANK:
        assert all(a < b for a, b, x, y in zip(ranks, ranks[1:], keys, keys[1:], strict=False) if x == y)


def sort_key(trainer: Trainer, number: PairColumn, rank: int) -> Any:
    pair, following = trainer.pairs()[rank - 1], trainer.peek()
    assert following is not None
    return {
        PairColumn.RANK: rank,
        PairColumn.LEFT: pair.left,
        PairColumn.RIGHT: pair.right,
        PairColumn.MERGED: pair.left + pair.right,
        PairColumn.COUNT: pair.count,
        PairColumn.CHANGE: trainer.changes().get((pair.left, pair.right), 0),
        PairColumn.TIE: following.ties > 0 and pair.count == following.count,
    }[number]


def test_numbers_are_sorted_from_the_largest_first(model: PairModel) -> None:
    orders = [
        model.headerData(number, Qt.Orientation.Horizontal, Qt.ItemDataRole.InitialSortOrderRole)
        for number in PairColumn
    ]
    assert [order == DESCENDING for order in orders] == [False, False, False, False, True, True, True]


def test_the_filter_matches_plain_and_printable_forms(model: PairModel) -> None:
    trainer = train("low 你 low 好", "cs336")
    model.refresh(trainer)
    for text, count in (("·", 3), (" ", 3), ("ow", 1), ("\\xbd", 3), ("low", 0), ("OW", 0)):
        model.set_filter(text)
        assert model.rowCount() == count, text
    model.set_filter("")
    assert model.rowCount() == trainer.pair_count


def test_the_filter_matches_a_character_that_a_merge_completes(model: PairModel) -> None:
    trainer = train("x你 x你", "cs336")
    trainer.seek(1)
    model.refresh(trainer)
    assert "你" not in "".join(column(model, PairColumn.LEFT) + column(model, PairColumn.RIGHT))
    model.set_filter("你")
    assert column(model, PairColumn.MERGED) == ["你"]


def test_the_summary_counts_the_matches(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    model.set_filter("st")
    assert model.summary == "1 of 11 pairs"
    assert row(model, 0)[:4] == ["1", "s", "t", "st"]
    trainer.step()
    model.refresh(trainer)
    assert column(model, PairColumn.MERGED) == ["est"]


def test_numbers_have_separators(model: PairModel) -> None:
    model.refresh(train("ab " * 1234))
    assert row(model, 0)[PairColumn.COUNT] == "1,234"
    assert model.summary == "1 pair"


def test_tokens_have_tooltips(model: PairModel) -> None:
    model.refresh(train(" é", "cs336"))
    tips = [cell(model, 0, number, TOOL_TIP) for number in (PairColumn.LEFT, PairColumn.MERGED)]
    assert tips[0] == "\\xc3\nbytes (hex): c3\ncode points: \\xc3"
    assert tips[1] == "é\nbytes (hex): c3 a9\ncode points: U+00E9"


def test_the_bar_is_proportional_to_the_count(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    assert model.rows[0].share == 1
    assert model.rows[2].share == pytest.approx(8 / 9)


def test_no_pair_is_next_where_the_recipe_stops(model: PairModel) -> None:
    model.refresh(train("ab cd", Recipe.of("cs336-toy").with_changes(min_count=2)))
    assert model.rowCount() == 2
    assert not model.rows[0].is_next
    assert column(model, PairColumn.TIE) == ["", ""]


def test_without_a_run_there_are_no_pairs(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    model.refresh(None)
    assert model.rowCount() == 0
    assert model.summary == "0 pairs"


def test_a_held_model_does_not_read_the_trainer(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    shown = column(model, PairColumn.MERGED)
    model.hold()
    trainer.seek(3)
    model.sort(PairColumn.LEFT, ASCENDING)
    model.set_filter("e")
    assert column(model, PairColumn.MERGED) == shown
    assert not model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled
    model.refresh(trainer)
    assert model.flags(model.index(0, 0)) & Qt.ItemFlag.ItemIsEnabled
    assert all("e" in merged for merged in column(model, PairColumn.MERGED))


def test_pairs_are_found_by_their_tokens(model: PairModel, trainer: Trainer) -> None:
    model.refresh(trainer)
    assert model.pair_at(2) == (b"w", b"e")
    assert model.row_of((b"w", b"e")) == 2
    assert model.row_of((b"x", b"y")) == -1
