"""Decode ids that may be wrong, and compare them with the ids that encoding the decoded text gives."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final

from bpe_gui.engine import Progress, Tokenizer

_CHARACTERS_PER_REPORT: Final = 1 << 14  # of progress, while text is encoded
_UNDECODED: Final = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class BrokenBytes:
    """Bytes that are not valid UTF-8, with the indices of the first and the last id whose bytes they are."""

    first: int
    last: int
    data: bytes


@dataclass(frozen=True, slots=True)
class DecodedIds:
    """Ids, the text they decode to, and the mistakes in them.

    In `text`, an id that does not exist appears as `⟨9999⟩`, and a byte that is not valid UTF-8 as `\\xf0`. `size` is
    the size of the text in bytes; `missing` are the indices of the ids that do not exist.
    """

    ids: list[int]
    text: str
    size: int
    missing: list[int]
    broken: list[BrokenBytes]

    @property
    def is_valid(self) -> bool:
        """Whether all ids exist and their bytes are valid UTF-8."""
        return not self.missing and not self.broken


def decode_ids(ids: list[int], tokenizer: Tokenizer) -> DecodedIds:
    """Decode `ids`, and find those that do not exist and the bytes that are not valid UTF-8."""
    vocab = tokenizer.vocab
    has_own_bytes = tokenizer.pipeline is None or tokenizer.joins_bytes
    parts = (_parts_by_id if has_own_bytes else _parts_by_run)(ids, tokenizer)
    data = b"".join(parts)
    return DecodedIds(
        ids,
        data.decode("utf-8", "backslashreplace"),
        len(data),
        [index for index, token_id in enumerate(ids) if token_id not in vocab],
        _broken_bytes(data, parts),
    )


def _parts_by_id(ids: list[int], tokenizer: Tokenizer) -> list[bytes]:
    """Return the bytes that each id decodes to."""
    data_of_id = {token_id: _bytes_inside(token_id, tokenizer) for token_id in set(ids)}
    parts = [data_of_id[token_id] for token_id in ids]
    if ids and ids[-1] in tokenizer.vocab:
        parts[-1] = tokenizer.decode_bytes(ids[-1:])  # without the space that would follow within text
    return parts


def _parts_by_run(ids: list[int], tokenizer: Tokenizer) -> list[bytes]:
    """Return the text of each run of ids that exist, for a tokenizer that decodes several together: always UTF-8."""
    runs = groupby(ids, tokenizer.vocab.__contains__)
    return [tokenizer.decode_bytes(list(run)) if exist else b"".join(map(_missing, run)) for exist, run in runs]


def _missing(token_id: int) -> bytes:
    return f"⟨{token_id}⟩".encode()


def _bytes_inside(token_id: int, tokenizer: Tokenizer) -> bytes:
    """Return the bytes that an id decodes to where another id follows; `⟨9999⟩` for an id that does not exist."""
    if token_id not in tokenizer.vocab:
        return _missing(token_id)
    # Decode the id twice: the first of the two is followed by another id, the second is the last.
    return tokenizer.decode_bytes([token_id, token_id]).removesuffix(tokenizer.decode_bytes([token_id]))


def _broken_bytes(data: bytes, parts: list[bytes]) -> list[BrokenBytes]:
    found: list[BrokenBytes] = []
    stops = list(accumulate(map(len, parts)))
    text = data.decode("utf-8", "surrogateescape")
    character = byte = 0
    for match in _UNDECODED.finditer(text):
        start = byte + len(text[character : match.start()].encode())
        character, byte = match.end(), start + len(match[0])
        found.append(BrokenBytes(bisect_right(stops, start), bisect_right(stops, byte - 1), data[start:byte]))
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """The first index at which the given ids differ from the ids that encoding their text gives.

    `given` and `encoded` are the ids from that index on, up to the next offset at which a token ends in both.
    """

    index: int
    given: list[int]
    encoded: list[int]


def first_difference(decoded: DecodedIds, tokenizer: Tokenizer, progress: Progress) -> Difference | None:
    """Encode the text of valid ids, and return the first difference from these ids; None if they are equal.

    Raise EngineError if the text cannot be encoded.
    """
    given = decoded.ids
    encoded = list(tokenizer.encode_iterable(_pieces(decoded.text, progress)))
    if given == encoded:
        return None
    common = min(len(given), len(encoded))
    index = next((i for i in range(common) if given[i] != encoded[i]), common)
    ends = [index, index]  # of the differing ids: given and encoded
    sizes = [0, 0]  # the bytes that they cover
    while ends == [index, index] or sizes[0] != sizes[1]:
        side = int(sizes[1] < sizes[0])  # the one that covers fewer bytes takes another token
        ids = (given, encoded)[side]
        if ends[side] == len(ids):
            ends = [len(given), len(encoded)]
            break
        sizes[side] += len(tokenizer.token(ids[ends[side]]))
        ends[side] += 1
    return Difference(index, given[index : ends[0]], encoded[index : ends[1]])


def _pieces(text: str, progress: Progress) -> Iterator[str]:
    """Yield `text` in pieces, and report before each how many characters were yielded, of how many."""
    for start in range(0, len(text), _CHARACTERS_PER_REPORT):
        progress(start, len(text))
        yield text[start : start + _CHARACTERS_PER_REPORT]
