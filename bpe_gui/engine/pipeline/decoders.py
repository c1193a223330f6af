"""Decoders: steps from tokens back to text, as Hugging Face's `tokenizers` has them."""

from dataclasses import dataclass

from ..spelling import from_printable


@dataclass(frozen=True, slots=True)
class ByteLevelDecoder:
    """Tokens spelled through GPT-2's printable table become the bytes that they stand for."""

    def decode(self, tokens: list[str]) -> list[str]:
        """One text; bytes that are no UTF-8 become U+FFFD, and a token spelled otherwise stands for itself."""
        return [b"".join(map(_bytes_of, tokens)).decode("utf-8", "replace")]


def _bytes_of(token: str) -> bytes:
    try:
        return from_printable(token)
    except KeyError:
        return token.encode()
