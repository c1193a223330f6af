"""The window: a Qt program on top of the engine. ARCHITECTURE.md has the picture of its packages."""
