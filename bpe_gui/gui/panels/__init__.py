"""The panels of the window. A panel knows the session, but no other panel."""
