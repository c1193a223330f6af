"""Files to ids on disk: in shards, each of which appears only when it is complete."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import is_there, write_files
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .blocks import START, Place, groups_of, read_blocks
from .containers import CONTAINERS, Container, index_content, index_path
from .manifest import Manifest, Shard, inputs_of, manifest_path, tokenizer_digest
from .rows import DocumentMaker, Rows, RowsState, encoded_blocks

Progress = Callable[[int, int, int], object]
"""Called with the bytes read, the size of all files in bytes, and the number of tokens."""

_START: Final = RowsState(START, False, 0)


def encode_files(
    tokenizer: Tokenizer,
    corpus: Corpus | Sequence[str | Path],
    output: str | Path,
    *,
    format: str | None = None,
    dtype: str | None = None,
    separator: str | None = None,
    prepend: str | None = None,
    append: str | None = None,
    shard_tokens: int | None = None,
    index: bool = False,
    resume: bool = False,
    overwrite: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Write the ids of a corpus, or of files, folders and patterns, to disk. Return what was written.

    Each file of text or record is a document, and so is what the special token `separator` ends in a text. A document
    has the ids that `encode` gives, with the special tokens `prepend` and `append` around them. `format` is one of
    `CONTAINERS`; by default, the suffix of `output` decides. With `index`, `.offsets.npy` says where documents begin in
    plain numbers. With `shard_tokens`, numbered files are written: each ends with the document in which it gets as many
    tokens.

    A file appears under its name when it is complete. With `resume`, an interrupted dataset goes on after its last
    shard, if tokenizer, options and files are the same. Files that are not of an earlier dataset are replaced only if
    `overwrite`, and those that are read never. Raise EngineError.
    """
    corpus = corpus if isinstance(corpus, Corpus) else Corpus.from_files(corpus)
    if corpus.weights:
        raise FormatError("A dataset has each document once: weights say how often words count in training.")
    output = Path(output)
    container = _container_for(output, format)
    output = (
        output
        if container.name != "megatron" or output.suffix == container.suffix
        else Path(f"{output}{container.suffix}")
    )
    groups = groups_of(corpus)
    options = {
        "separator": separator,
        "prepend": prepend,
        "append": append,
        "shard_tokens": shard_tokens,
        "index": index,
    }
    made = Manifest(
        format=container.name,
        dtype=container.dtype(tokenizer.largest_id + 1, dtype).name,
        tokenizer=tokenizer_digest(tokenizer),
        vocab_size=tokenizer.largest_id + 1,
        options=options,
        inputs=inputs_of(groups),
    )
    before = Manifest.from_json(manifest_path(output)) if is_there(manifest_path(output)) else None
    if resume and before is not None:
        if (difference := before.difference(made)) is not None:
            raise FormatError(
                "{path} cannot be resumed, because the {difference} changed. Leave out --resume to write it anew.",
                path=output,
                difference=difference,
            )
        if before.is_complete:
            return before
        made = before
    following = made.shards[-1].next if made.shards else None
    state = RowsState(Place(*following[:2]), *following[2:]) if following else _START
    maker = DocumentMaker(tokenizer, separator=separator, prepend=prepend, append=append)
    maker.is_open = state.is_open
    inner = tokenizer.without_ids_around()
    encoded = encoded_blocks(inner, read_blocks(groups, inner.chunker, state.place), threads)
    rows = _Rows((maker.rows(*each) for each in encoded), state.documents)
    total = sum(group.size for group in groups)

    def report(done: int, tokens: int) -> None:
        if progress is not None:
            progress(done, total, made.tokens + tokens)

    for number in count(len(made.shards)):
        path = output if shard_tokens is None else output.with_name(f"{output.stem}-{number:05}{output.suffix}")
        shard = _Shard(rows, np.dtype(made.dtype).newbyteorder("<"), shard_tokens, report)
        contents = container.contents(path, shard)
        if index and not container.has_index:
            contents[index_path(path)] = index_content(shard)
        _check_may_write([*contents], corpus, before, overwrite=overwrite)
        names = tuple(each.name for each in contents)

        def manifest(
            made: Manifest = made, shard: _Shard = shard, name: str = path.name, names: Any = names
        ) -> Manifest:
            following = rows.state()
            entry = Shard(name, shard.tokens, len(shard.lengths), following)
            return replace(
                made, shards=(*made.shards, entry), files=(*made.files, *names), is_complete=following is None
            )

        contents[manifest_path(output)] = lambda file: file.write(manifest().to_json().encode())
        write_files(contents)
        made = manifest()
        if made.is_complete:
            _remove_old(output, before, made)
            return made
    raise AssertionError


def _container_for(output: Path, format: str | None) -> Container:
    name = format or output.suffix.lower().removeprefix(".")
    if name not in CONTAINERS:
        raise FormatError(
            "{path} does not say which format to write. Choose one of {formats}, or a name that ends in .bin, .npy or "
            ".parquet.",
            path=output,
            formats=", ".join(CONTAINERS),
        )
    return CONTAINERS[name]


def _check_may_write(paths: Sequence[Path], corpus: Corpus, before: Manifest | None, *, overwrite: bool) -> None:
    """Raise FormatError for a path that is an input, or a file that no dataset wrote."""
    own = () if before is None else before.files
    for path in filter(is_there, paths):
        if any(path.samefile(each.path) for each in corpus.documents if hasattr(each, "path") and is_there(each.path)):
            raise FormatError("{path} is one of the files to encode. Choose another name for the result.", path=path)
        if not overwrite and path.name not in own:
            raise FormatError("{path} exists, and no dataset wrote it. Choose another name, or use --force.", path=path)


def _remove_old(output: Path, before: Manifest | None, made: Manifest) -> None:
    """Remove the files of the earlier dataset that the new one does not have."""
    for name in set(() if before is None else before.files).difference(made.files):
        output.with_name(name).unlink(missing_ok=True)


class _Rows:
    """Rows that can be put back, without the first documents, which an earlier run wrote."""

    def __init__(self, rows: Iterator[Rows], skipped: int) -> None:
        self._rows = rows
        if skipped and (first := next(rows, None)) is not None:
            self.put_back(first.split(skipped)[1])

    def put_back(self, rows: Rows) -> None:
        self._rows = chain((rows,), self._rows)

    def __iter__(self) -> Iterator[Rows]:
        while (rows := next(self._rows, None)) is not None:
            yield rows

    def state(self) -> tuple[int, int, bool, int] | None:
        """Return where the next row with ids or documents comes from; None at the end."""
        for rows in self:
            if len(rows.ids) or len(rows.ends):
                self.put_back(rows)
                return *rows.state.place, rows.state.is_open, rows.state.documents
        return None


class _Shard:
    """The documents of a shard: all, or up to the one in which it gets as many tokens as it may have."""

    def __init__(self, rows: _Rows, dtype: np.dtype[Any], most: int | None, report: Callable[[int, int], None]) -> None:
        self._rows = rows
        self.dtype = dtype
        self._most = most
        self._report = report
        self.tokens = 0
        self._ends: list[Int64Array] = []

    def __iter__(self) -> Iterator[np.ndarray[Any, Any]]:
        for rows in self._rows:
            part = rows
            if self._most is not None and self.tokens + len(rows.ids) >= self._most:
                enough = int(np.searchsorted(rows.ends, self._most - self.tokens))
                if enough < len(rows.ends):
                    part, rest = rows.split(enough + 1)
                    self._rows.put_back(rest)
            self._ends.append(part.ends + self.tokens)
            self.tokens += len(part.ids)
            self._report(part.done, self.tokens)
            yield part.ids.astype(self.dtype)
            if part is not rows:
                return

    @property
    def lengths(self) -> Int64Array:
        """See `Source`."""
        return np.diff(np.concatenate([[0], *self._ends]))

    def documents(self) -> Iterator[tuple[np.ndarray[Any, Any], Int64Array]]:
        """See `Source`. A document that goes on is kept until its end."""
        kept: list[np.ndarray[Any, Any]] = []
        before = 0
        for ids in self:
            kept.append(ids)
            if len(ends := self._ends[-1]):
                whole = np.concatenate(kept)
                size = int(ends[-1]) - before
                yield whole[:size], np.diff(ends, prepend=before)
                kept, before = [whole[size:]], int(ends[-1])
