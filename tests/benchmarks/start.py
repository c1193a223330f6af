"""Measure the time from starting the program to painting its window: run `python -m tests.benchmarks.start`.

Each start is a new process, and the clock starts before it.

- cold: the kernels were never compiled on this machine, so another process compiles them in the background
- warm: the compiled kernels are loaded in the background
- without: numba is not installed
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 7
PROBE = """
import sys, time
began, without_numba = float(sys.argv[1]), sys.argv[2] == "without"
if without_numba:
    sys.modules["numba"] = None
    from bpe_gui.engine.runtime import compiled
    compiled.is_cached = lambda: __import__("numba")
from PySide6.QtCore import QTimer
from bpe_gui.gui import app, main_window

class Probe(main_window.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.time() - began, flush=True)
        QTimer.singleShot(0, self.close)

app.MainWindow = Probe
app.main([])
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        warm = {**os.environ, "XDG_CACHE_HOME": cache, "XDG_CONFIG_HOME": cache}
        warm.setdefault("QT_QPA_PLATFORM", "offscreen")
        subprocess.run([sys.executable, "-m", "bpe_gui.engine.runtime.prepare"], env=warm, check=True)
        times: dict[str, list[float]] = {"cold": [], "warm": [], "without": []}
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as empty:
                times["cold"].append(start("cold", {**warm, "XDG_CACHE_HOME": empty}))
            times["warm"].append(start("warm", warm))
            times["without"].append(start("without", warm))
    for kind, seconds in times.items():
        print(f"{kind:8} median {statistics.median(seconds):.2f} s   worst {max(seconds):.2f} s")


def start(kind: str, environment: dict[str, str]) -> float:
    """Return the seconds from this call to the first paint event of the window."""
    command = [sys.executable, "-c", PROBE, str(time.time()), kind]
    result = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(result.stdout.split()[0])


if __name__ == "__main__":
    main()
