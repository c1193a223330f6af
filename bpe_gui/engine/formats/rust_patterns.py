"""Recognise the patterns of published tokenizers, and translate regular expressions between Python and Rust.

tiktoken and tekken files use the regular expressions of Rust's crate `fancy-regex`.
"""

import re
from typing import Final

from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.text.splitters import SPLITTERS, compile_pattern

# openai/tiktoken tiktoken_ext/openai_public.py: splits as `gpt2`, but faster in Rust
_R50K: Final = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++\Z|\s+(?!\S)|\s"
_NAMES: Final = {pattern: name for name, pattern in SPLITTERS.items()} | {_R50K: "gpt2"}

_RUST_ITEM: Final = re.compile(r"\\.|\[\^?\]?|[\]$]|&&|--|~~", re.DOTALL)
_PYTHON_ITEM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*+\]|\$", re.DOTALL)
_RUST_ANCHORS: Final = {r"\Z": r"\z", "$": r"(?=\n?\z)"}


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
    splitter = splitter_from_pattern(_rust_to_python(pattern))
    compile_pattern(splitter)
    looks_like_a_name = splitter == pattern and pattern in SPLITTERS
    return f"(?:{splitter})" if looks_like_a_name else splitter


def _rust_to_python(pattern: str) -> str:
    r"""Translate anchors: in Python, `$` also matches before a final line break, and `\z` is written `\Z`."""
    is_in_set = False

    def translate(match: re.Match[str]) -> str:
        nonlocal is_in_set
        item = match.group()
        if item in {"\\z", "$"} and not is_in_set:
            return "\\Z"
        if item in {"\\Z", "\\h", "\\H"} or (is_in_set and item in {"&&", "--", "~~"}):
            raise RecipeError(
                _("EngineError", "In a tiktoken regular expression, {item!r} has a different meaning. Remove it."),
                item=item,
            )
        if item == "]":
            is_in_set = False
        elif item.startswith("["):
            if is_in_set:
                raise RecipeError(
                    _("EngineError", "A set [ ] inside a set is not supported in a tiktoken regular expression.")
                )
            is_in_set = True
        return item

    return _RUST_ITEM.sub(translate, pattern)


@checks_arguments(FormatError)
def rust_pattern(splitter: str) -> str:
    r"""Return the regular expression for Rust that splits as a splitter does, given by name or pattern.

    >>> rust_pattern(r"[$]+|\w+$|\s+\Z")
    '[$]+|\\w+(?=\\n?\\z)|\\s+\\z'
    """
    return _PYTHON_ITEM.sub(lambda item: _RUST_ANCHORS.get(item[0], item[0]), SPLITTERS.get(splitter, splitter))
