"""Labels for sentences never need a width, and copy the sentence as it was given."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSplitter, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.widgets import SentenceLabel


@pytest.mark.parametrize("text", ["/home/" + "a" * 300, "x" * 100_000, "word " * 20_000, "短" * 5_000])
def test_any_width_is_enough_for_any_sentence(qtbot: QtBot, text: str) -> None:
    label = SentenceLabel(text)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() == 0
    assert 0 < label.heightForWidth(300) < 600
    assert label.text() == text
    assert label.toolTip()


def test_a_long_word_is_broken_into_lines(qtbot: QtBot) -> None:
    label = SentenceLabel("y" * 300)
    qtbot.addWidget(label)
    assert label.heightForWidth(200) > 5 * label.fontMetrics().lineSpacing()


def test_a_splitter_respects_the_height_of_the_lines(qtbot: QtBot) -> None:
    splitter = QSplitter(Qt.Orientation.Vertical)
    qtbot.addWidget(splitter)
    part = QWidget()
    column = QVBoxLayout(part)
    label = SentenceLabel("y" * 60)
    column.addWidget(label)
    splitter.addWidget(part)
    splitter.addWidget(QWidget())
    splitter.resize(200, 400)
    with qtbot.waitExposed(splitter):
        splitter.show()
    splitter.setSizes([10, 390])
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()))


def test_a_short_text_removes_the_tooltip(qtbot: QtBot) -> None:
    label = SentenceLabel("<b>" * 1_000)
    qtbot.addWidget(label)
    assert "&lt;b&gt;" in label.toolTip()
    label.setText("short")
    assert not label.toolTip()


def test_the_text_is_copied_without_break_characters(qtbot: QtBot, qapp: QApplication) -> None:
    label = SentenceLabel("z" * 100, selectable=True)
    qtbot.addWidget(label)
    label.setSelection(0, len(QLabel.text(label)))
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "z" * 100
