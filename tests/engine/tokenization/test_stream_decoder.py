"""Ids that are pushed one by one become the text of all of them, each part as early as when they are iterated over."""

import asyncio
import gc
import os
import pickle
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_gui.engine import EngineError, StreamDecoder, Tokenizer, TokenizerError, load, train
from bpe_gui.engine.pipeline.decoders import ByteFallback, ReplaceDecoder
from bpe_gui.engine.pipeline.pipeline import Pipeline
from tests.engine.support.huggingface_samples import read, sample_json, samples
from tests.engine.support.sentencepiece_models import trained
from tests.engine.support.strange_tokenizers import BYTES, tokenizers

RECIPES = ("cs336", "char-eow", "subword-nmt", "sentencepiece")
SAMPLES = ("llama2", "suffix", "bytes, clip", *(name for name in samples() if name.startswith("decoded by ")))
ROWS = 100  # for each kind of tokenizer


def joined(stream: StreamDecoder, ids: list[int]) -> str:
    """Return the text of ids that are pushed one by one."""
    return "".join([*map(stream.push, ids), stream.finish()])


def check_rows(tokenizer: Tokenizer) -> None:
    """Decode rows of random ids in each way."""
    rng, ids = random.Random(0), sorted(tokenizer.vocab)
    for number in range(ROWS):
        row = rng.choices(ids, k=rng.randrange(20))
        skips = number % 2 == 1
        assert joined(tokenizer.stream_decoder(skips), row) == tokenizer.decode(row, skip_special_tokens=skips)


@pytest.mark.parametrize("recipe", RECIPES)
def test_random_ids_of_a_recipe(recipe: str) -> None:
    check_rows(train("low lower 你好 newest é low </w>\n" * 3, recipe=recipe, num_merges=20, special_tokens=["<e>"]))


@pytest.mark.parametrize("name", SAMPLES)
def test_random_ids_of_a_pipeline(name: str, tmp_path: Path) -> None:
    check_rows(read(tmp_path, sample_json(name)))


@pytest.mark.parametrize("options", [{"byte_fallback": True}, {"add_dummy_prefix": False}, {}])
def test_random_ids_of_a_model_of_sentencepiece(options: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "a.model").write_bytes(trained(vocab_size=700, **options))
    check_rows(load(tmp_path / "a.model"))


@given(tokenizers(), st.lists(st.integers(0, 500), max_size=12))
def test_ids_of_tokenizers_that_no_training_could_produce(tokenizer: Tokenizer, numbers: list[int]) -> None:
    known = sorted(tokenizer.vocab)
    ids = [known[number % len(known)] for number in numbers]
    assert joined(tokenizer.stream_decoder(), ids) == tokenizer.decode(ids)


@pytest.mark.parametrize("name", SAMPLES)
def test_text_comes_as_early_as_from_ids_that_are_iterated_over(name: str, tmp_path: Path) -> None:
    tokenizer = read(tmp_path, sample_json(name))
    ids = [*tokenizer.encode("low lower ᚠ low"), *random.Random(1).choices(sorted(tokenizer.vocab), k=30)]
    taken = 0

    def counted() -> Iterator[int]:
        nonlocal taken
        for taken, token_id in enumerate(ids, start=1):  # noqa: B007 (read outside)
            yield token_id
        taken += 1

    arrivals: dict[int, str] = {}
    for piece in tokenizer.decode_iterable(counted()):
        # All that came before the next id was asked for is certain with the one before it.
        arrivals[taken] = arrivals.get(taken, "") + piece
    stream = tokenizer.stream_decoder()
    pushed = dict(enumerate([*map(stream.push, ids), stream.finish()], start=1))
    assert {at: piece for at, piece in pushed.items() if piece} == arrivals


def with_steps(*decoders: Any) -> Tokenizer:
    """Return a tokenizer of pieces, decoded by these steps."""
    tokens = [b"a", b"<0xE4>", b"<0xBD>", b"<0xA0>", b"aa"]
    return Tokenizer(dict(enumerate(tokens)), [], ["<e>"], pipeline=Pipeline(decoders=decoders))


@pytest.mark.parametrize("tokenizer", [Tokenizer(BYTES, [], ["<e>"]), with_steps(ByteFallback())])
def test_a_wrong_id_is_an_error_and_the_stream_goes_on(tokenizer: Tokenizer) -> None:
    stream = tokenizer.stream_decoder()
    first = stream.push(0)
    for _time in range(2):
        with pytest.raises(TokenizerError, match="No token has the id 999"):
            stream.push(999)
    wrong: Any = "a"
    with pytest.raises(TokenizerError, match="Id number 2 is 'a'"):
        stream.push(wrong)
    assert first + stream.push(0) + stream.finish() == tokenizer.decode([0, 0])
    assert stream.finish() == ""
    with pytest.raises(TokenizerError, match="finished"):
        stream.push(0)


def test_a_character_in_byte_tokens_comes_with_the_token_after_it() -> None:
    stream = with_steps(ByteFallback()).stream_decoder()
    assert [stream.push(token_id) for token_id in (0, 1, 2, 3, 0)] == ["a", "", "", "", "你a"]
    assert with_steps(ByteFallback()).stream_decoder().finish() == ""


def test_a_step_that_fails_ends_the_stream() -> None:
    stream = with_steps(ReplaceDecoder(r"(a)\1", "b", is_regex=True)).stream_decoder()
    with pytest.raises(EngineError, match="1"):
        stream.push(0)
    with pytest.raises(TokenizerError, match="cannot go on"):
        stream.push(0)


def test_a_stream_that_is_dropped_ends_its_thread() -> None:
    before = set(threading.enumerate())
    stream = with_steps(ByteFallback()).stream_decoder()
    stream.push(0)
    [thread] = set(threading.enumerate()) - before
    del stream
    gc.collect()
    thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_stream_does_not_hang_in_a_forked_process() -> None:
    stream = with_steps(ByteFallback()).stream_decoder()
    stream.push(0)
    child = os.fork()
    if not child:
        status = 1
        try:
            stream.push(0)
        except TokenizerError:
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert stream.push(0) == "a"


@pytest.mark.parametrize("make", [lambda: Tokenizer(BYTES, [], ["<e>"]), lambda: with_steps(ByteFallback())])
def test_ids_that_come_asynchronously(make: Callable[[], Tokenizer]) -> None:
    tokenizer = make()

    async def arriving(ids: list[int]) -> AsyncIterator[int]:
        for token_id in ids:
            yield token_id

    async def decoded(ids: list[int]) -> list[str]:
        return [piece async for piece in tokenizer.decode_iterable(arriving(ids))]

    rng = random.Random(0)
    for _row in range(20):
        ids = rng.choices(sorted(tokenizer.vocab), k=9)
        pieces = asyncio.run(decoded(ids))
        assert "".join(pieces) == tokenizer.decode(ids)
        assert "" not in pieces
    with pytest.raises(TokenizerError, match="No token has the id 999"):
        asyncio.run(decoded([0, 999]))


def test_a_tokenizer_with_streams_can_still_be_pickled() -> None:
    tokenizer = with_steps(ByteFallback())
    tokenizer.stream_decoder().push(0)
    assert pickle.loads(pickle.dumps(tokenizer)) == tokenizer
