"""Pictures of text with its tokens, and of a token's lineage, as files and for the clipboard.

- `text_picture.py` lays part of a text out in rows, as the editor does, and paints it strip by strip: a preview, a PNG
  image or a PDF file. Its `Passage` has the tokens and colours of the whole text.
- `svg_output.py` and `html_output.py` write the same as text: SVG from the layout, HTML without one.
- `lineage_picture.py` draws the tree of a token, with the tokens it became part of.
"""
