"""The command line: make, use, convert, inspect and compare tokenizers without a window. It imports no Qt."""
