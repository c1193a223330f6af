"""The engine: byte-pair encoding without a window. It imports no Qt.

>>> from bpe_gui.engine import train
>>> tokenizer = train("low low low lower lower widest widest newest", num_merges=5)
>>> tokenizer.encode("lowest"), tokenizer.tokenize("lowest")
([257, 260], [b'low', b'est'])
"""

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import Document, FileDocument, TextDocument
from bpe_gui.engine.tokenization.results import Encoding, Lineage, TraceStep, WordTrace
from bpe_gui.engine.runtime.errors import (
    CorpusError,
    EngineError,
    FormatError,
    RecipeError,
    TokenizerError,
    TrainingError,
    UndecodableFileError,
)
from bpe_gui.engine.formats import FORMATS, load, save
from bpe_gui.engine.training.results import Merge, PairCount, SplitWord
from bpe_gui.engine.runtime.progress import Progress
from bpe_gui.engine.text.recipe import CHOICES, PRESETS, Recipe
from bpe_gui.engine.runtime.printable import to_printable, visible
from bpe_gui.engine.text.splitters import SPLITTERS
from bpe_gui.engine.tokenization.tokenizer import Tokenizer
from bpe_gui.engine.training.trainer import Trainer
from bpe_gui.engine.training.train_to_size import train, train_to
from bpe_gui.engine.corpora.word_counts import WordCounts

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
