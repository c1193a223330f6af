"""Say what the steps of a tokenizer are, by the names and keys that they have in files."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from bpe_gui.engine import (
    SPLITTERS,
    ByteLevel,
    ByteLevelNormalizer,
    RecipeSplit,
    SentencePieceNormalizer,
    Split,
    UnicodeForm,
    visible,
)
from bpe_gui.engine.formats.ranks import splitter_from_pattern
from bpe_gui.engine.pipeline import decoders

_STEP_NAMES: Final = {
    decoders.ByteLevelDecoder: "ByteLevel",
    ByteLevelNormalizer: "ByteLevel",
    decoders.CTCDecoder: "CTC",
    decoders.MetaspaceDecoder: "Metaspace",
    decoders.ReplaceDecoder: "Replace",
    decoders.StripDecoder: "Strip",
    decoders.WordPieceDecoder: "WordPiece",
}
"""The names of steps in files, if they differ from those of our classes."""

_NUMBERED: Final = re.compile("(.*?)([0-9]{1,9})([^0-9]*)", re.DOTALL)
_LEAST_FOLDED: Final = 3  # tokens of a run of numbered names that become one item
_MAX_LISTED: Final = 16  # items of a list of tokens


def step_name(step: object) -> str:
    """Return the published name of a step."""
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


def step_details(step: object) -> str:
    """Return a step's expression and its other values, if they are not the usual ones; often there are none."""
    match step:
        case UnicodeForm() | SentencePieceNormalizer():
            return ""  # its name says it
        case RecipeSplit(splitter):
            return quoted(SPLITTERS.get(splitter, splitter))
        case ByteLevel(use_regex=True):
            return ", ".join([*_values(step), quoted(SPLITTERS["gpt2"])])
    return ", ".join(_values(step))


def _values(step: object) -> Iterator[str]:
    for each in fields(step) if is_dataclass(step) else ():
        value, usual = getattr(step, each.name), False if each.default is MISSING else each.default
        match value:
            case _ if value == usual:
                continue
            case bool():
                yield each.name if value else f"not {each.name}"
            case str():
                yield f"{each.name} {value if value.isidentifier() else quoted(value)}"
            case int() | float():
                yield f"{each.name} {value}"


def quoted(text: str) -> str:
    """Return a text, such as an expression, in quotation marks and on one line."""
    return f"“{text if text.isprintable() else repr(text)[1:-1]}”"


def token_with_id(token_id: int, token: str) -> str:
    """Return a token with its id."""
    return f"{visible(token.encode())} = {token_id}"


class ListedToken(NamedTuple):
    """A token in a list, with its id and what is said of it."""

    id: int
    token: str
    note: str = ""


def listed_tokens(tokens: Iterable[ListedToken], *, with_ids: bool = True) -> str:
    """Return the first tokens in the order of their ids, and how many more there are.

    Names whose numbers follow one another, like the ids, are one item: the first and the last, and how many there are.

    >>> listed_tokens(ListedToken(9 + n, f"<r{n}>") for n in range(248))
    '<r0> … <r247> (248) = 9 … 256'
    >>> listed_tokens([ListedToken(2, "<s1>"), ListedToken(1, "<s0>", "special")])
    '<s0> = 1 (special), <s1> = 2'
    """
    runs: list[list[ListedToken]] = []
    for each in sorted(tokens):
        if runs and _goes_on(runs[-1], each):
            runs[-1].append(each)
        else:
            runs.append([each])
    items = [part for run in runs for part in ([run] if len(run) >= _LEAST_FOLDED else [[each] for each in run])]
    shown = [_item(run, with_ids=with_ids) for run in items[:_MAX_LISTED]]
    more = sum(map(len, items[_MAX_LISTED:]))
    return ", ".join([*shown, f"… {more:,} more"] if more else shown) or "none"


def _goes_on(run: Sequence[ListedToken], token: ListedToken) -> bool:
    """Return whether a token follows those of a run by its id and by the number in its name, up or down."""
    if token.id != run[-1].id + 1 or token.note != run[-1].note:
        return False
    found = [_NUMBERED.fullmatch(each.token) for each in (*run[-2:], token)]
    parts = [each.group(1, 3) if each else None for each in found]
    if None in parts or len(set(parts)) > 1:
        return False
    numbers = [int(each[2]) for each in found if each]
    return {later - earlier for earlier, later in pairwise(numbers)} in ({1}, {-1})


def _item(run: Sequence[ListedToken], *, with_ids: bool) -> str:
    first, last = run[0], run[-1]
    names, ids = visible(first.token.encode()), str(first.id)
    if len(run) > 1:
        names += f" … {visible(last.token.encode())} ({len(run):,})"
        ids += f" … {last.id}"
    return names + f" = {ids}" * with_ids + (f" ({first.note})" if first.note else "")
