"""No text is cut in any dialog or card: in narrow and wide fonts, either language, beside small windows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QMessageBox, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.dialogs.boxes import ask, show_text
from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.look.widgets import SentenceLabel
from bpe_gui.gui.main_window import MainWindow
from bpe_gui.gui.views.find_bar import FindBar
from bpe_gui.gui.window.tour_card import TourCard
from bpe_gui.gui.wording.language import install_language
from bpe_gui.tours import Expected, Tour, tours
from tests.gui.support.dialogs import DIALOGS
from tests.gui.support.fitting import assert_fits, each_font, enough_for
from tests.gui.support.widgets import button, child
from tests.gui.support.windows import editor

SIZES = ((960, 720), (1280, 800))


@pytest.fixture
def parent(qapp: QApplication, qtbot: QtBot) -> QWidget:
    """Return a window for dialogs to belong to, in the look of the program."""
    theme = Theme("light")
    theme.apply(qapp)
    parent = QWidget()
    qtbot.addWidget(parent)
    theme.style(parent)
    parent.show()
    return parent


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


IN_VARIOUS_STATES = DIALOGS | {
    "decoded": decoded,
    "wrong plan": wrong_plan,
    "wrong expression": wrong_expression,
    "tried splitter": tried_splitter,
    "many files": many_files,
    "no folder": no_folder,
}


def cases(monkeypatch: pytest.MonkeyPatch, window: QWidget) -> Iterator[str]:
    """Use each font, language and size of a window, and yield a name for it."""
    qapp = QApplication.instance()
    assert qapp is not None
    for font in each_font(monkeypatch):
        for language in ("zh_CN", "en"):
            if isinstance(window, MainWindow):
                window.choose_language(language)
            else:
                install_language(qapp, language)
            for size in SIZES:
                window.resize(*size)
                yield f"{font} font, {language}, {size[0]}×{size[1]}"


def assert_dialog_fits(dialog: QDialog, window: QWidget, case: str) -> None:
    assert_fits(dialog, case)
    most = enough_for(dialog, (window.width(), window.height()))
    assert dialog.size().boundedTo(most) == dialog.size(), f"{case}: {dialog.size()}"
    dialog.reject()


@pytest.mark.parametrize("name", IN_VARIOUS_STATES)
def test_nothing_is_cut_in_a_dialog(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for case in cases(monkeypatch, parent):
        dialog = IN_VARIOUS_STATES[name](parent, tmp_path)
        dialog.open()
        assert_dialog_fits(dialog, parent, case)


def test_an_export_with_all_its_warnings_fits_a_low_screen(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = QSize(960, 680)  # without the frame of the window
    line = "This is a warning or a result that is so long that it takes more than a line of the dialog in any font. "
    for case in cases(monkeypatch, parent):
        dialog = DIALOGS["export"](parent, tmp_path)
        dialog.open()
        for name, lines in {"Reason": 2, "Replaced": 1, "Result": 5, "Proof": 4, "Difference": 3}.items():
            child(dialog, SentenceLabel, f"export{name}").say("\n".join([line] * lines), "warning", hides=True)
        for name in ("exportTextsButton", "exportCodeButton"):
            button(dialog, name).show()
        dialog.resize(600, screen.height())
        assert_fits(dialog, case)
        most = enough_for(dialog, screen.toTuple())
        assert dialog.height() <= most.height(), f"{case}: {dialog.size()}"
        dialog.reject()


def test_nothing_is_cut_in_a_question(parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = QMessageBox.StandardButton.Discard, QMessageBox.ButtonRole.DestructiveRole, parent.repaint
    for case in cases(monkeypatch, parent):
        ask(parent, "question", "Save the changes?", "They will be lost otherwise.", answer)
        assert_dialog_fits(parent.findChildren(QDialog)[-1], parent, case)


def test_nothing_is_cut_in_help_and_in_the_find_bar(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in cases(monkeypatch, window):
        for show in (window.show_keys, window.show_about):
            show()
            assert_dialog_fits(window.findChildren(QDialog)[-1], window, f"{show.__name__}, {case}")
        editor(window).setFocus()
        window.begin_search()
        assert_fits(next(bar for bar in window.findChildren(FindBar) if bar.isVisible()), case)


@pytest.mark.parametrize("tour", tours(), ids=lambda tour: tour.name)
def test_nothing_is_cut_in_the_card_of_a_tour(parent: QWidget, monkeypatch: pytest.MonkeyPatch, tour: Tour) -> None:
    card = TourCard(parent)
    for case in cases(monkeypatch, parent):
        for index in range(len(tour.stops)):
            for expected, is_past in ((None, False), (Expected(tokenizer=True), True)):
                card.show_stop(tour, index, expected, "This is not what was meant.", is_opened=False, is_past=is_past)
                card.place_next_to(QRect(), parent.rect())
                assert_fits(card, f"{case}, stop {index + 1}")
                assert parent.rect().contains(card.geometry()), case


def test_a_long_text_scrolls_in_a_small_window(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(960, 500)
    show_text("Lines", "<br>".join(["line"] * 99), parent)
    assert child(parent, QDialog, "infoBox").height() <= 500
