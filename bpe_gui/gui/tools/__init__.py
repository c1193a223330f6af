"""Separate windows, each of which answers a question about tokenizers."""
