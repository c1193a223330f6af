"""The search for special tokens of llama.cpp: the longest tokens first, wherever they are in the text.

Source: ggml-org/llama.cpp src/llama-vocab.cpp, `tokenizer_st_partition`.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.text.special_tokens import TEXT_END, FoundTokens

from .added_tokens import AddedToken, AddedTokenFinder
from .aligned_text import AlignedText
from .pipeline import Pipeline

_SPACES: Final = " \t\n\v\f\r"

_Part = tuple[int, int, int | None]
"""The start and stop of a part of a text, and the index of the token that it is."""


@dataclass(frozen=True, kw_only=True)
class LongestFirstPipeline(Pipeline):
    """Steps that take the longest added tokens out of a text before shorter ones.

    Tokens that are not obeyed are plain text, in which others may be found. `lstrip` and `rstrip` are about ASCII's
    white space.
    """

    @cached_property
    def tokens_in_given_text(self) -> AddedTokenFinder:
        return LongestFirstFinder((token.content, token) for token in self.added_tokens)

    @cached_property
    def has_plain_tokens(self) -> bool:
        """False: kernels take the leftmost token."""
        return False


class LongestFirstFinder(AddedTokenFinder):
    """A search for added tokens in which a longer token wins over a shorter one to its left.

    >>> tokens = [AddedToken(id=7, content="<a", rstrip=True), AddedToken(id=8, content="a b")]
    >>> finder = LongestFirstFinder((token.content, token) for token in tokens)
    >>> [(part.text, token and token.id) for part, token in finder.split(AlignedText.of("<a b<a  b"))]
    [('<', None), ('a b', 8), ('<a  ', 7), ('b', None)]
    """

    def __init__(self, tokens: Iterable[tuple[str, AddedToken]]) -> None:
        super().__init__(tokens)
        obeyed = (index for index, token in enumerate(self.tokens) if token.is_obeyed)
        self._longest_first = sorted(obeyed, key=lambda index: -len(self._contents[index]))

    def split(self, text: AlignedText) -> Iterator[tuple[AlignedText, AddedToken | None]]:
        """Yield the non-empty parts of `text` in order, each with its added token, if it is one."""
        for start, stop, index in self._parts(text.text, [token.content for token in self.tokens]):
            yield text.substring(start, stop), None if index is None else self.tokens[index]

    def find(self, text: bytes, *, has_marks: bool = False) -> FoundTokens:
        """Return the added tokens in a text in UTF-8. Each mark between texts is found as one more token, the last."""
        contents = [*self._contents, *([TEXT_END] if has_marks else [])]
        parts = self._parts(text.decode("latin-1"), [content.decode("latin-1") for content in contents])
        found = np.array([part for part in parts if part[2] is not None], np.int64).reshape(-1, 3)
        return FoundTokens(*found.T.copy())

    def _parts(self, text: str, contents: Sequence[str]) -> list[_Part]:
        """Return the parts of a text: the tokens with these contents, a mark after them if there is one, and others."""
        parts: list[_Part] = [(0, len(text), None)] if text else []
        marks = range(len(self.tokens), len(contents))
        for index in (*marks, *self._longest_first):
            if contents[index] in text:
                token = None if index in marks else self.tokens[index]
                parts = [each for part in parts for each in _divided(text, part, contents[index], index, token)]
        return parts


def _divided(text: str, part: _Part, content: str, index: int, token: AddedToken | None) -> Iterator[_Part]:
    """Yield a part of a text, divided by a token, or by a mark, if it is not one itself."""
    start, stop, is_token = part
    while is_token is None and (found := text.find(content, start, stop)) >= 0:
        end = found + len(content)
        while token and token.lstrip and found > start and text[found - 1] in _SPACES:
            found -= 1
        while token and token.rstrip and end < stop and text[end] in _SPACES:
            end += 1
        if start < found:
            yield start, found, None
        yield found, end, index
        start = end
    if start < stop:
        yield start, stop, is_token


def overlapping(contents: Collection[str]) -> tuple[str, str] | None:
    """Return two tokens that may share characters of a text, so that it may matter which comes first; None if none do.

    Runs of the same character do not count: the leftmost and longest is found either way.

    >>> overlapping(["<a>", "<a>b", ">b"]), overlapping(["<a>", "<a>b"]), overlapping(["  ", "   "])
    (('<a>', '>b'), None, None)
    """
    beginnings = {content[0] for content in contents}
    of_runs: dict[str, str] = {}
    of_others: dict[str, str] = {}
    for content in contents:
        ends = [content[first:] for first in range(1, len(content)) if content[first] in beginnings]
        (of_runs if _is_run(content) else of_others).update(dict.fromkeys(ends, content))
    for content in contents if of_runs or of_others else ():
        for beginning in (content[:size] for size in range(1, len(content))):
            if before := of_others.get(beginning) or ("" if _is_run(content) else of_runs.get(beginning)):
                return before, content
    return None


def _is_run(content: str) -> bool:
    return len(set(content)) == 1
