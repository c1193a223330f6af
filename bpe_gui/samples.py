"""The corpora of the Samples menu, as `resources/samples/samples.toml` lists them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bpe_gui.resources import resource

_FALLBACK_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Sample:
    """A corpus that is shipped with the program, and the settings under which it is worth watching.

    Exactly one of `num_merges` and `vocab_size` is a number; the other is None.
    """

    path: Path
    titles: Mapping[str, str] = field(hash=False)
    """From a locale's name, such as `en` or `zh_CN`, to the title in that language."""
    notes: Mapping[str, str] = field(hash=False)
    """One sentence in each language on what there is to see."""
    recipe: str
    """The name of a preset."""
    special_tokens: tuple[str, ...]
    num_merges: int | None
    vocab_size: int | None
    text: str
    """What the encode box holds at first."""
    default: bool
    """Whether the window opens on this sample."""

    def title(self, language: str) -> str:
        """The title in `language`, a locale's name such as `zh_CN`; in English where there is none."""
        return self.titles.get(language, self.titles[_FALLBACK_LANGUAGE])

    def note(self, language: str) -> str:
        """The note in `language`, a locale's name such as `zh_CN`; in English where there is none."""
        return self.notes.get(language, self.notes[_FALLBACK_LANGUAGE])

    def read(self) -> str:
        """The whole corpus. Line ends are `\\n`, also where a checkout has turned them into `\\r\\n`."""
        return self.path.read_text(encoding="utf-8")


@cache
def samples() -> tuple[Sample, ...]:
    """All samples in the order of the menu. Read once; the texts themselves are read when asked for."""
    listing = resource("samples", "samples.toml").read_text(encoding="utf-8")
    return tuple(
        Sample(
            path=resource("samples", entry["file"]),
            titles=entry["title"],
            notes=entry["note"],
            recipe=entry["recipe"],
            special_tokens=tuple(entry["special_tokens"]),
            num_merges=entry.get("num_merges"),
            vocab_size=entry.get("vocab_size"),
            text=entry["text"],
            default=entry.get("default", False),
        )
        for entry in tomllib.loads(listing)["sample"]
    )


def default_sample() -> Sample:
    """The sample that the window opens on when it is started without arguments."""
    return next(sample for sample in samples() if sample.default)
