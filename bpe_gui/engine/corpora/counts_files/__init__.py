"""Counts of words in Parquet files: writing and reading them, and counting with little memory."""
