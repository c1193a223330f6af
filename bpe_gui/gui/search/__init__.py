"""Find and filter, without Qt: tokens by what a person types, and matches in a possibly large text."""
