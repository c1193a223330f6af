"""“Compare with…”: a page that shows the text to encode as split by up to four tokenizers, and how they differ.

`comparing.py` makes the page. It owns whatever outlives the page, in three files without widgets:
`compared.py`, the tokenizers and where each comes from; `live_comparison.py`, the text as each of them splits it, kept
up to date while typing; `vocabularies.py`, their vocabularies, and the merges of a chosen pair. `tokenizer_names.py`
puts their names, and what cannot be compared, into words.

The parts of `compare_page.py`: `list_panel.py` with the list and the table of numbers; `adding.py`, the menu of
tokenizers to add; `recipe_trainer.py`, which trains recipes in a thread; `texts_panel.py` with the texts;
`pair_panel.py` and `merge_lists.py` for a pair of tokenizers; `chats_panel.py` with one chat for all.

There is only one text: each tokenizer has a layer of tokens over it (`LiveText.layer`), which shares its bytes and
follows the same edits, whether they are made in the editor of the text or in a layer (`LiveComparison.edit`). Only
visible texts keep their tokens; the tokens of the others are merely counted. While the page is hidden, no work is done.
"""
