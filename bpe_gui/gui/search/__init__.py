"""Finding and filtering, without Qt: tokens by what a person types, and matches in a text that may be large."""
