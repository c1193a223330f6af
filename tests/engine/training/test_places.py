"""Letters, pairs and merges are found where a plain search finds them."""

from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import Recipe, Trainer
from bpe_gui.engine.training.places import count_places, letter_places, merge_positions
from tests.engine.support.recorded_runs import counted
from tests.engine.support.strategies import corpora, recipes

MOST_STEPS = 12
many_bytes = st.lists(st.text("a你好é😀b", max_size=24), min_size=1, max_size=5).map(" ".join)


@given(corpus=st.one_of(corpora, many_bytes), recipe=recipes(), data=st.data())
def test_letters_are_found_in_every_word(corpus: str, recipe: Recipe, data: st.DataObject) -> None:
    counts = counted(corpus, recipe)
    trainer = Trainer(counts, recipe)
    words = list(counts)
    word = data.draw(st.sampled_from(words))
    start = data.draw(st.integers(0, len(word) - 1))
    letters = word[start : data.draw(st.integers(start + 1, len(word)))]
    encode = str if recipe.units == "characters" else str.encode
    expected = [
        (number, at)
        for number, each in enumerate(map(encode, words))
        for at in range(len(each))
        if each[at : at + len(encode(letters))] == encode(letters)
    ]
    found = letter_places(trainer, letters.encode())
    assert list(zip(found.words.tolist(), found.offsets.tolist(), strict=True)) == expected
    assert count_places(trainer, found).words == len({number for number, _at in expected})


@given(corpus=corpora, recipe=recipes())
def test_merges_are_found_where_their_symbols_came_into_being(corpus: str, recipe: Recipe) -> None:
    trainer = Trainer(counted(corpus, recipe), recipe)
    expected = []
    while trainer.position < MOST_STEPS and trainer.step():
        symbol = trainer.alphabet_size + trainer.position - 1
        expected.append(positions_of(trainer, symbol))
        # Later merges take symbols away, but not what is known of them.
        assert [merge_positions(trainer, rank).tolist() for rank in range(trainer.position)] == expected


def positions_of(trainer: Trainer, symbol: int) -> list[int]:
    """Return the positions at which a symbol stands now."""
    found = []
    for word in range(len(trainer.word_counts)):
        position = int(trainer.arrays.words.starts[word])
        for each in trainer.symbols_of_word(word):
            if each == symbol:
                found.append(position)
            position += int(trainer.arrays.symbols.lengths[each])
    return found
