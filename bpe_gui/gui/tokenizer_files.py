"""Which files are tokenizers: what their names tell is known of the engine's formats."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bpe_gui.engine import FORMATS

from .paths import exists, is_endless, is_folder

_READ: Final = tuple(known for known in FORMATS.values() if known.load)
_NAMES: Final = frozenset(name for known in _READ for name in known.files)
_SUFFIXES: Final = frozenset(known.suffix for known in _READ if known.suffix)
_JSON: Final = ".json"  # which most often is no tokenizer
_MARK: Final = b'"added_tokens"'  # stands near the beginning of one, before the vocabulary
_BEGINNING: Final = 1 << 16  # bytes


def is_tokenizer(path: Path) -> bool:
    """Whether it is a file of a saved tokenizer, or a folder that holds the file by which its format is known."""
    if path.name in _NAMES:
        return True
    if path.suffix in _SUFFIXES and not is_folder(path):
        return path.suffix != _JSON or _has_mark(path)
    return any(exists(path / known.files[0]) for known in _READ)


def files_with(path: Path) -> Iterator[Path]:
    """Every file that may be read where this tokenizer is opened."""
    yield path
    folder = path.parent if path.name in _NAMES else path
    yield from (folder / name for name in sorted(_NAMES))


def wildcards() -> Mapping[str, tuple[str, ...]]:
    """By format: what the names of its files look like."""
    return {known.name: (*known.files, *([f"*{known.suffix}"] if known.suffix else [])) for known in _READ}


def _has_mark(path: Path) -> bool:
    if is_endless(path):
        return False
    try:
        with path.open("rb") as file:
            return _MARK in file.read(_BEGINNING)
    except (OSError, ValueError):
        return False
