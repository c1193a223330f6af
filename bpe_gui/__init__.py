"""A workbench in which byte-pair encoding is watched, stepped through and exported."""

__version__ = "1.0"
