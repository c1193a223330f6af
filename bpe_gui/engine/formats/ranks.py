"""What formats of ranks share: how tiktoken merges by ranks alone, said in merges.

tiktoken gives a word that is a token as it is. Any other it merges: again and again the two neighbours whose bytes
together have the lowest rank, of equal ones the leftmost. What is merged inside a stretch of bytes does not depend on
what is around it while nothing merges across its ends. So a token is made of the same two parts wherever it is made:
those that its own bytes come to, encoded alone. A token that its bytes do not come to is never merged, and only ever
stands for a whole word: no merge explains it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import chain
from pathlib import Path
from typing import AnyStr, Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.pipeline import AddedToken, Model, Pipeline
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE_ORDER
from bpe_gui.engine.text.splitters import SPLITTERS, StreamSplitter, compile_pattern
from bpe_gui.engine.text.utf8 import chunks_of
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

SINGLE: Final = tuple(bytes((byte,)) for byte in range(256))
LONGEST_TOKEN: Final = 1024  # bytes
MOST_TOKEN_BYTES: Final = 2_000_000
"""Of all tokens together; the largest published files have two thirds of it. Finding the merges then takes seconds."""

_SHORT: Final = 64
"""Bytes up to which looking at all pairs is quicker than keeping a heap."""

Merge = tuple[bytes, bytes]


# -- merges from ranks --------------------------------------------------------------------------------------------


def recovered(tokens: Sequence[bytes]) -> Iterator[Merge | None]:
    """What each token of several bytes is merged of, given all tokens in the order of their ranks; None for nothing.

    >>> list(recovered([b"l", b"o", b"w", b"ow", b"low", b"wow"]))
    [(b'o', b'w'), (b'l', b'ow'), (b'w', b'ow')]
    >>> list(recovered([b"l", b"o", b"w", b"low"]))
    [None]
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    for token in tokens:
        if len(token) > 1:
            cut = last_cut(token, ranks.get, len(tokens))
            yield None if cut is None else (token[:cut], token[cut:])


def last_cut(token: AnyStr, rank_of: Callable[[AnyStr, int], int], never: int) -> int | None:
    """Where the last two parts meet that a token of bytes or characters is merged of, if it is.

    `rank_of` gives the rank of a token, and what it gets besides for what is none: `never`, a rank that no token has.
    """
    return (_cut_short if len(token) <= _SHORT else _cut_long)(token, rank_of, never)


def _cut_short(token: AnyStr, rank_of: Callable[[AnyStr, int], int], never: int) -> int | None:
    cuts = list(range(len(token) + 1))  # where symbols begin and end
    ranks = [rank_of(token[place : place + 2], never) for place in range(len(token) - 1)]
    while len(ranks) > 1:
        lowest = min(ranks)
        if lowest == never:
            return None
        at = ranks.index(lowest)
        del cuts[at + 1], ranks[at]
        if at < len(ranks):
            ranks[at] = rank_of(token[cuts[at] : cuts[at + 2]], never)
        if at > 0:
            ranks[at - 1] = rank_of(token[cuts[at - 1] : cuts[at + 1]], never)
    return cuts[1]


def _cut_long(token: AnyStr, rank_of: Callable[[AnyStr, int], int], never: int) -> int | None:
    """The same in O(n log n). The heap has pairs as their rank above the place where they begin."""
    size = len(token)
    ends = list(range(1, size + 2))  # by place: where the symbol ends that begins there
    before = list(range(-1, size))  # and where the one on its left begins
    heap: list[int] = []

    def push(begin: int, end: int) -> None:
        rank = rank_of(token[begin:end], never)
        if rank < never:
            heappush(heap, rank << 32 | begin)

    for place in range(size - 1):
        push(place, place + 2)
    left = size
    while heap:
        entry = heappop(heap)
        begin = entry & 0xFFFF_FFFF
        middle = ends[begin]
        # The pair may have gone since it was put on the heap.
        if not 0 < middle < size or rank_of(token[begin : ends[middle]], never) != entry >> 32:
            continue
        if left == 2:
            return middle
        left -= 1
        end = ends[begin] = ends[middle]
        ends[middle] = 0
        if end < size:
            before[end] = begin
            push(begin, ends[end])
        if before[begin] >= 0:
            push(before[begin], end)
    return None


# -- tokenizers ---------------------------------------------------------------------------------------------------


def check_size(path: Path, tokens: Mapping[int, bytes]) -> None:
    """Raise FormatError for tokens that would take too long to be taken apart."""
    if sum(map(len, tokens.values())) > MOST_TOKEN_BYTES:
        raise FormatError(
            _("EngineError", "{path}: the tokens have more than {most:,} bytes together."),
            path=path,
            most=MOST_TOKEN_BYTES,
        )


def tokenizer_of(
    tokens: Mapping[int, bytes], splitter: str, special_tokens: Mapping[str, int], *, first_id: int = 0
) -> Tokenizer:
    """The tokenizer that encodes as tiktoken does by tokens, given by rank, in order; ids count from `first_id`.

    Where merges explain all of them, a recipe says the rest. Where they do not, words are looked up first.
    """
    found = list(recovered(list(tokens.values())))
    merges = [merge for merge in found if merge is not None]
    vocab = {first_id + rank: token for rank, token in tokens.items()}
    if len(merges) < len(found):
        return Tokenizer(vocab, merges, special_tokens, pipeline=_pipeline(splitter, special_tokens))
    alphabet = [token[0] for token in tokens.values() if len(token) == 1]
    recipe = Recipe.of("tiktoken").with_changes(
        splitter=splitter,
        special_ids="first" if first_id else "last",
        alphabet="gpt2-printable" if alphabet == list(PRINTABLE_ORDER) else "sorted",
    )
    return Tokenizer(vocab, merges, special_tokens, recipe=recipe)


@dataclass(frozen=True, slots=True)
class Words:
    """Cuts into the words of a splitter, as a recipe does; what its pattern does not match is lost."""

    splitter: str

    def split(self, text: CutText) -> CutText:
        """The words. Raises TrainingError for a regular expression that takes too long.

        >>> from ..pipeline.aligned import AlignedText
        >>> Words("gpt2").split(CutText.of(AlignedText.of("low lower"))).words()
        ['low', ' lower']
        """
        found = [self._spans(word) for word in text.words()]
        of = np.repeat(np.arange(len(found)), list(map(len, found)))
        begins, ends = np.array(list(chain.from_iterable(found)), np.int64).reshape(-1, 2).T + text.begins[of]
        return text.with_words(begins, ends, of)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        stream = StreamSplitter(self.splitter)
        words = [word for chunk in chunks_of(text) for word in stream.feed(chunk)] + stream.finish()
        return [(word.start, word.stop) for word in words]


def _pipeline(splitter: str, special_tokens: Mapping[str, int]) -> Pipeline:
    return Pipeline(
        added_tokens=tuple(AddedToken(id=token_id, content=token) for token, token_id in special_tokens.items()),
        pre_tokenizers=(Words(splitter), ByteLevel()),
        model=Model(is_byte_level=True, ignores_merges=True),
        decoders=(ByteLevelDecoder(),),
    )


def is_by_ranks(tokenizer: Tokenizer) -> bool:
    """Whether a tokenizer is one that was made of ranks which merges do not explain."""
    match tokenizer.pipeline:
        case Pipeline(pre_tokenizers=(Words(splitter), _bytes)):
            return tokenizer.pipeline == _pipeline(splitter, tokenizer.special_tokens)
    return False


def unexplained(tokenizer: Tokenizer) -> dict[int, bytes]:
    """The tokens of several bytes that no merge makes, by id: what is only found where it is a whole word.

    >>> unexplained(tokenizer_of({**dict(enumerate(SINGLE)), 256: b"ow", 300: b"slow"}, "gpt2", {}))
    {300: b'slow'}
    """
    entries = tokenizer.entries()
    affixes = _affixes(tokenizer)
    return {
        token_id: token
        for token_id, step, token in zip(entries.ids.tolist(), entries.steps.tolist(), entries.tokens, strict=True)
        if step == 0 and len(_without(token, *affixes)) > 1
    }


def _affixes(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    """What is put before and after the symbols that words start as."""
    if tokenizer.pipeline is not None:
        return tokenizer.pipeline.model.prefix.encode(), tokenizer.pipeline.model.suffix.encode()
    return b"", b"" if tokenizer.recipe.boundary == "none" else END_OF_WORD


def _without(token: bytes, prefix: bytes, suffix: bytes) -> bytes:
    return token.removeprefix(prefix).removesuffix(suffix)


# -- patterns -----------------------------------------------------------------------------------------------------

# openai/tiktoken tiktoken_ext/openai_public.py: as `gpt2` splits, but quicker there
_R50K: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\Z|\s+(?!\S)|\s"
_NAMES: Final = {pattern: name for name, pattern in SPLITTERS.items()} | {_R50K: "gpt2"}


def named(pattern: str) -> str:
    r"""The name of the splitter that a pattern is, also as tiktoken has it; any other pattern as it is.

    >>> named(r"\S+"), named(SPLITTERS["gpt2"]), named(SPLITTERS["cl100k"].replace(r"\Z", "$"))
    ('\\S+', 'gpt2', 'cl100k')
    """
    return _NAMES.get(pattern) or _NAMES.get(pattern.replace("$", r"\Z")) or pattern


_ITEM: Final = re.compile(r"\\.|\[\^?\]?|[\]$]|&&|--|~~", re.DOTALL)


def splitter_of(pattern: str) -> str:
    r"""The splitter for a pattern in a file, whose regular expressions are Rust's. Raises RecipeError.

    >>> splitter_of(r"\S+$"), splitter_of(SPLITTERS["gpt2"])
    ('\\S+\\Z', 'gpt2')
    """
    translated = named(_from_rust(pattern))
    compile_pattern(translated)
    return f"(?:{translated})" if translated == pattern in SPLITTERS else translated


def _from_rust(pattern: str) -> str:
    r"""The same regular expression for Python: there, `$` may stand before a last line break, and `\z` is `\Z`."""
    is_in_set = False

    def translate(found: re.Match[str]) -> str:
        nonlocal is_in_set
        item = found.group()
        if item in {"\\z", "$"} and not is_in_set:
            return "\\Z"
        if item in {"\\Z", "\\h", "\\H"} or (is_in_set and item in {"&&", "--", "~~"}):
            raise RecipeError(
                _("EngineError", "By {item!r}, a regular expression of tiktoken means something else; leave it out."),
                item=item,
            )
        if item == "]":
            is_in_set = False
        elif item.startswith("["):
            if is_in_set:
                raise RecipeError(
                    _("EngineError", "A set [ ] inside a set cannot be read in a regular expression of tiktoken.")
                )
            is_in_set = True
        return item

    return _ITEM.sub(translate, pattern)
