"""The tokens of a text as arrays: their colours, and which of them are shown with a span of the text."""

from itertools import pairwise

import pytest

from bpe_gui.gui.views.tokens import ColorMode, Tokens
from tests.gui.support.token_sources import source_of, tokens_of


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 ids but 1"):
        Tokens.of([1, 2], [(0, 1)])


@pytest.mark.parametrize("mode", ColorMode)
def test_a_span_has_the_colours_that_it_has_in_the_whole_text(mode: ColorMode) -> None:
    source = source_of(["a"] * 3000, [7] * 1000 + [8, 17, 7] * 300 + [5] * 1100)
    whole = source.tokens.color_indices(9, mode).tolist()
    for start in range(0, 2990, 97):
        tokens, colors = source.colored(start, start + 5, 9, mode)
        assert tokens.first is not None
        assert colors.tolist() == whole[tokens.first : tokens.first + len(tokens)]


def test_neighbours_never_have_the_same_colour() -> None:
    ids = [1, 1, 1, 2, 2, 1, 10, 10, 10, 1, 19, 3]
    tokens = tokens_of(["a"] * len(ids), ids)
    for mode in ColorMode:
        for count in (3, 9):
            colors = tokens.color_indices(count, mode)
            assert all(left != right for left, right in pairwise(colors)), (mode, count)
            assert 0 <= colors.min() <= colors.max() < 2 * count


def test_by_token_equal_tokens_have_the_same_colour() -> None:
    colors = tokens_of("abcab", [5, 7, 8, 5, 7]).color_indices(9, ColorMode.BY_TOKEN)
    assert colors[0] == colors[3]
    assert colors[1] == colors[4]
