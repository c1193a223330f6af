"""Guided tours through the window: `guide` drives it, `spotlight` and `tour_card` point and speak."""
