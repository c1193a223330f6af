"""Rewrite regular expressions between `regex`, which is used here, and Oniguruma, which `tokenizers` uses."""
