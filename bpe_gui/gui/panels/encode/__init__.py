"""The encode panel and its parts."""
