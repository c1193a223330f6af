"""The initial symbols of words, including end-of-word markers, and the alphabet that they form."""

import re
from functools import lru_cache

from bpe_gui.engine.runtime.printable import END_OF_WORD, PRINTABLE_ORDER

from .recipe import Boundary, Recipe
from .splitters import takes_suffix


def symbols_of(word: str, recipe: Recipe) -> list[bytes]:
    """Return the symbols of `word` before any merge, each as its UTF-8 bytes.

    >>> symbols_of("low", Recipe.of("char-eow"))
    [b'l', b'o', b'w', b'</w>']
    >>> symbols_of(" low", Recipe.of("worked-example"))
    [b'</w>', b'l', b'o', b'w']
    """
    marker = marker_of(word, recipe)
    if marker == "prefix":
        return [END_OF_WORD, *_units(word[1:], recipe)]
    units = _units(word, recipe)
    if marker == "suffix":
        units.append(END_OF_WORD)
    elif marker == "suffix-attached":
        units[-1] += END_OF_WORD
    return units


def marker_of(word: str, recipe: Recipe) -> Boundary:
    """Return the recipe's boundary if `word` gets a marker, else `none`.

    >>> marker_of("low", Recipe.of("char-eow")), marker_of("low", Recipe.of("worked-example"))
    ('suffix', 'none')
    """
    if recipe.boundary == "prefix":
        return "prefix" if word.startswith(" ") else "none"
    if recipe.boundary != "none" and takes_suffix(recipe.splitter, word):
        return recipe.boundary
    return "none"


def _units(text: str, recipe: Recipe) -> list[bytes]:
    if not recipe.seeds:
        return _plain_units(text, recipe)
    units: list[bytes] = []
    for index, part in enumerate(seed_expression(recipe.seeds).split(text.encode())):
        units.extend([part] if index % 2 else _plain_units(part.decode(), recipe))
    return units


@lru_cache(maxsize=16)
def seed_expression(seeds: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return an expression whose only group is the seed that matches in UTF-8; of several, the longest."""
    longest_first = sorted((seed.encode() for seed in seeds), key=len, reverse=True)
    return re.compile(b"(" + b"|".join(map(re.escape, longest_first)) + b")")


def _plain_units(text: str, recipe: Recipe) -> list[bytes]:
    if recipe.units == "characters":
        return [character.encode() for character in text]
    return [bytes((byte,)) for byte in text.encode()]


def order_alphabet(symbols: set[bytes], recipe: Recipe) -> tuple[list[bytes], int]:
    """Return the initial symbols in the order of their ids, and how many of them precede the special tokens.

    The fixed symbols come first: all bytes with their end-of-word markers, so that any text can be encoded, or `chr(0)`
    to `chr(255)`. Special tokens follow these, or all symbols if the recipe has no fixed ones.

    >>> order_alphabet(set(symbols_of("low", Recipe.of("char-eow"))), Recipe.of("char-eow"))
    ([b'</w>', b'l', b'o', b'w'], 4)
    """
    fixed = _fixed_alphabet(recipe)
    others = sorted((symbols | seed_symbols(recipe)).difference(fixed))
    return fixed + others, len(fixed) or len(others)


def seed_symbols(recipe: Recipe) -> set[bytes]:
    """Return the seeds as symbols, with and without an attached end-of-word marker."""
    seeds = {seed.encode() for seed in recipe.seeds}
    return seeds | {seed + END_OF_WORD for seed in seeds} if recipe.boundary == "suffix-attached" else seeds


def _fixed_alphabet(recipe: Recipe) -> list[bytes]:
    if recipe.alphabet == "latin-1":
        return [chr(code).encode() for code in range(256)]
    if recipe.units == "characters":
        return []
    order = PRINTABLE_ORDER if recipe.alphabet == "gpt2-printable" else range(256)
    single = [bytes((byte,)) for byte in order]
    match recipe.boundary:
        case "none":
            return single
        case "suffix" | "prefix":
            return [*single, END_OF_WORD]
        case "suffix-attached":
            return single + [byte + END_OF_WORD for byte in single]


def is_written_printable(recipe: Recipe) -> bool:
    """Return whether files write tokens in GPT-2's printable characters, rather than as plain text."""
    return recipe.units == "bytes" or recipe.token_spelling == "gpt2-printable"
