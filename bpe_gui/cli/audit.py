"""`bpe-gui audit`: find a text for every entry of a tokenizer, or the reason why there is none."""

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any, Final

from bpe_gui.engine import FORMATS, Audit, EngineError, ReadTokenizer, TokenizerSource, audit, load, visible
from bpe_gui.engine.audits import KINDS, Finding
from bpe_gui.engine.formats.transformers_folder import different_special_ids
from bpe_gui.engine.opening import recognise

from .streams import ProgressLine, json_lines, quantity, say, write_lines
from .tokenizer_files import open_tokenizer, say_notes

FOUND: Final = 1
"""The exit status if there is a finding that `--fail-on` names."""

_UNREACHABLE: Final = "unreachable"
_EXPECTED: Final = "invalid"  # 13 of the 256 bytes are; every tokenizer of bytes has them
_FILE: Final = FORMATS["huggingface"].files[0]


def run(arguments: argparse.Namespace) -> int:
    """Run the command, and return the exit status. Raise EngineError and OSError."""
    failing = _kinds(arguments.fail_on)
    opened, more = _open(arguments)
    with ProgressLine("Auditing: {:.0%} of {:,} entries") as progress:
        found = audit(opened.tokenizer, progress.show).with_findings(more)
    write_lines(json_lines(_json_members(found)) if arguments.json else _lines(found, opened, arguments))
    named = [f"{kind} ({count:,})" for kind, count in found.counts.items() if kind in failing]
    if named:
        say(f"Found what --fail-on names: {', '.join(named)}.")
    return FOUND if named else 0


def _open(arguments: argparse.Namespace) -> tuple[ReadTokenizer, list[Finding]]:
    """Return the tokenizer, and what the other files of its folder say differently."""
    path = arguments.tokenizer
    if not path.exists() or recognise(path) != "transformers":
        return open_tokenizer(arguments), []
    folder = path if path.is_dir() else path.parent
    differences = [
        Finding(
            "special-mismatch",
            known,
            token.encode(),
            None,
            {"file": file, "tokens": token.encode(), "other": "none" if other is None else str(other)},
        )
        for file, token, known, other in different_special_ids(folder)
    ]
    # A folder whose files disagree cannot be opened as a whole.
    tokenizer = load(folder / _FILE, "huggingface")
    say_notes((path, tokenizer))
    return ReadTokenizer(tokenizer, TokenizerSource(path), "transformers"), differences


def _kinds(names: Sequence[str]) -> set[str]:
    """Return the kinds of findings that the user named. Raise EngineError for an unknown one."""
    kinds: set[str] = set()
    for name in (name for names_ in names for name in names_.split(",") if name):
        if name == _UNREACHABLE:
            kinds |= {kind for kind, about in KINDS.items() if about.is_unreachable} - {_EXPECTED}
        elif name in KINDS:
            kinds.add(name)
        else:
            raise EngineError(
                "Unknown finding {name!r}. The findings are {names}.", name=name, names=(_UNREACHABLE, *KINDS)
            )
    return kinds


# -- in words ----------------------------------------------------------------------------------------------------------


def _lines(found: Audit, opened: ReadTokenizer, arguments: argparse.Namespace) -> Iterator[str]:
    merges = quantity(len(opened.tokenizer.merges), "merge", "merges")
    yield f"{arguments.tokenizer} ({opened.format}): {quantity(len(found.entries), 'entry', 'entries')}, {merges}"
    yield f"No text produces {quantity(found.unreachable, 'entry', 'entries')}."
    yield ""
    for kind, count in found.counts.items():
        yield f"  {kind:<18}{KINDS[kind].title:<34}{count:>10,}"
    for kind, findings in groupby(found.findings, key=lambda finding: finding.kind):
        listed = list(findings)
        shown = islice(listed, max(0, arguments.findings))
        yield ""
        yield f"{kind}: {KINDS[kind].title}"
        yield from map(_line, shown)
        if (more := len(listed) - max(0, arguments.findings)) > 0:
            yield f"  … {more:,} more"


def _line(finding: Finding) -> str:
    token_id = "" if finding.token_id is None else f"{finding.token_id:,}"
    witness = "" if finding.witness is None else f"  In the text “{visible(finding.witness.encode())}”."
    return f"{token_id:>10}  {visible(finding.token):<20}  {finding.reason}{witness}"


# -- JSON --------------------------------------------------------------------------------------------------------------


def _json_members(found: Audit) -> Iterator[tuple[str, object]]:
    yield "counts", found.counts
    yield "unreachable", found.unreachable
    yield "entries", map(_json_finding, found.entries)
    yield "findings", map(_json_finding, found.findings)


def _json_finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "id": finding.token_id,
        "bytes": finding.token.hex(),
        "text": finding.token.decode(errors="replace"),
        "witness": finding.witness,
        "reason": finding.reason,
    }
