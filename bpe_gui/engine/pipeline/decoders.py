"""Decoders: steps from tokens back to text, as Hugging Face's `tokenizers` has them."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.pipeline.pattern_search import found

_BYTE: Final = re.compile(r"<0x[0-9A-Fa-f+][0-9A-Fa-f]>")  # Rust reads a plus sign as part of a number


@dataclass(frozen=True, slots=True)
class ByteLevelDecoder:
    """Tokens spelled through GPT-2's printable table become the bytes that they stand for."""

    def decode(self, tokens: list[str]) -> list[str]:
        """One text; bytes that are no UTF-8 become U+FFFD, and a token spelled otherwise stands for itself."""
        return [b"".join(map(bytes_of, tokens)).decode("utf-8", "replace")]


def bytes_of(token: str) -> bytes:
    """What a token stands for: bytes by their printable characters, or else what it says."""
    try:
        return from_printable(token)
    except KeyError:
        return token.encode()


@dataclass(frozen=True, slots=True)
class MetaspaceDecoder:
    """Spaces for what stands for them; but where one is put before a text, none in the first token."""

    replacement: str = "▁"
    prepend_scheme: Literal["always", "never", "first"] = "always"

    def decode(self, tokens: list[str]) -> list[str]:
        """The tokens with their spaces.

        >>> MetaspaceDecoder().decode(["▁low", "▁er"])
        ['low', ' er']
        """
        texts = [token.replace(self.replacement, " ") for token in tokens]
        if tokens and self.prepend_scheme != "never":
            texts[0] = tokens[0].replace(self.replacement, "")
        return texts


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """A space for each end-of-word marker, but none at the end."""

    suffix: str

    def decode(self, tokens: list[str]) -> list[str]:
        """The tokens with their spaces.

        >>> BPEDecoder("</w>").decode(["low</w>", "er</w>"])
        ['low ', 'er']
        """
        last = len(tokens) - 1
        return [token.replace(self.suffix, " " if i < last else "") for i, token in enumerate(tokens)]


@dataclass(frozen=True, slots=True)
class ReplaceDecoder:
    """Other text instead of whatever matches in a token; `pattern` is text, or a regular expression of Oniguruma's."""

    pattern: str
    content: str
    is_regex: bool = False

    def decode(self, tokens: list[str]) -> list[str]:
        """The changed tokens.

        >>> ReplaceDecoder("▁", " ").decode(["▁low"])
        [' low']
        """
        return [self._changed(token) for token in tokens]

    def _changed(self, token: str) -> str:
        parts: list[str] = []
        done = 0
        for start, stop in found(self.pattern, token, is_regex=self.is_regex):
            parts += (token[done:start], self.content)
            done = stop
        return "".join([*parts, token[done:]])


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """Tokens such as `<0x41>` become the bytes that they stand for."""

    def decode(self, tokens: list[str]) -> list[str]:
        """The tokens; several such in a row are one text, or if they are no UTF-8, each of them is U+FFFD.

        >>> ByteFallback().decode(["<0xC3>", "<0xA9>", "a", "<0xC3>"])
        ['é', 'a', '�']
        """
        texts: list[str] = []
        for is_byte, tokens_in_row in groupby(tokens, key=lambda token: _BYTE.fullmatch(token) is not None):
            group = list(tokens_in_row)
            texts += _of_bytes(group) if is_byte else group
        return texts


def _of_bytes(tokens: list[str]) -> list[str]:
    try:
        return [bytes(int(token[3:-1], 16) for token in tokens).decode()]
    except UnicodeDecodeError:
        return ["\N{REPLACEMENT CHARACTER}"] * len(tokens)


@dataclass(frozen=True, slots=True)
class Fuse:
    """All tokens become one."""

    def decode(self, tokens: list[str]) -> list[str]:
        """One text."""
        return ["".join(tokens)]


@dataclass(frozen=True, slots=True)
class StripDecoder:
    """Takes up to so many of a character from the beginning of each token, and from its end."""

    content: str
    start: int
    stop: int

    def decode(self, tokens: list[str]) -> list[str]:
        """The shorter tokens.

        >>> StripDecoder(" ", 1, 0).decode(["  low "])
        [' low ']
        """
        return [self._stripped(token) for token in tokens]

    def _stripped(self, token: str) -> str:
        begin, end = 0, len(token)
        while begin < min(self.start, end) and token[begin] == self.content:
            begin += 1
        while end > max(len(token) - self.stop, begin) and token[end - 1] == self.content:
            end -= 1
        return token[begin:end]
