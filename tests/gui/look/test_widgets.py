"""Labels, headers, rows of text, dimmers and widgets that are updated at once."""

from functools import partial

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QSplitter,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bpe_gui.gui.look.layouts import HeaderCount, PanelHeader, SectionTitle, column_of
from bpe_gui.gui.look.lifetime import Updating
from bpe_gui.gui.look.overlays import Dimmer
from bpe_gui.gui.look.theme import Theme, line_height, text_width
from bpe_gui.gui.look.widgets import ComboBox, SentenceLabel, SpinBox, describe_items, offer_clearing
from tests.gui.support.widgets import child


def test_a_list_describes_its_items(qtbot: QtBot) -> None:
    combo = ComboBox()
    qtbot.addWidget(combo)
    combo.addItems(["cs336", "minbpe"])
    combo.setItemData(0, f"<p>{'All of a long description is shown beside it. ' * 2}</p>", Qt.ItemDataRole.ToolTipRole)
    describe_items(combo)
    combo.show()
    combo.showPopup()
    plain = combo.view().grab().toImage()
    combo.setItemData(1, "<p>Ends in &lt;/w&gt;</p>", Qt.ItemDataRole.ToolTipRole)
    described = combo.view().grab().toImage()
    combo.hidePopup()
    assert 480 <= described.width() <= 800
    second = combo.view().visualRect(combo.model().index(1, 0))
    changed = {y for y in range(plain.height()) for x in range(60, 300) if plain.pixel(x, y) != described.pixel(x, y)}
    assert changed
    assert all(second.top() <= y <= second.bottom() for y in changed)


def test_a_field_with_text_can_be_cleared(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    offer_clearing(field, "Clear the field")
    assert not field.findChildren(QToolButton)
    field.setText("low")
    (button,) = field.findChildren(QToolButton)
    assert button.accessibleName() == button.toolTip() == "Clear the field"
    button.click()
    assert field.text() == ""
    field.setText("er")
    assert field.findChildren(QToolButton) == [button]


@pytest.mark.parametrize("digits", ["50557", "1234567"])
def test_the_value_that_a_listener_shows_again_leaves_the_caret_alone(qtbot: QtBot, digits: str) -> None:
    box = SpinBox(maximum=10_000_000, value=450)
    qtbot.addWidget(box)
    box.setGroupSeparatorShown(True)
    box.valueChanged.connect(box.setValue)
    box.selectAll()
    QTest.keyClicks(box, digits)
    assert box.value() == int(digits)
    box.setValue(1234)
    assert box.text() == "1,234"


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


def shown(qtbot: QtBot, header: PanelHeader) -> PanelHeader:
    qtbot.addWidget(header)
    header.resize(400, 33)
    with qtbot.waitExposed(header):
        header.show()
    return header


def test_a_sentence_on_a_page_that_is_not_shown_needs_one_line(qtbot: QtBot) -> None:
    """It has no width there, in which it would be high."""
    label, pages = SentenceLabel("one line"), QTabWidget()
    qtbot.addWidget(pages)
    pages.addTab(QWidget(), "first")
    page = QWidget()
    column_of(label, None, of=page)
    pages.addTab(page, "second")
    pages.resize(300, 200)
    with qtbot.waitExposed(pages):
        pages.show()
    least = pages.minimumSizeHint().height()
    label.resize(1, 1)
    label.setText("words " * 100)
    assert pages.minimumSizeHint().height() == least
    pages.setCurrentIndex(1)
    qtbot.waitUntil(lambda: pages.minimumSizeHint().height() > least)


def test_actions_are_at_the_right_edge(qtbot: QtBot) -> None:
    title, count, button = SectionTitle("Pairs"), QLabel("12 pairs"), QToolButton()
    header = shown(qtbot, PanelHeader(title, count, button))
    margin = title.x()
    assert margin > 0
    assert button.geometry().right() == header.width() - margin - 1
    assert count.width() == count.sizeHint().width()
    assert title.geometry().right() < count.x() < button.x()


def test_a_field_takes_the_width_that_the_title_leaves(qtbot: QtBot) -> None:
    title, field = SectionTitle("Vocabulary"), QLineEdit()
    header = shown(qtbot, PanelHeader(title, field=field))
    assert title.width() == title.sizeHint().width()
    assert field.geometry().right() == header.width() - title.x() - 1


def test_the_number_of_a_title_goes_first_and_then_a_shorter_form_is_shown(qtbot: QtBot) -> None:
    title = SectionTitle("")
    title.setText("Words at this step · 13 words", "Words")
    qtbot.addWidget(title)
    width = partial(text_width, title.fontMetrics())
    assert title.elided(width(title.text())) == title.text()
    assert title.elided(width(title.text()) - 1) == "Words at this step"
    assert title.elided(width("Words at this step") - 1) == "Words"
    assert title.minimumSizeHint().width() == width("Words")
    title.setText("C  without · + f")  # where the dot is a space in a token
    assert title.elided(width("C  without · ")).endswith("…")


def test_a_header_leaves_out_its_count_before_its_field_shrinks(qtbot: QtBot) -> None:
    count, field = HeaderCount(), QLineEdit()
    count.setText("180 of 500")
    header = shown(qtbot, PanelHeader("Merges", field, count=count))
    header.resize(600, header.height())
    qtbot.waitUntil(lambda: count.width() > 0)
    needed = header.sizeHint().width()
    count.setText("100,000 of 100,000")
    header.resize(needed, header.height())
    qtbot.waitUntil(lambda: count.width() == 0)
    qtbot.waitUntil(lambda: field.width() >= field.sizeHint().width())
    count.setText("1 of 2")
    qtbot.waitUntil(lambda: count.width() > 0)


@pytest.mark.parametrize("text", ["Pairs", "Words that hold " + "x" * 500])
def test_a_title_needs_little_width_and_is_complete_in_its_tooltip(qtbot: QtBot, text: str) -> None:
    title = SectionTitle(text, "wordTitle")
    header = shown(qtbot, PanelHeader(title))
    assert header.minimumSizeHint().width() < 100
    assert title.toolTip() == title.text() == text
    before = header.grab().toImage()
    title.setText("another")
    assert title.toolTip() == "another"
    assert header.grab().toImage() != before


def test_a_short_title_is_never_elided(qtbot: QtBot) -> None:
    short, long = SectionTitle("合并"), SectionTitle("Words with a long token")
    for title in (short, long):
        qtbot.addWidget(title)
    assert short.elided(short.minimumSizeHint().width()) == short.text()
    assert long.elided(long.minimumSizeHint().width()) != long.text()
    assert 0 < long.minimumSizeHint().width() < long.sizeHint().width()


TEXTS = ("Merges", "合并", "合并 merges", "")


@pytest.mark.parametrize("size", [8, 9, 11, 16, 24])
def test_every_line_fits(qapp: QApplication, size: int) -> None:
    font = QFont(qapp.font())
    font.setPointSize(size)
    assert max(QFontMetrics(font).size(0, text).height() for text in TEXTS) <= line_height(font)


@pytest.mark.parametrize("kind", [QLabel, SectionTitle])
def test_titles_are_equally_high(qtbot: QtBot, qapp: QApplication, kind: type[QLabel]) -> None:
    labels = [kind(text) for text in TEXTS]
    for label in labels:
        qtbot.addWidget(label)
        Theme("light").style(label)
        label.ensurePolished()
    heights = {label.sizeHint().expandedTo(label.minimumSize()).height() for label in labels}
    assert heights == {line_height(qapp.font())}


def test_sentences_of_one_line_are_equally_high(qtbot: QtBot) -> None:
    labels = [SentenceLabel(text) for text in TEXTS]
    for label in labels:
        qtbot.addWidget(label)
    assert {label.heightForWidth(400) for label in labels} == {line_height(labels[0].font())}


@pytest.mark.parametrize("text", ["nope.txt\nFile not found.\nCheck its name.", "a.txt\n找不到文件。\n请检查文件名。"])
def test_a_message_of_several_lines_is_shown_whole(qtbot: QtBot, text: str) -> None:
    """As Qt's file dialogs show it for a file that does not exist."""
    box = QMessageBox(QMessageBox.Icon.Warning, "bpe-gui", text)
    qtbot.addWidget(box)
    Theme("light").style(box)
    with qtbot.waitExposed(box):
        box.show()
    label = child(box, QLabel, "qt_msgbox_label")
    assert label.height() >= label.sizeHint().height() >= 3 * QFontMetrics(label.font()).height()


def test_it_covers_what_stays_out_of_date(qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    layout, button = QVBoxLayout(panel), QPushButton("press")
    layout.addWidget(button)
    panel.resize(200, 100)
    panel.show()
    dimmer, pressed = Dimmer(panel), []
    button.clicked.connect(lambda: pressed.append(True))
    dimmer.set_dimmed(True)
    assert dimmer.isHidden(), "not at once: it may be renewed in a moment"
    plain = panel.grab().toImage()
    qtbot.waitUntil(dimmer.isVisible)
    assert dimmer.rect() == panel.rect() and panel.grab().toImage() != plain
    panel.resize(300, 150)
    qtbot.waitUntil(lambda: dimmer.rect() == panel.rect())
    QTest.mouseClick(panel.childAt(button.geometry().center()) or panel, Qt.MouseButton.LeftButton)
    assert pressed, "what it covers can be used"
    dimmer.set_dimmed(False)
    assert dimmer.isHidden()
    dimmer.set_dimmed(True)
    dimmer.set_dimmed(False)
    timer = dimmer.findChild(QTimer)
    assert timer is not None and not timer.isActive(), "what is renewed at once is never covered"


def test_the_flag_is_set_inside_nested_blocks() -> None:
    updating = Updating()
    assert not updating
    with updating:
        with updating:
            assert updating
        assert updating
    assert not updating


def test_an_error_clears_the_flag() -> None:
    updating = Updating()
    with pytest.raises(ValueError, match="stop"), updating:
        raise ValueError("stop")
    assert not updating
