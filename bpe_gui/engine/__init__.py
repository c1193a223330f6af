"""Byte-pair encoding, without a window: count a corpus, train on it, encode with the result, read and write files.

Its public names are listed in `__init__.pyi`. The packages that answer questions have further ones: `audits`,
`comparison`, `explanations`, `projects`, `proof`, `reports` and `surgery`.

`engine.kernels`, the hot loops over arrays, is internal. Nothing here imports Qt.

>>> from bpe_gui.engine import train
>>> tokenizer = train("low low low lower lower widest widest newest", num_merges=5)
>>> tokenizer.encode("lowest"), tokenizer.tokenize("lowest")
([257, 260], [b'low', b'est'])
"""

import logging
import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final

# Without a handler, Python would print warnings to standard error.
logging.getLogger("bpe_gui").addHandler(logging.NullHandler())

# A command needs few of these names, so the module of each is imported when it is first used. The stub, which type
# checkers read, is the only list of them.
_MODULES: Final[dict[str, str]] = {
    name: module
    for module, names in re.findall(
        r"^from (\S+) import (\([^)]*\)|.*)", Path(__file__).with_suffix(".pyi").read_text("utf-8"), re.MULTILINE
    )
    for name in re.findall(r"(\w+) as ", names)
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name], __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
