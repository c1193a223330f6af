"""How languages take turns in parity-aware training."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Literal, Self, get_args

from bpe_gui.engine.runtime.bounded_json import JsonValue
from bpe_gui.engine.runtime.errors import EngineError, FormatError, TrainingError

Variant = Literal["base", "window"]
Grouping = Literal["folder", "document"]


@dataclass(frozen=True, slots=True)
class Parity:
    """How languages take turns.

    - `ratios`: how much shorter each language's text should become, relative to the others. The turn is the one's whose
      text has become shorter by the smallest part of its ratio. Without ratios, it is the one's with the longest text.
    - `variant`: in `window`, a language whose share of the last `window` turns exceeds `alpha` divided by the number of
      languages is passed over.
    - `global_merges`: how many merges come first that count all languages together.

    - `is_even`: take turns by how much shorter each text has become, as if each language had the ratio 1.
    - `by`: for a plan, what says the language of a document: the folder it is in, or each document is one.

    Raises TrainingError for a value that is not valid.
    """

    ratios: Mapping[str, float] = field(default_factory=dict)
    variant: Variant = "base"
    global_merges: int = 0
    window: int = 100
    alpha: float = 2.0
    is_even: bool = False
    by: Grouping = "folder"

    def __post_init__(self) -> None:
        for name, least in (("global_merges", 0), ("window", 1)):
            if getattr(self, name) < least:
                raise TrainingError(
                    "{name} must be an integer of at least {least}, not {value!r}.",
                    name=name,
                    least=least,
                    value=getattr(self, name),
                )
        for name, kind in (("variant", Variant), ("by", Grouping)):
            if getattr(self, name) not in get_args(kind):
                raise TrainingError(
                    "{name} must be {one!r} or {other!r}, not {value!r}.",
                    name=name,
                    one=get_args(kind)[0],
                    other=get_args(kind)[1],
                    value=getattr(self, name),
                )
        for value in (self.alpha, *self.ratios.values()):
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise TrainingError("The alpha and the ratios must be positive numbers, not {value!r}.", value=value)
        object.__setattr__(self, "ratios", MappingProxyType(dict(self.ratios)))

    def __hash__(self) -> int:
        return hash((tuple(self.ratios.items()), self.variant, self.global_merges, self.is_even, self.by))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process rebuilds the value."""
        return type(self), tuple(self.to_json().values())

    def to_json(self) -> dict[str, Any]:
        """Return the value for JSON."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return values | {"ratios": dict(self.ratios)}

    @classmethod
    def from_json(cls, value: JsonValue) -> Self:
        """Return what `to_json` wrote. Raise EngineError."""
        members = value.members()
        known = [part.name for part in fields(cls)]
        for name, member in members.items():
            if name not in known:
                raise FormatError(
                    "{path}: {place} is not a setting of turns. The settings are {names}.",
                    **member.where,
                    names=tuple(known),
                )
        try:
            return cls(**{name: member.value for name, member in members.items()})
        except EngineError as error:
            raise value.error_from(error) from error

    def language_of(self, folder: str, title: str) -> str:
        """Return the language of a document with this title in a folder, which may be unknown ("")."""
        name = PurePath(title).stem
        return folder or name if self.by == "folder" else name
