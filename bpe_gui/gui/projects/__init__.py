"""Projects: saving and opening the whole session, and recovering it when the program ended without saving.

- `project_contents`: the project that the session would save now, and the one that was read from a file.
- `project_restorer`: puts a project that was read into the session, stage by stage, since training takes long.
- `unsaved_changes`: whether there are any, and the questions before they are lost.
- `autosave`, `recovery_offers`: recovery files, written while there are unsaved changes, and offered after a crash.
- `project_controller`: opens, saves and closes; the only part that the main window knows.

A recovery file is locked by the process that writes it, so a file without a lock belongs to a process that died.
"""
