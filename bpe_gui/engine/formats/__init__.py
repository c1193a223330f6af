"""Tokenizer files: one module a format, with `contents(tokenizer, path)` of what is written and `load(path)`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import unreadable, write_files
from bpe_gui.engine.projects.project_file import SUFFIX as PROJECT
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.formats import gpt2, minbpe, subword_nmt, tekken, tiktoken
from bpe_gui.engine.formats.gguf import model_file as gguf
from bpe_gui.engine.formats.huggingface import tokenizer_json as huggingface
from bpe_gui.engine.formats.sentencepiece import model_file as sentencepiece
from bpe_gui.engine.formats import spreadsheets as tables
from bpe_gui.engine.formats.huggingface import transformers_folder


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of tokenizer file.

    `files` are the names in a folder. What is a single file may have any name with the ending `suffix`. `contents` says
    what would be written to which files, and raises FormatError for a tokenizer that they cannot hold. What is only
    read has no `contents`, what is only written no `load`. Where other files have the same suffix, `is_one` says
    whether a file is of this format.
    """

    name: str
    files: tuple[str, ...]
    contents: Callable[[Tokenizer, Path], Mapping[Path, str]] | None
    load: Callable[[Path], Tokenizer] | None
    suffix: str | None = None
    is_one: Callable[[Path], bool] | None = None

    def paths(self, path: Path) -> list[Path]:
        """The files that are written for `path`: what ends in the suffix is a file, anything else a folder.

        >>> [path.name for path in FORMATS["minbpe"].paths(Path("my.model"))]
        ['my.model', 'my.vocab']
        """
        if self.suffix and path.suffix == self.suffix:
            return [path.with_suffix(Path(name).suffix) for name in self.files]
        return [path / name for name in self.files]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "transformers": Format(
            "transformers", transformers_folder.FILES, transformers_folder.contents, transformers_folder.load
        ),
        "gpt2": Format("gpt2", (gpt2.VOCAB, gpt2.MERGES, gpt2.TRAINING), gpt2.contents, gpt2.load),
        "tekken": Format("tekken", (tekken.FILE,), None, tekken.load, tekken.SUFFIX, tekken.is_one),
        "huggingface": Format(
            "huggingface",
            (huggingface.FILE,),
            huggingface.contents,
            huggingface.load,
            huggingface.SUFFIX,
            huggingface.is_one,
        ),
        "tiktoken": Format("tiktoken", (tiktoken.FILE,), tiktoken.contents, tiktoken.load, tiktoken.SUFFIX),
        "sentencepiece": Format(
            "sentencepiece",
            (sentencepiece.FILE,),
            None,
            sentencepiece.load,
            sentencepiece.SUFFIX,
            sentencepiece.is_model,
        ),
        "minbpe": Format("minbpe", (minbpe.FILE, minbpe.VOCAB), minbpe.contents, minbpe.load, minbpe.SUFFIX),
        "subword-nmt": Format(
            "subword-nmt", (subword_nmt.FILE,), subword_nmt.contents, subword_nmt.load, subword_nmt.SUFFIX
        ),
        "gguf": Format("gguf", (gguf.FILE,), None, gguf.load, gguf.SUFFIX),
        "csv": Format("csv", tables.CSV_FILES, tables.csv_contents, None),
        "tsv": Format("tsv", tables.TSV_FILES, tables.tsv_contents, None),
    }
)
"""Every format by name; of those that a folder holds, the first is opened: `tokenizer.json` says more than the files
that may lie beside it.

`transformers` is a folder with `tokenizer.json`, `gpt2` one with `vocab.json` and `merges.txt`, `huggingface` a
`tokenizer.json` of any name, `tiktoken` a file of ranks, `minbpe` its model and `subword-nmt` its codes;
`sentencepiece`, `gguf` and `tekken` are only read; `csv` and `tsv` are tables for spreadsheets, two files in a folder.
"""


def save(tokenizer: Tokenizer, path: Path | str, format: str = "gpt2") -> list[Path]:
    """Write a tokenizer, whole or not at all; returns the files written. Raises FormatError."""
    contents = _contents(tokenizer, Path(path), format)
    check_place(next(iter(contents)))
    write_files(contents)
    return list(contents)


def check_place(file: Path) -> None:
    """Raise FormatError where a file stands in the place of a folder that `file` would be in."""
    folders = (folder for folder in file.parents if _is_there(folder))
    nearest = next(folders, None)
    if nearest is not None and not nearest.is_dir():
        raise FormatError(
            _("EngineError", "{path} cannot be written: {nearest} is a file, not a folder."), path=file, nearest=nearest
        )


def check_ending(path: Path, format: str) -> None:
    """Raise FormatError for what is named like a file of another kind: a folder of that name would be made.

    A name like `gpt2-v1.5` has no ending.
    """
    suffix = _format(format).suffix
    if path.is_dir() or path.suffix == suffix or not path.suffix[1:].isalpha():
        return
    if suffix:
        raise FormatError(
            _(
                "EngineError",
                "{path} would be a folder: the format {format} is a file that ends in {suffix}, or a folder without an "
                "ending.",
            ),
            path=path,
            format=format,
            suffix=suffix,
        )
    raise FormatError(
        _(
            "EngineError",
            "{path} would be a folder: the format {format} is written to a folder, which has no such ending.",
        ),
        path=path,
        format=format,
    )


def _is_there(path: Path) -> bool:
    """Whether there is something. Of a place that may not be looked at, writing to it says more."""
    try:
        return path.exists()
    except OSError:
        return False


def obstacle(tokenizer: Tokenizer, format: str) -> FormatError | None:
    """Why files of a format cannot hold a tokenizer; None if they can. Nothing is written.

    >>> print(obstacle(Tokenizer({0: b"l"}, [], recipe="cs336"), "subword-nmt"))
    Codes of subword-nmt merge characters; this tokenizer begins with bytes. Train with characters.
    """
    if _format(format).load is None:
        return None  # tables hold any, and making them takes seconds
    try:
        _contents(tokenizer, Path(), format)
    except FormatError as error:
        return error
    return None


def _contents(tokenizer: Tokenizer, path: Path, format: str) -> Mapping[Path, str]:
    known = _format(format)
    if known.contents is None:
        raise FormatError(_("EngineError", "Files of the format {name} can be read, but not written."), name=known.name)
    return known.contents(tokenizer, path)


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
        known = _format(format or recognised(place))
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


def recognised(path: Path) -> str:
    """The name of the format that a file or folder is of. Raises FormatError if it is of none.

    A file with the suffix of a format that looks like none is of that format: who reads it says what is wrong.
    """
    try:
        if not path.exists():
            raise FormatError(_("EngineError", "{path} is no tokenizer: there is no such file or folder."), path=path)
        if not (path.is_file() or path.is_dir()):  # reading it might never end
            raise FormatError(_("EngineError", "{path} is no tokenizer but a device or a pipe."), path=path)
        found = next((name for name, known in FORMATS.items() if _is_of(known, path)), None)
        is_folder = path.is_dir()
    except OSError as error:
        raise unreadable(path, error) from error
    if found is None and path.name.endswith(PROJECT):
        raise FormatError(
            _("EngineError", "{path} is no tokenizer but a project of bpe-gui: open it in the window."), path=path
        )
    if found is None and not is_folder:
        found = next((known.name for known in reversed(list(FORMATS.values())) if known.suffix == path.suffix), None)
    if found is None:
        raise _no_tokenizer(path, is_folder)
    return found


def _no_tokenizer(path: Path, is_folder: bool) -> FormatError:
    read = [known for known in FORMATS.values() if known.load]
    if is_folder:
        names = [" + ".join(gpt2.FILES_NEEDED) if known.name == "gpt2" else known.files[0] for known in read]
        return FormatError(
            _(
                "EngineError",
                "{path} is no tokenizer: a folder of one has {files}; name the file itself where it has another name.",
            ),
            path=path,
            files=_listed(names),
        )
    return FormatError(
        _("EngineError", "{path} is no tokenizer: a file of one is vocab.json with merges.txt beside it, or {files}."),
        path=path,
        files=_listed(f"*{known.suffix}" for known in read if known.suffix),
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _is_of(known: Format, path: Path) -> bool:
    if path.is_dir():
        file = path / known.files[0]
        is_named = file.exists()
    elif known.suffix and path.suffix == known.suffix:
        file, is_named = path, True
    else:  # one that lies beside the file
        file = path.parent / known.files[0]
        is_named = path.name in known.files and file.exists()
    return is_named and (known.is_one is None or known.is_one(file))
