"""The tokenizers that are compared: where each of them comes from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bpe_gui.engine import EngineError, Tokenizer
from bpe_gui.engine.live_text import LiveText
from bpe_gui.gui.session.branches import Branch
from bpe_gui.gui.session.corpus import RunInputs
from bpe_gui.gui.session.encoded_text import UNKNOWN_ID

from .numbers import TextNumbers


@dataclass(frozen=True, slots=True)
class CurrentStep:
    """The step that the main window shows; the comparison follows it."""

    step: int = 0
    name: str = ""
    """The name of the opened tokenizer or branch that the step is of; empty for the main run."""
    is_last: bool = False
    is_opened: bool = False
    """Whether it is of an opened tokenizer, which may have no name."""


@dataclass(frozen=True, slots=True)
class RunStep:
    """A step of a run; `is_past`: of one that was replaced since."""

    step: int
    is_past: bool = False
    branch: str = ""
    """The name of the branch; empty for the main run."""


@dataclass(frozen=True, slots=True)
class OtherRun:
    """A run of the window that it does not show, as of the step that it shows, or the last; the comparison follows."""

    branch: Branch
    step: int = 0

    @property
    def name(self) -> str:
        """The name of the branch; empty for the main run."""
        return self.branch.name


@dataclass(frozen=True, slots=True)
class TokenizerFile:
    """A tokenizer that was read from a file or folder; `is_guessed`: its pattern, which the file lacks, is GPT-2's."""

    name: str
    path: Path
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class TrainedRecipe:
    """A tokenizer that was trained on the corpus with another recipe; `is_past`: the corpus was changed since."""

    inputs: RunInputs
    vocab_size: int
    is_past: bool = False


Origin = CurrentStep | RunStep | OtherRun | TokenizerFile | TrainedRecipe


class Compared:
    """One of the tokenizers that are compared. `text` is the text to encode with its tokens, None while not shown."""

    def __init__(self, origin: Origin, tokenizer: Tokenizer | None) -> None:
        self.origin = origin
        self.tokenizer: Tokenizer | None = None
        """The tokenizer; None while there is nothing to train on."""
        self.text: LiveText | None = None
        self.numbers: TextNumbers | None = None
        """The numbers of the text; None until they are known, and those of the text before while they are outdated."""
        self.vocab_size: int | None = None
        """The number of entries; None until it is known."""
        self.only_here: int | None = None
        """The number of tokens that no other tokenizer of the comparison has; None until it is known."""
        self.error: EngineError | None = None
        """The reason why the text cannot be encoded, or None."""
        self.keeps_text = True
        """Whether its tokens cover bytes of the text as they are, so that boundaries can be compared."""
        self.kept_parts: set[bytes] = set()
        """Parts of the text that the tokenizer is known to leave as they are."""
        self.use(tokenizer)

    def use(self, tokenizer: Tokenizer | None) -> None:
        """Encode with another tokenizer from now on."""
        self.tokenizer = tokenizer
        self.error = None
        self.kept_parts = set()
        if self.text is not None:
            self.text.encode_with(encodes_anything(tokenizer))

    @property
    def has_marker(self) -> bool:
        """Whether a `</w>` in a token is the end-of-word marker, not text."""
        return self.tokenizer is not None and self.tokenizer.recipe.boundary != "none"

    @property
    def is_shown(self) -> bool:
        """Whether its text is shown."""
        return self.text is not None

    def show(self, text: LiveText) -> None:
        """Show a text from now on; its edits are followed apart."""
        self.error = None
        self.text = text.layer()
        self.text.encode_with(encodes_anything(self.tokenizer))

    def hide(self) -> None:
        """Show no text any more."""
        self.text = None


def encodes_anything(tokenizer: Tokenizer | None) -> Tokenizer | None:
    """Return a tokenizer that gives `UNKNOWN_ID` to symbols without an id."""
    is_strict = tokenizer is not None and tokenizer.unknown_id is None
    return tokenizer.with_unknown_id(UNKNOWN_ID) if tokenizer is not None and is_strict else tokenizer


MOST_SHOWN: Final = 4
"""The number of texts that fit side by side."""
