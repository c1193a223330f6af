"""The window: a Qt program on top of the engine."""
