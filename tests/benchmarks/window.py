"""Drives the real window and measures what a person waits for.

Run `python -m tests.benchmarks.window CORPUS [VOCABULARY]` (10,000 unless given). It opens the corpus, trains, prints
median, 95th percentile and worst case, in milliseconds until the window is repainted, of a step, a step back, a seek to
a random step, the pair table's first page, and a key stroke in the encode view; and for the time in which the corpus
was counted and the run trained, how long the window did not answer; where that was long, also what it was doing.
"""

import os
import random
import statistics
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

if len(sys.argv) > 1 and "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSpinBox, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.engine.runtime import compiled
from bpe_gui.gui.background.activity import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.session import Session

ROUNDS = 60
SEEKS = 40
TEXT = "First Citizen: before we proceed any further, hear me speak. 你好 😀 " * 30
STALL = 50  # milliseconds


def main(corpus: Path, vocabulary: int) -> None:
    app = QApplication([])
    sys.setswitchinterval(0.001)  # as the program does
    compiled.load()
    window = MainWindow()
    window.resize(1280, 800)
    window.show()
    session = window.session
    session.set_recipe(PRESETS["cs336"])
    with Watchdog(window, "opening and counting"):
        window.open_paths([corpus])
        wait_until(lambda: session.word_counts is not None and session.activity is Activity.IDLE)
    child(window, "vocabSizeSpin", QSpinBox).setValue(vocabulary)
    with Watchdog(window, f"training to {vocabulary:,}"):
        QTest.mouseClick(child(window, "trainButton", QPushButton), Qt.MouseButton.LeftButton)
        wait_until(lambda: session.activity is Activity.IDLE)
    last = session.position
    print(f"{last:,} merges, {session.trainer.pair_count if session.trainer else 0:,} pairs at the end")
    for place in (last, last // 2, 500, 60):
        go(app, session, place)
        report(f"step back from {place:,}", [timed(app, session.step_back) for _ in range(ROUNDS)])
        report("step forward again", [timed(app, session.step) for _ in range(ROUNDS)])
    chance = random.Random(1)
    steps = [chance.randrange(last) for _ in range(SEEKS)]
    report("seek to a random step", [timed(app, partial(go, app, session, step)) for step in steps])
    report("first page of the pair table", [first_page(session) for _ in range(ROUNDS)])
    editor = child(window, "encodeInput", QWidget)
    session.set_text(TEXT)
    app.processEvents()
    report(
        f"key stroke in {len(TEXT):,} characters",
        [timed(app, lambda: QTest.keyClick(editor, Qt.Key.Key_A)) for _ in range(ROUNDS)],
    )
    window.close()


def go(app: QApplication, session: Session, step: int) -> None:
    session.seek(step)
    while session.position != step or session.activity is not Activity.IDLE:
        app.processEvents()


def first_page(session: Session) -> float:
    """How long a run that has just moved takes to give its best pairs, in milliseconds."""
    session.step_back()
    assert session.trainer is not None
    session.trainer.step()
    start = perf_counter()
    session.trainer.pairs(256)
    return (perf_counter() - start) * 1000


W = TypeVar("W", bound=QWidget)


def child(window: MainWindow, name: str, kind: type[W]) -> W:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    # QTest.qWait would keep Python from running in other threads while it waits.
    while not condition():
        loop = QEventLoop()
        QTimer.singleShot(10, loop.quit)
        loop.exec()


def timed(app: QApplication, act: Callable[[], object]) -> float:
    start = perf_counter()
    act()
    app.processEvents()
    return (perf_counter() - start) * 1000


class Watchdog:
    """Asks the event loop for a turn every 5 ms while something goes on, and says how long the window took.

    A thread looks what the window's is doing where that is long.
    """

    def __init__(self, window: MainWindow, what: str) -> None:
        self._what = what
        self._gaps: list[float] = []
        self._stalls: list[str] = []
        self._answered = perf_counter()
        self._timer = QTimer(window, interval=5, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._answer)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, args=(threading.get_ident(),))

    def __enter__(self) -> None:
        self._began = self._answered = perf_counter()
        self._timer.start()
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.stop()
        self._over.set()
        self._thread.join()
        print(f"{self._what}: {perf_counter() - self._began:.2f} s")
        report("  unanswered (asked every 5 ms)", self._gaps)
        print("\n".join(self._stalls) or f"  no stall over {STALL} ms")

    def _answer(self) -> None:
        now = perf_counter()
        self._gaps.append((now - self._answered) * 1000)
        self._answered = now

    def _look(self, thread: int) -> None:
        seen = 0.0
        while not self._over.wait(0.01):
            waiting = (perf_counter() - self._answered) * 1000
            if waiting > STALL and self._answered != seen:
                seen = self._answered
                frame = sys._current_frames()[thread]
                where = "".join(traceback.format_stack(frame)[-6:])
                self._stalls.append(f"  stalled for over {waiting:.0f} ms at\n{where}")


def report(what: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{what:45} median {statistics.median(ordered):6.1f} ms   p95 {p95:6.1f} ms   worst {ordered[-1]:6.1f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
