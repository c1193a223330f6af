"""Write tokens as text: in GPT-2's printable characters, and for people to read, in any writing direction."""

import re
import unicodedata
from codecs import charmap_decode, charmap_encode
from typing import Final

END_OF_WORD: Final = b"</w>"
"""The end-of-word marker, a separate symbol in recipes with a `boundary`."""


def _printable_table() -> tuple[str, ...]:
    """Return GPT-2's character for each byte: printable Latin-1 as it is, the other bytes from U+0100 on.

    Source: `bytes_to_unicode` in openai/gpt-2 `src/encoder.py`.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    substitutes = iter(range(0x100, 0x200))
    return tuple(chr(byte) if byte in printable else chr(next(substitutes)) for byte in range(256))


PRINTABLE: Final = _printable_table()
"""The printable character for each byte."""

PRINTABLE_ORDER: Final = tuple(sorted(range(256), key=PRINTABLE.__getitem__))
"""The 256 byte values in the order of their printable characters, which is the order of GPT-2's ids."""

_CHARACTERS: Final = "".join(PRINTABLE)
_BYTE_OF: Final = {ord(character): byte for byte, character in enumerate(PRINTABLE)}
_DOTTED_CIRCLE: Final = "\N{DOTTED CIRCLE}"
_GLYPHS: Final = {" ": "·", "\t": "→", "\n": "↵"}


def to_printable(token: bytes) -> str:
    """Return `token` with one printable character for each byte.

    >>> to_printable(b" low")
    'Ġlow'
    """
    return charmap_decode(token, "strict", _CHARACTERS)[0]


def from_printable(text: str) -> bytes:
    """Return the bytes that `to_printable` wrote as `text`. Raise KeyError with a character that is not in the table.

    >>> from_printable("Ġlow")
    b' low'
    """
    try:
        return charmap_encode(text, "strict", _BYTE_OF)[0]
    except UnicodeEncodeError as error:
        raise KeyError(text[error.start]) from error


def visible(token: bytes) -> str:
    r"""Return `token` in a form for people: whitespace as glyphs, controls and invalid UTF-8 as escapes.

    >>> visible(b" low\n"), visible("é".encode()), visible(b"\xe4\xbd"), visible(b"\x1b")
    ('·low↵', 'é', '\\xe4\\xbd', '\\x1b')
    """
    text = token.decode("utf-8", errors="backslashreplace")
    return "".join(_GLYPHS.get(c) or (c if c.isprintable() else _escape(c)) for c in text)


_MAX_BYTES: Final = 4
"""The largest number of bytes of a character in UTF-8."""


def token_label(token: bytes) -> str:
    r"""Return `token` as `visible` does, with a dotted circle before a leading combining mark.

    >>> token_label(b" low"), token_label("\N{COMBINING ACUTE ACCENT}".encode()) == "◌\N{COMBINING ACUTE ACCENT}"
    ('·low', True)
    """
    text = visible(token)
    return f"{_DOTTED_CIRCLE}{text}" if unicodedata.category(text[:1] or " ").startswith("M") else text


def token_in_sentence(token: bytes, most: int = 200) -> str:
    """Return the label of `token`, shortened to `most` characters, so that it does not reorder the sentence.

    Only the beginning of a very long token is used.

    >>> token_in_sentence(b"lowest", most=4), token_in_sentence("אבגד".encode(), most=3) == "\u200e\u2068אב…\u2069"
    ('low…', True)
    """
    text = token_label(token[: _MAX_BYTES * (most + 1)])
    return isolated(f"{text[: most - 1]}…" if len(text) > most else text)


def code_point(character: str) -> str:
    r"""Return a character's code point such as U+0061, or \xe4 for a byte given as a surrogate (`surrogateescape`).

    >>> code_point("a"), code_point(b"\xe4".decode(errors="surrogateescape"))
    ('U+0061', '\\xe4')
    """
    is_byte = "\udc80" <= character <= "\udcff"
    return visible(character.encode(errors="surrogateescape")) if is_byte else f"U+{ord(character):04X}"


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


_ISOLATE: Final = "\N{FIRST STRONG ISOLATE}"
_LEFT_TO_RIGHT_ISOLATE: Final = "\N{LEFT-TO-RIGHT ISOLATE}"
_END: Final = "\N{POP DIRECTIONAL ISOLATE}"
_MARK: Final = "\N{LEFT-TO-RIGHT MARK}"
_ADDED: Final = re.compile("\u200e(?=\u2068)|[\u2066-\u2069]")
_ESCAPES: Final = re.compile(r"(?:\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}))+")
_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def has_right_to_left(text: str) -> bool:
    """Return whether `text` has characters that are read from right to left, or digits that reorder their neighbours.

    >>> has_right_to_left("abc"), has_right_to_left("a א"), has_right_to_left("١٢")
    (False, True, True)
    """
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def begins_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction is read from right to left (UAX #9, rules P2 and P3).

    >>> begins_right_to_left("·א"), begins_right_to_left("a א"), begins_right_to_left("12")
    (True, False, False)
    """
    directions = map(unicodedata.bidirectional, text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


def isolated(text: str) -> str:
    r"""Return a token with isolates, so that it has its own direction and does not reorder the text around it.

    Left-to-right text does not change. Escapes such as `\xd7` inside the token are read from left to right. A mark
    before it tells Qt's rich text, which does not know isolates, that the sentence is read from left to right.

    >>> isolated("abc"), isolated("אב") == "\u200e\u2068אב\u2069"
    ('abc', True)
    """
    if not has_right_to_left(text):
        return text
    escaped = _ESCAPES.sub(lambda escape: f"{_LEFT_TO_RIGHT_ISOLATE}{escape[0]}{_END}", text)
    return f"{_MARK}{_ISOLATE}{escaped}{_END}"


def without_isolates(text: str) -> str:
    """Return `text` without the isolates around tokens, for the clipboard.

    >>> without_isolates(isolated("אב") + " + a")
    'אב + a'
    """
    return _ADDED.sub("", text)
