"""Corpora: reading documents and counting their unique words.

- `text_files`, `record_files`: read files of one text or of many, as UTF-8, into the caller's buffer; `documents`: the
  documents of a corpus, in files or in memory; `file_search`: find files by pattern.
- `word_arrays`: words and counts in arrays and in a hash table; `counting`: count documents into such tables, in
  several threads, each with a contiguous part of the corpus.
- `corpus`: the documents and their `weights`; counting them gives `word_counts`.
- `counts_facts`, `counts_file`: counts in a Parquet file, with a record of how they were made.
- `bounded_counting`: count more words than fit in memory, with temporary files.
- `remote_files`, `cluster_counting`: count files at any address on a Dask cluster.

However they are counted, words come in the order in which a single thread reading the whole corpus would first see
them, because ties in training and ids depend on it. Positions are in bytes of the text with a mark after each record,
so parts of a corpus can be counted anywhere, in any order, and then merged.
"""

from typing import TYPE_CHECKING

from bpe_gui.engine.runtime.lazy import imported_when_used

if TYPE_CHECKING:
    from .bounded_counting import LEAST_MEMORY, count_to_file, merge_files
    from .cluster_counting import count_on_cluster
    from .corpus import Corpus
    from .counts_facts import CountsFacts, Source, Span
    from .counts_file import Written, check_can_write, input_error, is_counts_file, open_counts
    from .documents import USUAL_FIELD, Document, FileDocument, TextDocument
    from .file_search import FileSearch, FoundFile, find_files
    from .remote_files import RemoteFile, address_of, find_remote
    from .text_files import FileKind, ReadingState, kind_of
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
    ".text_files",
    ".documents",
    ".weights",
    ".file_search",
    ".counts_facts",
    ".counts_file",
    ".word_counts",
    ".corpus",
    ".bounded_counting",
    ".remote_files",
    ".cluster_counting",
)
