"""The table of pairs: the best, its ties, and an order that may change under it."""

from bpe_gui.engine.pair_table import Pair, PairTable


def table_of(preference: dict[Pair, int], counts: dict[Pair, int]) -> PairTable:
    table = PairTable(preference.__getitem__)
    table.change(counts)
    return table


def test_the_preferred_pair_of_the_highest_count_is_best() -> None:
    table = table_of({(0, 1): 5, (1, 2): 7, (2, 3): 9}, {(0, 1): 4, (1, 2): 4, (2, 3): 1})
    assert table.best() == ((1, 2), 1)
    assert [pair for pair, _count in table.ordered()] == [(1, 2), (0, 1), (2, 3)]


def test_an_empty_table_has_no_best() -> None:
    table = table_of({(0, 1): 1}, {(0, 1): 2})
    table.change({(0, 1): -2})
    assert (table.best(), table.top_count(), list(table.ordered()), table.counts) == (None, 0, [], {})


def test_a_preference_may_fall_unannounced() -> None:
    preference: dict[Pair, int] = {(0, 1): 5, (1, 2): 4, (2, 3): 3}
    table = table_of(preference, dict.fromkeys(preference, 2))
    assert table.best() == ((0, 1), 2)
    preference[0, 1] = 3
    preference[2, 3] = 2
    assert table.best() == ((1, 2), 2)


def test_a_preference_may_rise_once_the_order_is_forgotten() -> None:
    preference: dict[Pair, int] = {(0, 1): 5, (1, 2): 4}
    table = table_of(preference, dict.fromkeys(preference, 2))
    assert table.best() == ((0, 1), 1)
    preference[1, 2] = 6
    table.forget_order()
    assert table.best() == ((1, 2), 1)


def test_many_levels_come_and_go() -> None:
    pairs: list[Pair] = [(number, number + 1) for number in range(300)]
    table = table_of(dict.fromkeys(pairs, 0), {pair: pair[1] for pair in pairs})
    for pair in reversed(pairs):
        assert table.best() == (pair, 0)
        table.change({pair: -pair[1]})
    assert table.best() is None
