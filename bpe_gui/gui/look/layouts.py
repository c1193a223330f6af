"""The distances used in the window, and the layouts and header lines shared by panels and dialogs."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bpe_gui.gui.look.qt_constants import ALIGN_LEFT, ELIDE_RIGHT, PLAIN_TEXT
from bpe_gui.gui.look.theme import set_role, text_width

GRID: Final = 8

MARGIN: Final = GRID
"""Between the edge of a panel, bar or sheet and its contents."""

DIALOG_MARGIN: Final = 2 * GRID
"""Between the edge of a dialog and its contents."""

GAP: Final = GRID
"""Between neighbouring widgets."""

SMALL_GAP: Final = GRID // 2
"""Between widgets that belong together; also the margin above and below a line of text."""

WIDE_GAP: Final = 2 * GRID
"""Between groups, and between the columns of a form."""

BUTTON_GAP: Final = 2
"""Between flat buttons in a row, which have their own margin."""

BAR_PADDING: Final = 6
"""Above and below the contents of a bar that crosses the window or a panel."""

ROW_PADDING: Final = 6
"""Above and below the text of a table row, in total."""


Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None
"""Part of a row or column, optionally with its stretch; a gap in pixels; or None for a stretching space."""

Box = TypeVar("Box", bound=QBoxLayout)


def row_of(
    *items: Item, of: QWidget | None = None, margins: Sequence[int] = (0, 0, 0, 0), spacing: int | None = GAP
) -> QHBoxLayout:
    """Return a layout of items from left to right, installed in the widget `of` if that is given.

    `margins` are in pixels: left, top, right, bottom.
    """
    return _filled(QHBoxLayout() if of is None else QHBoxLayout(of), items, margins, spacing)


def column_of(
    *items: Item, of: QWidget | None = None, margins: Sequence[int] = (0, 0, 0, 0), spacing: int | None = GAP
) -> QVBoxLayout:
    """Return a layout of items from top to bottom; see `row_of`."""
    return _filled(QVBoxLayout() if of is None else QVBoxLayout(of), items, margins, spacing)


def gapless_column(widget: QWidget, *items: Item) -> QVBoxLayout:
    """Return a layout that stacks the parts of `widget` without margins or gaps."""
    return column_of(*items, of=widget, spacing=0)


def _filled(layout: Box, items: Iterable[Item], margins: Sequence[int], spacing: int | None) -> Box:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        else:
            part, stretch = item if isinstance(item, tuple) else (item, 0)
            if isinstance(part, QWidget):
                layout.addWidget(part, stretch)
            else:
                layout.addLayout(part, stretch)
    return layout


def dialog_column(dialog: QDialog, *items: Item, spacing: int = GAP, width: int = 0) -> QVBoxLayout:
    """Return the outermost layout of `dialog`; see `row_of`.

    The dialog is at least `width` pixels wide, and wider where its contents need more: `setMinimumWidth` would take the
    place of what they need, and cut them in a wide font.
    """
    column = column_of(*items, of=dialog, margins=(DIALOG_MARGIN,) * 4, spacing=spacing)
    column.addStrut(width - 2 * DIALOG_MARGIN)
    return column


def dialog_form(*rows: tuple[str | QLabel, QWidget | QLayout]) -> QFormLayout:
    """Return a layout of fields with their labels on the left."""
    form = QFormLayout(horizontalSpacing=WIDE_GAP, verticalSpacing=GAP)
    for label, field in rows:
        form.addRow(label, field)
    return form


def grid_of(of: QWidget | None = None, *, row_gap: int = GAP, column_gap: int = WIDE_GAP) -> QGridLayout:
    """Return an empty grid without margins, installed in the widget `of` if that is given."""
    grid = QGridLayout(of)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(column_gap)
    grid.setVerticalSpacing(row_gap)
    return grid


def keep_space(widget: QWidget) -> None:
    """Let a widget take its space even while it is hidden, so that nothing else moves."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


def dialog_buttons(*others: QPushButton, accept: QPushButton, reject: QPushButton) -> QDialogButtonBox:
    """Return a box with the buttons in the platform's preferred order; the caller connects them."""
    box = QDialogButtonBox()
    for button in others:
        box.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
    box.addButton(accept, QDialogButtonBox.ButtonRole.AcceptRole)
    box.addButton(reject, QDialogButtonBox.ButtonRole.RejectRole)
    return box


_SHORT_TITLE: Final = "Vocabulary"
"""A title this wide is never elided; a wider one should have a shorter form."""
_DOT: Final = " · "
ANY_WIDTH: Final = 16_777_215  # Qt's largest
_CHANGES_OF_SIZE: Final = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)


class SectionTitle(QLabel):
    """A title on one line, elided if it does not fit, with its full text as the tooltip; `name` is its object name.

    The number after its last ` · ` is left out first; then the first shorter form that fits is shown.
    """

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__()
        self._forms = [text]
        self.setObjectName(name)
        self.setTextFormat(PLAIN_TEXT)
        set_role(self, "title")
        self.setText(text)

    def setText(self, text: str, *shorter: str) -> None:  # noqa: N802 (Qt's name)
        beginning, _dot, end = text.rpartition(_DOT)
        is_number = end[:1].isdigit() or " " not in end  # and not part of a name, as in “without · + f”
        self._forms = [form for form in (text, beginning if is_number else "", *shorter) if form]
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        """Return a size with space for a short title; a long one can be elided to its beginning."""
        metrics = self.fontMetrics()
        margins = self.contentsMargins()
        width = min(text_width(metrics, form) for form in (*self._forms, _SHORT_TITLE))
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        QPainter(self).drawText(area, ALIGN_LEFT, self.elided(area.width()))

    def elided(self, width: int) -> str:
        """Return the text as shown in this width in pixels."""
        metrics = self.fontMetrics()
        fitting = (form for form in self._forms if text_width(metrics, form) <= width)
        return next(fitting, None) or metrics.elidedText("".join(self._forms[-1:]), ELIDE_RIGHT, width)


class Scrolled(QScrollArea):
    """Contents that scroll up and down where they are higher than the space for them, and are never cut at the side.

    If it `is_tight`, it is no higher than they are.
    """

    def __init__(self, contents: QWidget, *, is_tight: bool = False) -> None:
        super().__init__(widgetResizable=True)
        self.contents = contents
        self._is_tight = is_tight
        if is_tight:
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # widgets in it scroll it when they get the focus
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(contents)

    def minimumSizeHint(self) -> QSize:
        """Return a size with the width that the contents need beside a scroll bar."""
        width = self.contents.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(width, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        """Return, if it is tight, the height that the contents need at this width; none if all of them are hidden."""
        hint, height = super().sizeHint(), self.contents.heightForWidth(self.viewport().width())
        return QSize(hint.width(), max(0, height)) if self._is_tight else hint

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_tight and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Follow the width that the contents need, which Qt watches for their height alone."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class HeaderCount(QLabel):
    """A number in a header, left out where it does not fit.

    Other parts of the header keep their usual width, or, beside a number that `elides`, their minimum width.
    """

    def __init__(self, *, elides: bool = False) -> None:
        super().__init__()
        self.elides = elides
        set_role(self, "quiet")

    def minimumSizeHint(self) -> QSize:
        """Return the whole width for a number that elides others; the header's minimum is without it."""
        return QSize(super().sizeHint().width() if self.elides else 0, super().minimumSizeHint().height())


class PanelHeader(QFrame):
    """The line above a panel or part of one: the title on the left, action widgets on the right, and a rule below.

    The title takes the remaining width, unless there is a `field` between title and actions, which takes it instead.
    A `count` comes before the actions, and a `mark` before the title.
    """

    def __init__(
        self,
        title: SectionTitle | str,
        *actions: QWidget,
        field: QWidget | None = None,
        count: HeaderCount | None = None,
        mark: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._count = count
        set_role(self, "panelHeader")
        has_only_buttons = all(isinstance(action, QAbstractButton) for action in actions)
        spacing = SMALL_GAP if has_only_buttons and field is None else GAP  # buttons have their own padding
        label = SectionTitle(title) if isinstance(title, str) else title
        parts: list[Item] = [(label, 1)] if field is None else [label, (field, 1)]
        if count is not None:
            parts.append(count)
        if mark is not None:
            parts.insert(0, mark)
        row_of(*parts, *actions, of=self, margins=(MARGIN, 0, MARGIN, 0), spacing=spacing)

    def event(self, event: QEvent) -> bool:
        """Leave out the count if it does not fit: now, after a change of its text, or of the header's size."""
        if (count := self._count) is not None and event.type() in _CHANGES_OF_SIZE and (layout := self.layout()):
            needed = (layout.minimumSize() if count.elides else layout.sizeHint()).width()
            if not count.maximumWidth():
                needed += count.sizeHint().width()
            # Hidden, the label would not report changes of its text.
            count.setMaximumWidth(0 if needed > self.width() else ANY_WIDTH)
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Return a size without the count."""
        size = super().minimumSizeHint()
        if self._count is not None and self._count.maximumWidth():
            size.setWidth(size.width() - self._count.minimumSizeHint().width())
        return size
