"""The sentences, numbers and languages of the window."""
