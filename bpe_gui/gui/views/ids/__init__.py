"""The ids of the text as a grid of cells."""
