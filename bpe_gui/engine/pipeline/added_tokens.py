"""Added tokens: cut out of a text whole, as Hugging Face's `tokenizers` does it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import regex

from bpe_gui.engine.text.longest_match import LongestMatch
from bpe_gui.engine.pipeline.aligned_text import AlignedText
from bpe_gui.engine.pipeline.normalizers import is_white_space

_WORD: Final = regex.compile(r"\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedToken:
    """A token that is cut out of the text whole.

    `single_word`: not where a letter, digit or `_` is next to it. `lstrip`, `rstrip`: it takes the white space before
    or after it along. `normalized`: it is looked for in the normalized text, and is normalized for that, else in the
    text as it was given. `in_vocabulary`: it is also among the tokens that merges lead to.
    """

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = True
    in_vocabulary: bool = True


class AddedTokens:
    """Finds tokens in a text, the longest first. Each is given with what it is written as there.

    >>> tokens = AddedTokens([("<a>", AddedToken(id=7, content="<a>", lstrip=True))])
    >>> [(part.text, token and token.id) for part, token in tokens.cut(AlignedText.of("x <a>y"))]
    [('x', None), (' <a>', 7), ('y', None)]
    """

    def __init__(self, tokens: Iterable[tuple[str, AddedToken]]) -> None:
        self._tokens = {written: token for written, token in tokens if written}
        self._match = LongestMatch(self._tokens)

    def cut(self, text: AlignedText) -> Iterator[tuple[AlignedText, AddedToken | None]]:
        """The parts of a text in order, each with the token that it is; empty parts are left out."""
        done = 0
        for start, stop, token in self._found(text.text):
            if token.lstrip:
                start = max(_before_white_space(text.text, start), done)
            if token.rstrip:
                stop = _after_white_space(text.text, stop)
            if done < start:
                yield text.part(done, start), None
            # White space that a token took along may be a token, too; then it is both, but for `lstrip`.
            if start < stop:
                yield text.part(start, stop), token
            done = stop
        if done < len(text.text):
            yield text.part(done, len(text.text)), None

    def _found(self, text: str) -> Iterator[tuple[int, int, AddedToken]]:
        for start, stop in self._match.found(text):
            token = self._tokens[text[start:stop]]
            if not token.single_word or not _is_in_word(text, start, stop):
                yield start, stop, token


def _is_in_word(text: str, start: int, stop: int) -> bool:
    return bool(start and _WORD.match(text, start - 1)) or bool(_WORD.match(text, stop))


def _before_white_space(text: str, place: int) -> int:
    while place and is_white_space(text[place - 1]):
        place -= 1
    return place


def _after_white_space(text: str, place: int) -> int:
    while place < len(text) and is_white_space(text[place]):
        place += 1
    return place
