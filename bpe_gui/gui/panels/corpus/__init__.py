"""The corpus panel and its parts."""
