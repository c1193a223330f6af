"""The main window without its panels: actions and menus, and the controllers between panels and session.

- `actions`, `menus`: all actions of the window in one table, and the menu bar that shows them.
- `edit_actions`: cut, copy, paste, undo and redo in the widget with the focus; notices that offer to undo.
- `branch_actions`, `token_menus`: actions on runs and on tokens.
- `file_opener`, `file_reader`, `tokenizer_opener`, `exporting`: reading and writing files.
- `training_notices`: notices of training and of errors.
- `tour_guide` with `tour_card`: guided tours; `find_boxes`: finding them, samples, recipes and keys.
- `panel_layout`, `widget_state`: the layout of the panels, and keeping their state when the language changes.
- `part`: what the parts of a window have in common.

`main_window.py` creates and connects them all; each says which actions it carries out.
"""
