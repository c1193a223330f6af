"""Wine, which runs programs for Windows elsewhere, and tells them that it is Windows."""

import ctypes
import sys

import pytest


def _is_wine() -> bool:
    if sys.platform == "win32":
        return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")
    return False


def not_under_wine(reason: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test under Wine alone, for a `reason` that holds only there."""
    return pytest.mark.skipif(_is_wine(), reason=f"Wine: {reason}")
