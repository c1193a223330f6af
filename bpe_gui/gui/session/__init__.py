"""The one document of the window, as Qt objects that announce facts; nothing here draws.

Files in reading order, which is also the order in which they may import each other:

- `corpus`: the documents, the recipe and the other settings; `RunInputs`, the value that a run is a function of.
- `run`: at most one trainer, and training it in a thread that lets the window look at it.
- `branches`: the main run and its branches, of which one is in `run`; the plans of branches, and making them.
- `opened_tokenizers`: tokenizers from files, one of which may be shown instead of the run.
- `cursor`: the step that is shown; `selection`: the token or pair that is followed through all panels.
- `corpus_counter`: the counts of the words, from which runs are made.
- `encoded_text`: the text to encode with its tokens, and its measures.
- `history`: the changes that can be undone.
- `session`: all of them together, and the changes that concern several.
- `tokenizer_exporter`: writing a tokenizer and proving what was written; only the export dialog uses it.

While a thread trains the run, `Run.trainer` is None, except within `Run.look`.
"""
