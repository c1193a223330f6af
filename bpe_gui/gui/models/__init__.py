"""Qt item models of the engine's values."""
