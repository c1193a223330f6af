"""Lines are as high with Chinese characters as without, whichever fonts these come from."""

import pytest
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.layouts import SectionTitle
from bpe_gui.gui.look.theme import Theme, line_height
from bpe_gui.gui.look.widgets import SentenceLabel
from tests.gui.support.widgets import child

TEXTS = ("Merges", "合并", "合并 merges", "")


@pytest.mark.parametrize("size", [8, 9, 11, 16, 24])
def test_every_line_fits(qapp: QApplication, size: int) -> None:
    font = QFont(qapp.font())
    font.setPointSize(size)
    assert max(QFontMetrics(font).size(0, text).height() for text in TEXTS) <= line_height(font)


@pytest.mark.parametrize("kind", [QLabel, SectionTitle])
def test_titles_are_equally_high(qtbot: QtBot, qapp: QApplication, kind: type[QLabel]) -> None:
    Theme("light").apply(qapp)
    labels = [kind(text) for text in TEXTS]
    for label in labels:
        qtbot.addWidget(label)
        label.ensurePolished()
    heights = {label.sizeHint().expandedTo(label.minimumSize()).height() for label in labels}
    assert heights == {line_height(qapp.font())}


def test_sentences_of_one_line_are_equally_high(qtbot: QtBot) -> None:
    labels = [SentenceLabel(text) for text in TEXTS]
    for label in labels:
        qtbot.addWidget(label)
    assert {label.heightForWidth(400) for label in labels} == {line_height(labels[0].font())}


@pytest.mark.parametrize("text", ["nope.txt\nFile not found.\nCheck its name.", "a.txt\n找不到文件。\n请检查文件名。"])
def test_a_message_of_several_lines_is_shown_whole(qtbot: QtBot, qapp: QApplication, text: str) -> None:
    """As Qt's file dialogs show it for a file that does not exist."""
    Theme("light").apply(qapp)
    box = QMessageBox(QMessageBox.Icon.Warning, "bpe-gui", text)
    qtbot.addWidget(box)
    with qtbot.waitExposed(box):
        box.show()
    label = child(box, QLabel, "qt_msgbox_label")
    assert label.height() >= label.sizeHint().height() >= 3 * QFontMetrics(label.font()).height()
