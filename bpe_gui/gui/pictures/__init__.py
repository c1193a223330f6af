"""Pictures of tokenized text and of a token's lineage, for files and the clipboard.

- `text_picture.py` lays out part of a text in rows, as the editor does, and paints it strip by strip: as a preview, a
  PNG image or a PDF file. Its `Passage` has the tokens and colours of the whole text.
- `svg_output.py` and `html_output.py` write the same as markup: SVG from the layout, HTML without one.
- `lineage_picture.py` draws a token's tree, and the tokens it became part of.
"""
