"""Guided tours: sentences to read beside the window while the tour operates it, one TOML file each.

A tour in which the reader does something, and the window checks it, is a lesson. The shipped ones are in
`resources/tours`, in the order of their names. A teacher may write others; the first file there says how.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine import TokenPair, read_text

from .engine import EngineError
from .resources import resource
from .samples import Sample, samples

_FALLBACK_LANGUAGE = "en"
_STOP_KEYS: Final[dict[str, type]] = {
    **{"say": dict, "show": str, "step": int, "text": str, "select": str},
    **{"expect": dict, "right": dict, "wrong": dict},
}
_EXPECT_KEYS: Final[dict[str, type]] = {
    **{"step": int, "pair": list, "select": str, "text": str, "banned": list, "tokenizer": bool}
}
_TOUR_KEYS: Final[dict[str, type]] = {"title": dict, "sample": str, "tokenizer": bool, "stop": list}
_STOP_EXAMPLES: Final = 'say.en = "…", show = "timeline", step = 3, text = "…", select = "the", expect.step = 4'
_EXPECT_EXAMPLES: Final = (
    'step = 4, pair = ["s", "t"], select = "st", text = "…", banned = ["s", "t"], tokenizer = true'
)
_TOUR_EXAMPLES: Final = 'title.en = "…", sample = "cs336.txt", tokenizer = true, [[stop]]'


LAST_STEP: Final = -1
"""Stands for the last known step."""

_STEPS: Final = range(LAST_STEP, 10_000_001)
_MAX_BYTES: Final = 1_000_000
_DEEPEST: Final = 20
"""The deepest nesting of brackets, and the most parts of a dotted key; far more would exhaust Python's parser."""
# For `regex`, since possessive repeats of groups are wrong in `re` of Python 3.11.2.
_STRINGS: Final = (
    r'''(?s)"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|#[^\n]*+'''
)
_NESTING: Final = r"[\[\]{}.\n]"


@dataclass(frozen=True, slots=True)
class Expected:
    """An action that a stop waits for: exactly one of these is set."""

    step: int | None = None
    """The cursor is at this step, or beyond it."""
    pair: TokenPair | None = None
    """This pair is selected."""
    select: bytes | None = None
    """This token is selected."""
    text: str | None = None
    """The text to encode contains this one."""
    banned: TokenPair | None = None
    """The run on screen never merges this pair."""
    tokenizer: bool = False
    """An opened tokenizer is on screen."""


@dataclass(frozen=True, slots=True)
class TourStop:
    """A stop of a tour: what is said and shown there, and what the window does first. None changes nothing."""

    sentences: Mapping[str, str]
    """The sentence of the stop in each language, by the name of its locale, such as `en` or `zh_CN`."""
    show: str
    """The object name of the widget to point at; empty for none."""
    step: int | None
    """The step to go to, or `LAST_STEP`."""
    text: str | None
    """The text to encode."""
    select: str | None
    """The token to follow through all panels; empty for none."""
    expected: Expected | None
    """The action without which the tour does not go on, or None."""
    right: Mapping[str, str]
    """The praise when it is done, by the name of a locale; may be empty."""
    wrong: Mapping[str, str]
    """The answer when something else of the same kind was done; may be empty."""

    def sentence(self, language: str) -> str:
        """Return the sentence in `language`, the name of a locale, or in English if there is none."""
        return in_language(self.sentences, language)


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour: the sample it opens, if any, and where it stops. `name` is its file's name, without the suffix."""

    name: str
    titles: Mapping[str, str]
    sample: Sample | None
    stops: tuple[TourStop, ...]

    @property
    def is_lesson(self) -> bool:
        """Whether the reader has to do something in it."""
        return any(stop.expected for stop in self.stops)

    def title(self, language: str) -> str:
        """Return the title in `language`, the name of a locale, or in English if there is none."""
        return in_language(self.titles, language)


def in_language(texts: Mapping[str, str], language: str) -> str:
    """Return the text in `language`, the name of a locale, or in English if there is none, or nothing."""
    return texts.get(language, texts.get(_FALLBACK_LANGUAGE, ""))


@cache
def tours() -> tuple[Tour, ...]:
    """Return the shipped tours, in the order of their files' names. They are read once."""
    return tuple(read_tour(path) for path in sorted(resource("tours").glob("*.toml")))


def lesson_after(tour: Tour) -> Tour | None:
    """Return the lesson that follows one of the shipped lessons; None after the last one or any other tour."""
    lessons = pairwise(each for each in tours() if each.is_lesson)
    return next((following for each, following in lessons if each.name == tour.name), None)


def read_tour(path: Path) -> Tour:
    """Return the tour in a file. Raise EngineError, naming the place, if it is not a tour."""
    text = read_text(path, _MAX_BYTES)
    _check_nesting(text, path)
    try:
        content = tomllib.loads(text)
    except ValueError as error:
        raise EngineError("{path} is not a tour: it is not valid TOML ({reason}).", path=path, reason=error) from error
    _check(content, _TOUR_KEYS, _TOUR_EXAMPLES, path, "the tour")
    for number, stop in enumerate(content.get("stop", ()), 1):
        _check(stop, _STOP_KEYS, _STOP_EXAMPLES, path, f"stop {number}")
        if (step := stop.get("step", 0)) not in _STEPS:
            raise _invalid("step", step, _STOP_EXAMPLES, path, f"stop {number}")
    stops = _stops(content, path)
    if content.get("tokenizer"):  # in older files, this means that the first stop waits for one
        stops = (replace(stops[0], expected=stops[0].expected or Expected(tokenizer=True)), *stops[1:])
    return Tour(
        name=path.stem,
        titles=_texts(content, "title", path, "the tour"),
        sample=_sample(content["sample"], path) if "sample" in content else None,
        stops=stops,
    )


def _check_nesting(text: str, path: Path) -> None:
    """Raise EngineError for brackets or dotted keys so deep that parsing them would take long or fail."""
    import regex  # only reading a tour needs it

    depth = dots = 0
    line = 1
    for match in regex.finditer(_NESTING, regex.sub(_STRINGS, lambda string: "\n" * string[0].count("\n"), text)):
        if match[0] == "\n":
            line, dots = line + 1, 0
        elif match[0] == ".":
            dots += 1
        else:
            depth += 1 if match[0] in "[{" else -1
        if max(depth, dots) > _DEEPEST:
            raise EngineError(
                "{path} is not a tour: line {line} nests brackets or dotted keys too deeply.", path=path, line=line
            )


def _stops(content: dict[str, Any], path: Path) -> tuple[TourStop, ...]:
    if not content.get("stop"):
        raise EngineError("{path} is not a tour: it has no [[stop]].", path=path)
    return tuple(
        TourStop(
            sentences=_texts(stop, "say", path, f"stop {number}"),
            show=stop.get("show", ""),
            step=stop.get("step"),
            text=stop.get("text"),
            select=stop.get("select"),
            expected=_expected(stop["expect"], path, f"stop {number}") if "expect" in stop else None,
            right=_texts(stop, "right", path, f"stop {number}") if "right" in stop else {},
            wrong=_texts(stop, "wrong", path, f"stop {number}") if "wrong" in stop else {},
        )
        for number, stop in enumerate(content["stop"], 1)
    )


def _expected(table: dict[str, Any], path: Path, place: str) -> Expected:
    _check(table, _EXPECT_KEYS, _EXPECT_EXAMPLES, path, f"expect of {place}")
    match table:
        case {"step": int(step), **others} if not others and step in _STEPS[1:]:
            return Expected(step=step)
        case {"pair": [str(left), str(right)], **others} if not others:
            return Expected(pair=(left.encode(), right.encode()))
        case {"select": str(token), **others} if not others:
            return Expected(select=token.encode())
        case {"text": str(text), **others} if not others:
            return Expected(text=text)
        case {"banned": [str(left), str(right)], **others} if not others:
            return Expected(banned=(left.encode(), right.encode()))
        case {"tokenizer": True, **others} if not others:
            return Expected(tokenizer=True)
    raise _invalid("expect", table, _EXPECT_EXAMPLES, path, place)


def _check(table: Any, keys: dict[str, type], examples: str, path: Path, place: str) -> None:
    """Raise EngineError, with valid examples, for a key that tours do not have, or for a value of another type."""
    for key, value in table.items() if isinstance(table, dict) else [("stop", table)]:
        if key not in keys or type(value) is not keys[key]:
            raise _invalid(key, value, examples, path, place)


def _invalid(key: str, value: object, examples: str, path: Path, place: str) -> EngineError:
    return EngineError(
        "{path} is not a tour: {key} = {value!r} in {place} is not valid. Valid examples: {examples}.",
        path=path,
        key=key,
        value=value,
        place=place,
        examples=examples,
    )


def _texts(table: dict[str, Any], key: str, path: Path, place: str) -> dict[str, str]:
    texts = table.get(key, {})
    if not isinstance(texts.get(_FALLBACK_LANGUAGE), str) or not all(isinstance(text, str) for text in texts.values()):
        raise EngineError(
            "{path} is not a tour: {place} needs {key}.en, a text in quotation marks.", path=path, place=place, key=key
        )
    return dict(texts)


def _sample(name: str, path: Path) -> Sample:
    for sample in samples():
        if sample.path.name == name:
            return sample
    names = ", ".join(sample.path.name for sample in samples())
    raise EngineError(
        "{path} is not a tour: {name!r} is not one of the samples {names}.", path=path, name=name, names=names
    )
