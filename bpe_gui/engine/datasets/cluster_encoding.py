"""Encode the files of a dataset on a Dask cluster: workers make rows of ids of whole files; one machine writes them.

Where a shard ends depends on the number of tokens before, so the machine that asks also cuts and writes: it gets two or
four bytes for a token, and does not read the text. So what is written, and how it resumes, is the same as without a
cluster.
"""

import pickle
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from bpe_gui.engine.corpora import cluster
from bpe_gui.engine.corpora.documents import DocumentGroup, FileDocument, FileList
from bpe_gui.engine.corpora.remote_files import RemoteFile
from bpe_gui.engine.tokenization.tokenizer import Tokenizer

from .blocks import Place, read_blocks
from .rows import DocumentMaker, Rows, RowsState, encoded_blocks

PIECE: Final = 1 << 26
"""About how many bytes of small files one task encodes. A large file is a task by itself."""

_AHEAD: Final = 2
"""How many tasks are given to each thread of a worker ahead of what is written, since their results are in memory."""


def rows_on_cluster(
    scheduler: str,
    tokenizer: Tokenizer,
    tokens: dict[str, str | None],
    groups: Sequence[DocumentGroup],
    state: RowsState,
    dtype: "np.dtype[Any]",
) -> Iterator[Rows]:
    """Yield the rows from `state` on in order, whose documents are made with `tokens`. Raise EngineError.

    `scheduler` is its address, such as `tcp://10.0.0.1:8786`. Paths must lead to the same files on every machine.
    """
    job = pickle.dumps((tokenizer, tokens))
    with cluster.connected(scheduler) as client:
        here = cluster.versions()
        cluster.check_workers(client, here)
        most = _AHEAD * sum(client.nthreads().values())
        waiting: deque[Any] = deque()
        done = sum(group.size for group in groups[: state.place.group])
        for first, part in _pieces(groups, state.place.group, PIECE):
            begin = state._replace(place=state.place._replace(group=0)) if first == state.place.group else None
            files = [group._replace(document=_shared(group.document)) for group in part]
            task = client.submit(_encode, job, files, begin, dtype, here, retries=cluster.RETRIES, pure=False)
            waiting.append((first, done, task))
            done += sum(group.size for group in part)
            while len(waiting) > most:
                yield from _placed(*waiting.popleft())
        while waiting:
            yield from _placed(*waiting.popleft())


def _pieces(groups: Sequence[DocumentGroup], start: int, size: int) -> Iterator[tuple[int, list[DocumentGroup]]]:
    """Yield the groups from number `start` on, small ones together, with the number of the first."""
    first, together = start, list[DocumentGroup]()
    for number in range(start, len(groups)):
        if together and sum(group.size for group in (*together, groups[number])) > size:
            yield first, together
            first, together = number, []
        together.append(groups[number])
    if together:
        yield first, together


def _shared(document: Any) -> Any:
    """Return a document with the whole paths of its files, since workers have other current folders."""
    match document:
        case FileList():
            return replace(document, files=tuple(map(_shared, document.files)))
        case FileDocument() if not isinstance(document, RemoteFile):
            return replace(document, path=document.path.absolute())
    return document


def _placed(first: int, done: int, task: Any) -> Iterator[Rows]:
    """Yield the rows of a task with the numbers that its groups and bytes have among all."""
    for rows in task.result():
        place = Place(first + rows.state.place.group, rows.state.place.start)
        yield rows._replace(state=rows.state._replace(place=place), done=done + rows.done)


# -- tasks, which run on workers ---------------------------------------------------------------------------------------


def _encode(
    job: bytes, groups: Sequence[DocumentGroup], begin: RowsState | None, dtype: "np.dtype[Any]", here: cluster.Versions
) -> list[Rows]:
    """Encode a piece on a worker. Check its versions, because it may have joined after the first check."""
    cluster.check_versions(here, cluster.versions(), cluster.worker_name())
    tokenizer, tokens = _job(job)
    maker, inner = DocumentMaker(tokenizer, **tokens), tokenizer.without_ids_around()
    place = Place(0, 0)
    if begin is not None:
        maker.is_open, place = begin.is_open, begin.place
    found = encoded_blocks(inner, read_blocks(groups, inner.chunker, place), 1)
    return [rows._replace(ids=rows.ids.astype(dtype)) for rows in (maker.rows(*each) for each in found)]


@lru_cache(maxsize=1)
def _job(pickled: bytes) -> tuple[Tokenizer, dict[str, str | None]]:
    job: tuple[Tokenizer, dict[str, str | None]] = pickle.loads(pickled)  # Dask runs whatever a client sends
    return job
