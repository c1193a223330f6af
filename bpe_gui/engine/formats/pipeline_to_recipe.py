"""Recognise a pipeline that does exactly what a recipe does: a recipe's kernels encode several times as fast."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat
from operator import add
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.merge_recovery import count_reproducible
from bpe_gui.engine.kernels.encoding.merge_table import MAX_SYMBOLS
from bpe_gui.engine.pipeline.normalizers import BertNormalizer, Lowercase, Normalizer, StripAccents, UnicodeForm
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import ByteLevel, PreTokenizer, RecipeSplit, Split
from bpe_gui.engine.pipeline.splitter_equivalents import (
    PREFIXED_WORD_PATTERNS,
    SUFFIXED_WORD_PATTERNS,
    equivalent_splitter,
    equivalent_steps,
    keep_matches,
)
from bpe_gui.engine.runtime.checked_arguments import checks_arguments
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.printable import from_printable
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.tokenization.encoding_tables import new_merge_table
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .recipe_to_pipeline import pipeline_of_recipe

_BOUNDARIES: Final = ("prefix", "suffix", "suffix-attached", "none")

_SLICE: Final = 1 << 14  # merges that a kernel checks at a time


@checks_arguments(FormatError)
def recipe_to_replay(tokenizer: Tokenizer) -> Recipe:
    """Return the recipe whose words are those of a tokenizer, so that its merges can be replayed on a corpus.

    A pipeline that takes a word whole if that is a token has such a recipe: merges do not depend on it. Raise
    FormatError for any other pipeline that no recipe describes, and for a tokenizer without merges.
    """
    if not tokenizer.merges:
        raise FormatError(_("EngineError", "This tokenizer has no merges, so there is nothing to replay."))
    pipeline = tokenizer.pipeline
    recipe = tokenizer.recipe if pipeline is None else recipe_of(pipeline)
    if recipe is None or tokenizer.other_merges:
        if pipeline is not None and (changes := tuple(filter(None, map(_change_of_text, pipeline.normalizers)))):
            raise FormatError(
                _(
                    "EngineError",
                    "This tokenizer changes text before it splits it ({changes}). A run counts text as it is, so it "
                    "cannot replay these merges.",
                ),
                changes=changes,
            )
        raise FormatError(
            _(
                "EngineError",
                "No recipe describes how this tokenizer normalizes, splits or merges text, so it cannot be replayed.",
            )
        )
    return recipe


def _change_of_text(step: Normalizer) -> str:
    """Return the name of a step that changes letters, as no recipe does; otherwise an empty text."""
    if isinstance(step, UnicodeForm):
        return step.form
    return type(step).__name__ if isinstance(step, Lowercase | StripAccents | BertNormalizer) else ""


def recipe_of(pipeline: Pipeline) -> Recipe | None:
    """Return the recipe that encodes exactly as a pipeline does, or None.

    Its switches for training, which a pipeline does not have, are those of `tokenizers`. If the model ignores merges,
    the recipe encodes in the same way only if `merges_make_all_tokens`.
    """
    if not _are_special_tokens(pipeline):
        return None
    for boundary in ("none",) if pipeline.model.ignores_merges else _BOUNDARIES:
        recipe = _candidate(pipeline, boundary)
        with suppress(FormatError):
            if recipe is not None and _differ_only_in_splitting(pipeline_of_recipe(recipe), pipeline):
                return recipe
    return None


def _are_special_tokens(pipeline: Pipeline) -> bool:
    """Return whether the added tokens are found in a text as the special tokens of a recipe are."""
    tokens = pipeline.added_tokens
    are_plain = all(token.special and not (token.single_word or token.lstrip or token.rstrip) for token in tokens)
    normalized = {token.normalized for token in tokens}
    return are_plain and (normalized <= {False} or (len(normalized) == 1 and not pipeline.normalizers))


def _candidate(pipeline: Pipeline, boundary: str) -> Recipe | None:
    """Return the recipe with this boundary that splits as a pipeline does, or None."""
    is_bytes = pipeline.model.is_byte_level
    splits = _splits_before_bytes(pipeline.pre_tokenizers) if is_bytes else pipeline.pre_tokenizers
    splitter = _splitter(splits, boundary)
    if splitter is None:
        return None
    recipe = Recipe.of("huggingface").with_changes(splitter=splitter, boundary=boundary)
    return recipe if is_bytes else recipe.with_changes(units="characters", alphabet="sorted", token_spelling="raw")


def _splits_before_bytes(steps: tuple[PreTokenizer, ...]) -> tuple[PreTokenizer, ...] | None:
    """Return the steps that split, without the step that turns text into bytes."""
    match steps:
        case (ByteLevel(add_prefix_space=False, use_regex=True),):
            return equivalent_steps("gpt2")
        case (*splits, ByteLevel(add_prefix_space=False, use_regex=False)):
            return tuple(splits)
    return None


def _splitter(steps: tuple[PreTokenizer, ...] | None, boundary: str) -> str | None:
    patterns = {"prefix": PREFIXED_WORD_PATTERNS, "suffix": SUFFIXED_WORD_PATTERNS}.get(boundary)
    match steps:
        case () if patterns is None:
            return "none"
        case (RecipeSplit(splitter),) if patterns is None:
            return splitter
        case (Split() as split,) if patterns is None:
            return equivalent_splitter(split)
        case (Split() as split,) if patterns is not None:
            return next((name for name, pattern in patterns.items() if split == keep_matches(pattern)), None)
    return None


def _differ_only_in_splitting(recipe_pipeline: Pipeline, pipeline: Pipeline) -> bool:
    model = replace(pipeline.model, ignores_merges=False, dropout=0)
    return replace(recipe_pipeline, pre_tokenizers=()) == replace(
        pipeline, added_tokens=(), pre_tokenizers=(), model=model
    )


# -- models that ignore merges ------------------------------------------------------------------------------------


def merges_make_all_tokens(tokenizer: Tokenizer) -> bool:
    """Return whether encoding the text of any token, other than a special token, is known to give that token.

    If so, looking up words that are tokens before merging (`ignore_merges`) makes no difference. It is known if each
    merge joins two earlier tokens and makes a new one.

    >>> merges_make_all_tokens(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy"))
    True
    >>> merges_make_all_tokens(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [], recipe="cs336-toy"))
    False
    """
    special_ids = set(tokenizer.special_tokens.values())
    tokens = {token for token_id, token in tokenizer.vocab.items() if token_id not in special_ids}
    is_bytes = tokenizer.recipe.units == "bytes"
    if is_bytes and any(map(_is_printable_for_other_bytes, tokenizer.special_tokens)):
        return False  # a word of those bytes would be looked up as the special token
    units = list(filter(_is_byte if is_bytes else _is_character, tokens))
    return tokens == _reproducible_tokens(units, tokenizer.merges)


def _is_printable_for_other_bytes(token: str) -> bool:
    try:
        return from_printable(token) != token.encode()
    except KeyError:
        return False


def _is_byte(token: bytes) -> bool:
    return len(token) == 1


def _is_character(token: bytes) -> bool:
    return len(token.decode(errors="replace")) == 1


def _reproducible_tokens(units: Sequence[bytes], merges: Sequence[tuple[bytes, bytes]]) -> set[bytes] | None:
    """Return the units and the tokens that encoding their own text gives, up to the first that it does not.

    Return None if merges join unknown tokens or make known ones.
    """
    lefts, rights = [left for left, _right in merges], [right for _left, right in merges]
    made = list(map(add, lefts, rights))
    number_of = {token: number for number, token in enumerate(chain(units, made))}
    if len(number_of) < len(units) + len(made) or len(number_of) > MAX_SYMBOLS:
        return None
    left_symbols = np.fromiter(map(number_of.get, lefts, repeat(-1)), np.int64, len(made))
    right_symbols = np.fromiter(map(number_of.get, rights, repeat(-1)), np.int64, len(made))
    if np.any((left_symbols < 0) | (right_symbols < 0)):
        return None
    table, rank = new_merge_table(len(made)), 0
    while rank < len(made):
        last = min(rank + _SLICE, len(made))
        rank = count_reproducible(left_symbols, right_symbols, len(units), rank, last, table)
        if rank < last:
            break
    return {*units, *made[:rank]}
