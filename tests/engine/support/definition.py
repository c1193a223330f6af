"""The definition of encoding, written without regard to speed: the oracle for the encoder.

Special tokens are found first, from left to right, the longest at each position. The splitter's pattern splits the text
between them into words. In each word, the pair of the lowest rank is merged, the leftmost first, until no pair can be
merged. If a recipe joins words from a merge on, only earlier merges apply to words, and later ones to neighbouring
words that have become one token each.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import regex

from bpe_gui.engine import SPLITTERS, Recipe, Tokenizer
from bpe_gui.engine.text.alphabet import marker_of, symbols_of
from bpe_gui.engine.text.phrases import JOINING
from tests.engine.support.stand_ins import with_stand_ins

Part = tuple[str, int, bool]
"""A word or special token, its byte offset, and whether it is a special token."""

Token = tuple[int, int, int]
"""An id, and the start and stop of the bytes that the token covers."""


def tokens_of(tokenizer: Tokenizer, text: str, unknown_id: int = -1) -> list[Token]:
    """Return the tokens of `text`, with `unknown_id` for symbols without an id."""
    recipe, specials = tokenizer.recipe, tokenizer.special_tokens
    vocab = dict(tokenizer.vocab)
    for token, token_id in specials.items():
        del vocab[token_id], token
    ids = {token: token_id for token_id, token in vocab.items()}
    ranks: dict[tuple[bytes, bytes], int] = {}
    for rank, pair in enumerate(tokenizer.merges):
        ranks.setdefault(pair, rank)
    start = recipe.superwords_from or len(tokenizer.merges)
    of_words = {pair: rank for pair, rank in ranks.items() if rank < start}
    of_phrases = {pair: rank for pair, rank in ranks.items() if rank >= start}
    found: list[Token] = []
    phrase: list[bytes] = []
    first = 0  # the byte at which the phrase begins

    def end_phrase() -> None:
        at = first
        for symbol, size in merged(phrase, list(map(len, phrase)), of_phrases):
            found.append((ids[symbol], at, at + size))
            at += size
        phrase.clear()

    for part, at, is_special in parts_of(text, recipe, specials):
        symbols = [] if is_special else merged(symbols_of(part, recipe), _sizes(part, recipe), of_words)
        joins = of_phrases and len(symbols) == 1 and symbols[0][0] in ids and regex.fullmatch(JOINING, part)
        if not joins or at != first + sum(map(len, phrase)):
            end_phrase()
            first = at
        if joins:
            phrase.append(symbols[0][0])
            continue
        if is_special:
            found.append((specials[part], at, at + len(part.encode())))
        for symbol, size in symbols:
            found.append((ids.get(symbol, unknown_id), at, at + size))
            at += size
    end_phrase()
    return found


def ids_of(tokenizer: Tokenizer, text: str, unknown_id: int = -1) -> list[int]:
    """Return the ids of `text`."""
    return [token_id for token_id, _start, _stop in tokens_of(tokenizer, text, unknown_id)]


def parts_of(text: str, recipe: Recipe, specials: Collection[str]) -> list[Part]:
    """Return the words and special tokens of `text`. With the boundary `prefix`, a word has the space before it."""
    found: list[Part] = []
    begin = at = 0
    while at < len(text):
        special = max((token for token in specials if text.startswith(token, at)), key=len, default="")
        if special:
            found += [*_words(text[begin:at], begin, recipe), (special, at, True)]
            begin = at + len(special)
        at += len(special) or 1
    found += _words(text[begin:], begin, recipe)
    return [(part, len(text[:start].encode()), is_special) for part, start, is_special in found]


def _words(text: str, begin: int, recipe: Recipe) -> Iterator[Part]:
    stop = 0
    for match in regex.finditer(SPLITTERS.get(recipe.splitter, recipe.splitter), with_stand_ins(text)):
        if match.group():
            start = match.start()
            if recipe.boundary == "prefix" and start > stop and text[start - 1] == " ":
                start -= 1
            stop = match.end()
            yield text[start:stop], begin + start, False


def _sizes(word: str, recipe: Recipe) -> list[int]:
    """Return how many bytes of the text each initial symbol of `word` stands for."""
    units = [len(character.encode()) for character in word]
    sizes = units if recipe.units == "characters" else [1] * sum(units)
    return [*sizes, 0] if marker_of(word, recipe) == "suffix" else sizes


def merged(symbols: list[bytes], sizes: list[int], ranks: Mapping[tuple[bytes, bytes], int]) -> list[tuple[bytes, int]]:
    """Return the symbols after all merges, each with the number of bytes that it stands for."""
    word = list(zip(symbols, sizes, strict=True))
    while True:
        found = [
            (rank, index)
            for index, ((left, _), (right, _)) in enumerate(pairwise(word))
            if (rank := ranks.get((left, right))) is not None
        ]
        if not found:
            return word
        _rank, index = min(found)
        (left, size), (right, other) = word[index : index + 2]
        word[index : index + 2] = [(left + right, size + other)]
