"""A workbench in which byte-pair encoding is watched, stepped through and exported."""

__version__ = "0.2.0"
