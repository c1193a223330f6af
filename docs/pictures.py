"""Take the site's pictures from the real window: `python -m docs.pictures LANGUAGE`, light and dark.

A picture is a function below: it brings a window into a state and returns the part to show. `python -m docs.pictures
LANGUAGE NAME...` takes some of them. Needs the fonts that the README names.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_SCALE_FACTOR", "2")  # sharp on every screen; pages show pictures at half their size

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from bpe_gui.engine import PRESETS, Plan, TextDocument, save
from bpe_gui.gui.dialogs.export_dialog import ExportDialog, FormatList
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.session.corpus import CorpusDocument
from bpe_gui.gui.system.settings import Settings
from bpe_gui.gui.tools.comparison.comparing import Comparing
from bpe_gui.gui.tools.reports.reporting import Reporting
from bpe_gui.gui.wording.language import install_language
from bpe_gui.samples import samples

W = TypeVar("W", bound=QWidget)

THEMES: Final = ("light", "dark")
PICTURES: Final[dict[str, Callable[[MainWindow], QPixmap]]] = {}
"""By the names that pages use."""


def picture(function: Callable[[MainWindow], QPixmap]) -> Callable[[MainWindow], QPixmap]:
    """Take this picture; its name in pages has hyphens instead of underscores."""
    PICTURES[function.__name__.replace("_", "-")] = function
    return function


# -- start, and the example of CS336 ----------------------------------------------------------------------------------


@picture
def first_window(window: MainWindow) -> QPixmap:
    settle()
    return window.grab()


@picture
def first_merge(window: MainWindow) -> QPixmap:
    go_to(window, 1)
    return window.grab()


@picture
def learn(window: MainWindow) -> QPixmap:
    window.choose_workspace("learn")
    go_to(window, 4)
    window.session.text.set_content("slowest")
    settle()
    return window.grab()


@picture
def cs336_pairs(window: MainWindow) -> QPixmap:
    explore(window)
    return part(window, "reasonLabel", "pairTable")


@picture
def cs336_words(window: MainWindow) -> QPixmap:
    explore(window)
    go_to(window, 1)
    return part(window, "wordTitle", "wordTable")


@picture
def cs336_encode(window: MainWindow) -> QPixmap:
    explore(window)
    go_to(window, 6)
    typing = child(window, QWidget, "encodeInput")  # leaves the caret, and with it the token shown, at the end
    QTest.keyClick(typing, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(typing, "newest")
    settle()
    return part(window, "encodePanel")


# -- the other tutorials ----------------------------------------------------------------------------------------------


@picture
def minbpe_wiki(window: MainWindow) -> QPixmap:
    explore(window)
    open_text(window, "wiki.txt", "aaabdaaabac", "minbpe")
    go_to(window, 1)
    return part(window, "reasonLabel", "mergeTable", "wordTable")


@picture
def splitter_parts(window: MainWindow) -> QPixmap:
    explore(window, width=2200, height=900)  # so wide that the legend is complete
    open_sample(window, "how-machines-read.txt")
    window.session.corpus.set_recipe(PRESETS["minbpe"])
    train(window)
    window.session.text.set_content("I'll pay $12,345.67 in 2024!\n\n    return x  \nHello,world 你好世界 don'T")
    child(window, QAbstractButton, "splitterColorsButton").click()
    settle()
    return part(window, "openTextButton", "encodeInput", "encodeSummary")


@picture
def export_proof(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "text-to-tokens.zh.txt")
    window.session.corpus.set_recipe(PRESETS["huggingface"])
    window.session.corpus.set_special_tokens(["<|endoftext|>"])
    window.session.corpus.set_vocab_size(700)
    train(window)
    window.session.text.set_content("")
    return proved(window, "huggingface", "zh.json")


@picture
def extended(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "how-machines-read.txt")
    window.session.corpus.set_vocab_size(800)
    train(window)
    tokenizer = window.session.cursor.tokenizer
    assert tokenizer is not None
    with TemporaryDirectory() as folder:
        save(tokenizer, Path(folder) / "base.json", "huggingface")
        open_text(window, "medicine.txt", medical_text(), "cs336")
        window.open_paths([Path(folder) / "base.json"])
        wait(lambda: window.session.opened.tokenizer is not None)
    window.actions_by_name["extend"].trigger()
    wait(lambda: window.session.cursor.trainer is not None)
    settle()
    go_to(window, len(tokenizer.merges) + 3)
    return part(window, "reasonLabel", "mergeTable", "wordTable")


@picture
def effects_spelling(window: MainWindow) -> QPixmap:
    return encoded_by_essay(window, "machine machine Machine MACHINE mahcine strawberry", lines=2)


@picture
def effects_arithmetic(window: MainWindow) -> QPixmap:
    return encoded_by_essay(window, "127 + 128 = 255, 1999 and 2024", lines=1)


@picture
def effects_languages(window: MainWindow) -> QPixmap:
    sentences = ("Tokens are numbers.", "Les tokens sont des nombres.", "Токены — это числа.", "词元是数字。")
    return encoded_by_essay(window, "\n".join(sentences), lines=6)


@picture
def superwords(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "how-machines-read.txt")
    window.session.apply_plan(Plan(stages={300: r"[^\n]+|\n+"}))
    wait(lambda: window.session.cursor.trainer is not None)
    train(window)
    go_to(window, 310)
    return part(window, "reasonLabel", "mergeTable", "wordTable")


@picture
def zh_en(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "zh-en.txt")
    go_to(window, 16)
    return part(window, "reasonLabel", "mergeTable", "wordTable")


@picture
def compared(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "how-machines-read.txt")
    train(window)
    window.actions_by_name["compare"].trigger()
    comparing = window.findChild(Comparing)
    assert comparing is not None
    comparing.trainer.train([PRESETS["minbpe"], PRESETS["subword-nmt"]])
    wait(lambda: len(comparing.tokenizers.items) >= 3 and comparing.is_settled)
    settle()
    return window.grab()


@picture
def report(window: MainWindow) -> QPixmap:
    explore(window)
    open_sample(window, "how-machines-read.txt")
    window.session.corpus.set_vocab_size(1000)
    train(window)
    window.actions_by_name["report"].trigger()
    reporting = window.findChild(Reporting)
    assert reporting is not None
    wait(lambda: reporting.maker.result is not None and not reporting.maker.busy)
    settle()
    return window.grab()


# -- what pictures need -----------------------------------------------------------------------------------------------


def part(window: MainWindow, *names: str) -> QPixmap:
    """Return the smallest part of the window that shows all these widgets."""
    shown = QRect()
    for name in names:
        widget = child(window, QWidget, name)
        shown = shown.united(QRect(widget.mapTo(window, QPoint()), widget.size()))
    return window.grab(shown)


def encoded_by_essay(window: MainWindow, text: str, lines: int) -> QPixmap:
    """Train on the English essay as its page says, and return the lines of a text with its tokens."""
    explore(window)
    open_sample(window, "how-machines-read.txt")
    window.session.corpus.set_vocab_size(1200)
    train(window)
    window.session.text.set_content(text)
    settle()
    picture = part(window, "encodeInput")
    height = (lines + 1.5) * child(window, QWidget, "encodeInput").fontMetrics().lineSpacing()
    return picture.copy(0, 0, picture.width(), round(height * picture.devicePixelRatio()))


def proved(window: MainWindow, format: str, name: str) -> QPixmap:
    """Export the tokenizer on screen, and return the dialog with the proof."""
    folder = Path(gettempdir()) / "tokenizers"
    folder.mkdir(exist_ok=True)
    window.actions_by_name["export"].trigger()
    dialog = child(window, ExportDialog)
    child(dialog, FormatList).choose(format)
    child(dialog, QLineEdit, "exportFolderEdit").setText(str(folder / name))
    child(dialog, QAbstractButton, "exportButton").click()
    proof = child(dialog, QLabel, "exportProof")
    wait(lambda: proof.text().count("\n") == 1 and not proof.text().endswith("…"))
    settle()
    picture = dialog.grab()
    dialog.reject()
    (folder / name).unlink()
    return picture


def child(parent: QWidget, kind: type[W], name: str = "") -> W:
    found = parent.findChild(kind, name) if name else parent.findChild(kind)
    assert isinstance(found, kind), name
    return found


def explore(window: MainWindow, width: int = 1280, height: int = 800) -> None:
    window.choose_workspace("explore")
    window.resize(width, height)
    settle()


def open_text(window: MainWindow, title: str, text: str, recipe: str) -> None:
    """Open a text as the corpus."""
    window.session.replace_documents([CorpusDocument(title, TextDocument(text))])
    window.session.corpus.set_recipe(PRESETS[recipe])
    wait(lambda: window.session.cursor.trainer is not None)
    settle()


def medical_text() -> str:
    """Return the text of the tutorial."""
    page = (Path(__file__).parent / "en" / "tutorials" / "extend.md").read_text("utf-8")
    return page.partition(":caption: medicine.txt\n\n")[2].partition("```")[0]


def open_sample(window: MainWindow, name: str) -> None:
    """Open one of the shipped samples."""
    window.open_sample(next(sample for sample in samples() if sample.path.name == name))
    wait(lambda: window.session.cursor.trainer is not None)
    settle()


def train(window: MainWindow) -> None:
    if window.session.run.is_stale:
        window.restart()
        wait(lambda: window.session.cursor.trainer is not None)
    window.session.train()
    wait(lambda: window.session.cursor.trainer is not None)
    settle()


def go_to(window: MainWindow, step: int) -> None:
    window.session.cursor.seek(step)
    wait(lambda: window.session.cursor.position == step)
    settle()


def wait(done: Callable[[], bool]) -> None:
    while not done():
        QTest.qWait(5)


def settle() -> None:
    """Wait until animations and delayed facts are on the screen."""
    QTest.qWait(700)


def main(language: str, *names: str) -> None:
    sys.modules["tiktoken"] = None  # type: ignore[assignment]  # which a reader lacks at first: the window says other things
    app = QApplication([])
    install_language(app, language)
    target = Path(__file__).parent / language / "pictures"
    target.mkdir(exist_ok=True)
    for theme in THEMES:
        for name, prepare in PICTURES.items():
            if names and name not in names:
                continue
            with TemporaryDirectory() as folder:
                settings = Settings(Path(folder) / "settings.ini")
                settings.theme, settings.language = theme, language
                window = MainWindow(settings=settings)
                window.resize(1280, 800)
                window.show()
                wait(lambda window=window: window.session.cursor.trainer is not None)  # type: ignore[misc]
                prepare(window).save(str(target / f"{name}-{theme}.png"))
                window.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
