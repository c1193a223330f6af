"""Count the words of many files on a Dask cluster. Dask schedules and retries the tasks and shows its dashboard."""

import asyncio
import logging
import platform
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

import numpy as np
import regex

from bpe_gui import __version__
from bpe_gui.engine.runtime.errors import CorpusError, EngineError
from bpe_gui.engine.runtime.types import Progress
from bpe_gui.engine.text.character_sets import UNICODE_VERSION
from bpe_gui.engine.text.recipe import Recipe
from bpe_gui.engine.text.special_tokens import SpecialTokens

from .corpus import Corpus, check_not_all_skipped
from .remote_files import RemoteFile, package
from .word_counts import WordCounts

PIECE: Final = 1 << 27
"""About how many bytes one task counts."""

_MERGED_AT_ONCE: Final = 8
_RETRIES: Final = 3
_SECONDS: Final = 10  # within which even a busy scheduler's machine answers

Piece = tuple[RemoteFile, ...]

_logger: Final = logging.getLogger(__name__)

Versions = dict[str, str]
"""The versions of programs and packages by name."""


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
    with _connected(scheduler) as client:
        here = versions()
        _check_workers(client, here)
        _logger.info("counting %d pieces of %d files on a cluster", len(pieces), len(files))
        tasks = [client.submit(_count_piece, each, recipe, specials.tokens, here, retries=_RETRIES) for each in pieces]
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
    check_versions(here, versions(), _worker())
    return Corpus(piece).count(recipe, special_tokens, may_be_empty=True)


def _merge(*parts: WordCounts) -> WordCounts:
    return WordCounts.merge(*parts)


def _worker() -> str:
    return str(package("distributed").get_worker().address)


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
    while len(parts) > 1:
        groups = [parts[start : start + _MERGED_AT_ONCE] for start in range(0, len(parts), _MERGED_AT_ONCE)]
        parts = [client.submit(_merge, *group, retries=_RETRIES) if len(group) > 1 else group[0] for group in groups]
    return parts[0]


# -- the cluster -------------------------------------------------------------------------------------------------------


@contextmanager
def _connected(scheduler: str) -> Iterator[Any]:
    """Connect to a scheduler, and turn any failure on the cluster into an EngineError."""
    distributed = package("distributed")
    for logger in ("distributed", "distributed.client"):  # the second has a level of its own
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # failures are raised instead
    with _event_loop() as loop:
        try:
            # If no program listened at the address, Dask would keep trying for a long time.
            with socket.create_connection(distributed.comm.get_address_host_port(scheduler), _SECONDS):
                pass
            client = asyncio.run_coroutine_threadsafe(_connect(distributed, scheduler), loop).result()
        except Exception as error:
            _logger.info("connecting failed", exc_info=error)
            raise EngineError(
                "No Dask scheduler answers at {address}: {reason}.", address=scheduler, reason=_reason(error)
            ) from error
        try:
            with client:
                yield client
        except EngineError:
            raise
        except Exception as error:
            _logger.info("the cluster failed", exc_info=error)
            raise _failure(scheduler, error) from error


@contextmanager
def _event_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in a thread. Dask's own fails if a busy machine does not start it within ten seconds."""
    loop = asyncio.new_event_loop()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:  # ends unfinished tasks
            runner.get_loop().run_forever()

    thread = Thread(target=run, name="cluster", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _connect(distributed: Any, scheduler: str) -> Any:
    """Return a client that other threads use without `await`. Raise the error if connecting fails.

    Dask's settings say how long the scheduler has to answer.
    """
    dask = package("dask")
    seconds = dask.utils.parse_timedelta(dask.config.get("distributed.comm.timeouts.connect"))
    client = distributed.Client(scheduler, asynchronous=True, set_as_default=False)
    try:
        return await asyncio.wait_for(client, seconds)
    except TimeoutError as error:
        raise TimeoutError(f"no answer within {seconds:g} seconds") from error
    finally:
        if client.status != "running":
            await client.close()


def _reason(error: Exception) -> str:
    """Return why a scheduler does not answer."""
    if isinstance(error, MemoryError):  # Dask takes the first bytes of any answer for its size
        return "another program answers there"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")


def _failure(scheduler: str, error: Exception) -> EngineError:
    from concurrent.futures import CancelledError

    if isinstance(error, CancelledError | OSError):
        return EngineError(
            "The connection to the Dask scheduler at {address} was lost, so nothing was counted. Restart the "
            "scheduler.",
            address=scheduler,
        )
    return EngineError(
        "Counting on the cluster at {address} failed: {reason}.",
        address=scheduler,
        reason=" ".join((str(error) or type(error).__name__).split()).rstrip("."),
    )


def _check_workers(client: Any, here: Versions) -> None:
    """Raise EngineError unless there are workers, all with the same versions as this machine."""
    answers = client.run(versions, on_error="return")
    if not answers:
        raise EngineError("The cluster has no workers yet. Start some with `dask worker`.")
    for worker, answer in answers.items():
        if isinstance(answer, Exception):
            raise EngineError(
                "The worker {worker} cannot count: {reason}. Install bpe-gui there.",
                worker=worker,
                reason=str(answer).rstrip("."),
            ) from answer
        check_versions(here, answer, worker)


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


def versions() -> Versions:
    """Return the versions on this machine."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "bpe-gui": __version__,
        "numpy": np.__version__,
        "regex": regex.__version__,
        "Unicode": UNICODE_VERSION,
    }


def check_versions(here: Versions, there: Versions, worker: str) -> None:
    """Raise EngineError if a version on `worker` differs.

    >>> check_versions({"numpy": "2.4.6"}, {"numpy": "1.26.0"}, "tcp://a:1")
    Traceback (most recent call last):
    bpe_gui.engine.runtime.errors.EngineError: The worker tcp://a:1 has numpy 1.26.0, but this machine has 2.4.6. Ins...
    """
    for name, version in here.items():
        if there.get(name) != version:
            raise EngineError(
                "The worker {worker} has {name} {there}, but this machine has {here}. Install the same versions "
                "everywhere, because they determine how text is split into words.",
                worker=worker,
                name=name,
                there=there.get(name, "?"),
                here=version,
            )
