"""Text that knows, character by character, which bytes of the original text it stands for."""

from dataclasses import dataclass

from ..kernels.records import Longs


@dataclass(frozen=True, slots=True)
class AlignedText:
    """A text made from another: `starts` and `stops` say for each character which bytes of the original it stands for.

    What was put in stands for no bytes: its start is its stop. Both rise from character to character, or stay.
    """

    text: str
    starts: Longs
    stops: Longs
