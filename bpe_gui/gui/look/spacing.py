"""The distances that the window keeps, in logical pixels.

Everything stands on a grid of 8: margins and gaps are one step of it, half a step between things that belong
together, two steps around and between groups.
"""

from typing import Final

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
"""Between flat buttons in a row, which bring a margin of their own."""

BAR_PADDING: Final = 6
"""Above and below the contents of a bar that crosses the window or a panel."""

ROW_PADDING: Final = 6
"""Above and below the text of a table's row, together."""
