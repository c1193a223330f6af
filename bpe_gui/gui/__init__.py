"""The window: a Qt program over the engine."""
