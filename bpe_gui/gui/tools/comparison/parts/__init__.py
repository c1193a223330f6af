"""The parts of the window that compares."""
