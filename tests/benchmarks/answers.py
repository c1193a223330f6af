"""Measure how long answers take: `python -m tests.benchmarks.answers FOLDER`, a folder of `tests.benchmarks.corpora`.

Prints how long `bpe-gui report` takes, as a whole process, for a tokenizer trained on 100 MB, with a curve of 200
points; and how long a key press takes in 10 MB of text while two and four tokenizers are compared, in milliseconds
until the main window and the comparison are repainted.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from bpe_gui.engine import save, train
from bpe_gui.engine.reports import POINTS
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.comparison.compared import RunStep

from .window import ROUNDS, child, report, timed, wait_until

ENTRIES = 32_000
LARGE, MEDIUM = "multi_100.txt", "multi_10.txt"
RECIPES = ("tiktoken", "minbpe", "huggingface")


def main(folder: Path) -> None:
    """Measure both."""
    with TemporaryDirectory() as made:
        measure_report(folder / LARGE, Path(made))
    compare_live(folder / MEDIUM)


def measure_report(corpus: Path, made: Path) -> None:
    """Print how long a report takes, as a page and as tables, both written to the folder `made`."""
    save(train(corpus, vocab_size=ENTRIES), made / "tokenizer")
    command = [sys.executable, "-m", "bpe_gui", "report", str(made / "tokenizer"), "--text", str(corpus)]
    command += ["--html", str(made / "report.html"), "--csv", str(made / "tables")]
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"report of {corpus.name}, {ENTRIES:,} entries, {POINTS} points: {perf_counter() - start:.2f} s")


def compare_live(corpus: Path) -> None:
    """Print the times of key presses while tokenizers are compared on a text."""
    app = QApplication([])
    sys.setswitchinterval(0.001)  # as the program does
    window = MainWindow(settings=Settings(Path(mkdtemp(), "settings.ini")))  # not those of whoever measures
    window.show()
    comparing = window._comparing
    comparing.open()
    text = corpus.read_text(encoding="utf-8")
    for number, recipe in enumerate(RECIPES):
        comparing.tokenizers.add(RunStep(-2 - number), train(text[:2_000_000], recipe=recipe, vocab_size=5_000))
        window.session.text.set_content(text)
        wait_until(lambda: comparing.is_settled and window.session.text.live.is_encoded)
        if len(comparing.tokenizers.items) != 3:
            report(f"key, {len(comparing.tokenizers.items)} tokenizers, {corpus.name}", keys(app, window))
    window.close()


def keys(app: QApplication, window: MainWindow) -> list[float]:
    """Return the milliseconds taken by each of several key presses."""
    editor = child(window, "encodeInput", QWidget)
    return [timed(app, lambda: QTest.keyClick(editor, Qt.Key.Key_A)) for _ in range(ROUNDS)]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
