"""Find the files of `resources/`, which are beside the package in a checkout and inside it when installed."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_INSTALLED = _PACKAGE / "resources"
_CHECKOUT = _PACKAGE.parent / "resources"


def resource(*parts: str) -> Path:
    """Return the path of a shipped file or folder, for example `resource("icons", "step.svg")`."""
    root = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return root.joinpath(*parts)


def documentation(language: str) -> Path:
    """Return the folder with the site's pages in a language, which in a checkout is where they are written."""
    installed = _INSTALLED / "docs"
    return (installed if installed.is_dir() else _PACKAGE.parent / "docs") / language
