"""Finding, without Qt: `token_filter` finds tokens by what a person types, `text_search` all matches in a text, and
`document_search` those in many documents.

The first two work on bytes in slices, so that a text of 100 MB or a million tokens never holds up the window.
"""
