"""SentencePiece's character map, looked up like the normalizer `Precompiled` of Hugging Face's `tokenizers`.

SentencePiece replaces the longest key at each offset. `tokenizers` goes by graphemes, which people see as one
character. A grapheme of several code points, but few bytes, is replaced with the value of the *shortest* key that it
begins with, and the rest is lost. In any other grapheme, each code point is looked up on its own.

Sources: huggingface/tokenizers src/normalizers/precompiled.rs, huggingface/spm_precompiled src/lib.rs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

from bpe_gui.engine.runtime.lazy import expression
from bpe_gui.engine.runtime.statements import Statement
from bpe_gui.engine.runtime.statements import statement as _
from bpe_gui.engine.text.character_sets import property_set

from .aligned_text import AlignedText, Replacement
from .charsmaps import CharacterMap
from .normalizers import Normalizer

if TYPE_CHECKING:
    import regex

_MAX_WHOLE_BYTES: Final = 5
"""The longest grapheme that is looked up as a whole."""

_CORES: Final = (
    r"\p{GCB=L}*(?:\p{GCB=V}+|\p{GCB=LV}\p{GCB=V}*|\p{GCB=LVT})\p{GCB=T}*|\p{GCB=L}+|\p{GCB=T}+",  # Hangul
    r"\p{GCB=RI}{2}",  # flags
    r"\p{ExtPict}(?:\p{GCB=EX}*\p{GCB=ZWJ}\p{ExtPict})*",
    r"\p{InCB=Consonant}(?:\p{InCB=Extend}*+\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]*+\p{InCB=Consonant})+",
    r"[^\p{GCB=CN}\r\n]",
)
_GRAPHEME: Final = (
    rf"\r\n|[\p{{GCB=CN}}\r\n]|\p{{GCB=PP}}*(?:{'|'.join(_CORES)})[\p{{GCB=EX}}\p{{GCB=ZWJ}}\p{{GCB=SM}}]*"
)
"""An extended grapheme cluster (UAX #29, table 1c); `\\X` of `regex` differs from it after some viramas."""

_MARKS_OF_UNICODE_17: Final = (
    "[\u1acf-\u1add\u1ae0-\u1aeb\U00010efa\U00010efb\U00011b60-\U00011b67"
    "\U0001e6e3\U0001e6e6\U0001e6ee\U0001e6ef\U0001e6f5]"
)
"""Characters in the library's graphemes beyond Unicode 16."""


@dataclass(frozen=True)
class Precompiled(Normalizer):
    """A normalizer that replaces characters using a map. `packed` is the map as SentencePiece serialises it."""

    character_map: CharacterMap
    packed: bytes = field(repr=False)

    statements: ClassVar[tuple[Statement, ...]] = (_("Pipeline", "character replacements"),)

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""Return the text with the replacements.

        >>> character_map = CharacterMap({"ﬁ": "fi", "e\u0301": "é"})
        >>> Precompiled(character_map, b"").normalize(AlignedText.of("ﬁne ﬁ\u0301 e\u0301")).text
        'fine fi é'
        """
        replacements: list[Replacement] = []
        for match in expression(_GRAPHEME).finditer(_as_of_unicode_17(text.text)):
            start, stop = match.span()
            grapheme = text.text[start:stop]
            if len(grapheme) > 1 and (new := self._replacement_of_whole(grapheme)) is not None:
                replacements.append((start, stop, new))
                continue
            for index, character in enumerate(grapheme, start):
                if (new := self.character_map.replacements.get(character)) is not None:
                    replacements.append((index, index + 1, new))
        if not replacements:
            return text
        origin_length = _origin_length_after(text.origin_length, replacements, len(text.text))
        replaced = text.with_replacements(replacements)
        return AlignedText(replaced.text, lambda: replaced.offsets, origin_length)

    def _replacement_of_whole(self, grapheme: str) -> str | None:
        """Return the replacement of a grapheme of several characters, if it is looked up as a whole and found."""
        if len(grapheme.encode()) > _MAX_WHOLE_BYTES:
            return None
        prefixes = (grapheme[:length] for length in range(1, len(grapheme) + 1))
        return next((new for key in prefixes if (new := self.character_map.replacements.get(key)) is not None), None)


def _as_of_unicode_17(text: str) -> str:
    """Return `text` with stand-ins for characters that only newer versions of `regex` know."""
    if text.isascii():
        return text
    return _later_than_16().sub("\u0378", expression(_MARKS_OF_UNICODE_17).sub("\u0301", text))


@cache
def _later_than_16() -> "regex.Pattern[str]":
    """Return an expression for the characters that are unassigned in Unicode 16."""
    unassigned = property_set("p", "gc=cn")
    assert unassigned is not None
    return expression("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in unassigned.ranges) + "]")


def _origin_length_after(length: int, replacements: Sequence[Replacement], size: int) -> int:
    """Return the origin length after `replacements` to a text of `size` characters, given the one before.

    `tokenizers` attributes new characters to the offsets of the replaced ones, repeating the last one as needed. But a
    range that is replaced with nothing leaves its offsets to the following text.
    """
    new_length = used = done = 0
    for start, stop, new in [*replacements, (size, size, "")]:
        for old_size, new_size in ((start - done, start - done), (stop - start, len(new))):
            if new_size:
                left = max(length - used, 0)
                new_length += new_size if left >= old_size else min(left, new_size)
                used += old_size
        done = stop
    return new_length
