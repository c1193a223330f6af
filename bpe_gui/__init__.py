"""A workbench in which byte-pair encoding is watched, stepped through and exported."""

import logging

__version__ = "0.2.0"

# Without a handler, Python would print warnings to standard error.
logging.getLogger(__name__).addHandler(logging.NullHandler())
