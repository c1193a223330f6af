"""A Dask cluster: connect to it, and check that its workers have the versions of this machine."""

import asyncio
import logging
import platform
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

import numpy as np
import regex

from bpe_gui import __version__
from bpe_gui.engine.runtime.errors import EngineError
from bpe_gui.engine.text.character_sets import UNICODE_VERSION

from .remote_files import package

RETRIES: Final = 3
"""How often a task is tried again."""

_SECONDS: Final = 10  # within which even a busy scheduler's machine answers

_logger: Final = logging.getLogger(__name__)

Versions = dict[str, str]
"""The versions of programs and packages by name."""


@contextmanager
def connected(scheduler: str) -> Iterator[Any]:
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
            "The connection to the Dask scheduler at {address} was lost before the work was finished. Restart the "
            "scheduler.",
            address=scheduler,
        )
    return EngineError(
        "The work on the cluster at {address} failed: {reason}.",
        address=scheduler,
        reason=" ".join((str(error) or type(error).__name__).split()).rstrip("."),
    )


def check_workers(client: Any, here: Versions) -> None:
    """Raise EngineError unless there are workers, all with the same versions as this machine."""
    answers = client.run(versions, on_error="return")
    if not answers:
        raise EngineError("The cluster has no workers yet. Start some with `dask worker`.")
    for worker, answer in answers.items():
        if isinstance(answer, Exception):
            raise EngineError(
                "The worker {worker} cannot be used: {reason}. Install bpe-gui there.",
                worker=worker,
                reason=str(answer).rstrip("."),
            ) from answer
        check_versions(here, answer, worker)


def worker_name() -> str:
    """Return the address of the worker on which this runs."""
    return str(package("distributed").get_worker().address)


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
