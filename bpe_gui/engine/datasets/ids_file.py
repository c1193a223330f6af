"""Open a dataset's ids again, without reading them."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import is_there, open_file
from bpe_gui.engine.runtime.types import Int64Array

from .containers import MEGATRON_MAGIC, MEGATRON_TYPES, index_path
from .manifest import Manifest, read_manifest

_INDEX_HEADER: Final = struct.Struct("<9sQBQQ")


@dataclass(frozen=True, slots=True)
class IdsFile:
    """The ids of a file, mapped into memory; where its documents begin, and the end, if known; and its manifest."""

    ids: np.ndarray[Any, Any]
    offsets: Int64Array | None
    manifest: Manifest | None

    @property
    def documents(self) -> int:
        """The number of documents. Raise FormatError if the file does not say where they begin."""
        if self.offsets is None:
            raise FormatError("This file does not say where its documents begin: it was written without an index.")
        return len(self.offsets) - 1

    def document(self, number: int) -> np.ndarray[Any, Any]:
        """Return the ids of a document, from 0. Raise FormatError if there is none."""
        if not 0 <= number < self.documents:
            raise FormatError(
                "There is no document {number}: the file has {count}, from 0.", number=number, count=self.documents
            )
        assert self.offsets is not None
        return self.ids[self.offsets[number] : self.offsets[number + 1]]


def open_ids(path: str | Path, dtype: str | None = None) -> IdsFile:
    """Open a file of ids, with the type that its header, its index or its manifest gives; otherwise `dtype`.

    Raise FormatError for a file that has none of these if no `dtype` is given, or whose size no such file has.
    """
    path = Path(path)
    manifest = read_manifest(path)
    with open_file(path) as file:  # raises the error for a missing file
        size = path.stat().st_size
        del file
    if path.suffix == ".npy":
        return IdsFile(_npy(path), _offsets(path), manifest)
    if path.suffix == ".parquet":
        return _parquet(path, manifest)
    if path.suffix == ".idx":
        path = path.with_suffix(".bin")
    if is_there(index := path.with_suffix(".idx")) and (found := _megatron(index)) is not None:
        ids = _mapped(path, found[0])
        return IdsFile(ids, np.append(found[1] // ids.itemsize, np.int64(len(ids))), manifest)
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
    return IdsFile(_mapped(path, name), _offsets(path), manifest)


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


def _parquet(path: Path, manifest: Manifest | None) -> IdsFile:
    from bpe_gui.engine.corpora.text_files import import_pyarrow

    pyarrow = import_pyarrow("to read Parquet")
    from pyarrow import parquet

    try:
        column = parquet.read_table(path, columns=["ids"])["ids"].combine_chunks()
        values, offsets = column.flatten().to_numpy(), column.value_lengths().to_numpy()
    except (pyarrow.ArrowException, KeyError, AttributeError) as error:
        raise FormatError("{path} is not a Parquet file with lists named ids.", path=path) from error
    return IdsFile(values, np.concatenate([[0], np.cumsum(offsets)]).astype(np.int64), manifest)
