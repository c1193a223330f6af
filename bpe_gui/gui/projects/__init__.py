"""Projects in the window: opening, saving, autosave, recovery and restoring the session."""
