"""Kernels of training: the pair table, occurrence lists, the heap, and steps forward and back."""
