"""Projects in the window: opened, saved, kept safe, and restored."""
