"""SentencePiece's table of characters as the step `Precompiled` of Hugging Face's `tokenizers` looks them up in it.

SentencePiece takes the longest key that stands at a place. `tokenizers` goes by what people see as one character: one
of several code points, but few bytes, becomes what the *shortest* key that it begins with becomes, and the rest of it
is lost; of any other, each code point is looked up alone.
Source: huggingface/tokenizers src/normalizers/precompiled.rs, huggingface/spm_precompiled src/lib.rs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import regex

from bpe_gui.engine.pipeline.aligned_text import AlignedText, Change
from bpe_gui.engine.pipeline.sentencepiece import Charsmap

_MOST_BYTES: Final = 5
"""Of what is looked up whole."""

_CORES: Final = (
    r"\p{GCB=L}*(?:\p{GCB=V}+|\p{GCB=LV}\p{GCB=V}*|\p{GCB=LVT})\p{GCB=T}*|\p{GCB=L}+|\p{GCB=T}+",  # Hangul
    r"\p{GCB=RI}{2}",  # flags
    r"\p{ExtPict}(?:\p{GCB=EX}*\p{GCB=ZWJ}\p{ExtPict})*",
    r"\p{InCB=Consonant}(?:\p{InCB=Extend}*+\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]*+\p{InCB=Consonant})+",
    r"[^\p{GCB=CN}\r\n]",
)
_GRAPHEME: Final = regex.compile(
    rf"\r\n|[\p{{GCB=CN}}\r\n]|\p{{GCB=PP}}*(?:{'|'.join(_CORES)})[\p{{GCB=EX}}\p{{GCB=ZWJ}}\p{{GCB=SM}}]*"
)
"""What people see as one character (Unicode's annex 29, table 1c); `\\X` of `regex` is not that after some viramas."""


@dataclass(frozen=True)
class Precompiled:
    """Replaces characters by a table. `packed` is the table as it is written."""

    charsmap: Charsmap
    packed: bytes = field(repr=False)

    def normalize(self, text: AlignedText) -> AlignedText:
        r"""The changed text.

        >>> table = Charsmap({"ﬁ": "fi", "e\u0301": "é"})
        >>> Precompiled(table, b"").normalize(AlignedText.of("ﬁne ﬁ\u0301 e\u0301")).text
        'fine fi é'
        """
        known = self.charsmap.replacements
        changes: list[Change] = []
        for match in _GRAPHEME.finditer(text.text):
            grapheme, start = match.group(), match.start()
            if len(grapheme) > 1 and (whole := self._whole(grapheme)) is not None:
                changes.append((start, match.end(), whole))
                continue
            for place, character in enumerate(grapheme, start):
                if (new := known.get(character)) is not None:
                    changes.append((place, place + 1, new))
        if not changes:
            return text
        changed = text.with_changes(changes)
        return changed._replace(opening=_opening(text.opening, changes, len(text.text)))

    def _whole(self, grapheme: str) -> str | None:
        """What a grapheme of several characters becomes, if it is looked up whole and found."""
        if len(grapheme.encode()) > _MOST_BYTES:
            return None
        beginnings = (grapheme[:length] for length in range(1, len(grapheme) + 1))
        return next((new for key in beginnings if (new := self.charsmap.replacements.get(key)) is not None), None)


def _opening(opening: int, changes: Sequence[Change], length: int) -> int:
    """How many characters `tokenizers` takes for the beginning of the whole text, after changes to so many.

    To it, new characters are where the replaced ones were, the last of them as often as need be. But what is removed
    without anything instead leaves its place to what follows.
    """
    made = used = done = 0
    for start, stop, new in [*changes, (length, length, "")]:
        for old_size, new_size in ((start - done, start - done), (stop - start, len(new))):
            if new_size:
                left = max(opening - used, 0)
                made += new_size if left >= old_size else min(left, new_size)
                used += old_size
        done = stop
    return made
