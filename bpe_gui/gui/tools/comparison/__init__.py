"""“Compare with…”: a window that shows up to four tokenizers on the text to encode, and how they differ.

`comparing.py` opens and closes the window. It owns what outlives it, in three files without widgets: `compared.py`, the
tokenizers that are compared and where each comes from; `live_comparison.py`, the text as each of them splits it, kept
up to date while it is typed; `vocabularies.py`, their vocabularies, and the merges of a chosen pair. `words.py` puts
their names and what cannot be compared into words.

The parts of `compare_window.py`: `list_panel.py` with the list and the table of numbers; `adding.py`, the menu that
offers what can be added, which `tokenizer_maker.py` reads or trains in a thread; `texts_panel.py` with the texts;
`pair_panel.py` and `merge_lists.py` for two of the tokenizers.

The text is one: each tokenizer has a layer of tokens over it (`LiveText.layer`), which shares its bytes and follows the
same edits. Only shown texts keep their tokens; those of the others are only counted. Nothing is worked on while the
window is closed.
"""
