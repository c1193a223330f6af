"""The bars around the panels, and the labels of the status bar."""
