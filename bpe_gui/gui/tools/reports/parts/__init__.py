"""The parts of the window of reports."""
