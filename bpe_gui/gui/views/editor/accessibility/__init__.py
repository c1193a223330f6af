"""Give screen readers the text of the editor, its caret and selection, and the token at the caret.

PySide lets Python make an accessible interface, but not a whole text interface: `selection` and `attributes`, which
return numbers through pointers, cannot be overridden. So the text interface is that of a standard editor, which is
never shown and follows ours. It has the whole text, or of a large one the part around the caret.
"""
