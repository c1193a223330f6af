"""The dialogs of the window, and what they work with."""
