"""The foundation of the engine: errors, files, memory, threads and progress."""

from .arrays import AnyArray, BoolArray, Float64Array, Int32Array, Int64Array, IntegerArray, UInt8Array, UInt32Array
from .directions import begins_right_to_left, has_right_to_left, isolated, without_isolates
from .errors import EngineError, translatable
from .files import read_text, write_files
from .printable import END_OF_WORD, code_point, from_printable, to_printable, token_in_sentence, token_label, visible
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
    "begins_right_to_left",
    "code_point",
    "from_printable",
    "has_right_to_left",
    "isolated",
    "read_text",
    "to_printable",
    "token_in_sentence",
    "token_label",
    "translatable",
    "visible",
    "without_isolates",
    "write_files",
]
