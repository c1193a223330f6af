"""Tokenizers that were opened from files, and the export of the one that is shown."""
