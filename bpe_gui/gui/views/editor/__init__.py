"""The editor of text and its tokens.

A key press goes this way:

1. Qt passes the event to `TokenEdit` (`token_edit.py`), which asks `TextCommands` (`keys.py`) for the key's command.
2. The command edits the `EditedText` (`edited_text.py`): text, selection and undo history, without any geometry.
3. `EditedText.replaced` has the rows laid out again (`visible_rows.py`), `selected` scrolls to the caret, and `edited`
   leaves the editor as `TokenEdit.text_edited`.
4. The session encodes the few words around the edit and reports it; the panel calls `TokenLayer.tokens_changed`.
5. The layer (`token_layer.py`) forgets its page. Qt asks for a paint event, once for all of this.
6. To paint, the layer builds a page (`token_page.py`): the rows in view with the cells of their tokens, in which only
   segments with an edit are laid out again. `TokenPainter` (`painting.py`) paints it.

How text is laid out, without any widget:

    text -> lines -> segments -> rows -> cells -> page

- A *line* ends with `\\n`, `\\r\\n` or `\\r`, or with the text. A *segment* is what `QTextLayout` lays out in one go: a
  line, or about 2,000 bytes of a line longer than 3,000 (`line_index.py` finds them and follows edits).
- `segment_text.py` maps its bytes to what is shown: characters that Qt would hide are shown as escapes (`\\x1b`).
- A *row* is one of the rows, all of one height, into which a segment is wrapped: `segment_layout.py` knows where each
  character is, `text_rows.py` numbers the rows of the whole text and moves from offset to offset.
- A *cell* is the rectangle of one token on one row. Whole characters have a cell of full height; bytes of a character
  that several tokens share have strips under it; a token without any width (an end-of-word marker) is a bar.

Units: an *offset* counts bytes of UTF-8, from the start of the text or, where the docstring says so, of a segment. A
*position* counts UTF-16 code units of what is shown for a segment. Lengths are pixels: x from the left edge of the
text, y from the top of the first row of a segment or a page.

Why this is large, when Qt's own editor would be short:

- Every byte stays as it is. Qt's documents replace no-break spaces, NUL and line separators.
- 100 MB open at once and a line may be 10 MB long: only the rows in view are laid out, the others are estimated. Qt
  takes seconds for a line of a megabyte.
- Screen readers get the text around the caret and the token at it (`accessibility.py`), input methods compose in place
  (`input_method.py`), and right-to-left text, emoji and stacked letters have cells that do not overlap.
"""
