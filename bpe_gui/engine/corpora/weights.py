"""Weights, which say exactly how often each document of a corpus counts, and the whole counts that result."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from numbers import Real
from typing import Final, TypeVar

from bpe_gui.engine.runtime.arguments import check_several
from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.types import Int64Array

from .documents import Document, FileDocument

ONCE: Final = Fraction(1)
"""The weight of a document that counts once."""

_MIN: Final = Fraction(1, 1000)
_MAX: Final = Fraction(1000)
_MAX_DIGITS: Final = 40
_LARGEST_SUM: Final = 2**62
_NUMBER: Final = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?|[0-9]+/[0-9]+")
_Total = TypeVar("_Total", int, Int64Array)

Weight = str | float | Decimal | Fraction
"""The types of a weight: a number, or a number as text."""


def weight_of(value: object) -> Fraction:
    """Return a weight exactly as it is written, so that 0.1 is one tenth. Raise CorpusError outside 0.001 to 1,000.

    >>> weight_of(0.1), weight_of("3"), weight_of("1/3")
    (Fraction(1, 10), Fraction(3, 1), Fraction(1, 3))
    """
    weight = _read(value)
    if weight is None:
        raise CorpusError("The weight {weight} is not a number from 0.001 to 1,000.", weight=_quoted(value))
    return weight


def weights_of(values: Iterable[object], documents: Sequence[Document]) -> tuple[Fraction, ...]:
    """Return the weights of documents; an empty tuple if each counts once.

    Raise CorpusError for an invalid weight, naming its document, and for more or fewer weights than documents.
    """
    check_several("weights", values)
    given = tuple(values)
    if len(given) != len(documents):
        raise CorpusError(
            "There must be one weight for each document (documents: {documents:,}, weights: {weights:,}).",
            documents=len(documents),
            weights=len(given),
        )
    weights = tuple(_weight_in(value, index, documents) for index, value in enumerate(given))
    return () if all(weight == ONCE for weight in weights) else weights


def weight_text(weight: Fraction) -> str:
    """Return a weight as text for `weight_of`: as a decimal number if that is exact.

    >>> weight_text(Fraction(1, 10)), weight_text(Fraction(3)), weight_text(Fraction(1, 3))
    ('0.1', '3', '1/3')
    """
    twos = fives = 0
    rest = weight.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest > 1:
        return str(weight)
    digits = max(twos, fives)
    whole, decimals = divmod(weight.numerator * 10**digits // weight.denominator, 10**digits)
    return f"{whole}.{decimals:0{digits}}" if digits else str(whole)


def _read(value: object) -> Fraction | None:
    """Return a weight, or None if the value is not a valid one."""
    try:
        text = str(value).strip() if isinstance(value, str | Real | Decimal) else ""
    except ValueError:  # an integer with more digits than Python converts
        return None
    if len(text) > _MAX_DIGITS or not _NUMBER.fullmatch(text):
        return None
    try:
        weight = Fraction(text)
    except ZeroDivisionError:
        return None
    return weight if _MIN <= weight <= _MAX else None


def _weight_in(value: object, index: int, documents: Sequence[Document]) -> Fraction:
    weight, document = _read(value), documents[index]
    if weight is not None:
        return weight
    if isinstance(document, FileDocument):
        raise CorpusError(
            "The weight {weight} of {path} is not a number from 0.001 to 1,000.",
            weight=_quoted(value),
            path=document.path,
        )
    raise CorpusError(
        "The weight {weight} of document {number:,} is not a number from 0.001 to 1,000.",
        weight=_quoted(value),
        number=index + 1,
    )


def _quoted(value: object) -> str:
    return repr(value) if isinstance(value, str) else str(value)


@dataclass(frozen=True, slots=True)
class Scale:
    """Weights as whole numbers, so that counting is exact: the `factors` of documents over one denominator.

    >>> scale = Scale.of([Fraction(1, 10), Fraction(3)])
    >>> scale
    Scale(factors=(1, 30), denominator=10)
    >>> scale.rounded(5 * 1 + 1 * 30)  # five times in the first document, once in the second: 3.5
    4
    """

    factors: tuple[int, ...]
    denominator: int = 1

    @classmethod
    def of(cls, weights: Sequence[Fraction]) -> "Scale":
        """Return the smallest whole numbers in the ratio of the weights."""
        denominator = lcm(*(weight.denominator for weight in weights))
        return cls(
            tuple(weight.numerator * (denominator // weight.denominator) for weight in weights),
            denominator,
        )

    def fits_64_bits(self, size: int) -> bool:
        """Return whether sums of factors over a text of `size` bytes can be counted in 64 bits."""
        return max(self.denominator, max(self.factors, default=1) * size) < _LARGEST_SUM

    def rounded(self, total: _Total) -> _Total:
        """Return sums of factors as counts: divided by the denominator and rounded half up."""
        return (total + self.denominator // 2) // self.denominator
