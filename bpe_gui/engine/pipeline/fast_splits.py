"""Cuts by patterns that are known: as the pattern itself, but many times as quick.

Kernels cut as GPT-2 and GPT-4 do. The patterns of many others differ from GPT-4's in no more than two things: whether
digits are alone, and whether white space at the end of a text is cut after its last line end.
"""

from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.compiled import is_compiled
from bpe_gui.engine.corpora.counting import SCANNERS, new_stretch
from bpe_gui.engine.kernels.text.gpt2_word_starts import STRETCH
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.training.records import Longs
from bpe_gui.engine.kernels.text.scanning import NUMBER
from bpe_gui.engine.kernels.text.splitting import find_words
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.text.character_classes import unicode_classes
from bpe_gui.engine.pipeline.aligned_text import byte_sizes, code_points
from bpe_gui.engine.pipeline.split_text import CutText
from bpe_gui.engine.pipeline.pattern_search import compiled, matches_in

_WORTH_IT: Final = 64
"""Characters in a word from which on a kernel is worth being called."""

_APOSTROPHES: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SIGNS: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_WORD: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SPACES: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"

LLAMA3: Final = rf"{_APOSTROPHES}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|{_SPACES}"
QWEN2: Final = rf"{_APOSTROPHES}|{_WORD}|\p{{N}}|{_SIGNS}|{_SPACES}"
BAILING: Final = rf"'(?i:[sdmt]|ll|ve|re)|{_WORD}|\p{{N}}|{_SIGNS}|\s*[\r\n]|\s+(?!\S)|\s+"

SPACE: Final = "▁"
"""What stands for a space in tokens of SentencePiece."""

BEFORE_SPACES: Final = f"(?<=[^{SPACE}])(?={SPACE})"
AFTER_SPACES: Final = f"(?<={SPACE})(?=[^{SPACE}])"


class _Known(NamedTuple):
    """A splitter of kernels; whether digits are alone, other than there; whether white space at the end is cut."""

    splitter: str
    cuts_digits: bool = False
    cuts_end: bool = True


_KNOWN: Final = {
    SPLITTERS["gpt2"]: _Known("gpt2", cuts_end=False),
    SPLITTERS["o200k"]: _Known("o200k", cuts_end=False),
    LLAMA3: _Known("cl100k"),
    QWEN2: _Known("cl100k", cuts_digits=True),
    BAILING: _Known("cl100k", cuts_digits=True),
}
"""By pattern. Each of them matches every character."""


def cut_as_known(text: CutText, pattern: str) -> CutText | None:
    """The words cut by a pattern into all that matches and all between, if that is known.

    >>> from .aligned import AlignedText
    >>> cut_as_known(CutText.of(AlignedText.of("▁low▁▁lower")), BEFORE_SPACES).words()
    ['▁low', '▁▁lower']
    """
    if known := _KNOWN.get(pattern):
        are_long = text.ends - text.begins >= _WORTH_IT
        if not is_compiled() or not np.any(are_long):
            return None
        places = matches_in(text.chosen(~are_long), compiled(pattern)).starts
        return text.cut_before(np.append(places, _found_by_kernel(text.chosen(are_long), known)))
    parts = set(pattern.split("|"))
    return _cut_at_spaces(text, parts) if parts <= {BEFORE_SPACES, AFTER_SPACES} else None


def _cut_at_spaces(text: CutText, where: set[str]) -> CutText:
    are_spaces = code_points(text.text.text) == ord(SPACE)
    places = np.flatnonzero(are_spaces[1:] != are_spaces[:-1]) + 1
    if where != {BEFORE_SPACES, AFTER_SPACES}:
        places = places[are_spaces[places] == (BEFORE_SPACES in where)]
    return text.cut_before(places)


def _found_by_kernel(text: CutText, known: _Known) -> Longs:
    """Where the parts of words begin, but for the first of each."""
    whole = text.text.text
    edges = np.cumsum(np.append(np.int64(0), byte_sizes(whole)))  # of characters
    block = np.frombuffer(bytearray(whole.encode()) + bytes(PADDING), np.uint8)
    begins, ends = np.empty(STRETCH + 2, np.int64), np.empty(len(block), np.int64)
    stretch, classes, scanner = new_stretch(), unicode_classes(), SCANNERS[known.splitter]
    are_begins = np.zeros(len(whole) + 1, bool)
    done = 0
    for begin, end in zip(text.begins.tolist(), text.ends.tolist(), strict=True):
        at, stop = int(edges[begin]), int(edges[end])
        done += find_words(scanner, block, at, stop, classes, stretch, begins, ends[done:])
        if known.cuts_end:
            are_begins[_after_last_line(whole, begin, end)] = True
    are_begins[np.searchsorted(edges, ends[:done])] = True
    if known.cuts_digits:
        are_begins[:-1] |= classes[code_points(whole)] & NUMBER > 0
    return np.flatnonzero(are_begins)


def _after_last_line(text: str, begin: int, end: int) -> int:
    """After the last line end all these patterns cut, but GPT-4's not where nothing but white space follows."""
    return max(text.rfind("\r", begin, end), text.rfind("\n", begin, end)) + 1
