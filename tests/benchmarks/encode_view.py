"""Drive the encode view of the real window with large texts, and measure how long a person waits.

Run `python -m tests.benchmarks.encode_view FOLDER [TEXT...]`; the folder has the corpora built by
tests.benchmarks.corpora. Trains 32,000 merges. Then, for all texts or those named, prints the median, the 95th
percentile and the worst case of key presses at the start, in the middle and at the end, of scrolling by pages and with
the scroll bar, and of cursor moves: the milliseconds until the view is repainted with its tokens, and the CPU time of
the window's thread, which is more telling on a busy machine. For opening the text, and for typing while a page about
tokens is visible, prints how long the window did not respond, with a stack trace if that was long.
"""

import base64
import os
import random
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter, thread_time
from typing import Final

if len(sys.argv) > 1 and "DISPLAY" not in os.environ:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabWidget

from bpe_gui.engine import PRESETS
from bpe_gui.gui.jobs import Activity
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.views.editor.token_edit import TokenEdit
from bpe_gui.gui.window.file_opener import FileOpener

from .window import Watchdog, child, report, wait_until

MERGES: Final = 32_000
STROKES: Final = 40
SEEKS: Final = 30
TYPING_PAUSE: Final = 90  # milliseconds after which the slower pages start updating
MB: Final = 1_000_000

Key = Qt.Key
Text = Callable[[Path], bytes]


def main(folder: Path, names: list[str]) -> None:
    app = QApplication([])
    sys.setswitchinterval(0.001)  # as the program does
    window = MainWindow(settings=Settings(Path(mkdtemp(), "settings.ini")))  # not those of whoever measures
    window.resize(1280, 800)
    window.show()
    trained_on = ""
    for name, (corpus, text) in TEXTS.items():
        if names and name not in names:
            continue
        if corpus != trained_on:
            train(window, folder / corpus)
            trained_on = corpus
        print(f"\n== {name}", flush=True)
        Measurement(app, window).run(text(folder))
    window.close()


def train(window: MainWindow, corpus: Path) -> None:
    session = window.session
    session.text.set_content("First Citizen")  # so that the encoding tables are built during training
    session.corpus.set_recipe(PRESETS["cs336"])
    for _document in session.corpus.documents:
        session.corpus.remove_document(0)
    window.open_paths([corpus])
    wait_until(lambda: session.counts.words is not None and session.work.activity is Activity.IDLE)
    session.corpus.set_vocab_size(256 + MERGES)
    session.train()
    wait_until(lambda: session.work.activity is Activity.IDLE)
    print(f"{session.cursor.position:,} merges of {corpus.name}", flush=True)


def beginning(file: str, size: int) -> Text:
    """Return a text with the first bytes of a file, up to the end of a character."""

    def read(folder: Path) -> bytes:
        with (folder / file).open("rb") as stream:
            return stream.read(size).decode(errors="ignore").encode()

    return read


def one_line(folder: Path) -> bytes:
    return beginning("en_10.txt", 10 * MB)(folder).replace(b"\r", b" ").replace(b"\n", b" ")


def without_spaces(_folder: Path) -> bytes:
    return base64.b64encode(random.Random(1).randbytes(7_500_000))


def without_boundaries(_folder: Path) -> bytes:
    """Return words with nothing between them: such a text cannot be encoded in blocks."""
    return random.Random(1).randbytes(5 * MB).hex().encode()


def one_word(_folder: Path) -> bytes:
    return bytes(97 + octet % 26 for octet in random.Random(1).randbytes(10 * MB))


TEXTS: Final[dict[str, tuple[str, Text]]] = {
    "english-1": ("en_10.txt", beginning("en_10.txt", MB)),
    "english-10": ("en_10.txt", beginning("en_10.txt", 10 * MB)),
    "line": ("en_10.txt", one_line),
    "base64": ("en_10.txt", without_spaces),
    "hex": ("en_10.txt", without_boundaries),
    "word": ("en_10.txt", one_word),
    "english-100": ("en_10.txt", beginning("en_100.txt", 100 * MB)),
    "mixed-1": ("multi_10.txt", beginning("multi_10.txt", MB)),
    "mixed-10": ("multi_10.txt", beginning("multi_10.txt", 10 * MB)),
}
"""By name: the corpus to train on, and the text. Source code would behave like English."""


class PaintCounter(QObject):
    """Counts the paint events of a widget."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


class Measurement:
    """The measurements for one text."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        self._app = app
        self._window = window
        self._session = window.session
        self._editor = child(window, "encodeInput", TokenEdit)
        self._facts = child(window, "tokenFacts", QTabWidget)
        self._bar = self._editor.verticalScrollBar()
        self._paints = PaintCounter(self._editor)
        self._editor.viewport().installEventFilter(self._paints)

    def run(self, text: bytes) -> None:
        self._open(text)
        self._editor.setFocus()
        for name, offset in (("start", 0), ("middle", len(text) // 2), ("end", len(text))):
            self._editor.set_caret(offset)
            self._settle()
            self._report_keys(f"at the {name}")
        self._report_paste(len(text) // 2)
        self._report_scrolling()
        self._report_cursor()
        self._type_with_pages(len(text) // 2)

    def _open(self, text: bytes) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "text.txt"
            path.write_bytes(text)
            opener = self._window.findChild(FileOpener)
            assert opener is not None
            with Watchdog(self._window, f"opening {len(text):,} bytes until all tokens are known"):
                start = perf_counter()
                opener.open_to_encode([path])
                wait_until(lambda: len(self._session.text.live) == len(text))
                self._app.processEvents()
                print(f"shown after {perf_counter() - start:.2f} s")
                self._settle()

    def _settle(self) -> None:
        """Wait until all tokens are known, and a little longer."""
        wait_until(lambda: self._session.text.live.is_encoded)
        pause(TYPING_PAUSE)

    # -- reports -------------------------------------------------------------------------------------------------------

    def _report_keys(self, location: str) -> None:
        for name, key in (("letter", Key.Key_A), ("Enter", Key.Key_Return), ("Backspace", Key.Key_Backspace)):
            self._report(f"{name} {location}", [partial(QTest.keyClick, self._editor, key)] * STROKES)

    def _report_paste(self, offset: int) -> None:
        self._editor.set_caret(offset)
        QGuiApplication.clipboard().setText("First Citizen: before we proceed, hear me 你好. " * 21)
        self._report("paste of 1 kB in the middle", [self._editor.paste] * (STROKES // 2))

    def _report_scrolling(self) -> None:
        self._settle()
        self._editor.set_caret(0)
        for name, key in (("down", Key.Key_PageDown), ("up", Key.Key_PageUp)):
            self._report(f"page {name}", [partial(QTest.keyClick, self._editor, key)] * STROKES)
        rng = random.Random(1)
        values = [rng.randrange(self._bar.maximum() + 1) for _ in range(STROKES)]
        self._report("scroll bar to anywhere", [partial(self._bar.setValue, value) for value in values])
        self._bar.setSliderDown(True)
        values = [self._bar.maximum() * number // STROKES for number in range(1, STROKES)]
        self._report("scroll bar dragged", [partial(self._bar.setSliderPosition, value) for value in values])
        self._bar.setSliderDown(False)

    def _report_cursor(self) -> None:
        session, last = self._session, self._session.cursor.run_length
        self._editor.set_caret(self._editor.rows.visible_span()[0])
        self._go(last // 2)
        steps = range(last // 2 + 1, last // 2 + 1 + SEEKS)
        self._report("cursor dragged, a step each", [partial(self._go, step) for step in steps])
        steps = range(last // 2, last, last // (2 * SEEKS))
        self._report(f"cursor dragged, {steps.step} steps each", [partial(self._go, step) for step in steps])
        rng = random.Random(1)
        random_steps = [rng.randrange(last) for _ in range(SEEKS)]
        self._report("cursor to a random step", [partial(self._go, step) for step in random_steps])
        self._go(last)
        start = perf_counter()
        wait_until(lambda: session.text.live.is_encoded)
        print(f"all tokens of another step after {perf_counter() - start:.2f} s")

    def _go(self, step: int) -> None:
        self._session.cursor.seek(step)
        while self._session.cursor.position != step or self._session.work.activity is not Activity.IDLE:
            self._app.processEvents()

    def _type_with_pages(self, offset: int) -> None:
        self._editor.set_caret(offset)
        for page in range(self._facts.count()):
            self._facts.setCurrentIndex(page)
            self._settle()
            with Watchdog(self._window, f"typing with the page “{self._facts.tabText(page)}”"):
                for _ in range(STROKES // 2):
                    QTest.keyClick(self._editor, Key.Key_A)
                    pause(TYPING_PAUSE)
        self._facts.setCurrentIndex(0)

    def _report(self, title: str, acts: Iterable[Callable[[], object]]) -> None:
        times, cpu_times = zip(*map(self._timed, acts), strict=True)
        report(title, times)
        report("  CPU time", cpu_times)

    def _timed(self, act: Callable[[], object]) -> tuple[float, float]:
        """Return the milliseconds until the view is painted with its tokens and no events are pending.

        The second number is the CPU time of the window's thread in milliseconds.
        """
        before, start, cpu_start = self._paints.count, perf_counter(), thread_time()
        act()
        self._app.processEvents()
        while self._paints.count == before and perf_counter() - start < 1:
            self._app.processEvents()
        return (perf_counter() - start) * 1000, (thread_time() - cpu_start) * 1000


def pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
