"""Special tokens: the longest match is taken out of the text before it is split, and nothing merges across it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import PADDING, byte_range
from bpe_gui.engine.kernels.text.special_search import MARK, AddedTokenTable, SpecialTokenTable, find_added
from bpe_gui.engine.runtime.arguments import check_several, check_type
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.types import Int64Array, UInt8Array

from .recipe import Recipe

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FOUND_AT_A_TIME: Final = 1 << 12  # tokens
_NO_BYTES: Final = np.empty(0, np.uint8)
_NEVER: Final = re.compile(b"(?!)")
_SHORT: Final = 1 << 11
"""In up to this many bytes, an expression finds sooner than a kernel that no token begins."""
_NOTHING: Final = np.empty((3, 0), np.int64)


class FoundTokens(NamedTuple):
    """Tokens that were found in a text, as parallel arrays: token i covers the bytes [`starts[i]`, `stops[i]`)."""

    starts: Int64Array
    stops: Int64Array
    tokens: Int64Array
    """The index of each among the tokens that were searched for."""


class TokenSearch:
    """A search for some different, non-empty tokens in UTF-8: the leftmost one, and the longest of those.

    The tokens may have `flags`, the conditions that kernels know, by the `classes` of characters.

    >>> found = TokenSearch([b"<a>", b"<a><a>"]).find(b"x<a><a>y<a>")
    >>> found.starts.tolist(), found.stops.tolist(), found.tokens.tolist()
    ([1, 8], [7, 11], [1, 0])
    """

    def __init__(self, tokens: Sequence[bytes], flags: UInt8Array = _NO_BYTES, classes: UInt8Array = _NO_BYTES) -> None:
        self._order = np.array(sorted(range(len(tokens)), key=tokens.__getitem__), np.int64)
        in_order = flags[self._order] if np.any(flags) else _NO_BYTES
        self._table = AddedTokenTable(special_token_table(tokens), in_order, classes)
        self._first_byte = re.compile(b"[%s]" % re.escape(bytes({token[0] for token in tokens}))) if tokens else _NEVER

    def find(self, text: bytes) -> FoundTokens:
        """Return the tokens in a text in UTF-8, which may also have marks."""
        if len(text) <= _SHORT and not self._first_byte.search(text):
            return FoundTokens(*_NOTHING)
        buffer = np.frombuffer(text + bytes(PADDING), np.uint8)
        parts, at, done = [_NOTHING], 0, 0
        while at < len(text) and len(self._order):
            found = np.empty((3, min(len(text), _FOUND_AT_A_TIME)), np.int64)
            count, at, done = find_added(buffer, at, done, len(text), self._table, *found)
            parts.append(found[:, :count])
        starts, stops, numbers = parts[-1] if len(parts) <= 2 else np.concatenate(parts, axis=1)
        return FoundTokens(starts, stops, self._order[numbers])

    def find_in(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the start and stop of each token in a text, in characters, and its index."""
        data = text.encode("utf-8", "surrogatepass")
        found = self.find(data)
        if len(found.tokens) and not text.isascii():
            begins = np.append(np.int64(0), np.cumsum(np.frombuffer(data, np.uint8) & 0xC0 != 0x80))
            found = found._replace(starts=begins[found.starts], stops=begins[found.stops])
        return zip(*(each.tolist() for each in found), strict=True)


def longest_prefixes(ordered: list[str]) -> list[int]:
    """Return, for each of these sorted strings, the index of the longest other one that is its prefix, or -1.

    >>> longest_prefixes(["a", "ab", "abc", "ac"])
    [-1, 0, 1, 0]
    """
    prefixes: list[int] = []
    for string in ordered:
        index = len(prefixes) - 1
        while index >= 0 and not string.startswith(ordered[index]):
            index = prefixes[index]
        prefixes.append(index)
    return prefixes


_MAX_CHARACTERS: Final = 50_000_000
"""In all special tokens together; twice as many as a million tokens of ordinary length have."""


MARK_ID: Final = -(1 << 31)
"""The id of a mark. No token has it. Texts are not joined if it is the id of unknown symbols."""

TEXT_END: Final = bytes([MARK]) * 16
"""A mark after each of several texts. To kernels, it is a special token that no text can contain.

Kernels that look at its first character see U+0000. It is this long because the search for special tokens skips by the
length of the shortest one.
"""
_SHORT_MARK: Final = bytes([MARK])


def bounds_between_marks(texts: bytes) -> Int64Array:
    """Return where the texts between marks begin and end, alternately.

    >>> bounds_between_marks(TEXT_END.join([b"low", b"er"])).tolist()
    [0, 3, 19, 21]
    """
    marks = np.flatnonzero(np.frombuffer(texts, np.uint8) == MARK)[:: len(TEXT_END)]
    return np.concatenate([[0], np.repeat(marks, 2) + np.tile([0, len(TEXT_END)], len(marks)), [len(texts)]])


def with_marks_as_surrogates(texts: bytes, change: Callable[[str], str]) -> bytes:
    """Return texts in UTF-8 with marks between them, changed all at once, with a surrogate for each mark.

    >>> with_marks_as_surrogates(TEXT_END.join([b"Low", b"ER"]), str.lower) == TEXT_END.join([b"low", b"er"])
    True
    """
    whole = texts.replace(TEXT_END, _SHORT_MARK).decode(errors="surrogateescape")
    return change(whole).encode(errors="surrogateescape").replace(_SHORT_MARK, TEXT_END)


class SpecialTokens:
    """The special tokens of a corpus or a tokenizer, and how to search for them.

    Raises TokenizerError for one that is empty, repeated or not valid text. The leftmost match wins, then the longest.

    >>> list(SpecialTokens(["<a>", "<a><a>"]).split("x<a><a>y"))
    [('x', False), ('<a><a>', True), ('y', False)]
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        check_several("special_tokens", tokens)
        self.tokens: Final = tuple(tokens)
        check_special_tokens(self.tokens)
        self._max_length = max(map(len, self.tokens), default=0)

    @cached_property
    def _search(self) -> TokenSearch:
        return TokenSearch(list(map(str.encode, self.tokens)))

    def removed_from_corpus(self, recipe: Recipe) -> "SpecialTokens":
        """Return the special tokens that training by a recipe removes from its corpus: all or none."""
        return self if recipe.special_text == "apart" else SpecialTokens(())

    def for_kernels(self, mark: bytes | None = None) -> SpecialTokenTable:
        """Return the tables with which kernels search for special tokens, and for a `mark` that is not text."""
        return special_token_table([*(token.encode() for token in self.tokens), *([mark] if mark else [])])

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the non-empty parts of `text` in order, each with whether it is a special token."""
        return self.split_stream((), text)

    def split_stream(self, chunks: Iterable[str], rest: str = "") -> Iterator[tuple[str, bool]]:
        """Yield the parts of text that arrives in chunks. Text between special tokens may come in several parts.

        At the end, there is a `rest`.
        """
        buffer = ""
        for chunk in chain(chunks, [None]):
            buffer += rest if chunk is None else chunk
            # A token that starts here or later may be incomplete, or the beginning of a longer one.
            undecided = len(buffer) if chunk is None else len(buffer) - self._max_length + 1
            end = 0
            for start, stop, _token in self._search.find_in(buffer):
                if start >= undecided:
                    break
                if start > end:
                    yield buffer[end:start], False
                yield buffer[start:stop], True
                end = stop
            if undecided > end:
                yield buffer[end:undecided], False
                end = undecided
            buffer = buffer[end:]

    def refused_in(self, chunks: Iterable[str]) -> Iterator[str]:
        """Pass on text that arrives in chunks, in other chunks. Raise TokenizerError for its first special token.

        >>> list(SpecialTokens(["<a>"]).refused_in(["x<", "a>y"]))
        Traceback (most recent call last):
        bpe_gui.engine.runtime.errors.TokenizerError: The text has the special token '<a>' at character 1, ...
        """
        offset = 0
        for part, is_special in self.split_stream(chunks):
            if is_special:
                raise special_token_error(part, offset)
            yield part
            offset += len(part)


def special_token_error(token: str, start: int) -> TokenizerError:
    """Return the error for a special token in a text that must not have one; `start` is in code points."""
    return TokenizerError(
        "The text has the special token {token!r} at character {start:,}, where none is allowed. Allow it by its "
        'name to obey it, or choose "none" to encode it as plain text.',
        token=token,
        start=start,
    )


def check_special_tokens(tokens: Iterable[str]) -> None:
    """Raise TokenizerError for a special token that is empty, repeated or not valid text, or for too many of them."""
    tokens = list(tokens)
    for token in tokens if set(map(type, tokens)) != {str} else ():
        check_type("a special token", token, str)
    if sum(map(len, tokens)) > _MAX_CHARACTERS:
        raise TokenizerError("The special tokens have more than {most:,} characters in total.", most=_MAX_CHARACTERS)
    if all(tokens) and len(set(tokens)) == len(tokens) and not _SURROGATE.search("".join(tokens)):
        return  # looking at each takes several times as long
    seen: set[str] = set()
    for number, token in enumerate(tokens, start=1):
        if not token:
            raise TokenizerError(
                "Special token number {number} is empty. It must have at least one character.", number=number
            )
        if token in seen:
            raise TokenizerError("The special token {token!r} occurs twice. Remove one of them.", token=token)
        seen.add(token)
        if _SURROGATE.search(token):
            raise TokenizerError(
                "The special token {token!r} contains a lone surrogate, which is not a valid character.", token=token
            )


def special_token_table(tokens: Iterable[bytes]) -> SpecialTokenTable:
    """Return the tables with which kernels search for tokens."""
    tokens = sorted(tokens)
    ordered = [token.decode("latin-1") for token in tokens]  # one character per byte
    shortest, longest = min(map(len, tokens), default=1), max(map(len, tokens), default=1)
    skips = np.full(256, min(shortest, 255), np.uint8)
    for index in range(max(0, shortest - 256), shortest):
        at_index = list({token[index] for token in tokens})
        skips[at_index] = np.minimum(skips[at_index], shortest - 1 - index)
    beginnings = {token[:2] for token in tokens}
    beginning = beginnings.pop() if len(beginnings) == 1 and shortest > 1 else b""
    return SpecialTokenTable(
        text=np.frombuffer(b"".join(tokens), np.uint8),
        starts=np.cumsum([0, *map(len, tokens)], dtype=np.int64),
        shorter=np.array(longest_prefixes(ordered), np.int64),
        skips=skips,
        sizes=np.array([shortest, longest], np.int64),
        beginning=np.array([byte_range(chr(byte), chr(byte)) for byte in beginning], np.int64),
    )
