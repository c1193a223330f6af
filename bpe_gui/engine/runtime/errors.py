"""The errors that users can cause, each with a sentence that says what was wrong, where, and what would be right."""

import sys
from pathlib import Path, PurePath
from typing import Any, ClassVar, Final

from .printable import visible

_LONGEST_QUOTATION: Final = 200  # characters


def translatable(context: str, text: str) -> str:
    """Mark `text` for translation and return it unchanged; lupdate, which collects texts, looks for such calls.

    The sentence of an error needs no mark if it is the first argument of its class.
    """
    del context
    return text


_ = translatable


class EngineError(ValueError):
    """A mistake in the user's input: text, file, recipe or request.

    `template` is the sentence with `{named}` fields, and `values` are the values for these, so that the sentence can be
    translated; `str(error)` is the English sentence. lupdate finds `template` where a class is called with a literal.

    >>> str(EngineError("Step {step} does not exist.", step=9))
    'Step 9 does not exist.'
    """

    context: ClassVar[str] = ""
    """The context of the translation, which is the one in which lupdate collects the first arguments of errors."""

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = {name: _quotable(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))

    @property
    def without_values(self) -> str:
        """The sentence for logs: its values, except for another error's sentence, may quote the user's text."""
        reason = self.values.get("reason")
        return self.template.replace(
            "{reason}", reason.without_values if isinstance(reason, EngineError) else "{reason}"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how another process rebuilds the error, without formatting its sentence again."""
        return _made_again, (type(self), str(self)), vars(self)


def _made_again(kind: type[EngineError], sentence: str) -> EngineError:
    return kind.__new__(kind, sentence)


def _quotable(value: object) -> object:
    """Return `value` as a sentence can quote it: long values truncated, bytes made readable."""
    if isinstance(value, PurePath | EngineError):
        return value
    if isinstance(value, tuple):
        return _Names(value)
    if isinstance(value, bytes):
        return _QuotedToken(visible(value[:_LONGEST_QUOTATION]) + "…" * (len(value) > _LONGEST_QUOTATION))
    try:
        text = str(value)
    except ValueError:  # an integer with more digits than Python converts
        return _Truncated("…")
    if len(text) <= _LONGEST_QUOTATION:
        return value
    beginning = text[:_LONGEST_QUOTATION] + "…"
    return beginning if isinstance(value, str) else _Truncated(beginning)


class _Truncated(str):
    """The beginning of a long value that is not text. It never gets quotation marks, whatever the format says."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, _format: str) -> str:
        return str(self)


class _QuotedToken(str):
    r"""A token made readable by `visible`, whose backslashes must not be escaped a second time.

    >>> f"{_QuotedToken(visible(b' low'))!r}"
    "'·low'"
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"'{self}'"


class _Names(tuple[str, ...]):
    """A list of names in a sentence, kept separate for languages with other commas.

    >>> str(EngineError("The formats are {names}.", names=("csv", "tsv")))
    'The formats are csv, tsv.'
    """

    __slots__ = ()

    def __format__(self, _format: str) -> str:
        return ", ".join(self)


def how_to_install(package: str) -> EngineError:
    """Return the sentence that says how to get an optional package, as a value for the sentence of an error.

    pipx and uv give each program an environment of its own. A program made by PyInstaller cannot be given any.

    >>> str(how_to_install("bpe-gui[counts]"))
    'To install it, run `pip install "bpe-gui[counts]"`.'
    """
    named = f'"{package}"' if "[" in package else package
    if not getattr(sys, "frozen", False):
        return EngineError("To install it, run `{command}`.", command=f"{_installer()} {named}")
    if not package.startswith("bpe-gui"):
        named = f"bpe-gui {named}"
    return EngineError(
        "This copy of bpe-gui cannot be given packages. To use them, install bpe-gui with Python instead: "
        "`pip install {packages}`.",
        packages=named,
    )


def _installer() -> str:
    """Return the command that installs packages beside this program."""
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return "pipx inject bpe-gui"
    return f'uv pip install --python "{environment}"' if (environment / "uv-receipt.toml").exists() else "pip install"


class RecipeError(EngineError):
    """A switch of a recipe has a value that does not exist or does not fit the others."""


class CorpusError(EngineError):
    """A text or file cannot be read as a corpus."""


class UndecodableFileError(CorpusError):
    """A file is not text in the encoding it was read with; another encoding, or replacing characters, would help."""


class BadRecordError(CorpusError):
    """A line or row of a file has no text in the given field; another field, or leaving it out, would help."""

    def __init__(self, template: str, *, text_fields: tuple[str, ...] = (), **values: object) -> None:
        super().__init__(template, **values)
        self.text_fields = text_fields
        """The names of the fields that contain text, if known."""


class TrainingError(EngineError):
    """Training cannot do what was requested."""


class VocabularySizeError(TrainingError):
    """The requested vocabulary size is too small; it must be at least `least` entries."""

    def __init__(self, template: str, *, least: int, **values: object) -> None:
        super().__init__(template, least=least, **values)
        self.least = least


class TokenizerError(EngineError):
    """A tokenizer cannot be built, or cannot encode or decode its input."""


class FormatError(EngineError):
    """A tokenizer or recipe file cannot be written or read."""


class DownloadError(EngineError):
    """A published tokenizer cannot be downloaded, because there is no connection; opening its file would help."""


class LineError(FormatError):
    """A line of a file is wrong: `template` goes on after the path and the number of the line."""

    def __init__(self, template: str, path: PurePath, line: int, **values: object) -> None:
        reason = EngineError(template, **values)
        super().__init__(_("", "{path}, line {line}: {reason}"), path=path, line=line, reason=reason)
