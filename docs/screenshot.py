"""Take the screenshot in the README: `python -m docs.screenshot`, with the fonts that the README names installed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.wording.language import install_language
from bpe_gui.samples import samples

PICTURE = Path(__file__).with_name("screenshot.png")
SAMPLE = "how-machines-read.txt"
STEP = 180
FACTS_DELAY = 500  # milliseconds, by which the facts about the token are complete
TEXT = "The machine reads words; unbelievable!\nTokenization, 词元化 and 👍.\n<|endoftext|>"


def main() -> None:
    with pictured_window() as window:
        window.session.train()
        while window.session.cursor.trainer is None:
            QApplication.processEvents()
        window.session.cursor.seek(STEP)
        while window.session.cursor.position != STEP:
            QApplication.processEvents()
        window.session.text.set_content(TEXT)
        QTest.qWait(FACTS_DELAY)
        window.grab().save(str(PICTURE))


@contextmanager
def pictured_window(language: str = "en") -> Iterator[MainWindow]:
    """Yield a window with a sample, in this language and light whatever the system is set to."""
    app = QApplication([])
    install_language(app, language)
    with TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "settings.ini")
        settings.theme, settings.language = "light", language
        window = MainWindow(settings=settings)
        window.resize(1280, 800)
        window.show()
        window.open_sample(next(sample for sample in samples() if sample.path.name == SAMPLE))
        yield window
        window.close()


if __name__ == "__main__":
    main()
