"""Counting on a cluster: Dask runs on many machines what counts words on one."""

from .counting import count_on_cluster
from .remote_files import RemoteFile, find_remote

__all__ = ["RemoteFile", "count_on_cluster", "find_remote"]
