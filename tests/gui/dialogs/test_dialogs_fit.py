"""No text is cut in any dialog, in either language, and every dialog fits a small screen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDialog, QMessageBox, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs.boxes import ask, show_text
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.find_bar import FindBar
from bpe_gui.gui.window.tour_card import TourCard
from bpe_gui.tours import Tour, tours
from tests.gui.support.dialogs import DIALOGS, Make
from tests.gui.support.fitting import cut_texts
from tests.gui.support.widgets import button, child
from tests.gui.support.windows import editor

Open = Callable[[MainWindow, Path], QWidget]


def dialog(make: Make) -> Open:
    def opened(window: MainWindow, folder: Path) -> QWidget:
        dialog = make(window, folder)
        dialog.open()
        return dialog

    return opened


def box(show: Callable[[MainWindow], object]) -> Open:
    def opened(window: MainWindow, _folder: Path) -> QWidget:
        show(window)
        return window.findChildren(QDialog)[-1]

    return opened


def find_bar(window: MainWindow, _folder: Path) -> QWidget:
    editor(window).setFocus()
    window.begin_search()
    return next(bar for bar in window.findChildren(FindBar) if bar.isVisible())


def card(tour: Tour) -> Open:
    def opened(window: MainWindow, _folder: Path) -> QWidget:
        window.take_tour(tour)
        return child(window, TourCard, "tourCard")

    return opened


def ask_about_saving(window: MainWindow) -> None:
    answer = QMessageBox.StandardButton.Discard, QMessageBox.ButtonRole.DestructiveRole, window.repaint
    ask(window, "question", "Save the changes?", "They will be lost otherwise.", answer)


def decoded(parent: QWidget, folder: Path) -> QDialog:
    dialog = DIALOGS["decode"](parent, folder)
    child(dialog, QPlainTextEdit, "decodeInput").setPlainText("0 1 2 258 999999 x")
    return dialog


def wrong_plan(parent: QWidget, folder: Path) -> QDialog:
    dialog = DIALOGS["plan"](parent, folder)
    for name in ("planBanned", "planPatterns", "planForced", "planStages"):
        child(dialog, QPlainTextEdit, name).setPlainText("x\n(")
    return dialog


def wrong_expression(parent: QWidget, folder: Path) -> QDialog:
    dialog = DIALOGS["recipe"](parent, folder)
    child(dialog, QComboBox, "recipe_splitter").setEditText(r"(?<=ab+)\p{Unknown}|(")
    return dialog


def tried_splitter(parent: QWidget, folder: Path) -> QDialog:
    dialog = DIALOGS["recipe"](parent, folder)
    button(dialog, "splitterTrialButton").click()
    return dialog


def many_files(parent: QWidget, folder: Path) -> QDialog:
    for number in range(30):
        (folder / f"file {number} with a long name.txt").write_text("text", encoding="utf-8")
    return DIALOGS["pattern"](parent, folder)


def no_folder(parent: QWidget, folder: Path) -> QDialog:
    return DIALOGS["pattern"](parent, folder / "missing")


DIALOGS_AND_BARS: dict[str, Open] = (
    {name: dialog(make) for name, make in DIALOGS.items()}
    | {
        "keys": box(MainWindow.show_keys),
        "about": box(MainWindow.show_about),
        "question": box(ask_about_saving),
    }
    | {
        "find bar": find_bar,
        "decoded": dialog(decoded),
        "wrong plan": dialog(wrong_plan),
        "wrong expression": dialog(wrong_expression),
        "tried splitter": dialog(tried_splitter),
        "many files": dialog(many_files),
        "no folder": dialog(no_folder),
    }
    | {f"tour {tour.name}": card(tour) for tour in tours()}
)


@pytest.mark.parametrize("size", [(960, 720), (1280, 800)])
@pytest.mark.parametrize("name", DIALOGS_AND_BARS)
def test_nothing_is_cut(qtbot: QtBot, window: MainWindow, tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    for language in ("zh_CN", "en"):
        window.choose_language(language)
        window.resize(*size)
        shown = DIALOGS_AND_BARS[name](window, tmp_path)
        try:
            qtbot.waitUntil(lambda: not cut_texts(shown), timeout=5_000)  # noqa: B023
        except TimeoutError:
            pytest.fail(f"{language}, {size}: {cut_texts(shown)}")
        assert shown.width() <= size[0] and shown.height() <= size[1]
        if isinstance(shown, QDialog):
            shown.reject()


def test_a_long_text_scrolls_in_a_small_window(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(960, 500)
    show_text("Lines", "<br>".join(["line"] * 99), parent)
    assert child(parent, QDialog, "infoBox").height() <= 500
