"""Counting on a cluster: Dask runs on many machines what counts words on one."""
