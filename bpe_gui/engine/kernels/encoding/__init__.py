"""Kernels of encoding and decoding: the merge table, the word cache, and merging words."""
