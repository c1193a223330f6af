"""Drives the real window and measures what a person waits for: run `python -m tests.benchmarks.window CORPUS`.

Prints the median and the 95th percentile, in milliseconds from the key to the repainted window, of a step, a step back
and a key stroke in the encode view, on a run trained to a vocabulary of 10,000; and the longest time during training
that the window did not answer.
"""

import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

if len(sys.argv) > 1 and "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QSpinBox, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session import Activity

VOCABULARY = 10_000
ROUNDS = 60
TEXT = "First Citizen: before we proceed any further, hear me speak. 你好 😀 " * 30


def main(corpus: Path) -> None:
    app = QApplication([])
    sys.setswitchinterval(0.001)  # as the program does
    window = MainWindow()
    window.resize(1280, 800)
    window.show()
    window.session.set_recipe(PRESETS["cs336"])
    window.open_paths([corpus])
    wait_until(lambda: window.session.word_counts is not None and window.session.activity is Activity.IDLE)
    child(window, "vocabSizeSpin", QSpinBox).setValue(VOCABULARY)

    began = perf_counter()
    stalls = watch_stalls(window)
    QTest.mouseClick(child(window, "trainButton", QPushButton), Qt.MouseButton.LeftButton)
    wait_until(lambda: window.session.activity is Activity.IDLE)
    print(
        f"training to {VOCABULARY:,} in the window: {perf_counter() - began:.2f} s, {window.session.position:,} merges"
    )
    report("window unanswered while training (every 5 ms)", stalls())

    session = window.session
    report("step back", [timed(app, session.step_back) for _ in range(ROUNDS)])
    report("step", [timed(app, session.step) for _ in range(ROUNDS)])
    session.seek(500)
    wait_until(lambda: session.position == 500)
    report("step at 500", [timed(app, session.step) for _ in range(ROUNDS)])
    report("step back at 500", [timed(app, session.step_back) for _ in range(ROUNDS)])
    editor = child(window, "encodeInput", QWidget)
    session.set_text(TEXT)
    app.processEvents()
    report(
        f"key stroke in {len(TEXT):,} characters",
        [timed(app, lambda: QTest.keyClick(editor, Qt.Key.Key_A)) for _ in range(ROUNDS)],
    )
    window.close()


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


def watch_stalls(window: MainWindow) -> Callable[[], list[float]]:
    """Asks the event loop for a turn every 5 ms; what it took longer is how long the window did not answer."""
    gaps: list[float] = []
    clock = QElapsedTimer()
    timer = QTimer(window, interval=5, timerType=Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: gaps.append(clock.restart() * 1.0))
    clock.start()
    timer.start()

    def stop() -> list[float]:
        timer.stop()
        return gaps

    return stop


def report(what: str, times: list[float]) -> None:
    ordered = sorted(times)
    p95 = ordered[int(len(ordered) * 0.95)]
    print(f"{what:45} median {statistics.median(ordered):6.1f} ms   p95 {p95:6.1f} ms   worst {ordered[-1]:6.1f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
