"""The foundation of the engine, which all stages share and which knows none of them.

- `errors`: what a user can cause, as sentences that can be translated; `arguments`: checks of what programs pass.
- `files`, `bounded_json`: reading with clear errors, and writing all of several files or none.
- `memory`, `threads`: how much there is, and results of threads in order.
- `printable`: tokens as text; `pickling`: values as few bytes; `lazy`: what is imported when it is used; `types`.

Nothing here may be slow to import: `import bpe_gui.engine` loads most of it.
"""

from .errors import EngineError, translatable
from .files import read_text, write_files
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
    "read_text",
    "to_printable",
    "token_in_sentence",
    "token_label",
    "translatable",
    "visible",
    "without_isolates",
    "write_files",
]
