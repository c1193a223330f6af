"""Projects: saving and opening the whole session, and recovering it after a crash.

- `project_contents`: the project that would be saved now, and the project read from a file.
- `project_restorer`: restores a project into the session, which makes its run again, and says what has changed since.
- `unsaved_changes`: whether there are any, and the questions asked before losing them.
- `autosave`, `recovery_offers`: recovery files, written while there are unsaved changes and offered after a crash.
- `project_controller`: opens, saves and closes; the only part that the main window knows.

A recovery file is locked by the process that writes it, so an unlocked one belongs to a process that died.
"""
