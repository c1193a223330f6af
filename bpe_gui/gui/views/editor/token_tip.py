"""Write the tooltip of a token."""

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.views.tokens import Token

translate = QCoreApplication.translate  # the name by which lupdate knows the function

_MAX_HEX_BYTES: Final = 64


def token_tip(token: Token, text: LiveText, split_characters: Iterable[str]) -> str:
    """Return a token's label, id and bytes, and the characters that it contains in part, as rich text."""
    lines = "<br>".join(html.escape(fact) for fact in _facts(token, text, split_characters))
    return f"<p style='white-space: pre'><b>{html.escape(_printable(token.label))}</b><br>{lines}</p>"


def _facts(token: Token, text: LiveText, split_characters: Iterable[str]) -> list[str]:
    octets = text.read(token.start, min(token.stop, token.start + _MAX_HEX_BYTES))
    more = " …" if token.stop - token.start > _MAX_HEX_BYTES else ""
    if token.unknown:
        facts = [translate("TokenTip", "no id: this symbol is not in the vocabulary")]
    else:
        facts = [translate("TokenTip", "id {id}").format(id=token.id)]
    if token.special:
        facts.append(translate("TokenTip", "special token"))
    if octets:
        facts.append(translate("TokenTip", "bytes {hex}").format(hex=octets.hex(" ") + more))
    else:
        facts.append(translate("TokenTip", "covers no text"))
    part = translate("TokenTip", "holds part of {character} ({hex})")
    return facts + [
        part.format(character=_printable(character), hex=character.encode().hex(" ")) for character in split_characters
    ]


def _printable(label: str) -> str:
    """Return the label with control characters written as escapes."""
    return "".join(map(_escaped, label))


def _escaped(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")
