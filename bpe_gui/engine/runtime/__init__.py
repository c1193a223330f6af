"""The foundation of the engine, which all stages use and which depends on none of them.

- `errors`: the errors that users can cause, as translatable sentences; `arguments`: type checks of arguments.
- `files`, `bounded_json`: read files with clear errors, and write several files or none.
- `memory`, `threads`: available memory, and results of threads in order.
- `printable`: tokens as text; `pickling`: values in few bytes; `lazy`: imports on first use; `types`.

Nothing here may be slow to import: `import bpe_gui.engine` loads most of it.
"""

from .errors import EngineError, translatable
from .files import parse_json, read_text, write_files
from .printable import (
    END_OF_WORD,
    begins_right_to_left,
    code_point,
    from_printable,
    has_right_to_left,
    isolated,
    to_printable,
    token_in_sentence,
    token_label,
    visible,
    without_isolates,
)
from .shown_tokens import tokens_in_terminal
from .types import (
    AnyArray,
    BoolArray,
    Float64Array,
    Int32Array,
    Int64Array,
    IntegerArray,
    Progress,
    UInt8Array,
    UInt32Array,
)

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
    "parse_json",
    "read_text",
    "to_printable",
    "token_in_sentence",
    "token_label",
    "tokens_in_terminal",
    "translatable",
    "visible",
    "without_isolates",
    "write_files",
]
