"""Sentences that values say about themselves, as templates, so that each reader gets them in their language."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Statement:
    """An English sentence, or a part of one, with `{named}` fields, their values, and the context of its translation.

    A value is a text, a token as bytes, a number, a tuple of texts in a row, an error, or a statement.

    >>> str(statement("Pipeline", "split at {text}").format(text="-"))
    'split at -'
    """

    context: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)

    def format(self, **values: object) -> "Statement":
        """Return the statement with these values; they are put in when the language is known."""
        return replace(self, values=values)

    def __str__(self) -> str:
        rows = {name: " ".join(value) for name, value in self.values.items() if isinstance(value, tuple)}
        return self.template.format(**{**self.values, **rows})


def statement(context: str, template: str) -> Statement:
    """Return a statement. Imported as `_`, the name by which lupdate finds texts."""
    return Statement(context, template)


def verbatim(text: str | bytes) -> Statement:
    """Return a name or a token as a statement, which is the same in every language."""
    return Statement("", "{text}", {"text": text})


def counted(count: int, singular: Statement, plural: Statement) -> Statement:
    """Return `singular` for a count of 1, otherwise `plural` with its `{count}`."""
    return singular if count == 1 else plural.format(count=count)
