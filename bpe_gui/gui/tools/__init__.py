"""The tools that answer a question about tokenizers: Compare and Report, in a workspace of the window.

`tool.py` has what they have in common: a page is made when it is first shown, and a tool whose page is hidden rests.
"""
