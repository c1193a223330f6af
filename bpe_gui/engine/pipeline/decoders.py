"""Decoders: the steps from tokens back to text, as in Hugging Face's `tokenizers`.

A decoder takes tokens as they come and yields text as soon as it is certain, so text can be decoded while a model is
still generating it. Source: huggingface/tokenizers src/decoders.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Protocol

from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.text.utf8 import decode_utf8_pieces

from .levels import find_matches
from .pre_tokenizers import SPACE_SYMBOL, PrependScheme

_BYTE: Final = re.compile(r"<0x[0-9A-Fa-f+][0-9A-Fa-f]>")  # Rust reads a plus sign as part of a number

_SPLIT_SIGNS: Final = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m")),
    *((" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)
"""Replacements, in the order of the library."""


class PiecedToken:
    """A single token. Iterating yields it whole; a decoder that can work with pieces gets them as they come."""

    def __init__(self, pieces: Iterable[str]) -> None:
        self.pieces: Final = pieces

    def __iter__(self) -> Iterator[str]:
        yield "".join(self.pieces)


def pieces_of(tokens: Iterable[str]) -> Iterable[str]:
    """Return the pieces of the text of all tokens together.

    >>> list(pieces_of(PiecedToken(["lo", "w"]))), list(PiecedToken(["lo", "w"]))
    (['lo', 'w'], ['low'])
    """
    return tokens.pieces if isinstance(tokens, PiecedToken) else tokens


class TokenDecoder(Protocol):
    """A step from tokens back to text."""

    def decode(self, tokens: Iterable[str]) -> Iterable[str]:
        """Return the tokens after this step, perhaps fewer or more. Tokens after the last step are concatenated.

        A token is returned as soon as no later one can change it. Raise TrainingError for an expression that takes too
        long.
        """


@dataclass(frozen=True, slots=True)
class ByteLevelDecoder:
    """A decoder from tokens in GPT-2's printable characters to the bytes that they stand for."""

    def decode(self, tokens: Iterable[str]) -> PiecedToken:
        """Return the text as one token. Invalid UTF-8 becomes U+FFFD. A token with other characters is its own text."""
        return PiecedToken(decode_utf8_pieces(map(bytes_of, tokens)))


def bytes_of(token: str) -> bytes:
    """Return the bytes that the printable characters of `token` stand for, or its UTF-8 if it has other characters."""
    try:
        return from_printable(token)
    except KeyError:
        return token.encode()


@dataclass(frozen=True, slots=True)
class MetaspaceDecoder:
    """A decoder that turns `replacement` into spaces.

    In the first token, it is dropped unless `prepend_scheme` says that encoding never puts one there.
    """

    replacement: str = SPACE_SYMBOL
    prepend_scheme: PrependScheme = "always"

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the tokens with their spaces.

        >>> list(MetaspaceDecoder().decode(["▁low", "▁er"]))
        ['low', ' er']
        """
        space = " " if self.prepend_scheme == "never" else ""
        for token in tokens:
            yield token.replace(self.replacement, space)
            space = " "


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """A decoder that turns end-of-word markers into spaces, and drops them in the last token."""

    suffix: str

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the tokens with their spaces, each once the next one is known.

        >>> list(BPEDecoder("</w>").decode(["low</w>", "er</w>"]))
        ['low ', 'er']
        """
        rest = iter(tokens)
        for token in rest:
            for following in rest:
                yield token.replace(self.suffix, " ")
                token = following
            yield token.replace(self.suffix, "")


@dataclass(frozen=True, slots=True)
class ReplaceDecoder:
    """A decoder that replaces each match of `pattern` in a token with `content`.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.
    """

    pattern: str
    content: str
    is_regex: bool = False

    def decode(self, tokens: Iterable[str]) -> Iterable[str]:
        """Return the tokens with the replacements. Raise TrainingError for an expression that takes too long.

        >>> list(ReplaceDecoder("▁", " ").decode(["▁low"]))
        [' low']
        """
        if isinstance(tokens, PiecedToken) and len(self.pattern) == 1 and not self.is_regex:
            return PiecedToken(map(self._replace_in, tokens.pieces))
        return map(self._replace_in, tokens)

    def _replace_in(self, token: str) -> str:
        if not self.is_regex:
            return token.replace(self.pattern, self.content)
        parts: list[str] = []
        done = 0
        for start, stop in find_matches(self.pattern, token, is_regex=True):
            parts += (token[done:start], self.content)
            done = stop
        return "".join([*parts, token[done:]])


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """A decoder that turns tokens such as `<0x41>` into the bytes that they stand for."""

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Join each run of such tokens into one text. If a run is not valid UTF-8, each of its tokens becomes U+FFFD.

        >>> list(ByteFallback().decode(["<0xC3>", "<0xA9>", "a", "<0xC3>"]))
        ['é', 'a', '�']
        """
        for is_byte, run in groupby(tokens, key=lambda token: _BYTE.fullmatch(token) is not None):
            if is_byte:
                yield from _decode_bytes(list(run))
            else:
                yield from run


def _decode_bytes(tokens: list[str]) -> list[str]:
    try:
        return [bytes(int(token[3:-1], 16) for token in tokens).decode()]
    except UnicodeDecodeError:
        return ["\N{REPLACEMENT CHARACTER}"] * len(tokens)


@dataclass(frozen=True, slots=True)
class Fuse:
    """A decoder that joins all tokens into one."""

    def decode(self, tokens: Iterable[str]) -> PiecedToken:
        """Return the joined token."""
        return PiecedToken(pieces_of(tokens))


@dataclass(frozen=True, slots=True)
class StripDecoder:
    """A decoder that strips `content`, a character: up to `start` times on the left of a token, `stop` on the right."""

    content: str
    start: int
    stop: int

    def decode(self, tokens: Iterable[str]) -> Iterable[str]:
        """Return the stripped tokens.

        >>> list(StripDecoder(" ", 1, 0).decode(["  low "]))
        [' low ']
        """
        if isinstance(tokens, PiecedToken):
            return PiecedToken(self._strip(tokens.pieces))
        return ("".join(self._strip([token])) for token in tokens)

    def _strip(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the stripped pieces of a token, holding back whatever may still be stripped."""
        start, held = self.start, 0
        rest = iter(pieces)
        for piece in rest:
            stripped = min(start, len(piece) - len(piece.lstrip(self.content)))
            start = start - stripped if stripped == len(piece) else 0
            text = self.content * held + piece[stripped:]
            held = min(self.stop, len(text) - len(text.rstrip(self.content)))
            yield text[: len(text) - held]
            if not (start or self.stop):
                yield from rest


@dataclass(frozen=True, slots=True)
class WordPieceDecoder:
    """A decoder that, in every token but the first, removes `prefix` or, if there is none, adds a space before it.

    `cleans_up`: spaces before punctuation and contractions are removed, token by token.
    """

    prefix: str = "##"
    cleans_up: bool = True

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the tokens with their spaces.

        >>> list(WordPieceDecoder().decode(["low", "##er", "!"]))
        ['low', 'er', '!']
        """
        for index, token in enumerate(tokens):
            text = token
            if index:
                text = token.removeprefix(self.prefix) if token.startswith(self.prefix) else f" {token}"
            yield _cleaned_up(text) if self.cleans_up else text


@dataclass(frozen=True, slots=True)
class CTCDecoder:
    """A decoder for speech: a run of equal tokens becomes one, and `pad_token` is removed.

    `cleans_up`: spaces are removed as in `WordPieceDecoder`, and `word_delimiter` becomes a space.
    """

    pad_token: str = "<pad>"
    word_delimiter: str = "|"
    cleans_up: bool = True

    def decode(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the remaining tokens.

        >>> list(CTCDecoder().decode(["l", "l", "<pad>", "l", "|", "o"]))
        ['l', 'l', ' ', 'o']
        """
        for token, _run in groupby(tokens):
            text = token.replace(self.pad_token, "")
            if self.cleans_up:
                text = _cleaned_up(text).replace(self.word_delimiter, " ")
            if text:
                yield text


def _cleaned_up(text: str) -> str:
    """Return a text without the spaces that splitting put around punctuation and before contractions."""
    for split, joined in _SPLIT_SIGNS:
        text = text.replace(split, joined)
    return text
