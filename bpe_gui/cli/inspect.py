"""`bpe-gui inspect`: list facts about a saved tokenizer, and its merges as a table."""

import argparse
import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from bpe_gui.engine import SPLITTERS, Pipeline, Recipe, SentencePiecePipeline, Tokenizer, visible
from bpe_gui.engine.formats.ranks import unmerged_tokens
from bpe_gui.engine.tokenization.config import CHAT_TEMPLATE, ROLES, TokenizerConfig

from .arguments import IDS_SUFFIXES
from .steps import ListedToken, listed_tokens, quoted, step_details, step_name, token_with_id
from .streams import quantity, write_lines
from .tokenizer_files import open_tokenizer

_MAX_COLUMN_WIDTH: Final = 24  # a longer token pushes the rest of its row to the right
_MAX_VALUE: Final = 60  # characters of a key's value
_RIGHT_ALIGNED: Final = ("rank", "id", "count")
_ALWAYS_SHOWN: Final = ("units", "splitter", "tie_break")  # the switches that say the most about a recipe
_FOR_ENCODING: Final = ("units", "splitter", "boundary", "seeds")  # the switches by which text becomes symbols
_PRE: Final = "tokenizer.ggml.pre"
"""The key by which a GGUF names how text is split."""


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    if arguments.tokenizer.suffix.lower() in IDS_SUFFIXES and arguments.tokenizer.is_file():
        from . import dataset

        write_lines(map(_fact_line, dataset.facts(arguments.tokenizer)), "surrogateescape")
        return 0
    opened = open_tokenizer(arguments)
    write_lines(map(_fact_line, _facts(opened.tokenizer, opened.format, is_guessed=opened.is_guessed)), "strict")
    if opened.tokenizer.merges:
        write_lines(chain([""], _merge_table(opened.tokenizer)), "strict")
    return 0


def _fact_line(fact: tuple[str, str]) -> str:
    return f"{fact[0] + ':':<16}{fact[1]}"


# -- facts -------------------------------------------------------------------------------------------------------------


def _facts(tokenizer: Tokenizer, format: str, *, is_guessed: bool) -> Iterator[tuple[str, str]]:
    """Yield what is known about a tokenizer from a file of `format`, each with a heading.

    `is_guessed`: the file does not say how text is split, so this leaves it out.
    """
    counts = tokenizer.merge_counts
    yield "format", format
    if is_guessed:
        yield "recipe", "unknown (the file contains only ranks)"
    elif tokenizer.pipeline is None:
        yield "recipe", _recipe(tokenizer)
        if (splitter := tokenizer.recipe.splitter) in SPLITTERS:
            yield "  splitter", quoted(SPLITTERS[splitter])
    else:
        yield from _steps(tokenizer, tokenizer.pipeline)
    yield "vocabulary", quantity(len(tokenizer.vocab), "entry", "entries")
    yield "merges", f"{len(tokenizer.merges):,}" + ("" if counts is not None else " (counts unknown)")
    # If tokens are not bytes, files list every character that occurred, and no merge makes those either.
    unmerged = len(unmerged_tokens(tokenizer)) if tokenizer.recipe.units == "bytes" else 0
    if unmerged:
        are_words = tokenizer.pipeline is not None and tokenizer.pipeline.model.ignores_merges
        use = "for whole words" if are_words else "for decoding"
        yield "unmerged", f"{quantity(unmerged, 'token', 'tokens')} that no merge creates, used only {use}"
    yield from [("special tokens", "unknown")] if is_guessed else _added_tokens(tokenizer)
    yield from _config(tokenizer.config)
    yield from (("note", str(note)) for note in tokenizer.notes)


def _config(config: TokenizerConfig) -> Iterator[tuple[str, str]]:
    """Yield what the files beside a tokenizer say, which is kept though no id depends on it."""
    values = dict(config.values)
    if pre := values.pop(_PRE, None):
        yield "pre", str(pre)
    others = sorted(item for item in values.items() if item[0] not in (*ROLES, CHAT_TEMPLATE))
    templates = sorted(config.chat_templates.items())
    sizes = ((name, quantity(len(text), "character", "characters")) for name, text in templates)
    yield from _listed("roles", (f"{role} {visible(token.encode())}" for role, token in config.roles.items()))
    yield from _listed("chat templates", (f"{name} ({size})" for name, size in sizes))
    yield from _listed("other keys", (f"{key} {_shortened(json.dumps(value))}" for key, value in others))
    yield from _listed("other files", config.files)


def _listed(heading: str, items: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield a heading with items, if there are any."""
    if listed := ", ".join(items):
        yield heading, listed


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_VALUE else text[:_MAX_VALUE] + "…"


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


def _steps(tokenizer: Tokenizer, pipeline: Pipeline) -> Iterator[tuple[str, str]]:
    """Yield the steps around the merges by their published names, each with its expression; nothing for no step."""
    # SentencePiece has no pre-tokenizers or decoders; those of its pipeline are our own.
    has_published_steps = not isinstance(pipeline, SentencePiecePipeline)
    yield from _named_steps("normalizers", pipeline.normalizers)
    yield from _named_steps("pre-tokenizers", pipeline.pre_tokenizers if has_published_steps else ())
    yield from _listed("model", _model_options(tokenizer, pipeline))
    yield from _named_steps("decoders", pipeline.decoders if has_published_steps else ())
    tokens = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    for heading, ids in (("ids before", pipeline.ids_before), ("ids after", pipeline.ids_after)):
        yield from _listed(heading, (token_with_id(i, tokens[i]) if i in tokens else str(i) for i in ids))


def _named_steps(heading: str, steps: Sequence[object]) -> Iterator[tuple[str, str]]:
    """Yield the names of steps, and then the expression and the options of each that has any."""
    yield from _listed(heading, map(step_name, steps))
    for step in steps:
        yield from _listed(f"  {step_name(step).partition(' ')[0]}", filter(None, [step_details(step)]))


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


def _added_tokens(tokenizer: Tokenizer) -> Iterator[tuple[str, str]]:
    """Yield the first added tokens. They are all special unless a pipeline has others."""
    added = () if tokenizer.pipeline is None else tokenizer.pipeline.added_tokens
    plain = {token.id for token in added if not token.special}
    yield (
        "added tokens" if plain else "special tokens",
        listed_tokens(
            ListedToken(token_id, token, "special" if plain and token_id not in plain else "")
            for token, token_id in tokenizer.special_tokens.items()
        ),
    )


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
        cells = []
        for heading, cell, width in zip(headings, row, widths, strict=True):
            padding = " " * (width - _width(cell))
            cells.append(padding + cell if heading in _RIGHT_ALIGNED else cell + padding)
        yield "  ".join(cells)


def _width(text: str) -> int:
    """Return how many columns `text` takes in a terminal: two for a Chinese character, none for a combining accent."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
