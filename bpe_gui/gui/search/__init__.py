"""Finding and filtering, without Qt: `token_filter` for tokens by what a person types, `text_search` for matches in a text.

Both work on bytes in slices, so that a text of 100 MB or a million tokens never hold up the window.
"""
