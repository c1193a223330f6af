"""Find texts that are cut off, in a window of any size and font."""

import os
import time
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSpinBox,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTabBar,
    QToolButton,
    QWidget,
)

from bpe_gui.gui.look.layouts import SectionTitle
from bpe_gui.gui.look.theme import Theme, line_height
from bpe_gui.gui.look.widgets import without_mnemonic
from bpe_gui.gui.tables.table import Table
from bpe_gui.gui.views.reason_label import ReasonLabel

_LINE_EDIT_MARGIN: Final = 4  # pixels around the text of a field, in total
_CELL_MARGIN: Final = 12  # pixels around the text of a cell, in total
_MAY_ELIDE: Final = frozenset(
    {
        *("documentList", "lineNumbersTable", "comparisonTable", "reportNumbers", "reportCosts"),
        *("firstOfPairBox", "secondOfPairBox"),
        *(f"compared{part}{letter}" for part in ("Title", "ChatTitle") for letter in "ABCD"),
    }
)
"""Widgets that show names of files or tokenizers or lines of the text, elided with a tooltip."""
_ELLIPSIS: Final = "…"
_HIGHEST_LINE: Final = 18  # pixels: Noto Sans with Chinese characters
_PATIENCE: Final = 20.0  # seconds


def _width(widget: QWidget, text: str) -> int:
    """Return the pixels that a text takes when it is painted, which `horizontalAdvance` rounds down."""
    return widget.fontMetrics().size(0, text).width()


def cut_texts(window: QWidget) -> list[str]:
    """Return all texts in a window that do not fit, and the names of all widgets that are clipped."""
    return [
        f"{widget.objectName() or type(widget).__name__}: {text}"
        for widget in _visible_in(window)
        if widget.width() and widget.objectName() not in _MAY_ELIDE
        for kind, cut in _CUT
        if isinstance(widget, kind)
        for text in cut(widget)
    ]


def _visible_in(widget: QWidget) -> Iterator[QWidget]:
    """Yield all visible widgets in a widget, without looking at the many in pages that are hidden."""
    for part in widget.children():
        if isinstance(part, QWidget) and part.isVisible():
            yield part
            yield from _visible_in(part)


def _cut_in_label(label: QLabel) -> Iterator[str]:
    text, area = without_mnemonic(label.text()) if label.buddy() else label.text(), label.contentsRect()
    if isinstance(label, ReasonLabel):
        if (merge := label._merge) is not None:
            _begin, _pair, end = label._fitting_phrase(merge, area.width())
            if end.endswith(_ELLIPSIS):
                yield end
    elif isinstance(label, SectionTitle):
        shown = label.elided(area.width())
        if shown.endswith(_ELLIPSIS) and not text.endswith(_ELLIPSIS):
            yield shown
    elif label.textFormat() is not Qt.TextFormat.RichText and text:
        if label.wordWrap():
            if label.heightForWidth(label.width()) > label.height():
                yield f"{text} ({label.height()} pixels high)"
        elif _width(label, text) > area.width():
            yield f"{text} ({area.width()} pixels wide)"


def _cut_in_button(button: QAbstractButton) -> Iterator[str]:
    shows_text = (
        not isinstance(button, QToolButton) or button.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonIconOnly
    )
    text = without_mnemonic(button.text()) if shows_text and button.icon().isNull() else ""
    if _width(button, text) + 4 > button.width() or button.width() < button.iconSize().width():
        yield f"{text or button.accessibleName()} ({button.width()} pixels wide)"


def _cut_in_field(field: QLineEdit) -> Iterator[str]:
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    area = field.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, field)
    text = field.text() if isinstance(field.parent(), QSpinBox) else "" if field.text() else field.placeholderText()
    if _width(field, text) > area.width() - _LINE_EDIT_MARGIN:
        yield f"{text} ({area.width()} pixels wide)"


def _cut_in_combo(combo: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    edit = QStyle.SubControl.SC_ComboBoxEditField
    area = combo.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, edit, combo)
    if _width(combo, combo.currentText()) > area.width():
        yield f"{combo.currentText()} ({area.width()} pixels wide)"


def _cut_in_tabs(tabs: QTabBar) -> Iterator[str]:
    for index in range(tabs.count()):
        text, area = tabs.tabText(index), tabs.tabRect(index)
        if not tabs.rect().contains(area) or _width(tabs, text) > area.width():
            yield text
    if any(button.isVisible() for button in tabs.findChildren(QToolButton)):
        yield "scroll buttons"


def _cut_in_header(header: QHeaderView) -> Iterator[str]:
    if header.orientation() is not Qt.Orientation.Horizontal:
        return
    for section in range(header.count()):
        text = str(header.model().headerData(section, header.orientation()) or "")
        place = QRect(header.sectionViewportPosition(section), 0, header.sectionSize(section), 1)
        is_whole = _width(header, text) <= place.width() and place.right() < header.width()
        if not header.isSectionHidden(section) and not is_whole:
            yield f"{text} ({place.width()} pixels wide)"


def _cut_in_table(table: Table) -> Iterator[str]:
    """Yield the texts of cells in view that are cut off, except tokens."""
    model, top = table.table_model, max(0, table.rowAt(0))
    for row in range(top, min(top + table.rows_in_view, model.rowCount())):
        for number, column in enumerate(model.columns):
            if table.isColumnHidden(number) or column.chips or column.symbols:
                continue
            text, width = column.text(model.rows[row]), table.columnWidth(number) - _CELL_MARGIN
            if _width(table, text) > width:
                yield f"{text} ({width} pixels wide)"


def _clipped(widget: QWidget) -> Iterator[str]:
    """Yield a label or control that its parent, or an area that scrolls only up and down, does not show whole."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QAbstractScrollArea):
        area = area.parentWidget()
    if area is None:
        if widget.visibleRegion().boundingRect().size() != widget.size():
            yield "clipped"
    elif area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
        left = widget.mapTo(area.viewport(), QPoint()).x()
        if left < 0 or left + widget.width() > area.viewport().width():
            yield "clipped at the side"


_CUT: Final[tuple[tuple[type | tuple[type, ...], Callable[..., Iterator[str]]], ...]] = (
    (QLabel, _cut_in_label),
    (QAbstractButton, _cut_in_button),
    (QLineEdit, _cut_in_field),
    (QComboBox, _cut_in_combo),
    (QTabBar, _cut_in_tabs),
    (QHeaderView, _cut_in_header),
    (Table, _cut_in_table),
    ((QLabel, QAbstractButton, QLineEdit, QComboBox, QTabBar), _clipped),
)


def each_font(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Use fonts 10 % narrower than Noto Sans, then 10 % wider than DejaVu Sans, and yield their names.

    The tests' own fonts have the widths of DejaVu Sans. With other fonts, use only those, at their own widths.
    """
    if os.environ.get("BPE_GUI_TEST_FONTS") == "system":
        yield "system"
        return
    app, usual, monospace = QApplication, QApplication.font(), Theme.monospace_font
    try:
        for name, percent in (("narrow", 84), ("wide", 110)):
            app.setFont(_stretched(usual, percent))
            monkeypatch.setattr(
                Theme, "monospace_font", lambda *given, percent=percent: _stretched(monospace(*given), percent)
            )
            yield name
    finally:
        app.setFont(usual)


def _stretched(font: QFont, percent: int) -> QFont:
    stretched = QFont(font)
    stretched.setStretch(percent)
    return stretched


def enough_for(shown: QWidget, size: tuple[int, int]) -> QSize:
    """Return the size that must be enough for a widget; in a font with very high lines, its own."""
    return QSize(*size) if line_height(QApplication.font()) <= _HIGHEST_LINE else shown.size()


def assert_fits(shown: QWidget, case: str) -> None:
    """Fail with what is cut, if something still is when all layouts have had time to settle."""
    deadline = time.monotonic() + _PATIENCE
    while (cut := cut_texts(shown)) and time.monotonic() < deadline:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
    assert not cut, f"{case}: {cut}"
