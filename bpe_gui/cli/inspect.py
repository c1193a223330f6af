"""What `bpe-gui inspect` says of a tokenizer: what its file tells of it, and its merges as a table."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final

from bpe_gui.engine import Recipe, Tokenizer, visible
from bpe_gui.engine.formats.ranks import Words, named, unexplained
from bpe_gui.engine.pipeline import Pipeline
from bpe_gui.engine.pipeline.decoders import ByteLevelDecoder, MetaspaceDecoder, ReplaceDecoder, StripDecoder
from bpe_gui.engine.pipeline.normalizers import UnicodeForm
from bpe_gui.engine.pipeline.pre_tokenizers import Split
from bpe_gui.engine.pipeline.sentencepiece import SentencePiece, WhiteSpace

_WIDEST_COLUMN: Final = 24  # longer tokens push the rest of their row to the right
_NUMBERS: Final = ("rank", "id", "count")  # the columns that are right-aligned
_ALWAYS_TOLD: Final = ("units", "splitter", "tie_break")  # the switches that say most about a recipe
_ENCODING: Final = ("units", "splitter", "boundary")  # the switches that say how text becomes symbols
_PUBLISHED: Final = {
    ByteLevelDecoder: "ByteLevel",
    MetaspaceDecoder: "Metaspace",
    ReplaceDecoder: "Replace",
    StripDecoder: "Strip",
}
"""What steps are called in files, where it is not what they are called here."""


def facts(tokenizer: Tokenizer, format: str, *, is_guessed: bool) -> Mapping[str, str]:
    """What is known of a tokenizer from a file of that format, by heading; `is_guessed`: how it splits text is not."""
    counts = tokenizer.merge_counts
    about_text = (
        {"recipe": "not known: the file has only ranks"}
        if is_guessed
        else {"recipe": _recipe(tokenizer)}
        if tokenizer.pipeline is None
        else _steps(tokenizer, tokenizer.pipeline)
    )
    return {
        "format": format,
        **about_text,
        "vocabulary": amount(len(tokenizer.vocab), "entry", "entries"),
        "merges": f"{len(tokenizer.merges):,}" + ("" if counts is not None else " (counts are not known)"),
        **_unmerged(tokenizer),
        **({"special tokens": "not known"} if is_guessed else _whole_tokens(tokenizer)),
    }


def amount(number: int, one: str, many: str) -> str:
    """A number with the right form of its noun."""
    return f"{number:,} {one if number == 1 else many}"


# -- what is done to text ----------------------------------------------------------------------------------------------


def _recipe(tokenizer: Tokenizer) -> str:
    """A recipe in a few words. How it was trained is known where the counts are: they are kept together."""
    recipe = tokenizer.recipe
    if tokenizer.merge_counts is None:
        return _switches(recipe, _ENCODING[:2], _ENCODING)
    return f"{recipe.preset or 'custom'} ({_switches(recipe, _ALWAYS_TOLD, recipe.to_dict())})"


def _switches(recipe: Recipe, always: Iterable[str], also: Iterable[str]) -> str:
    """Some switches of a recipe, and others of them that differ from the default."""
    default = Recipe().to_dict()
    return ", ".join(
        f"{name} {value if isinstance(value, int) or value.isprintable() else repr(value)}"
        for name, value in recipe.to_dict().items()
        if name in always or (name in also and value != default[name])
    )


def _steps(tokenizer: Tokenizer, pipeline: Pipeline) -> dict[str, str]:
    """The steps around the merges, as they are called where they are published; what there is none of is left out."""
    names = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    is_published = not isinstance(pipeline, SentencePiece)  # whose cuts and decoder are ours alone
    found = {
        "normalizers": map(_name, pipeline.normalizers),
        "pre-tokenizers": map(_name, pipeline.pre_tokenizers if is_published else ()),
        "model": _model(tokenizer, pipeline),
        "decoders": map(_name, pipeline.decoders if is_published else ()),
        "ids before": (f"{visible(names[i].encode())} = {i}" if i in names else str(i) for i in pipeline.before),
        "ids after": (f"{visible(names[i].encode())} = {i}" if i in names else str(i) for i in pipeline.after),
    }
    joined = {heading: ", ".join(each) for heading, each in found.items()}
    return {heading: text for heading, text in joined.items() if text}


def _name(step: object) -> str:
    match step:
        case UnicodeForm(form):
            return form
        case Words(splitter):
            return f"Split ({splitter})" if splitter.isidentifier() else "Split"
        case Split() if step.is_regex and (known := named(step.pattern)) != step.pattern:
            return f"Split ({known})"
        case WhiteSpace():
            return ", ".join(_white_space(step)) or "none"
    return _PUBLISHED.get(type(step), type(step).__name__)


def _white_space(step: WhiteSpace) -> Iterator[str]:
    """What is set of a model of SentencePiece, by its own keys."""
    for key, is_set in (
        ("precompiled_charsmap", bool(step.charsmap.replacements)),
        ("add_dummy_prefix", step.adds_prefix),
        ("remove_extra_whitespaces", step.removes_extra),
        ("escape_whitespaces", step.escapes),
        ("treat_whitespace_as_suffix", step.is_suffix),
    ):
        if is_set:
            yield key


def _model(tokenizer: Tokenizer, pipeline: Pipeline) -> Iterator[str]:
    """What the model does beside merging, by the keys of `tokenizer.json`."""
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
    for key, affix in (("continuing_subword_prefix", model.prefix), ("end_of_word_suffix", model.suffix)):
        if affix:
            yield f"{key} {visible(affix.encode())}"


def _whole_tokens(tokenizer: Tokenizer) -> dict[str, str]:
    """The tokens that are cut out of text whole: all are special, but for some of those that a pipeline has added."""
    tokens = sorted(tokenizer.special_tokens.items(), key=lambda item: item[1])
    added = () if tokenizer.pipeline is None else tokenizer.pipeline.added_tokens
    plain = {token.id for token in added if not token.special}
    listed = [
        f"{visible(token.encode())} = {token_id}" + (" (special)" if plain and token_id not in plain else "")
        for token, token_id in tokens
    ]
    return {"added tokens" if plain else "special tokens": ", ".join(listed) or "none"}


def _unmerged(tokenizer: Tokenizer) -> dict[str, str]:
    """How many tokens no merge makes, where tokens are bytes; characters are listed in files as they come."""
    count = len(unexplained(tokenizer)) if tokenizer.recipe.units == "bytes" else 0
    if not count:
        return {}
    is_whole = tokenizer.pipeline is not None and tokenizer.pipeline.model.ignores_merges
    return {
        "unmerged": f"{amount(count, 'token', 'tokens')} that no merge makes, found only "
        + ("where that is a whole word" if is_whole else "in ids")
    }


# -- the table ---------------------------------------------------------------------------------------------------------


def merge_table(tokenizer: Tokenizer) -> Iterator[str]:
    """The merges, a line each, under a line of headings. A token that left the vocabulary has no id."""
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
    widths = [min(max(map(_width, column)), _WIDEST_COLUMN) for column in columns]
    for row in chain([headings], rows):
        cells = zip(headings, row, widths, strict=True)
        yield "  ".join(_padded(cell, width, right=heading in _NUMBERS) for heading, cell, width in cells)


def _padded(cell: str, width: int, *, right: bool) -> str:
    padding = " " * (width - _width(cell))
    return padding + cell if right else cell + padding


def _width(text: str) -> int:
    """How many columns `text` takes in a terminal: two for a Chinese character, none for a combining accent."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
