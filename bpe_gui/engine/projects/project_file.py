"""The `.bpe.json` file of a project: what a window holds, written whole or not at all, and read with care.

Texts are in the file; files of the corpus are named in it, with what tells whether they changed. The merges are in it
too, so that they are not lost where a corpus is.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.corpora.documents import FileDocument, TextDocument
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.errors import translatable as _
from bpe_gui.engine.runtime.files import MOST_BYTES, read_text, write_files
from bpe_gui.engine.runtime.bounded_json import Part, parse_bounded
from bpe_gui.engine.projects.project import Digest, OpenedFile, Project, ProjectDocument
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.runtime.printable import from_printable, to_printable
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.tokenization.vocabulary import GREATEST_ID

SUFFIX: Final = ".bpe.json"

_FORMAT: Final = "bpe-gui project"
_VERSION: Final = 1
_SLICE: Final = 1 << 16  # characters, or values, that are written in one go: nobody waits long for a turn
_MOST_SPECIALS: Final = 10_000
_MOST_COUNT: Final = 2**62
_HASH_DIGITS: Final = 64


def save_project(project: Project, path: Path) -> None:
    """Write a project, whole or not at all. Raises FormatError."""
    content = b"".join(_spelled(_as_json(project, path.absolute().parent)))
    if len(content) > MOST_BYTES:
        raise FormatError(
            _(
                "EngineError",
                "The project would take {size:,} bytes; up to {most:,} can be opened again. "
                "Save large texts as files, and open these.",
            ),
            size=len(content),
            most=MOST_BYTES,
        )
    write_files({path: content})


def load_project(path: Path) -> Project:
    """Read a project. Raises FormatError that names the place of what is wrong.

    >>> from tempfile import TemporaryDirectory
    >>> project = Project((), Recipe.of("minbpe"), ("<|end|>",), 300, "low")
    >>> with TemporaryDirectory() as folder:
    ...     save_project(project, Path(folder, "a.bpe.json"))
    ...     load_project(Path(folder, "a.bpe.json")) == project
    True
    """
    if not _is_file(path):
        raise FormatError(_("EngineError", "{path} is no file that can be read."), path=path)
    return _project(parse_bounded(path, read_text(path)), path.absolute().parent)


# -- writing -----------------------------------------------------------------------------------------------------------


def _as_json(project: Project, folder: Path) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "documents": [_document_as_json(document, folder) for document in project.documents],
        "recipe": project.recipe.to_dict(),
        "special_tokens": list(project.special_tokens),
        "vocab_size": project.vocab_size,
        "step": project.step,
        "text": project.text,
        "run": project.run and _run_as_json(project.run),
        "stale": project.stale,
        "opened": project.opened and _opened_as_json(project.opened, folder),
        "saved_as": project.saved_as and str(project.saved_as.absolute()),
    }


def _document_as_json(document: ProjectDocument, folder: Path) -> dict[str, Any]:
    content = document.content
    if isinstance(content, TextDocument):
        file = document.path and _place_as_json(document.path, folder)
        return {"title": document.title, "text": content.text, "file": file}
    return {
        "title": document.title,
        "file": _place_as_json(content.path, folder),
        "encoding": content.encoding,
        "replace_invalid": content.replace_invalid,
        "size": document.digest and document.digest.size,
        "sha256": document.digest and document.digest.sha256,
    }


def _place_as_json(path: Path, folder: Path) -> dict[str, Any]:
    """Where a file is: also as seen from the project's folder, for both may move together."""
    path = path.absolute()
    try:
        relative = Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # it is on another drive
        relative = None
    return {"relative": relative, "absolute": str(path)}


def _opened_as_json(opened: OpenedFile, folder: Path) -> dict[str, Any]:
    special = opened.special_tokens
    return {
        "file": _place_as_json(opened.path, folder),
        "step": opened.step,
        "pattern": opened.pattern,
        "special_tokens": None if special is None else dict(special),
    }


def _run_as_json(run: Tokenizer) -> dict[str, Any]:
    counts = run.merge_counts
    return {
        "recipe": run.recipe.to_dict(),
        "special_tokens": run.special_tokens,
        "vocabulary": [[token_id, to_printable(token)] for token_id, token in run.vocab.items()],
        "merges": [f"{to_printable(left)} {to_printable(right)}" for left, right in run.merges],
        "counts": counts,
    }


def _spelled(value: object, indent: str = "") -> Iterator[bytes]:
    """JSON in UTF-8, piece by piece; half a surrogate pair, which UTF-8 cannot hold, is escaped."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        for number, (name, member) in enumerate(value.items()):
            yield f"{',' if number else '{'}\n{inner}".encode() + _dumped(name) + b": "
            yield from _spelled(member, inner)
        yield b"\n" + indent.encode() + b"}"
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for number, item in enumerate(value):
            yield b",\n" if number else b"[\n"
            yield inner.encode()
            yield from _spelled(item, inner)
        yield b"\n" + indent.encode() + b"]"
    elif isinstance(value, list) and len(value) > 1:
        for start in range(0, len(value), _SLICE):
            yield (b",\n" + indent.encode() if start else b"[") + _dumped(value[start : start + _SLICE])[1:-1]
        yield b"]"
    elif isinstance(value, str):
        yield b'"'
        for start in range(0, len(value), _SLICE):
            yield _dumped(value[start : start + _SLICE])[1:-1]
        yield b'"'
    else:
        yield _dumped(value)


def _dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace")


# -- reading -----------------------------------------------------------------------------------------------------------


def _project(whole: Part, folder: Path) -> Project:
    _check_version(whole)
    run = _run(whole.member("run"))
    opened = whole.member("opened")
    saved_as = whole.member("saved_as")
    text = whole.member("text")
    return Project(
        documents=tuple(_document(part, folder) for part in whole.member("documents").items()),
        recipe=_recipe(whole.member("recipe")),
        special_tokens=_special_tokens(whole.member("special_tokens")),
        vocab_size=whole.member("vocab_size").whole(0, GREATEST_ID),
        text=_valid_text(text),
        run=run,
        step=whole.member("step").whole(0, len(run.merges) if run else 0),
        stale=whole.member("stale").truth(),
        opened=None if opened.is_null else _opened(opened, folder),
        saved_as=None if saved_as.is_null else Path(saved_as.text()).absolute(),
    )


def _check_version(whole: Part) -> None:
    if not isinstance(whole.value, dict) or whole.member("format").value != _FORMAT:
        raise FormatError(_("EngineError", "{path} is no project of bpe-gui."), path=whole.path)
    version = whole.member("version").whole(1, GREATEST_ID)
    if version > _VERSION:
        raise FormatError(
            _(
                "EngineError",
                "{path} was saved by a newer bpe-gui (version {version} of the format); this one is older.",
            ),
            path=whole.path,
            version=version,
        )


def _document(part: Part, folder: Path) -> ProjectDocument:
    title = part.member("title").text()
    text, file = part.member("text"), part.member("file")
    if not text.is_null:
        return ProjectDocument(title, TextDocument(text.text()), None if file.is_null else _place(file, folder))
    digest = _digest(part)
    encoding = part.member("encoding")
    path = _place(file, folder, digest)
    content = FileDocument(path, None if encoding.is_null else encoding.text(), part.member("replace_invalid").truth())
    return ProjectDocument(title, content, path, digest)


def _digest(part: Part) -> Digest | None:
    size, sha = part.member("size"), part.member("sha256")
    if size.is_null and sha.is_null:
        return None
    if len(sha.text()) != _HASH_DIGITS or set(sha.text()) - set("0123456789abcdef"):
        raise sha.wrong(_("EngineError", "{path}: {place} must be 64 hexadecimal digits, not {value!r}."))
    return Digest(size.whole(0, _MOST_COUNT), sha.text())


def _place(part: Part, folder: Path, digest: Digest | None = None) -> Path:
    """Where a file is: where it was as seen from the project, else where it was at all, or is with the same size."""
    relative, absolute = part.member("relative"), Path(part.member("absolute").text()).absolute()
    places = [absolute] if relative.is_null else [Path(os.path.normpath(folder / relative.text())), absolute]
    there = [place for place in places if _is_file(place)]
    same = [place for place in there if digest is not None and place.stat().st_size == digest.size]
    return next(iter(same or there), absolute)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no system takes
        return False


def _valid_text(part: Part) -> str:
    """The text to encode, without half a surrogate pair."""
    return part.text().encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _recipe(part: Part) -> Recipe:
    try:
        return Recipe.from_dict(part.value)
    except EngineError as error:
        raise part.because(error) from error


def _special_tokens(part: Part) -> tuple[str, ...]:
    tokens = [token.text() for token in part.items(_MOST_SPECIALS)]
    try:
        return SpecialTokens(tokens).tokens
    except EngineError as error:
        raise part.because(error) from error


def _special_ids(part: Part) -> dict[str, int]:
    names = _special_tokens(Part(part.path, part.place, list(part.members())))
    return {name: part.member(name).whole(0, GREATEST_ID) for name in names}


def _opened(part: Part, folder: Path) -> OpenedFile:
    pattern, special = part.member("pattern"), part.member("special_tokens")
    return OpenedFile(
        _place(part.member("file"), folder),
        part.member("step").whole(0, GREATEST_ID),
        None if pattern.is_null else pattern.text(),
        None if special.is_null else _special_ids(special),
    )


def _run(part: Part) -> Tokenizer | None:
    if part.is_null:
        return None
    vocab = _vocabulary(part.member("vocabulary"))
    recipe = _recipe(part.member("recipe"))
    merges = _merges(part.member("merges"))
    if recipe.vocabulary == "grow":
        _check_known(part.member("merges"), merges, set(vocab.values()))
    counts = part.member("counts")
    special = part.member("special_tokens")
    try:
        return Tokenizer(
            vocab,
            merges,
            _special_ids(special),
            recipe=recipe,
            merge_counts=None if counts.is_null else _counts(counts, len(merges)),
        )
    except FormatError:
        raise
    except EngineError as error:
        raise part.because(error) from error


def _vocabulary(part: Part) -> Mapping[int, bytes]:
    vocab: dict[int, bytes] = {}
    for index, row in enumerate(part.list()):
        match row:
            case [int(token_id), str(token)] if type(token_id) is int and token_id not in vocab:
                vocab[token_id] = _token(part, index, token)
            case _:
                raise _row(part, index, row).wrong(
                    _("EngineError", "{path}: {place} must be an id that is there once, and a token, not {value!r}.")
                )
    return vocab


def _merges(part: Part) -> list[tuple[bytes, bytes]]:
    merges: list[tuple[bytes, bytes]] = []
    for index, row in enumerate(part.list()):
        match row.split(" ") if isinstance(row, str) else ():
            case [left, right]:
                merges.append((_token(part, index, left), _token(part, index, right)))
            case _:
                raise _row(part, index, row).wrong(
                    _("EngineError", "{path}: {place} must be two tokens with a space between, not {value!r}.")
                )
    return merges


def _check_known(part: Part, merges: list[tuple[bytes, bytes]], known: set[bytes]) -> None:
    for index, (left, right) in enumerate(merges):
        for token in (left, right, left + right):
            if token not in known:
                raise _row(part, index, None).wrong(
                    _("EngineError", "{path}: {place}: the token {token!r} is not in the vocabulary."),
                    token=to_printable(token),
                )


def _row(part: Part, index: int, row: object) -> Part:
    return Part(part.path, f"{part.place}[{index}]", row)


def _token(part: Part, index: int, token: str) -> bytes:
    try:
        return from_printable(token)
    except KeyError as error:
        raise _row(part, index, token).wrong(
            _("EngineError", "{path}: {place} holds {character!r}, which stands for no byte."),
            character=error.args[0],
        ) from error


def _counts(part: Part, merges: int) -> list[int]:
    counts = part.list()
    if len(counts) != merges:
        raise part.wrong(
            _("EngineError", "{path}: {place} must have one count for each of the {merges:,} merges."), merges=merges
        )
    for index, count in enumerate(counts):
        if type(count) is not int or not 0 <= count <= _MOST_COUNT:
            _row(part, index, count).whole(0, _MOST_COUNT)
    return counts
