"""Save projects to `.bpe.json` files, atomically, and load them, checking every value.

Texts are stored in the file. Corpus files are referenced by path, with a digest that shows whether they have changed.
Merges are stored, too, so they survive the loss of a corpus.
"""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from bpe_gui.engine.corpora.documents import USUAL_FIELD, FileDocument, TextDocument
from bpe_gui.engine.corpora.weights import ONCE, weight_of, weight_text
from bpe_gui.engine.formats import tokenizer_json
from bpe_gui.engine.runtime.bounded_json import MAX_VALUES, JsonValue, has_too_many_values, parse_bounded
from bpe_gui.engine.runtime.errors import EngineError, FormatError
from bpe_gui.engine.runtime.files import MAX_BYTES, is_file, read_text, write_files
from bpe_gui.engine.runtime.printable import to_printable
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens
from bpe_gui.engine.tokenization.config import TokenizerConfig
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.plan import Plan, pairs_in, token_in
from bpe_gui.engine.vocabulary.entries import MAX_ID

from .project import Digest, OpenedFile, Project, ProjectBranch, ProjectDocument

_FORMAT: Final = "bpe-gui project"
_VERSION: Final = 1
_SLICE: Final = 1 << 16
"""Characters or values to serialise at a time, so that other threads do not wait long for the GIL."""
_MAX_SPECIAL_TOKENS: Final = 10_000
_MAX_COUNT: Final = 2**62
_MAX_BRANCHES: Final = 1_000
_HASH_DIGITS: Final = 64
_REPLAY: Final = "replay"
_BASE: Final = "base"

_logger: Final = logging.getLogger(__name__)


def save_project(project: Project, path: Path) -> None:
    """Write a project to a file, atomically. Raise FormatError."""
    content = b"".join(_serialise(_project_to_json(project, path.absolute().parent)))
    if len(content) > MAX_BYTES:
        raise FormatError(
            "The project would be {size:,} bytes, but only projects of up to {most:,} bytes can be opened again. Save "
            "large texts as files and open those instead, or delete branches.",
            size=len(content),
            most=MAX_BYTES,
        )
    if has_too_many_values(content.decode()):
        raise FormatError(
            "The project has too many merges to be opened again: with their tokens and counts, its file would contain "
            "more than {most:,} values. Delete branches, or train to a smaller vocabulary.",
            most=MAX_VALUES,
        )
    write_files({path: content})
    _logger.info("Saved a project of %d bytes as %s", len(content), path.name)


def load_project(path: Path) -> Project:
    """Read a project from a file. Raise FormatError, with the location of any wrong value.

    >>> from tempfile import TemporaryDirectory
    >>> project = Project((), Recipe.of("minbpe"), ("<|end|>",), 300, "low")
    >>> with TemporaryDirectory() as folder:
    ...     save_project(project, Path(folder, "a.bpe.json"))
    ...     load_project(Path(folder, "a.bpe.json")) == project
    True
    """
    if not is_file(path):
        raise FormatError("{path} is not a readable file.", path=path)
    project = _read_project(parse_bounded(path, read_text(path)), path.absolute().parent)
    _logger.info("Loaded the project %s: %d documents", path.name, len(project.documents))
    return project


# -- writing -----------------------------------------------------------------------------------------------------------


def _project_to_json(project: Project, folder: Path) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "documents": [_document_to_json(document, folder) for document in project.documents],
        "recipe": project.recipe.to_dict(),
        "special_tokens": list(project.special_tokens),
        "vocab_size": project.vocab_size,
        "step": project.step,
        "text": project.text,
        "run": project.run and _run_to_json(project.run),
        "stale": project.stale,
        "plan": _plan_to_json(project.plan, project.run),
        "branches": [_branch_to_json(branch) for branch in project.branches],
        "shown_branch": project.shown_branch,
        "opened": project.opened and _opened_to_json(project.opened, folder),
        "also_opened": [_opened_to_json(opened, folder) for opened in project.also_opened],
        "saved_as": project.saved_as and str(project.saved_as.absolute()),
    }


def _document_to_json(document: ProjectDocument, folder: Path) -> dict[str, Any]:
    weight = {} if document.weight == ONCE else {"weight": weight_text(document.weight)}
    return _content_to_json(document, folder) | weight


def _content_to_json(document: ProjectDocument, folder: Path) -> dict[str, Any]:
    content = document.content
    if isinstance(content, TextDocument):
        file = document.path and _path_to_json(document.path, folder)
        return {"title": document.title, "text": content.text, "file": file}
    records = {"field": content.field, "skip_bad_lines": content.skip_bad_lines} if content.has_records else {}
    return {
        "title": document.title,
        "file": _path_to_json(content.path, folder),
        "encoding": content.encoding,
        "replace_invalid": content.replace_invalid,
        **records,
        "size": document.digest and document.digest.size,
        "sha256": document.digest and document.digest.sha256,
    }


def _path_to_json(path: Path, folder: Path) -> dict[str, Any]:
    """Return a path both absolute and relative to the project's folder, in case the file moves with the folder."""
    path = path.absolute()
    try:
        relative = Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # on Windows: the two are on different drives
        relative = None
    return {"relative": relative, "absolute": str(path)}


def _opened_to_json(opened: OpenedFile, folder: Path) -> dict[str, Any]:
    special_tokens = opened.special_tokens
    return {
        "file": _path_to_json(opened.path, folder),
        "step": opened.step,
        "pattern": opened.pattern,
        "special_tokens": None if special_tokens is None else dict(special_tokens),
        "published_name": opened.published_name or None,
    }


def _run_to_json(run: Tokenizer) -> dict[str, Any]:
    return {
        "recipe": run.recipe.to_dict(),
        "special_tokens": run.special_tokens,
        "vocabulary": [[token_id, to_printable(token)] for token_id, token in run.vocab.items()],
        "merges": [f"{to_printable(left)} {to_printable(right)}" for left, right in run.merges],
        "counts": run.merge_counts,
    }


def _branch_to_json(branch: ProjectBranch) -> dict[str, Any]:
    return {
        "name": branch.name,
        "recipe": branch.recipe.to_dict(),
        "plan": _plan_to_json(branch.plan, branch.run),
        "run": branch.run and _run_to_json(branch.run),
        "step": branch.step,
    }


def _plan_to_json(plan: Plan, run: Tokenizer | None) -> dict[str, Any] | None:
    """Return a plan as JSON. If the run begins with the merges to replay, only their number is written."""
    if not plan:
        return None
    content = plan.to_json()
    if plan.base is not None and (base := _base_to_json(plan.base)):
        content[_BASE] = base
    count = len(plan.replay)
    if run is not None and count and tuple(run.merges[:count]) == plan.replay:
        content[_REPLAY] = count
    return content


def _base_to_json(base: Tokenizer) -> dict[str, Any] | None:
    """Return the steps of a tokenizer that a run continues; None if no `tokenizer.json` can have them."""
    text = None
    if base.pipeline is not None:
        try:
            (text,) = tokenizer_json.contents(base, Path("tokenizer.json")).values()
        except FormatError:
            return None
    return {
        "merges": base.position,
        "tokenizer": text,
        "config": dict(base.config.values),
        "files": dict(base.config.files),
    }


def _serialise(value: object, indent: str = "") -> Iterator[bytes]:
    """Yield JSON in UTF-8, piece by piece; a lone surrogate, which UTF-8 cannot represent, is escaped."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        for index, (name, member) in enumerate(value.items()):
            yield f"{',' if index else '{'}\n{inner}".encode() + _dump(name) + b": "
            yield from _serialise(member, inner)
        yield b"\n" + indent.encode() + b"}"
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for index, item in enumerate(value):
            yield b",\n" if index else b"[\n"
            yield inner.encode()
            yield from _serialise(item, inner)
        yield b"\n" + indent.encode() + b"]"
    elif isinstance(value, list) and len(value) > 1:
        for start in range(0, len(value), _SLICE):
            yield (b",\n" + indent.encode() if start else b"[") + _dump(value[start : start + _SLICE])[1:-1]
        yield b"]"
    elif isinstance(value, str):
        yield b'"'
        for start in range(0, len(value), _SLICE):
            yield _dump(value[start : start + _SLICE])[1:-1]
        yield b'"'
    else:
        yield _dump(value)


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace")


# -- reading -----------------------------------------------------------------------------------------------------------


def _read_project(root: JsonValue, folder: Path) -> Project:
    """Return the project, read in the order of its fields; those that older projects lack may be null."""
    _check_version(root)
    documents = tuple(_read_document(document, folder) for document in root.member("documents").items())
    recipe = _read_recipe(root.member("recipe"))
    special_tokens = _read_special_tokens(root.member("special_tokens"))
    vocab_size = root.member("vocab_size").integer(0, MAX_ID)
    # The text to encode must be valid, so lone surrogates become U+FFFD.
    text = root.member("text").string().encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    run = root.member("run").optional(_read_run)
    step = root.member("step").integer(0, len(run.merges) if run else 0)
    stale = root.member("stale").boolean()
    plan = _read_plan(root.member("plan"), run, recipe)
    branches = tuple(map(_read_branch, root.member("branches").optional(lambda each: each.items(_MAX_BRANCHES)) or ()))
    return Project(
        documents,
        recipe,
        special_tokens,
        vocab_size,
        text,
        run=run,
        step=step,
        stale=stale,
        plan=plan,
        branches=branches,
        shown_branch=root.member("shown_branch").optional(lambda number: number.integer(0, len(branches))) or 0,
        opened=root.member("opened").optional(lambda each: _read_opened(each, folder)),
        also_opened=tuple(
            _read_opened(each, folder) for each in root.member("also_opened").optional(JsonValue.items) or ()
        ),
        saved_as=root.member("saved_as").optional(lambda path: Path(path.string()).absolute()),
    )


def _read_branch(branch: JsonValue) -> ProjectBranch:
    run = branch.member("run").optional(_read_run)
    recipe = _read_recipe(branch.member("recipe"))
    return ProjectBranch(
        branch.member("name").string(),
        recipe,
        _read_plan(branch.member("plan"), run, recipe),
        run,
        branch.member("step").integer(0, len(run.merges) if run else 0),
    )


def _read_plan(value: JsonValue, run: Tokenizer | None, recipe: Recipe) -> Plan:
    if value.is_null:
        return Plan()
    replay, base = value.member(_REPLAY), value.member(_BASE)
    is_counted = isinstance(replay.value, int)
    left_out = {_BASE, _REPLAY} if is_counted else {_BASE}
    rest = {name: part for name, part in value.plain_dict().items() if name not in left_out}
    plan = Plan.from_json(JsonValue(value.path, value.location, rest))
    if is_counted:
        count = replay.integer(0, len(run.merges) if run else 0)
        plan = plan.with_changes(replay=run.merges[:count] if run else ())
    return plan if base.is_null else plan.with_changes(base=_read_base(base, plan, recipe))


def _read_base(value: JsonValue, plan: Plan, recipe: Recipe) -> Tokenizer | None:
    """Return the tokenizer that a run continues; None if its merges are not those that the plan replays."""
    config = TokenizerConfig(value.member("config").plain_dict(), value.member("files").plain_dict())
    count = value.member("merges").integer(0, len(plan.replay))
    if (text := value.member("tokenizer")).is_null:
        vocab = {token_id: token for token, token_id in plan.ids.items()}
        return Tokenizer(vocab, plan.replay[:count], plan.special_ids, recipe=recipe, config=config)
    base = tokenizer_json.read(parse_bounded(value.path, text.string()), None).with_config(config)
    return base if tuple(base.merges) == plan.replay[:count] else None


def _check_version(root: JsonValue) -> None:
    if not isinstance(root.value, dict) or root.member("format").value != _FORMAT:
        raise FormatError("{path} is not a bpe-gui project.", path=root.path)
    version = root.member("version").integer(1, MAX_ID)
    if version > _VERSION:
        raise FormatError(
            "{path} was saved by a newer version of bpe-gui (project format {version}). Update bpe-gui to open it.",
            path=root.path,
            version=version,
        )


def _read_document(document: JsonValue, folder: Path) -> ProjectDocument:
    title = document.member("title").string()
    text, file = document.member("text"), document.member("file")
    weight = document.member("weight").optional(_read_weight) or ONCE
    if not text.is_null:
        path = file.optional(lambda each: _read_path(each, folder))
        return ProjectDocument(title, TextDocument(text.string()), path, weight=weight)
    digest = _read_digest(document)
    path = _read_path(file, folder, digest)
    field = document.member("field").optional(JsonValue.string)
    content = FileDocument(
        path,
        document.member("encoding").optional(JsonValue.string),
        document.member("replace_invalid").boolean(),
        USUAL_FIELD if field is None else field,
        document.member("skip_bad_lines").optional(JsonValue.boolean) or False,
    )
    return ProjectDocument(title, content, path, digest, weight)


def _read_weight(value: JsonValue) -> Fraction:
    value.string()  # raises
    return value.converted(weight_of)


def _read_digest(document: JsonValue) -> Digest | None:
    size, sha256 = document.member("size"), document.member("sha256")
    if size.is_null and sha256.is_null:
        return None
    if len(sha256.string()) != _HASH_DIGITS or set(sha256.string()) - set("0123456789abcdef"):
        raise FormatError("{path}: {place} must be 64 hexadecimal digits, not {value!r}.", **sha256.where)
    return Digest(size.integer(0, _MAX_COUNT), sha256.string())


def _read_path(file: JsonValue, folder: Path, digest: Digest | None = None) -> Path:
    """Return the path of a file: relative to the project's `folder` if it exists there, or else absolute.

    If `digest` is given, a file of that size takes precedence.
    """
    relative, absolute = file.member("relative"), Path(file.member("absolute").string()).absolute()
    candidates = [absolute] if relative.is_null else [Path(os.path.normpath(folder / relative.string())), absolute]
    existing = [path for path in candidates if is_file(path)]
    same_size = [path for path in existing if digest is not None and path.stat().st_size == digest.size]
    return next(iter(same_size or existing), absolute)


def _read_recipe(value: JsonValue) -> Recipe:
    return value.converted(Recipe.from_dict)


def _read_special_tokens(value: JsonValue) -> tuple[str, ...]:
    for token in value.items(_MAX_SPECIAL_TOKENS):
        token.string()  # raises
    return value.converted(SpecialTokens).tokens


def _read_special_ids(value: JsonValue) -> dict[str, int]:
    tokens = _read_special_tokens(JsonValue(value.path, value.location, list(value.plain_dict())))
    return {token: value.member(token).integer(0, MAX_ID) for token in tokens}


def _read_opened(opened: JsonValue, folder: Path) -> OpenedFile:
    return OpenedFile(
        _read_path(opened.member("file"), folder),
        opened.member("step").integer(0, MAX_ID),
        opened.member("pattern").optional(JsonValue.string),
        opened.member("special_tokens").optional(_read_special_ids),
        opened.member("published_name").optional(JsonValue.string) or "",
    )


def _read_run(run: JsonValue) -> Tokenizer:
    vocab = _read_vocabulary(run.member("vocabulary"))
    recipe = _read_recipe(run.member("recipe"))
    merges = pairs_in(run.member("merges"))
    if recipe.vocabulary == "grow":
        _check_in_vocabulary(run.member("merges"), merges, set(vocab.values()))
    try:
        return Tokenizer(
            vocab,
            merges,
            _read_special_ids(run.member("special_tokens")),
            recipe=recipe,
            merge_counts=run.member("counts").optional(lambda counts: _read_counts(counts, len(merges))),
        )
    except FormatError:
        raise
    except EngineError as error:
        raise run.error_from(error) from error


# A run may have a million merges, so its lists are read as plain values, with locations only for errors.


def _read_vocabulary(value: JsonValue) -> Mapping[int, bytes]:
    vocab: dict[int, bytes] = {}
    for index, entry in enumerate(value.plain_list()):
        match entry:
            case [int(token_id), str(token)] if type(token_id) is int and token_id not in vocab:
                vocab[token_id] = token_in(value, index, token)
            case _:
                raise FormatError(
                    "{path}: {place} must be a unique id and a token, not {value!r}.", **value.item(index).where
                )
    return vocab


def _check_in_vocabulary(value: JsonValue, merges: list[tuple[bytes, bytes]], vocabulary: set[bytes]) -> None:
    for index, (left, right) in enumerate(merges):
        for token in (left, right, left + right):
            if token not in vocabulary:
                raise FormatError(
                    "{path}: {place}: the token {token!r} is not in the vocabulary.",
                    **value.item(index).where,
                    token=to_printable(token),
                )


def _read_counts(value: JsonValue, merge_count: int) -> list[int]:
    counts = value.plain_list()
    if len(counts) != merge_count:
        raise FormatError(
            "{path}: {place} must have one count for each of the {merges:,} merges.", **value.where, merges=merge_count
        )
    for index, count in enumerate(counts):
        if type(count) is not int or not 0 <= count <= _MAX_COUNT:
            value.item(index).integer(0, _MAX_COUNT)  # raises
    return counts
