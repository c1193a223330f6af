"""Painted widgets. They know neither a run of the engine nor the session."""
