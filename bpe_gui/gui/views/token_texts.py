"""The tokens of a text as text, to copy: as files spell them, or as programs for translation write them."""

from enum import Enum, auto
from typing import Final

import numpy as np

from bpe_gui.engine import END_OF_WORD, BoolArray, LiveText, TokenArrays, Tokenizer

_SPLITTERS_AT_SPACES: Final = ("space", "whitespace")


class TokenStyle(Enum):
    """A way to write a list of tokens."""

    LIST = auto()  # ['low', 'er</w>']
    SPACES = auto()  # low er</w>
    SEGMENTED = auto()  # low@@ er


def is_segmentable(tokenizer: Tokenizer | None) -> bool:
    """Return whether subword-nmt could write the tokens: of characters, in words that end in `</w>` and at a space."""
    if tokenizer is None or tokenizer.pipeline is not None:
        return False
    recipe = tokenizer.recipe
    is_marked = recipe.units == "characters" and recipe.boundary.startswith("suffix")
    return is_marked and recipe.splitter in _SPLITTERS_AT_SPACES


def format_tokens(text: LiveText, first: int, last: int, style: TokenStyle) -> str:
    """Return the known tokens [first, last) of a text in a style.

    Tokens are written as files spell them, and a symbol without an id as it would be if it had one. Separated by
    spaces, tokens between which the text has line breaks have these instead. SEGMENTED is for a tokenizer that
    `is_segmentable`.

    >>> text = LiveText("low lower\\nlow")
    >>> vocab = {0: b"l", 1: b"o", 2: b"lo"}
    >>> text.encode_with(Tokenizer(vocab, [(b"l", b"o")], recipe="subword-nmt").with_unknown_id(-1))
    >>> text.encode_near(0, len(text))
    >>> format_tokens(text, 0, 5, TokenStyle.SPACES), format_tokens(text, 0, 5, TokenStyle.SEGMENTED)
    ('lo w</w> lo w e', 'lo@@ w lo@@ w@@ e@@')
    """
    tokens = text.tokens(first, last)
    if text.tokenizer is None or not len(tokens.ids):
        return "[]" if style is TokenStyle.LIST else ""
    following = text.tokens(last, last + 1)  # tells whether the last token ends its word
    ends = _ends_of_words(text, tokens, following)
    if style is TokenStyle.SEGMENTED:
        is_whole = first <= 0 and not len(following.ids) and text.is_encoded
        return _segmented(text, tokens, ends, is_whole=is_whole)
    spelled = _spelled(text, text.tokenizer, tokens, ends)
    if style is TokenStyle.LIST:
        return str(spelled)
    begin, content = int(tokens.starts[0]), text.read(int(tokens.starts[0]), int(tokens.stops[-1]))
    starts, stops = (tokens.starts - begin).tolist(), (tokens.stops - begin).tolist()
    gaps = ("\n" * content.count(b"\n", *gap) or " " for gap in zip(stops[:-1], starts[1:], strict=True))
    return "".join(part for pair in zip(spelled, [*gaps, ""], strict=True) for part in pair)


def _ends_of_words(text: LiveText, tokens: TokenArrays, following: TokenArrays) -> BoolArray:
    """Return which tokens are the last of their words."""
    next_starts = np.append(tokens.starts[1:], following.starts if len(following.ids) else -1)
    word_starts = text.word_starts_in(int(tokens.starts[0]), int(tokens.stops[-1]) + 1)
    ends: BoolArray = (tokens.stops != next_starts) | np.isin(tokens.stops, word_starts)
    return ends


def _spelled(text: LiveText, tokenizer: Tokenizer, tokens: TokenArrays, ends: BoolArray) -> list[str]:
    unknown = None if tokenizer.unknown_id in tokenizer.vocab else tokenizer.unknown_id
    marker = END_OF_WORD if tokenizer.recipe.boundary == "suffix-attached" else b""
    spelled = []
    for token_id, start, stop, ends_word in zip(*(each.tolist() for each in (*tokens, ends)), strict=True):
        if token_id == unknown:
            spelled.append(tokenizer.spelled(text.read(start, stop) + (marker if ends_word else b"")))
        else:
            spelled.append(tokenizer.spelled(token_id))
    return spelled


def _segmented(text: LiveText, tokens: TokenArrays, ends: BoolArray, *, is_whole: bool) -> str:
    """Return tokens as `subword-nmt apply-bpe` writes them: `@@` after all but the last of a word, the same lines.

    Several spaces between words become one, but not those at the beginning or end of a line. With `is_whole`, return
    what is before the first and after the last token, too.
    """
    has_text = tokens.stops > tokens.starts  # not so where the end-of-word marker is a token of its own
    starts, stops = tokens.starts[has_text].tolist(), tokens.stops[has_text].tolist()
    begin, end = (0, len(text)) if is_whole else (starts[0], stops[-1])
    content = text.read(begin, end)
    written, written_to = list[bytes](), begin
    # A token ends its word if it or the empty one after it does.
    word_ends = np.isin(tokens.stops[has_text], tokens.stops[ends]).tolist()
    for start, stop, ends_word in zip(starts, stops, word_ends, strict=True):
        gap = content[written_to - begin : start - begin]
        is_inside_line = bool(written) and not gap.strip(b" ")
        written += [b" " if gap and is_inside_line else gap, content[start - begin : stop - begin]]
        if not ends_word:
            written.append(b"@@ ")
        written_to = stop
    if written[-1] == b"@@ ":
        written[-1] = b"@@"  # the selection ends inside a word
    return b"".join([*written, content[written_to - begin :]]).decode()
