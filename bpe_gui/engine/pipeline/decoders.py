"""Decoders, the steps from tokens back to text, as Hugging Face's `tokenizers` has them.

Source: huggingface/tokenizers src/decoders.
"""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bpe_gui.engine.runtime.printable import from_printable

from .pattern_search import find_matches
from .pre_tokenizers import PrependScheme

_BYTE: Final = re.compile(r"<0x[0-9A-Fa-f+][0-9A-Fa-f]>")  # Rust reads a plus sign as part of a number


_SPLIT_SIGNS: Final = (
    *((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m")),
    *((" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re")),
)
"""In the order in which the library replaces them."""


@dataclass(frozen=True, slots=True)
class ByteLevelDecoder:
    """A decoder from tokens that are written through GPT-2's printable table to the bytes that they stand for."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the text as one token. Invalid UTF-8 becomes U+FFFD; a token outside the table is its own text."""
        return [b"".join(map(bytes_of, tokens)).decode("utf-8", "replace")]


def bytes_of(token: str) -> bytes:
    """Return the bytes that the printable characters of `token` stand for, or its UTF-8 if it has other characters."""
    try:
        return from_printable(token)
    except KeyError:
        return token.encode()


@dataclass(frozen=True, slots=True)
class MetaspaceDecoder:
    """A decoder that turns `replacement` into spaces.

    In the first token it is dropped, unless `prepend_scheme` says that encoding never puts one there.
    """

    replacement: str = "▁"
    prepend_scheme: PrependScheme = "always"

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the tokens with their spaces.

        >>> MetaspaceDecoder().decode(["▁low", "▁er"])
        ['low', ' er']
        """
        texts = [token.replace(self.replacement, " ") for token in tokens]
        if tokens and self.prepend_scheme != "never":
            texts[0] = tokens[0].replace(self.replacement, "")
        return texts


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """A decoder that turns end-of-word markers into spaces, and drops them in the last token."""

    suffix: str

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the tokens with their spaces.

        >>> BPEDecoder("</w>").decode(["low</w>", "er</w>"])
        ['low ', 'er']
        """
        last = len(tokens) - 1
        return [token.replace(self.suffix, " " if i < last else "") for i, token in enumerate(tokens)]


@dataclass(frozen=True, slots=True)
class ReplaceDecoder:
    """A decoder that replaces each match of `pattern` in a token by `content`.

    `pattern` is literal text or a regular expression in Oniguruma's syntax.
    """

    pattern: str
    content: str
    is_regex: bool = False

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the tokens with the replacements. Raise TokenizerError for an expression that takes too long.

        >>> ReplaceDecoder("▁", " ").decode(["▁low"])
        [' low']
        """
        return list(map(self._replace_in, tokens))

    def _replace_in(self, token: str) -> str:
        parts: list[str] = []
        done = 0
        for start, stop in find_matches(self.pattern, token, is_regex=self.is_regex):
            parts += (token[done:start], self.content)
            done = stop
        return "".join([*parts, token[done:]])


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """A decoder that turns tokens such as `<0x41>` into the bytes that they stand for."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Join each run of such tokens to one text; if a run is not valid UTF-8, turn each of them into U+FFFD.

        >>> ByteFallback().decode(["<0xC3>", "<0xA9>", "a", "<0xC3>"])
        ['é', 'a', '�']
        """
        texts: list[str] = []
        for is_byte, group in groupby(tokens, key=lambda token: _BYTE.fullmatch(token) is not None):
            run = list(group)
            texts += _decode_bytes(run) if is_byte else run
        return texts


def _decode_bytes(tokens: list[str]) -> list[str]:
    try:
        return [bytes(int(token[3:-1], 16) for token in tokens).decode()]
    except UnicodeDecodeError:
        return ["\N{REPLACEMENT CHARACTER}"] * len(tokens)


@dataclass(frozen=True, slots=True)
class Fuse:
    """A decoder that joins all tokens to one."""

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the joined token as a list of one."""
        return ["".join(tokens)]


@dataclass(frozen=True, slots=True)
class StripDecoder:
    """A decoder that strips the character `content` off tokens, at most `start` times left and `stop` times right."""

    content: str
    start: int
    stop: int

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the stripped tokens.

        >>> StripDecoder(" ", 1, 0).decode(["  low "])
        [' low ']
        """
        return list(map(self._strip, tokens))

    def _strip(self, token: str) -> str:
        begin, end = 0, len(token)
        while begin < min(self.start, end) and token[begin] == self.content:
            begin += 1
        while end > max(len(token) - self.stop, begin) and token[end - 1] == self.content:
            end -= 1
        return token[begin:end]


@dataclass(frozen=True, slots=True)
class WordPieceDecoder:
    """A decoder that puts a space before each token but the first, unless it has `prefix`, which is removed.

    `cleans_up`: spaces before punctuation and contractions are removed, token by token.
    """

    prefix: str = "##"
    cleans_up: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the tokens with their spaces.

        >>> WordPieceDecoder().decode(["low", "##er", "!"])
        ['low', 'er', '!']
        """
        texts = [*tokens[:1], *map(self._join, tokens[1:])]
        return list(map(_cleaned_up, texts)) if self.cleans_up else texts

    def _join(self, token: str) -> str:
        return token.removeprefix(self.prefix) if token.startswith(self.prefix) else f" {token}"


@dataclass(frozen=True, slots=True)
class CTCDecoder:
    """A decoder for speech: of equal tokens in a row one is kept, and `pad_token` is removed.

    `cleans_up`: spaces are removed as `WordPieceDecoder` does, and `word_delimiter` becomes a space.
    """

    pad_token: str = "<pad>"
    word_delimiter: str = "|"
    cleans_up: bool = True

    def decode(self, tokens: list[str]) -> list[str]:
        """Return what is left of the tokens.

        >>> CTCDecoder().decode(["l", "l", "<pad>", "l", "|", "o"])
        ['l', 'l', ' ', 'o']
        """
        texts = [token.replace(self.pad_token, "") for token, _run in groupby(tokens)]
        if self.cleans_up:
            texts = [_cleaned_up(text).replace(self.word_delimiter, " ") for text in texts]
        return list(filter(None, texts))


def _cleaned_up(text: str) -> str:
    """Return a text without the spaces that splitting put around punctuation and before contractions."""
    for split, joined in _SPLIT_SIGNS:
        text = text.replace(split, joined)
    return text
