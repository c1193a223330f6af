"""Text and how it is split into words: recipes, special tokens, the alphabet, and splitters.

An expression takes this way: `parser` reads it in its `dialects` into the tree of `syntax`, in which everything that
engines read differently has become sets of code points (`character_sets`); `nfa` makes a graph of the tree, `automaton`
a deterministic automaton that finds what a backtracking engine finds first, and `splitter_tables` the tables that
`kernels.text.automaton` reads. `compiled_splitters` has the splitters of recipes and tells where text can be cut,
`alternatives` which part of an expression took a word, and `writer` writes a tree for another engine.

Before changing any of this:

- An expression must split as its engine does, or be refused by name and position. Never read what is not certain: a
  construct that no published tokenizer uses is refused if reading it takes much code.
- `python -m tests.engine.support.expressions 2000` and `python -m tests.fuzzing.expressions --engine tiktoken` (and
  `tokenizers`) compare generated expressions with the engines. Nothing may differ.
- Options hold for a whole expression or for a group; spaced expressions, comments, `~~` and `||` between sets, and
  atomic groups with several ways to match are refused.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

from .recipe import CHOICES, PRESETS, Recipe
from .special_tokens import SpecialTokens, check_special_tokens
from .splitters import SPLITTERS, automaton_of, drops_spaces
from .utf8 import check_surrogates

if TYPE_CHECKING:
    from .alternatives import SplitWords, part_spans, parts_of, words_by_part

__all__ = [
    "CHOICES",
    "PRESETS",
    "SPLITTERS",
    "Recipe",
    "SpecialTokens",
    "SplitWords",
    "automaton_of",
    "check_special_tokens",
    "check_surrogates",
    "drops_spaces",
    "part_spans",
    "parts_of",
    "words_by_part",
]

__getattr__ = imported_when_used(__name__, __all__, ".alternatives")
