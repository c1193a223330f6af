"""Where the files of `resources/` are: beside the package in a checkout, inside it once installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_INSTALLED = _PACKAGE / "resources"
_CHECKOUT = _PACKAGE.parent / "resources"


def resource(*parts: str) -> Path:
    """The path of one shipped file or folder, for example `resource("icons", "step.svg")`."""
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return root.joinpath(*parts)
