"""Facts about counts: how words were counted, and in which documents. A counts file has them in its metadata."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Final, NamedTuple

from bpe_gui.engine.runtime.bounded_json import JsonValue, parse_bounded
from bpe_gui.engine.runtime.errors import CorpusError, FormatError
from bpe_gui.engine.text.recipe import CHOICES, Recipe, SpecialText

VERSION: Final = 1
"""The version of the format, incremented whenever older programs could no longer read it."""

MAX_BYTES: Final = 2**62
"""A number larger than any position, size in bytes or sum of counts, so that no sum overflows 64 bits."""


class Source(NamedTuple):
    """A counted document: its name, its stored size in bytes, and how many such bytes come before it."""

    name: str
    size: int
    place: int


class Span(NamedTuple):
    """A counted stretch of the corpus, from `start` up to `stop`, in bytes that include the marks after records."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class CountsFacts:
    """How words were counted, and in which documents."""

    splitter: str
    spaces_kept: bool = False
    special_tokens: tuple[str, ...] = ()
    characters: int = 0
    bytes: int = 0
    weighted: bool = False
    sources: Sequence[Source] = ()
    spans: tuple[Span, ...] = ()
    skipped: int = 0
    specials_kept: bool = False

    @property
    def start(self) -> int:
        """The position in the corpus at which the first counted stretch begins."""
        return self.spans[0].start if self.spans else 0

    @property
    def stop(self) -> int:
        """The position in the corpus at which the last counted stretch ends."""
        return self.spans[-1].stop if self.spans else 0

    @property
    def special_text(self) -> SpecialText:
        """The recipe's `special_text` with which the words were counted."""
        return "kept" if self.specials_kept else "apart"

    def moved(self, distance: int) -> "CountsFacts":
        """Return the facts of the same text `distance` bytes later in the corpus."""
        spans = tuple(Span(start + distance, stop + distance) for start, stop in self.spans)
        sources = tuple(source._replace(place=source.place + distance) for source in self.sources)
        return replace(self, spans=spans, sources=sources)

    def check_fits(self, path: Path, recipe: Recipe, special_tokens: Sequence[str]) -> None:
        """Raise CorpusError unless the recipe and these special tokens would have split text into the same words."""
        if self.splitter != recipe.splitter:
            raise CorpusError(
                "{path} was counted with the splitter {counted}, but the recipe has {wanted}. Use a recipe with the "
                "splitter {counted}, or count the text again.",
                path=path,
                counted=self.splitter,
                wanted=recipe.splitter,
            )
        if recipe.boundary == "prefix" and not self.spaces_kept:
            raise CorpusError(
                "{path} was counted without the spaces before words, but the recipe's boundary=prefix needs them. Use "
                "another recipe, or count the text again with this one.",
                path=path,
            )
        if self.spaces_kept and recipe.boundary != "prefix":
            raise CorpusError(
                "{path} was counted with the spaces before words, which only boundary=prefix can use. Use a recipe "
                "with boundary=prefix, or count the text again.",
                path=path,
            )
        self._check_special_tokens(path, set(special_tokens))
        if self.fitted(recipe) != recipe:
            raise CorpusError(
                "{path} was counted with special_text={counted}, but the recipe has {wanted}. Use another recipe, or "
                "count the text again with this one.",
                path=path,
                counted=self.special_text,
                wanted=recipe.special_text,
            )

    def fitted(self, recipe: Recipe) -> Recipe:
        """Return the recipe with the settings that the counts determine: the splitter, whether words keep the space
        before them, and whether special tokens are text.

        >>> CountsFacts("cl100k").fitted(Recipe.of("minbpe")).splitter
        'cl100k'
        """
        changes = {"splitter": self.splitter}
        if self.special_tokens:
            changes["special_text"] = self.special_text
        if self.spaces_kept != (recipe.boundary == "prefix") and recipe.sentencepiece is None:
            changes["boundary"] = "prefix" if self.spaces_kept else CHOICES["boundary"][0]
        return recipe.with_changes(**changes)

    def _check_special_tokens(self, path: Path, wanted: set[str]) -> None:
        counted = set(self.special_tokens)
        for token in sorted(counted - wanted):
            raise CorpusError(
                "{path} was counted with the special token {token!r}, which is missing here. Add it, or count the text "
                "again without it.",
                path=path,
                token=token,
            )
        for token in sorted(wanted - counted):
            raise CorpusError(
                "{path} was counted without the special token {token!r}. Remove it, or count the text again with it.",
                path=path,
                token=token,
            )

    def to_json(self) -> str:
        """Return the facts as JSON."""
        members = {each.name: getattr(self, each.name) for each in fields(self)}
        sources = [source._asdict() for source in self.sources]
        return json.dumps({"version": VERSION, **members, "sources": sources})

    @classmethod
    def from_json(cls, path: Path, text: str) -> "CountsFacts":
        """Return the facts from a file's JSON. Raise EngineError."""
        root = parse_bounded(path, text)
        version = root.member("version").integer(1, MAX_BYTES)
        if version > VERSION:
            raise CorpusError(
                "{path} has version {version} of the counts file format, but this version of bpe-gui reads only "
                "version {known}. Update bpe-gui to open it.",
                path=path,
                version=version,
                known=VERSION,
            )
        spans = tuple(_span(item) for item in root.member("spans").items())
        if any(one.stop > other.start for one, other in pairwise(spans)):
            raise FormatError("{path}: {place} must be in order and must not overlap.", **root.member("spans").where)
        return cls(
            root.member("splitter").string(),
            root.member("spaces_kept").boolean(),
            tuple(item.string() for item in root.member("special_tokens").items()),
            root.member("characters").integer(0, MAX_BYTES),
            root.member("bytes").integer(0, MAX_BYTES),
            root.member("weighted").boolean(),
            tuple(_source(item) for item in root.member("sources").items()),
            spans,
            root.member("skipped").integer(0, MAX_BYTES),
            # Files of older versions have no such member.
            not (kept := root.member("specials_kept")).is_null and kept.boolean(),
        )


def _span(item: JsonValue) -> Span:
    ends = [number.integer(0, MAX_BYTES) for number in item.items(2)]
    if len(ends) != 2 or ends[0] > ends[1]:
        raise FormatError(
            "{path}: {place} must be the start and the end of a part of the corpus, in bytes.", **item.where
        )
    return Span(*ends)


def _source(item: JsonValue) -> Source:
    numbers = (item.member(name).integer(0, MAX_BYTES) for name in ("size", "place"))
    return Source(item.member("name").string(), *numbers)


def merged_facts(parts: Sequence[CountsFacts]) -> CountsFacts:
    """Return the facts of parts of one corpus together. Raise CorpusError if they cannot be merged."""
    first = parts[0]
    for part in parts:
        _check_alike(first, part)
    spans = sorted(span for part in parts for span in part.spans)
    for one, other in pairwise(spans):
        if one.stop > other.start:
            raise CorpusError(
                "Two parts count the same bytes of the corpus, from byte {start:,} on. Check that no part is given "
                "twice, and set the start of every part or of none.",
                start=other.start,
            )
    return replace(
        first,
        characters=sum(part.characters for part in parts),
        bytes=sum(part.bytes for part in parts),
        weighted=any(part.weighted for part in parts),
        sources=tuple(sorted((source for part in parts for source in part.sources), key=attrgetter("place"))),
        spans=_joined(spans),
        skipped=sum(part.skipped for part in parts),
    )


def _check_alike(one: CountsFacts, other: CountsFacts) -> None:
    if one.splitter != other.splitter:
        raise CorpusError(
            "These counts cannot be merged: some were made with the splitter {one}, others with {other}.",
            one=one.splitter,
            other=other.splitter,
        )
    if one.spaces_kept != other.spaces_kept:
        raise CorpusError(
            "These counts cannot be merged: in some of them words keep the space before them, as boundary=prefix "
            "needs, and in others they do not."
        )
    different = sorted(set(one.special_tokens) ^ set(other.special_tokens))
    if different:
        raise CorpusError(
            "These counts cannot be merged: {token!r} is a special token in some of them, and text in others.",
            token=different[0],
        )
    if one.special_text != other.special_text:
        raise CorpusError(
            "These counts cannot be merged: some were made with special_text={one}, others with {other}.",
            one=one.special_text,
            other=other.special_text,
        )


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Join adjacent stretches, which are in order, and leave out empty ones."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].stop == span.start:
            joined[-1] = Span(joined[-1].start, span.stop)
        elif span.start < span.stop:
            joined.append(span)
    return tuple(joined)


def distances_in_corpus(parts: Sequence[CountsFacts]) -> list[int]:
    """Return how many bytes later in the corpus each part belongs than its facts say.

    Parts that were given positions stay where they are. If all begin at 0, they were counted separately and follow one
    another in this order.

    >>> a, b = (CountsFacts("gpt2", spans=(Span(0, size),)) for size in (5, 9))
    >>> distances_in_corpus([a, b]), distances_in_corpus([a, b.moved(5)])
    ([0, 5], [0, 0])
    """
    if any(part.start for part in parts):
        return [0] * len(parts)
    return distances_end_to_end(parts)


def distances_end_to_end(parts: Sequence[CountsFacts]) -> list[int]:
    """Return how many bytes to move each part by, so that it begins where the one before it ends."""
    distances: list[int] = []
    at = 0
    for part in parts:
        distances.append(at - part.start)
        at += part.stop - part.start
    return distances


def too_large_error() -> CorpusError:
    """Return the error for counts of `MAX_BYTES` or more: the total size of the words, each times its count."""
    return CorpusError("The counts are too large: all words together can have at most {most:,} bytes.", most=MAX_BYTES)
