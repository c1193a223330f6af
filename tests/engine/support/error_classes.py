"""The names of the classes of errors whose sentences are translated."""

import re
from pathlib import Path

import bpe_gui

_CLASS = re.compile(r"^class (\w+)\((?:Engine|Recipe|Corpus|Training|Tokenizer|Format)Error\):", re.MULTILINE)


def engine_errors() -> list[str]:
    """Return the names of `EngineError` and of the classes derived from it, as the command in ARCHITECTURE.md does."""
    sources = sorted(Path(bpe_gui.__file__).parent.rglob("*.py"))
    return ["EngineError", *(name for path in sources for name in _CLASS.findall(path.read_text("utf-8")))]
