"""`bpe-gui report`: measure a tokenizer on texts, in words, as a page, as tables or as JSON."""

import argparse
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine import EngineError, Tokenizer, reports, save, save_obstacle, write_files
from bpe_gui.engine.projects import load_project
from bpe_gui.engine.proof import leading_text

from .convert import DIFFERENT, is_proven
from .measured_texts import (
    WORDING,
    aligned,
    documents_named,
    named_tokenizers,
    reports_of,
    say_left_out,
    table_by_tokenizer,
    texts_named,
)
from .streams import ProgressLine, dumped, output_stream, quantity, say, write_lines
from .tokenizer_files import check_output, check_readers, open_tokenizer, open_tokenizers, say_caution, written_files

_NAMED: Final = 10  # texts that an error lists
_LEFT_OUT: Final = "documents", "words"  # the measures for which the table is too narrow
_NOT_FOR_SEVERAL: Final = ("project", "held_out", "reference", "price", "context", "html", "csv", "prune_to")
"""The options that need a single tokenizer."""

_logger: Final = logging.getLogger(__name__)


class _Source(NamedTuple):
    """A tokenizer to report on, its name, and the texts to measure."""

    tokenizer: Tokenizer
    name: str
    texts: list[reports.ReportText]


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    if len(arguments.tokenizers) > 1:
        return _run_several(arguments)
    source = _source(arguments)
    _check_pruning(arguments, source)
    _terms(arguments, source.texts)  # before anything is measured
    held_out = None
    if arguments.held_out is not None:
        held_out = reports.ReportText(arguments.held_out, documents_named(arguments, arguments.held_out))
    with ProgressLine("Measuring: {:.0%} of {:,} bytes") as progress:
        report = reports.make_report(
            source.tokenizer,
            source.texts,
            held_out,
            name=source.name,
            to_last=True,
            by_line=arguments.reference is not None,
            progress=progress.show,
        )
    say_left_out(arguments, report)
    _logger.info("measured %d texts, %d bytes", len(report.texts), report.total.bytes)
    report = replace(report, terms=_terms(arguments, report.texts))
    written = _write(report, arguments)
    is_exact = arguments.prune_to is None or _write_pruned(report, source, arguments)
    write_lines([dumped(reports.json_values(report))] if arguments.json else _lines(report, source, held_out))
    if written:
        output_stream().flush()
        say(f"Wrote {', '.join(map(str, written))}.")
    return 0 if is_exact else DIFFERENT


def _run_several(arguments: argparse.Namespace) -> int:
    """Compare tokenizers on the texts, and return the exit status."""
    if useless := next((name for name in _NOT_FOR_SEVERAL if getattr(arguments, name) is not None), None):
        raise EngineError("--{name} is for a single tokenizer.", name=useless.replace("_", "-"))
    if not arguments.text:
        raise EngineError("Several tokenizers are compared on texts. Name them with --text.")
    files, texts = open_tokenizers(arguments), texts_named(arguments, arguments.text)
    found = reports_of(arguments, files, texts, points=reports.POINTS if arguments.json else 0)
    in_words = chain(named_tokenizers(arguments, files), [""], table_by_tokenizer(found))
    write_lines([dumped(list(map(reports.json_values, found)))] if arguments.json else in_words)
    return 0


# -- what to measure ---------------------------------------------------------------------------------------------------


def _source(arguments: argparse.Namespace) -> _Source:
    if bool(arguments.tokenizers) == (arguments.project is not None):
        raise EngineError("Name either a tokenizer or a project with --project FILE.")
    arguments.tokenizer = next(iter(arguments.tokenizers), None)
    texts = texts_named(arguments, arguments.text)
    if arguments.project is None:
        return _Source(open_tokenizer(arguments).tokenizer, str(arguments.tokenizer), texts)
    project = load_project(arguments.project)
    if project.run is None:
        raise EngineError(
            "{path} has no merges yet. Train in the window and save it, or name a tokenizer.", path=arguments.project
        )
    if not texts:
        texts = [reports.ReportText(document.title, [document.content]) for document in project.documents]
    return _Source(project.run.at(project.step), str(arguments.project), texts)


def _terms(
    arguments: argparse.Namespace, texts: Sequence[reports.ReportText | reports.TextReport]
) -> reports.Terms | None:
    """Return the terms for the costs of texts, if any were given. Raise EngineError for an unknown reference."""
    reference: str | None = arguments.reference
    if (reference, arguments.price, arguments.context) == (None, None, None):
        return None
    names = [text.name for text in texts]
    if not names:
        raise EngineError("--reference, --price and --context are about texts. Name them with --text.")
    if reference is not None and reference not in names:
        raise EngineError(
            "There is no text named {name} to compare with. The texts are: {names}.",
            name=reference,
            names=", ".join(names[:_NAMED]) + ", …" * (len(names) > _NAMED),
        )
    index = None if reference is None else names.index(reference)
    return reports.Terms(index, arguments.price, arguments.context or reports.CONTEXT)


# -- files -------------------------------------------------------------------------------------------------------------


def _write(report: reports.Report, arguments: argparse.Namespace) -> list[Path]:
    """Write the requested files, all or none, and return their paths. Raise FormatError."""
    contents: dict[Path, str | bytes] = {}
    if arguments.html is not None:
        contents[arguments.html] = reports.html_page(report)
    if arguments.csv is not None:
        contents |= {arguments.csv / name: table for name, table in reports.csv_files(report).items()}
    if contents:
        write_files(contents)
    return list(contents)


def _check_pruning(arguments: argparse.Namespace, source: _Source) -> None:
    """Raise EngineError if a requested pruned tokenizer cannot be made or written."""
    if arguments.prune_to is None:
        return
    if not source.texts:
        raise EngineError("--prune-to needs the texts whose tokens must stay the same. Name them with --text.")
    check_output(
        arguments.prune_to, arguments.format, [arguments.tokenizer, *arguments.text], replaces_any=arguments.force
    )
    if obstacle := save_obstacle(source.tokenizer, arguments.format):
        raise obstacle
    check_readers(source.tokenizer.recipe, arguments.format, is_forced=arguments.force)


def _write_pruned(report: reports.Report, source: _Source, arguments: argparse.Namespace) -> bool:
    """Write the tokenizer without the entries that the texts never need. Return whether their tokens stay the same.

    Write nothing if pruning changes them. Otherwise, also check the ids that the written files give.
    """
    if not report.has_text:
        raise EngineError("The text is empty, so --prune-to cannot tell which tokens to keep.")
    with ProgressLine("Encoding without the pruned tokens: {:.0%} of {:,} bytes") as progress:
        preview = reports.preview_pruning(report, source.texts, None, progress.show)
    if preview is not None and not preview.is_exact:
        say("The pruned tokenizer would give these texts different tokens, so nothing was written.")
        return False
    if preview is None:
        say("There is nothing to prune: these texts need every merge.")
    tokenizer = source.tokenizer if preview is None else preview.pruning.tokenizer
    written = save(tokenizer, arguments.prune_to, arguments.format)
    say(f"{written_files(written, tokenizer)} give these texts the same tokens.")
    say_caution(tokenizer, arguments.format)
    documents = report.readable(source.texts)
    text = leading_text(chunk for document in documents for chunk in document.chunks())
    return is_proven(tokenizer, arguments.format, written, [text])


# -- in words ----------------------------------------------------------------------------------------------------------


def _lines(report: reports.Report, source: _Source, held_out: reports.ReportText | None) -> Iterator[str]:
    sizes = (
        f"{quantity(len(report.vocabulary), 'entry', 'entries')}, "
        f"{quantity(len(report.counter.parts.merges), 'merge', 'merges')}"
    )
    yield f"{source.name}: {sizes}"
    if report.texts:
        yield ""
        yield from _text_lines(report)
        yield from _cost_lines(report)
    yield ""
    yield from _vocabulary_lines(report)
    if report.sizing_curve is not None:
        yield ""
        yield from _sizing_lines(report, report.sizing_curve)
    if report.has_text:
        yield ""
        yield from _pruning_lines(report, held_out)


def _text_lines(report: reports.Report) -> Iterator[str]:
    """Yield a table with a line for each text, and a line on how unequal they are."""
    rows, contents = list(report.texts), reports.Contents(report)
    if len(rows) > 1:
        rows.append(contents.total_row())
    if (held_out := contents.held_out_row()) is not None:
        rows.append(held_out)
    measures = [measure for measure in reports.MEASURES if measure.name not in _LEFT_OUT]
    cells = ([row.name, *(each.written(each.value(row), WORDING) for each in measures)] for row in rows)
    yield from aligned([["", *(measure.short for measure in measures)], *cells])
    if report.total.unknown:
        unknown = quantity(report.total.unknown, "symbol of these texts has", "symbols of these texts have")
        yield f"{unknown} no id in this vocabulary"
    if len(report.texts) > 1:
        yield (
            f"Gini coefficient over these texts: {WORDING.decimal(report.gini_per_byte)} for tokens per byte, "
            f"{WORDING.decimal(report.gini_of_tokens)} for tokens"
        )
    if not report.has_text:
        yield contents.empty_sentence()


def _cost_lines(report: reports.Report) -> Iterator[str]:
    """Yield a table of what the texts cost, and how it was computed; nothing without terms."""
    if report.terms is None:
        return
    table = reports.CostTable(report, WORDING)
    yield ""
    yield from aligned([["", *(column.title for column in table.columns)], *table.rows()])
    yield from table.notes()


def _vocabulary_lines(report: reports.Report) -> Iterator[str]:
    vocabulary = report.vocabulary
    rows: list[tuple[str, int]] = []
    if report.has_text:
        rows += [
            ("never used", len(vocabulary.never_used)),
            ("scaffolds: never used, but parts of used ones", len(vocabulary.scaffolds)),
            (f"nearly dead: used at most {reports.NEARLY_DEAD} times", len(vocabulary.nearly_dead())),
        ]
    rows += [
        ("groups equal up to case or a leading space", len(vocabulary.duplicates)),
        ("with partial characters", len(vocabulary.partial_characters)),
        ("longest, in bytes", int(vocabulary.sizes[vocabulary.longest(1)].max(initial=0))),
    ]
    yield "Entries:"
    for label, number in rows:
        yield f"  {label:<46}{number:>10,}"


def _sizing_lines(report: reports.Report, curve: reports.Curve) -> Iterator[str]:
    """Yield lines on what the curve says about the vocabulary size."""
    text = "held-out text" if curve is report.held_out_curve else "these texts"
    yield f"Size of the vocabulary, by {text}:"
    if not curve.is_telling:
        tokens = quantity(int(curve.tokens[-1]), "token", "tokens")
        entries = quantity(curve.added_entries, "entry", "entries")
        yield f"  too little text to tell: it has {tokens}, and training added {entries}"
        return
    if curve.knee is None:
        yield "  the curve has no knee"
    else:
        knee = curve.knee
        entries = quantity(knee.entries, "entry", "entries")
        yield f"  the knee so far is at {entries}, with {knee.bytes_per_token:.3f} bytes per token"
    if not curve.tells_worth:
        return
    worth = curve.entries_worth()
    if worth is None:
        more = f"{reports.GAIN_ENTRIES:,} more entries save at least {reports.LEAST_GAIN:.0%} of the tokens"
        yield f"  up to the last step, {more}"
    else:
        less = f"{reports.GAIN_ENTRIES:,} more save less than {reports.LEAST_GAIN:.0%} of the tokens"
        yield f"  from {worth:,} entries on, {less}"


def _pruning_lines(report: reports.Report, held_out: reports.ReportText | None) -> Iterator[str]:
    """Yield lines on what unused entries are for, what pruning would leave out, and its cost on held-out text."""
    yield reports.Contents(report).unused_sentence()
    if not len(report.vocabulary.removable):
        yield "Pruning has nothing to leave out: these texts need every merge"
        return
    parts = report.counter.parts
    pruning = reports.prune(report.tokenizer, reports.used_ids(parts, report.total), parts)
    removed = quantity(len(pruning.removed), "entry", "entries")
    merges = quantity(pruning.removed_merges, "merge", "merges")
    yield f"Pruning could leave out {removed} and {merges}: these texts would keep exactly the same tokens"
    if held_out is not None:
        cost: reports.PruningCost = reports.pruning_cost(report.counter, pruning, held_out.documents)
        yield f"  held-out text would have {cost.more_tokens:+,} tokens ({cost.share:+.2%})"
