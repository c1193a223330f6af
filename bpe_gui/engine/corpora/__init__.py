"""Corpora: reading documents and counting their unique words."""

from .corpus import Corpus
from .documents import Document, FileDocument, TextDocument
from .file_search import FileSearch, FoundFile
from .weights import ONCE, weight_of, weight_text
from .word_counts import WordCounts

__all__ = [
    "ONCE",
    "Corpus",
    "Document",
    "FileDocument",
    "FileSearch",
    "FoundFile",
    "TextDocument",
    "WordCounts",
    "weight_of",
    "weight_text",
]
