"""Sentences with chips and links in them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.theme import Theme
from bpe_gui.gui.views.chip_text import ChipText
from bpe_gui.gui.wording.sentences import Sentence, ShownStep, ShownToken, Verbatim
from tests.gui.support.widgets import box_of

LEFT, RIGHT, STEP = ShownToken(b"e"), ShownToken(b"st</w>", has_marker=True), ShownStep(43)
SENTENCES = (
    Sentence(
        "Step {step} merged {left} with {right} in {word}.",
        {"step": STEP, "left": LEFT, "right": RIGHT, "word": Verbatim("we st")},
    ),
    Sentence("Before, it was {parts}.", {"parts": (ShownToken("\u05e9\u05dc".encode()), ShownToken(b"\xe4"))}),
)


@pytest.fixture
def text(qtbot: QtBot) -> ChipText:
    theme = Theme("light")
    text = ChipText("chips", theme.token_palette())
    qtbot.addWidget(text)
    text.set_look(theme.token_font(), theme.token_palette())
    text.resize(400, 200)
    text.show_sentences(SENTENCES)
    text.show()
    text.repaint()
    return text


def test_screen_readers_get_the_sentences(text: ChipText) -> None:
    first, second = text.text().splitlines()
    assert first == "Step 43 merged e with st</w> in we·st."
    assert second.startswith("Before, it was ") and second.endswith(" + \\xe4.")


def test_its_sentences_are_copied_whole(text: ChipText) -> None:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Step 43 merged e with st</w> in we·st.\nBefore, it was של + ")
    assert "\u2068" not in copied


def test_each_token_and_step_has_a_box_in_its_line(text: ChipText) -> None:
    boxes = [box_of(text, target) for target in text.targets]
    assert len(boxes) == 5
    assert all(box.width() > 0 and text.rect().contains(box.toRect()) for box in boxes)
    assert boxes[3].top() > boxes[0].bottom()


def test_a_narrow_view_is_higher_and_cuts_no_token(text: ChipText) -> None:
    assert text.heightForWidth(120) > text.heightForWidth(400)
    text.show_sentences([Sentence("{token}", {"token": ShownToken(b"long" * 100)})])
    text.resize(120, 200)
    text.repaint()
    assert box_of(text, text.targets[0]).right() <= 120


def test_tokens_and_steps_are_chosen_with_mouse_and_keys(text: ChipText, qtbot: QtBot) -> None:
    chosen: list[object] = []
    text.token_chosen.connect(chosen.append)
    text.step_chosen.connect(chosen.append)
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, pos=box_of(text, RIGHT).center().toPoint())
    QTest.mouseClick(text, Qt.MouseButton.LeftButton, pos=text.rect().bottomRight())
    assert chosen == [RIGHT]
    text.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(text, key)
    assert chosen == [RIGHT, 43, LEFT]


def test_without_tokens_the_keyboard_passes_it(text: ChipText) -> None:
    assert text.focusPolicy() == Qt.FocusPolicy.TabFocus
    text.show_sentences([Sentence("Nothing to choose.")])
    assert text.focusPolicy() == Qt.FocusPolicy.NoFocus
