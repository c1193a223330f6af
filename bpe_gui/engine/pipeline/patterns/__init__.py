"""Rewrite regular expressions between `regex`, used here, Oniguruma (`tokenizers`) and fancy-regex (tiktoken)."""
