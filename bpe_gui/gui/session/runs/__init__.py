"""The runs of a session: the one that is shown, the others, and making further ones."""
