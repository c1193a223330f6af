"""How the window looks, and the small widgets that all its parts are made of; nothing here knows what the window shows.

- `theme`: colours, fonts and icons, which follow the chosen theme; the palettes of tokens and charts.
- `layouts`: distances, and the layouts and header lines of panels and dialogs.
- `widgets`: boxes and labels that behave, and helpers for widgets.
- `overlays`: layers over a panel, and motion.
- `lifetime`: references that keep nothing alive, and a flag for a widget that fills itself.
- `qt_constants`: Qt's enumerations, read once.

Before changing anything here: a widget must be freed by its last reference (see `lifetime`), and a style sheet resets
the font of a widget that is put into its window (see `Theme.keep`).
"""
