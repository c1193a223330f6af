"""Files to ids on disk: in shards, each of which appears only when it is complete."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import FileDocument
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import Content, is_there, write_files
from bpe_gui.engine.runtime.types import Int64Array
from bpe_gui.engine.tokenization.allowed_special import AllowedSpecial
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .blocks import START, Place, groups_of, read_blocks
from .containers import CONTAINERS, Container, index_content, index_path
from .encoded_corpus import EncodedCorpus, encoded_corpus
from .manifest import Manifest, Shard, difference_between, inputs_of, manifest_path
from .rows import DocumentMaker, Rows, RowsState, encoded_blocks

Progress = Callable[[int, int, int], object]
"""Called with the bytes read, the size of all files in bytes, and the number of tokens."""

_BEGINNING: Final = RowsState(START, False, 0)


def encode_files(
    tokenizer: Tokenizer,
    source: Corpus | str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    format: str | None = None,
    dtype: str | None = None,
    separator: str | None = None,
    prepend: str | None = None,
    append: str | None = None,
    offsets: bool = False,
    shard_tokens: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    allowed_special: AllowedSpecial = "all",
    threads: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> EncodedCorpus:
    """Write the ids of text (str), of a file (Path), or of many of either, to disk. Return what was written.

    Each text, file of text or record is a document, and so is what the special token `separator` ends in a text. A
    document has the ids that `encode` gives, with the special tokens `prepend` and `append` around them; what
    `allowed_special` means is said there. `format` is one of `CONTAINERS`; by default, the suffix of `output` decides.
    With `offsets`, `.offsets.npy` says where documents begin in plain numbers. With `shard_tokens`, numbered files are
    written: each ends with the document in which it gets as many tokens.

    A file appears under its name when it is complete. With `resume`, an interrupted dataset goes on after its last
    shard, if tokenizer, options and files are the same. Files that are not of an earlier dataset are replaced only if
    `overwrite`, and those that are read never. With `cluster`, the address of a Dask scheduler, its workers encode the
    files, each of which they must find at the same path. Raise EngineError.
    """
    corpus = source if isinstance(source, Corpus) else Corpus.from_source(source)
    tokenizer = tokenizer.obeying(allowed_special)
    if corpus.weights:
        raise FormatError("A dataset has each document once: weights say how often words count in training.")
    output = Path(output)
    container = _container_for(output, format)
    if container.name == "megatron" and output.suffix != container.suffix:  # which is named without one
        output = Path(f"{output}{container.suffix}")
    groups, special_tokens = groups_of(corpus), {"separator": separator, "prepend": prepend, "append": append}
    made = Manifest(
        format=container.name,
        dtype=container.dtype(tokenizer.largest_id + 1, dtype).name,
        tokenizer=tokenizer.digest,
        vocab_size=tokenizer.largest_id + 1,
        options=special_tokens | {"shard_tokens": shard_tokens, "offsets": offsets} | _obeyed(allowed_special),
        inputs=inputs_of(groups),
    )
    before = Manifest.from_json(manifest_path(output)) if is_there(manifest_path(output)) else None
    if resume and before is not None:
        made = _resumed(before, made, output)
        if made.is_complete:
            return encoded_corpus(output, made)
    following = made.shards[-1].next if made.shards else None
    state = RowsState(Place(*following[:2]), *following[2:]) if following else _BEGINNING
    maker, type_on_disk = DocumentMaker(tokenizer, **special_tokens), np.dtype(made.dtype).newbyteorder("<")
    maker.is_open = state.is_open
    found: Iterator[Rows]
    if cluster is None:
        inner = tokenizer.without_ids_around()
        encoded = encoded_blocks(inner, read_blocks(groups, inner.chunker, state.place), threads)
        found = (maker.rows(*each) for each in encoded)
    else:
        from .cluster_encoding import rows_on_cluster  # imports what connects to it

        found = rows_on_cluster(cluster, tokenizer, special_tokens, groups, state, type_on_disk)
    rows = _RemainingRows(found, state.documents)
    total = sum(group.size for group in groups)

    def report(done: int, tokens_in_shard: int) -> None:
        if progress is not None:
            progress(done, total, writer.made.tokens + tokens_in_shard)

    writer = _Writer(made, container, output, corpus, rows, set(() if before is None else before.files))
    while not writer.made.is_complete:
        number = len(writer.made.shards)
        path = output if shard_tokens is None else output.with_name(f"{output.stem}-{number:05}{output.suffix}")
        shard = _UnwrittenShard(rows, type_on_disk, shard_tokens, report)
        writer.write(path, shard, overwrite=overwrite, announces=shard_tokens is not None)
    return encoded_corpus(output, writer.made)


def _resumed(before: Manifest, made: Manifest, output: Path) -> Manifest:
    """Return the manifest of an earlier run if `made`, that of this run, goes on with it. Raise FormatError."""
    if (difference := difference_between(before, made)) is not None:
        raise FormatError(
            "{path} cannot be resumed, because the {difference} changed. Leave out --resume to write it anew.",
            path=output,
            difference=difference,
        )
    return before


def _obeyed(allowed_special: AllowedSpecial) -> dict[str, object]:
    """Return the option as the manifest has it, if it is not the usual one."""
    if isinstance(allowed_special, str):
        return {} if allowed_special == "all" else {"allowed_special": allowed_special}
    return {"allowed_special": sorted(allowed_special)}


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


class _RemainingRows:
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


@dataclass(eq=False)
class _UnwrittenShard:
    """The documents of a shard: all, or up to the one in which it gets as many tokens as it may have."""

    rows: _RemainingRows
    dtype: np.dtype[Any]
    most: int | None
    report: Callable[[int, int], None]
    tokens: int = 0
    ends: list[Int64Array] = field(default_factory=list)

    def __iter__(self) -> Iterator[np.ndarray[Any, Any]]:
        for rows in self.rows:
            part = rows
            if self.most is not None and self.tokens + len(rows.ids) >= self.most:
                enough = int(np.searchsorted(rows.ends, self.most - self.tokens))
                if enough < len(rows.ends):
                    part, rest = rows.split(enough + 1)
                    self.rows.put_back(rest)
            self.ends.append(part.ends + self.tokens)
            self.tokens += len(part.ids)
            self.report(part.done, self.tokens)
            yield part.ids.astype(self.dtype, copy=False)
            if part is not rows:
                return

    @property
    def lengths(self) -> Int64Array:
        """See `ShardSource`."""
        return np.diff(np.concatenate([[0], *self.ends]))

    def documents(self) -> Iterator[tuple[np.ndarray[Any, Any], Int64Array]]:
        """See `ShardSource`. A document that goes on is kept until its end."""
        kept: list[np.ndarray[Any, Any]] = []
        before = 0
        for ids in self:
            kept.append(ids)
            if len(ends := self.ends[-1]):
                whole = np.concatenate(kept)
                size = int(ends[-1]) - before
                yield whole[:size], np.diff(ends, prepend=before)
                kept, before = [whole[size:]], int(ends[-1])


@dataclass
class _Writer:
    """Writes shards one after another, each together with the manifest that has it."""

    made: Manifest
    """What was written so far."""
    container: Container
    output: Path
    corpus: Corpus
    rows: _RemainingRows
    own: set[str]  # the names of the dataset's files, among them those of an earlier one

    def write(self, path: Path, shard: _UnwrittenShard, *, overwrite: bool, announces: bool) -> None:
        """Write a shard. If it announces that, a killed process leaves no file that the manifest does not name."""
        contents = self._contents(path, shard)
        self._check_may_write(contents, overwrite=overwrite)
        self.own.update(each.name for each in contents)
        if announces:
            announced = replace(self.made, files=tuple(sorted(self.own)))
            write_files({manifest_path(self.output): announced.to_json()})
        write_files(contents | {manifest_path(self.output): lambda file: self._finish(file, path, shard)})
        if self.made.is_complete:
            for stale in self.own.difference(self.made.files):
                self.output.with_name(stale).unlink(missing_ok=True)

    def _finish(self, file: BinaryIO, path: Path, shard: _UnwrittenShard) -> None:
        """Write the manifest once the shard is written."""
        following = self.rows.state()
        shards = (*self.made.shards, Shard(path.name, shard.tokens, len(shard.lengths), following))
        files = self.own
        if following is None:
            paths = (self._contents(path.with_name(each.file), shard) for each in shards)
            files = {each.name for each in chain.from_iterable(paths)}
        self.made = replace(self.made, shards=shards, files=tuple(sorted(files)), is_complete=following is None)
        file.write(self.made.to_json().encode())

    def _contents(self, path: Path, shard: _UnwrittenShard) -> dict[Path, Content]:
        """Return the content of each file of a shard, with the index beside plain numbers if wanted."""
        contents = self.container.contents(path, shard)
        if self.made.options["offsets"] and not self.container.has_index:
            contents[index_path(path)] = index_content(shard)
        return contents

    def _check_may_write(self, paths: Iterable[Path], *, overwrite: bool) -> None:
        """Raise FormatError for a path that is an input, or a file that this dataset did not write before."""
        inputs: list[Path] | None = None
        for path in filter(is_there, paths):
            if inputs is None:  # looked for only if needed: there may be 100,000
                files = (each.path for each in self.corpus.documents if isinstance(each, FileDocument))
                inputs = list(filter(is_there, files))
            if any(map(path.samefile, inputs)):
                raise FormatError(
                    "{path} is one of the files to encode. Choose another name for the result.", path=path
                )
            if not overwrite and path.name not in self.own:
                raise FormatError(
                    "{path} exists, and no dataset wrote it. Choose another name, or use --force.", path=path
                )
