"""The tooltip of a token in the editor."""

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.live_text import LiveText
from bpe_gui.engine.runtime import isolated
from bpe_gui.gui.views.tokens import Token
from bpe_gui.gui.wording.joining import listed

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MAX_BYTES_SHOWN: Final = 64


def token_tip(token: Token, text: LiveText, split_characters: Iterable[str]) -> str:
    """Return a token's label, id and bytes as rich text, with a line for each fact.

    `text` is the text that the token's offsets count in. `split_characters` are those that it covers only in part.
    """
    lines = "<br>".join(html.escape(fact) for fact in _facts(token, text, split_characters))
    return f"<p style='white-space: pre'><b>{html.escape(isolated(_with_escapes(token.label)))}</b><br>{lines}</p>"


def token_in_words(token: Token) -> str:
    """Return a token's label and id as a sentence for screen readers."""
    return listed([isolated(_with_escapes(token.label)), *_identity(token)])


def _facts(token: Token, text: LiveText, split_characters: Iterable[str]) -> list[str]:
    covered = text.read(token.start, min(token.stop, token.start + _MAX_BYTES_SHOWN))
    ellipsis = " …" if token.stop - token.start > _MAX_BYTES_SHOWN else ""
    facts = _identity(token)
    if covered:
        facts.append(translate("TokenTip", "bytes {hex}").format(hex=covered.hex(" ") + ellipsis))
    else:
        facts.append(translate("TokenTip", "covers no text"))
    template = translate("TokenTip", "contains part of {character} ({hex})")
    return facts + [
        template.format(character=isolated(_with_escapes(character)), hex=character.encode().hex(" "))
        for character in split_characters
    ]


def _identity(token: Token) -> list[str]:
    """Return the id of a token, and whether it is special."""
    if token.unknown:
        facts = [translate("TokenTip", "no id: this symbol is not in the vocabulary")]
    else:
        facts = [translate("TokenTip", "id {id}").format(id=token.id)]
    return [*facts, translate("TokenTip", "special token")] if token.special else facts


def _with_escapes(label: str) -> str:
    """Return the label with invisible characters, such as controls, written as Python writes them in strings."""
    return "".join(map(_escaped_if_invisible, label))


def _escaped_if_invisible(character: str) -> str:
    if unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp"):
        return character
    return character.encode("unicode_escape").decode("ascii")
