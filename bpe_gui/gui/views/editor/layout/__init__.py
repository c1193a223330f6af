"""The layout of text of any size with its tokens; only the part in view is laid out.

    text -> lines -> segments -> rows -> cells

- A *line* ends with `\\n`, `\\r\\n` or `\\r`, or with the text.
- A *segment* is what `QTextLayout` lays out in one go: a line, or about 2,000 bytes of a line longer than 3,000,
  because Qt takes seconds for a line of a megabyte. `line_index` finds the segments and follows edits.
- What is shown for a segment differs from its text where Qt would hide a character: `segment_text` writes such
  characters as escapes (`\\x1b`) and maps offsets to positions and back.
- A *row* is one of the rows, all of one height, into which a segment is wrapped; `segment_layout` knows where each
  character is on them. `text_rows` numbers the rows of the whole text, with an estimate for segments that were never in
  view, and keeps the latest layouts. `navigation` moves an offset by characters, words and rows.
- A *cell* is the rectangle of one token on one row, found by `token_cells`. A token that covers whole characters has a
  cell of full height; bytes of a character that several tokens share have strips under that character; a token without
  any width (an end-of-word marker) is a bar. A token has as many cells as it has rows.
- A *page* is the rows in view with the cells of their tokens, and everything that is painted: `token_page`.

Units: an *offset* counts bytes of UTF-8, from the start of the text or, if the docstring says so, of a segment. A
*position* counts UTF-16 code units of what is shown for a segment, as `QTextLayout` does. Lengths are pixels: x from
the left edge of the text, y from the top of the first row of a segment or a page.
"""
