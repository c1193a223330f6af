"""A run that goes to its end and back again and again stays the same and takes no more memory."""

import gc
from collections.abc import Iterator

import pytest

from bpe_gui.engine import Corpus, Recipe, Tokenizer, Trainer
from bpe_gui.engine.runtime import memory
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.modes import running

pytestmark = pytest.mark.slow

ROUNDS = 6
MAX_GROWTH = 4_000_000  # bytes; the run itself takes tens of millions

RECIPES = {
    "cs336": Recipe.of("cs336"),
    "minbpe": Recipe.of("minbpe"),
    "huggingface": Recipe.of("huggingface"),
    "char-eow": Recipe.of("char-eow"),
    "once per word": Recipe(tie_break="first-seen", pair_counting="once-per-word", id_order="sorted"),
}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    with running("compiled"):
        yield


@pytest.mark.thorough
@pytest.mark.parametrize("name", RECIPES)
def test_to_the_end_and_back_again_and_again(name: str) -> None:
    trainer = Trainer(Corpus.from_text(mixed_text()).count(RECIPES[name], ["<e>"]), RECIPES[name])
    at_start = state_of(trainer)
    end = trainer.seek(10**9)
    at_end, run = state_of(trainer), trainer.run
    middle = [end // 3, end // 2, end - 1]
    tokenizers = [hash_of(trainer.tokenizer(position)) for position in middle]
    in_use = []
    for _round in range(ROUNDS):
        assert trainer.seek(0) == 0
        assert state_of(trainer) == at_start
        assert trainer.seek(10**9) == end
        assert state_of(trainer) == at_end
        assert [hash_of(trainer.tokenizer(position)) for position in middle] == tokenizers
        gc.collect()
        in_use.append(memory.in_use())
    assert trainer.run == run
    # Something else in the process may need memory once; a leak would show in each round.
    assert min(in_use[-3:]) - in_use[1] < MAX_GROWTH, in_use


def state_of(trainer: Trainer) -> tuple[object, ...]:
    """Return the state of a run, with hashes of what would take more memory than the run itself."""
    return (
        trainer.position,
        trainer.pair_count,
        trainer.vocab_size,
        trainer.pairs(100),
        hash(tuple(trainer.pairs())),
        hash(tuple(trainer.words())),
        hash(tuple(trainer.run[: trainer.position])),
        trainer.changes(),
    )


def hash_of(tokenizer: Tokenizer) -> int:
    tables = tokenizer.vocab.items(), tokenizer.merges, tokenizer.merge_counts or (), tokenizer.special_tokens.items()
    return hash(tuple(tuple(table) for table in tables))
