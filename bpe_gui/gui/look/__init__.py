"""Themes, palettes, spacings, Qt constants and small shared widgets."""
