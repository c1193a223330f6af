"""Turn recipes into pipelines of the steps of Hugging Face's `tokenizers`, and such pipelines into recipes.

Units of bytes become ByteLevel. A splitter becomes a Split by its pattern; GPT-2's is part of ByteLevel.

An end-of-word marker attached to the last unit is the model's `end_of_word_suffix`. A marker that is a symbol of its
own is spelled as a space, which no word contains: before a word, it is the space of the text; after a word, a Replace
inserts one before the text is split.

Everything that encoding does not need is lost: how ties were broken, the order of the alphabet, and counts of merges.

A pipeline that does exactly what a recipe does becomes that recipe, because its kernels encode several times as fast.
"""

from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat
from operator import add
from typing import Final

import numpy as np

from bpe_gui.engine.kernels.encoding.merge_recovery import count_reproducible
from bpe_gui.engine.kernels.encoding.merge_table import MAX_SYMBOLS
from bpe_gui.engine.pipeline.added_tokens import AddedToken
from bpe_gui.engine.pipeline.decoders import BPEDecoder, ByteLevelDecoder, Fuse, ReplaceDecoder, TokenDecoder
from bpe_gui.engine.pipeline.model_options import ModelOptions
from bpe_gui.engine.pipeline.normalizers import (
    BertNormalizer,
    Lowercase,
    Normalizer,
    Replace,
    StripAccents,
    UnicodeForm,
)
from bpe_gui.engine.pipeline.pipeline import Pipeline
from bpe_gui.engine.pipeline.pre_tokenizers import (
    ByteLevel,
    PreTokenizer,
    RecipeSplit,
    Split,
    equivalent_steps,
    keep_matches,
)
from bpe_gui.engine.pipeline.published_patterns import CJK, NOT_SPACE, OTHER_LETTER_OR_DIGIT, portable_pattern
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.printable import END_OF_WORD, from_printable, to_printable, visible
from bpe_gui.engine.text.alphabet import seed_expression
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.splitters import DROPPING_SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.vocabulary.encoding_tables import new_merge_table

from .files import as_text, check_joins_no_words, spelled_ids
from .spelled_tokens import from_printable_each

# -- words with their markers --------------------------------------------------------------------------------------

_PREFIXED_WORD_PATTERNS: Final = {
    "space": r"[ ]?[^ \r\n]+",
    "whitespace": rf"[ ]?{NOT_SPACE}+",
    "zh-en": rf"[ ]?{CJK}+|[ ]?(?:{OTHER_LETTER_OR_DIGIT})+|[ ]?{NOT_SPACE}",
}
"""Patterns for a word together with the space before it, by splitter."""

_SUFFIXED_WORD_PATTERNS: Final = {
    "space": r"[^ \r\n]+ ",
    "whitespace": rf"{NOT_SPACE}+ ",
    "zh-en": rf"{CJK}+|(?:{OTHER_LETTER_OR_DIGIT})+ |{NOT_SPACE}",
}
"""Patterns for a word together with the space that was put after it, by splitter."""

_WORD_END_PATTERNS: Final = {
    "space": r"(?<=[^ \r\n])(?![^ \r\n])",
    "whitespace": rf"(?<={NOT_SPACE})(?!{NOT_SPACE})",
    "zh-en": rf"(?<=[\p{{L}}\p{{N}}])(?<!{CJK})(?!{OTHER_LETTER_OR_DIGIT})",
}
"""Patterns for the empty text after a word, where an end-of-word marker goes, by splitter."""


_MARKER: Final = END_OF_WORD.decode()
_SPACE: Final = " "
_BOUNDARIES: Final = ("prefix", "suffix", "suffix-attached", "none")
_SLICE: Final = 1 << 14  # merges that a kernel checks at a time


# -- from a recipe to a pipeline ------------------------------------------------------------------------------------


def pipeline_of(tokenizer: Tokenizer) -> Pipeline:
    """Return the pipeline that gives exactly the same ids as a tokenizer with a recipe.

    The only difference: if there is no id for unknown symbols, the tokenizer raises an error for a symbol without an
    id, and the pipeline skips it, unless a `tokenizer.json` names an unknown token that is not there. Raise FormatError
    if no pipeline gives the same ids.

    >>> pipeline_of(Tokenizer({0: b"l"}, [], recipe="cs336")).pre_tokenizers
    (ByteLevel(add_prefix_space=False, use_regex=True),)
    """
    check_joins_no_words(tokenizer.recipe)
    pipeline = pipeline_of_recipe(tokenizer.recipe)
    if tokenizer.recipe.seeds:
        pipeline = _with_seeds(pipeline, tokenizer)
    spelled_ids(tokenizer, lambda token: spell(token, tokenizer.recipe), "tokenizer.json")  # raises
    _check_merges(tokenizer)
    return replace(pipeline, added_tokens=added_tokens_of(tokenizer))


def added_tokens_of(tokenizer: Tokenizer) -> tuple[AddedToken, ...]:
    """Return the special tokens of a tokenizer as added tokens, in the order of their ids.

    >>> [token.content for token in added_tokens_of(Tokenizer({}, [], {"<b>": 1, "<a>": 0}))]
    ['<a>', '<b>']
    """
    return tuple(sorted(tokenizer.as_pipeline.added_tokens, key=lambda token: token.id))


def pipeline_of_recipe(recipe: Recipe) -> Pipeline:
    """Return the pipeline of a recipe, without added tokens. Raise FormatError if there is none."""
    match recipe.boundary:
        case "none":
            return _without_markers(recipe)
        case "suffix-attached":
            return _with_attached_markers(recipe)
        case "suffix" | "prefix":
            return _with_separate_markers(recipe)


def _without_markers(recipe: Recipe) -> Pipeline:
    """Return the pipeline of a recipe, ignoring its end-of-word markers."""
    if recipe.units == "bytes":
        return Pipeline(
            pre_tokenizers=_with_byte_level(equivalent_steps(recipe.splitter)),
            model=ModelOptions(is_byte_level=True),
            decoders=(ByteLevelDecoder(),),
        )
    return Pipeline(pre_tokenizers=equivalent_steps(recipe.splitter), decoders=(Fuse(),))


def _with_byte_level(splits: tuple[PreTokenizer, ...]) -> tuple[PreTokenizer, ...]:
    """Return pre-tokenizers that split like `splits` and turn the words into bytes."""
    if splits == equivalent_steps("gpt2"):
        return (ByteLevel(add_prefix_space=False, use_regex=True),)
    return (*splits, ByteLevel(add_prefix_space=False, use_regex=False))


def _with_seeds(pipeline: Pipeline, tokenizer: Tokenizer) -> Pipeline:
    """Return a pipeline that divides words before and after each seed, and looks up words before merging.

    Raise FormatError if some merge joins a seed, or if looking up words could give other tokens.
    """
    recipe = tokenizer.recipe
    seeds = {seed.encode() for seed in recipe.seeds}
    for left, right in tokenizer.merges:
        if left in seeds or right in seeds:
            raise FormatError(
                "tokenizer.json can represent seed tokens only if nothing merges with them, but {left!r} {right!r} "
                "does. Ban the tokens that contain a seed and more by an expression, such as .+ing|ing.+, and train "
                "again, or save as gpt2, whose training.json holds seeds for bpe-gui.",
                left=visible(left),
                right=visible(right),
            )
    is_unit = _is_byte if recipe.units == "bytes" else _is_character
    others = {i: token for i, token in tokenizer.vocab.items() if token not in seeds or is_unit(token)}
    without_seeds = recipe.with_changes(seeds=())
    if recipe.boundary != "none" or not merges_make_all_tokens(
        Tokenizer(others, tokenizer.merges, tokenizer.special_tokens, recipe=without_seeds)
    ):
        raise FormatError(
            "tokenizer.json can represent seed tokens only without end-of-word markers, and if each other token is "
            "made by the merges from its own text. Save as gpt2, whose training.json holds seeds for bpe-gui."
        )
    pattern = portable_pattern(seed_expression(recipe.seeds).pattern.decode()[1:-1])
    steps: tuple[PreTokenizer, ...] = (*equivalent_steps(recipe.splitter), Split(pattern=pattern, behavior="isolated"))
    if recipe.units == "bytes":
        steps = (*steps, ByteLevel(add_prefix_space=False, use_regex=False))
    return replace(pipeline, pre_tokenizers=steps, model=replace(pipeline.model, ignores_merges=True))


def _with_attached_markers(recipe: Recipe) -> Pipeline:
    """Return a pipeline that appends the marker to the last unit of each word. Raise FormatError for `zh-en`."""
    if recipe.splitter == "zh-en":
        raise FormatError(
            "tokenizer.json attaches an end-of-word marker to every word, but the splitter zh-en attaches one only to "
            "words of letters and digits. Choose another word boundary or splitter and train again."
        )
    pipeline = _without_markers(recipe)
    return replace(pipeline, model=replace(pipeline.model, suffix=_MARKER), decoders=_marker_decoders(recipe))


def _marker_decoders(recipe: Recipe) -> tuple[TokenDecoder, ...]:
    """Return the decoders for attached markers, which become spaces if the splitter drops the text's spaces."""
    if recipe.units == "characters":
        if recipe.drops_spaces:
            return (BPEDecoder(suffix=_MARKER),)
        return ReplaceDecoder(pattern=_MARKER, content=""), Fuse()
    if not recipe.drops_spaces:
        return ReplaceDecoder(pattern=_MARKER, content=""), ByteLevelDecoder()
    space = to_printable(_SPACE.encode())
    remove_last_space = ReplaceDecoder(pattern=r" \z", content="", is_regex=True)
    return ReplaceDecoder(pattern=_MARKER, content=space), ByteLevelDecoder(), remove_last_space


def _with_separate_markers(recipe: Recipe) -> Pipeline:
    """Return a pipeline in which markers are symbols of their own, spelled as spaces.

    Raise FormatError for units or a splitter that rule this out.
    """
    if recipe.units == "bytes":
        raise FormatError(
            "tokenizer.json cannot represent separate end-of-word markers for bytes. Set units to characters, or the "
            "word boundary to none or suffix-attached (“</w> on the last character”), and train again."
        )
    if recipe.splitter not in DROPPING_SPLITTERS:
        raise FormatError(
            "tokenizer.json spells separate end-of-word markers as spaces, so words must not contain spaces. Set the "
            "splitter to {splitters}, or the word boundary to none or suffix-attached (“</w> on the last character”), "
            "and train again.",
            splitters=" / ".join(sorted(DROPPING_SPLITTERS)),
        )
    if recipe.boundary == "prefix":
        return Pipeline(pre_tokenizers=(keep_matches(_PREFIXED_WORD_PATTERNS[recipe.splitter]),), decoders=(Fuse(),))
    return Pipeline(
        normalizers=(Replace(pattern=_WORD_END_PATTERNS[recipe.splitter], content=_SPACE, is_regex=True),),
        pre_tokenizers=(keep_matches(_SUFFIXED_WORD_PATTERNS[recipe.splitter]),),
        decoders=(BPEDecoder(suffix=_SPACE),),
    )


# -- spelling tokens ----------------------------------------------------------------------------------------------


def spell(token: bytes, recipe: Recipe) -> str:
    """Return a token as written in the pipeline's vocabulary. Raise FormatError if it is not UTF-8.

    >>> spell(b" low", Recipe.of("cs336")), spell(b"low</w>", Recipe.of("zh-en"))
    ('Ġlow', 'low ')
    """
    if recipe.units == "bytes":
        return to_printable(token)
    text = as_text(token)
    if recipe.boundary == "prefix" and text.startswith(_MARKER):
        return _SPACE + text.removeprefix(_MARKER)
    if recipe.boundary == "suffix" and text.endswith(_MARKER):
        return text.removesuffix(_MARKER) + _SPACE
    return text


def parse_spelling(text: str, recipe: Recipe) -> bytes:
    """Return the token that `spell` writes as `text`. Raise KeyError for a character that does not stand for a byte.

    >>> parse_spelling("Ġlow", Recipe.of("cs336")), parse_spelling("low ", Recipe.of("zh-en"))
    (b' low', b'low</w>')
    """
    if recipe.units == "bytes":
        return from_printable(text)
    if recipe.boundary == "prefix" and text.startswith(_SPACE):
        text = _MARKER + text.removeprefix(_SPACE)
    elif recipe.boundary == "suffix" and text.endswith(_SPACE):
        text = text.removesuffix(_SPACE) + _MARKER
    return text.encode()


def parse_spellings(texts: Sequence[str], recipe: Recipe) -> Sequence[bytes]:
    """Return `parse_spelling` of each text, several times as fast for a large vocabulary."""
    return from_printable_each(texts) if recipe.units == "bytes" else [parse_spelling(text, recipe) for text in texts]


# -- checks -------------------------------------------------------------------------------------------------------


def _check_merges(tokenizer: Tokenizer) -> None:
    """Raise FormatError for a merge that `tokenizers` would refuse or apply differently."""
    recipe, special_ids = tokenizer.recipe, set(tokenizer.special_tokens.values())
    vocabulary = {token for token_id, token in tokenizer.vocab.items() if token_id not in special_ids}
    unknown = None if tokenizer.unknown_id is None else tokenizer.vocab.get(tokenizer.unknown_id)
    seen: set[tuple[bytes, bytes]] = set()
    for rank, (left, right) in enumerate(tokenizer.merges):
        _check_has_tokens(vocabulary, left, right, rank)
        if (
            (left, right) in seen
            or unknown in (left, right)
            or spell(left, recipe) + spell(right, recipe) != spell(left + right, recipe)
        ):
            raise FormatError(
                "tokenizer.json cannot represent the merge {left!r} {right!r} (rank {rank}): it occurs twice, joins "
                "the token for unknown symbols, or creates an end-of-word marker from text.",
                left=left,
                right=right,
                rank=rank,
            )
        seen.add((left, right))


def _check_has_tokens(vocabulary: Container[bytes], left: bytes, right: bytes, rank: int) -> None:
    """Raise FormatError if a merge joins or makes a token that is not in the vocabulary."""
    for token in (left, right, left + right):
        if token not in vocabulary:
            raise FormatError(
                "tokenizer.json cannot represent the merge {left!r} {right!r} (rank {rank}), because the token "
                "{token!r} is not in the vocabulary. Set the vocabulary to grow (“Only grows”) and train again.",
                left=left,
                right=right,
                rank=rank,
                token=token,
            )


# -- from a pipeline to a recipe ------------------------------------------------------------------------------------


def recipe_to_replay(tokenizer: Tokenizer) -> Recipe:
    """Return the recipe with the same words as a tokenizer, so that its merges can be replayed on a corpus.

    A pipeline may look up whole words before merging, and add ids to each text, since neither affects merges. Raise
    FormatError for any other pipeline that no recipe describes, and for a tokenizer without merges.
    """
    if not tokenizer.merges:
        raise FormatError("This tokenizer has no merges, so there is nothing to replay.")
    pipeline = tokenizer.pipeline
    recipe = tokenizer.recipe if pipeline is None else recipe_of(replace(pipeline, ids_before=(), ids_after=()))
    if recipe is None or tokenizer.other_merges:
        if changes := tuple(filter(None, map(_change_of_text, tokenizer.as_pipeline.normalizers))):
            raise FormatError(
                "This tokenizer changes text before it splits it ({changes}). A run counts text as it is, so it cannot "
                "replay these merges.",
                changes=changes,
            )
        raise FormatError(
            "No recipe describes how this tokenizer normalizes, splits or merges text, so it cannot be replayed."
        )
    return recipe


def _change_of_text(step: Normalizer) -> str:
    """Return the name of a step if it changes letters, which no recipe does; otherwise an empty text."""
    if isinstance(step, UnicodeForm):
        return step.form
    return type(step).__name__ if isinstance(step, Lowercase | StripAccents | BertNormalizer) else ""


def recipe_of(pipeline: Pipeline) -> Recipe | None:
    """Return the recipe that encodes exactly like a pipeline, or None.

    A pipeline has no switches for training, so the recipe gets those of `tokenizers`. If the model ignores merges, the
    recipe encodes in the same way only if `merges_make_all_tokens`.
    """
    tokens = pipeline.added_tokens
    if any(not token.special or token.single_word or token.lstrip or token.rstrip for token in tokens):
        return None  # a recipe finds its special tokens in a text in another way
    normalized = {token.normalized for token in tokens}
    if normalized == {True, False} or (normalized == {True} and pipeline.normalizers):
        return None
    # A recipe may split in other steps, and it neither ignores merges nor drops any.
    model = replace(pipeline.model, ignores_merges=False, dropout=0)
    wanted = replace(pipeline, added_tokens=(), pre_tokenizers=(), model=model)
    for boundary in ("none",) if pipeline.model.ignores_merges else _BOUNDARIES:
        recipe = _candidate(pipeline, boundary)
        with suppress(FormatError):
            if recipe is not None and replace(pipeline_of_recipe(recipe), pre_tokenizers=()) == wanted:
                return recipe
    return None


def _candidate(pipeline: Pipeline, boundary: str) -> Recipe | None:
    """Return the recipe with this boundary that splits like a pipeline, or None."""
    is_bytes = pipeline.model.is_byte_level
    splits = splits_before_bytes(pipeline.pre_tokenizers) if is_bytes else pipeline.pre_tokenizers
    splitter = _splitter(splits, boundary)
    if splitter is None:
        return None
    recipe = Recipe.of("huggingface").with_changes(splitter=splitter, boundary=boundary)
    return recipe if is_bytes else recipe.with_changes(units="characters", alphabet="sorted", token_spelling="raw")


def splits_before_bytes(steps: tuple[PreTokenizer, ...]) -> tuple[PreTokenizer, ...] | None:
    """Return the steps that split, without the step that turns text into bytes."""
    match steps:
        case (ByteLevel(add_prefix_space=False, use_regex=True),):
            return equivalent_steps("gpt2")
        case (*splits, ByteLevel(add_prefix_space=False, use_regex=False)):
            return tuple(splits)
    return None


def _splitter(steps: tuple[PreTokenizer, ...] | None, boundary: str) -> str | None:
    patterns = {"prefix": _PREFIXED_WORD_PATTERNS, "suffix": _SUFFIXED_WORD_PATTERNS}.get(boundary)
    match steps:
        case () if patterns is None:
            return "none"
        case (RecipeSplit(splitter),) if patterns is None:
            return splitter
        case (Split() as split,) if patterns is None:
            return split.equivalent_splitter
        case (Split() as split,) if patterns is not None:
            return next((name for name, pattern in patterns.items() if split == keep_matches(pattern)), None)
    return None


# -- models that ignore merges ------------------------------------------------------------------------------------


def merges_make_all_tokens(tokenizer: Tokenizer) -> bool:
    """Return whether we know that encoding the text of any non-special token gives that token.

    If so, looking up words before merging (`ignore_merges`) makes no difference. We know it if each merge joins two
    earlier tokens and makes a new one.

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
    """Return the units, and the tokens up to the first that encoding its own text does not give.

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
