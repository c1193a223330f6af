"""The panels and bars of the main window. Each knows the session and the theme, but no other panel as a
whole.

A panel shows what the session says, and calls the session's methods when the user does something; it listens to the
session's signals and the theme's. For anything that only the main window can do, such as opening files, it emits a
signal.

- `transport_bar`: recipe, size and player, with the popup “run until”; `state_bars`: work in progress and opened
  tokenizers; `notice_bar`: messages.
- `corpus_panel`, with its `corpus_parts` and the `document_list`.
- `merges_panel`, `vocabulary_panel`, `timeline_panel`: the run at the cursor.
- `encode_panel`, with its `encode_parts`; `token_facts`: the pages about one token, of which
  `why_not_page` is one.
- `finding`: the find bars of the corpus and the encode panel; `corpus_finding`: that of the corpus.
"""
