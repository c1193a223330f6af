"""Sentences that say why a regular expression is refused: what it contains, where, and what to write instead."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bpe_gui.engine.runtime.errors import EngineError, RecipeError
from bpe_gui.engine.runtime.errors import translatable as _

_QUOTED: Final = 12  # characters of an expression in a sentence

UNKNOWN: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which means {meaning} to {engine}. Write it "
    "with characters, sets, groups and repetitions only.",
)
OPERATOR: Final = _(
    "EngineError",
    "The set in the regular expression contains {part!r} at position {position}, which {engine} may read as an "
    "operator or a range. Write a backslash before each sign that stands for itself.",
)
CASE: Final = _(
    "EngineError",
    "The regular expression ignores the case of {part!r} at position {position}, which {engine} does in its own way. "
    "Write both cases as a set instead, such as [éÉ].",
)
PROPERTY: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which may be another set of characters in "
    "{engine}. Write a general category or a script, such as \\p{{Lu}} or \\p{{Han}}.",
)
REPETITION: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, which repeats nothing, another repetition or "
    "what may be empty; {engine} reads that in its own way. Repeat a character, a set or a group (?: ) that is not "
    "empty.",
)
AGAIN: Final = _(
    "EngineError",
    "The regular expression repeats {part!r} at position {position} as before what is optional; {engine} may take the "
    "second repetition for optional, too. Write x+y*xx* instead of x+y*x+.",
)
LOOK_BEHIND: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}, inside a look-behind, which {engine} reads in "
    "its own way there. Look behind for characters, sets and counted repetitions only.",
)
OPTIONS_INSIDE: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}. For {engine}, write options at the beginning or "
    "for a group, such as (?i:abc).",
)
BRACKET: Final = _(
    "EngineError",
    "The regular expression is not valid at position {position}: {part!r} closes no group. Write a backslash before a "
    "bracket that stands for itself.",
)
END: Final = _(
    "EngineError",
    "The regular expression is not valid at position {position}: it ends inside a group, a set or an escape. Close "
    "each bracket.",
)
EMPTY: Final = _(
    "EngineError",
    "The regular expression can match the empty string, at which {engine} fails or splits differently. Write it so "
    "that each alternative takes a character.",
)
NEW: Final = _(
    "EngineError",
    "The regular expression contains {part!r} at position {position}: characters that are too new in Unicode for "
    "{engine}. Leave them out, or begin and end the range with older ones.",
)

_MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "\\X": _("EngineError", "a character with its marks"),
        "\\K": _("EngineError", "the beginning of the match"),
        "\\G": _("EngineError", "the end of the last match"),
        "\\<": _("EngineError", "the beginning of a word"),
        "\\>": _("EngineError", "the end of a word"),
        "\\b": _("EngineError", "one side of a word"),
        "\\Q": _("EngineError", "the beginning of a quotation"),
        "\\k": _("EngineError", "what a group matched"),
        "\\g": _("EngineError", "a group again"),
        "(?(": _("EngineError", "a condition"),
        "(?~": _("EngineError", "anything without a match"),
        "(?x": _("EngineError", "free spacing"),
        "(?U": _("EngineError", "lazy repetition"),
        **{f"\\{digit}": _("EngineError", "what a group matched") for digit in "123456789"},
    }
)
"""The meanings of constructs, by how they begin."""

_UNKNOWN_MEANING: Final = _("EngineError", "something else")


def error(sentence: str, part: str, position: int, engine: str) -> RecipeError:
    """Return the error for a part of an expression, whose position counts code points, as `engine` reads it."""
    meaning = next((phrase for start, phrase in _MEANINGS.items() if part.startswith(start)), _UNKNOWN_MEANING)
    return RecipeError(sentence, part=part[:_QUOTED], position=position, engine=engine, meaning=EngineError(meaning))
