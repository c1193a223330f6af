"""The child of a fork can use every tokenizer and trainer, whatever other threads of the parent were doing."""

import os
import subprocess
import sys
from threading import Barrier, Event, Thread

import pytest

from bpe_gui.engine.runtime import forking
from bpe_gui.engine.runtime.cached import cached_property
from bpe_gui.engine.runtime.forking import ForkLock

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")

UNDER_LOAD = """
import os, pickle, random, sys, threading, time, warnings
from itertools import product
from string import ascii_lowercase
from bpe_gui.engine import Corpus, Tokenizer, Trainer

warnings.simplefilter("ignore")  # of forking while there are threads
text = "low lower lowest newest widest 你好 " * 50
letters = [letter.encode() for letter in ascii_lowercase]
pairs = list(product(letters, letters))
merges = [*pairs, *((a + b, c) for (a, b), c in product(pairs, letters))]
saved = pickle.dumps(Tokenizer(dict(enumerate([*map(bytes, zip(range(256))), *(a + b for a, b in merges)])), merges))
words = Corpus.from_text(text).count("cs336")
current = pickle.loads(saved), Trainer(words, "cs336")

def use(tokenizer, trainer):
    tokenizer.encode(text)
    tokenizer.store.ranks, tokenizer.vocab, tokenizer.store.token_ranks
    tokenizer.at(10).encode_batch([text] * 3)
    for _ in range(10):
        trainer.step()
    trainer.seek(random.randrange(8))
    return tokenizer.encode("lower") == expected

expected = current[0].encode("lower")

def work():
    while True:
        use(*current)

threading.Thread(target=work, daemon=True).start()
for number in range(20):
    current = pickle.loads(saved), Trainer(words, "cs336")
    threading.Thread(target=use, args=current, daemon=True).start()
    time.sleep(random.random() * 0.05)
    child = os.fork()
    if not child:
        os._exit(0 if use(*current) else 3)
    assert os.waitpid(child, 0)[1] == 0, number
print("done")
sys.stdout.flush()
os._exit(0)
"""


def test_children_of_a_busy_process_do_not_hang() -> None:
    done = subprocess.run([sys.executable, "-c", UNDER_LOAD], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


def test_a_fork_waits_for_the_thread_that_has_a_lock() -> None:
    lock, has_lock, forks = ForkLock(), Event(), Event()

    def hold() -> None:
        with lock:
            has_lock.set()
            forks.wait()

    thread = Thread(target=hold)
    thread.start()
    has_lock.wait()
    attempts: list[bool] = []

    def sleep(_seconds: float) -> None:
        attempts.append(lock.try_to_take())
        forks.set()
        thread.join()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bpe_gui.engine.runtime.forking.time.sleep", sleep)
        forking._take_all()
    assert attempts == [False]
    other = Thread(target=lambda: attempts.append(lock.try_to_take()))
    other.start()
    other.join()
    assert attempts == [False, False], "it has been taken for the fork"
    forking._release_all()
    with lock:
        pass


def test_a_child_has_new_locks_if_the_wait_is_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "_MOST_SECONDS", 0)
    lock, has_lock, may_end = ForkLock(), Event(), Event()

    def hold() -> None:
        with lock:
            has_lock.set()
            may_end.wait()

    thread = Thread(target=hold)
    thread.start()
    has_lock.wait()
    forking._take_all()
    held = lock._held
    forking._renew_all()
    with lock:
        pass
    lock._held = held  # which the thread still has
    may_end.set()
    thread.join()


def test_threads_that_compute_a_value_at_once_get_the_same() -> None:
    both_compute = Barrier(2, timeout=60)

    class Computed:
        @cached_property
        def value(self) -> object:
            both_compute.wait()
            return object()

    computed, found = Computed(), list[object]()
    threads = [Thread(target=lambda: found.append(computed.value)) for _thread in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] is found[1] is computed.value
