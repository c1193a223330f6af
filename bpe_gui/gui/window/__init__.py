"""The main window apart from its panels: actions and menus, and controllers that connect panels and session.

- `actions`, `menus`: every action of the window in one table, and the menu bar that shows them.
- `edit_actions`: undo, redo, cut, copy and paste in the widget with the focus; the offers to undo in notices.
- `branch_actions`, `token_menus`: the actions on runs, and on tokens.
- `file_opener`, `file_reader`, `tokenizer_opener`, `exporting`: files in and out.
- `training_notices`: the notices during and after training.
- `tour_guide`, `help_boxes`: guided tours, the list of keys, the version.
- `panel_layout`, `widget_state`: the arrangement of the panels, and their state when the language changes.

`main_window.py` makes and connects all of them.
"""
