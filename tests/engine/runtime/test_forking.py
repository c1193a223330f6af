"""The child of a fork can use every tokenizer and trainer, whatever other threads of the parent were doing."""

import os
import subprocess
import sys
from threading import Barrier, Event, Thread, Timer
from weakref import ref

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


class Holder:
    """A thread that has a lock until it may end, then takes another one as well."""

    def __init__(self, lock: ForkLock, then: ForkLock | None = None) -> None:
        self.may_end = Event()
        self.lock, self.then = lock, then
        self._has_lock = Event()
        self._thread = Thread(target=self._hold)
        self._thread.start()
        self._has_lock.wait()

    def _hold(self) -> None:
        with self.lock:
            self._has_lock.set()
            self.may_end.wait()
            with self.then or self.lock:
                pass

    def end(self) -> None:
        self.may_end.set()
        self._thread.join()


def is_free(lock: ForkLock) -> bool:
    """Return whether another thread could take a lock."""
    found = list[bool]()

    def take() -> None:
        found.append(lock.was_taken(0))
        if found[0]:
            lock.__exit__()

    thread = Thread(target=take)
    thread.start()
    thread.join()
    return found[0]


def test_a_fork_waits_for_the_thread_that_has_a_lock() -> None:
    lock = ForkLock()
    holder = Holder(lock)
    Timer(0.01, holder.may_end.set).start()
    forking._take_all()
    assert not is_free(lock), "it has been taken for the fork"
    forking._release_all()
    assert is_free(lock)
    holder.end()


@pytest.mark.parametrize("is_first", [False, True])
def test_a_fork_gives_way_to_a_thread_that_takes_locks_in_another_order(
    monkeypatch: pytest.MonkeyPatch, is_first: bool
) -> None:
    inner, outer = ForkLock(), ForkLock()
    locks = [inner, outer] if is_first else [outer, inner]
    monkeypatch.setattr(forking, "_others", lambda: [lock for lock in locks if lock not in forking._taken])
    holder = Holder(outer, then=inner)
    Timer(0.01, holder.may_end.set).start()
    forking._take_all()
    assert list(forking._taken) == [outer, inner]
    forking._release_all()
    holder.end()


def test_a_child_cannot_use_what_a_thread_was_changing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forking, "_MOST_SECONDS", 0)
    lock, turn, other = ForkLock(), ForkLock(guards_state=False), ForkLock()
    holders = [Holder(each) for each in (lock, turn)]
    monkeypatch.setattr(
        forking, "_others", lambda: [each for each in (lock, turn, other) if each not in forking._taken]
    )
    monkeypatch.setattr(forking, "_locks", {ref(each) for each in (lock, turn, other)})
    held = lock._held, turn._held
    forking._take_all()
    forking._renew_all()
    with pytest.raises(RuntimeError, match=r"when the process forked, so in this child it is half changed"), lock:
        pass
    with turn, other:
        pass
    lock._held, turn._held = held  # which the threads still have
    for holder in holders:
        holder.end()


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
