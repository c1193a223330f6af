"""The foundation of the engine: errors, files, memory, threads and progress."""

from .arrays import AnyArray, BoolArray, Float64Array, Int32Array, Int64Array, IntegerArray, UInt8Array, UInt32Array
from .errors import EngineError, translatable
from .files import write_files
from .printable import END_OF_WORD, to_printable, visible
from .progress import Progress

__all__ = [
    "END_OF_WORD",
    "AnyArray",
    "BoolArray",
    "EngineError",
    "Float64Array",
    "Int32Array",
    "Int64Array",
    "IntegerArray",
    "Progress",
    "UInt8Array",
    "UInt32Array",
    "to_printable",
    "translatable",
    "visible",
    "write_files",
]
