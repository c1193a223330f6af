"""The look of the window, and the small widgets that its parts are built from; nothing here knows what is shown.

- `theme`: colours, fonts and icons of the chosen theme; the palettes of tokens and charts.
- `desktop_motion`: whether a Linux desktop asks for less motion.
- `layouts`: distances, and the layouts and header lines of panels and dialogs.
- `widgets`: well-behaved boxes and labels, and helpers for widgets.
- `overlays`: layers over a panel.
- `lifetime`: references that keep nothing alive, and a flag for widgets that are filling themselves.
- `qt_constants`: members of Qt's enumerations, looked up once.

Before changing anything here: a widget must be freed when its last reference goes (see `lifetime`), and a style sheet
resets a widget's font when the widget is put into a window (see `Theme.keep`).
"""
