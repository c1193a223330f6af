"""The errors a user can cause: a sentence that says what was wrong, where, and what would be right."""

from pathlib import PurePath
from typing import ClassVar, Final

from bpe_gui.engine.runtime.printable import visible

_LONGEST_QUOTATION: Final = 200  # characters


def translatable(context: str, text: str) -> str:
    """Mark `text` for translation and return it unchanged.

    The engine speaks English; whoever shows an error in another language looks `EngineError.template` up under
    `context`. The tool that collects texts for translators finds them by the name of this function.
    """
    del context
    return text


class EngineError(ValueError):
    """A mistake in what the user gave: text, file, recipe or request.

    `template` is the sentence with `{named}` places and `values` what stands there, so that the sentence can be
    translated; `str(error)` is the English sentence.

    >>> str(EngineError("Step {step} does not exist.", step=9))
    'Step 9 does not exist.'
    """

    context: ClassVar[str] = "EngineError"

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = {name: _quotable(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))


def _quotable(value: object) -> object:
    """The value as a sentence can quote it: what a damaged file made endless is cut, and bytes are spelled out."""
    if isinstance(value, PurePath | EngineError):
        return value
    if isinstance(value, bytes):
        return _Token(visible(value[:_LONGEST_QUOTATION]) + "…" * (len(value) > _LONGEST_QUOTATION))
    text = str(value)
    if len(text) <= _LONGEST_QUOTATION:
        return value
    beginning = text[:_LONGEST_QUOTATION] + "…"
    return beginning if isinstance(value, str) else _Beginning(beginning)


class _Beginning(str):
    """How a value begins that is no text: it is written without quotation marks, whatever format is asked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, _format: str) -> str:
        return str(self)


class _Token(str):
    r"""A token spelled for people, in which a backslash is none to be escaped again.

    >>> f"{_Token(visible(b' low'))!r}"
    "'·low'"
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


class RecipeError(EngineError):
    """A recipe has a switch with a value that does not exist or does not fit the others."""


class CorpusError(EngineError):
    """A text or file cannot be read as a corpus."""


class UndecodableFileError(CorpusError):
    """A file is not text in the encoding it was read with; another encoding, or replacing, would help."""


class TrainingError(EngineError):
    """Training cannot do what was asked."""


class TokenizerError(EngineError):
    """A tokenizer cannot be built, or cannot encode or decode what it was given."""


class FormatError(EngineError):
    """A tokenizer or recipe file cannot be written or read."""
