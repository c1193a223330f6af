"""Members of Qt's enumerations, looked up once.

Looking up `Qt.ItemDataRole.DisplayRole` takes 0.7 µs, `Qt.DisplayRole` 14 µs, a module constant 0.03 µs. A table's
model and delegates and a view's event handlers compare with them thousands of times per frame, so they import the
constants from here. Code that runs once, when a widget is built, may use Qt's enumerations directly.

Item roles, and the alignments for `TextAlignmentRole` and for the flags of `QPainter.drawText`, are plain integers: Qt
passes roles as integers, and accepts an integer from `data()` twice as fast as an enumeration member. The other
constants keep their types, which Qt's signatures require.
"""

from typing import Final

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QClipboard, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView

# Model data roles, as integers
ACCESSIBLE_TEXT_ROLE: Final = int(Qt.ItemDataRole.AccessibleTextRole)
BACKGROUND_ROLE: Final = int(Qt.ItemDataRole.BackgroundRole)
DISPLAY_ROLE: Final = int(Qt.ItemDataRole.DisplayRole)
FONT_ROLE: Final = int(Qt.ItemDataRole.FontRole)
FOREGROUND_ROLE: Final = int(Qt.ItemDataRole.ForegroundRole)
INITIAL_SORT_ORDER_ROLE: Final = int(Qt.ItemDataRole.InitialSortOrderRole)
TEXT_ALIGNMENT_ROLE: Final = int(Qt.ItemDataRole.TextAlignmentRole)
TOOL_TIP_ROLE: Final = int(Qt.ItemDataRole.ToolTipRole)
USER_ROLE: Final = int(Qt.ItemDataRole.UserRole)

# Alignments as integers, vertically centred
ALIGN_CENTER: Final = int(Qt.AlignmentFlag.AlignCenter)
WRAPPED: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
ALIGN_LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
ALIGN_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
CENTER_AND_WRAP: Final = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)

# An alignment for layouts and labels
TOP_LEFT: Final = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft

# Tables
ASCENDING: Final = Qt.SortOrder.AscendingOrder
DESCENDING: Final = Qt.SortOrder.DescendingOrder
SCROLL_PER_ITEM: Final = QAbstractItemView.ScrollMode.ScrollPerItem
HORIZONTAL: Final = Qt.Orientation.Horizontal
VERTICAL: Final = Qt.Orientation.Vertical

# Text
ELIDE_MIDDLE: Final = Qt.TextElideMode.ElideMiddle
ELIDE_RIGHT: Final = Qt.TextElideMode.ElideRight
PLAIN_TEXT: Final = Qt.TextFormat.PlainText
LINKS: Final = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
SELECTABLE_BY_MOUSE: Final = Qt.TextInteractionFlag.TextSelectableByMouse

# Painting
ANTIALIASING: Final = QPainter.RenderHint.Antialiasing
NO_BRUSH: Final = Qt.BrushStyle.NoBrush
NO_PEN: Final = Qt.PenStyle.NoPen

# Events
FONT_CHANGE: Final = QEvent.Type.FontChange
KEY_PRESS: Final = QEvent.Type.KeyPress
LEAVE: Final = QEvent.Type.Leave
SHORTCUT_OVERRIDE: Final = QEvent.Type.ShortcutOverride
STYLE_CHANGE: Final = QEvent.Type.StyleChange
TOOL_TIP: Final = QEvent.Type.ToolTip

# Keys, modifiers and mouse buttons
ENTER_KEYS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
ESCAPE: Final = Qt.Key.Key_Escape
SIDEWAYS_KEYS: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
END_KEYS: Final = (Qt.Key.Key_Home, Qt.Key.Key_End)
UP_AND_DOWN_KEYS: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
COPY: Final = QKeySequence.StandardKey.Copy
SELECT_ALL: Final = QKeySequence.StandardKey.SelectAll
NATIVE_TEXT: Final = QKeySequence.SequenceFormat.NativeText
CONTROL: Final = Qt.KeyboardModifier.ControlModifier
KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
LEFT_BUTTON: Final = Qt.MouseButton.LeftButton
RIGHT_BUTTON: Final = Qt.MouseButton.RightButton
NO_BUTTON: Final = Qt.MouseButton.NoButton

# The clipboard, and the selection that X11 pastes with the middle button
CLIPBOARD: Final = QClipboard.Mode.Clipboard
PRIMARY_SELECTION: Final = QClipboard.Mode.Selection
