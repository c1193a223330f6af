"""The options with which a published model merges words, besides its vocabulary and merges."""

import re
from dataclasses import dataclass
from typing import Final

_BYTE: Final = re.compile(rb"<0x([0-9A-F]{2})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """How the symbols of a word are found and merged: the options of `model` in a `tokenizer.json`.

    - `is_byte_level`: symbols are bytes, written in GPT-2's printable characters; otherwise they are characters.
    - `ignores_merges`: a word that is a token becomes that token, even if the merges would give others.
    - `falls_back_to_bytes`: a character without an id is encoded as its bytes, with the tokens `<0x00>` to `<0xFF>`.
    - `fuses_unknown`: a run of unknown characters becomes one unknown token.
    - `dropout`: the share of merges that are skipped at random while a model is trained with this tokenizer. Encoding
      here applies all merges.
    - `suffix` is appended to the last character of a word, `prefix` is put before every character but the first.
    """

    is_byte_level: bool = False
    ignores_merges: bool = False
    falls_back_to_bytes: bool = False
    fuses_unknown: bool = False
    suffix: str = ""
    prefix: str = ""
    dropout: float = 0

    def represented_bytes(self, token: bytes) -> bytes:
        """Return the byte that a token such as `<0xE4>` stands for, or the bytes of any other token.

        >>> ModelOptions(falls_back_to_bytes=True).represented_bytes(b"<0xE4>")
        b'\\xe4'
        >>> ModelOptions().represented_bytes(b"<0xE4>")
        b'<0xE4>'
        """
        byte = _BYTE.fullmatch(token) if self.falls_back_to_bytes else None
        return bytes.fromhex(byte[1].decode()) if byte else token
