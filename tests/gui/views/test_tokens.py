"""The tokens of a text as arrays: their colours, and which of them are shown with a span of the text."""

from itertools import pairwise

import numpy as np
import pytest

from bpe_gui.engine import LiveText, Recipe, train, words_by_part
from bpe_gui.gui.views.tokens import ColorMode, LiveTokens
from tests.gui.support.token_sources import source_of, tokens_of

TOKEN_MODES = (ColorMode.BY_POSITION, ColorMode.BY_TOKEN)


@pytest.mark.parametrize("mode", TOKEN_MODES)
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
    for mode in TOKEN_MODES:
        for count in (3, 9):
            colors = tokens.color_indices(count, mode)
            assert all(left != right for left, right in pairwise(colors)), (mode, count)
            assert 0 <= colors.min() <= colors.max() < 2 * count


def test_by_token_equal_tokens_have_the_same_colour() -> None:
    colors = tokens_of("abcab", [5, 7, 6, 5, 7]).color_indices(9, ColorMode.BY_TOKEN)
    assert colors[0] == colors[3]
    assert colors[1] == colors[4]


TEXT = "The cat's 12 hats, 你好 don't run!  \n\nthe the the " * 3000


def split_source(splitter: str, text: str) -> LiveTokens:
    live = LiveText(text)
    live.encode_with(train("the cat the hat", recipe=Recipe(splitter=splitter), num_merges=4))
    return LiveTokens(live)


@pytest.mark.parametrize("splitter", ["gpt2", "o200k", "zh-en"])
def test_by_splitter_tokens_have_the_hue_of_the_part_that_took_their_word(splitter: str) -> None:
    source = split_source(splitter, TEXT)
    words = words_by_part(Recipe(splitter=splitter), TEXT.encode())
    for start in range(0, 60_000, 3_989):
        tokens, colors = source.colored(start, start + 200, 9, ColorMode.BY_SPLITTER)
        word = np.searchsorted(words.starts, tokens.starts, "right") - 1
        assert (colors % 9).tolist() == (words.parts[word] % 9).tolist()
        same_word = word[1:] == word[:-1]
        assert np.array_equal(colors[1:] == colors[:-1], same_word), "words beside each other differ"


def test_by_splitter_a_span_has_the_colours_that_it_has_in_the_whole_text() -> None:
    source = split_source("gpt2", TEXT[:30_000])
    tokens, whole = source.colored(0, 30_000, 9, ColorMode.BY_SPLITTER)
    color_at = dict(zip(tokens.starts.tolist(), whole.tolist(), strict=True))
    for start in range(0, 29_000, 997):
        tokens, colors = source.colored(start, start + 50, 9, ColorMode.BY_SPLITTER)
        assert [color_at[at] for at in tokens.starts.tolist()] == colors.tolist()


def test_by_splitter_tokens_are_neutral_where_the_words_are_not_known() -> None:
    source = split_source("(?s).+", "low er " * 20_000)
    block = source.text.unencoded_blocks()[0]
    source.text.encode(block)
    tokens, colors = source.colored(0, 100, 9, ColorMode.BY_SPLITTER)
    assert len(tokens)
    assert set(colors.tolist()) == {18}
