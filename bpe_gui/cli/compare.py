"""`bpe-gui compare`: show how tokenizers differ, in words or as JSON."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import isnan
from pathlib import Path
from typing import Any, Final, NamedTuple

from bpe_gui.engine import AddedToken, Comparison, EngineError, ReadTokenizer, compare, visible
from bpe_gui.engine.comparison import MergeDifference, PairComparison, StepDifference, SwitchDifference, TokenizedText
from bpe_gui.engine.reports import Report, json_values

from .measured_texts import WORDING, letter, named_tokenizers, reports_of, table_by_tokenizer, texts_named
from .steps import ListedToken, listed_tokens, step_details, step_name, token_with_id
from .streams import (
    NamedFile,
    documents_of,
    errors_naming,
    json_lines,
    quantity,
    say_left_out_records,
    write_lines,
)
from .tokenizer_files import open_tokenizers, write_map

_MAX_SHOWN_TOKENS: Final = 16  # of a span, for each tokenizer
_COMPARED_AS_PAIR: Final = ("merges", "vocabulary")  # whose differences have lines of their own
_NOT_IN_RANKS: Final = ("splitter", "added_tokens")
"""The steps that files of ranks do not record."""


class _ComparedFiles(NamedTuple):
    """A comparison, with the facts about the compared files."""

    arguments: argparse.Namespace
    files: list[ReadTokenizer]
    comparison: Comparison
    document: NamedFile | None
    """The text, if there is one."""
    reports: list[Report]
    """A report of each tokenizer, if there are several texts."""

    def pairs(self) -> Iterator[tuple[int, int, PairComparison]]:
        """Yield each pair of tokenizers, as two indices, and how they differ."""
        for first, second in combinations(range(len(self.files)), 2):
            yield first, second, self.comparison.pair(first, second)

    def reasons(self, first: int, second: int, difference: MergeDifference) -> Sequence[SwitchDifference]:
        """Return the possible reasons why a merge differs, without guessed properties."""
        is_guessed = self.files[first].is_guessed or self.files[second].is_guessed
        return (difference.without_guesses() if is_guessed else difference).reasons


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    if len(arguments.tokenizers) < 2:
        raise EngineError("Name at least one more tokenizer to compare {path} with.", path=arguments.tokenizers[0])
    if arguments.map and len(arguments.tokenizers) > 2:
        raise EngineError("--map is from one tokenizer to another. Name just two.")
    files = open_tokenizers(arguments)
    is_one = len(arguments.text) == 1 and not Path(arguments.text[0]).is_dir()
    arguments.files = arguments.text
    document = documents_of(arguments, exact=arguments.encoding is None)[0] if is_one else None
    text = "" if document is None else "".join(document.chunks())
    if document is None:
        comparison = compare(file.tokenizer for file in files)
    else:
        with errors_naming(document):
            comparison = compare((file.tokenizer for file in files), text)
    several = [] if is_one else texts_named(arguments, arguments.text)
    reports = reports_of(arguments, files, several) if several else []
    say_left_out_records(arguments.inputs)
    compared = _ComparedFiles(arguments, files, comparison, document, reports)
    write_lines(json_lines(_json_members(compared)) if arguments.json else _lines(compared))
    if arguments.map:
        write_map(files[0].tokenizer, files[1].tokenizer, arguments.map)
    return 0


def _names(indices: Iterable[int]) -> str:
    """Return the names of tokenizers as a list in words: A, B and C."""
    *others, last = map(letter, indices)
    return f"{', '.join(others)} and {last}" if others else last


# -- in words ----------------------------------------------------------------------------------------------------------


def _lines(compared: _ComparedFiles) -> Iterator[str]:
    yield from named_tokenizers(compared.arguments, compared.files)
    if compared.reports:
        yield ""
        yield from table_by_tokenizer(compared.reports)
    if compared.document is not None:
        yield ""
        yield from _text_lines(compared, compared.document)
        yield from _span_lines(compared)
    for first, second, pair in compared.pairs():
        yield ""
        yield from _pair_lines(compared, first, second, pair)


def _text_lines(compared: _ComparedFiles, document: NamedFile) -> Iterator[str]:
    """Yield a line for the text, and a table of how each tokenizer splits it."""
    metrics = compared.comparison.texts[0].metrics
    sizes = f"{quantity(metrics.bytes, 'byte', 'bytes')}, {quantity(metrics.characters, 'character', 'characters')}"
    yield f"{document.path}: {sizes}"
    yield f"{'':<3}{'tokens':>14}{'bytes/token':>14}{'characters/token':>18}"
    for index, text in enumerate(compared.comparison.texts):
        ratios = map(WORDING.decimal, (text.metrics.bytes_per_token, text.metrics.characters_per_token))
        yield "{:<3}{:>14,}{:>14}{:>18}{}".format(letter(index), text.metrics.tokens, *ratios, _unknown_note(text))


def _unknown_note(text: TokenizedText) -> str:
    if text.first_unknown is None:
        return ""
    symbols = quantity(text.unknown, "symbol", "symbols")
    return f"   {symbols} without an id, the first at byte {text.first_unknown:,}"


def _span_lines(compared: _ComparedFiles) -> Iterator[str]:
    """Yield how many spans differ, and the first of them with their tokens."""
    comparison, differences = compared.comparison, compared.comparison.differences
    left_out = [index for index, text in enumerate(comparison.texts) if not text.is_aligned]
    yield ""
    if left_out:
        changes, their = ("change", "their") if len(left_out) > 1 else ("changes", "its")
        yield f"{_names(left_out)} {changes} this text first, so {their} token boundaries cannot be compared."
    if differences is None:
        return
    names = _names(comparison.aligned)
    if not len(differences):
        yield f"{names} split the text in the same way."
        yield from _added_id_lines(comparison)
        return
    share = differences.bytes / len(comparison.text)
    yield f"{names} differ in {quantity(len(differences), 'span', 'spans')}, {share:.1%} of the bytes."
    for start, stop in islice(differences, max(0, compared.arguments.differences)):
        yield ""
        yield f"line {comparison.text.count(10, 0, start) + 1:,}, byte {start:,}"
        for index in comparison.aligned:
            yield f"  {letter(index)}  {_token_list(comparison.tokens_in(index, start, stop))}"


def _added_id_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the ids that each tokenizer adds around a text, if they are why the numbers of tokens differ."""
    if len({comparison.texts[index].metrics.tokens for index in comparison.aligned}) > 1:
        for index in comparison.aligned:
            vocab, pipeline = comparison.tokenizers[index].vocab, comparison.tokenizers[index].pipeline
            ids = () if pipeline is None else (("before", pipeline.ids_before), ("after", pipeline.ids_after))
            for where, around in ids:
                tokens = (token_with_id(i, vocab.get(i, b"").decode(errors="replace")) for i in around)
                if listed := ", ".join(tokens):
                    yield f"{letter(index)} adds {listed} {where} each text."


def _token_list(tokens: list[bytes]) -> str:
    shown = [visible(token) or "(marker)" for token in tokens[:_MAX_SHOWN_TOKENS]]
    more = len(tokens) - len(shown)
    return " | ".join(shown) + (f" | … {more:,} more" if more else "") if shown else "nothing"


def _pair_lines(compared: _ComparedFiles, first: int, second: int, pair: PairComparison) -> Iterator[str]:
    """Yield which steps of two tokenizers differ, and how their vocabularies and merges do."""
    one, other = letter(first), letter(second)
    steps = compared.comparison.steps(first, second)
    differ = "differ in: " + ", ".join(each.step.replace("_", " ") for each in steps)
    yield f"{one} and {other} {differ if steps else 'do the same in all steps'}"
    for each in steps:
        if each.step not in _COMPARED_AS_PAIR:
            yield from _step_lines(compared, each, (first, second))
    shared = f"{quantity(pair.shared, 'token', 'tokens')} in both, {pair.only_first:,} only in {one}"
    yield f"{one} and {other}: {shared}, {pair.only_second:,} only in {other}"
    if pair.shared:
        differ = quantity(pair.ids_that_differ, "token in both has", "tokens in both have") + " different ids"
        yield "  the tokens in both have the same ids" if pair.ids_agree else f"  {differ}"
    difference = pair.first_merge
    if difference is None:
        yield "  the merges are the same"
        return
    yield f"  the first merge that differs has the rank {difference.rank:,}:"
    for name, merge in ((one, difference.first), (other, difference.second)):
        yield f"    {name}  " + ("no more merges" if merge is None else " + ".join(map(visible, merge)))
    reasons = compared.reasons(first, second, difference)
    if reasons:
        yield "  possible reasons:"
    for reason in reasons:
        yield f"    {reason.switch}: {one} {_switch_value(reason.first)}, {other} {_switch_value(reason.second)}"


def _step_lines(compared: _ComparedFiles, difference: StepDifference, indices: tuple[int, int]) -> Iterator[str]:
    """Yield what each of two tokenizers does in a step, and a text that shows the difference."""
    yield f"  {difference.step.replace('_', ' ')}:"
    for index, values in zip(indices, (difference.first, difference.second), strict=True):
        assumed = " (assumed)" * (compared.files[index].is_guessed and difference.step in _NOT_IN_RANKS)
        yield f"    {letter(index)}  {_step_values(difference, values)}{assumed}"
    if same := difference.other_ids:
        names = listed_tokens((ListedToken(first, token) for token, first, _second in same), with_ids=False)
        ids = f"same token, id {same[0][1]} and {same[0][2]}" if len(same) == 1 else "same tokens, different ids"
        yield f"    {ids}: {names}"
    if difference.text is not None:
        text = difference.text.told_apart()
        words = [" | ".join(visible(word.encode()) for word in side) or "nothing" for side in (text.first, text.second)]
        ways = ", ".join(f"{letter(index)} {side}" for index, side in zip(indices, words, strict=True))
        yield f"    “{visible(text.text.encode())}” becomes: {ways}"


def _step_values(difference: StepDifference, values: Sequence[object]) -> str:
    """Return the first values that a tokenizer has for a step, and how many more there are."""
    tokens = [ListedToken(each.id, each.content, _flags(each)) for each in values if isinstance(each, AddedToken)]
    if tokens:
        return listed_tokens(tokens)
    shown = [_step_value(difference, value) for value in values[:_MAX_SHOWN_TOKENS]]
    return (", ".join(shown) or "none") + f", … {len(values) - len(shown):,} more" * (len(values) > len(shown))


def _flags(token: AddedToken) -> str:
    flags = [name for name in ("single_word", "lstrip", "rstrip", "normalized") if getattr(token, name)]
    return ", ".join(flags if token.special else [*flags, "not special"])


def _step_value(difference: StepDifference, value: object) -> str:
    match value:
        case (int() as token_id, str() as token):
            return token_with_id(token_id, token)
        case (str() as name, str() as template) if difference.step == "chat_templates":
            return f"{name} of {len(template):,} characters"
        case (str() as name, named):
            return f"{name} {'none' if named in (None, ()) else named if isinstance(named, str) else repr(named)}"
        case int():
            return f"{value:,}"
    return f"{step_name(value)} {step_details(value)}".strip()


def _switch_value(value: object) -> str:
    """Return one side of a `SwitchDifference` on one line: a setting, the names of steps, or special tokens."""
    if isinstance(value, tuple):
        names = [ListedToken(index, part) for index, part in enumerate(value) if isinstance(part, str)]
        steps = [step_name(part) for part in value if not isinstance(part, str)]
        return " ".join(steps) or listed_tokens(names, with_ids=False)
    return value if isinstance(value, str) and value.isprintable() else repr(value)


# -- JSON --------------------------------------------------------------------------------------------------------------


def _json_members(compared: _ComparedFiles) -> Iterator[tuple[str, object]]:
    tokenizers = [
        {
            "path": str(path),
            "format": file.format,
            "entries": len(file.tokenizer.vocab),
            "merges": len(file.tokenizer.merges),
        }
        for path, file in zip(compared.arguments.tokenizers, compared.files, strict=True)
    ]
    yield "tokenizers", tokenizers
    if compared.document is not None:
        yield "text", _json_text(compared)
        yield "differences", _json_spans(compared)
    if compared.reports:
        yield "texts", _json_texts(compared.reports)
    yield "pairs", (_json_pair(compared, *pair) for pair in compared.pairs())


def _json_text(compared: _ComparedFiles) -> dict[str, Any]:
    comparison, metrics = compared.comparison, compared.comparison.texts[0].metrics
    results = [
        {
            "tokens": text.metrics.tokens,
            "bytes_per_token": _number(text.metrics.bytes_per_token),
            "characters_per_token": _number(text.metrics.characters_per_token),
            "symbols_without_id": text.unknown,
            "first_without_id": text.first_unknown,
            "spans_compared": comparison.differences is not None and text.is_aligned,
        }
        for text in comparison.texts
    ]
    return {
        "path": compared.arguments.text[0],
        "bytes": metrics.bytes,
        "characters": metrics.characters,
        "tokenizers": results,
    }


def _json_texts(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """Return each of several texts with what the report of each tokenizer says about it."""
    rows = zip(*(json_values(report)["texts"] for report in reports), strict=True)
    return [{"name": row[0]["name"], "tokenizers": list(row)} for row in rows]


def _number(value: float) -> float | None:
    return None if isnan(value) else value


def _json_spans(compared: _ComparedFiles) -> Iterator[dict[str, Any]]:
    """Yield each span with the id, start and stop of the tokens; null for a tokenizer whose spans are not compared."""
    comparison = compared.comparison
    for start, stop in comparison.differences or ():
        tokens: list[list[list[int]] | None] = []
        for text in comparison.texts:
            ids, starts, stops = text.tokens_in(start, stop)
            rows = zip(ids.tolist(), starts.tolist(), stops.tolist(), strict=True)
            tokens.append(list(map(list, rows)) if text.is_aligned else None)
        yield {
            "start": start,
            "stop": stop,
            "text": comparison.text[start:stop].decode(errors="replace"),
            "tokens": tokens,
        }


def _json_pair(compared: _ComparedFiles, first: int, second: int, pair: PairComparison) -> dict[str, Any]:
    difference = pair.first_merge
    return {
        "first": first,
        "second": second,
        "steps": [_json_step(each) for each in compared.comparison.steps(first, second)],
        "shared": pair.shared,
        "ids_that_differ": pair.ids_that_differ,
        "only_in_first": list(map(_json_token, pair.only_in_first())),
        "only_in_second": list(map(_json_token, pair.only_in_second())),
        "first_merge": None
        if difference is None
        else {
            "rank": difference.rank,
            "first": _json_merge(difference.first),
            "second": _json_merge(difference.second),
            "reasons": [
                {"switch": reason.switch, "first": _json_value(reason.first), "second": _json_value(reason.second)}
                for reason in compared.reasons(first, second, difference)
            ],
        },
    }


def _json_step(difference: StepDifference) -> dict[str, Any]:
    text = difference.text
    return {
        "step": difference.step,
        "first": [_step_value(difference, value) for value in difference.first],
        "second": [_step_value(difference, value) for value in difference.second],
        "text": None if text is None else {"text": text.text, "first": text.first, "second": text.second},
    }


def _json_token(entry: tuple[int, bytes]) -> dict[str, Any]:
    token_id, token = entry
    return {"id": token_id, "bytes": token.hex(), "text": token.decode(errors="replace")}


def _json_merge(merge: tuple[bytes, bytes] | None) -> list[str] | None:
    return None if merge is None else [part.hex() for part in merge]


def _json_value(value: object) -> object:
    if isinstance(value, tuple):
        return [part if isinstance(part, str) else repr(part) for part in value]
    return value if isinstance(value, str | int) else repr(value)
