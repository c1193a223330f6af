"""Describe a file of word counts: the page shown in place of its text."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication

from bpe_gui.engine.corpora import CountsFacts, Source

from .joining import listed
from .numbers import number, size_text

translate = QCoreApplication.translate  # lupdate knows the function by this name

_MOST_SOURCES: Final = 200


def counts_page(facts: CountsFacts) -> str:
    """Return what the file contains and how its words were counted, as lines of plain text."""
    tokens = "   ".join(facts.special_tokens) or translate("CountsPage", "none")
    lines = [
        translate("CountsPage", "Splitter: {splitter}").format(splitter=facts.splitter),
        translate("CountsPage", "Special tokens: {tokens}").format(tokens=tokens),
        translate("CountsPage", "Text: {size}, {count} characters").format(
            size=size_text(facts.bytes), count=number(facts.characters)
        ),
    ]
    if facts.special_tokens and facts.specials_kept:
        lines.append(translate("CountsPage", "Special tokens were counted as text."))
    if facts.spaces_kept:
        lines.append(translate("CountsPage", "Words keep the space before them."))
    if facts.start or len(facts.spans) > 1:
        lines.append(_part(facts))
    about = translate(
        "CountsPage", "This file contains the unique words of a corpus and their counts, but not the text itself."
    )
    return "\n".join([*lines, *_sources(facts.sources), "", about])


def _part(facts: CountsFacts) -> str:
    stretches = listed(f"{number(start)} – {number(stop)}" for start, stop in facts.spans[:_MOST_SOURCES])
    return translate("CountsPage", "Part of a corpus, in bytes: {stretches}").format(stretches=stretches)


def _sources(sources: Sequence[Source]) -> list[str]:
    lines = [translate("CountsPage", "Counted from:")] if sources else []
    for source in sources[:_MOST_SOURCES]:
        name = source.name or translate("CountsPage", "a text")
        lines.append(f"    {name} · {size_text(source.size)}")
    if len(sources) > _MOST_SOURCES:
        more = number(len(sources) - _MOST_SOURCES)
        lines.append("    " + translate("CountsPage", "and {count} more").format(count=more))
    return lines
