"""Other trainers and ours learn the same merges, and give the same ids, on a large mixed text.

Those that recount all pairs in Python for every merge get 1 MB only in the profile `thorough`.
"""

import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tiktoken
from subword_nmt import apply_bpe
from subword_nmt.learn_bpe import learn_bpe
from tiktoken._educational import bpe_train
from tokenizers import ByteLevelBPETokenizer
from tokenizers import Tokenizer as TheirTokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

from bpe_gui.engine import SPLITTERS, Tokenizer, to_printable, train
from tests.engine.support.mixed_text import mixed_text
from tests.engine.support.stand_ins import compile_pattern
from tests.examples import is_thorough

MERGES = 2000
SIZE = 1_050_000  # bytes
RECOUNTED = SIZE if is_thorough() else 300_000
IdPair = tuple[int, int]


# -- minbpe -------------------------------------------------------------------------------------------------------


def minbpe_train(chunks: Sequence[bytes], merges: int) -> list[IdPair]:
    """Learn merges as `RegexTokenizer.train` of karpathy/minbpe does, over all chunks in order."""
    ids = [list(chunk) for chunk in chunks]
    learned: list[IdPair] = []
    for number in range(merges):
        stats: dict[IdPair, int] = {}
        for chunk_ids in ids:
            for pair in pairwise(chunk_ids):
                stats[pair] = stats.get(pair, 0) + 1
        best = max(stats, key=lambda pair: stats[pair])
        ids = [minbpe_merge(chunk_ids, best, 256 + number) for chunk_ids in ids]
        learned.append(best)
    return learned


def minbpe_merge(ids: list[int], pair: IdPair, new: int) -> list[int]:
    merged: list[int] = []
    i = 0
    while i < len(ids):
        if ids[i] == pair[0] and i < len(ids) - 1 and ids[i + 1] == pair[1]:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def minbpe_encode(chunk: bytes, ranks: dict[IdPair, int]) -> list[int]:
    ids = list(chunk)
    while len(ids) >= 2:
        pair = min(pairwise(ids), key=lambda pair: ranks.get(pair, sys.maxsize))
        if pair not in ranks:
            break
        ids = minbpe_merge(ids, pair, 256 + ranks[pair])
    return ids


def recount_train(chunks: Iterable[bytes], merges: int) -> list[IdPair]:
    """Learn the same merges from unique chunks and their counts, recounting all pairs with numpy after each merge.

    The first occurrence of a pair is in the first of several equal chunks, because they are always split alike.
    """
    unique = Counter(chunks)
    symbols = np.array([symbol for chunk in unique for symbol in (*chunk, -1)], dtype=np.int64)
    weights = np.repeat(np.array(list(unique.values())), [len(chunk) + 1 for chunk in unique])
    learned: list[IdPair] = []
    for number in range(merges):
        codes = np.where((symbols[:-1] < 0) | (symbols[1:] < 0), -1, symbols[:-1] << 20 | symbols[1:])
        distinct, index = np.unique(codes, return_inverse=True)
        counts = np.bincount(index, weights[:-1])
        counts[distinct < 0] = -1
        # The first pair in the array that has the highest count.
        code = int(codes[np.argmax(counts[index] == counts.max())])
        pair = code >> 20, code & 0xFFFFF
        positions = np.flatnonzero(codes == code)
        if pair[0] == pair[1]:
            positions = np.array(without_overlaps(positions.tolist()))
        symbols[positions] = 256 + number
        keep = np.ones(len(symbols), dtype=bool)
        keep[positions + 1] = False
        symbols, weights = symbols[keep], weights[keep]
        learned.append(pair)
    return learned


def without_overlaps(positions: list[int]) -> list[int]:
    kept: list[int] = []
    for position in positions:
        if not kept or position > kept[-1] + 1:
            kept.append(position)
    return kept


def chunks_of(text: str, splitter: str) -> list[bytes]:
    return [chunk.encode() for chunk in compile_pattern(splitter).findall(text)]


def as_pairs(tokenizer: Tokenizer) -> list[IdPair]:
    """Return the merges as pairs of ids that are numbered in the order of the merges, as minbpe does."""
    ids = {bytes([byte]): byte for byte in range(256)}
    pairs: list[IdPair] = []
    for left, right in tokenizer.merges:
        pairs.append((ids[left], ids[right]))
        ids[left + right] = len(ids)
    return pairs


@pytest.mark.slow
def test_recounting_unique_chunks_equals_minbpe_as_published() -> None:
    chunks = chunks_of(mixed_text(12_000), "cl100k")
    assert recount_train(chunks, 150) == minbpe_train(chunks, 150)


@pytest.mark.slow
def test_minbpe() -> None:
    text = mixed_text(RECOUNTED)
    chunks = chunks_of(text, "cl100k")
    pairs = recount_train(chunks, MERGES)
    ours = train(text, recipe="minbpe", num_merges=MERGES, special_tokens=["<|endoftext|>"])
    assert as_pairs(ours) == pairs
    assert ours.special_tokens == {"<|endoftext|>": 256 + MERGES}
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    ids = {chunk: minbpe_encode(chunk, ranks) for chunk in set(chunks)}
    assert ours.encode(text) == [token_id for chunk in chunks for token_id in ids[chunk]]


# -- tiktoken -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tiktoken_on_a_small_text() -> None:
    text = mixed_text(15_000)
    theirs = bpe_train(data=text, vocab_size=256 + 150, pat_str=SPLITTERS["gpt2"], visualise=None)
    ours = train(text, recipe="tiktoken", num_merges=150)
    assert {token: token_id for token_id, token in ours.vocab.items()} == theirs
    assert as_pairs(ours) == recount_train(chunks_of(text, "gpt2"), 150)


@pytest.mark.slow
def test_tiktoken_encodes_with_our_ranks() -> None:
    text = mixed_text(RECOUNTED)
    ours = train(text, recipe="tiktoken", num_merges=MERGES)
    assert as_pairs(ours) == recount_train(chunks_of(text, "gpt2"), MERGES)
    pattern = SPLITTERS["gpt2"]
    ranks = {token: token_id for token_id, token in ours.vocab.items()}
    theirs = tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    assert ours.encode(text) == theirs.encode_ordinary(text)


# -- huggingface --------------------------------------------------------------------------------------------------

SPECIALS = ["<s>", "</s>"]


def check_against_huggingface(text: str, ours: Tokenizer, theirs: ByteLevelBPETokenizer | TheirTokenizer) -> None:
    special = set(ours.special_tokens.values())
    assert theirs.get_vocab() == {
        token.decode() if token_id in special else to_printable(token): token_id
        for token_id, token in ours.vocab.items()
    }
    assert ours.encode(text) == theirs.encode(text).ids


@pytest.mark.slow
def test_huggingface_facade() -> None:
    text = mixed_text(SIZE)
    theirs = ByteLevelBPETokenizer()
    theirs.train_from_iterator(
        text.splitlines(keepends=True), 258 + MERGES, min_frequency=2, special_tokens=SPECIALS, show_progress=False
    )
    ours = train(text.splitlines(keepends=True), recipe="huggingface", vocab_size=258 + MERGES, special_tokens=SPECIALS)
    assert len(ours.merges) == MERGES
    check_against_huggingface(text, ours, theirs)


@pytest.mark.slow
def test_huggingface_trainer(tmp_path: Path) -> None:
    text = mixed_text(SIZE, seed=3)
    theirs = TheirTokenizer(BPE())
    theirs.pre_tokenizer = ByteLevel(add_prefix_space=False)
    trainer = BpeTrainer(
        vocab_size=256 + MERGES, show_progress=False, min_frequency=2, initial_alphabet=ByteLevel.alphabet()
    )
    theirs.train_from_iterator([text], trainer)
    ours = train(text, recipe="huggingface", num_merges=MERGES)
    check_against_huggingface(text, ours, theirs)
    theirs.model.save(str(tmp_path))
    lines = (tmp_path / "merges.txt").read_text("utf-8").splitlines()[1:]
    assert lines == [f"{to_printable(left)} {to_printable(right)}" for left, right in ours.merges]


# -- special tokens in the corpus ----------------------------------------------------------------------------------

END = "<|end|>"
SEPARATED = mixed_text(30_000, seed=5).replace("\n", END).replace("</", "<")


def huggingface_merges(text: str) -> list[tuple[str, ...]]:
    theirs = ByteLevelBPETokenizer()
    theirs.train_from_iterator([text], 257 + 300, special_tokens=[END], show_progress=False)
    return [tuple(merge) for merge in json.loads(theirs.to_str())["model"]["merges"]]


def printable_merges(tokenizer: Tokenizer) -> list[tuple[str, ...]]:
    return [(to_printable(left), to_printable(right)) for left, right in tokenizer.merges]


@pytest.mark.parametrize(
    ("recipe", "ours_of", "theirs_of"),
    [
        ("huggingface", printable_merges, huggingface_merges),
        ("minbpe", as_pairs, lambda text: recount_train(chunks_of(text, "cl100k"), 300)),
        ("tiktoken", as_pairs, lambda text: recount_train(chunks_of(text, "gpt2"), 300)),
        ("subword-nmt", lambda tokenizer: codes_of(tokenizer), lambda text: subword_nmt_codes(text, 300)),
    ],
)
def test_special_tokens_in_the_corpus_are_text_to_those_who_do_not_search_for_them(
    recipe: str, ours_of: Callable[[Tokenizer], object], theirs_of: Callable[[str], object]
) -> None:
    ours = train(SEPARATED, recipe=recipe, num_merges=300, special_tokens=[END])
    assert ours_of(ours) == theirs_of(SEPARATED)
    assert any(b"end" in token for token in ours.vocab.values() if token != END.encode())  # so they were counted
    assert ours.encode(END) == [ours.special_tokens[END]]


# -- subword-nmt --------------------------------------------------------------------------------------------------


def subword_nmt_codes(text: str, merges: int) -> str:
    codes = io.StringIO()
    learn_bpe(io.StringIO(text), codes, merges, min_frequency=2)
    return codes.getvalue()


def codes_of(tokenizer: Tokenizer) -> str:
    lines = [f"{left.decode()} {right.decode()}" for left, right in tokenizer.merges]
    return "".join(line + "\n" for line in ["#version: 0.2", *lines])


def segmented(tokenizer: Tokenizer, line: str) -> str:
    """Return a line as subword-nmt writes it: `@@ ` after every token but the last of a word."""
    text = " ".join(token.decode() for token in tokenizer.tokenize(line))
    return text.replace("</w>", "\0").replace(" ", "@@ ").replace("\0@@ ", " ").replace("\0", "")


@pytest.mark.slow
def test_subword_nmt(capsys: pytest.CaptureFixture[str]) -> None:
    text = mixed_text(SIZE).replace("</", "<")
    codes = subword_nmt_codes(text, MERGES)
    ours = train(text, recipe="subword-nmt", num_merges=MERGES)
    assert codes_of(ours) == codes
    theirs = apply_bpe.BPE(io.StringIO(codes))
    for line in text.split("\n")[::10]:
        words = " ".join(line.split(" ")).strip()
        assert segmented(ours, line) == " ".join(theirs.segment(words).split())
    capsys.readouterr()
