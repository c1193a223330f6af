"""Small corpora and recipes drawn at random, through everything that kernels do. `python -m tests.engine.support.exercise 100`
does it with compiled code, and says so; the environment variable NUMBA_BOUNDSCHECK has that code checked.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from bpe_gui.engine import CHOICES, PRESETS, SPLITTERS, Corpus, EngineError, Recipe, Tokenizer, Trainer, WordCounts
from bpe_gui.engine.runtime import compiled
from bpe_gui.engine.tokenization import recipe_encoder as encoder
from bpe_gui.engine.tokenization import encoding_worker
from bpe_gui.engine.text import utf8 as streams
from bpe_gui.engine.kernels.training.pair_table import find_pair

from tests.engine.support.modes import little_room

LETTERS = ("a", "ab", "aab c", "ab \n1!'s你好😀é\u00a0", "abAB1 .,'\r\n\t", "low lower")
SPECIALS = ("<|e|>", "#", "##", "ab")
MOST_LETTERS = (10, 80, 80, 2500)
TEXT = "low low lower, internationally 12345\n你好 😀 it's<|e|>lowest#"


def exercise(rounds: int, seed: int = 0) -> int:
    """Train on so many corpora, and encode, with little room every other time. Returns how many steps that were."""
    chance = random.Random(seed)
    steps = 0
    for number in range(rounds):
        with little_room() if number % 2 else nullcontext():
            steps += _train(chance)
            _count_bytes(chance)
        with little_room_to_encode() if number % 2 else nullcontext():
            _encode(chance)
    return steps


@contextmanager
def little_room_to_encode() -> Iterator[None]:
    """Have blocks end everywhere, all that grows grow at once, words be forgotten soon, and threads cut small texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder, "_BLOCK", 16)
        patch.setattr(encoder, "_WINDOWS", (6, 24))
        patch.setattr(encoder, "_PART", 40)
        patch.setattr(streams, "_CHUNK", 5)
        patch.setattr(encoding_worker, "_FIRST_BENCH", 1)
        patch.setattr(encoding_worker, "_FIRST_BLOCK", 1)
        patch.setattr(encoding_worker, "_FIRST_SLOTS", 1)
        # The least that has room for a batch.
        patch.setattr(encoding_worker, "_MOST_SLOTS", 1 << 11)
        patch.setattr(encoding_worker, "_KEPT_TEXT", 1 << 17)
        patch.setattr(encoding_worker, "_KEPT_SYMBOLS", 275_000)
        yield


def _train(chance: random.Random) -> int:
    recipe = _recipe(chance)
    counts = _counts(chance, recipe)
    if counts is None:
        return 0
    trainer = Trainer(counts, recipe)
    _look(trainer)
    end = trainer.seek(60)
    _look(trainer)
    for _move in range(4):
        trainer.seek(chance.randint(0, end))
        _look(trainer)
    trainer.seek(end + 10)
    trainer.seek(0)
    return end


def every_way() -> None:
    """Train with every preset, and with every combination of the switches that kernels know of."""
    switches = ("units", "boundary", "tie_break", "pair_counting")
    combined = [
        Recipe(splitter=splitter).with_changes(**dict(zip(switches, values, strict=True)))
        for splitter in SPLITTERS
        for values in product(*(CHOICES[switch] for switch in switches))
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.txt"
        file.write_text(TEXT, "utf-8")
        for recipe in [*PRESETS.values(), *combined]:
            for source in (TEXT, file):
                counts = Corpus.from_source(source).count(recipe, SPECIALS[:2])
                for each in (counts, WordCounts(dict(counts), counts.splitter, counts.spaces_kept)):
                    trainer = Trainer(each, recipe)
                    trainer.seek(5)
                    _look(trainer)
                    trainer.seek(0)
                    trainer.seek(10**9)


def _recipe(chance: random.Random) -> Recipe:
    if chance.random() < 0.3:
        return PRESETS[chance.choice(sorted(PRESETS))]
    switches: dict[str, Any] = {name: chance.choice(values) for name, values in CHOICES.items()}
    switches["alphabet"] = "sorted"
    switches["splitter"] = chance.choice([*SPLITTERS, r"a*|\S+"])
    return Recipe(**switches)


def _counts(chance: random.Random, recipe: Recipe) -> WordCounts | None:
    letters, most = chance.choice(LETTERS), chance.choice(MOST_LETTERS)
    texts = ["".join(chance.choices(letters, k=chance.randint(1, most))) for _text in range(chance.randint(1, 4))]
    specials = chance.sample(SPECIALS, chance.randint(0, 2))
    try:
        return Corpus.from_source(texts).count(recipe, specials)
    except EngineError:
        return None  # there are no words in it


def _encode(chance: random.Random) -> None:
    """Encode in every way, by merges of which some can never apply, and with symbols that have no id."""
    letters = chance.choice(LETTERS)
    units = [letter.encode() for letter in letters] + [b"</w>", b"\xc3", b"a</w>"]
    merges: list[tuple[bytes, bytes]] = []
    for _merge in range(chance.choice((0, 5, 50))):
        merges.append((chance.choice(units), chance.choice(units)))
        units.append(b"".join(merges[-1]))
    chance.shuffle(merges)
    specials = {token: number for number, token in enumerate(chance.sample(SPECIALS, chance.randint(0, 3)))}
    vocab = dict(enumerate(chance.sample(units, len(units) // 2), 100))
    tokenizer = Tokenizer(vocab, merges, specials, recipe=_recipe(chance)).with_unknown_id(-1)
    with pytest.MonkeyPatch.context() as patch:
        if chance.random() < 0.5:
            patch.setattr(encoder, "is_compiled", lambda: True)  # has plain kernels cut the text, too
        for most in (3, 80, chance.choice(MOST_LETTERS)):
            text = "".join(chance.choices([*letters, *letters, *SPECIALS], k=most))
            ids = tokenizer.encode(text)
            assert tokenizer.encode_array(text, 3).tolist() == ids
            assert list(tokenizer.encode_iterable(text)) == ids
            assert tokenizer.token_arrays(text.encode()).ids.tolist() == ids
            tokenizer.at(chance.randint(0, len(merges))).encode(text)


def _count_bytes(chance: random.Random) -> None:
    """Count a file that may be no UTF-8."""
    data = "".join(chance.choices(LETTERS[3], k=60)).encode()
    cut = chance.randint(0, len(data))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.txt"
        file.write_bytes(data[:cut] + data[cut + chance.randint(0, 2) :])
        with suppress(EngineError):
            Corpus.from_files([file]).count(Recipe(splitter=chance.choice(sorted(SPLITTERS))), SPECIALS)


def _look(trainer: Trainer) -> None:
    trainer.peek()
    pairs = trainer.pairs()
    for limit in (0, 1, 3, len(pairs), len(pairs) + 1):
        assert trainer.pairs(limit) == pairs[:limit]
    for pair in pairs[:5]:
        assert trainer.occurrences(pair.left, pair.right, limit=2)
    trainer.changes()
    assert len(trainer.words()) == len(trainer.word_counts)


def main() -> None:
    compiled.load()
    # A hash table whose only entry is a pair that there is no room for.
    with pytest.raises(IndexError):
        find_pair(np.empty(0, np.int64), np.zeros(1, np.int32), 0)
    print(exercise(int(sys.argv[1])), compiled.is_compiled())


if __name__ == "__main__":
    main()
