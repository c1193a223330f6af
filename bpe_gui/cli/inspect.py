"""`bpe-gui inspect`: list facts about a saved tokenizer, and its merges as a table."""

import argparse
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from bpe_gui.engine import Recipe, Tokenizer, visible
from bpe_gui.engine.formats import splitter_from_pattern, unmerged_tokens
from bpe_gui.engine.pipeline import (
    ByteLevelDecoder,
    ByteLevelNormalizer,
    CTCDecoder,
    MetaspaceDecoder,
    Pipeline,
    RecipeSplit,
    ReplaceDecoder,
    SentencePieceNormalizer,
    SentencePiecePipeline,
    Split,
    StripDecoder,
    UnicodeForm,
    WordPieceDecoder,
)

from .streams import output_stream, quantity
from .tokenizer_files import open_tokenizer

_MAX_COLUMN_WIDTH: Final = 24  # a longer token pushes the rest of its row to the right
_RIGHT_ALIGNED: Final = ("rank", "id", "count")
_ALWAYS_SHOWN: Final = ("units", "splitter", "tie_break")  # the switches that say the most about a recipe
_FOR_ENCODING: Final = ("units", "splitter", "boundary", "seeds")  # the switches by which text becomes symbols
_STEP_NAMES: Final = {
    ByteLevelDecoder: "ByteLevel",
    ByteLevelNormalizer: "ByteLevel",
    CTCDecoder: "CTC",
    MetaspaceDecoder: "Metaspace",
    ReplaceDecoder: "Replace",
    StripDecoder: "Strip",
    WordPieceDecoder: "WordPiece",
}
"""The names of steps in files, if they differ from those of our classes."""


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    tokenizer, format, is_guessed, _uses_options = open_tokenizer(arguments)
    output = output_stream()
    for heading, fact in _facts(tokenizer, format, is_guessed=is_guessed).items():
        output.write(f"{heading + ':':<16}{fact}\n".encode())
    if tokenizer.merges:
        output.write(b"\n")
        for line in _merge_table(tokenizer):
            output.write(line.encode() + b"\n")
    return 0


# -- facts -------------------------------------------------------------------------------------------------------------


def _facts(tokenizer: Tokenizer, format: str, *, is_guessed: bool) -> Mapping[str, str]:
    """Return what is known about a tokenizer from a file of `format`, by heading.

    `is_guessed`: the file does not say how text is split, so this leaves it out.
    """
    counts = tokenizer.merge_counts
    preprocessing = (
        {"recipe": "unknown (the file contains only ranks)"}
        if is_guessed
        else {"recipe": _recipe(tokenizer)}
        if tokenizer.pipeline is None
        else _steps(tokenizer, tokenizer.pipeline)
    )
    return {
        "format": format,
        **preprocessing,
        "vocabulary": quantity(len(tokenizer.vocab), "entry", "entries"),
        "merges": f"{len(tokenizer.merges):,}" + ("" if counts is not None else " (counts unknown)"),
        **_unmerged(tokenizer),
        **({"special tokens": "unknown"} if is_guessed else _added_tokens(tokenizer)),
    }


def _recipe(tokenizer: Tokenizer) -> str:
    """Return the recipe in a few words. If counts are known, so is the training: files store both or neither."""
    recipe = tokenizer.recipe
    if tokenizer.merge_counts is None:
        return _switches(recipe, _FOR_ENCODING[:2], _FOR_ENCODING)
    return f"{recipe.preset or 'custom'} ({_switches(recipe, _ALWAYS_SHOWN, recipe.to_dict())})"


def _switches(recipe: Recipe, always: Iterable[str], if_not_default: Iterable[str]) -> str:
    """Return the switches named in `always`, and others of `if_not_default` that differ from the default."""
    default = Recipe().to_dict()
    return ", ".join(
        f"{name} {value if str(value).isprintable() else repr(value)}"
        for name, value in recipe.to_dict().items()
        if name in always or (name in if_not_default and value != default.get(name))
    )


def _steps(tokenizer: Tokenizer, pipeline: Pipeline) -> dict[str, str]:
    """Return the steps around the merges by their published names, without empty headings."""
    tokens = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    # SentencePiece has no pre-tokenizers or decoders; those of its pipeline are our own.
    has_published_steps = not isinstance(pipeline, SentencePiecePipeline)
    steps = {
        "normalizers": map(_step_name, pipeline.normalizers),
        "pre-tokenizers": map(_step_name, pipeline.pre_tokenizers if has_published_steps else ()),
        "model": _model_options(tokenizer, pipeline),
        "decoders": map(_step_name, pipeline.decoders if has_published_steps else ()),
        "ids before": (f"{visible(tokens[i].encode())} = {i}" if i in tokens else str(i) for i in pipeline.ids_before),
        "ids after": (f"{visible(tokens[i].encode())} = {i}" if i in tokens else str(i) for i in pipeline.ids_after),
    }
    joined = {heading: ", ".join(names) for heading, names in steps.items()}
    return {heading: names for heading, names in joined.items() if names}


def _step_name(step: object) -> str:
    match step:
        case UnicodeForm(form):
            return form
        case RecipeSplit(splitter):
            return f"Split ({splitter})" if splitter.isidentifier() else "Split"
        case Split() if step.is_regex and (known := splitter_from_pattern(step.pattern)) != step.pattern:
            return f"Split ({known})"
        case SentencePieceNormalizer():
            return ", ".join(_sentencepiece_options(step)) or "none"
    return _STEP_NAMES.get(type(step), type(step).__name__)


def _sentencepiece_options(step: SentencePieceNormalizer) -> Iterator[str]:
    """Yield the options that are set, by their keys in a SentencePiece model."""
    for key, is_set in (
        ("precompiled_charsmap", bool(step.character_map.replacements)),
        ("add_dummy_prefix", step.adds_dummy_prefix),
        ("remove_extra_whitespaces", step.removes_extra_whitespaces),
        ("escape_whitespaces", step.escapes_whitespaces),
        ("treat_whitespace_as_suffix", step.treats_whitespace_as_suffix),
    ):
        if is_set:
            yield key


def _model_options(tokenizer: Tokenizer, pipeline: Pipeline) -> Iterator[str]:
    """Yield the options of the model that are set, by their keys in `tokenizer.json`."""
    model = pipeline.model
    yield "BPE"
    if tokenizer.unknown_id is not None:
        yield f"unk_token {visible(tokenizer.token(tokenizer.unknown_id))}"
    for key, is_set in (
        ("fuse_unk", model.fuses_unknown and tokenizer.unknown_id is not None),
        ("byte_fallback", model.falls_back_to_bytes),
        ("ignore_merges", model.ignores_merges),
    ):
        if is_set:
            yield key
    if model.dropout:
        yield f"dropout {model.dropout:g} (not applied)"
    for key, affix in (("continuing_subword_prefix", model.prefix), ("end_of_word_suffix", model.suffix)):
        if affix:
            yield f"{key} {visible(affix.encode())}"


def _added_tokens(tokenizer: Tokenizer) -> dict[str, str]:
    """Return the added tokens. They are all special unless a pipeline has others."""
    tokens = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    added = () if tokenizer.pipeline is None else tokenizer.pipeline.added_tokens
    plain = {token.id for token in added if not token.special}
    listed = [
        f"{visible(token.encode())} = {token_id}" + (" (special)" if plain and token_id not in plain else "")
        for token, token_id in tokens
    ]
    return {"added tokens" if plain else "special tokens": ", ".join(listed) or "none"}


def _unmerged(tokenizer: Tokenizer) -> dict[str, str]:
    """Return how many tokens no merge makes, if tokens are bytes; files list every character that occurred."""
    count = len(unmerged_tokens(tokenizer)) if tokenizer.recipe.units == "bytes" else 0
    if not count:
        return {}
    are_words = tokenizer.pipeline is not None and tokenizer.pipeline.model.ignores_merges
    return {
        "unmerged": f"{quantity(count, 'token', 'tokens')} that no merge creates, used only "
        + ("for whole words" if are_words else "for decoding")
    }


# -- table -------------------------------------------------------------------------------------------------------------


def _merge_table(tokenizer: Tokenizer) -> Iterator[str]:
    """Yield a line of headings and a line for each merge. A token removed from the vocabulary has no id."""
    special = set(tokenizer.special_tokens.values())
    ids = {token: token_id for token_id, token in tokenizer.vocab.items() if token_id not in special}
    counts = tokenizer.merge_counts
    prefix = len(tokenizer.pipeline.model.prefix.encode()) if tokenizer.pipeline else 0
    rows = [
        (
            str(rank),
            visible(left),
            visible(right),
            visible(token),
            str(ids.get(token, "-")),
            str(counts[rank]) if counts else "-",
        )
        for rank, (left, right) in enumerate(tokenizer.merges)
        for token in (left + right[prefix:],)
    ]
    headings = ("rank", "left", "right", "token", "id", "count")
    columns = zip(headings, *rows, strict=True)
    widths = [min(max(map(_width, column)), _MAX_COLUMN_WIDTH) for column in columns]
    for row in chain([headings], rows):
        cells = zip(headings, row, widths, strict=True)
        yield "  ".join(_pad(cell, width, right=heading in _RIGHT_ALIGNED) for heading, cell, width in cells)


def _pad(cell: str, width: int, *, right: bool) -> str:
    padding = " " * (width - _width(cell))
    return padding + cell if right else cell + padding


def _width(text: str) -> int:
    """Return how many columns `text` takes in a terminal: two for a Chinese character, none for a combining accent."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
