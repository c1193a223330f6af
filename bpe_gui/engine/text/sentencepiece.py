"""The options of SentencePiece's BPE trainer, and how they forbid merges.

The options are named as in SentencePiece. Source: google/sentencepiece 0.2.3, src/trainer_interface.cc.
"""

import zlib
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np

from bpe_gui.engine.kernels.text.sentences import ALONE, DROPPED, NEUTRAL, SPACE, TRANSPARENT
from bpe_gui.engine.runtime.errors import RecipeError
from bpe_gui.engine.runtime.types import Int32Array, Int64Array

Normalization = Literal["nmt_nfkc", "identity"]

SPACES: Final = r"[^ \n]+"
LINES: Final = r"[^\n]+"
"""The two splitters of the recipe: text between spaces, and whole lines. Each piece is normalized on its own."""

SPACE_SYMBOL: Final = "\N{LOWER ONE EIGHTH BLOCK}"
"""The character that stands for a space in SentencePiece's pieces."""

UNKNOWN: Final = "<unk>"
CONTROLS: Final = (UNKNOWN, "<s>", "</s>")
BYTE_PIECES: Final = tuple(f"<0x{byte:02X}>" for byte in range(256))

BOUNDARY: Final = "\x1f"
"""What SentencePiece puts in place of its special pieces, so that nothing merges across them."""

_NEVER_COUNTED: Final = [0x00, 0x2585]  # SentencePiece ignores the first, and reserves the second


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePieceOptions:
    """The options of SentencePiece's trainer, with its names and defaults.

    - `normalization`: the rules by which characters are replaced.
    - `add_dummy_prefix`: whether a space is put before each text.
    - `remove_extra_whitespaces`: whether spaces at both ends are removed, and runs of spaces become one.
    - `character_coverage`: the share of the corpus that the characters of the vocabulary cover, from 0.98 to 1.
    - `byte_fallback`: whether the vocabulary has the 256 bytes, for characters that it lacks.
    - `split_by_whitespace`, `split_by_unicode_script`: whether a piece stays within a word, and within a script.
    - `split_by_number`: whether digits count as a script of their own.
    - `split_digits`: whether each digit is a piece.
    - `treat_whitespace_as_suffix`: whether spaces belong to the word before them.
    - `max_sentencepiece_length`: the most characters of a piece, from 1 to 512.

    Raises RecipeError for a value that is not valid.
    """

    normalizations: ClassVar[tuple[Normalization, ...]] = get_args(Normalization)
    coverages: ClassVar = (0.98, 1.0)
    piece_lengths: ClassVar = (1, 512)
    """The choices of `normalization`, and the least and greatest values of the two numbers."""

    normalization: Normalization = "nmt_nfkc"
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    character_coverage: float = 0.9995
    byte_fallback: bool = False
    split_by_whitespace: bool = True
    split_by_unicode_script: bool = True
    split_by_number: bool = True
    split_digits: bool = False
    treat_whitespace_as_suffix: bool = False
    max_sentencepiece_length: int = 16

    def __post_init__(self) -> None:
        valid = {
            "normalization": isinstance(self.normalization, str) and self.normalization in self.normalizations,
            "character_coverage": type(self.character_coverage) in (int, float)
            and self.coverages[0] <= self.character_coverage <= self.coverages[1],
            "max_sentencepiece_length": type(self.max_sentencepiece_length) is int
            and self.piece_lengths[0] <= self.max_sentencepiece_length <= self.piece_lengths[1],
        }
        choices = {
            "normalization": " / ".join(self.normalizations),
            "character_coverage": "{}–{}".format(*self.coverages),
            "max_sentencepiece_length": "{}–{}".format(*self.piece_lengths),
        }
        for field in fields(self):
            value = getattr(self, field.name)
            if not valid.get(field.name, type(value) is bool):
                raise RecipeError(
                    "The SentencePiece option {option} cannot be {value!r}. It must be {choices}.",
                    option=field.name,
                    value=value,
                    choices=choices.get(field.name, "true / false"),
                )

    @classmethod
    def from_dict(cls, options: object) -> "SentencePieceOptions":
        """Return the options with these values, and defaults for those left out. Raise RecipeError."""
        known = [field.name for field in fields(cls)]
        if not isinstance(options, dict) or not set(options).issubset(known):
            raise RecipeError(
                "The recipe's sentencepiece must be null, or a JSON object with some of the options {options}.",
                options=tuple(known),
            )
        return cls(**options)

    @property
    def splitter(self) -> str:
        """The splitter with which training equals SentencePiece's: `SPACES` where that makes no difference."""
        by_word = self.split_by_whitespace and self.add_dummy_prefix and self.remove_extra_whitespaces
        return SPACES if by_word else LINES

    def fixed_pieces(self, special_tokens: tuple[str, ...]) -> tuple[str, ...]:
        """Return the pieces before the merged ones, in the order of their ids; none of them twice."""
        return tuple(dict.fromkeys((*CONTROLS, *special_tokens, *(BYTE_PIECES if self.byte_fallback else ()))))


# -- classes of characters ------------------------------------------------------------------------------------------

_SCRIPTS_FILE: Final = Path(__file__).with_name("sentencepiece_scripts.zlib")
"""SentencePiece's scripts: a line each of the name, a tab, and ranges as in the resource of `character_sets`."""

_CODE_POINTS: Final = 0x110000
_DIGITS: Final = (range(0x30, 0x3A), range(0xFF10, 0xFF1A))
_LONG_VOWEL: Final = 0x30FC

_COMMON: Final = DROPPED + 1
"""The class of characters that all scripts share. The other scripts follow it."""


@lru_cache(maxsize=8)
def character_classes(options: SentencePieceOptions) -> Int32Array:
    """Return the class of each code point, as `kernels.text.sentences` needs it; read-only.

    >>> classes = character_classes(SentencePieceOptions())
    >>> bool(classes[ord("あ")] == classes[ord("漢")]), bool(classes[ord("a")] == classes[ord("1")])
    (True, False)
    """
    classes = np.full(_CODE_POINTS, _COMMON if options.split_by_unicode_script else TRANSPARENT, np.int32)
    if options.split_by_unicode_script:
        scripts = _scripts()
        han = _COMMON + 1 + list(scripts).index("Han")  # SentencePiece counts Japanese as one script
        for number, (name, ranges) in enumerate(scripts.items(), _COMMON + 1):
            script = {"Inherited": TRANSPARENT, "Hiragana": han, "Katakana": han}.get(name, number)
            for first, last in ranges:
                classes[first : last + 1] = script
        classes[_LONG_VOWEL] = han
    for digits in _DIGITS:
        if options.split_digits:
            classes[digits.start : digits.stop] = ALONE
        elif not options.split_by_number:
            classes[digits.start : digits.stop] = NEUTRAL
    classes[ord(SPACE_SYMBOL)] = SPACE
    classes.flags.writeable = False
    return classes


def _scripts() -> dict[str, list[tuple[int, int]]]:
    """Return the first and last code point of each range of each script but `Common`."""
    scripts = {}
    for line in zlib.decompress(_SCRIPTS_FILE.read_bytes()).decode().split("\n"):
        name, _tab, content = line.partition("\t")
        edges = list(accumulate(int(distance, 16) for distance in content.split()))
        scripts[name] = list(zip(edges[::2], edges[1::2], strict=True))
    return scripts


def options_of(value: Any) -> SentencePieceOptions | None:
    """Return options given as such, as a JSON object, or as None. Raise RecipeError."""
    if value is None or isinstance(value, SentencePieceOptions):
        return value
    return SentencePieceOptions.from_dict(value)


def required_characters(counts: Int64Array, coverage: float) -> Int64Array:
    """Return the code points that the vocabulary must have, the most frequent first, equally frequent ones by value.

    `counts` are by code point. SentencePiece compares shares of the text as 32-bit numbers.
    """
    counts = counts.copy()
    counts[_NEVER_COUNTED] = 0
    codes: Int64Array = np.flatnonzero(counts)
    codes = codes[np.argsort(-counts[codes], kind="stable")]
    before = np.cumsum(counts[codes]) - counts[codes]
    shares = (before / max(1, int(counts.sum()))).astype(np.float32)
    codes = codes[: int(np.count_nonzero(shares < np.float32(coverage)))]
    return np.compress(codes != ord(BOUNDARY), codes)
