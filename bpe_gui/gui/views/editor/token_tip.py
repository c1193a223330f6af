"""What the tooltip of a token says."""

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.live_text import LiveText

from bpe_gui.gui.views.tokens import Token

translate = QCoreApplication.translate  # lupdate knows the function by this name

_LONGEST_HEX: Final = 64  # bytes that are spelled


def token_tip(token: Token, text: LiveText, cut_characters: Iterable[str]) -> str:
    """Its label, id and bytes as rich text, and the characters of the text that it holds a part of."""
    lines = "<br>".join(html.escape(fact) for fact in _facts(token, text, cut_characters))
    return f"<p style='white-space: pre'><b>{html.escape(_printable(token.label))}</b><br>{lines}</p>"


def _facts(token: Token, text: LiveText, cut_characters: Iterable[str]) -> list[str]:
    octets = text.read(token.start, min(token.stop, token.start + _LONGEST_HEX))
    more = " …" if token.stop - token.start > _LONGEST_HEX else ""
    if token.unknown:
        facts = [translate("TokenText", "no id: this symbol is not in the vocabulary")]
    else:
        facts = [translate("TokenText", "id {id}").format(id=token.id)]
    if token.special:
        facts.append(translate("TokenText", "special token"))
    if octets:
        facts.append(translate("TokenText", "bytes {hex}").format(hex=octets.hex(" ") + more))
    else:
        facts.append(translate("TokenText", "covers no text"))
    part = translate("TokenText", "holds part of {character} ({hex})")
    return facts + [
        part.format(character=_printable(character), hex=character.encode().hex(" ")) for character in cut_characters
    ]


def _printable(label: str) -> str:
    """The label with control characters spelled out."""
    return "".join(map(_spelled, label))


def _spelled(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")
