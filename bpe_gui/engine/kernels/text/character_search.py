"""Search text for characters of a set."""

from bpe_gui.engine.compilation.kernel import kernel
from bpe_gui.engine.kernels.lowlevel.utf8 import code_point_at, size_at
from bpe_gui.engine.runtime.arrays import UInt8Array


@kernel
def has_any(text: UInt8Array, end: int, members: UInt8Array) -> bool:
    """Return whether a padded text up to `end` has a character for which `members` is not 0, by code point."""
    at = 0
    while at < end:
        byte = text[at]
        if byte < 0x80:
            if members[byte]:
                return True
            at += 1
        else:
            if members[code_point_at(text, at)]:
                return True
            at += size_at(text, at)
    return False
