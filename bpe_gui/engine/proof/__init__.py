"""Proof that a written file holds the tokenizer: whoever reads it gives the same ids as we do.

The file is read again here, and by the package it is meant for, where that is installed. None of these packages is
needed for anything else.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.proof.hard_strings import HARD_STRINGS, with_special_tokens
from bpe_gui.engine.proof.package_readers import OURSELVES, Encode, Reader, UntriedError, readers

__all__ = [
    "HARD_STRINGS",
    "OURSELVES",
    "SAMPLE_BYTES",
    "Difference",
    "Proof",
    "Reader",
    "Token",
    "beginning",
    "prove",
    "readers",
    "strings",
]

SAMPLE_BYTES: Final = 100_000
"""How much of a corpus is compared, in UTF-8."""

Token = int | str


@dataclass(frozen=True, slots=True)
class Difference:
    """A text and what both sides make of it: ids, or tokens where the reader knows no ids."""

    text: str
    ours: tuple[Token, ...]
    theirs: tuple[Token, ...]

    @property
    def place(self) -> int:
        """The first place at which they differ.

        >>> Difference("ab", (1, 2), (1, 3)).place
        1
        """
        pairs = zip(self.ours, self.theirs, strict=False)
        return next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(self.ours), len(self.theirs)))


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of asking one reader.

    `strings` were encoded on both sides; those with a symbol that has no id are `left_out`. `obstacle` says why there
    was nothing to compare. Where files hold no ids, tokens were compared.
    """

    reader: str
    knows_ids: bool = True
    strings: int = 0
    left_out: int = 0
    difference: Difference | None = None
    obstacle: EngineError | None = None

    @property
    def fails(self) -> bool:
        """Whether the reader gives other ids, or does not take the file. That it was not asked is no failure."""
        return self.difference is not None or not isinstance(self.obstacle, UntriedError | None)


def prove(reader: Reader, texts: Iterable[str], progress: Progress = lambda done, whole: None) -> Proof:
    """Encode all texts on both sides, up to the first difference.

    >>> from bpe_gui.engine import Tokenizer
    >>> one = Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy")
    >>> prove(Reader("other", one.encode, lambda: one.at(0).encode), ["l", "ol", "x", "lol"]).difference
    Difference(text='lo', ours=(2,), theirs=(0, 1))
    """
    try:
        theirs = reader.load()
    except EngineError as error:
        return Proof(reader.name, reader.knows_ids, obstacle=error)
    compare = _comparison(reader.ours, theirs)
    wanted = tuple(texts)
    compared = 0
    for done, text in enumerate(wanted):
        progress(done, len(wanted))
        difference = compare(text)
        if isinstance(difference, Difference):
            return Proof(
                reader.name, reader.knows_ids, compared + 1, done - compared, difference=_narrowed(difference, compare)
            )
        compared += difference is None
    if not compared:
        nothing = UntriedError(_("EngineError", "None of the strings can be encoded on both sides."))
        return Proof(reader.name, reader.knows_ids, left_out=len(wanted), obstacle=nothing)
    return Proof(reader.name, reader.knows_ids, compared, len(wanted) - compared)


Compare = Callable[[str], Difference | EngineError | None]


def _comparison(ours: Encode, theirs: Encode) -> Compare:
    def compare(text: str) -> Difference | EngineError | None:
        """What differs, if anything; an error where a side cannot encode the text."""
        try:
            one, other = tuple(ours(text)), tuple(theirs(text))
        except EngineError as error:
            return error
        return None if one == other else Difference(text, one, other)

    return compare


def _narrowed(difference: Difference, compare: Compare) -> Difference:
    """A difference in a part of the text that cannot be halved any more, so that one sees what it is about."""
    while True:
        found = next((part for part in map(compare, _parts(difference.text)) if isinstance(part, Difference)), None)
        if found is None:
            return difference
        difference = found


def _parts(text: str) -> Iterator[str]:
    half, quarter = len(text) // 2, len(text) // 4
    for start, stop in ((0, half), (half, len(text)), (quarter, len(text) - quarter), (0, -1), (1, len(text))):
        part = text[start:stop]
        if part and part != text:
            yield part


def strings(texts: Iterable[str], special_tokens: Iterable[str]) -> tuple[str, ...]:
    """What is compared: the hard strings, then every line of the texts, then the texts whole.

    >>> strings(["low\\ner"], ["<e>"])[-3:]
    ('low\\n', 'er', 'low\\ner')
    """
    whole = [text for text in texts if text]
    lines = (line for text in whole for line in text.splitlines(keepends=True))
    # Many lines are there more than once.
    return tuple(dict.fromkeys((*HARD_STRINGS, *with_special_tokens(special_tokens), *lines, *whole)))


def beginning(chunks: Iterable[str], most: int = SAMPLE_BYTES) -> str:
    """The first characters of a text that arrives in chunks, `most` bytes of UTF-8 or a little less.

    >>> beginning(["a", "äb"], 2)
    'a'
    """
    data = b""
    for chunk in chunks:
        data += chunk[:most].encode(errors="replace")
        if len(data) >= most:
            break
    return data[:most].decode(errors="ignore")
