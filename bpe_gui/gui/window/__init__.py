"""What belongs to the main window as a whole: its actions and menus, and controllers that connect panels and session.

- `actions`, `menus`: every action of the window in one table, and the menu bar that shows them.
- `edit_actions`: undo, redo, cut, copy and paste in the widget with the focus; the offers to undo in notices.
- `branch_actions`, `token_menus`: what tables and menus do with runs, and with tokens.
- `file_opener`, `file_reader`, `tokenizer_opener`, `exporting`: files in and out.
- `training_notices`: what is said while and after training.
- `tour_guide`, `help_boxes`: what explains the window.
- `panel_layout`, `widget_state`: the arrangement of the panels, and their state when the language changes.

`main_window.py` makes and connects all of them.
"""
