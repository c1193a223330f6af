"""Recover merges from ranks: tiktoken and tekken files list tokens by rank, but no merges.

tiktoken looks up a word that is a token. In any other word it merges, again and again, the two neighbours whose joined
bytes have the lowest rank, of equal ranks the leftmost. As long as nothing is merged across the ends of a stretch of
bytes, what happens inside does not depend on its surroundings. So a token is made of the same two parts wherever it is
made, and these are found by encoding its own bytes. If that does not give the token, no merge makes it, and it only
ever stands for a whole word.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from pathlib import Path
from typing import AnyStr, Final

from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, RecipeSplit
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE_ORDER
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.vocabulary import TokenPair

SINGLE_BYTES: Final = tuple(bytes((byte,)) for byte in range(256))
MAX_TOKEN_BYTES: Final = 1024
MAX_TOTAL_TOKEN_BYTES: Final = 2_000_000
"""Recovering the merges then takes seconds; the largest published files have two thirds of it."""

_SHORT_LENGTH: Final = 64
"""The length up to which scanning all pairs is faster than keeping a heap."""


# -- merges from ranks --------------------------------------------------------------------------------------------


def recover_merges(ranked_tokens: Sequence[bytes]) -> Iterator[TokenPair | None]:
    """Yield the merge that makes each token of several bytes, or None if no merge does.

    >>> list(recover_merges([b"l", b"o", b"w", b"ow", b"low", b"wow"]))
    [(b'o', b'w'), (b'l', b'ow'), (b'w', b'ow')]
    >>> list(recover_merges([b"l", b"o", b"w", b"low"]))
    [None]
    """
    ranks = {token: rank for rank, token in enumerate(ranked_tokens)}
    for token in ranked_tokens:
        if len(token) > 1:
            boundary = last_merge_boundary(token, ranks.get, len(ranked_tokens))
            yield None if boundary is None else (token[:boundary], token[boundary:])


def last_merge_boundary(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Return the boundary between the two symbols that are left before the last merge when a token is encoded.

    Return None if its bytes (or characters) do not merge to the whole token. `rank_of(token, no_rank)` returns the rank
    of a token, or `no_rank`, which must be greater than all ranks, if its argument is not a token.
    """
    find = _find_boundary_by_scanning if len(token) <= _SHORT_LENGTH else _find_boundary_by_heap
    return find(token, rank_of, no_rank)


def _find_boundary_by_scanning(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Take O(n²) steps, but fast ones."""
    boundaries = list(range(len(token) + 1))  # of the symbols
    ranks = [rank_of(token[start : start + 2], no_rank) for start in range(len(token) - 1)]  # of the pairs
    while len(ranks) > 1:
        lowest = min(ranks)
        if lowest == no_rank:
            return None
        index = ranks.index(lowest)
        del boundaries[index + 1], ranks[index]
        if index < len(ranks):
            ranks[index] = rank_of(token[boundaries[index] : boundaries[index + 2]], no_rank)
        if index > 0:
            ranks[index - 1] = rank_of(token[boundaries[index - 1] : boundaries[index + 1]], no_rank)
    return boundaries[1]


def _find_boundary_by_heap(token: AnyStr, rank_of: Callable[[AnyStr, int], int], no_rank: int) -> int | None:
    """Take O(n log n) steps.

    Symbols are identified by their start: `ends[start]` is the end of the symbol, 0 if there is none any more, and
    `previous[start]` the start of the symbol on its left. An entry of the heap is a pair: its rank in the upper bits,
    its start in the lower 32. Entries are not removed when a pair disappears but checked when they surface.
    """
    size = len(token)
    ends = list(range(1, size + 2))
    previous = list(range(-1, size))
    heap: list[int] = []

    def push(start: int, end: int) -> None:
        rank = rank_of(token[start:end], no_rank)
        if rank < no_rank:
            heappush(heap, rank << 32 | start)

    for start in range(size - 1):
        push(start, start + 2)
    symbol_count = size
    while heap:
        entry = heappop(heap)
        start = entry & 0xFFFF_FFFF
        middle = ends[start]
        is_stale = not 0 < middle < size or rank_of(token[start : ends[middle]], no_rank) != entry >> 32
        if is_stale:
            continue
        if symbol_count == 2:
            return middle
        symbol_count -= 1
        end = ends[start] = ends[middle]
        ends[middle] = 0
        if end < size:
            previous[end] = start
            push(start, ends[end])
        if previous[start] >= 0:
            push(previous[start], end)
    return None


# -- tokenizers ---------------------------------------------------------------------------------------------------


def check_total_size(path: Path, tokens: Mapping[int, bytes]) -> None:
    """Raise FormatError if recovering the merges of so many bytes would take too long."""
    if sum(map(len, tokens.values())) > MAX_TOTAL_TOKEN_BYTES:
        raise FormatError(
            _("EngineError", "{path}: the tokens have more than {most:,} bytes together."),
            path=path,
            most=MAX_TOTAL_TOKEN_BYTES,
        )


def tokenizer_from_ranks(
    tokens: Mapping[int, bytes], splitter: str, special_tokens: Mapping[str, int], *, first_id: int = 0
) -> Tokenizer:
    """Return a tokenizer that encodes as tiktoken does with these tokens.

    `tokens` are in the order of their ranks; a token's id is its rank plus `first_id`. If merges make all tokens, the
    tokenizer has a recipe. If not, it has a pipeline that looks up words before it merges them.
    """
    merge_of_each = list(recover_merges(list(tokens.values())))
    merges = [merge for merge in merge_of_each if merge is not None]
    vocab = {first_id + rank: token for rank, token in tokens.items()}
    if len(merges) < len(merge_of_each):
        return Tokenizer(vocab, merges, special_tokens, pipeline=_lookup_pipeline(splitter, special_tokens))
    alphabet = [token[0] for token in tokens.values() if len(token) == 1]
    recipe = Recipe.of("tiktoken").with_changes(
        splitter=splitter,
        special_ids="first" if first_id else "last",
        alphabet="gpt2-printable" if alphabet == list(PRINTABLE_ORDER) else "sorted",
    )
    return Tokenizer(vocab, merges, special_tokens, recipe=recipe)


def _lookup_pipeline(splitter: str, special_tokens: Mapping[str, int]) -> Pipeline:
    return Pipeline(
        added_tokens=tuple(AddedToken(id=token_id, content=token) for token, token_id in special_tokens.items()),
        pre_tokenizers=(RecipeSplit(splitter), ByteLevel()),
        model=ModelOptions(is_byte_level=True, ignores_merges=True),
        decoders=(ByteLevelDecoder(),),
    )


def has_lookup_pipeline(tokenizer: Tokenizer) -> bool:
    """Return whether `tokenizer_from_ranks` gave a tokenizer its pipeline, because merges do not make all tokens."""
    match tokenizer.pipeline:
        case Pipeline(pre_tokenizers=(RecipeSplit(splitter), _bytes)):
            return tokenizer.pipeline == _lookup_pipeline(splitter, tokenizer.special_tokens)
    return False


def unmerged_tokens(tokenizer: Tokenizer) -> dict[int, bytes]:
    """Return the tokens of several bytes that no merge makes, by id: they can only stand for whole words.

    >>> unmerged_tokens(tokenizer_from_ranks({**dict(enumerate(SINGLE_BYTES)), 256: b"ow", 300: b"slow"}, "gpt2", {}))
    {300: b'slow'}
    """
    entries = tokenizer.entries()
    prefix, suffix = _affixes(tokenizer)
    return {
        token_id: token
        for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
        if step == 0 and len(token.removeprefix(prefix).removesuffix(suffix)) > 1
    }


def _affixes(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    """Return the bytes that are attached before and after the initial symbols of a word."""
    if tokenizer.pipeline is not None:
        return tokenizer.pipeline.model.prefix.encode(), tokenizer.pipeline.model.suffix.encode()
    return b"", b"" if tokenizer.recipe.boundary == "none" else END_OF_WORD
