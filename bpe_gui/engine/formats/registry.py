"""The table of tokenizer formats, and `save`. `opening.py` finds the format of a file, and reads it.

The table has the names of a format's files in a folder, which is recognised by the first of them. If the format is a
single file that may have any name, it has the suffix, in lower case and with the dot. The rest is in a module in this
package, which is imported when a file is loaded or saved:

- `load(path) -> Tokenizer`, unless the format is only written. `path` is the file, or the folder of a format without a
  suffix. It may be damaged or hostile: raise FormatError, or another EngineError, with a sentence that says what is
  wrong, where, and what would be right;
- `contents(tokenizer, path) -> {file: content}`, unless the format is only read. It writes nothing. Raise FormatError
  for a tokenizer that would not give the same ids when loaded again. A format that is only written takes any tokenizer;
- `recognises(path) -> bool`, if other formats have the same suffix: return whether the first bytes of a file look like
  this format. It may raise FormatError.

CONTRIBUTING.md, “Add a file format”, has the steps.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import Content, is_folder, is_there, write_files
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .files import suffix_of

PROJECT_SUFFIX: Final = ".bpe.json"
"""The suffix of project files, which are not tokenizers but may be mistaken for them."""

_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Format:
    """A format of tokenizer files; the module's docstring explains its parts."""

    name: str
    files: tuple[str, ...]
    contents: Callable[[Tokenizer, Path], Mapping[Path, Content]] | None
    """None if the format is only read."""
    load: Callable[..., Tokenizer] | None
    """None if the format is only written."""
    suffix: str | None = None
    recognises: Callable[[Path], bool] | None = None
    needs_pattern: bool = False
    """Whether files do not say how text is split, so `load` also takes `pattern` and `special_tokens`."""

    others: tuple[str, ...] = ()
    """The names of further files in a folder, by which it can be opened as well."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all files in a folder by which it can be opened."""
        return (*self.files, *self.others)

    @property
    def prefixed(self) -> tuple[str, ...]:
        """The names that begin with any prefix."""
        return tuple(name for name in self.others if name.startswith("*"))

    def paths(self, path: Path) -> list[Path]:
        """Return the files that saving to `path` writes: a path with the suffix is a file, any other a folder.

        >>> [path.name for path in FORMATS["minbpe"].paths(Path("my.model"))]
        ['my.model', 'my.vocab']
        """
        if self.suffix and suffix_of(path) == self.suffix:
            suffixes = [Path(name).suffix for name in self.files]
            return [path if suffix == self.suffix else path.with_suffix(suffix) for suffix in suffixes]
        return [path / name for name in self.files]


def _later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module in this package, which is imported on the first call: many import all pipelines."""

    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(module, __package__), name)(*arguments, **options)

    return call


def _format(
    name: str,
    files: tuple[str, ...],
    module: str,
    suffix: str | None = None,
    *,
    parts: tuple[str, ...] = ("contents", "load"),
    recognises: Callable[[Path], bool] | None = None,
    needs_pattern: bool = False,
    others: tuple[str, ...] = (),
) -> Format:
    """Return the format of a module that has these `parts`, as listed in the docstring above."""

    def part(name: str) -> Callable[..., Any] | None:
        return _later(module, name) if name in parts else None

    return Format(
        name, files, part("contents"), part("load"), suffix, recognises or part("recognises"), needs_pattern, others
    )


_ALL: Final = ("contents", "load", "recognises")

_FORMATS: Final = (
    _format(
        "transformers",
        ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
        ".transformers_folder",
        recognises=_later(".gpt2", "belongs_to_model"),
        others=("vocab.json", "merges.txt"),
    ),
    _format(
        "gpt2",
        ("vocab.json", "merges.txt", "training.json"),
        ".gpt2",
        parts=_ALL,
        others=("encoder.json", "vocab.bpe", "*-vocab.json", "*-merges.txt"),
    ),
    _format("tekken", ("tekken.json",), ".tekken", ".json", parts=("load", "recognises")),
    _format("tiktoken-json", ("ranks.json",), ".tiktoken_json", ".json", parts=("load", "recognises")),
    _format("huggingface", ("tokenizer.json",), ".tokenizer_json", ".json", parts=_ALL),
    _format("tiktoken", ("tokenizer.tiktoken",), ".tiktoken", ".tiktoken", needs_pattern=True),
    _format("sentencepiece", ("tokenizer.model",), ".sentencepiece", ".model", parts=_ALL),
    _format("minbpe", ("minbpe.model", "minbpe.vocab"), ".minbpe", ".model"),
    _format("subword-nmt", ("tokenizer.codes",), ".subword_nmt", ".codes"),
    _format("clip", ("bpe_simple_vocab_16e6.txt.gz",), ".clip", ".gz", parts=("load", "recognises")),
    _format("gguf", ("model.gguf",), ".gguf", ".gguf"),
    Format("csv", ("merges.csv", "vocabulary.csv"), _later(".spreadsheets", "csv_contents"), None),
    Format("tsv", ("merges.tsv", "vocabulary.tsv"), _later(".spreadsheets", "tsv_contents"), None),
)
FORMATS: Mapping[str, Format] = MappingProxyType({known.name: known for known in _FORMATS})
"""All formats by name. If a folder has files of several formats, the first of these is loaded: `tokenizer.json` says
more than the files that may be next to it.

`transformers` is a folder with `tokenizer.json`, `gpt2` a folder with `vocab.json` and `merges.txt`, `huggingface` a
`tokenizer.json` of any name, `tiktoken` a file of ranks. `minbpe`, `subword-nmt` and `sentencepiece` are the files of
these packages. `clip` is CLIP's file of merges, `tiktoken-json` are ranks as JavaScript packages ship them. `gguf`
is a model of llama.cpp, of which only the vocabulary is written. `tekken`, `clip` and `tiktoken-json` are only read.
`csv` and `tsv` are folders with two tables for spreadsheets, and are only written.
"""


def format_named(name: str) -> Format:
    """Return the format with this name. Raise FormatError if there is none."""
    if name not in FORMATS:
        raise FormatError(
            "Unknown tokenizer format {name!r}. The formats are {names}.", name=name, names=tuple(FORMATS)
        )
    return FORMATS[name]


@contextmanager
def logging_refusal(action: str, path: Path) -> Iterator[None]:
    """Log an EngineError by its template: its values may quote the user's text."""
    try:
        yield
    except EngineError as error:
        _logger.info("%s %s refused: %s", action, path.name, error.without_values)
        raise


# -- saving -------------------------------------------------------------------------------------------------------


def save(tokenizer: Tokenizer, path: Path | str, format: str = "gpt2") -> list[Path]:
    """Write a tokenizer to files, all of them or none, and return their paths. Raise FormatError.

    `path` is a file if it has the suffix of the format, and a folder otherwise.
    """
    path = Path(path)
    with logging_refusal("Saving", path):
        contents = _contents(tokenizer, path, format)
        check_parent_folder(next(iter(contents)))
        write_files(contents)
    _logger.info("Saved %d merges as %s: %s", tokenizer.position, format, ", ".join(file.name for file in contents))
    return list(contents)


def _contents(tokenizer: Tokenizer, path: Path, format: str) -> Mapping[Path, Content]:
    known = format_named(format)
    if known.contents is None:
        raise FormatError("The format {name} can be read, but not written.", name=known.name)
    return known.contents(tokenizer, known.paths(path)[0] if known.suffix else path)


def save_obstacle(tokenizer: Tokenizer, format: str) -> FormatError | None:
    """Return the error that saving a tokenizer in a format would raise, or None. Nothing is written.

    >>> print(save_obstacle(Tokenizer({0: b"l"}, [], recipe="cs336"), "subword-nmt"))
    subword-nmt merges characters, but this tokenizer starts from bytes. Set units to characters and train again.
    """
    if format_named(format).load is None:
        return None  # only written, so there is nothing to give the same ids; making the tables takes seconds
    try:
        _contents(tokenizer, Path(), format)
    except FormatError as error:
        return error
    return None


def check_parent_folder(file: Path) -> None:
    """Raise FormatError if the folder of `file` cannot be created because a file has its name."""
    nearest = next(filter(is_there, file.parents), None)  # none that we may not see: writing gives a clearer error
    if nearest is not None and not is_folder(nearest):
        raise FormatError("{path} cannot be written: {nearest} is a file, not a folder.", path=file, nearest=nearest)


def check_suffix(path: Path, format: str) -> None:
    """Raise FormatError if `path` has the suffix of another kind of file, since saving would create a folder.

    A path that ends in a number, like `gpt2-v1.5`, has no suffix.
    """
    suffix = format_named(format).suffix
    if is_folder(path) or suffix_of(path) == suffix or not path.suffix[1:].isalpha():
        return
    if suffix:
        raise FormatError(
            "{path} would become a folder. For the format {format}, use a file name that ends in {suffix}, or a folder "
            "name without an extension.",
            path=path,
            format=format,
            suffix=suffix,
        )
    raise FormatError(
        "{path} looks like a file, but the format {format} is written to a folder. Use a name without an extension.",
        path=path,
        format=format,
    )
