"""Added tokens, which are taken out of a text whole, as in Hugging Face's `tokenizers`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bpe_gui.engine.text.special_tokens import LongestMatch

from .aligned_text import AlignedText
from .library_classes import is_in


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


class AddedTokenFinder:
    """A search for added tokens in a text; the longest match wins. Each token comes with the text to search for.

    >>> finder = AddedTokenFinder([("<a>", AddedToken(id=7, content="<a>", lstrip=True))])
    >>> [(part.text, token and token.id) for part, token in finder.split(AlignedText.of("x <a>y"))]
    [('x', None), (' <a>', 7), ('y', None)]
    """

    def __init__(self, tokens: Iterable[tuple[str, AddedToken]]) -> None:
        self._tokens = {content: token for content, token in tokens if content}
        self._match = LongestMatch(self._tokens)

    def split(self, text: AlignedText) -> Iterator[tuple[AlignedText, AddedToken | None]]:
        """Yield the non-empty parts of `text` in order, each with its added token, if it is one."""
        done = 0
        for start, stop, token in self._find(text.text) if self._tokens else ():
            if token.lstrip:
                start = max(_before_white_space(text.text, start), done)
            if token.rstrip:
                stop = _after_white_space(text.text, stop)
            if done < start:
                yield text.substring(done, start), None
            # White space that belongs to a token may itself be a token. Then both have it, except before `lstrip`.
            if start < stop:
                yield text.substring(start, stop), token
            done = stop
        if done < len(text.text):
            yield text.substring(done, len(text.text)) if done else text, None

    def _find(self, text: str) -> Iterator[tuple[int, int, AddedToken]]:
        for start, stop in self._match.spans(text):
            token = self._tokens[text[start:stop]]
            if token.is_obeyed and not (token.single_word and _is_in_word(text, start, stop)):
                yield start, stop, token


def _is_in_word(text: str, start: int, stop: int) -> bool:
    return any(is_in(character, "word") for character in text[max(start - 1, 0) : start] + text[stop : stop + 1])


def _before_white_space(text: str, index: int) -> int:
    while index and is_in(text[index - 1], "space"):
        index -= 1
    return index


def _after_white_space(text: str, index: int) -> int:
    while index < len(text) and is_in(text[index], "space"):
        index += 1
    return index
