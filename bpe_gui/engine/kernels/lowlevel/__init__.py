"""Kernels close to the processor: bits, vectors, unaligned loads and stores, prefetching, and UTF-8."""
