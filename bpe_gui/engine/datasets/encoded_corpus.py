"""The ids of a corpus on disk, opened without reading them."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import is_there, open_file
from bpe_gui.engine.runtime.types import Int64Array

from .containers import MEGATRON_MAGIC, MEGATRON_TYPES, index_path
from .manifest import Manifest, manifest_path, read_manifest

_INDEX_HEADER: Final = struct.Struct("<9sQBQQ")


class _File(NamedTuple):
    """The ids of a file, mapped into memory, and where its documents begin, and the end, if known."""

    ids: np.ndarray[Any, Any]
    offsets: Int64Array | None


@dataclass(frozen=True)
class EncodedCorpus:
    """The ids of a corpus on disk, in one file or several, which are mapped into memory when they are looked at.

    - `paths`: the files with ids, in order.
    - `tokens`, `documents`: how many there are; `documents` is None where the file does not say where they begin.
    - `dtype`: the type of the ids, such as `uint16`.
    - `manifest`: what it was made from, if that is known.
    """

    paths: tuple[Path, ...]
    tokens: int
    documents: int | None
    dtype: str
    manifest: Manifest | None = None

    @cached_property
    def _files(self) -> tuple[_File, ...]:
        return tuple(_opened(path, self.dtype, self.manifest) for path in self.paths)

    @property
    def ids(self) -> np.ndarray[Any, Any]:
        """The ids as a memory map. Raise FormatError for those of several files, which are opened one by one."""
        if len(self._files) != 1:
            raise FormatError(
                "The ids are in {count:,} files, from {path} on. Open each of them with open_encoded.",
                count=len(self.paths),
                path=self.paths[0],
            )
        return self._files[0].ids

    @property
    def offsets(self) -> Int64Array | None:
        """Where the documents in the only file begin, and its end; None if it does not say so. Raise FormatError."""
        return self._files[0].offsets if len(self.ids) else np.zeros((self.documents or 0) + 1, np.int64)

    def document(self, number: int) -> np.ndarray[Any, Any]:
        """Return the ids of a document, from 0. Raise FormatError if there is none, or if nothing says where it is."""
        if self.documents is not None and not 0 <= number < self.documents:
            raise FormatError(
                "There is no document {number}: the file has {count}, from 0.", number=number, count=self.documents
            )
        for ids, offsets in self._files:
            if offsets is None:
                break
            if number < len(offsets) - 1:
                return ids[offsets[number] : offsets[number + 1]]
            number -= len(offsets) - 1
        raise FormatError("This file does not say where its documents begin: it was written without an index.")


def open_encoded(path: str | Path, dtype: str | None = None) -> EncodedCorpus:
    """Open the ids that `encode_files` wrote, or any file of ids, without reading them.

    The type of plain numbers is what the manifest says, otherwise `dtype`. The name of a dataset in numbered files
    opens all of them. Raise FormatError for a file that does not say its type if no `dtype` is given, or whose size no
    such file has.
    """
    path = Path(path)
    if not is_there(path) and is_there(manifest_path(path)):
        return encoded_corpus(path, Manifest.from_json(manifest_path(path)))
    manifest = read_manifest(path)
    ids, offsets = _opened(path, dtype, manifest)
    data = path.with_suffix(".bin") if path.suffix == ".idx" else path
    return EncodedCorpus((data,), len(ids), None if offsets is None else len(offsets) - 1, ids.dtype.name, manifest)


def encoded_corpus(output: Path, manifest: Manifest) -> EncodedCorpus:
    """Return the dataset that was written to a path, or to numbered files beside it."""
    paths = tuple(output.with_name(shard.file) for shard in manifest.shards)
    return EncodedCorpus(paths, manifest.tokens, manifest.documents, manifest.dtype, manifest)


def _opened(path: Path, dtype: str | None, manifest: Manifest | None) -> _File:
    with open_file(path):  # raises the error for a missing file
        size = path.stat().st_size
    if path.suffix == ".npy":
        return _File(_npy(path), _offsets(path))
    if path.suffix == ".parquet":
        return _parquet(path)
    if path.suffix == ".idx":
        path = path.with_suffix(".bin")
    if is_there(index := path.with_suffix(".idx")) and (found := _megatron(index)) is not None:
        ids = _mapped(path, found[0])
        return _File(ids, np.append(found[1] // ids.itemsize, np.int64(len(ids))))
    name = dtype or (manifest.dtype if manifest else None)
    if name is None:
        raise FormatError(
            "{path} does not say how long its numbers are, and has no manifest beside it. Give the type, such as "
            "uint16.",
            path=path,
        )
    if size % np.dtype(name).itemsize:
        raise FormatError(
            "{path} has {size:,} bytes, which is not a multiple of {dtype}.", path=path, size=size, dtype=name
        )
    return _File(_mapped(path, name), _offsets(path))


def _mapped(path: Path, dtype: str) -> np.ndarray[Any, Any]:
    stored = np.dtype(dtype).newbyteorder("<")
    return (
        np.memmap(path, stored, "r") if path.stat().st_size else np.empty(0, stored)
    )  # an empty file cannot be mapped


def _npy(path: Path) -> np.ndarray[Any, Any]:
    try:
        ids: np.ndarray[Any, Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise FormatError("{path} is not a NumPy file: {reason}.", path=path, reason=error) from error
    if ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise FormatError("{path} must be one row of integers.", path=path)
    return ids


def _offsets(path: Path) -> Int64Array | None:
    index = index_path(path)
    return np.asarray(_npy(index), np.int64) if is_there(index) else None


def _megatron(path: Path) -> tuple[str, Int64Array] | None:
    """Return the type of the ids and the byte at which each document begins; None if this is no index of Megatron's."""
    with open_file(path) as file:
        header = file.read(_INDEX_HEADER.size)
        if len(header) < _INDEX_HEADER.size or not header.startswith(MEGATRON_MAGIC):
            return None
        _magic, _version, code, count, _documents = _INDEX_HEADER.unpack(header)
        name = next((name for name, known in MEGATRON_TYPES.items() if known == code), None)
        file.seek(4 * count, 1)
        starts = np.frombuffer(file.read(8 * count), "<i8").astype(np.int64)
    if name is None or len(starts) < count:
        raise FormatError("{path} is an index of Megatron's that is damaged, or of a type other than ids.", path=path)
    return name, starts


def _parquet(path: Path) -> _File:
    from bpe_gui.engine.corpora.text_files import PARQUET, import_pyarrow

    pyarrow = import_pyarrow(PARQUET)
    from pyarrow import parquet

    try:
        column = parquet.read_table(path, columns=["ids"])["ids"].combine_chunks()
        values, offsets = column.flatten().to_numpy(), column.value_lengths().to_numpy()
    except (pyarrow.ArrowException, KeyError, AttributeError) as error:
        raise FormatError("{path} is not a Parquet file with lists named ids.", path=path) from error
    return _File(values, np.concatenate([[0], np.cumsum(offsets)]).astype(np.int64))
