"""Numbers, sizes and durations, and lists, labels and keys, as the language of the window writes them."""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import isfinite
from typing import Final

from PySide6.QtCore import QCoreApplication, QLocale

from bpe_gui.engine import token_in_sentence, weight_text

translate = QCoreApplication.translate  # lupdate knows the function by this name

_UNKNOWN: Final = "–"
_MILLION: Final = 1_000_000
_MINUTE: Final = 60  # seconds
_HOUR: Final = 60 * _MINUTE
_SPACE_IN_CHINESE: Final = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
_QLOCALE_LIMIT: Final = 2**63  # QLocale takes 64-bit integers


def number(value: int) -> str:
    """Return an integer with the locale's thousands separators: `9,743`."""
    return QLocale().toString(value) if -_QLOCALE_LIMIT <= value < _QLOCALE_LIMIT else str(value)


def decimal(value: float, decimals: int = 3) -> str:
    """Return a number with `decimals` decimal places; a dash if it is not finite."""
    return QLocale().toString(value, "f", decimals) if isfinite(value) else _UNKNOWN


def share(value: float, decimals: int = 1) -> str:
    """Return a share from 0 to 1 as a percentage; a dash if it is not finite."""
    if not isfinite(value):
        return _UNKNOWN
    return translate("Numbers", "{figure}%").format(figure=QLocale().toString(100 * value, "f", decimals))


def signed(value: int) -> str:
    """Return a difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{number(abs(value))}"


def short_number(value: int) -> str:
    """Return an integer in millions with three digits, or exactly if it is smaller: `12.3M`, `9,743`."""
    millions = value / _MILLION
    if millions < 1:
        return number(value)
    decimals = max(0, 2 - len(str(int(millions))) + 1)
    return translate("Numbers", "{figure}M").format(figure=QLocale().toString(millions, "f", decimals))


def counted(count: int, singular: str, plural: str) -> str:
    """Return `singular` for a count of 1, otherwise `plural` with its `{count}` filled in."""
    return singular if count == 1 else plural.format(count=number(count))


def tokens_text(count: int) -> str:
    """Return a number of tokens in words."""
    return counted(count, translate("Numbers", "1 token"), translate("Numbers", "{count} tokens"))


def weight_sign(weight: Fraction) -> str:
    """Return how many times a document counts: `×3`, `×0.1`."""
    return "×" + weight_text(weight)


def size_text(size: int, decimals: int = 1) -> str:
    """Return a number of bytes as a file size, in powers of 1000 as in file managers: `104.9 MB`."""
    return QLocale().formattedDataSize(size, decimals, QLocale.DataSizeFormat.DataSizeSIFormat)


def duration_text(seconds: float) -> str:
    """Return a duration, rounded like an estimate: `12 s`, `3 min 20 s`, `2 h 5 min`."""
    rounded = max(0, round(seconds))
    if rounded < _MINUTE:
        return translate("Numbers", "{seconds} s").format(seconds=number(rounded))
    if rounded < _HOUR:
        return translate("Numbers", "{minutes} min {seconds} s").format(
            minutes=number(rounded // _MINUTE), seconds=number(rounded % _MINUTE)
        )
    return translate("Numbers", "{hours} h {minutes} min").format(
        hours=number(rounded // _HOUR), minutes=number(rounded % _HOUR // _MINUTE)
    )


def joined_sentences(sentences: Iterable[str]) -> str:
    """Return sentences as one text."""
    return _separator(translate("Joining", "{sentence} {sentence}"), "{sentence}").join(sentences)


def listed(items: Iterable[str]) -> str:
    """Return items as a list within a sentence: `a.txt, b.txt`."""
    return _separator(translate("Joining", "{item}, {item}"), "{item}").join(items)


def labelled(label: str, text: str) -> str:
    """Return a text after its label: `tiktoken: not installed`."""
    return translate("Joining", "{label}: {text}").format(label=label, text=text)


def closed_up(text: str) -> str:
    """Return a text without spaces between Chinese characters, as a template leaves them around a Chinese name."""
    return _SPACE_IN_CHINESE.sub("", text)


def with_keys(text: str, keys: str) -> str:
    """Return what an action does, with its keys: `Undo the last merge (Left)`."""
    return translate("Joining", "{text} ({keys})").format(text=text, keys=keys)


def quoted_token(token: bytes) -> str:
    """Return a token in quotation marks, since some are words that would read as part of a sentence."""
    return f"“{token_in_sentence(token)}”"


def example_text(example: str) -> str:
    """Return what an empty field shows, so that the example does not look like what was typed."""
    return translate("Joining", "e.g. {example}").format(example=example)


def _separator(template: str, field: str) -> str:
    """Return the text between two fields; not translated by itself, since it may be empty in another language."""
    return template.removeprefix(field).removesuffix(field)
