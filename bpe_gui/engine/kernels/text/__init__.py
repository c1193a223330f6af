"""Kernels over text: splitting it into words (pre-tokens), finding special tokens, and counting words."""
