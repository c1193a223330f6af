"""Added tokens, which are taken out of a text whole, as in Hugging Face's `tokenizers`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.text.special_search import IGNORED, SINGLE_WORD, SPACE, STRIPS_LEFT, STRIPS_RIGHT, WORD
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.types import Int32Array, UInt8Array
from bpe_gui.engine.text.special_tokens import TEXT_END, FoundTokens, TokenSearch

from .aligned_text import AlignedText
from .library_classes import are_in

FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")
"""The flags of added tokens in files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """A token that is taken out of the text whole.

    - `single_word`: only where it does not touch a letter, a digit or `_`.
    - `lstrip`, `rstrip`: together with the white space before or after it.
    - `normalized`: it is normalized and searched for in the normalized text, otherwise in the text as given.
    - `in_vocabulary`: merges can make it, too.
    - `is_obeyed`: otherwise its text stays plain text, and no other added token is found in it.
    """

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = True
    in_vocabulary: bool = True
    is_obeyed: bool = True

    @property
    def described(self) -> dict[str, object]:
        """The content and the flags by the keys that they have in files."""
        return {key: getattr(self, key) for key in ("content", *FLAGS)}


class AddedTokenFinder:
    """A search for added tokens in a text; the longest match wins. Each token comes with the text to search for.

    >>> finder = AddedTokenFinder([("<a>", AddedToken(id=7, content="<a>", lstrip=True))])
    >>> [(part.text, token and token.id) for part, token in finder.split(AlignedText.of("x <a>y"))]
    [('x', None), (' <a>', 7), ('y', None)]
    """

    def __init__(self, tokens: Iterable[tuple[str, AddedToken]]) -> None:
        by_content = {content: token for content, token in tokens if content}
        self.tokens: Final = tuple(by_content.values())
        self._contents = list(map(str.encode, by_content))

    @cached_property
    def ids(self) -> Int32Array:
        """The ids of the tokens, and one more for marks."""
        return np.array([*(token.id for token in self.tokens), -1], np.int32)

    def split(self, text: AlignedText) -> Iterator[tuple[AlignedText, AddedToken | None]]:
        """Yield the non-empty parts of `text` in order, each with its added token, if it is one.

        White space that belongs to a token may itself be a token. Then both have it.
        """
        done = 0
        for start, stop, token in self._search.find_in(text.text) if self.tokens else ():
            if done < start:
                yield text.substring(done, start), None
            yield text.substring(start, stop), self.tokens[token]
            done = stop
        if done < len(text.text):
            yield text.substring(done, len(text.text)) if done else text, None

    def find(self, text: bytes, *, has_marks: bool = False) -> FoundTokens:
        """Return the added tokens in a text in UTF-8. Each mark between texts is found as one more token, the last."""
        return (self._search_with_marks if has_marks else self._search).find(text)

    @cached_property
    def _search(self) -> TokenSearch:
        return self._search_for()

    @cached_property
    def _search_with_marks(self) -> TokenSearch:
        return self._search_for(TEXT_END)

    def _search_for(self, *more: bytes) -> TokenSearch:
        flags = np.array([*map(_flags_of, self.tokens), *(0 for _each in more)], np.uint8)
        needs_classes = np.any(flags & (SINGLE_WORD | STRIPS_LEFT | STRIPS_RIGHT))
        return TokenSearch([*self._contents, *more], flags, _classes() if needs_classes else np.empty(0, np.uint8))


def _flags_of(token: AddedToken) -> int:
    """Return the conditions of a token for kernels."""
    flags = IGNORED * (not token.is_obeyed) | SINGLE_WORD * token.single_word
    return flags | STRIPS_LEFT * token.lstrip | STRIPS_RIGHT * token.rstrip


@lru_cache(maxsize=1)
def _classes() -> UInt8Array:
    """Return the classes of all characters for kernels."""
    return are_in("word") * np.uint8(WORD) | are_in("space") * np.uint8(SPACE)
