"""Count the words of many files on a Dask cluster. Dask schedules and retries the tasks and shows its dashboard."""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from bpe_gui.engine.runtime.errors import CorpusError
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .cluster import RETRIES, Versions, check_versions, check_workers, connected, versions, worker_name
from .corpus import Corpus, check_not_all_skipped
from .remote_files import RemoteFile, package
from .word_counts import WordCounts

PIECE: Final = 1 << 27
"""About how many bytes one task counts."""

_MERGED_AT_ONCE: Final = 8

Piece = tuple[RemoteFile, ...]

_logger: Final = logging.getLogger(__name__)


def count_on_cluster(
    scheduler: str,
    files: Sequence[RemoteFile],
    recipe: Recipe | str,
    special_tokens: Sequence[str] = (),
    progress: Progress | None = None,
    *,
    piece: int = PIECE,
) -> WordCounts:
    """Return the counts of the words of files as `Corpus.count` does, with the work done by a Dask cluster.

    `scheduler` is its address, such as `tcp://10.0.0.1:8786`. Tasks get about `piece` bytes each; their counts are
    merged in a tree, in the order of the files. `progress` is called with the bytes counted and in total. Raise
    EngineError as `Corpus.count` does, and if the cluster cannot be reached, breaks down, or has different versions of
    the packages that counting depends on.
    """
    recipe = Recipe.of(recipe)
    specials = SpecialTokens(special_tokens)
    pieces = list(_pieces(files, recipe, specials.removed_from_corpus(recipe).tokens, piece))
    sizes = [sum(file.size() for file in each) for each in pieces]
    with connected(scheduler) as client:
        here = versions()
        check_workers(client, here)
        _logger.info("counting %d pieces of %d files on a cluster", len(pieces), len(files))
        tasks = [client.submit(_count_piece, each, recipe, specials.tokens, here, retries=RETRIES) for each in pieces]
        result = _merged(client, tasks)
        _wait(client, tasks, sizes, progress)
        counts: WordCounts = result.result()
    if not len(counts):
        check_not_all_skipped(counts.skipped)
        raise CorpusError("The corpus is empty, so there are no words to count. Add some text.")
    return counts


# -- tasks, which run on workers ---------------------------------------------------------------------------------------


def _count_piece(piece: Piece, recipe: Recipe, special_tokens: tuple[str, ...], here: Versions) -> WordCounts:
    """Count the words of a piece on a worker. Check its versions, because it may have joined after the first check."""
    check_versions(here, versions(), worker_name())
    return Corpus(piece).count(recipe, special_tokens, may_be_empty=True)


# -- pieces ------------------------------------------------------------------------------------------------------------


def _pieces(files: Sequence[RemoteFile], recipe: Recipe, special_tokens: tuple[str, ...], size: int) -> Iterator[Piece]:
    """Yield the files in order, small ones together and large ones in parts."""
    together: list[RemoteFile] = []
    for file in files:
        for part in file.split(size, recipe, special_tokens):
            if together and sum(each.size() for each in (*together, part)) > size:
                yield tuple(together)
                together = []
            together.append(part)
    if together:
        yield tuple(together)


def _merged(client: Any, parts: Sequence[Any]) -> Any:
    """Return a future for the counts of all parts, merged in a tree."""
    merge = partial(client.submit, WordCounts.merge, retries=RETRIES)
    while len(parts) > 1:
        groups = [parts[start : start + _MERGED_AT_ONCE] for start in range(0, len(parts), _MERGED_AT_ONCE)]
        parts = [merge(*group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]


def _wait(client: Any, tasks: list[Any], sizes: Sequence[int], progress: Progress | None) -> None:
    """Wait for all tasks, and report the bytes counted. Raise the first error."""
    size_of = dict(zip((task.key for task in tasks), sizes, strict=True))
    finished = package("distributed").as_completed(tasks, loop=client.loop)
    tasks.clear()  # lets workers free counts that have been merged
    done, total = 0, sum(sizes)
    for task in finished:
        if task.status != "finished":
            task.result()  # raises
        done += size_of[task.key]
        if progress:
            progress(done, total)
