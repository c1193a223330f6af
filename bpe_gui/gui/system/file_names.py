"""Names for files that every system accepts."""

import re
from typing import Final

# What Windows forbids is allowed elsewhere, but a file so named could not be copied there.
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?=\.|$)", re.IGNORECASE)
_MOST: Final = 80  # characters


def portable_name(title: str) -> str:
    """Return `title` as the name of a file without suffix that Windows allows, too; empty if nothing is left of it.

    >>> portable_name("CS336: low, lower?"), portable_name("aux"), portable_name(" . ")
    ('CS336 low, lower', 'aux_', '')
    """
    name = " ".join(_FORBIDDEN.sub(" ", title).split())[:_MOST].strip(" .")
    return _DEVICE.sub(r"\1_", name) if _DEVICE.match(name) else name
