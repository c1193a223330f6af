"""The table of what texts cost, with its texts, for the page, the window and the command line."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import ClassVar, Final

from bpe_gui.engine.runtime.errors import translatable as _

from .contents import ENGLISH, Contents, Wording, number_text
from .costs import CONFIDENCE, RESAMPLES, TextCost
from .report import Report

_UNKNOWN: Final = "–"


@dataclass(frozen=True, slots=True)
class CostColumn:
    """A column of the table: a few words, and a phrase that explains it. `is_premium`: it needs a reference."""

    key: str
    title: str
    about: str
    is_premium: bool = False


COST_COLUMNS: Final = (
    CostColumn("lines", _("Report", "lines"), _("Report", "Number of lines that are not blank"), is_premium=True),
    CostColumn(
        "tokens_per_line",
        _("Report", "tokens/line"),
        _("Report", "Average number of tokens per line, with each line encoded by itself"),
        is_premium=True,
    ),
    CostColumn(
        "premium",
        _("Report", "premium"),
        _("Report", "Tokens per line divided by those of the reference text: 2 means twice as many"),
        is_premium=True,
    ),
    CostColumn(
        "interval",
        _("Report", "95% interval"),
        _("Report", "95% bootstrap interval of the premium: how much it depends on which lines were measured"),
        is_premium=True,
    ),
    CostColumn(
        "pairing",
        _("Report", "resampled"),
        _("Report", "In pairs: the same lines of both texts, as they have the same number of lines"),
        is_premium=True,
    ),
    CostColumn(
        "context_share", _("Report", "of the context"), _("Report", "Tokens of the text divided by the context window")
    ),
    CostColumn("price", _("Report", "price"), _("Report", "Tokens of the text at the price per million tokens")),
)
"""The columns after the name of the text, in their order."""


def price_text(price: float) -> str:
    """Return a price for people: with more digits, the smaller it is.

    >>> price_text(1234.5), price_text(0.25), price_text(0.00025)
    ('1,234.50', '0.2500', '0.000250')
    """
    if not isfinite(price):
        return _UNKNOWN
    return f"{price:,.{2 if price >= 100 else 4 if price >= 0.1 else 6}f}"


class CostTable:
    """What the texts of a report with terms cost, in a wording."""

    all_columns: ClassVar = COST_COLUMNS
    """The columns of all tables; `columns` are those of one."""

    def __init__(self, report: Report, wording: Wording = ENGLISH) -> None:
        self._report = report
        self._wording = wording
        self._terms = report.terms
        has_reference = self._terms is not None and self._terms.reference is not None
        has_price = self._terms is not None and self._terms.price is not None
        self.columns: Final = [
            column
            for column in COST_COLUMNS
            if (has_reference or not column.is_premium) and (has_price or column.key != "price")
        ]
        """The columns that the terms fill."""

    def rows(self) -> Iterator[list[str]]:
        """Yield the name of each text and its cells, and those of all texts if there are several."""
        for number, (text, cost) in enumerate(zip(self._report.texts, self._report.costs, strict=True)):
            yield [text.name, *(self._cell(column.key, cost, number) for column in self.columns)]
        if len(self._report.texts) > 1:
            total = self._report.total_cost
            name = Contents(self._report, self._wording).total_row().name
            yield [name, *("" if c.is_premium else self._cell(c.key, total, -1) for c in self.columns)]

    def _cell(self, key: str, cost: TextCost, text: int) -> str:
        words, is_reference = self._wording, self._terms is not None and text == self._terms.reference
        match key:
            case "lines":
                return words.number(int(cost.lines)) if isfinite(cost.lines) else _UNKNOWN
            case "interval" if is_reference:
                return words.text(_("Report", "reference"))
            case "interval":
                return f"{words.decimal(cost.low)}–{words.decimal(cost.high)}" if isfinite(cost.low) else _UNKNOWN
            case "pairing" if is_reference or not isfinite(cost.low):
                return _UNKNOWN
            case "pairing":
                return words.text(_("Report", "in pairs") if cost.is_paired else _("Report", "separately"))
            case "context_share":
                return words.share(cost.context_share)
            case "price":
                return price_text(cost.price)
        return words.decimal(cost.tokens_per_line if key == "tokens_per_line" else cost.premium)

    def notes(self) -> Iterator[str]:
        """Yield the sentences that explain the columns."""
        terms, number = self._terms, self._wording.number
        if terms is None:
            return
        if terms.reference is not None:
            template = _(
                "Report",
                "The premium is the tokens per line divided by those of {reference}, for texts with the same content "
                "(Petrov et al., “Language Model Tokenizers Introduce Unfairness Between Languages”, NeurIPS 2023).",
            )
            yield self._wording.text(template, reference=self._report.texts[terms.reference].name)
            template = _(
                "Report",
                "The interval covers {share} of {resamples} bootstrap resamples of the lines: in pairs if both texts "
                "have the same number of lines, otherwise of each text separately.",
            )
            yield self._wording.text(template, share=f"{CONFIDENCE:.0%}", resamples=number(RESAMPLES))
        yield self._wording.text(
            _("Report", "A context window of {context} tokens is assumed."), context=number(terms.context)
        )
        if terms.price is not None:
            template = _("Report", "A million tokens are taken to cost {price}.")
            yield self._wording.text(template, price=number_text(terms.price))
