"""Measures how long it takes until the window is painted: run `python -m tests.benchmarks.start`.

Each start is a process of its own; the clock begins when that is asked for. Cold: the engine was never compiled on this
machine, so that this begins behind the window. Warm: it is compiled, and loaded behind the window. Without: as on a
machine that has no numba.
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
began, without = float(sys.argv[1]), sys.argv[2] == "without"
if without:
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
    """Seconds from asking for the process to the first painting."""
    command = [sys.executable, "-c", PROBE, str(time.time()), kind]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[0])


if __name__ == "__main__":
    main()
