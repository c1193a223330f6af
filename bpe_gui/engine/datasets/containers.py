"""The files that other programs read ids from.

Megatron's index is what its readers expect: `MMIDIDX`, a version, a code for the type, and then for each document its
length in tokens, the byte at which it begins, and its number.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

import numpy as np

from bpe_gui.engine.runtime.errors import FormatError
from bpe_gui.engine.runtime.files import Content
from bpe_gui.engine.runtime.types import Int64Array

MEGATRON_TYPES: Final[Mapping[str, int]] = MappingProxyType({"uint16": 8, "int32": 4})
"""The codes of types in Megatron's index."""

MEGATRON_MAGIC: Final = b"MMIDIDX\0\0"
_MEGATRON_SMALL: Final = 65_499
"""The largest vocabulary that Megatron writes as uint16."""

_NPY_HEADER: Final = 128
_INDEX_SUFFIX: Final = ".offsets.npy"


class ShardSource(Protocol):
    """The documents of a shard, which can be read once; after that, their lengths are known."""

    dtype: np.dtype[Any]

    @property
    def lengths(self) -> Int64Array:
        """The number of tokens of each document."""

    def __iter__(self) -> Iterator[np.ndarray[Any, Any]]:
        """Yield the ids in pieces."""

    def documents(self) -> Iterator[tuple[np.ndarray[Any, Any], Int64Array]]:
        """Yield the ids of whole documents in pieces, each with the number of tokens of its documents."""


class Container(NamedTuple):
    """A way to write ids: what it is called, the suffix of its data, the types it has, and what it writes."""

    name: str
    suffix: str
    dtypes: tuple[str, ...]
    contents: Callable[[Path, ShardSource], dict[Path, Content]]
    """Returns the content of each file for the data at a path. They must be written in order."""
    has_index: bool = False
    """Whether it says where documents begin."""
    most_in_small: int = 1 << 16
    """The most ids, by the largest one, that are written as the first of its types unless another is wanted."""

    def dtype(self, size: int, wanted: str | None) -> np.dtype[Any]:
        """Return the type for ids below `size`: the smallest that this container has. Raise FormatError."""
        name = wanted or self.dtypes[0 if size <= self.most_in_small else 1]
        if name not in self.dtypes:
            raise FormatError(
                "The format {format} has no {dtype}. Choose {dtypes}.",
                format=self.name,
                dtype=name,
                dtypes=", ".join(self.dtypes),
            )
        if size - 1 > np.iinfo(name).max:
            raise FormatError("The largest id is {largest}, which does not fit {dtype}.", largest=size - 1, dtype=name)
        return np.dtype(name).newbyteorder("<")


def index_path(path: Path) -> Path:
    """Return the path of the index that stands beside plain numbers: where each document begins, and the end."""
    return path.with_name(path.stem + _INDEX_SUFFIX)


def index_content(source: ShardSource) -> Content:
    """Return the content of the index: int64, one more than documents."""
    return lambda file: np.save(file, np.concatenate([[0], np.cumsum(source.lengths)]).astype("<i8"))


def _write_all(file: BinaryIO, pieces: Iterable[np.ndarray[Any, Any]]) -> None:
    for piece in pieces:
        file.write(piece.data)


def _plain(path: Path, source: ShardSource) -> dict[Path, Content]:
    return {path: lambda file: _write_all(file, source)}


def _npy(path: Path, source: ShardSource) -> dict[Path, Content]:
    def write(file: BinaryIO) -> None:
        file.write(bytes(_NPY_HEADER))  # the number of ids is known at the end
        _write_all(file, source)
        size = (file.tell() - _NPY_HEADER) // source.dtype.itemsize
        header = f"{{'descr': '{source.dtype.str}', 'fortran_order': False, 'shape': ({size},), }}"
        file.seek(0)
        file.write(
            b"\x93NUMPY\x01\x00" + struct.pack("<H", _NPY_HEADER - 10) + header.ljust(_NPY_HEADER - 11).encode() + b"\n"
        )

    return {path: write}


def _megatron(path: Path, source: ShardSource) -> dict[Path, Content]:
    def write_index(file: BinaryIO) -> None:
        lengths, count = source.lengths, len(source.lengths)
        name = source.dtype.newbyteorder("=").name
        file.write(MEGATRON_MAGIC + struct.pack("<QBQQ", 1, MEGATRON_TYPES[name], count, count + 1))
        file.write(lengths.astype("<i4").data)
        file.write(((np.cumsum(lengths) - lengths) * source.dtype.itemsize).astype("<i8").data)
        file.write(np.arange(count + 1, dtype="<i8").data)

    return {path: lambda file: _write_all(file, source), path.with_suffix(".idx"): write_index}


def _parquet(path: Path, source: ShardSource) -> dict[Path, Content]:
    def write(file: BinaryIO) -> None:
        from bpe_gui.engine.corpora.text_files import PARQUET, import_pyarrow

        pyarrow = import_pyarrow(PARQUET)
        from pyarrow import parquet

        schema = pyarrow.schema([("ids", pyarrow.large_list(pyarrow.from_numpy_dtype(source.dtype)))])
        with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for ids, lengths in source.documents():
                offsets = np.concatenate([[0], np.cumsum(lengths)])
                lists = pyarrow.LargeListArray.from_arrays(offsets, pyarrow.array(ids))
                writer.write_table(pyarrow.Table.from_arrays([lists], schema=schema))

    return {path: write}


CONTAINERS: Final[Mapping[str, Container]] = MappingProxyType(
    {
        each.name: each
        for each in (
            Container("bin", ".bin", ("uint16", "uint32", "int32"), _plain),
            Container("npy", ".npy", ("uint16", "uint32", "int32"), _npy),
            Container("megatron", ".bin", ("uint16", "int32"), _megatron, True, _MEGATRON_SMALL),
            Container("parquet", ".parquet", ("uint16", "uint32", "int32"), _parquet, True),
        )
    }
)
"""The containers by name."""
