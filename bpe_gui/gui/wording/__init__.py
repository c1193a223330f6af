"""Values in words, in the language of the window.

`language` installs the translation; `numbers`, `joining`, `sentences` and `error_messages` are what all texts are made
of. The others put one kind of value into words each: a run (`step_reasons`, `plan_texts`, `until_texts`), an answer
(`why_not_texts`, `comparison_texts`), a recipe (`recipe_texts`, `splitter_texts`), a file (`pipeline_texts`,
`export_texts`, `counts_texts`). Texts are looked up when a function is called, because the language may change.
"""
