"""The window's one document, as Qt objects that emit a signal when something changes; nothing here draws.

Read the files in this order; each imports only from those above it:

- `corpus`: the documents, the recipe and the other settings; `RunInputs`, the value that a run is a function of.
- `run`: the trainer, if there is one, and training it in a thread that the window can look in on.
- `branches`: the main run and its branches, their plans, and how they are made; the current one is in `run`.
- `earlier_run`: what a run replaced when it was made again.
- `opened_tokenizers`: tokenizers from files, which the window can show in place of the run.
- `cursor`: the step on screen; `selection`: the token or pair that every panel highlights.
- `corpus_counter`: counts the words; runs are built from these counts.
- `encoded_text`: the text to encode with its tokens, and its measures; `chat`: messages that a template makes a text.
- `overlay`: another run, drawn over the one on screen.
- `history`: the changes that can be undone.
- `session`: all of them together, and the changes that affect more than one.
- `object_names`: the names and colours of runs and opened tokenizers.
- `tokenizer_exporter`: writing a tokenizer and proving what was written; only the export dialog uses it.

While a thread trains the run, `Run.trainer` is None, except within a look at `Run.training`.
"""
