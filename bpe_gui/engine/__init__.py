"""Byte-pair encoding, without a window: count a corpus, train on it, encode with the result, read and write files.

The names in `__all__` are the public API. Besides them, programs may use these modules and packages:

- `engine.live_text`: text that is being edited, and its tokens;
- `engine.metrics`: how well tokens compress text, as a whole and line by line;
- the packages `text`, `corpora`, `training`, `tokenization`, `pipeline`, `formats`, `proof` and `projects`, one for
  each stage of the work, and `chats`, `explanations`, `comparison`, `reports`, `surgery` and `audits`, by the names in
  their `__all__`;
- `engine.runtime`: errors, progress and memory, which all stages share.

`engine.kernels`, the hot loops over arrays, is internal. Nothing here imports Qt.

>>> from bpe_gui.engine import train
>>> tokenizer = train("low low low lower lower widest widest newest", num_merges=5)
>>> tokenizer.encode("lowest"), tokenizer.tokenize("lowest")
([257, 260], [b'low', b'est'])
"""

import logging
from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.arguments import checks_arguments
from bpe_gui.engine.runtime.lazy import imported_when_used
from bpe_gui.engine.runtime.types import Progress

from .runtime import printable
from .runtime.errors import (
    BadRecordError,
    CorpusError,
    EngineError,
    FormatError,
    RecipeError,
    TokenizerError,
    TrainingError,
    UndecodableFileError,
    VocabularySizeError,
)

if TYPE_CHECKING:
    from .audits import Audit, audit
    from .comparison import Comparison, compare
    from .corpora import Corpus, Document, FileDocument, TextDocument, WordCounts
    from .datasets import FileTokens, IdsFile, Manifest, count_tokens, encode_files, open_ids
    from .formats import FORMATS, UnknownPatternError, load, save
    from .text import CHOICES, PRESETS, SPLITTERS, Recipe
    from .tokenization import Encoding, Lineage, Tokenizer, TraceStep, WordTrace
    from .training import (
        Merge,
        PairCount,
        Plan,
        Rule,
        RunUntil,
        SplitWord,
        Trainer,
        train,
        train_fair,
        train_to,
        train_until,
    )

# Here, because the errors themselves need them.
to_printable, visible = map(checks_arguments(EngineError), (printable.to_printable, printable.visible))

__all__ = [
    "CHOICES",
    "FORMATS",
    "PRESETS",
    "SPLITTERS",
    "Audit",
    "BadRecordError",
    "Comparison",
    "Corpus",
    "CorpusError",
    "Document",
    "Encoding",
    "EngineError",
    "FileDocument",
    "FileTokens",
    "FormatError",
    "IdsFile",
    "Lineage",
    "Manifest",
    "Merge",
    "PairCount",
    "Plan",
    "Progress",
    "Recipe",
    "RecipeError",
    "Rule",
    "RunUntil",
    "SplitWord",
    "TextDocument",
    "Tokenizer",
    "TokenizerError",
    "TraceStep",
    "Trainer",
    "TrainingError",
    "UndecodableFileError",
    "UnknownPatternError",
    "VocabularySizeError",
    "WordCounts",
    "WordTrace",
    "audit",
    "compare",
    "count_tokens",
    "encode_files",
    "load",
    "open_ids",
    "save",
    "to_printable",
    "train",
    "train_fair",
    "train_to",
    "train_until",
    "visible",
]

# Without a handler, Python would print warnings to standard error.
logging.getLogger("bpe_gui").addHandler(logging.NullHandler())


__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".text",
    ".corpora",
    ".tokenization",
    ".formats",
    ".training",
    ".comparison",
    ".audits",
    ".datasets",
)


def __dir__() -> list[str]:
    return __all__
