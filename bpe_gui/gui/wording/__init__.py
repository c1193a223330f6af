"""Values in words, in the language of the window.

`language` installs the translation. `phrases` (numbers, lists and labels) and `sentences` (with errors) are what all
texts are made of. The others put one kind of value into words each: a run (`run_texts`), answers (`why_not_texts`,
`comparison_texts`), a recipe and its splitter (`recipe_texts`), and files (`file_texts`). Texts are looked up when a
function is called, because the language may change.
"""
