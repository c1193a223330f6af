"""Tokenizer files: one module a format, each with `save(tokenizer, path)` and `load(path)`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ..errors import FormatError
from ..errors import translatable as _
from ..files import unreadable
from ..tokenizer import Tokenizer
from . import gpt2, minbpe, subword_nmt, tables, tiktoken


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of tokenizer file. `save` returns the files it wrote.

    `files` are the names in a folder. What is a single file may have any name with the ending `suffix`. What is only
    written has no `load`.
    """

    name: str
    files: tuple[str, ...]
    save: Callable[[Tokenizer, Path], list[Path]]
    load: Callable[[Path], Tokenizer] | None
    suffix: str | None = None


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "gpt2": Format("gpt2", (gpt2.VOCAB, gpt2.MERGES, gpt2.TRAINING), gpt2.save, gpt2.load),
        "tiktoken": Format("tiktoken", (tiktoken.FILE,), tiktoken.save, tiktoken.load, tiktoken.SUFFIX),
        "minbpe": Format("minbpe", (minbpe.FILE, minbpe.VOCAB), minbpe.save, minbpe.load, minbpe.SUFFIX),
        "subword-nmt": Format(
            "subword-nmt", (subword_nmt.FILE,), subword_nmt.save, subword_nmt.load, subword_nmt.SUFFIX
        ),
        "csv": Format("csv", tables.CSV_FILES, tables.save_csv, None),
        "tsv": Format("tsv", tables.TSV_FILES, tables.save_tsv, None),
    }
)
"""Every format by name; of those that a folder holds, the first is opened.

`gpt2` is a folder with `vocab.json` and `merges.txt`, `tiktoken` a file of ranks, `minbpe` its model and `subword-nmt`
its codes; `csv` and `tsv` are tables for spreadsheets, two files in a folder.
"""


def save(tokenizer: Tokenizer, path: Path | str, format: str = "gpt2") -> list[Path]:
    """Write a tokenizer, whole or not at all; returns the files written. Raises FormatError."""
    return _format(format).save(tokenizer, Path(path))


def load(path: Path | str, format: str | None = None) -> Tokenizer:
    """Read a tokenizer; without `format` it is recognised by the names of the files. Raises FormatError.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     paths = save(Tokenizer({0: b"l", 1: b"o", 2: b"lo"}, [(b"l", b"o")], recipe="cs336-toy"), folder)
    ...     load(folder).encode("lol")
    [2, 0]
    """
    place = Path(path)
    try:
        known = _format(format or _recognised(place))
        if known.load is None:
            raise FormatError(
                _("EngineError", "{path}: tables ({name}) are for spreadsheets and cannot be opened as a tokenizer."),
                path=place,
                name=known.name,
            )
        return known.load(place)
    except OSError as error:  # already asking whether a file is there may be forbidden
        raise unreadable(place, error) from error


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise FormatError(
            _("EngineError", "There is no tokenizer format named {name!r}; there is {names}."),
            name=name,
            names=", ".join(FORMATS),
        )
    return FORMATS[name]


def _recognised(path: Path) -> str:
    folder = path if path.is_dir() else path.parent
    for name, known in FORMATS.items():
        if known.suffix and path.suffix == known.suffix and not path.is_dir():
            return name
        if (folder / known.files[0]).exists() and (path.is_dir() or path.name in known.files):
            return name
    raise FormatError(
        _("EngineError", "{path} is no tokenizer: a folder with {files} is looked for."),
        path=path,
        files=", ".join(gpt2.FILES_NEEDED),
    )
