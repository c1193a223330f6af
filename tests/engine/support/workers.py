"""What other processes do with the values that tests send them; it imports nothing that takes long."""

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def in_worker(start_method: str, function: Callable[..., Any], *arguments: object) -> Any:
    """Return what a function gives in a new process, which is spawned or forked."""
    with ProcessPoolExecutor(1, get_context(start_method)) as pool:
        return pool.submit(function, *arguments).result()


def ids_and_pickles(tokenizers: dict[str, Any], texts: list[str]) -> dict[str, tuple[list[list[int]], bytes]]:
    """Return the ids of the texts by each tokenizer, and what it is pickled to after that."""
    return {name: (each.encode_batch(texts), pickle.dumps(each)) for name, each in tokenizers.items()}
