"""Split text by well-known patterns with kernels: the same result as the pattern gives, many times as fast.

The kernels split as GPT-2 and GPT-4 do. The patterns of many other models differ from GPT-4's in at most two ways:
whether every digit is a word of its own, and whether white space at the end of a text is split after its last line
break.
"""

from typing import Final, NamedTuple

import numpy as np

from bpe_gui.engine.compilation import is_compiled
from bpe_gui.engine.kernels.lowlevel.memory import PADDING
from bpe_gui.engine.kernels.text.gpt2_word_starts import STRETCH
from bpe_gui.engine.kernels.text.scanning import NUMBER
from bpe_gui.engine.kernels.text.splitting import find_words
from bpe_gui.engine.runtime.arrays import Int64Array
from bpe_gui.engine.text.character_classes import unicode_classes
from bpe_gui.engine.text.scanners import SCANNERS, new_stretch
from bpe_gui.engine.text.splitters import SPLITTERS

from .aligned_text import byte_sizes, code_points
from .pattern_search import compile_oniguruma, search_words
from .split_text import SplitText

_MIN_KERNEL_WORD: Final = 64
"""The least number of characters in a word for which calling a kernel pays off."""

CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
ASCII_CONTRACTIONS: Final = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
"""Those above without `'ſ`, as llama.cpp has them."""

_WORD: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SIGNS: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_WHITE_SPACE: Final = r"\s*[\r\n]+|\s+(?!\S)|\s+"

LLAMA3_PATTERN: Final = rf"{CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_SIGNS}|{_WHITE_SPACE}"
"""As published for Llama 3, and for GPT-4 in `tokenizer.json` files."""

QWEN2_PATTERN: Final = rf"{CONTRACTIONS}|{_WORD}|\p{{N}}|{_SIGNS}|{_WHITE_SPACE}"
BAILING_PATTERN: Final = rf"'(?i:[sdmt]|ll|ve|re)|{_WORD}|\p{{N}}|{_SIGNS}|\s*[\r\n]|\s+(?!\S)|\s+"

ASCII_LLAMA3_PATTERN: Final = LLAMA3_PATTERN.replace(CONTRACTIONS, ASCII_CONTRACTIONS)
ASCII_QWEN2_PATTERN: Final = QWEN2_PATTERN.replace(CONTRACTIONS, ASCII_CONTRACTIONS)
ASCII_BAILING_PATTERN: Final = BAILING_PATTERN.replace("'(?i:[sdmt]|ll|ve|re)", ASCII_CONTRACTIONS)

SPACE_SYMBOL: Final = "▁"
"""The character that stands for a space in SentencePiece's tokens."""

BEFORE_SPACES: Final = f"(?<=[^{SPACE_SYMBOL}])(?={SPACE_SYMBOL})"
AFTER_SPACES: Final = f"(?<={SPACE_SYMBOL})(?=[^{SPACE_SYMBOL}])"


class _FastPattern(NamedTuple):
    """The splitter of the kernels that is closest to a pattern, and how the pattern may differ from it."""

    splitter: str
    splits_digits: bool = False
    splits_final_line_break: bool = True
    contracts_long_s: bool = True


_FAST_PATTERNS: Final = {
    SPLITTERS["gpt2"]: _FastPattern("gpt2", splits_final_line_break=False),
    SPLITTERS["o200k"]: _FastPattern("o200k", splits_final_line_break=False),
    LLAMA3_PATTERN: _FastPattern("cl100k"),
    QWEN2_PATTERN: _FastPattern("cl100k", splits_digits=True),
    BAILING_PATTERN: _FastPattern("cl100k", splits_digits=True),
    ASCII_LLAMA3_PATTERN: _FastPattern("cl100k", contracts_long_s=False),
    ASCII_QWEN2_PATTERN: _FastPattern("cl100k", splits_digits=True, contracts_long_s=False),
    ASCII_BAILING_PATTERN: _FastPattern("cl100k", splits_digits=True, contracts_long_s=False),
}
"""By pattern. Each of them matches every character."""


def split_fast(text: SplitText, pattern: str) -> SplitText | None:
    """Return `text` with its words split into the matches of `pattern` and what is between them.

    Return None if the pattern is not known, or if the words are too short for a kernel to be worth it.

    >>> from .aligned_text import AlignedText
    >>> split_fast(SplitText.of(AlignedText.of("▁low▁▁lower")), BEFORE_SPACES).words()
    ['▁low', '▁▁lower']
    """
    if fast_pattern := _FAST_PATTERNS.get(pattern):
        are_long = text.ends - text.begins >= _MIN_KERNEL_WORD
        is_other = not fast_pattern.contracts_long_s and "'ſ" in text.text.text
        if not is_compiled() or not np.any(are_long) or is_other:
            return None
        boundaries = search_words(text.select(~are_long), compile_oniguruma(pattern)).starts
        return text.split_before(np.append(boundaries, _boundaries_by_kernel(text.select(are_long), fast_pattern)))
    alternatives = set(pattern.split("|"))
    return _split_at_spaces(text, alternatives) if alternatives <= {BEFORE_SPACES, AFTER_SPACES} else None


def _split_at_spaces(text: SplitText, patterns: set[str]) -> SplitText:
    """Split `text` before runs of `▁`, after them, or both, as `patterns` say."""
    are_spaces = code_points(text.text.text) == ord(SPACE_SYMBOL)
    boundaries = np.flatnonzero(are_spaces[1:] != are_spaces[:-1]) + 1
    if patterns != {BEFORE_SPACES, AFTER_SPACES}:
        boundaries = boundaries[are_spaces[boundaries] == (BEFORE_SPACES in patterns)]
    return text.split_before(boundaries)


def _boundaries_by_kernel(text: SplitText, pattern: _FastPattern) -> Int64Array:
    """Return the offsets in characters before which the words of `text` are to be split."""
    whole = text.text.text
    byte_offsets = np.cumsum(np.append(np.int64(0), byte_sizes(whole)))
    utf8 = np.frombuffer(bytearray(whole.encode()) + bytes(PADDING), np.uint8)
    begins, ends = np.empty(STRETCH + 2, np.int64), np.empty(len(utf8), np.int64)
    stretch, classes, scanner = new_stretch(), unicode_classes(), SCANNERS[pattern.splitter]
    are_boundaries = np.zeros(len(whole) + 1, bool)
    count = 0
    for begin, end in zip(text.begins.tolist(), text.ends.tolist(), strict=True):
        start, stop = int(byte_offsets[begin]), int(byte_offsets[end])
        count += find_words(scanner, utf8, start, stop, classes, stretch, begins, ends[count:])
        if pattern.splits_final_line_break:
            are_boundaries[_after_last_line_break(whole, begin, end)] = True
    are_boundaries[np.searchsorted(byte_offsets, ends[:count])] = True
    if pattern.splits_digits:
        are_boundaries[:-1] |= classes[code_points(whole)] & NUMBER > 0
    return np.flatnonzero(are_boundaries)


def _after_last_line_break(text: str, begin: int, end: int) -> int:
    """Return the offset after the last line break of a word.

    There all these patterns split, except that GPT-4's does not where only white space follows.
    """
    return max(text.rfind("\r", begin, end), text.rfind("\n", begin, end)) + 1
