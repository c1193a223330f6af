"""Recognise the patterns of published tokenizers, and translate those of tiktoken and tekken files.

These are regular expressions of Rust's crate `fancy-regex`.
"""

from typing import Final

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.text.splitters import SPLITTERS, automaton_of

# openai/tiktoken tiktoken_ext/openai_public.py: splits as `gpt2`, but faster in Rust
_R50K: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\Z|\s+(?!\S)|\s"
_NAMES: Final = {pattern: name for name, pattern in SPLITTERS.items()} | {_R50K: "gpt2"}


@checks_arguments(FormatError)
def splitter_from_pattern(pattern: str) -> str:
    r"""Return the name of the splitter that has this pattern, here or in tiktoken; any other pattern unchanged.

    >>> splitter_from_pattern(r"\S+"), splitter_from_pattern(SPLITTERS["cl100k"].replace(r"\Z", "$"))
    ('\\S+', 'cl100k')
    """
    return _NAMES.get(pattern) or _NAMES.get(pattern.replace("$", r"\Z")) or pattern


def splitter_from_rust_pattern(pattern: str) -> str:
    r"""Return the splitter for a regular expression of Rust's. Raise RecipeError if it cannot be translated.

    >>> splitter_from_rust_pattern(r"\S+$"), splitter_from_rust_pattern(SPLITTERS["gpt2"])
    ('\\S+\\Z', 'gpt2')
    """
    known = splitter_from_pattern(pattern)
    if known != pattern:
        return known
    from bpe_gui.engine.text.dialects import PYTHON, RUST
    from bpe_gui.engine.text.writer import translate

    splitter = splitter_from_pattern(translate(pattern, RUST, PYTHON))
    automaton_of(splitter)
    looks_like_a_name = splitter == pattern and pattern in SPLITTERS
    return f"(?:{splitter})" if looks_like_a_name else splitter


@checks_arguments(FormatError)
def rust_pattern(splitter: str) -> str:
    r"""Return the regular expression for Rust that splits as a splitter does, given by name or pattern.

    Raise RecipeError for one that Rust may read in another way.

    >>> rust_pattern(r"[$]+|\w+$|\s+\Z")
    '[$]+|\\w+(?=\\n?$)|\\s+$'
    """
    from bpe_gui.engine.text.dialects import PYTHON, RUST
    from bpe_gui.engine.text.writer import translate

    return translate(SPLITTERS.get(splitter, splitter), PYTHON, RUST)
