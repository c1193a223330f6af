"""Special tokens: the longest match is taken out of the text before it is split, and nothing merges across it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.lowlevel.machine import byte_range
from bpe_gui.engine.kernels.text.special_search import MARK, SpecialTokenTable
from bpe_gui.engine.runtime.arguments import check_several, check_type
from bpe_gui.engine.runtime.errors import TokenizerError

from .recipe import Recipe


class LongestMatch:
    """A search for the longest of some non-empty strings.

    The strings are sorted. Take the last one that is not greater than the text at some offset: either it is a prefix of
    that text, or every string that is a prefix of that text is also a prefix of it. So a binary search, followed by
    look-ups in a table of each string's longest prefix among the others, finds the longest match.

    >>> list(LongestMatch(["<a>", "<a><a>"]).spans("x<a><a>y<a>"))
    [(1, 7), (8, 11)]
    """

    def __init__(self, strings: Iterable[str]) -> None:
        self._sorted: Final = sorted(set(strings))
        self._prefixes: Final = longest_prefixes(self._sorted)
        self._max_length = max(map(len, self._sorted), default=0)
        self._candidates = _candidate_pattern(self._sorted)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the start and stop of each match, from left to right; matches do not overlap."""
        stop = 0
        for candidate in self._candidates.finditer(text):
            start = candidate.start()
            if start >= stop and (length := self._match_length(text, start)):
                stop = start + length
                yield start, stop

    def _match_length(self, text: str, offset: int) -> int:
        """Return the length of the longest match at `offset`, or 0."""
        index = bisect_right(self._sorted, text[offset : offset + self._max_length]) - 1
        while index >= 0 and not text.startswith(self._sorted[index], offset):
            index = self._prefixes[index]
        return len(self._sorted[index]) if index >= 0 else 0


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


def _candidate_pattern(strings: Iterable[str]) -> "re.Pattern[str]":
    """Return a pattern that matches wherever one of the strings may start, judging by at most two characters."""
    heads = {string[:2] for string in strings}
    firsts, seconds = ({head[index] for head in heads if len(head) > index} for index in (0, 1))
    following = f"(?={_any_of(seconds)})" if all(len(head) == 2 for head in heads) else ""
    return re.compile(_any_of(firsts) + following)


def _any_of(characters: Iterable[str]) -> str:
    """Return a pattern for any of the characters, or one that never matches if there are none."""
    return f"[{''.join(map(re.escape, sorted(characters)))}]" if characters else "(?!)"


_MAX_CHARACTERS: Final = 5_000_000
"""In all special tokens together; twice as many as a hundred thousand tokens of ordinary length have."""


TEXT_END: Final = bytes([MARK]) * 16
"""A mark after each of several texts. To kernels, it is a special token that no text can contain.

Kernels that look at its first character see U+0000. It is this long because the search for special tokens skips by the
length of the shortest one.
"""


class SpecialTokens:
    """The special tokens of a corpus or a tokenizer, and how to search for them.

    Raises TokenizerError for one that is empty, repeated or not valid text. The leftmost match wins, then the longest.

    >>> list(SpecialTokens(["<a>", "<a><a>"]).split("x<a><a>y"))
    [('x', False), ('<a><a>', True), ('y', False)]
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        check_several("special_tokens", tokens, TokenizerError)
        self.tokens: Final = tuple(tokens)
        check_special_tokens(self.tokens)
        self._max_length = max(map(len, self.tokens), default=0)

    @cached_property
    def _search(self) -> LongestMatch:
        return LongestMatch(self.tokens)

    def removed_from_corpus(self, recipe: Recipe) -> "SpecialTokens":
        """Return the special tokens that training by a recipe removes from its corpus: all or none."""
        return self if recipe.special_text == "apart" else SpecialTokens(())

    def in_byte_order(self) -> list[str]:
        """Return the special tokens sorted by their bytes, as kernels number them."""
        return sorted(self.tokens)

    def for_kernels(self, mark: bytes | None = None) -> SpecialTokenTable:
        """Return the tables with which kernels search for special tokens, and for a `mark` that is not text."""
        return special_token_table([*(token.encode() for token in self.tokens), *([mark] if mark else [])])

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the non-empty parts of `text` in order, each with whether it is a special token."""
        end = 0
        for start, stop in self._search.spans(text):
            if start > end:
                yield text[end:start], False
            yield text[start:stop], True
            end = stop
        if end < len(text):
            yield text[end:], False

    def split_stream(self, chunks: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """Yield the parts of text that arrives in chunks. Text between special tokens may come in several parts."""
        buffer = ""
        for chunk in chunks:
            buffer += chunk
            # A token that starts here or later may be incomplete, or the beginning of a longer one.
            undecided = len(buffer) - self._max_length + 1
            end = 0
            for start, stop in self._search.spans(buffer):
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
        yield from self.split(buffer)

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
    for token in tokens:
        check_type("A special token", token, (str,), TokenizerError)
    if sum(map(len, tokens)) > _MAX_CHARACTERS:
        raise TokenizerError("The special tokens have more than {most:,} characters in total.", most=_MAX_CHARACTERS)
    seen: set[str] = set()
    for number, token in enumerate(tokens, start=1):
        if not token:
            raise TokenizerError(
                "Special token number {number} is empty. It must have at least one character.", number=number
            )
        if token in seen:
            raise TokenizerError("The special token {token!r} occurs twice. Remove one of them.", token=token)
        seen.add(token)
        if any("\ud800" <= character <= "\udfff" for character in token):
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
