"""The window that compares tokenizers, on the text to encode and with each other."""
