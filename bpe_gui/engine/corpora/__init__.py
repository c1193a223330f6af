"""Corpora: reading documents and counting their unique words."""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy_imports import imported_when_used

if TYPE_CHECKING:
    from .bounded_counting import LEAST_MEMORY, count_to_file, merge_files
    from .cluster.counting import count_on_cluster
    from .cluster.remote_files import RemoteFile, address_of, find_remote
    from .corpus import Corpus
    from .counts_files.facts import CountsFacts, Source, Span
    from .counts_files.parquet_file import Written, check_can_write, input_error, is_counts_file, open_counts
    from .documents import USUAL_FIELD, Document, FileDocument, TextDocument
    from .file_search import FileSearch, FoundFile, find_files
    from .files.kinds import FileKind, kind_of
    from .files.text_file import ReadingState
    from .weights import ONCE, weight_of, weight_text
    from .word_counts import WordCounts

__all__ = [
    "LEAST_MEMORY",
    "ONCE",
    "USUAL_FIELD",
    "Corpus",
    "CountsFacts",
    "Document",
    "FileDocument",
    "FileKind",
    "FileSearch",
    "FoundFile",
    "ReadingState",
    "RemoteFile",
    "Source",
    "Span",
    "TextDocument",
    "WordCounts",
    "Written",
    "address_of",
    "check_can_write",
    "count_on_cluster",
    "count_to_file",
    "find_files",
    "find_remote",
    "input_error",
    "is_counts_file",
    "kind_of",
    "merge_files",
    "open_counts",
    "weight_of",
    "weight_text",
]

__getattr__ = imported_when_used(
    __name__,
    __all__,
    ".files.kinds",
    ".documents",
    ".weights",
    ".file_search",
    ".files.text_file",
    ".counts_files.facts",
    ".counts_files.parquet_file",
    ".word_counts",
    ".corpus",
    ".bounded_counting",
    ".cluster.remote_files",
    ".cluster.counting",
)
