"""Search for tokens and text by what a person types, without Qt."""
