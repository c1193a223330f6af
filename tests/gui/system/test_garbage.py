"""Cyclic garbage is collected in the UI thread alone, and a large heap does not stop the window again and again."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.system import garbage
from bpe_gui.gui.system.garbage import GarbageCollector

# Without the collector, "job" frees windows, too, or the program freezes.
_PROGRAM = """
import faulthandler, threading, weakref
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from bpe_gui.gui.system.garbage import GarbageCollector

class Job(QThread):
    is_wanted = True

    def run(self):
        threading.current_thread().name = "job"
        while self.is_wanted:
            [[] for _ in range(10_000)]

class Part(QObject):
    changed = Signal()

class Window(QWidget):
    def __init__(self):
        super().__init__()
        self.me = self
        self.parts = [Part(self) for _ in range(5)]
        for one, other in zip(self.parts, self.parts[1:]):
            one.changed.connect(other.changed)
        self.boxes = [QComboBox(self) for _ in range(5)]

faulthandler.dump_traceback_later(60, exit=True)
freed_by = []
app = QApplication([])
collector = GarbageCollector(app)
job = Job()
job.start()
for _ in range(100):
    window = Window()
    weakref.finalize(window, lambda: freed_by.append(threading.current_thread().name))
    del window
while len(freed_by) < 50:
    app.processEvents()
job.is_wanted = False
job.wait()
print(set(freed_by))
"""


def test_windows_are_never_destroyed_in_the_thread_of_a_job() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (0, "{'MainThread'}\n"), result.stderr


@pytest.fixture
def collector(qapp: QApplication) -> Iterator[GarbageCollector]:
    parent = QObject()
    collector = GarbageCollector(parent)
    yield collector
    collector.close()


class Collections:
    """The generations that are collected, in a time that stands still unless a collection takes some."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.duration = 0.001
        self.counts = (0, 0, 0)
        self.made: list[int] = []
        self.frozen = 0
        monkeypatch.setattr(garbage, "perf_counter", lambda: self.now)
        monkeypatch.setattr(gc, "get_count", lambda: self.counts)
        monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))
        monkeypatch.setattr(gc, "collect", self.collect)
        monkeypatch.setattr(gc, "freeze", self.freeze)

    def collect(self, generation: int = 2) -> None:
        self.made.append(generation)
        self.now += self.duration

    def freeze(self) -> None:
        self.frozen += 1


@pytest.mark.parametrize(
    ("counts", "made"),
    [((700, 11, 11), []), ((701, 10, 10), [0]), ((701, 11, 10), [1]), ((701, 0, 11), [2])],
    ids=["nothing", "young", "middle", "all"],
)
def test_the_thresholds_are_pythons(
    collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch, counts: tuple[int, int, int], made: list[int]
) -> None:
    collections = Collections(monkeypatch)
    collections.counts = counts
    collector.collect()
    assert collections.made == made


def test_full_collections_rest_in_proportion_and_a_long_one_is_the_last(
    collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    collections = Collections(monkeypatch)
    collections.counts = (701, 0, 11)
    for _ in range(2):
        collector.collect()
    assert (collections.made, collections.frozen) == ([2, 1], 0)
    collections.now, collections.duration = 1.0, 0.2
    collector.collect()
    assert (collections.made, collections.frozen) == ([2, 1, 2], 1), "what survived is not looked at again"


def test_python_collects_by_itself_only_afterwards(collector: GarbageCollector) -> None:
    assert not gc.isenabled()
    gc.enable()  # as a package might
    collector.collect()
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()
    assert not gc.get_freeze_count()
