"""Corpora: reading documents and counting their unique words."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .corpus import Corpus
from .counts_files.facts import CountsFacts, Source, Span
from .counts_files.parquet_file import Written, check_can_write, input_error, is_counts_file, open_counts
from .documents import USUAL_FIELD, Document, FileDocument, TextDocument
from .file_search import FileSearch, FoundFile, find_files
from .files.kinds import FileKind, kind_of
from .files.text_file import ReadingState
from .weights import ONCE, weight_of, weight_text
from .word_counts import WordCounts

if TYPE_CHECKING:
    from .bounded_counting import LEAST_MEMORY, count_to_file, merge_files
    from .cluster.counting import count_on_cluster
    from .cluster.remote_files import RemoteFile, address_of, find_remote

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

_IMPORTED_LATER: Final = {
    "LEAST_MEMORY": ".bounded_counting",
    "count_to_file": ".bounded_counting",
    "merge_files": ".bounded_counting",
    "count_on_cluster": ".cluster.counting",
    "RemoteFile": ".cluster.remote_files",
    "address_of": ".cluster.remote_files",
    "find_remote": ".cluster.remote_files",
}
"""The modules of names that most programs do not need."""


def __getattr__(name: str) -> Any:
    """Import what counts into files and on clusters when one of its names is first used."""
    if name not in _IMPORTED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_IMPORTED_LATER[name], __name__), name)
