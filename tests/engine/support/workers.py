"""Run functions in separate processes, and the functions that tests run there. Imports nothing slow."""

import multiprocessing
import pickle
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

_PRELOADED = ("bpe_gui.engine.kernels.training.pairs", "bpe_gui.gui.projects.autosave")


def quick_context() -> Any:
    """Return a context whose processes start in hundredths of a second: forked from one with the needed imports.

    If processes cannot fork, they are new ones, as usual.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_PRELOADED])
    return context


def in_worker(context: Any, function: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of a function in a new process of a `multiprocessing` context."""
    with ProcessPoolExecutor(1, context) as pool:
        return pool.submit(function, *arguments).result()


def hold_recovery_file(folder: Path, started: Any) -> None:
    """Take a new recovery file, send its path through a connection, and keep the file until the process is killed."""
    from bpe_gui.gui.projects.autosave import RecoveryFolder

    file = RecoveryFolder(folder).new_file()
    assert file is not None
    started.send(file.path)
    while True:
        time.sleep(1)


def ids_and_pickles(tokenizers: dict[str, Any], texts: list[str]) -> dict[str, tuple[list[list[int]], bytes]]:
    """Return the ids of the texts by each tokenizer, and its pickle after encoding them."""
    return {name: (each.encode_batch(texts), pickled(each)) for name, each in tokenizers.items()}


def pickled(value: object) -> bytes:
    """Return a pickle that does not depend on what packages teach `pickle` for the rest of a process, as Dask does."""
    file = BytesIO()
    pickler = pickle.Pickler(file)
    pickler.dispatch_table = {}
    pickler.dump(value)
    return file.getvalue()
