"""The dialogs of the window. Each is given what it shows and is told nothing about the window.

- `recipe_dialog` with `splitter_trial`: a recipe's settings; trying a splitter on the corpus.
- `plan_dialog`: everything that a plan can ask of a run, in one form.
- `encode_files_dialog`: files as arrays of ids.
- `export_dialog`: a tokenizer as files, and the proof that they give the same ids.
- `open_pattern_dialog`: the files of a folder; `tokenizer_dialogs`: a tokenizer by name, and what ranks lack.
- `decode_dialog`: ids as text; `picture_dialogs`: text and lineages as pictures; `boxes`: text to read, and questions.
- `documentation`: the site's pages.

Long work is an operation of a `JobRunner` that is a child of the dialog, so it ends with the dialog.
"""
