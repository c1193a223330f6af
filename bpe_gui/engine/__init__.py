"""The engine: byte-pair encoding without a window. It imports no Qt.

>>> from bpe_gui.engine import train
>>> tokenizer = train("low low low lower lower widest widest newest", num_merges=5)
>>> tokenizer.encode("lowest"), tokenizer.tokenize("lowest")
([257, 260], [b'low', b'est'])
"""

from .corpus import Corpus
from .documents import Document, FileDocument, TextDocument
from .encoding import Encoding, Lineage, TraceStep, WordTrace
from .errors import (
    CorpusError,
    EngineError,
    FormatError,
    RecipeError,
    TokenizerError,
    TrainingError,
    UndecodableFileError,
)
from .formats import FORMATS, load, save
from .merge import Merge, PairCount, SplitWord
from .progress import Progress
from .recipe import CHOICES, PRESETS, Recipe
from .spelling import to_printable, visible
from .splitters import SPLITTERS
from .tokenizer import Tokenizer
from .trainer import Trainer
from .training import train, train_to
from .word_counts import WordCounts

__all__ = [
    "CHOICES",
    "FORMATS",
    "PRESETS",
    "SPLITTERS",
    "Corpus",
    "CorpusError",
    "Document",
    "Encoding",
    "EngineError",
    "FileDocument",
    "FormatError",
    "Lineage",
    "Merge",
    "PairCount",
    "Progress",
    "Recipe",
    "RecipeError",
    "SplitWord",
    "TextDocument",
    "Tokenizer",
    "TokenizerError",
    "TraceStep",
    "Trainer",
    "TrainingError",
    "UndecodableFileError",
    "WordCounts",
    "WordTrace",
    "load",
    "save",
    "to_printable",
    "train",
    "train_to",
    "visible",
]
