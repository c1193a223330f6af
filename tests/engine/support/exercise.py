"""Run everything that kernels do on small random corpora and recipes.

`python -m tests.engine.support.exercise 100 LIBRARY` does so a hundred times with the machine code of another library,
and prints the number of training steps.
"""

import ctypes
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bpe_gui.engine import (
    CHOICES,
    PRESETS,
    SPLITTERS,
    Corpus,
    CorpusSearch,
    EngineError,
    Recipe,
    Tokenizer,
    Trainer,
    WordCounts,
)
from bpe_gui.engine.compilation import library
from bpe_gui.engine.encoding import encoding_worker, kernel_encoder, text_encoder
from bpe_gui.engine.text import utf8

from .modes import small_training_arrays

LETTERS = ("a", "ab", "aab c", "ab \n1!'s你好😀é\u00a0", "abAB1 .,'\r\n\t", "low lower")
SPECIALS = ("<|e|>", "#", "##", "ab")
MAX_LETTERS = (10, 80, 80, 2500)
TEXT = "low low lower, internationally 12345\n你好 😀 it's<|e|>lowest#"


def exercise(rounds: int, seed: int = 0) -> int:
    """Train and encode `rounds` times, every other time with small arrays. Return the number of training steps."""
    rng = random.Random(seed)
    steps = 0
    for number in range(rounds):
        with small_training_arrays() if number % 2 else nullcontext():
            steps += _train(rng)
            _count_bytes(rng)
        with small_encoding_arrays() if number % 2 else nullcontext():
            _encode(rng)
    return steps


@contextmanager
def small_encoding_arrays() -> Iterator[None]:
    """Make chunks end anywhere, arrays grow at once, caches forget words soon, and threads share small texts."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (kernel_encoder, text_encoder):
            patch.setattr(module, "STREAM_BYTES", 16)
        patch.setattr(kernel_encoder, "_SEARCH_WINDOWS", (6, 24))
        patch.setattr(kernel_encoder, "_CHUNK", 40)
        patch.setattr(utf8, "_CHUNK", 5)
        patch.setattr(encoding_worker, "_FIRST_SCRATCH", 1)
        patch.setattr(encoding_worker, "_FIRST_BUFFER", 1)
        patch.setattr(encoding_worker, "_MIN_SLOTS", 1)
        # The least capacity that a batch fits into.
        patch.setattr(encoding_worker, "_MAX_SLOTS", 1 << 11)
        patch.setattr(encoding_worker, "_CACHED_TEXT", 1 << 17)
        patch.setattr(encoding_worker, "_CACHED_SYMBOLS", 275_000)
        yield


def _train(rng: random.Random) -> int:
    recipe = _recipe(rng)
    counts = _counts(rng, recipe)
    if counts is None:
        return 0
    trainer = Trainer(counts, recipe)
    _query(trainer)
    end = trainer.seek(60)
    _query(trainer)
    for _move in range(4):
        trainer.seek(rng.randint(0, end))
        _query(trainer)
    trainer.seek(end + 10)
    trainer.seek(0)
    return end


def exercise_every_recipe() -> None:
    """Train with every preset, and with every combination of the switches that kernels depend on."""
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
                    _query(trainer)
                    trainer.seek(0)
                    trainer.seek(10**9)


def _recipe(rng: random.Random) -> Recipe:
    if rng.random() < 0.3:
        return PRESETS[rng.choice(sorted(PRESETS))]
    switches: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.items()}
    switches["alphabet"] = "sorted"
    switches["splitter"] = rng.choice([*SPLITTERS, r"a+(?=b+c)|\S+"])
    return Recipe(**switches)


def _counts(rng: random.Random, recipe: Recipe) -> WordCounts | None:
    letters, most = rng.choice(LETTERS), rng.choice(MAX_LETTERS)
    texts = ["".join(rng.choices(letters, k=rng.randint(1, most))) for _text in range(rng.randint(1, 4))]
    specials = rng.sample(SPECIALS, rng.randint(0, 2))
    try:
        return Corpus.from_source(texts).count(recipe, specials)
    except EngineError:
        return None  # it has no words


def _encode(rng: random.Random) -> None:
    """Encode in every way, with merges that can never apply among the others, and with symbols that have no id."""
    letters = rng.choice(LETTERS)
    units = [letter.encode() for letter in letters] + [b"</w>", b"\xc3", b"a</w>"]
    merges: list[tuple[bytes, bytes]] = []
    for _merge in range(rng.choice((0, 5, 50))):
        merges.append((rng.choice(units), rng.choice(units)))
        units.append(b"".join(merges[-1]))
    rng.shuffle(merges)
    specials = {token: number for number, token in enumerate(rng.sample(SPECIALS, rng.randint(0, 3)))}
    vocab = dict(enumerate(rng.sample(units, len(units) // 2), 100))
    tokenizer = Tokenizer(vocab, merges, specials, recipe=_recipe(rng)).with_unknown_id(-1)
    for most in (3, 80, rng.choice(MAX_LETTERS)):
        text = "".join(rng.choices([*letters, *letters, *SPECIALS], k=most))
        ids = tokenizer.encode(text)
        assert tokenizer.encode_array(text, 3).tolist() == ids
        assert list(tokenizer.encode_iterable(text)) == ids
        assert tokenizer.token_arrays(text.encode()).ids.tolist() == ids
        assert tokenizer.encode_batch([text, *letters, text] * 30)[-1] == ids
        assert tokenizer.encode(text) == tokenizer.encode(text) == ids  # the second time by a prepared call
        tokenizer.at(rng.randint(0, len(merges))).encode(text)


def _count_bytes(rng: random.Random) -> None:
    """Count a file that may not be UTF-8."""
    data = "".join(rng.choices(LETTERS[3], k=60)).encode()
    cut = rng.randint(0, len(data))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "corpus.txt"
        file.write_bytes(data[:cut] + data[cut + rng.randint(0, 2) :])
        with suppress(EngineError):
            Corpus.from_files([file]).count(Recipe(splitter=rng.choice(sorted(SPLITTERS))), SPECIALS)


def _query(trainer: Trainer) -> None:
    trainer.peek()
    pairs = trainer.pairs()
    for limit in (0, 1, 3, len(pairs), len(pairs) + 1):
        assert trainer.pairs(limit) == pairs[:limit]
    for pair in pairs[:5]:
        assert trainer.occurrences(pair.left, pair.right, limit=2)
    trainer.changes()
    CorpusSearch(trainer).last_change()
    for pair in pairs[:5]:
        assert CorpusSearch(trainer).count_token(pair.left).words == len(
            CorpusSearch(trainer).words_with_token_now(pair.left)
        )
    assert len(trainer.words()) == len(trainer.word_counts)


def main() -> None:
    other = ctypes.CDLL(sys.argv[2])
    vars(library)["load"] = lambda: other
    print(exercise(int(sys.argv[1])))


if __name__ == "__main__":
    main()
