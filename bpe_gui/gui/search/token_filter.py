"""Filter tokens by what the user types, and find what never occurs in a run's corpus."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final

import numpy as np

from bpe_gui.engine import BoolArray, Merge, Tokenizer, TokenPair, from_printable, visible
from bpe_gui.gui.session.cursor import Steps

from .text_search import TextPattern


def never_merged(tokenizer: Tokenizer) -> BoolArray:
    """Return for each merge, by rank, whether its pair never occurred; all False if the counts are unknown."""
    counts = tokenizer.store.merge_counts
    return np.zeros(len(tokenizer.store.merges), np.bool_) if counts is None else np.array(counts, np.int64) == 0


def never_made(tokenizer: Tokenizer, tokens: Sequence[bytes]) -> BoolArray:
    """Return for each token whether it is made only by merges whose pairs never occurred."""
    never, merges = never_merged(tokenizer).tolist(), tokenizer.store.merges
    occurring, absent = set[bytes](), set[bytes]()
    for is_absent, (left, right) in zip(never, merges, strict=True):
        (absent if is_absent else occurring).add(left + right)
    absent -= occurring
    return np.fromiter(map(absent.__contains__, tokens), np.bool_, len(tokens))


@dataclass(frozen=True, slots=True)
class TokenFuture:
    """The future of a token that does not exist: the merge that makes it, or None if no known merge does.

    `pruned`: the token, and the step at which it left the vocabulary, if it has.
    """

    merge: Merge | None
    pruned: tuple[bytes, int] | None = None


def future_of(text: str, steps: Steps, *, has_ids: bool = False) -> TokenFuture | None:
    """Return the future of the token or pair that `text` names in full; with `has_ids`, it may also be an id.

    Return None if it already exists, or for a pair that is not merged. Text takes precedence over hexadecimal bytes.
    """
    tokenizer, pruned = steps.tokenizer(steps.run_length), steps.pruned()
    if (parts := pair_texts(text)) is not None:
        ranks, pairs = tokenizer.store.ranks, product(exact_tokens(parts[0]), exact_tokens(parts[1]))
        first = min((ranks[pair] for pair in pairs if pair in ranks), default=-1)
        return TokenFuture(steps.merge_at(first)) if first >= steps.position else None
    number = typed_id(text) if has_ids else None
    of_id = [] if number is None else [tokenizer.store.vocab.get(number, b"")]
    for tokens in (exact_tokens(text), [*hexadecimal_tokens(text), *of_id]):
        if left := [(token, pruned[token]) for token in tokens if token in pruned]:
            return TokenFuture(None, left[0])
        made = [step for each in tokens if (step := _first_step(each, tokenizer, steps)) is not None]
        if made:
            first = min(made)
            return TokenFuture(steps.merge_at(first - 1)) if first > steps.position else None
    return TokenFuture(None)


def _first_step(token: bytes, tokenizer: Tokenizer, steps: Steps) -> int | None:
    """Return the step that makes a token, which may leave the vocabulary before the last one; None if none does."""
    known = tokenizer.store.first_step(token)
    rank = tokenizer.store.token_ranks.get(token)
    return known if known is not None else steps.tokenizer().store.first_step(token) if rank is None else rank + 1


def id_of(text: str, tokenizer: Tokenizer) -> int | None:
    """Return the id of the token that `text` names in full, at the tokenizer's step; None if there is none."""
    store = tokenizer.store
    for token in (*exact_tokens(text), *hexadecimal_tokens(text)):
        step = store.first_step(token)
        if step is not None and step <= tokenizer.position:
            return store.ids.get(token, store.special_ids.get(text))
    return None


PAIR_SEPARATOR: Final = " + "
"""Separates the text for the left token from that for the right one, as in a merge."""

_GLYPHS: Final = {visible(white): white for white in (b" ", b"\t", b"\n")}
_SHORT_ESCAPES: Final = {"\\n": b"\n", "\\r": b"\r", "\\t": b"\t"}
_ESCAPE: Final = r"\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\U000[0-9A-Fa-f]{5}|\\U0010[0-9A-Fa-f]{4}|\\[nrt]"
_CHARACTER: Final = re.compile(f"{_ESCAPE}|.", re.DOTALL)
_MAX_ID_DIGITS: Final = 10  # digits of the largest id; longer numbers cannot be ids
_LATIN_1: Final = frozenset(map(chr, range(0x80, 0x100)))
_MAX_FORMS: Final = 64  # each glyph doubles the number of tokens that a text may stand for

_Forms = tuple[bytes, ...]
"""The encodings of one typed character."""


@dataclass(frozen=True, slots=True)
class TokenFilter:
    """A filter for tokens, compiled from the typed text.

    >>> TokenFilter.of("·LO").pattern.search(b" LOW") is not None
    True
    """

    pattern: re.Pattern[bytes]
    """Searched in tokens, unless there is a `pair`."""
    pair: tuple[re.Pattern[bytes], re.Pattern[bytes]] | None
    """Searched in the left and the right token of pairs; None if a single text was typed."""
    number: int | None
    """The typed text as an id; None if it cannot be one."""
    inner_pairs: frozenset[int]
    """The pairs of bytes, each as one number, that may be adjacent within a match of `pattern`."""

    @classmethod
    def of(cls, text: str) -> "TokenFilter":
        """Compile the typed text."""
        parts = pair_texts(text)
        return cls(
            _pattern(text),
            None if parts is None else (_pattern(parts[0]), _pattern(parts[1])),
            typed_id(text),
            frozenset(left << 8 | right for left, right in _inner_pairs(text)),
        )

    def finds(self, token_id: int | None, token: bytes) -> bool:
        """Return whether the pattern occurs in a token, or the typed number is its id."""
        return (self.number is not None and self.number == token_id) or self.pattern.search(token) is not None

    def in_tokens(self, tokens: Sequence[bytes]) -> BoolArray:
        """Return for each token whether the pattern occurs in it."""
        return np.fromiter(map(self.pattern.search, tokens), np.bool_, len(tokens))

    def in_pairs(self, pairs: Sequence[TokenPair]) -> BoolArray:
        """Return for each pair whether its tokens match `pair`. Raise ValueError if there is no `pair`."""
        if self.pair is None:
            raise ValueError("a single text was typed")
        in_left, in_right = self.pair[0].search, self.pair[1].search
        return np.fromiter((in_left(left) and in_right(right) for left, right in pairs), np.bool_, len(pairs))

    def parts_of_pairs(self, tokens: Sequence[bytes]) -> tuple[BoolArray, BoolArray]:
        """Return for each token whether it may be the left one, and whether it may be the right one, of `pair`."""
        if self.pair is None:
            raise ValueError("a single text was typed")
        left, right = (np.fromiter(map(part.search, tokens), np.bool_, len(tokens)) for part in self.pair)
        return left, right


def plain_pattern(text: str) -> TextPattern:
    """Return a pattern that finds `text` itself in UTF-8, ignoring case unless it has upper-case letters.

    >>> plain_pattern("é").pattern.findall("É é".encode()) == ["É".encode(), "é".encode()]
    True
    """
    ignores_case = not any(map(_is_upper, text))
    characters = [_encodings(character, ignores_case) for character in text]
    return TextPattern(_compiled(characters), sum(max(map(len, forms)) for forms in characters))


def quick_pattern(text: str) -> tuple[TextPattern, Callable[[bytes], bytes]]:
    """Return a pattern that has the matches of `plain_pattern` in what the function makes of a text in UTF-8.

    The function changes letters of ASCII to lower case if case does not matter: searching for one case is many times as
    fast.

    >>> pattern, fold = quick_pattern("él")
    >>> pattern.pattern.findall(fold("ÉL él".encode())) == ["Él".encode(), "él".encode()]
    True
    """
    plain = plain_pattern(text)
    forms = [_encodings(character, True) for character in text]
    lower = [tuple(dict.fromkeys(form.lower() for form in each)) for each in forms]
    if any(map(_is_upper, text)) or not all(set(some) <= set(each) for some, each in zip(lower, forms, strict=True)):
        return plain, bytes  # `ß` is found as `SS`, but not as `ss`
    return TextPattern(_compiled(lower), plain.longest), bytes.lower


def pair_texts(text: str) -> tuple[str, str] | None:
    """Return the texts for the left and the right token of a pair (one may be empty), or None for a single text.

    >>> pair_texts("in + g"), pair_texts("C++")
    (('in', 'g'), None)
    """
    left, separator, right = text.partition(PAIR_SEPARATOR)
    return (left, right) if separator and (left or right) else None


def typed_id(text: str) -> int | None:
    """Return `text` as an id; None if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_ID_DIGITS else None


def exact_tokens(text: str) -> list[bytes]:
    """Return the tokens that `text` may name in full: literally, as tokens are shown, or as files spell them.

    >>> exact_tokens("·lo"), exact_tokens("Ġlo")[-1]
    ([b' lo', b'\\xc2\\xb7lo'], b' lo')
    """
    forms = [_shown_forms(part, ignores_case=False) for part in _CHARACTER.findall(text)]
    shown: Iterable[_Forms] = product(*(each[::-1] for each in forms))
    tokens = [b"".join(parts) for parts, _count in zip(shown, range(_MAX_FORMS), strict=False)]
    return [token for token in (*tokens, *spelled_tokens(text)) if token]


def spelled_tokens(text: str) -> list[bytes]:
    """Return the token that `vocab.json` and others spell as `text`, with a printable character for each byte.

    A letter such as é alone is that letter, and not a byte; and · is always the space.

    >>> spelled_tokens("Ġä½ł"), spelled_tokens("é"), spelled_tokens("low")
    ([b' \\xe4\\xbd\\xa0'], [], [])
    """
    try:
        return [] if text.isascii() or text in _LATIN_1 or _GLYPHS.keys() & text else [from_printable(text)]
    except KeyError:
        return []


def _pattern(text: str) -> re.Pattern[bytes]:
    return _compiled(_all_forms(text), [*hexadecimal_tokens(text), *spelled_tokens(text)])


def _compiled(characters: Sequence[_Forms], others: Iterable[bytes] = ()) -> re.Pattern[bytes]:
    """Return a pattern for one form of each character in turn, or for one of `others`.

    Every alternative begins with a byte, not with an alternation, because such patterns are three times as fast.
    """
    first, rest = (characters[0], characters[1:]) if characters else ((b"",), ())
    end = b"".join(b"(?:%s)" % b"|".join(map(re.escape, forms)) for forms in rest)
    return re.compile(b"|".join([*(re.escape(form) + end for form in first), *map(re.escape, others)]))


def _all_forms(text: str) -> list[_Forms]:
    parts = _CHARACTER.findall(text)
    ignores_case = not any(len(part) == 1 and _is_upper(part) for part in parts)
    return [_shown_forms(part, ignores_case) for part in parts]


def _shown_forms(part: str, ignores_case: bool) -> _Forms:
    """Return the encodings of a character or an escape, then those of what it stands for where tokens are shown."""
    literal = _encodings(part, ignores_case)
    if len(part) == 1:
        return (*literal, _GLYPHS[part]) if part in _GLYPHS else literal
    if part in _SHORT_ESCAPES:
        return (*literal, _SHORT_ESCAPES[part])
    code = int(part[2:], 16)
    byte = (bytes([code]),) if part[1] == "x" else ()
    character = () if code < 0x80 and byte else (chr(code).encode("utf-8", "surrogatepass"),)
    return (*literal, *character, *byte)


def _encodings(text: str, ignores_case: bool) -> _Forms:
    """Return a character in UTF-8, in all its cases if wanted; an escape has no case."""
    cases = (text, text.upper(), text.title()) if ignores_case and len(text) == 1 else (text,)
    return tuple(dict.fromkeys(each.encode("utf-8", "surrogatepass") for each in cases))


def _is_upper(character: str) -> bool:
    return character != character.lower()


def hexadecimal_tokens(text: str) -> list[bytes]:
    """Return the bytes that `text` gives in hexadecimal, and the name of the token for a single byte.

    >>> hexadecimal_tokens("e4bd"), hexadecimal_tokens("e4"), hexadecimal_tokens("none")
    ([b'\\xe4\\xbd'], [b'\\xe4', b'<0xE4>'], [])
    """
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return []
    name = [b"<0x%02X>" % data[0]] if len(data) == 1 else []
    return [data, *name] if data else []


def _inner_pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the pairs of bytes that may be adjacent within a match of `text`."""
    characters = _all_forms(text)
    for form in (*(form for forms in characters for form in forms), *hexadecimal_tokens(text), *spelled_tokens(text)):
        yield from pairwise(form)
    for forms, next_forms in pairwise(characters):
        yield from ((left[-1], right[0]) for left, right in product(forms, next_forms))
