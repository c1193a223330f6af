"""Drive the real window and measure how long a person waits: `python -m tests.benchmarks.window CORPUS [VOCABULARY]`.

Opens the corpus and trains, to a vocabulary of 10,000 by default. Then prints the median, the 95th percentile and the
worst case of a step, a step back, a frame of the animation after a step, a seek to a random step, the first page of the
pair table, and a key press in the encode view, in milliseconds until the window is repainted. For counting and
training, prints how long the window did not respond, with a stack trace if that was long.
"""

import os
import random
import statistics
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from time import perf_counter, sleep
from typing import TypeVar

if len(sys.argv) > 1 and "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tempfile import mkdtemp

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSpinBox, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.session import Session
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tables.table import Table

ROUNDS = 60
SEEKS = 40
FRAME_STEPS = 10
TEXT = "First Citizen: before we proceed any further, hear me speak. 你好 😀 " * 30
STALL = 50  # report stalls of at least this many milliseconds


def main(corpus: Path, vocabulary: int) -> None:
    app = QApplication([])
    sys.setswitchinterval(0.001)  # as the program does
    window = MainWindow(settings=Settings(Path(mkdtemp(), "settings.ini")))  # not those of whoever measures
    window.resize(1280, 800)
    window.show()
    session = window.session
    session.corpus.set_recipe(PRESETS["cs336"])
    session.text.set_content(TEXT)
    with Watchdog(window, "opening and counting"):
        window.open_paths([corpus])
        wait_until(lambda: session.counts.words is not None and session.work.activity is Activity.IDLE)
    child(window, "vocabSizeSpin", QSpinBox).setValue(vocabulary)
    with Watchdog(window, f"training to {vocabulary:,}"):
        QTest.mouseClick(child(window, "trainButton", QPushButton), Qt.MouseButton.LeftButton)
        wait_until(lambda: session.work.activity is Activity.IDLE)
    last = session.cursor.position
    print(f"{last:,} merges, {session.cursor.trainer.pair_count if session.cursor.trainer else 0:,} pairs at the end")
    for step in (last, last // 2, min(500, last), min(60, last)):
        go(app, session, step)
        report(f"step back from {step:,}", [timed(app, session.cursor.step_back) for _ in range(ROUNDS)])
        report("step forward again", [timed(app, session.cursor.step) for _ in range(ROUNDS)])
        report("frame of its animation", [time for _ in range(FRAME_STEPS) for time in frames(app, window)])
    rng = random.Random(1)
    steps = [rng.randrange(last) for _ in range(SEEKS)]
    report("seek to a random step", [timed(app, partial(go, app, session, step)) for step in steps])
    report("first page of the pair table", [first_page(session) for _ in range(ROUNDS)])
    editor = child(window, "encodeInput", QWidget)
    session.text.set_content(TEXT)
    app.processEvents()
    report(
        f"key stroke in {len(TEXT):,} characters",
        [timed(app, lambda: QTest.keyClick(editor, Qt.Key.Key_A)) for _ in range(ROUNDS)],
    )
    window.close()


def go(app: QApplication, session: Session, step: int) -> None:
    session.cursor.seek(step)
    while session.cursor.position != step or session.work.activity is not Activity.IDLE:
        app.processEvents()


def frames(app: QApplication, window: MainWindow) -> list[float]:
    """Step forward, and return the milliseconds that each frame of the animation takes to be painted."""
    motion = child(window, "pairTable", Table).table_model.theme.motion
    sleep(0.2)  # below eight steps a second
    window.session.cursor.step()
    app.processEvents()
    motion.pause()
    length = motion.duration() / motion.endValue()
    starts = [ceil(number * length) for number in range(1, motion.endValue())]
    times = [timed(app, partial(motion.setCurrentTime, start)) for start in starts]
    motion.resume()
    motion.end()
    app.processEvents()
    return times


def first_page(session: Session) -> float:
    """Return the milliseconds that a run takes to list its most frequent pairs after a move."""
    session.cursor.step_back()
    assert session.cursor.trainer is not None
    session.cursor.trainer.step()
    start = perf_counter()
    session.cursor.trainer.pairs(256)
    return (perf_counter() - start) * 1000


Widget = TypeVar("Widget", bound=QWidget)


def child(window: MainWindow, name: str, kind: type[Widget]) -> Widget:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    # QTest.qWait would keep Python from running in other threads meanwhile.
    while not condition():
        loop = QEventLoop()
        QTimer.singleShot(10, loop.quit)
        loop.exec()


def timed(app: QApplication, act: Callable[[], object]) -> float:
    """Return the milliseconds until the window has responded to `act`."""
    start = perf_counter()
    act()
    app.processEvents()
    return (perf_counter() - start) * 1000


class Watchdog:
    """Measures how long the window does not respond while it does something, with a 5 ms timer.

    If that is long, a thread records the stack of the window's thread.
    """

    def __init__(self, window: MainWindow, title: str) -> None:
        self._title = title
        self._gaps: list[float] = []
        self._stalls: list[str] = []
        self._responded = perf_counter()
        self._timer = QTimer(window, timerType=Qt.TimerType.PreciseTimer)
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._respond)
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(threading.get_ident(),))

    def __enter__(self) -> None:
        self._began = self._responded = perf_counter()
        self._timer.start()
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._timer.stop()
        self._respond()  # to what the timer did not see
        self._finished.set()
        self._thread.join()
        print(f"{self._title}: {perf_counter() - self._began:.2f} s")
        report("  without a response (checked every 5 ms)", self._gaps)
        print("\n".join(self._stalls) or f"  no stall over {STALL} ms")

    def _respond(self) -> None:
        now = perf_counter()
        self._gaps.append((now - self._responded) * 1000)
        self._responded = now

    def _watch(self, thread: int) -> None:
        recorded = 0.0
        while not self._finished.wait(0.01):
            waiting = (perf_counter() - self._responded) * 1000
            if waiting > STALL and self._responded != recorded:
                recorded = self._responded
                frame = sys._current_frames()[thread]
                stack = "".join(traceback.format_stack(frame)[-6:])
                self._stalls.append(f"  stalled for over {waiting:.0f} ms at\n{stack}")


def report(title: str, times: Sequence[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{title:45} median {statistics.median(ordered):6.1f} ms   p95 {p95:6.1f} ms   worst {ordered[-1]:6.1f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
