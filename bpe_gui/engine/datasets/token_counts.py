"""How many tokens files have."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from bpe_gui.engine.corpora.corpus import Corpus
from bpe_gui.engine.corpora.documents import DocumentGroup, FileDocument, FileList
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .blocks import groups_of, read_blocks
from .rows import DocumentMaker, encoded_blocks


@dataclass(frozen=True, slots=True)
class FileTokens:
    """The name of a file, how many tokens and documents it has, and its size in bytes."""

    name: str
    tokens: int
    documents: int
    size: int


def count_tokens(
    tokenizer: Tokenizer, corpus: Corpus, progress: Callable[[int, int], object] | None = None
) -> Iterator[FileTokens]:
    """Yield how many tokens each file of a corpus has, with the ids around each document. Raise EngineError."""
    groups = groups_of(corpus)
    total = sum(group.size for group in groups)
    maker = DocumentMaker(tokenizer, separator=None, prepend=None, append=None)
    inner = tokenizer.without_ids_around()
    tokens = [
        np.zeros(len(group.document.files) if isinstance(group.document, FileList) else 1, np.int64) for group in groups
    ]
    documents = [0] * len(groups)
    current = 0
    for block, found in encoded_blocks(inner, read_blocks(groups, inner.chunker), None):
        while current < block.place.group:
            yield from _files_of(groups[current], tokens[current].tolist(), documents[current])
            current += 1
        rows = maker.rows(block, found)
        if isinstance(groups[current].document, FileList):
            lengths = np.diff(rows.ends, prepend=0)
            at = documents[current]
            tokens[current][at : at + len(lengths)] += lengths
            if at + len(lengths) < len(tokens[current]):
                tokens[current][at + len(lengths)] += len(rows.ids) - int(lengths.sum())
        else:
            tokens[current] += len(rows.ids)
        documents[current] += len(rows.ends)
        if progress is not None:
            progress(block.done, total)
    for number in range(current, len(groups)):
        yield from _files_of(groups[number], tokens[number].tolist(), documents[number])


def _files_of(group: DocumentGroup, tokens: list[int], documents: int) -> Iterator[FileTokens]:
    document = group.document
    if isinstance(document, FileList):
        for file, count, size in zip(document.files, tokens, document.sizes.tolist(), strict=True):
            yield FileTokens(str(file.name), count, 1, size)
    else:
        name = str(document.name) if isinstance(document, FileDocument) else ""
        yield FileTokens(name, tokens[0], documents, group.size)
