"""The sample corpora of the Samples menu, which `resources/samples/samples.toml` lists."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .resources import resource

_FALLBACK_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Sample:
    """A corpus that is shipped with the program, with settings that suit it.

    Exactly one of `num_merges` and `vocab_size` is a number; the other is None.
    """

    path: Path
    titles: Mapping[str, str] = field(hash=False)
    """The title in each language, by the name of its locale, such as `en` or `zh_CN`."""
    notes: Mapping[str, str] = field(hash=False)
    """A sentence on what can be seen in this sample, by the name of a locale."""
    words: str
    """Other words by which people may look for it."""
    recipe: str
    """The name of a preset."""
    special_tokens: tuple[str, ...]
    num_merges: int | None
    vocab_size: int | None
    text: str
    """The text to encode at first."""
    default: bool
    """Whether the window opens on this sample."""

    def title(self, language: str) -> str:
        """Return the title in `language`, the name of a locale such as `zh_CN`, or in English if there is none."""
        return self.titles.get(language, self.titles[_FALLBACK_LANGUAGE])

    def note(self, language: str) -> str:
        """Return the note in `language`, the name of a locale such as `zh_CN`, or in English if there is none."""
        return self.notes.get(language, self.notes[_FALLBACK_LANGUAGE])

    def read(self) -> str:
        """Return the whole corpus, with `\\n` at the ends of lines even if a checkout has turned them into `\\r\\n`."""
        return self.path.read_text(encoding="utf-8")


@cache
def samples() -> tuple[Sample, ...]:
    """Return all samples in the order of the menu. The list is read once, each text when it is needed."""
    listing = resource("samples", "samples.toml").read_text(encoding="utf-8")
    return tuple(
        Sample(
            path=resource("samples", entry["file"]),
            titles=entry["title"],
            notes=entry["note"],
            words=entry.get("words", ""),
            recipe=entry["recipe"],
            special_tokens=tuple(entry["special_tokens"]),
            num_merges=entry.get("num_merges"),
            vocab_size=entry.get("vocab_size"),
            text=entry["text"],
            default=entry.get("default", False),
        )
        for entry in tomllib.loads(listing)["sample"]
    )


def sample_with(text: str) -> Sample | None:
    """Return the sample whose whole corpus is `text`, or None."""
    return _by_text().get(text)


@cache
def _by_text() -> Mapping[str, Sample]:
    return {sample.read(): sample for sample in samples()}


def title_in(language: str, title: str) -> str:
    """Return the title of a sample, which may be in another language, in `language`; any other title as it is."""
    sample = _by_title().get(title)
    return sample.title(language) if sample else title


@cache
def _by_title() -> Mapping[str, Sample]:
    return {title: sample for sample in samples() for title in sample.titles.values()}


def default_sample() -> Sample:
    """Return the sample that the window opens with when it is started without arguments."""
    return next(sample for sample in samples() if sample.default)
