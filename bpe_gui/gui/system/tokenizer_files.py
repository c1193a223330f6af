"""Which files belong to saved tokenizers."""

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bpe_gui.engine import FORMATS, Format, suffix_of

from .paths import exists, is_endless, is_folder

_READABLE: Final = tuple(known for known in FORMATS.values() if known.load)
_NAMES: Final = frozenset(name for known in _READABLE for name in known.files)
_SUFFIXES: Final = frozenset(known.suffix for known in _READABLE if known.suffix)
_logger: Final = logging.getLogger(__name__)


def is_tokenizer(path: Path) -> bool:
    """Return whether a path is the file of a saved tokenizer, or a folder with the main file of some format."""
    if path.name in _NAMES:
        return True
    if (suffix := suffix_of(path)) in _SUFFIXES and not is_folder(path):
        return any(_looks_like(known, path) for known in _READABLE if known.suffix == suffix)
    return any(exists(path / known.files[0]) for known in _READABLE)


def tokenizer_of(path: Path) -> Path:
    """Return the path that identifies a tokenizer: for a file with a format's usual name, its folder."""
    return path.parent if path.name in _NAMES else path


def files_with(path: Path) -> Iterator[Path]:
    """Yield every file that may be read when opening the tokenizer at `path`."""
    yield path
    yield from (tokenizer_of(path) / name for name in sorted(_NAMES))


def wildcards() -> Mapping[str, tuple[str, ...]]:
    """Return, for each readable format's name, the wildcards that match its files."""
    suffixes = {known.name: [f"*{known.suffix}"] if known.suffix else [] for known in _READABLE}
    suffixes["sentencepiece"].append("*.model.v*")
    return {known.name: (*known.files, *suffixes[known.name]) for known in _READABLE}


def _looks_like(known: Format, path: Path) -> bool:
    """Return whether a file with a format's suffix also begins like it: most JSON files are not tokenizers."""
    if known.recognises is None:
        return True
    try:
        return not is_endless(path) and known.recognises(path)
    except (OSError, ValueError) as error:
        _logger.debug("%s cannot be looked at: %s", path, error)
        return False
