"""Special tokens: cut out of the text before it is split, longest first; nothing merges across them."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.errors import TokenizerError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.kernels.text.special_search import Specials
from bpe_gui.engine.text.longest_match import LongestMatch, longest_beginnings

_MOST_CHARACTERS: Final = 5_000_000
"""Of all special tokens together; a hundred thousand of the usual length have half of it."""


class SpecialTokens:
    """The special tokens of a corpus or a tokenizer, ready to be cut out of text.

    Raises TokenizerError for an empty or repeated one, or one that is not valid text. Tokens that contain one another
    are fine: the longest wins.

    >>> list(SpecialTokens(["<a>", "<a><a>"]).cut("x<a><a>y"))
    [('x', False), ('<a><a>', True), ('y', False)]
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens: Final = tuple(tokens)
        check_special_tokens(self.tokens)
        self._longest = max(map(len, self.tokens), default=0)

    @cached_property
    def _match(self) -> LongestMatch:
        return LongestMatch(self.tokens)

    def in_order(self) -> list[str]:
        """The special tokens, sorted as their bytes are."""
        return sorted(self.tokens)

    def as_bytes(self) -> Specials:
        """The same for kernels."""
        ordered = self.in_order()
        found = [token.encode() for token in ordered]
        shortest, longest = min(map(len, found), default=1), max(map(len, found), default=1)
        skips = np.full(256, min(shortest, 255), np.uint8)
        for token in found:
            for place in range(max(0, shortest - 256), shortest):
                skips[token[place]] = min(skips[token[place]], shortest - 1 - place)
        return Specials(
            text=np.frombuffer(b"".join(found), np.uint8),
            starts=np.cumsum([0, *map(len, found)], dtype=np.int64),
            shorter=np.array(longest_beginnings(ordered), np.int64),
            skips=skips,
            sizes=np.array([shortest, longest], np.int64),
        )

    def cut(self, text: str) -> Iterator[tuple[str, bool]]:
        """The parts of `text` in order, each with whether it is a special token; empty parts are left out."""
        done = 0
        for start, stop in self._match.found(text):
            if start > done:
                yield text[done:start], False
            yield text[start:stop], True
            done = stop
        if done < len(text):
            yield text[done:], False

    def cut_stream(self, chunks: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """The same parts for text that arrives in chunks; a part that is no special token may come in pieces."""
        buffer = ""
        for chunk in chunks:
            buffer += chunk
            # A token that begins after this may not be here whole yet, or may still become a longer one.
            decided = len(buffer) - self._longest + 1
            done = 0
            for start, stop in self._match.found(buffer):
                if start >= decided:
                    break
                if start > done:
                    yield buffer[done:start], False
                yield buffer[start:stop], True
                done = stop
            if decided > done:
                yield buffer[done:decided], False
                done = decided
            buffer = buffer[done:]
        yield from self.cut(buffer)


def check_special_tokens(tokens: Iterable[str]) -> None:
    """Raise TokenizerError for an empty or repeated one, or one that is not valid text."""
    if sum(map(len, tokens)) > _MOST_CHARACTERS:
        raise TokenizerError(
            _("EngineError", "The special tokens have more than {most:,} characters together."),
            most=_MOST_CHARACTERS,
        )
    seen: set[str] = set()
    for index, token in enumerate(tokens):
        if not token:
            raise TokenizerError(
                _("EngineError", "Special token number {number} is empty; it needs at least one character."),
                number=index + 1,
            )
        if token in seen:
            raise TokenizerError(
                _("EngineError", "The special token {token!r} is given twice; once is enough."), token=token
            )
        seen.add(token)
        if any("\ud800" <= character <= "\udfff" for character in token):
            raise TokenizerError(
                _("EngineError", "The special token {token!r} holds half a surrogate pair, which is no character."),
                token=token,
            )
