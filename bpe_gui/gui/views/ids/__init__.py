"""The ids of a text as a grid of cells."""
