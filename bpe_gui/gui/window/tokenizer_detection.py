"""Which files are tokenizers, as the engine's formats know them: by their names, and some by how they begin."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bpe_gui.engine import FORMATS
from bpe_gui.engine.formats import Format

from bpe_gui.gui.system.paths import exists, is_endless, is_folder

_READ: Final = tuple(known for known in FORMATS.values() if known.load)
_NAMES: Final = frozenset(name for known in _READ for name in known.files)
_SUFFIXES: Final = frozenset(known.suffix for known in _READ if known.suffix)


def is_tokenizer(path: Path) -> bool:
    """Whether it is a file of a saved tokenizer, or a folder that holds the file by which its format is known."""
    if path.name in _NAMES:
        return True
    if path.suffix in _SUFFIXES and not is_folder(path):
        return any(_is_of(known, path) for known in _READ if known.suffix == path.suffix)
    return any(exists(path / known.files[0]) for known in _READ)


def files_with(path: Path) -> Iterator[Path]:
    """Every file that may be read where this tokenizer is opened."""
    yield path
    folder = path.parent if path.name in _NAMES else path
    yield from (folder / name for name in sorted(_NAMES))


def wildcards() -> Mapping[str, tuple[str, ...]]:
    """By format: what the names of its files look like."""
    return {known.name: (*known.files, *([f"*{known.suffix}"] if known.suffix else [])) for known in _READ}


def _is_of(known: Format, path: Path) -> bool:
    """Whether a file with the suffix of a format looks like one: JSON, for example, most often is no tokenizer."""
    if known.is_one is None:
        return True
    try:
        return not is_endless(path) and known.is_one(path)
    except (OSError, ValueError):
        return False
