"""Finding and filtering: tokens by what the user types, and matches in a text that may be large."""
