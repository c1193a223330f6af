"""How tokens are written: GPT-2's printable characters for bytes, and a form for people to read."""

END_OF_WORD = b"</w>"
"""The marker symbol of recipes with a `boundary`."""


def _printable_table() -> tuple[str, ...]:
    """GPT-2's table, from byte to character: printable Latin-1 stands for itself, the rest from U+0100 on.

    Source: `bytes_to_unicode` in openai/gpt-2 `src/encoder.py`.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte) if byte in printable else chr(next(others)) for byte in range(256))


PRINTABLE = _printable_table()
"""The character that stands for each byte."""

PRINTABLE_ORDER = tuple(sorted(range(256), key=PRINTABLE.__getitem__))
"""The 256 byte values in the order of their printable characters, which is GPT-2's id order."""

_BYTE_OF = {character: byte for byte, character in enumerate(PRINTABLE)}
_GLYPHS = {" ": "·", "\t": "→", "\n": "↵"}


def to_printable(token: bytes) -> str:
    """Spell `token` with one printable character a byte.

    >>> to_printable(b" low")
    'Ġlow'
    """
    return "".join(map(PRINTABLE.__getitem__, token))


def from_printable(text: str) -> bytes:
    """Undo `to_printable`. Raises KeyError with the character that stands for no byte.

    >>> from_printable("Ġlow")
    b' low'
    """
    return bytes(map(_BYTE_OF.__getitem__, text))


def visible(token: bytes) -> str:
    r"""Spell `token` for a person: white space as glyphs, controls and broken UTF-8 as escapes.

    >>> visible(b" low\n"), visible("é".encode()), visible(b"\xe4\xbd"), visible(b"\x1b")
    ('·low↵', 'é', '\\xe4\\xbd', '\\x1b')
    """
    text = token.decode("utf-8", errors="backslashreplace")
    return "".join(_GLYPHS.get(c) or (c if c.isprintable() else _escape(c)) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
