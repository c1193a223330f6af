"""Use the real window for long, to see if it grows or slows down: `python -m tests.benchmarks.soak CORPUS [MINUTES]`.

A round opens the corpus, trains, steps, goes to random steps, types, makes and drops a branch, undoes that, visits
every workspace, opens and closes dialogs, and changes theme and language. Prints for each tenth of the time the medians
of the memory in use after a round, and of the processor time of a step, a move and a key, in milliseconds; then how the
last tenth compares with the second: the first fills caches.
"""

import gc
import os
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, process_time
from typing import NamedTuple

if "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from bpe_gui.engine import PRESETS
from bpe_gui.engine.runtime import memory
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.branches import plan_from
from bpe_gui.gui.system.settings import WORKSPACES, Settings

from .window import child, go, wait_until

PARTS = 10
STEPS = 20
MERGES = 2_000
TEXT = "First Citizen: before we proceed any further, hear me speak. 你好 😀 " * 30
DIALOGS = ("export", "recipe", "plan", "show_keys")


class Round(NamedTuple):
    """What a round took: memory in MB, the rest in milliseconds of processor time."""

    memory: float
    step: float
    move: float
    key: float


def main(corpus: Path, minutes: float) -> None:
    app = QApplication([])
    window = MainWindow(settings=Settings(Path(mkdtemp(), "settings.ini")))  # not those of whoever measures
    window.resize(1280, 800)
    window.show()
    begin, rng = monotonic(), random.Random(1)
    parts: list[list[Round]] = [[] for _ in range(PARTS)]
    while (elapsed := monotonic() - begin) < 60 * minutes:
        parts[int(elapsed / (60 * minutes) * PARTS)].append(one_round(app, window, corpus, rng))
    print("part  rounds  memory MB  step ms  move ms   key ms")
    medians = [Round(*map(statistics.median, zip(*part, strict=True))) for part in parts if part]
    for number, (part, median) in enumerate(zip(filter(None, parts), medians, strict=True), start=1):
        print(f"{number:4}  {len(part):6}  {median.memory:9.1f}", *(f"{each:8.2f}" for each in median[1:]))
    for name, first, last in zip(Round._fields, medians[1], medians[-1], strict=True):
        print(f"{name}: {last / first - 1:+.1%}")
    window.projects.begin()  # nothing is worth saving, so closing asks nothing
    window.close()


def one_round(app: QApplication, window: MainWindow, corpus: Path, rng: random.Random) -> Round:
    """Use the window as a person does in some minutes."""
    session = window.session

    def is_idle() -> bool:
        return session.work.activity is Activity.IDLE

    window.projects.begin()  # nothing is worth saving, so that this asks nothing:
    window.projects.new()
    window.choose_workspace("explore")
    session.corpus.set_recipe(PRESETS["cs336"])
    session.corpus.set_vocab_size(256 + MERGES)
    window.open_paths([corpus])
    wait_until(lambda: session.counts.words is not None and is_idle())
    window.train()
    wait_until(lambda: is_idle() and session.cursor.position > STEPS)
    last = session.cursor.position
    session.text.set_content(TEXT)
    go(app, session, last // 2)
    steps = [spent(app, session.cursor.step) for _ in range(STEPS)]
    moves = [spent(app, lambda: go(app, session, rng.randrange(last))) for _ in range(STEPS)]
    editor = child(window, "encodeInput", QWidget)
    keys = [spent(app, lambda: QTest.keyClick(editor, Qt.Key.Key_A)) for _ in range(STEPS)]
    trainer = session.run.trainer
    assert trainer is not None
    session.branch_off("other", trainer.recipe, plan_from(trainer, STEPS), STEPS, MERGES // 4)
    wait_until(lambda: is_idle() and len(session.branches.all) > 1)
    for workspace in WORKSPACES:
        window.choose_workspace(workspace)
        app.processEvents()
        wait_until(is_idle)
    window.choose_workspace("explore")
    for name in DIALOGS:
        window.actions_by_name[name].trigger()
        app.processEvents()
        for dialog in window.findChildren(QDialog):
            dialog.reject()
    window.drop_branch()
    window.actions_by_name["undo"].trigger()
    app.processEvents()
    wait_until(is_idle)
    window.choose_theme("dark")
    window.choose_language("zh_CN")
    app.processEvents()
    window.choose_theme("light")
    window.choose_language("en")
    app.processEvents()
    wait_until(is_idle)
    gc.collect()
    return Round(memory.in_use() / 1e6, *map(statistics.median, (steps, moves, keys)))


def spent(app: QApplication, act: Callable[[], object]) -> float:
    """Return the milliseconds of processor time until the window has responded to `act`."""
    start = process_time()
    act()
    app.processEvents()
    return (process_time() - start) * 1000


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 60)
