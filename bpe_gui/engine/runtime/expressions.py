"""Regular expressions for `regex`, which is imported with the first of them: that takes 10 ms, and few programs do."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex


@cache
def expression(source: str) -> "regex.Pattern[str]":
    """Return an expression that the engine itself wrote, compiled.

    >>> expression(r"\\p{L}+").findall("low lower")
    ['low', 'lower']
    """
    import regex

    return regex.compile(source)
